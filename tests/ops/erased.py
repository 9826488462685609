"""Gluon kernels under Triton's interpreter, which knows no layouts: they are erased.

A layout says which thread holds what and never what it holds, so a kernel without them computes the same.
What is written in assembly is given by those who ask.
"""

from __future__ import annotations

import linecache
import sys
import types
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
import triton
import triton.language as tl
from triton.runtime.interpreter import TensorHandle


class Language(types.ModuleType):
    """Gluon's language with Triton's functions, less their layouts."""

    def __getattr__(self, name: str) -> Any:
        if name.endswith("Layout"):
            return lambda *_, **__: None
        return getattr(tl, name)

    def arange(self, start: int, end: int, layout: None = None) -> Any:
        return tl.arange(start, end)

    def zeros(self, shape: list[int], kind: Any, layout: None = None) -> Any:
        return tl.zeros(shape, kind)

    def full(self, shape: list[int], value: Any, kind: Any, layout: None = None) -> Any:
        return tl.full(shape, value, kind)

    def convert_layout(self, x: Any, layout: None, assert_trivial: bool = False) -> Any:
        return x

    def thread_barrier(self) -> None:
        pass


def interpreted(path: Path, **given: Any) -> types.ModuleType:
    """The module at `path` with its kernels interpreted, and `given` functions in place of its own."""
    gluon = types.ModuleType("gluon")
    gluon.jit = triton.jit
    gluon.constexpr_function = lambda f: f
    gluon.language = Language("language")
    above = types.ModuleType("experimental")
    above.gluon = gluon
    ampere = types.ModuleType("ampere")
    ampere.mma_v2 = lambda a, b, acc: tl.dot(a, b, acc)
    name = "triton.experimental"
    fakes = {name: above, f"{name}.gluon": gluon, f"{name}.gluon.language.nvidia.ampere": ampere}
    module = types.ModuleType(path.stem)
    module.tl = tl
    source = path.read_text().replace("gl.constexpr", "tl.constexpr")  # which the interpreter looks for
    where = f"<erased {path.name}>"
    linecache.cache[where] = len(source), None, source.splitlines(keepends=True), where
    with mock.patch.dict(sys.modules, fakes):
        exec(compile(source, where, "exec"), module.__dict__)  # noqa: S102 (a file of our own)
    vars(module).update(given)
    return module


def widened(words: Any) -> Any:
    """Words of four FP8 numbers each as [..., words, 2, 2] of float16."""
    raw = torch.from_numpy(words.handle.data.astype(np.int32)).view(torch.float8_e4m3fn)
    data = raw.to(torch.float16).numpy().reshape(*words.handle.data.shape, 2, 2)
    return tl.tensor(TensorHandle(data, tl.float16), tl.block_type(tl.float16, list(data.shape)))
