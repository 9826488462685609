"""Products with weights that never change; a backend for each kind of device."""

from __future__ import annotations

from quire.ops.gemm.contract import Packed, Packer

__all__ = ["Packed", "Packer", "gpu_packers"]


def gpu_packers(quantization: str | None) -> tuple[Packer, Packer]:
    """How weights on a GPU are prepared, those of layers and the head's, which is never quantized."""
    from quire.ops.gemm.triton import Skinny

    if quantization == "fp8":
        from quire.ops.gemm.fp8 import Fp8

        return Fp8, Skinny
    return Skinny, Skinny
