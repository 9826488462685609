"""Compiling kernels before they are needed, many at a time.

Triton compiles a kernel when it is first launched, one after the other: half a minute for an engine. So the
work that an engine will do is rehearsed: launches of kernels that are not built yet are noted instead of
made. Forked processes then build them into Triton's cache on disk, and the real launches find them there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

log = logging.getLogger("quire")
PATIENCE = 120.0  # seconds that builders get before the rest is built by the engine itself


@functools.cache
def steady_keys() -> None:
    """Lets a kernel have the same key in every process, so that what one has built others find.

    Triton puts the constants of functions that a kernel calls into its key, but only of those that something
    has asked for their own keys before. So keys would depend on which kernel was launched first.
    """
    from triton.runtime import jit

    plain = getattr(jit.DependenciesFinder, "_update_hash", None)
    if plain is None:
        return

    def update(self: Any, function: Any) -> None:
        function.cache_key  # noqa: B018 (it is made now)
        plain(self, function)

    jit.DependenciesFinder._update_hash = update


class Built:
    """A note beside Triton's cache that all kernels of an engine like this one are in it.

    A new process then need not rehearse. Where the note is wrong, because somebody cleared half of the cache,
    kernels are compiled when they are launched.
    """

    def __init__(self, *what: Any):
        import torch
        import triton

        sources = sorted((Path(__file__).parents[2] / "ops").rglob("*.py"))
        code = [(str(p.name), p.stat().st_mtime_ns, p.stat().st_size) for p in sources]
        gpu = torch.cuda.get_device_name(), torch.cuda.get_device_capability()
        said = repr((what, code, gpu, torch.__version__, triton.__version__))
        digest = hashlib.sha256(said.encode()).hexdigest()
        folder = os.environ.get("TRITON_CACHE_DIR") or Path.home() / ".triton" / "cache"
        self.path = Path(folder) / f"quire-{digest[:32]}"

    @property
    def known(self) -> bool:
        return self.path.exists()

    def note(self) -> None:
        with contextlib.suppress(OSError):  # a cache that cannot be written helps nobody, and hurts nobody
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()


class _Unbuilt:
    """Stands for a kernel that is only noted: launching it does nothing."""

    function = packed_metadata = None

    def result(self) -> _Unbuilt:
        return self

    def launch_metadata(self, *_: Any) -> None:
        return None

    def run(self, *_: Any) -> None:
        return None


def rehearse(work: Callable[[], Any]) -> list[Callable[[], Any]]:
    """Runs `work` without the kernels that are not built; returns what builds them.

    What such kernels would have written is not there: `work` must not index by it.
    """
    from triton.runtime import _async_compile

    builders: dict[str, Callable[[], Any]] = {}
    noted: list[tuple[_Unbuilt, tuple[Any, ...]]] = []

    class Noting(_async_compile.AsyncCompileMode):  # type: ignore[misc]
        def submit(self, key: str, compile_fn: Callable[[], Any], finalize_fn: Any, *forget: Any) -> _Unbuilt:
            builders.setdefault(key, compile_fn)
            noted.append((_Unbuilt(), forget))
            return noted[-1][0]

    with Noting(None):
        work()
    for kernel, forget in noted:  # newer Tritons keep what stands for a kernel until told otherwise
        for function in forget:
            function(kernel)
    return list(builders.values())


def build(builders: list[Callable[[], Any]], processes: int) -> None:
    """Fills Triton's cache. What a builder cannot do is left to the launch that needs it."""
    if not builders or not hasattr(os, "fork"):
        return
    started = time.perf_counter()
    count = min(processes, len(builders))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # on forking with threads: the child only compiles
        children = [_fork(builders[i::count]) for i in range(count)]
    deadline = started + PATIENCE
    left = [pid for pid in children if not _ended(pid, deadline)]
    for pid in left:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    took = time.perf_counter() - started
    log.info("built %d kernels in %.1f seconds with %d processes", len(builders), took, count)


def _fork(share: list[Callable[[], Any]]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.nice(5)
        os.closerange(3, 4096)  # sockets by which others see whether the engine lives are not ours to hold
        for builder in share:
            try:
                builder()
            except Exception:  # the engine will meet and report it at the launch
                continue
    finally:
        os._exit(0)


def _ended(pid: int, deadline: float) -> bool:
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.perf_counter() > deadline:
            return False
        time.sleep(0.01)
    return True
