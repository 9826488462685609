"""Whether Triton serves a tensor: on CUDA, and on CPUs only while its interpreter is asked for, in tests."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

interpret = False


def on_gpu(x: Tensor) -> bool:
    return x.is_cuda or interpret


def dependent(x: Tensor) -> dict[str, bool]:
    """Launch options of kernels with a PDL switch: on Hopper they start before the one before them ends."""
    return {"PDL": True, "launch_pdl": True} if x.is_cuda and _hopper(x.device) else {"PDL": False}


def overlaps(x: Tensor) -> bool:
    """Whether kernels with a PDL switch are launched so; interpreted ones count as if they were."""
    return not x.is_cuda or _hopper(x.device)


@lru_cache
def processors(device: torch.device) -> int:
    """Multiprocessors of a GPU; while kernels are interpreted, a few."""
    return torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 3


@lru_cache
def _hopper(device: torch.device) -> bool:
    return torch.cuda.get_device_capability(device)[0] >= 9
