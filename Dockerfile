# syntax=docker/dockerfile:1
#
#   docker build --target cpu  -t quire:cpu .     # slim: torch for CPUs
#   docker build --target cuda -t quire:cuda .    # NVIDIA GPUs, Triton's compiler, Ray
#
# Both run `quire serve` as an ordinary user; what follows the image's name are its arguments.

ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS wheel
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

# tini is process 1: it hands SIGTERM on to the server and reaps what dead processes leave behind.
# wget asks /health here, and Ray's nodes for KubeRay.
FROM python:${PYTHON}-slim AS base
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini wget \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 quire \
    && install --directory --owner quire --group quire /models
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 HF_HOME=/models/hub
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30m --retries=3 \
    CMD ["wget", "--quiet", "--tries=1", "--output-document=/dev/null", "http://127.0.0.1:8000/health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "quire", "serve", "--host", "0.0.0.0"]

# gcc: Triton compiles a launcher for each kernel. torch comes first: the large layer changes least.
FROM base AS cuda
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
RUN pip install "torch>=2.11,<2.14"
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install "$(echo /wheels/quire-*.whl)[kuberay]"
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 1000
WORKDIR /home/quire

FROM base AS cpu
RUN pip install --index-url https://download.pytorch.org/whl/cpu "torch>=2.11,<2.14"
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install /wheels/quire-*.whl
USER 1000
WORKDIR /home/quire
