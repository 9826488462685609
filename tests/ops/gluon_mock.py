"""Runs a warp-specialised Gluon kernel on the CPU: numpy for tensors, a thread for each partition of warps.

Barriers count arrivals and bytes and flip phases as the hardware's do, copies land late, and asynchronous
products read shared memory only when they are waited for. A ring slot that is given back too early shows as
a wrong result, a wrong phase as a deadlock, which is an error after a few seconds. Layouts mean nothing here,
and the threads of one partition are one: what lies between them is left to the GPU.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

PATIENCE = 20.0  # seconds that a wait may take


class Tensor(np.ndarray):
    def to(self, kind: Any, bitcast: bool = False) -> Tensor:
        return self.view(kind) if bitcast else self.astype(kind)

    @property
    def type(self) -> Any:
        return types.SimpleNamespace(layout=None)


class Scalar(int):
    def to(self, _kind: Any) -> Scalar:
        return self


def tensor(x: Any) -> Tensor:
    return np.asarray(x).view(Tensor)


class Pointer:
    def __init__(self, data: np.ndarray, at: Any = 0) -> None:
        self.data, self.at = data, at
        self.dtype = types.SimpleNamespace(element_ty=data.dtype.type)

    def __add__(self, by: Any) -> Pointer:
        return Pointer(self.data, self.at + by)


class Shared:
    """A view of shared memory; `halves` marks one that is read as [N, 2, 64]."""

    def __init__(self, data: np.ndarray, halves: bool = False) -> None:
        self.data, self.halves, self.dtype = data, halves, data.dtype.type

    def index(self, i: int) -> Shared:
        assert 0 <= i < len(self.data)
        return Shared(self.data[i], self.halves)

    def slice(self, start: int, length: int, _dim: int) -> Shared:
        return Shared(self.data[start : start + length])

    def _reinterpret(self, _kind: Any, shape: list[int], _layout: Any) -> Shared:
        stages, n, width = shape
        if width == 64:
            return Shared(self.data.reshape(shape))
        return Shared(self.data.reshape(stages, 2, n, 64).transpose(0, 2, 1, 3), True)

    def permute(self, _order: Any) -> Turned:
        return Turned(self)

    def load(self, _layout: Any = None) -> Tensor:
        x = self.data.reshape(len(self.data), 128) if self.halves else self.data
        return tensor(x.copy())

    def store(self, x: np.ndarray) -> None:
        self.data[...] = x


class Turned:
    def __init__(self, of: Shared) -> None:
        self.of = of

    def load(self) -> Tensor:
        return self.of.load().T


class Barrier:
    def __init__(self) -> None:
        self.change = threading.Condition()
        self.count = self.left = self.bytes = self.phase = 0

    def update(self, arrivals: int, size: int) -> None:
        with self.change:
            self.left -= arrivals
            self.bytes += size
            assert self.left >= 0
            if self.left == 0 and self.bytes == 0:
                self.left, self.phase = self.count, self.phase + 1
                self.change.notify_all()

    def wait(self, phase: int) -> None:
        with self.change:
            if not self.change.wait_for(lambda: self.phase & 1 != phase, PATIENCE):
                raise TimeoutError("waited for a barrier that nobody flips")


class Barriers:
    def __init__(self, n: int) -> None:
        self.all = [Barrier() for _ in range(n)]

    def index(self, i: int) -> Barrier:
        assert 0 <= i < len(self.all)
        return self.all[i]


class Product:
    def __init__(self, a: Any, b: Any, acc: Any, use_acc: bool) -> None:
        self.a, self.b, self.acc, self.use_acc = a, b, acc, use_acc

    def done(self) -> Tensor:
        a = self.a.load() if isinstance(self.a, Shared) else self.a
        made = a.astype(np.float32) @ self.b.load().astype(np.float32)
        return tensor(self.acc + made if self.use_acc else made)


class Machine:
    """Runs one program after the other."""

    def __init__(self, grid: int) -> None:
        self.grid, self.program = grid, 0
        self.chance = random.Random(0)
        self.named: dict[str, threading.Semaphore] = {}

    def meet(self, act: str, name: str) -> None:
        """A hardware barrier of two partitions: one waits for the other, which does not."""
        if act == "bar.arrive":
            self.named[name].release()
        elif not self.named[name].acquire(timeout=PATIENCE):
            raise TimeoutError("waited for a group that does not come")

    def copy(self, source: np.ndarray, where: list[int], barrier: Barrier, part: Shared) -> None:
        row, column = where

        def land() -> None:
            time.sleep(self.chance.random() * 1e-4)
            part.data[...] = source[row : row + len(part.data), column : column + 64]
            barrier.update(0, -part.data.nbytes)

        threading.Thread(target=land).start()

    def specialise(self, parts: list[Any], warps: list[int], registers: list[int]) -> None:
        assert len(parts) - 1 == len(warps) == len(registers)
        errors: list[BaseException] = []

        def run(function: Any, arguments: Any) -> None:
            try:
                function(*arguments)
            except BaseException as e:
                errors.append(e)

        self.named = {str(i): threading.Semaphore(0) for i in range(16)}
        threads = [threading.Thread(target=run, args=part) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]


def load_kernels(path: Path, machine: Machine) -> Any:
    """The module at `path`, with Gluon replaced."""
    names = {
        "triton": types.ModuleType("triton"),
        "triton.experimental": types.ModuleType("triton.experimental"),
        "triton.experimental.gluon": _gluon(),
        "triton.experimental.gluon.language": _language(machine),
    }
    names["triton.experimental"].gluon = names["triton.experimental.gluon"]
    names["triton.experimental.gluon"].language = names["triton.experimental.gluon.language"]
    for tail in ("nvidia", "nvidia.hopper"):
        full = f"triton.experimental.gluon.language.{tail}"
        names[full] = types.ModuleType(full)
    names["triton.experimental.gluon.language.nvidia.hopper"].__dict__.update(_hopper(machine))
    spec = importlib.util.spec_from_file_location("mocked_kernels", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    with patch.dict(sys.modules, names):
        spec.loader.exec_module(module)
    return module


def _gluon() -> types.ModuleType:
    module = types.ModuleType("triton.experimental.gluon")
    module.jit = lambda f=None, **_: f if f else (lambda g: g)
    return module


def _language(machine: Machine) -> types.ModuleType:
    gl = types.ModuleType("triton.experimental.gluon.language")

    def load(at: Pointer) -> Scalar:
        return Scalar(at.data.flat[at.at])

    def store(at: Pointer, x: np.ndarray, mask: np.ndarray) -> None:
        mask = np.broadcast_to(mask, at.at.shape)
        at.data.flat[at.at[mask]] = x[mask]

    def allocate(kind: Any, shape: list[int], _layout: Any) -> Any:
        return Barriers(shape[0]) if kind is np.int64 else Shared(np.full(shape, np.nan, kind))

    def assemble(code: str, _constraints: str, given: list[np.ndarray], **_: Any) -> Tensor:
        if code.startswith("bar."):
            machine.meet(*code.strip(";").replace(",", "").split()[:2])
            return given[0]
        assert code.startswith("cvt.rn.f16x2.f32")
        low, high = (x.astype(np.float16).view(np.uint16).astype(np.uint32) for x in given)
        return tensor((low | high << 16).astype(np.uint32).view(np.int32))

    def where(condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, (bool, int)):
            return a if condition else b
        return tensor(np.where(condition, a, b))

    gl.__dict__.update(
        constexpr=lambda x: x, static_range=range, float32=np.float32, int64=np.int64, int32=np.int32,
        int16=np.int16, bfloat16="bfloat16", where=where, load=load, store=store,
        program_id=lambda _: machine.program, num_programs=lambda _: machine.grid,
        cdiv=lambda a, b: -(-a // b), minimum=lambda a, b: _either(np.minimum, a, b),
        maximum=lambda a, b: _either(np.maximum, a, b), exp2=np.exp2, max=lambda x, axis: x.max(axis),
        sum=lambda x, axis: x.sum(axis), zeros=lambda s, k, _: tensor(np.zeros(s, k)),
        zeros_like=np.zeros_like, full=lambda s, x, k, _: tensor(np.full(s, x, k)),
        arange=lambda a, b, _: tensor(np.arange(a, b)),
        reshape=lambda x, s: x.reshape(s), split=lambda x: (x[..., 0], x[..., 1]),
        join=lambda a, b: tensor(np.stack([a, b], -1)), convert_layout=lambda x, _: x,
        inline_asm_elementwise=assemble, allocate_shared_memory=allocate, thread_barrier=lambda: None,
        warp_specialize=machine.specialise,
    )  # fmt: skip
    for layout in ("Slice", "NVMMADistributed", "DotOperand", "Blocked", "NVMMAShared"):
        setattr(gl, layout + "Layout", lambda *_, **__: None)
    return gl


def _either(of: Any, a: Any, b: Any) -> Any:
    both_numbers = isinstance(a, int) and isinstance(b, int)
    return int(of(a, b)) if both_numbers else of(a, b)


def _hopper(machine: Machine) -> dict[str, Any]:
    def init(barrier: Barrier, count: int) -> None:
        barrier.count = barrier.left = count

    def wait_for(barrier: Barrier, phase: int, pred: bool = True) -> None:
        if pred:
            barrier.wait(phase)

    def read(into: Shared, at: Pointer, mask: np.ndarray) -> None:
        into.data[...] = np.where(mask, at.data.flat[np.where(mask, at.at, 0)], 0)

    def product(a: Any, b: Any, acc: Any, use_acc: bool = True, is_async: bool = False) -> Product:
        return Product(a, b, acc, use_acc)

    def wait_products(_pending: int, deps: list[Any]) -> Any:
        done = [x.done() if isinstance(x, Product) else x for x in deps]
        return done[0] if len(done) == 1 else done

    return {
        "async_copy": types.SimpleNamespace(
            async_copy_global_to_shared=read, commit_group=lambda: None, wait_group=lambda _: None
        ),
        "fence_async_shared": lambda: None,
        "mbarrier": types.SimpleNamespace(
            MBarrierLayout=lambda: None, init=init, wait=wait_for,
            expect=lambda barrier, size: barrier.update(1, size),
            arrive=lambda barrier, count: barrier.update(count, 0),
        ),
        "tma": types.SimpleNamespace(async_copy_global_to_shared=machine.copy),
        "warpgroup_mma": product,
        "warpgroup_mma_wait": wait_products,
    }  # fmt: skip
