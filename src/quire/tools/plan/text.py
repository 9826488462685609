"""A plan as people read it: the sums line by line, then tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quire.tools.hardware import GIB
from quire.tools.plan.plan import Plan
from quire.tools.plan.steps import Step

_SHOWN = 12  # layouts


def lines(made: Plan) -> Iterator[str]:
    yield from _head(made)
    yield from _weights(made)
    yield from _cache(made)
    yield from _memory(made)
    yield ""
    yield from made.fit.resolved.capacity.lines()
    yield from _work(made)
    yield from _layouts(made)


def _head(made: Plan) -> Iterator[str]:
    site, fit = made.site, made.fit
    count = f"{fit.devices} x " if fit.devices > 1 and site.machine.gpu is not None else ""
    yield f"{made.subject.name} on {count}{site.name}" + (f", {fit.flags}" if fit.devices > 1 else "")
    yield f"  sizes: {made.subject.source}"
    if made.refused:
        yield f"  one is too small: {made.refused}"
    if not made.subject.runs:
        yield f"  note: this version plans for {made.subject.shape.architecture} and does not run it"
    if site.speeds is not None:
        flops = ", ".join(f"{value / 1e12:,.4g} {dtype}" for dtype, value in site.speeds.flops.items())
        each = "each" if count else "it"
        yield (
            f"  within reach of {each}: {site.speeds.bandwidth / 1e9:,.4g} GB/s; TFLOP/s {flops} "
            f"({site.speeds.source})"
        )
    else:
        yield "  how fast it is nobody knows: give --bandwidth and --tflops for predicted times"


def _weights(made: Plan) -> Iterator[str]:
    config = made.fit.resolved.config
    used = made.subject.shape.used_count()
    active = ""
    if made.subject.shape.experts is not None:
        active = f", {used / 1e9:,.2f} billion of them for each token"
    yield ""
    yield f"weights: {made.subject.parameters / 1e9:,.3f} billion numbers{active}"
    share = " on each device" if made.fit.layout.world > made.fit.layout.dp else ""
    kept = "fp8" if config.model.quantization == "fp8" else config.model.dtype
    each = ", ".join(f"{dtype} {_gib(size)}" for dtype, size in made.weights.items())
    yield f"  GiB{share}: {each}; planned: {kept}"


def _cache(made: Plan) -> Iterator[str]:
    token, config = made.token, made.fit.resolved.config
    yield f"KV cache of a token, {config.cache.kv_cache_dtype}:"
    yield f"  {token.formula} = {_mib(token.bytes)}"
    if token.plain != token.bytes:
        yield f"  {_mib(token.plain)} if each of {made.subject.shape.heads} heads kept its own K and V"
    windows = [window for window in made.subject.shape.windows if window is not None]
    if windows:
        layers = f"{len(windows)} of {made.subject.shape.layers} layers"
        yield f"  {layers} keep the last {max(windows):,} tokens only"


def _memory(made: Plan) -> Iterator[str]:
    resolved, gpu = made.fit.resolved, made.site.machine.gpu
    yield ""
    if gpu is not None:
        share = resolved.config.cache.gpu_memory_utilization
        memory = resolved.gpu_memory
        total = gpu.memory if memory is None else memory.total
        yield f"GiB of one device, {_gib(total)} in all, {share:g} of it for Quire:"
    else:
        yield f"GiB of memory, {_gib(made.site.machine.free_memory)} free:"
    for name, size in made.account.items():
        yield f"  {_gib(size):>9}  {name}{_why(made, name)}"


def _why(made: Plan, name: str) -> str:
    resolved = made.fit.resolved
    config = resolved.config
    if name == "KV cache":
        return (
            f": {resolved.capacity.blocks:,} blocks of {resolved.layout.block_tokens} tokens, "
            f"{resolved.layout.block_bytes:,} bytes each"
        )
    if name.startswith("activations"):
        return f", {config.scheduler.max_num_batched_tokens:,} tokens"
    if name.startswith("logits"):
        return f" of {config.scheduler.max_num_seqs:,} requests"
    return ""


def _work(made: Plan) -> Iterator[str]:
    work, speeds = made.work, made.speeds
    yield ""
    engines = f" in each of {made.fit.layout.dp} engines" if made.fit.layout.dp > 1 else ""
    yield (
        f"Requests of {work.prompt:,} tokens in and {work.answer:,} out: {made.requests:,} at once{engines}"
    )
    if (made.asked.prompt, made.asked.answer) != (work.prompt, work.answer):
        whole = f"{made.asked.prompt:,} in and {made.asked.answer:,} out"
        yield f"  shortened from {whole}: a request has room for {made.fit.resolved.capacity.max_len:,}"
    if made.requests < (made.asked.requests or 0):
        seqs = made.fit.resolved.config.scheduler.max_num_seqs
        limit = "--max-num-seqs allows no more" if made.requests == seqs else "the KV cache holds no more"
        yield f"  not the {made.asked.requests:,} asked for: {limit}; the others wait"
    length = work.prompt + work.answer
    own, plain = made.token.of(length, made.requests), made.token.plain_of(length, made.requests)
    kept = f"  {made.requests:,} x {length:,} tokens keep {_gib(own)} GiB"
    yield kept + (f"; {_gib(plain)} if each head kept its own K and V" if plain != own else "")
    if made.prefill is not None:
        yield f"  reading one prompt: {made.prefill.seconds * 1e3:,.1f} ms, bound by {_bound(made.prefill)}"
    if not speeds:
        return
    head = ["requests", "ms/step", "tokens/s each", "tokens/s in all", "bound by"]
    rows = [
        [
            f"{speed.requests:,}",
            f"{speed.step.seconds * 1e3:,.2f}",
            f"{speed.tokens_per_s_each:,.1f}",
            f"{speed.output_tokens_per_s:,.0f}",
            _bound(speed.step),
        ]
        for speed in speeds
    ]
    if work.price_per_hour is not None:
        head.insert(4, "price/M")
        for row, speed in zip(rows, speeds, strict=True):
            row.insert(4, _price(made.cost(speed.output_tokens_per_s, made.fit.devices)))
    yield from _table(head, rows)
    yield "  (tokens/s in all are output tokens, with the time in which prompts are read)"


def _layouts(made: Plan) -> Iterator[str]:
    if not made.others:
        return
    yield ""
    yield "Layouts that fit, fastest first:"
    head = ["flags", "devices", "KV tokens", "longest", "tokens/s in all"]
    priced = made.work.price_per_hour is not None
    rows = []
    for fit, tokens in sorted(made.others, key=lambda pair: -(pair[1] or 0))[:_SHOWN]:
        row = [
            fit.flags,
            f"{fit.devices:,}",
            f"{fit.resolved.capacity.tokens * fit.layout.dp:,}",
            f"{fit.resolved.capacity.max_len:,}",
            "" if tokens is None else f"{tokens:,.0f}",
        ]
        rows.append([*row, _price(made.cost(tokens, fit.devices))] if priced else row)
    yield from _table([*head, "price/M"] if priced else head, rows, left=1)
    if len(made.others) > _SHOWN:
        yield f"  and {len(made.others) - _SHOWN} slower ones; --json has them all"


def _bound(step: Step) -> str:
    return step.kind if step.kind == step.bound else f"{step.kind} ({step.bound})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 0) -> Iterator[str]:
    """The first `left` columns and the last one are texts, if it is one; others are numbers."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    text = {*range(left), *({len(head) - 1} if head[-1] == "bound by" else ())}
    for row in (head, *rows):
        cells = [
            f"{cell:<{width}}" if i in text else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield ("  " + "  ".join(cells)).rstrip()


def _price(value: float | None) -> str:
    return "" if value is None else f"{value:,.3f}"


def _gib(size: int) -> str:
    return f"{size / GIB:,.2f}"


def _mib(size: int) -> str:
    return f"{size:,} bytes ({size / 2**20:.4g} MiB)"
