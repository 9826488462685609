"""Whether the device is as fast as its kind should be: a product and a copy, held against the datasheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quire.tools.doctor.findings import Area, Finding

if TYPE_CHECKING:
    from quire.tools.probes.timing import Timing

AREA = Area("speed")
SLOW = 0.6  # of the datasheet: healthy GPUs reach 0.75 to 0.95 in large products and copies
SECONDS = 0.5


def speed(device: str = "auto") -> Iterator[Finding]:
    from quire.tools.probes.device import datasheet, name_of, open_device
    from quire.tools.probes.gemm import products
    from quire.tools.probes.memory import moves

    place = open_device(device)
    known, on_gpu = datasheet(place), place.type == "cuda"
    side, dtype = (8192, "bfloat16") if on_gpu else (1024, "float32")
    product = next(iter(products(place, [(side, side, side)], [dtype], known, SECONDS)))
    size = 2**31 if on_gpu else 2**28
    copy = next(iter(moves(place, [size], known, SECONDS)))
    name = name_of(place)
    yield _told(
        "products",
        f"{product.flops / 1e12:,.4g} TFLOP/s {dtype}, {side} x {side} x {side}, {name}",
        product.share,
        product.timing,
        product.flops / 1e12,
    )
    yield _told(
        "copies",
        f"{copy.bytes_per_s / 1e9:,.4g} GB/s, {size >> 20:,} MiB, {name}",
        copy.share,
        copy.timing,
        copy.bytes_per_s / 1e9,
    )


def _told(check: str, said: str, share: float | None, timing: Timing, figure: float) -> Finding:
    spread = timing.spread
    facts = {"figure": figure, "of_datasheet": share, "spread": spread, "waited": timing.waited}
    if timing.disturbed:
        return AREA.note(
            check,
            f"{said}; threads waited for a core {timing.waited or 0:.0%} of the time",
            "too low: other programs had one in almost every round",
            "end other work and measure again",
            **facts,
        )
    if share is None:
        return AREA.ok(check, f"{said}; spread {spread:.0%}", "no datasheet to hold it against", **facts)
    said = f"{said}; {share:.0%} of the datasheet, spread {spread:.0%}"
    if share < SLOW:
        return AREA.warning(
            check,
            said,
            f"less than {SLOW:.0%}: something else runs on it, or it is limited",
            "look at its clocks, power limit and temperature; end other work and measure again",
            **facts,
        )
    return AREA.ok(check, said, "", **facts)
