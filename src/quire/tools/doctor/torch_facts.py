"""What torch knows of this machine, as JSON on standard output: run as a process of its own by the doctor.

So a torch that does not load, a driver that hangs and a GPU that crashes end this process, not the doctor.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def facts() -> dict[str, Any]:
    import torch
    import torch.distributed as dist

    out: dict[str, Any] = {
        "version": torch.__version__,
        "cuda": torch.version.cuda,
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
        "mkldnn": torch.backends.mkldnn.is_available(),
        "gloo": dist.is_available() and dist.is_gloo_available(),
        "nccl": _nccl(torch, dist),
        "cudnn": torch.backends.cudnn.version() if torch.version.cuda else None,
        "available": torch.cuda.is_available(),
        "gpus": [],
    }
    if out["available"]:
        out |= _gpus(torch)
    return out


def _nccl(torch: Any, dist: Any) -> str | None:
    if not torch.version.cuda or not dist.is_available() or not dist.is_nccl_available():
        return None
    version = torch.cuda.nccl.version()
    return ".".join(map(str, version)) if isinstance(version, tuple) else str(version)


def _gpus(torch: Any) -> dict[str, Any]:
    count = torch.cuda.device_count()
    found = []
    for i in range(count):
        about = torch.cuda.get_device_properties(i)
        free, total = torch.cuda.mem_get_info(i)
        found.append(
            {
                "name": about.name,
                "memory": total,
                "free": free,
                "capability": [about.major, about.minor],
                "processors": about.multi_processor_count,
                "l2_bytes": getattr(about, "L2_cache_size", None),
                "computes": _computes(torch, i),
            }
        )
    peers = [[i == j or torch.cuda.can_device_access_peer(i, j) for j in range(count)] for i in range(count)]
    return {"gpus": found, "peers": peers, "arch_list": torch.cuda.get_arch_list(), "kernel": _kernel(torch)}


def _computes(torch: Any, device: int) -> str:
    """Empty if a product on the GPU is right."""
    try:
        a = torch.full((256, 256), 2.0, device=f"cuda:{device}", dtype=torch.float16)
        right = bool((a @ a == 1024.0).all())
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return "" if right else "a product of two matrices is wrong"


def _kernel(torch: Any) -> str:
    """Empty if a Triton kernel compiles and is right; compiling needs a C compiler and Python's headers."""
    try:
        from quire.tools.doctor.kernel import doubled
    except ImportError as error:
        return str(error)
    try:
        x = torch.arange(1000, device="cuda", dtype=torch.float32)
        right = bool((doubled(x) == 2 * x).all())
    except Exception as error:  # compilers fail in many ways, and each is worth telling
        return f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error).strip() else ''}"
    return "" if right else "a kernel's result is wrong"


if __name__ == "__main__":
    json.dump(facts(), sys.stdout)
