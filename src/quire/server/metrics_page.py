"""What /metrics shows: under vLLM's names what dashboards for vLLM expect, under ours what they lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from quire import speculative
from quire.server.contract import Status, each_engine
from quire.server.metrics import ENGINE_COUNTERS, STEP_SIZES, Metrics
from quire.server.numbers import Histogram, Reading

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LABELS = ["model_name", "engine"]


def page_of(metrics: Metrics, status: Status, wait_s: float) -> bytes:
    """The page, milliseconds of work. `wait_s`: how long one more request would wait."""
    return generate_latest(Page(metrics, status, wait_s))


class Page:
    """What there is to show at one moment, in Prometheus' families. All have the same first labels.

    A family has a sample for each engine. What is not of one engine is engine 0's where there is one only.
    """

    def __init__(self, metrics: Metrics, status: Status, wait_s: float):
        self._m = metrics
        self._each, self._wait_s = each_engine(status), wait_s
        self._engines = [str(number) for number in range(len(metrics.engines))]
        self._server = "0" if len(metrics.engines) == 1 else "all"

    def collect(self) -> Iterator[Metric]:
        reading = self._m.sheet.read()
        yield from self._of_engines(reading)
        yield from self._of_requests(reading)
        yield from self._of_server(reading)

    def _of_engines(self, reading: Reading) -> Iterator[Metric]:
        values = [totals.values(reading.sheets(totals)) for totals in self._m.engines]
        totals = [dict(zip(ENGINE_COUNTERS, some, strict=False)) for some in values]
        ready = [one["state"] == "ready" for one in self._each]
        now: list[dict[str, Any]] = [{**one} if one["state"] == "ready" else {} for one in self._each]
        for name, help, key in (
            ("vllm:num_requests_running", "Requests in the batch.", "running"),
            ("vllm:num_requests_waiting", "Requests in the queue.", "waiting"),
            ("vllm:kv_cache_usage_perc", "Share of the KV blocks that are held; 1 is full.", "kv_usage"),
        ):
            family = self._gauge(name, help, [one.get(key, 0) for one in now])
            if key == "waiting" and len(self._engines) > 1:  # in front of all of them
                family.add_metric([self._m.model_name, self._server], reading.sum(self._m.held))
            yield family
        for name, help, key in (
            ("vllm:num_preemptions", "Requests that had to wait again.", "preemptions"),
            ("vllm:prefix_cache_queries", "Prompt tokens looked up.", "prompt_tokens"),
            ("vllm:prefix_cache_hits", "Of those, found in the prefix cache.", "cached_tokens"),
        ):
            yield self._counter(name, help, [total[key] for total in totals])
        sizes = [some[len(ENGINE_COUNTERS) :] for some in values]
        yield self._steps(sizes, [total["computed_tokens"] for total in totals])
        yield self._cache_info()
        for name, help, key in (
            ("quire:engine_steps", "Steps the engine has computed.", "steps"),
            ("quire:computed_tokens", "Tokens computed, prompts and answers.", "computed_tokens"),
        ):
            yield self._counter(name, help, [total[key] for total in totals])
        restarts = [max(0, one["generation"] - 1) for one in self._each]
        yield self._counter("quire:engine_restarts", "Engine processes replaced.", restarts)
        guessing = speculative.read(self._m.config().speculation.speculative_config)
        if guessing is not None:
            yield from self._of_drafts(totals, guessing.most)
        yield from self._of_grammars([one.get("grammars", {}) for one in self._each], totals)
        yield self._gauge("quire:engine_ready", "1 when the engine takes requests.", ready)
        yield self._gauge(
            "quire:engine_stall_seconds",
            "Seconds since the engine's loop advanced though it has work.",
            [one["stalled"] for one in self._each],
        )

    def _of_drafts(self, totals: list[dict[str, float]], most: int) -> Iterator[Metric]:
        for name, help, key in (
            ("vllm:spec_decode_num_drafts", "Times that drafts of a request were verified.", "drafts"),
            ("vllm:spec_decode_num_draft_tokens", "Tokens drafted.", "draft_tokens"),
            ("vllm:spec_decode_num_accepted_tokens", "Of those, accepted.", "accepted_tokens"),
            (
                "quire:spec_decode_steps",
                "Times that a request got tokens; accepted ones over this plus 1 are tokens a step.",
                "guess_steps",
            ),
        ):
            yield self._counter(name, help, [total[key] for total in totals])
        family = CounterMetricFamily(
            "vllm:spec_decode_num_accepted_tokens_per_pos",
            "Accepted tokens by their place in the draft.",
            labels=[*LABELS, "position"],
        )
        for engine, total in zip(self._engines, totals, strict=True):
            for place in range(most):
                family.add_metric([self._m.model_name, engine, str(place)], total[f"accepted_at_{place}"])
        yield family

    def _of_grammars(self, now: list[dict[str, float]], totals: list[dict[str, float]]) -> Iterator[Metric]:
        for name, help in (
            ("entries", "Compiled grammars that are kept."),
            ("bytes", "Bytes of memory they take."),
        ):
            yield self._gauge(f"quire:grammar_cache_{name}", help, [one.get(name, 0) for one in now])
        compiling = "Grammars being compiled, or waiting for it."
        yield self._gauge("quire:grammars_compiling", compiling, [one.get("compiling", 0) for one in now])
        for name, help in (
            ("grammar_hits", "Requests whose grammar was there, or on its way."),
            ("grammar_compiles", "Grammars compiled, with or without success."),
            ("grammar_refusals", "Grammars refused or given up."),
            ("grammar_seconds", "Seconds of compiling."),
        ):
            yield self._counter(f"quire:{name}", help, [total[name] for total in totals])

    def _of_requests(self, reading: Reading) -> Iterator[Metric]:
        requests = self._m.requests
        for name, help, part in (
            ("vllm:prompt_tokens", "Prompt tokens read.", "prompt_tokens"),
            ("vllm:prompt_tokens_cached", "Of those, from the prefix cache.", "cached_tokens"),
            ("vllm:generation_tokens", "Tokens generated.", "generation_tokens"),
        ):
            yield self._counter(name, help, [reading.sum(getattr(one, part)) for one in requests])
        success = CounterMetricFamily(
            "vllm:request_success", "Requests by how they ended.", labels=[*LABELS, "finished_reason"]
        )
        for engine, one in zip(self._engines, requests, strict=True):
            for word, count in one.finishes.items():
                success.add_metric([self._m.model_name, engine, word], reading.sum(count))
        yield success
        shown: list[tuple[str, str, str]] = [
            ("vllm:time_to_first_token_seconds", "Seconds to the first token.", "first_token_s"),
            ("vllm:inter_token_latency_seconds", "Seconds between tokens.", "token_s"),
            ("vllm:time_per_output_token_seconds", "The same, by its older name.", "token_s"),
            (
                "vllm:request_time_per_output_token_seconds",
                "Mean seconds between a request's tokens.",
                "request_token_s",
            ),
            ("vllm:e2e_request_latency_seconds", "Seconds of whole requests.", "request_s"),
            ("vllm:request_queue_time_seconds", "Seconds in the queue.", "queue_s"),
            (
                "vllm:request_prefill_time_seconds",
                "Seconds from the queue to the first token.",
                "prefill_s",
            ),
            (
                "vllm:request_decode_time_seconds",
                "Seconds from the first token to the last.",
                "decode_s",
            ),
            ("vllm:request_inference_time_seconds", "Seconds of both.", "inference_s"),
            ("vllm:request_prompt_tokens", "Tokens of prompts.", "prompt_size"),
            ("vllm:request_generation_tokens", "Tokens of answers.", "answer_size"),
            ("vllm:request_params_n", "Answers asked for.", "answers"),
            ("vllm:request_params_max_tokens", "max_tokens asked for.", "max_tokens"),
            (
                "quire:request_preempted_seconds",
                "Seconds preempted requests waited again.",
                "preempted_s",
            ),
            (
                "quire:request_client_wait_seconds",
                "Seconds an answer waited for its reader.",
                "client_s",
            ),
        ]
        for name, help, part in shown:
            yield self._histogram(name, help, [getattr(one, part) for one in requests], reading)

    def _of_server(self, reading: Reading) -> Iterator[Metric]:
        labels = [*LABELS, "method", "route", "status"]
        http = CounterMetricFamily("quire:http_requests", "HTTP requests that have ended.", labels=labels)
        for name, count in sorted(reading.named(self._m.http).items()):
            words = (*name.split(" "), "", "")[:3]
            http.add_metric([self._m.model_name, self._server, *words], count)
        yield http
        yield self._counter(
            "quire:requests_refused", "Requests the engine was not given.", [reading.sum(self._m.refused)]
        )
        yield self._gauge(
            "quire:http_requests_open", "HTTP requests under way.", [reading.sum(self._m.http_open)]
        )
        yield self._gauge(
            "quire:engine_requests_open", "Requests given to the engine.", [reading.sum(self._m.streams_open)]
        )
        yield self._gauge(
            "quire:batch_lines_open", "Lines of batches under way.", [reading.sum(self._m.batch_lines)]
        )
        yield self._histogram(
            "quire:event_loop_stall_seconds",
            "How late the front end's event loop was, looked at regularly.",
            [self._m.stall_s],
            reading,
        )
        wait = "How long one more request would wait, as this front end predicts."
        yield self._gauge("quire:predicted_wait_seconds", wait, [self._wait_s])

    # -- families ------------------------------------------------------------------------------------

    def _labels(self, values: Sequence[Any]) -> list[list[str]]:
        """The labels of a family with so many values: one of each engine, or one of the server."""
        engines = self._engines if len(values) == len(self._engines) else [self._server]
        return [[self._m.model_name, engine] for engine in engines]

    def _counter(self, name: str, help: str, values: Sequence[float]) -> Metric:
        family = CounterMetricFamily(name, help, labels=LABELS)
        for labels, value in zip(self._labels(values), values, strict=True):
            family.add_metric(labels, value)
        return family

    def _gauge(self, name: str, help: str, values: Sequence[float]) -> GaugeMetricFamily:
        family = GaugeMetricFamily(name, help, labels=LABELS)
        for labels, value in zip(self._labels(values), values, strict=True):
            family.add_metric(labels, float(value))
        return family

    def _histogram(self, name: str, help: str, parts: Sequence[Histogram], reading: Reading) -> Metric:
        sums = [reading.sums(part) for part in parts]
        counts, totals = [some[:-1] for some in sums], [some[-1] for some in sums]
        return self._buckets(name, help, parts[0].bounds, counts, totals)

    def _steps(self, sizes: list[list[float]], tokens: list[float]) -> Metric:
        """How many tokens steps had; `sizes` go up in powers of two."""
        bounds = [2**k for k in range(STEP_SIZES - 1)]
        return self._buckets("vllm:iteration_tokens_total", "Tokens of a step.", bounds, sizes, tokens)

    def _buckets(
        self, name: str, help: str, bounds: Sequence[float], counts: list[list[float]], totals: list[float]
    ) -> Metric:
        family = HistogramMetricFamily(name, help, labels=LABELS)
        for labels, some, total in zip(self._labels(totals), counts, totals, strict=True):
            so_far, buckets = 0.0, []
            for bound, count in zip((*map(float, bounds), float("inf")), some, strict=True):
                so_far += count
                buckets.append(("+Inf" if bound == float("inf") else str(bound), so_far))
            family.add_metric(labels, buckets, total)
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
            "vllm:cache_config_info", "Settings of the KV cache.", labels=[*LABELS, *shown]
        )
        for engine in self._engines:
            family.add_metric([self._m.model_name, engine, *(str(v) for v in shown.values())], 1.0)
        return family
