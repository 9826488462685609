"""`quire bench gemm|memory|p2p|allreduce`: what the devices of this machine reach, without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quire.cli.bench_options import json_option
from quire.cli.options import HumanInt, Number

if TYPE_CHECKING:
    from quire.tools.probes.p2p import Copied
    from quire.tools.probes.timing import Timing

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
NOISY = 0.25
FEW = 3  # rows that a warning names
DTYPES = ("bfloat16", "float16", "float32", "fp8")


class Sizes(click.ParamType):  # type: ignore[type-arg]  # not generic in older clicks
    """The sides of a product: 4096, or 64x4096x14336 for M, N and K."""

    name = "N or MxNxK"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch(r"(\d+)(?:[x,](\d+)[x,](\d+))?", str(value))
        if found is None or not all(0 < int(n) <= 2**20 for n in found.groups() if n):
            self.fail(
                f"{value!r} is neither a number such as 4096 nor three such as 64x4096x14336", param, ctx
            )
        return tuple(int(found[i] or found[1]) for i in (1, 2, 3))


def _device(function: F) -> F:
    for decorate in (
        json_option,
        click.option("--seconds", type=Number(0.01, 60), default=0.5, show_default=True,
                     help="For each figure, warm-up not counted."),
        click.option("--threads", type=click.IntRange(1, 1024), help="Of a CPU. Default: as torch decides."),
        click.option("--device", default="auto", show_default=True, help="auto, cpu, cuda or cuda:1."),
    ):  # fmt: skip
        function = decorate(function)
    return function


@click.command()
@click.option("--size", "sizes", type=Sizes(), multiple=True, help="N, or MxNxK; several times for several.")
@click.option(
    "--dtype", "dtypes", type=click.Choice(DTYPES), multiple=True, help="Several times for several."
)
@_device
def gemm(
    sizes: Sequence[tuple[int, int, int]], dtypes: Sequence[str], device: str, threads: int | None,
    seconds: float, as_json: bool,
) -> None:  # fmt: skip
    """TFLOP/s of products of matrices: 2 M N K operations over their time.

    Warm-up first, then the median of many rounds and how far they lie apart; beside it, the share of what the
    maker's datasheet says, where it is known. Numbers are random: zeros would draw less power than a model.
    A GPU is also timed after a second's rest, ten products: that is what is usually quoted, before its power
    limit lowers the clocks.

    \b
      quire bench gemm
      quire bench gemm --size 8192 --dtype bfloat16 --dtype fp8
      quire bench gemm --size 1x4096x14336 --size 64x4096x14336
    """
    from quire.tools.probes.device import datasheet, name_of, open_device
    from quire.tools.probes.gemm import products, usual_sizes, usual_types

    place = open_device(device, threads)
    shapes, kinds = list(sizes) or usual_sizes(place), list(dtypes) or usual_types(place)
    found = list(
        _bar(products(place, shapes, kinds, datasheet(place), seconds), len(shapes) * len(kinds), "gemm")
    )
    rows = [
        {
            "m": one.m, "n": one.n, "k": one.k, "dtype": one.dtype, "tflops": one.flops / 1e12,
            "of_datasheet": one.share, "ms": one.timing.seconds * 1e3,
            "best_ms": one.timing.least_s * 1e3, **_rounds(one.timing),
            "rested_tflops": None if one.rested is None else one.rested / 1e12,
        }
        for one in found
    ]  # fmt: skip
    table = [
        [f"{one.m} x {one.n} x {one.k}", one.dtype, _figure(one.flops / 1e12), _share(one.share),
         "" if one.rested is None else _figure(one.rested / 1e12), f"{one.timing.seconds * 1e3:,.3f}",
         f"{one.timing.spread:.1%}", f"{one.timing.rounds:,}"]
        for one in found
    ]  # fmt: skip
    head = ["M x N x K", "type", "TFLOP/s", "of datasheet", "rested", "ms", "spread", "rounds"]
    _tell("gemm", name_of(place), rows, head, table, as_json)


@click.command()
@click.option("--size", "sizes", type=HumanInt(), multiple=True, help="Bytes, such as 256M; several times.")
@_device
def memory(sizes: Sequence[int], device: str, threads: int | None, seconds: float, as_json: bool) -> None:
    """GB/s of copies, reads and writes on the device, and between a GPU and its host.

    A copy counts as read and written. Before each round of a GPU its caches are flushed; sizes that a CPU's
    caches hold show the caches.

    \b
      quire bench memory
      quire bench memory --size 1G --device cuda:1
    """
    from quire.tools.probes.device import datasheet, name_of, open_device
    from quire.tools.probes.memory import HOST_WAYS, WAYS, host_moves, moves, usual_sizes

    place = open_device(device, threads)
    chosen = list(sizes) or usual_sizes(place)
    if min(chosen) < 1024:
        raise click.UsageError(f"--size is {min(chosen)} bytes and must be at least 1,024.")
    work = moves(place, chosen, datasheet(place), seconds)
    found = list(_bar(work, len(chosen) * len(WAYS), "memory"))
    if place.type == "cuda":
        size = min(max(chosen), 2**28)
        found += _bar(host_moves(place, size, seconds), len(HOST_WAYS), "host")
    rows = [
        {
            "way": one.way, "bytes": one.bytes, "gb_per_s": one.bytes_per_s / 1e9, "of_datasheet": one.share,
            "ms": one.timing.seconds * 1e3, "best_ms": one.timing.least_s * 1e3, **_rounds(one.timing),
        }
        for one in found
    ]  # fmt: skip
    table = [
        [one.way, _size(one.bytes), _figure(one.bytes_per_s / 1e9), _share(one.share),
         f"{one.timing.seconds * 1e3:,.3f}", f"{one.timing.spread:.1%}", f"{one.timing.rounds:,}"]
        for one in found
    ]  # fmt: skip
    head = ["way", "size", "GB/s", "of datasheet", "ms", "spread", "rounds"]
    _tell("memory", name_of(place), rows, head, table, as_json)


@click.command()
@click.option(
    "--size",
    "sizes",
    type=HumanInt(1),
    multiple=True,
    help="Bytes of a copy; several times for several.  [default: 64K, 1M, 16M and 256M]",
)
@click.option("--seconds", type=Number(0.01, 60), default=0.3, show_default=True,
              help="For each figure, warm-up not counted.")  # fmt: skip
@json_option
def p2p(sizes: Sequence[int], seconds: float, as_json: bool) -> None:
    """GB/s between every GPU and its host, and between every two GPUs, by the size of a copy.

    Memory of the host is pinned or pageable. GPUs copy directly where peers are on, and through the host
    where they are off. Both ways are also measured at once, and count both. Beside each figure stands its
    share of what the link carries: PCIe by its generation and width, NVLink by how many links join two GPUs.

    \b
      quire bench p2p
      quire bench p2p --size 4K --size 1G
    """
    from quire.tools.probes.device import name_of, need_gpu
    from quire.tools.probes.p2p import (
        HOST_FIGURES,
        SIZES,
        gpus,
        host_copies,
        pair_copies,
        pair_figures,
        uuids,
    )
    from quire.tools.probes.wires import find_wires

    first, places, chosen = need_gpu(), gpus(), list(sizes) or SIZES
    wires = find_wires(uuids())
    work = chain(
        *(host_copies(place, chosen, seconds, wires.host(i)) for i, place in enumerate(places)),
        pair_copies(places, chosen, seconds, wires.between),
    )
    total = len(chosen) * (len(places) * HOST_FIGURES + pair_figures(len(places)))
    found = list(_bar(work, total, "p2p"))
    _tell("p2p", f"{len(places)} x {name_of(first)}", *copied_rows(found), as_json)


def copied_rows(found: Sequence[Copied]) -> tuple[list[dict[str, Any]], list[str], list[list[str]]]:
    """As JSON; and as a table, its head first."""
    rows = [
        {
            "from": one.source, "to": one.target, "way": one.kind, "both": one.both, "bytes": one.bytes,
            "gb_per_s": one.bytes_per_s / 1e9, "link": one.wire and one.wire.name,
            "of_link": one.share, "us": one.timing.seconds * 1e6, **_rounds(one.timing),
        }
        for one in found
    ]  # fmt: skip
    table = [
        [one.between, one.kind, _size(one.bytes), _figure(one.bytes_per_s / 1e9),
         f"{one.share:.0%} of {one.wire.name}" if one.wire is not None else "",
         f"{one.timing.seconds * 1e6:,.1f}", f"{one.timing.spread:.1%}", f"{one.timing.rounds:,}"]
        for one in found
    ]  # fmt: skip
    return rows, ["between", "way", "size", "GB/s", "of the link", "us", "spread", "rounds"], table


@click.command()
@click.option("--ranks", type=click.IntRange(1, 1024), help="Processes. Default: GPUs, or 2 on a CPU.")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
              help="Where tensors are; auto: on GPUs if there are as many as ranks.")  # fmt: skip
@click.option("--backend", type=click.Choice(["auto", "nccl", "gloo"]), default="auto", show_default=True,
              help="auto: NCCL on GPUs, gloo on a CPU.")  # fmt: skip
@click.option("--min-bytes", type=HumanInt(4), help="Smallest tensor.  [default: 1 KiB]")
@click.option(
    "--max-bytes", type=HumanInt(4), help="Largest.  [default: 256 MiB with NCCL, 16 MiB with gloo]"
)
@click.option("--seconds", type=Number(0.01, 60), default=0.3, show_default=True,
              help="For each size.")  # fmt: skip
@click.option("--time-limit", type=Number(1), default=300.0, show_default=True,
              help="Seconds after which ranks that do not answer are ended.")  # fmt: skip
@json_option
def allreduce(
    ranks: int | None, device: str, backend: str, min_bytes: int | None, max_bytes: int | None,
    seconds: float, time_limit: float, as_json: bool,
) -> None:  # fmt: skip
    """Time of a sum over processes by its size: NCCL between GPUs, gloo between CPU processes.

    Algorithm bandwidth is bytes over time; bus bandwidth is what each link carried, 2 (n - 1) / n of it.
    Latency and bandwidth of a link that would give these figures are fitted at the end. With one GPU,
    --device cuda is NCCL with one rank: nothing is sent, and the time is what a call costs. --backend gloo
    lets several ranks share a GPU, through the host.

    \b
      quire bench allreduce
      quire bench allreduce --ranks 2 --device cpu --max-bytes 1M
      quire bench allreduce --ranks 2 --device cuda --backend gloo
    """
    from quire.engine.machine import this_machine
    from quire.tools.probes.allreduce import check_room, fitted, meeting, sums, usual_sizes

    who = meeting(ranks, device, backend)
    usual = usual_sizes(who.backend)
    low, high = min_bytes or usual[0], max_bytes or usual[-1]
    sizes = [low * 4**i for i in range(32) if low * 4**i <= high]
    if not sizes:
        raise click.UsageError(
            f"--min-bytes is {low:,} and --max-bytes {high:,}; the first is the larger one."
        )
    check_room(who, sizes[-1], this_machine(look_for_gpu=False).free_memory)
    found = list(_bar(sums(who, sizes, seconds, time_limit), len(sizes), "sizes"))
    rows = [
        {
            "bytes": one.bytes, "us": one.timing.seconds * 1e6,
            "algorithm_gb_per_s": one.algorithm_bytes_per_s / 1e9, "bus_gb_per_s": one.bus_bytes_per_s / 1e9,
            **_rounds(one.timing),
        }
        for one in found
    ]  # fmt: skip
    table = [
        [_size(one.bytes), f"{one.timing.seconds * 1e6:,.1f}", _figure(one.algorithm_bytes_per_s / 1e9),
         _figure(one.bus_bytes_per_s / 1e9), f"{one.timing.spread:.1%}", f"{one.timing.rounds:,}"]
        for one in found
    ]  # fmt: skip
    head = ["size", "us", "algorithm GB/s", "bus GB/s", "spread", "rounds"]
    link = fitted(found)
    more = (
        {} if link is None else {"latency_us": link.latency_s * 1e6, "link_gb_per_s": link.bytes_per_s / 1e9}
    )
    _tell("allreduce", str(who), rows, head, table, as_json, more)


def _rounds(timing: Timing) -> dict[str, Any]:
    """How far they can be relied on."""
    return {
        "spread": timing.spread, "rounds": timing.rounds, "left_out": timing.left_out,
        "waited": timing.waited, "disturbed": timing.disturbed,
    }  # fmt: skip


def _warnings(name: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    """What other programs have done to the figures."""
    from quire.tools.load.tables import PROBES

    called, _ = PROBES[name]
    if low := [row for row in rows if row["disturbed"]]:
        names = ", ".join(called(row) for row in low[:FEW]) + f" and {len(low) - FEW} more" * (len(low) > FEW)
        waited = max(row["waited"] for row in low)
        yield (
            f"too low: {names}: other programs had a core in almost every round, and threads of this one "
            f"waited for theirs {waited:.0%} of the time; end the others, or leave them a core with "
            f"--threads, and measure again"
        )
    if out := sum(row["left_out"] for row in rows):
        total = out + sum(row["rounds"] for row in rows)
        yield f"other programs had a core in {out:,} of {total:,} rounds, which are not counted"


def _bar(work: Iterable[T], total: int, what: str) -> Iterable[T]:
    from tqdm import tqdm

    found: Iterable[T] = tqdm(work, total=total, desc=what, unit="figure", disable=None, leave=False)
    return found


def _tell(
    name: str, measured: str, rows: list[dict[str, Any]], head: list[str], table: list[list[str]],
    as_json: bool, more: dict[str, float] | None = None,
) -> None:  # fmt: skip
    warnings = list(_warnings(name, rows))
    if as_json:
        told = {"benchmark": name, "measured": measured, "rows": rows, "warnings": warnings, **(more or {})}
        click.echo(json.dumps(told))
        return
    click.echo(measured)
    widths = [max(len(row[i]) for row in (head, *table)) for i in range(len(head))]
    for row in (head, *table):
        cells = [
            f"{cell:<{w}}" if i == 0 else f"{cell:>{w}}"
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  " + "  ".join(cells).rstrip())
    if max((row["spread"] for row in rows), default=0) > NOISY:
        click.echo(
            "  rounds lie far apart: something else runs here, so the figures are less than can be had"
        )
    for warning in warnings:
        click.echo(f"  {warning}")
    for key, value in (more or {}).items():
        click.echo(f"  {key.replace('_per_s', '/s').replace('_', ' ')}: {value:,.3g}")


def _figure(value: float) -> str:
    return f"{value:,.1f}" if value >= 100 else f"{value:,.3g}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _size(count: int) -> str:
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= scale:
            return f"{count / scale:g} {unit}" if count % scale == 0 else f"{count / scale:.1f} {unit}"
    return f"{count} bytes"
