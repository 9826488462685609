"""Triton's interpreter, made quicker: a launch patches the language once for each module of jitted functions.

By itself it looks through `triton.language` again in every call of such a function from a kernel, which is a
third of the time that kernels take here. What it has patched stays so until the launch ends: the next time
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def quicken() -> None:
    from triton.runtime import interpreter

    if not hasattr(interpreter, "_LangPatchScope"):  # another version, which may not need it
        return
    patch, launch = interpreter._patch_lang, interpreter.GridExecutor.__call__
    patched: set[int] = set()  # the globals of functions that this launch has called

    def patch_once(function: Callable[..., Any]) -> Any:
        module = id(function.__globals__)
        if module in patched:
            return interpreter._LangPatchScope()  # nothing to be taken back
        patched.add(module)
        return patch(function)

    def launch_anew(executor: Any, *args: Any, **more: Any) -> None:
        patched.clear()
        launch(executor, *args, **more)

    interpreter._patch_lang, interpreter.GridExecutor.__call__ = patch_once, launch_anew
