"""Which device is measured, and what its maker says of it."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from quire.errors import BadOption
from quire.tools.hardware import TABLE, Hardware, of_device
from quire.tools.plan.site import cpu_name


def need_gpu() -> torch.device:
    """The first GPU, for what measures GPUs only."""
    if not torch.cuda.is_available():
        raise BadOption("this measures GPUs, and torch finds none here; quire doctor says why")
    return _gpu("cuda")


def open_device(asked: str, threads: int | None = None) -> torch.device:
    """`asked` is auto, cpu, cuda or cuda:1; threads are of a CPU."""
    if asked == "auto":
        asked = "cuda" if torch.cuda.is_available() else "cpu"
    if asked.startswith("cuda"):
        return _gpu(asked)
    if asked != "cpu":
        raise BadOption(f"--device is {asked!r} and must be auto, cpu, cuda or such as cuda:1")
    if threads is not None:
        torch.set_num_threads(threads)
    return torch.device("cpu")


def _gpu(asked: str) -> torch.device:
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    number = asked.partition(":")[2] or "0"
    if not number.isdigit() or int(number) >= count:
        raise BadOption(f"--device is {asked} and torch finds {count} CUDA GPUs here; quire doctor says why")
    device = torch.device("cuda", int(number))
    torch.cuda.set_device(device)
    return device


def name_of(device: torch.device) -> str:
    if device.type == "cuda":
        return str(torch.cuda.get_device_name(device))
    return f"{cpu_name() or 'CPU'}, {torch.get_num_threads()} threads"


def datasheet(device: torch.device, table: Mapping[str, Hardware] = TABLE) -> Hardware | None:
    return of_device(torch.cuda.get_device_name(device) if device.type == "cuda" else cpu_name(), table)
