"""Puts a plan together: the layout, its memory, its steps, what else would fit, and what a token costs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from quire.config import EngineConfig
from quire.engine.advice import layout_given
from quire.errors import BadOption
from quire.tools.plan.layouts import Case, Fit, chosen, layouts
from quire.tools.plan.memory import TokenBytes, account_of, token_bytes, weights_by_type
from quire.tools.plan.site import Site
from quire.tools.plan.steps import Runs, Step
from quire.tools.plan.subject import Subject

BATCHES = (1, 4, 16, 64, 256, 1024)


@dataclass(frozen=True, slots=True)
class Work:
    """What requests are like."""

    prompt: int = 1024
    answer: int = 256
    requests: int | None = None  # at once, in each engine; None: as many as fit
    price_per_hour: float | None = None  # of one device

    def within(self, longest: int) -> Work:
        """Shorter, if a request may have no more than so many tokens: a fifth of them is left for answers."""
        prompt = max(1, min(self.prompt, longest - min(self.answer, longest // 5)))
        return replace(self, prompt=prompt, answer=max(1, min(self.answer, longest - prompt)))


@dataclass(frozen=True, slots=True)
class Speed:
    """An engine that always has so many requests."""

    requests: int
    step: Step
    output_tokens_per_s: float  # of all engines, with prompts read in between

    @property
    def tokens_per_s_each(self) -> float:
        """As one request sees it while nobody reads a prompt."""
        return 1 / self.step.seconds


@dataclass(frozen=True, slots=True)
class Plan:
    subject: Subject
    site: Site
    work: Work
    fit: Fit
    refused: str  # why one device does not do, where nobody asked for several
    token: TokenBytes
    weights: dict[str, int]  # by type, of one device
    account: dict[str, int]
    requests: int  # of the work that fit, in each engine
    prefill: Step | None
    speeds: tuple[Speed, ...]
    others: tuple[tuple[Fit, float | None], ...]  # further layouts, and their output tokens/s
    asked: Work  # the work before it was shortened to what a request has room for

    @property
    def best(self) -> Speed | None:
        """With as many requests as fit."""
        return self.speeds[-1] if self.speeds else None

    def cost(self, tokens_per_s: float | None, devices: int) -> float | None:
        """Of a million output tokens, prompts included."""
        price = self.work.price_per_hour
        if price is None or not tokens_per_s:
            return None
        return price * devices / 3600 / tokens_per_s * 1e6


def plan(
    subject: Subject,
    config: EngineConfig,
    site: Site,
    work: Work | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Plan:
    """Raises what the engine would raise at its start: DoesNotFit with the numbers, BadOption."""
    work = asked_work = work or Work()
    case = case_of(subject, config, site, environ)
    fit, refused = chosen(case)
    resolved = fit.resolved
    work = work.within(resolved.capacity.max_len)
    requests = _requests(fit, work)
    speeds: tuple[Speed, ...] = ()
    if fit.runs is not None and subject.shape.language_head:
        sizes = sorted({*(b for b in BATCHES if b < requests), requests})
        speeds = tuple(_speed(fit, fit.runs, work, n) for n in sizes)
    return Plan(
        subject,
        site,
        work,
        fit,
        refused,
        token_bytes(subject.shape, resolved.config.cache.kv_cache_dtype),
        weights_by_type(resolved.config, subject.shape),
        account_of(resolved, subject),
        requests,
        None if fit.runs is None else fit.runs.prefill(work.prompt),
        speeds,
        tuple((other, _throughput(other, work)) for other in _others(case, fit)),
        asked_work,
    )


def case_of(
    subject: Subject, config: EngineConfig, site: Site, environ: Mapping[str, str] = os.environ
) -> Case:
    """What layouts are tried for. Raises BadOption where the one that is asked for has too few GPUs."""
    asked = layout_given(config).world
    if site.count is not None and site.machine.gpu is not None and asked > site.count:
        sizes = ["--tensor-parallel-size", "--pipeline-parallel-size", "--context-parallel-size"]
        sizes += ["--data-parallel-size"] * (config.parallel.data_parallel_size > 1)
        raise BadOption(
            f"the layout asks for {asked} GPUs and there are {site.count}; raise --num-gpus or lower "
            f"{', '.join(sizes[:-1])} or {sizes[-1]}"
        )
    return Case(subject, config, site, environ)


def _others(case: Case, fit: Fit) -> list[Fit]:
    """On as many devices as there are, or else as the chosen one has and on twice as many."""
    if case.site.machine.gpu is None:
        return []
    counts = [max(fit.devices, case.site.count)] if case.site.count else [fit.devices, 2 * fit.devices]
    return [other for count in counts for other in layouts(case, count)] if max(counts) > 1 else []


def _requests(fit: Fit, work: Work) -> int:
    """How many requests of the work the cache holds, and no more than run at once."""
    resolved = fit.resolved
    seqs, chunk = resolved.config.scheduler.max_num_seqs, resolved.config.scheduler.max_num_batched_tokens
    assert seqs is not None and chunk is not None
    length = min(resolved.capacity.max_len, work.prompt + work.answer)
    room = resolved.capacity.blocks // resolved.layout.most_blocks(length, chunk)
    return max(1, min(seqs, room, work.requests or seqs))


def _speed(fit: Fit, runs: Runs, work: Work, requests: int) -> Speed:
    step = runs.decode(requests, work.prompt + work.answer // 2)
    return Speed(requests, step, fit.layout.dp * runs.throughput(requests, work.prompt, work.answer))


def _throughput(fit: Fit, work: Work) -> float | None:
    if fit.runs is None:
        return None
    here = work.within(fit.resolved.capacity.max_len)
    return _speed(fit, fit.runs, here, _requests(fit, here)).output_tokens_per_s


def as_json(made: Plan) -> dict[str, Any]:
    """Everything that is shown, in bytes and seconds."""
    fit, resolved = made.fit, made.fit.resolved
    config, best = resolved.config, made.best
    return {
        "model": made.subject.name,
        "sizes": made.subject.source,
        "architecture": made.subject.shape.architecture,
        "runs_in_this_version": made.subject.runs,
        "parameters": made.subject.parameters,
        "device": made.site.name,
        "devices": fit.devices,
        "speeds": None
        if made.site.speeds is None
        else {
            "bandwidth_gb_s": made.site.speeds.bandwidth / 1e9,
            "tflops": {dtype: value / 1e12 for dtype, value in made.site.speeds.flops.items()},
            "source": made.site.speeds.source,
            "link": made.site.link.name,
        },
        "flags": fit.flags,
        "layout": _layout(fit),
        "one_device_refused": made.refused or None,
        "dtype": config.model.dtype,
        "kv_cache_dtype": config.cache.kv_cache_dtype,
        "weights_bytes": made.weights,
        "kv_bytes_per_token": made.token.bytes,
        "kv_bytes_per_token_if_every_head_kept_its_own": made.token.plain,
        "memory_bytes": made.account,
        "kv_blocks": resolved.capacity.blocks,
        "block_size": resolved.layout.block_tokens,
        "kv_tokens": resolved.capacity.tokens,
        "max_model_len": resolved.capacity.max_len,
        "max_concurrency": resolved.capacity.concurrency,
        "max_num_seqs": config.scheduler.max_num_seqs,
        "max_num_batched_tokens": config.scheduler.max_num_batched_tokens,
        "work": {"input_len": made.work.prompt, "output_len": made.work.answer, "requests": made.requests},
        "prefill": None if made.prefill is None else _step(made.prefill),
        "decode": [
            {
                "requests": speed.requests,
                **_step(speed.step),
                "tokens_per_s_each": speed.tokens_per_s_each,
                "output_tokens_per_s": speed.output_tokens_per_s,
                "price_per_million_output_tokens": made.cost(speed.output_tokens_per_s, fit.devices),
            }
            for speed in made.speeds
        ],
        "price_per_million_output_tokens": made.cost(best.output_tokens_per_s if best else None, fit.devices),
        "layouts": [
            {
                "flags": other.flags,
                "layout": _layout(other),
                "devices": other.devices,
                "kv_tokens": other.resolved.capacity.tokens * other.layout.dp,
                "max_model_len": other.resolved.capacity.max_len,
                "output_tokens_per_s": tokens,
                "price_per_million_output_tokens": made.cost(tokens, other.devices),
            }
            for other, tokens in made.others
        ],
        "choices": [str(choice) for choice in config.choices],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "ms": step.seconds * 1e3,
        "bound": step.kind,
        "by": step.bound,
        "parts_ms": {name: seconds * 1e3 for name, seconds in step.parts.items()},
    }


def _layout(fit: Fit) -> dict[str, Any]:
    lay = fit.layout
    return {"dp": lay.dp, "pp": lay.pp, "cp": lay.cp, "tp": lay.tp, "expert_parallel": lay.spread_experts}
