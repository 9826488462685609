"""Building the kernels that a benchmark will launch, before it does, or where there is no GPU at all.

A benchmark's own code runs once on tensors without memory while `Noted` stands for its modules of kernels;
every launch is noted with its arguments. The launches are then built by several processes into Triton's
cache on disk, or for an H200 that is elsewhere, with a list of what each kernel uses.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

NAMES = {
    torch.bfloat16: "*bf16",
    torch.float16: "*fp16",
    torch.float32: "*fp32",
    torch.float8_e4m3fn: "*fp8e4nv",
    torch.int32: "*i32",
    torch.int64: "*i64",
}
OPTIONS = ("num_warps", "num_stages", "launch_pdl", "maxnreg")


class Launch(NamedTuple):
    kernel: Any
    grid: tuple[int, ...]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Noted:
    """Stands for a module of kernels."""

    def __init__(self, module: Any, launches: dict[Any, Launch]):
        self.module, self.launches = module, launches

    def __getattr__(self, name: str) -> _Kernel:
        return _Kernel(getattr(self.module, name), self.launches)


class _Kernel:
    def __init__(self, kernel: Any, launches: dict[Any, Launch]):
        self.kernel, self.launches = kernel, launches

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        def launch(*args: Any, **kwargs: Any) -> None:
            kinds = tuple(a.dtype if isinstance(a, Tensor) else type(a) for a in args)
            key = (self.kernel.__name__, kinds, *sorted(kwargs.items()))
            self.launches.setdefault(key, Launch(self.kernel, grid, args, kwargs))

        return launch


@contextmanager
def standing_in(changed: dict[Any, dict[str, Any]]) -> Iterator[None]:
    """Gives modules other members for a while."""
    kept = {module: {name: getattr(module, name) for name in names} for module, names in changed.items()}
    _set(changed)
    try:
        yield
    finally:
        _set(kept)


def _set(members: dict[Any, dict[str, Any]]) -> None:
    for module, names in members.items():
        for name, value in names.items():
            setattr(module, name, value)


def options_for(about: str | None) -> argparse.ArgumentParser:
    """With the options that `build` reads."""
    options = argparse.ArgumentParser(description=about.split("\n")[0] if about else None)
    options.add_argument("--dry", action="store_true")
    options.add_argument("--compile", action="store_true")
    options.add_argument("--share", default="0/1", help="with --compile, which part of the kernels")
    return options


def build(given: argparse.Namespace, launches: Callable[[], list[Launch]]) -> None:
    """Builds what will be launched, by several processes; must come before this one touches the GPU.

    With --compile for a GPU that is elsewhere; with --dry nothing, because all is interpreted.
    """
    if given.compile:
        number, of = map(int, given.share.split("/"))
        list_uses(launches()[number::of])
    elif not given.dry:
        start, of = time.perf_counter(), min(16, os.cpu_count() or 1)
        fork = multiprocessing.get_context("fork")
        children = [fork.Process(target=_build_share, args=(launches, i, of)) for i in range(of)]
        for process in children:
            process.start()
        for process in children:
            process.join()
        print(f"kernels built in {time.perf_counter() - start:.1f} s", flush=True)


def _build_share(launches: Callable[[], list[Launch]], number: int, of: int) -> None:
    torch.set_num_threads(1)
    warm(launches()[number::of])


def warm(launches: list[Launch]) -> None:
    """Builds into the cache of this machine's GPU."""
    for kernel, grid, args, kwargs in launches:
        try:
            kernel.warmup(*args, grid=grid, **kwargs)
        except Exception as e:
            print(
                f"does not build: {kernel.__name__} {kwargs}: {type(e).__name__}: {str(e)[:200]}", flush=True
            )


def list_uses(launches: list[Launch]) -> None:
    """Builds for sm_90 without a GPU and prints registers, spills and shared memory of each."""
    import triton
    from triton.backends.compiler import GPUTarget

    tools = Path(triton.__file__).parent / "backends/nvidia/bin"
    for kernel, grid, args, given in launches:
        options = {k: v for k, v in given.items() if k in OPTIONS}
        constants = {k: v for k, v in given.items() if k not in OPTIONS}
        signature, attributes = dict.fromkeys(kernel.arg_names, "constexpr"), {}
        for i, (name, value) in enumerate(zip(kernel.arg_names, args, strict=False)):
            if isinstance(value, Tensor):
                signature[name], attributes[(i,)] = NAMES[value.dtype], [["tt.divisibility", 16]]
            else:
                signature[name] = "i32" if isinstance(value, int) else "fp32"
        source = triton.compiler.ASTSource(kernel, signature, constants, attributes)
        try:
            built = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
        except Exception as e:
            print(f"FAILED {kernel.__name__} {constants}: {type(e).__name__}: {str(e)[-400:]}", flush=True)
            continue
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(built.asm["cubin"])
            file.flush()
            command = [tools / "cuobjdump", "-res-usage", file.name]
            text = subprocess.run(command, capture_output=True, text=True).stdout
        ptx, use = built.asm["ptx"], dict(re.findall(r"(REG|STACK|LOCAL):(\d+)", text))
        said = " ".join(f"{k}={v}" for k, v in constants.items() if v is not False)
        large = "TOO LARGE " if built.metadata.shared > 232_448 else ""
        print(
            f"{large}{kernel.__name__} {grid} {said} warps={options.get('num_warps')}: "
            f"registers {use.get('REG')}, "
            f"stack {use.get('STACK')}, shared {built.metadata.shared}, "
            f"wgmma {ptx.count('wgmma.mma_async')}, mma {ptx.count('mma.sync')}, "
            f"cp.async {ptx.count('cp.async.cg')}",
            flush=True,
        )
