"""A span for each request, sent to an OpenTelemetry collector; the extra quire[otel].

Attribute names are vLLM's. Spans are written when a request has ended and sent by a thread of the SDK: no
request waits for the collector. A caller's `traceparent` header makes them part of the caller's trace.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from quire.errors import BadOption
from quire.params import PoolingParams, SamplingParams
from quire.server.journal import Record

try:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.trace import SpanKind, Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError as e:
    raise BadOption(
        "--otlp-traces-endpoint needs OpenTelemetry, which is not installed: pip install 'quire[otel]'"
    ) from e


class Traces:
    def __init__(self, endpoint: str, model: str):
        parts = urlsplit(endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadOption(
                f"--otlp-traces-endpoint is {endpoint!r} and must be an http URL, "
                f"such as http://localhost:4318/v1/traces"
            )
        if parts.path in ("", "/"):
            endpoint = parts._replace(path="/v1/traces").geturl()
        self._model = model
        self._provider = TracerProvider(resource=Resource.create({"service.name": "quire"}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=5)))
        self._tracer = self._provider.get_tracer("quire.server")
        self._propagator = TraceContextTextMapPropagator()

    def ended(self, record: Record, params: SamplingParams | PoolingParams) -> None:
        begun = int(record.created * 1e9)
        span = self._tracer.start_span(
            "llm_request",
            context=self._propagator.extract(self._headers(record)),
            kind=SpanKind.SERVER,
            start_time=begun,
            attributes={k: v for k, v in self._attributes(record, params).items() if v is not None},
        )
        if record.state in ("failed", "refused"):
            span.set_status(Status(StatusCode.ERROR, record.state))
        span.end(begun + int((record.last - record.begun) * 1e9))

    def _headers(self, record: Record) -> dict[str, str]:
        if record.exchange is None:
            return {}
        wanted = (b"traceparent", b"tracestate")
        return {k.decode(): v.decode("latin-1") for k, v in record.exchange.scope["headers"] if k in wanted}

    def _attributes(self, record: Record, params: SamplingParams | PoolingParams) -> dict[str, Any]:
        m = record.metrics
        first = None if record.first is None else record.first - record.begun
        out: dict[str, Any] = {
            "gen_ai.response.model": self._model,
            "gen_ai.request.id": record.id,
            "gen_ai.usage.prompt_tokens": record.prompt,
            "gen_ai.usage.completion_tokens": record.tokens,
            "gen_ai.usage.cached_tokens": record.cached,
            "gen_ai.latency.time_in_queue": m.queued,
            "gen_ai.latency.time_to_first_token": first,
            "gen_ai.latency.e2e": record.last - record.begun,
            "gen_ai.latency.time_in_model_prefill": m.prefill,
            "gen_ai.latency.time_in_model_decode": m.decode,
            "quire.preemptions": m.preemptions,
            "quire.preempted_seconds": m.preempted,
            "quire.route": record.route,
            "quire.http_request_id": record.request_id,
        }
        if m.prefill is not None:
            out["gen_ai.latency.time_in_model_inference"] = m.prefill + (m.decode or 0.0)
        if record.finish:
            out["gen_ai.response.finish_reasons"] = [record.finish]
        if isinstance(params, SamplingParams):
            out |= {
                "gen_ai.request.n": params.n,
                "gen_ai.request.max_tokens": params.max_tokens,
                "gen_ai.request.temperature": params.temperature,
                "gen_ai.request.top_p": params.top_p,
            }
        return out

    def flush(self, seconds: float = 5.0) -> None:
        """Sends what has not been sent, as far as the time allows. The SDK does so when the process ends."""
        self._provider.force_flush(int(seconds * 1000))
