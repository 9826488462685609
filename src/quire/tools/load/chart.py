"""Charts of characters, for a terminal without anything else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from quire.tools.load.measures import Floats

EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = " ▁▂▃▄▅▆▇█"
SHADES = "█▓▒░▚▞▙▟"
WIDEST = 100


def columns() -> int:
    return min(WIDEST, shutil.get_terminal_size((80, 24)).columns)


def bar(share: float, width: int) -> str:
    """`share` of `width` characters, to an eighth of one; what is not nothing shows."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    return EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def bars(rows: Sequence[tuple[str, float, str]], width: int | None = None) -> Iterator[str]:
    """A line for each label: a bar, and what is said of it."""
    if not rows:
        return
    left, right = max(len(label) for label, _, _ in rows), max(len(said) for _, _, said in rows)
    room = max(10, (width or columns()) - left - right - 4)
    top = max(value for _, value, _ in rows) or 1.0
    for label, value, said in rows:
        yield f"{label:>{left}}  {bar(value / top, room):<{room}}  {said}"


def histogram(values: Floats, unit: str = "ms", bins: int = 10, width: int | None = None) -> Iterator[str]:
    """How values are spread, in steps that grow by the same factor."""
    values = values[values > 0]
    if not len(values):
        return
    low, high = np.percentile(values, [0, 100])
    edges = np.geomspace(low, max(high, low * 1.05), bins + 1)
    edges[-1] = max(edges[-1], high)
    counts, _ = np.histogram(values, edges)
    rows = [
        (f"{figure(a)} – {figure(b)} {unit}", float(n), f"{n:,}")
        for a, b, n in zip(edges, edges[1:], counts, strict=False)
    ]
    yield from bars(rows, width)


def line(values: Sequence[float]) -> str:
    """A course over time, one character for each value."""
    top = max(values, default=0.0) or 1.0
    return "".join(HEIGHTS[min(8, max(0, round(8 * v / top)))] for v in values)


def stacks(
    rows: Mapping[str, Mapping[str, float]], unit: str = "s", width: int | None = None
) -> Iterator[str]:
    """A bar of parts for each row, and a line that says which shade is what."""
    parts = list(dict.fromkeys(part for row in rows.values() for part in row))
    shade = {part: SHADES[i % len(SHADES)] for i, part in enumerate(parts)}
    left = max(map(len, rows), default=0)
    top = max((sum(row.values()) for row in rows.values()), default=0.0) or 1.0
    room = max(10, (width or columns()) - left - 12)
    for name, row in rows.items():
        drawn, done = "", 0.0
        for part, value in row.items():
            done += value
            drawn += shade[part] * (round(done / top * room) - len(drawn))
        yield f"{name:>{left}}  {drawn:<{room}}  {sum(row.values()):.2f} {unit}"
    yield " " * (left + 2) + "  ".join(f"{shade[part]} {part}" for part in parts)


def figure(value: float) -> str:
    """Three digits that matter."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns under the first row; the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(row[1:], widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()
