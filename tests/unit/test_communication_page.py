"""The numbers in docs/concepts/communication.md are what parallel/cost.py says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.examples import ROOT
from tests.unit.shown_models import DEEPSEEK_V3_LIKE, LLAMA_3_70B

from quire.parallel.cost import LINKS, Traffic, ranks_visited, step_traffic, total_bytes, total_seconds
from quire.parallel.layout import Layout

PAGE = ROOT / "docs" / "concepts" / "communication.md"
STEPS = (1, 64, 256, 8192)
HALF = 2  # bytes of a number in bfloat16


def size(count: float) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}" if count < 999.5 * scale else f"{count / scale:,.0f} {unit}"
    return f"{count:.0f} bytes"


def ms(traffic: list[Traffic], link: str, across: str | None = None) -> str:
    took = total_seconds(traffic, LINKS[link], LINKS[across] if across else None) * 1e3
    if took < 0.0995:
        return f"{took * 1e3:.3g} µs"
    return f"{took:.3g} ms" if took < 999.5 else f"{took:,.0f} ms"


def drawn(tokens: int) -> int:
    """A prompt of 8,192 tokens needs the logits of its last one only."""
    return 1 if tokens == 8192 else tokens


def links() -> Iterator[list[str]]:
    for link in LINKS.values():
        yield [link.name, f"{link.bytes_per_s / 1e9:g} GB/s", f"{link.latency_s * 1e6:g} µs"]


def tensor() -> Iterator[list[str]]:
    for tokens in STEPS:
        step = step_traffic(LLAMA_3_70B, Layout(tp=8), tokens, HALF, drawn=drawn(tokens))
        one = next(t for t in step if t.kind == "sum")
        head = next(t for t in step if t.kind == "gather")
        count = sum(t.times for t in step if t.kind == "sum")
        yield [f"{tokens:,}", size(one.payload), size(one.sent), f"{count}", size(head.sent),
               size(total_bytes(step)), ms(step, "nvlink4"), ms(step, "pcie5")]  # fmt: skip


def pipeline() -> Iterator[list[str]]:
    for tokens in STEPS:
        step = step_traffic(LLAMA_3_70B, Layout(pp=4), tokens, HALF, drawn=drawn(tokens))
        yield [f"{tokens:,}", size(step[0].sent), f"{step[0].times}", size(total_bytes(step)),
               ms(step, "nvlink4"), ms(step, "pcie5"), ms(step, "100g")]  # fmt: skip


def context() -> Iterator[list[str]]:
    for tokens in STEPS:
        step = step_traffic(LLAMA_3_70B, Layout(cp=4), tokens, HALF, drawn=drawn(tokens))
        layer = [t for t in step if t.times == LLAMA_3_70B.layers]
        gathered = sum(t.sent for t in layer if t.what.startswith("gather of queries"))
        merged = sum(t.sent for t in layer) - gathered
        yield [f"{tokens:,}", size(gathered) if gathered else "–", size(merged), size(total_bytes(step)),
               ms(step, "nvlink4"), ms(step, "pcie5")]  # fmt: skip


def experts() -> Iterator[list[str]]:
    for tokens in STEPS:
        step = step_traffic(DEEPSEEK_V3_LIKE, Layout(dp=32, spread_experts=True), tokens, HALF)
        sent = {t.what: t.sent for t in step}
        yield [f"{tokens:,}", size(sent["tokens to experts"]), size(sent["rows back"]),
               size(total_bytes(step)), ms(step, "nvlink4"), ms(step, "400g")]  # fmt: skip


def one_engine() -> Iterator[list[str]]:
    for tokens in STEPS:
        step = step_traffic(
            DEEPSEEK_V3_LIKE, Layout(tp=8, spread_experts=True), tokens, HALF, drawn=drawn(tokens)
        )
        count = sum(t.times for t in step if t.kind == "sum")
        yield [f"{tokens:,}", size(step[0].payload), size(step[0].sent), f"{count}",
               size(total_bytes(step)), ms(step, "nvlink4"), ms(step, "pcie5")]  # fmt: skip


def visits() -> Iterator[list[str]]:
    for ranks in (8, 16, 32, 64, 128):
        yield [f"{ranks}", f"{ranks_visited(256, 8, ranks):.2f}", f"{ranks_visited(256, 8, ranks, 32):.2f}"]


TABLES = {f.__name__: f for f in (links, tensor, pipeline, context, experts, one_engine, visits)}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_says_what_the_code_says(table: str):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [row for row in TABLES[table]() if f"| {' | '.join(row)} |" not in lines] == []
