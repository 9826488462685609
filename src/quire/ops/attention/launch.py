"""What the launches of attention's kernels have in common: the workspace, and arguments that most take.

Parts of split sequences go through one `Workspace` per device, which is never moved, so that graphs may keep
its address; all launches on a device must be ordered on one stream.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import torch
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.tilings import Tiling, padded, pow2
from quire.ops.backend import dependent

log = logging.getLogger("quire")
PARTS = 8 << 20  # float32 numbers in a workspace for the parts of split sequences, and again for prefixes
LINES = 1 << 18  # their log-sum-exps
COUNTERS = LINES  # never more pairs of sequence and KV head than lines


@dataclass(slots=True)
class Workspace:
    """What programs of one launch hand each other. Counters are zero between launches."""

    parts: Tensor  # float32 [PARTS]
    sums: Tensor  # float32 [LINES]
    shared_parts: Tensor
    shared_sums: Tensor
    counters: Tensor  # int32 [COUNTERS]
    sms: int


_workspaces: dict[torch.device, Workspace] = {}


def workspace(device: torch.device) -> Workspace:
    """The device's workspace; call once before the first capture of a graph."""
    found = _workspaces.get(device)
    if found is not None:
        return found
    sms = 4
    if device.type == "cuda":
        if torch.cuda.is_current_stream_capturing():
            raise RuntimeError(
                "attention's workspace must exist before a graph is captured: run a step first"
            )
        sms = torch.cuda.get_device_properties(device).multi_processor_count

    def floats(n: int) -> Tensor:
        return torch.empty(n, dtype=torch.float32, device=device)

    counters = torch.zeros(COUNTERS, dtype=torch.int32, device=device)
    made = Workspace(floats(PARTS), floats(LINES), floats(PARTS), floats(LINES), counters, sms)
    _workspaces[device] = made
    return made


def has_room(lines: int, dim: int) -> bool:
    """Whether the workspace holds so many lines of `dim` elements."""
    return lines * dim <= PARTS and lines <= LINES


def fitting(splits: int, lines: int, dim: int) -> int:
    """As many splits, a power of two, as the workspace has room for, with so many lines in each."""
    while splits > 1 and not has_room(splits * lines, dim):
        splits //= 2
    return splits


def rows_at_once(rows: int, splits: int, dim: int) -> int:
    """Rows whose parts are added up together, so that their loads fly together and stay in registers."""
    return max(1, min(pow2(rows), 8192 // (splits * dim)))


# -- arguments -------------------------------------------------------------------------------------------


def cached(kv: KVLayer) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Keys, values and their scales; without scales, something to point to."""
    if kv.key_scales is None or kv.value_scales is None:
        return kv.keys, kv.values, kv.keys, kv.values
    return kv.keys, kv.values, kv.key_scales, kv.value_scales


def placed(batch: PagedBatch) -> tuple[Tensor, Tensor]:
    """Block tables, and each sequence's line of them; without ROWED, something to point to."""
    return batch.block_tables, batch.seq_lens if batch.rows is None else batch.rows


def scored(heads: Heads) -> tuple[float, float, int]:
    """Scale, soft cap and window; of what CAPPED and WINDOW say is not there, any number."""
    return heads.scale, heads.soft_cap or 1.0, heads.window or 0


def attending(x: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch, tiling: Tiling) -> dict[str, Any]:
    """What all of Triton's kernels that read the cache are built for; x is what they get as queries."""
    return {
        **strides(kv, x.is_cuda and x.element_size() == 2),
        "GROUP": heads.group,
        "BLOCK": batch.block_size,
        "DIM": heads.dim,
        "D": padded(heads.dim),
        "N": tiling.keys,
        "STAGES": tiling.stages,
        "CAPPED": heads.soft_cap is not None,
        "ROWED": batch.rows is not None,
        "num_warps": tiling.warps,
        **dependent(x),
    }


def strides(kv: KVLayer, assembled: bool) -> dict[str, int]:
    """What a kernel is built for of a cache: its strides, and whether and how it is converted."""
    return {**places(kv), "FP8": 0 if kv.key_scales is None else 1 if assembled else 2}


def places(kv: KVLayer) -> dict[str, int]:
    """Elements from one block, token and head to the next. They stay, so kernels are built for them."""
    k, v = kv.keys.stride(), kv.values.stride()
    s = (0, 0, 0) if kv.key_scales is None else kv.key_scales.stride()
    assert k[3] == 1 and v[3] == 1, "a head's elements must be neighbours"
    assert kv.value_scales is None or kv.value_scales.stride() == s
    return {
        "K_BLOCK": k[0], "K_SLOT": k[1], "K_HEAD": k[2],
        "V_BLOCK": v[0], "V_SLOT": v[1], "V_HEAD": v[2],
        "S_BLOCK": s[0], "S_SLOT": s[1], "S_HEAD": s[2],
    }  # fmt: skip


@cache
def runs_gluon(kernels: str, device: torch.device) -> bool:
    """Whether the GPU is a Hopper and this Triton knows the Gluon that the module `kernels` is written in."""
    if torch.cuda.get_device_capability(device)[0] != 9:
        return False
    try:
        import_module(f"quire.ops.attention.{kernels}")
    except (ImportError, AttributeError, TypeError) as e:  # the last two: its layouts are made otherwise
        slower(kernels, e)
        return False
    return True


def builds(kernels: str, launch: Callable[[], None]) -> bool:
    """Launches a kernel of Gluon's; False if this Triton cannot build it, and nothing was launched."""
    from triton.errors import TritonError

    try:
        launch()
    except TritonError as e:
        slower(kernels, e)
        return False
    return True


def slower(kernels: str, why: Exception | str) -> None:
    """Says that the kernels of a module are done without."""
    from triton import __version__

    first = next(iter(str(why).strip().splitlines()), "") or type(why).__name__
    log.warning(
        "Triton %s cannot build %s (%s): a slower kernel does its work; Triton 3.6 can",
        __version__,
        kernels,
        first[:200],
    )
