"""Spans arrive at a collector, with vLLM's names, in the caller's trace, and without text."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.serve.conftest import start

from quire.errors import BadOption
from quire.server.local import LocalEngine
from quire.server.options import server_config
from quire.server.state import Server
from quire.server.traces import Traces

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
MARKER = "xylophonemarker"


class Collector:
    """Takes spans over HTTP, as an OpenTelemetry collector does."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.raw: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                collector.paths.append(self.path)
                collector.raw.append(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args) -> None: ...

        self.web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.web.server_port}"
        threading.Thread(target=self.web.serve_forever, daemon=True).start()

    def spans(self) -> list:
        requests = [ExportTraceServiceRequest.FromString(r) for r in self.raw]
        return [s for r in requests for rs in r.resource_spans for ss in rs.scope_spans for s in ss.spans]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.web.shutdown()


def values(span) -> dict:
    found = {}
    for a in span.attributes:
        kind = a.value.WhichOneof("value")
        value = getattr(a.value, kind)
        found[a.key] = [v.string_value for v in value.values] if kind == "array_value" else value
    return found


def test_a_request_becomes_a_span_of_the_callers_trace(collector):
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=16 * 2**20)
    options = server_config({"otlp_traces_endpoint": collector.address})
    server = Server(engine, engine.config, options, ["quire-tiny"])
    url, web, thread = start(server)
    body = {"model": "quire-tiny", "prompt": MARKER, "max_tokens": 4, "temperature": 0.5, "ignore_eos": True}
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    reply = httpx.post(f"{url}/v1/completions", json=body, headers=headers, timeout=60).json()
    httpx.post(f"{url}/v1/completions", json=body, timeout=60)
    server.engine.observer.tracer.flush()
    web.should_exit = True
    thread.join(10)
    engine.shutdown()
    first, second = sorted(collector.spans(), key=lambda s: s.start_time_unix_nano)
    assert set(collector.paths) == {"/v1/traces"}
    assert first.name == "llm_request"
    assert (first.trace_id.hex(), first.parent_span_id.hex()) == (TRACE, PARENT)
    assert second.trace_id.hex() != TRACE and second.parent_span_id == b""
    found = values(first)
    assert (
        found["gen_ai.request.id"].startswith(reply["id"]) and found["gen_ai.response.model"] == "quire-tiny"
    )
    assert found["gen_ai.usage.completion_tokens"] == 4
    assert found["gen_ai.usage.prompt_tokens"] == reply["usage"]["prompt_tokens"]
    assert (found["gen_ai.request.temperature"], found["gen_ai.request.max_tokens"]) == (0.5, 4)
    assert found["gen_ai.response.finish_reasons"] == ["length"]
    latency = {k.rpartition(".")[2]: v for k, v in found.items() if k.startswith("gen_ai.latency.")}
    assert 0 < latency["time_to_first_token"] <= latency["e2e"]
    assert latency["time_in_queue"] + latency["time_in_model_inference"] <= latency["e2e"] + 1e-3
    assert first.end_time_unix_nano - first.start_time_unix_nano == pytest.approx(
        latency["e2e"] * 1e9, rel=0.01
    )
    assert all(MARKER.encode() not in raw for raw in collector.raw)


def test_a_collector_that_is_not_there_delays_no_request():
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=16 * 2**20)
    options = server_config({"otlp_traces_endpoint": "http://127.0.0.1:9"})
    server = Server(engine, engine.config, options, ["quire-tiny"])
    url, web, thread = start(server)
    body = {"model": "quire-tiny", "prompt": "x", "max_tokens": 2}
    replies = [httpx.post(f"{url}/v1/completions", json=body, timeout=10).status_code for _ in range(3)]
    web.should_exit = True
    thread.join(10)
    engine.shutdown()
    assert replies == [200] * 3


@pytest.mark.parametrize(
    "endpoint", ["localhost:4318", "grpc://localhost:4317", "http://", "file:///etc/passwd"]
)
def test_an_endpoint_that_is_no_web_address_is_refused(endpoint):
    with pytest.raises(BadOption, match="must be an http URL"):
        Traces(endpoint, "m")


def test_a_missing_extra_is_told_with_the_way_out():
    code = (
        "import sys; sys.modules['opentelemetry.sdk'] = None\n"
        "from quire.errors import BadOption\n"
        "import quire.server.observe\n"
        "try: import quire.server.traces\n"
        "except BadOption as e: print(e)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'quire[otel]'" in said


def test_nothing_of_opentelemetry_is_loaded_unless_asked():
    """The web framework imports the interface by itself; what sends spans is ours."""
    code = "import sys, quire.server.app; print([m for m in sys.modules if 'opentelemetry.sdk' in m])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
