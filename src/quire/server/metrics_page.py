"""What /metrics shows: under vLLM's names what dashboards for vLLM expect, under ours what they lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from quire.server.contract import Status
from quire.server.metrics import ENGINE_COUNTERS, STEP_SIZES, Metrics
from quire.server.numbers import Histogram, Reading

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def page_of(metrics: Metrics, status: Status, wait_s: float) -> bytes:
    """The page, milliseconds of work. `wait_s`: how long one more request would wait."""
    return generate_latest(Page(metrics, status, wait_s))


class Page:
    """What there is to show at one moment, in Prometheus' families. All have the same first labels."""

    def __init__(self, metrics: Metrics, status: Status, wait_s: float):
        self._m = metrics
        self._status, self._wait_s = status, wait_s

    def collect(self) -> Iterator[Metric]:
        reading = self._m.sheet.read()
        yield from self._of_engine(reading)
        yield from self._of_requests(reading)
        yield from self._of_server(reading)

    def _of_engine(self, reading: Reading) -> Iterator[Metric]:
        status = self._status
        values = self._m.engine.values(reading.sheets(self._m.engine))
        total = dict(zip(ENGINE_COUNTERS, values, strict=False))
        ready = status["state"] == "ready"
        yield self._gauge(
            "vllm:num_requests_running", "Requests in the batch.", status.get("running", 0) if ready else 0
        )
        yield self._gauge(
            "vllm:num_requests_waiting", "Requests in the queue.", status.get("waiting", 0) if ready else 0
        )
        yield self._gauge(
            "vllm:kv_cache_usage_perc",
            "Share of the KV blocks that are held; 1 is full.",
            status.get("kv_usage", 0.0) if ready else 0.0,
        )
        yield self._counter("vllm:num_preemptions", "Requests that had to wait again.", total["preemptions"])
        yield self._counter(
            "vllm:prefix_cache_queries",
            "Prompt tokens looked up.",
            total["prompt_tokens"],
        )
        yield self._counter(
            "vllm:prefix_cache_hits", "Of those, found in the prefix cache.", total["cached_tokens"]
        )
        yield self._steps(values[len(ENGINE_COUNTERS) :], total["computed_tokens"])
        yield self._cache_info()
        yield self._counter("quire:engine_steps", "Steps the engine has computed.", total["steps"])
        yield self._counter(
            "quire:computed_tokens", "Tokens computed, prompts and answers.", total["computed_tokens"]
        )
        yield self._counter(
            "quire:engine_restarts",
            "Engine processes replaced.",
            max(0, status["generation"] - 1),
        )
        yield from self._of_grammars(status.get("grammars", {}), total)
        yield self._gauge("quire:engine_ready", "1 when the engine takes requests.", float(ready))
        yield self._gauge(
            "quire:engine_stall_seconds",
            "Seconds since the engine's loop advanced though it has work.",
            status["stalled"],
        )

    def _of_grammars(self, now: dict[str, float], total: dict[str, float]) -> Iterator[Metric]:
        for name, help in (
            ("entries", "Compiled grammars that are kept."),
            ("bytes", "Bytes of memory they take."),
        ):
            yield self._gauge(f"quire:grammar_cache_{name}", help, now.get(name, 0))
        compiling = "Grammars being compiled, or waiting for it."
        yield self._gauge("quire:grammars_compiling", compiling, now.get("compiling", 0))
        for name, help in (
            ("grammar_hits", "Requests whose grammar was there, or on its way."),
            ("grammar_compiles", "Grammars compiled, with or without success."),
            ("grammar_refusals", "Grammars refused or given up."),
            ("grammar_seconds", "Seconds of compiling."),
        ):
            yield self._counter(f"quire:{name}", help, total[name])

    def _of_requests(self, reading: Reading) -> Iterator[Metric]:
        yield self._counter("vllm:prompt_tokens", "Prompt tokens read.", reading.sum(self._m.prompt_tokens))
        yield self._counter(
            "vllm:prompt_tokens_cached",
            "Of those, from the prefix cache.",
            reading.sum(self._m.cached_tokens),
        )
        yield self._counter(
            "vllm:generation_tokens", "Tokens generated.", reading.sum(self._m.generation_tokens)
        )
        success = CounterMetricFamily(
            "vllm:request_success", "Requests by how they ended.", labels=[*self._m.labels, "finished_reason"]
        )
        for word, part in self._m.finishes.items():
            success.add_metric([*self._m.labels.values(), word], reading.sum(part))
        yield success
        shown: list[tuple[str, str, Histogram]] = [
            ("vllm:time_to_first_token_seconds", "Seconds to the first token.", self._m.first_token_s),
            ("vllm:inter_token_latency_seconds", "Seconds between tokens.", self._m.token_s),
            ("vllm:time_per_output_token_seconds", "The same, by its older name.", self._m.token_s),
            (
                "vllm:request_time_per_output_token_seconds",
                "Mean seconds between a request's tokens.",
                self._m.request_token_s,
            ),
            ("vllm:e2e_request_latency_seconds", "Seconds of whole requests.", self._m.request_s),
            ("vllm:request_queue_time_seconds", "Seconds in the queue.", self._m.queue_s),
            (
                "vllm:request_prefill_time_seconds",
                "Seconds from the queue to the first token.",
                self._m.prefill_s,
            ),
            (
                "vllm:request_decode_time_seconds",
                "Seconds from the first token to the last.",
                self._m.decode_s,
            ),
            ("vllm:request_inference_time_seconds", "Seconds of both.", self._m.inference_s),
            ("vllm:request_prompt_tokens", "Tokens of prompts.", self._m.prompt_size),
            ("vllm:request_generation_tokens", "Tokens of answers.", self._m.answer_size),
            ("vllm:request_params_n", "Answers asked for.", self._m.answers),
            ("vllm:request_params_max_tokens", "max_tokens asked for.", self._m.max_tokens),
            (
                "quire:request_preempted_seconds",
                "Seconds preempted requests waited again.",
                self._m.preempted_s,
            ),
            (
                "quire:request_client_wait_seconds",
                "Seconds an answer waited for its reader.",
                self._m.client_s,
            ),
        ]
        for name, help, histogram in shown:
            yield self._histogram(name, help, histogram, reading)

    def _of_server(self, reading: Reading) -> Iterator[Metric]:
        labels = [*self._m.labels, "method", "route", "status"]
        http = CounterMetricFamily("quire:http_requests", "HTTP requests that have ended.", labels=labels)
        for name, count in sorted(reading.named(self._m.http).items()):
            words = (*name.split(" "), "", "")[:3]
            http.add_metric([*self._m.labels.values(), *words], count)
        yield http
        yield self._counter(
            "quire:requests_refused", "Requests the engine was not given.", reading.sum(self._m.refused)
        )
        yield self._gauge(
            "quire:http_requests_open", "HTTP requests under way.", reading.sum(self._m.http_open)
        )
        yield self._gauge(
            "quire:engine_requests_open", "Requests given to the engine.", reading.sum(self._m.streams_open)
        )
        yield self._gauge(
            "quire:batch_lines_open", "Lines of batches under way.", reading.sum(self._m.batch_lines)
        )
        yield self._histogram(
            "quire:event_loop_stall_seconds",
            "How late the front end's event loop was, looked at regularly.",
            self._m.stall_s,
            reading,
        )
        wait = "How long one more request would wait, as this front end predicts."
        yield self._gauge("quire:predicted_wait_seconds", wait, self._wait_s)

    # -- families ------------------------------------------------------------------------------------

    def _counter(self, name: str, help: str, value: float) -> Metric:
        family = CounterMetricFamily(name, help, labels=list(self._m.labels))
        family.add_metric(list(self._m.labels.values()), value)
        return family

    def _gauge(self, name: str, help: str, value: float) -> Metric:
        family = GaugeMetricFamily(name, help, labels=list(self._m.labels))
        family.add_metric(list(self._m.labels.values()), value)
        return family

    def _histogram(self, name: str, help: str, part: Histogram, reading: Reading) -> Metric:
        *counts, total = reading.sums(part)
        return self._buckets(name, help, part.bounds, counts, total)

    def _steps(self, sizes: list[float], tokens: float) -> Metric:
        """How many tokens steps had; `sizes` go up in powers of two."""
        bounds = [2**k for k in range(STEP_SIZES - 1)]
        return self._buckets("vllm:iteration_tokens_total", "Tokens of a step.", bounds, sizes, tokens)

    def _buckets(
        self, name: str, help: str, bounds: Sequence[float], counts: list[float], total: float
    ) -> Metric:
        family = HistogramMetricFamily(name, help, labels=list(self._m.labels))
        so_far, buckets = 0.0, []
        for bound, count in zip((*map(float, bounds), float("inf")), counts, strict=True):
            so_far += count
            buckets.append(("+Inf" if bound == float("inf") else str(bound), so_far))
        family.add_metric(list(self._m.labels.values()), buckets, total)
        return family

    def _cache_info(self) -> Metric:
        """The KV cache's settings as labels, as vLLM shows them."""
        cache = self._m.config().cache
        shown: dict[str, Any] = {
            "block_size": cache.block_size,
            "cache_dtype": cache.kv_cache_dtype,
            "enable_prefix_caching": cache.enable_prefix_caching,
            "gpu_memory_utilization": cache.gpu_memory_utilization,
            "kv_cache_memory_bytes": cache.kv_cache_memory_bytes,
            "num_gpu_blocks_override": cache.num_gpu_blocks_override,
        }
        family = GaugeMetricFamily(
            "vllm:cache_config_info", "Settings of the KV cache.", labels=[*self._m.labels, *shown]
        )
        family.add_metric([*self._m.labels.values(), *(str(v) for v in shown.values())], 1.0)
        return family
