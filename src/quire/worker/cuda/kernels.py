"""Compiling kernels before they are needed, many at a time.

Triton compiles a kernel when it is first launched, one after the other: half a minute for an engine. So the
work that an engine will do is rehearsed: launches of kernels that are not built yet are noted instead of
made. Forked processes build them, and what launches them, into Triton's cache on disk, and the real launches
find them there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import logging
import os
import pkgutil
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from quire import ops
from quire.worker.cuda import kernel_cache

log = logging.getLogger("quire")
PATIENCE = 120.0  # seconds that builders get before the rest is built by the engine itself
WHY = 200  # characters of what went wrong: a pipe takes all reports at once, whole


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

    A new process then need not rehearse. It is written when every builder has ended well. Where it is wrong,
    because somebody cleared half of the cache, kernels are compiled when they are launched.
    """

    def __init__(self, *what: Any):
        import torch
        import triton

        ours = Path(__file__).parents[2]
        sources = sorted(p for part in ("ops", "models", "worker") for p in (ours / part).rglob("*.py"))
        code = [(str(p.name), p.stat().st_mtime_ns, p.stat().st_size) for p in sources]
        gpu = torch.cuda.get_device_name(), torch.cuda.get_device_capability()
        said = repr((what, code, gpu, torch.__version__, triton.__version__))
        digest = hashlib.sha256(said.encode()).hexdigest()
        self.path = kernel_cache.folder() / f"quire-{digest[:32]}"

    @property
    def known(self) -> bool:
        with contextlib.suppress(OSError):
            return self.path.exists()
        return False

    def note(self) -> None:
        with contextlib.suppress(OSError):  # a cache that cannot be written helps nobody, and hurts nobody
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()


class _Unbuilt:
    """Stands for a kernel that is only noted."""


class Building:
    """Kernels on their way into Triton's cache: `rehearse` finds and begins them, `finish` waits."""

    def __init__(self, processes: int):
        self._processes = processes
        self._keys: set[str] = set()
        self._children: list[int] = []
        self._reports: list[int] = []  # pipes in which processes say how it went
        self._unbuilt = 0  # kernels that nobody was asked to build
        self._started = time.perf_counter()

    def rehearse(self, work: Callable[[], Any]) -> None:
        """Runs `work` without its kernels, and begins to build those that are not built.

        What kernels would have written is zero. None is launched, not even those that are there: they would
        read what another has not written, and some would wait for ever for what never comes.
        """
        from triton.runtime import _async_compile

        keys, builders = self._keys, []
        noted: list[tuple[_Unbuilt, tuple[Any, ...]]] = []

        class Noting(_async_compile.AsyncCompileMode):  # type: ignore[misc]
            def submit(
                self, key: str, compile_fn: Callable[[], Any], finalize_fn: Any, *forget: Any
            ) -> _Unbuilt:
                if key not in keys:
                    keys.add(key)
                    builders.append(compile_fn)
                noted.append((_Unbuilt(), forget))
                return noted[-1][0]

        with Noting(None), _unlaunched(), _zeroed():
            work()
        for kernel, forget in noted:  # newer Tritons keep what stands for a kernel until told otherwise
            for function in forget:
                function(kernel)
        self._begin(builders)

    def _begin(self, builders: list[Callable[[], Any]]) -> None:
        """Forks processes that take one after the other. What they cannot do is left to the launch."""
        if not hasattr(os, "fork"):
            self._unbuilt += len(builders)
        elif builders:
            queue, fill = os.pipe()
            os.write(fill, b"".join(i.to_bytes(2, "little") for i in range(len(builders))))
            os.close(fill)
            heard, told = os.pipe()
            self._reports.append(heard)
            with warnings.catch_warnings():
                # on forking with threads: the child only compiles
                warnings.simplefilter("ignore", DeprecationWarning)
                count = min(self._processes, len(builders))
                self._children += [_fork(builders, queue, told) for _ in range(count)]
            os.close(queue)
            os.close(told)

    def finish(self) -> bool:
        """Waits for the processes; whether all kernels are built. If not, the log says what went wrong."""
        deadline = time.perf_counter() + PATIENCE
        late = [pid for pid in self._children if not _ended(pid, deadline)]
        for pid in late:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):  # it has just ended by itself
                os.kill(pid, 9)
                os.waitpid(pid, 0)
        took, count = time.perf_counter() - self._started, len(self._children)
        log.info("built %d kernels in %.1f seconds with %d processes", len(self._keys), took, count)
        trouble = self._trouble(len(late))
        if trouble:
            log.warning(
                "not all kernels were built: %s; those are compiled when they are first launched, and the "
                "next start looks for them again",
                ", ".join(trouble),
            )
        return not trouble

    def _trouble(self, killed: int) -> list[str]:
        """What went wrong. A process that says nothing has not come to its end."""
        reports = [line for pipe in self._reports for line in _lines(pipe)]
        count, self._reports = len(self._children), []
        failed = [(int(number), why) for number, _, why in (line.partition(" ") for line in reports)]
        unbuilt = sum(number for number, _ in failed)
        why = next((f" ({why})" for _, why in failed if why), "")
        dead = max(0, count - killed - len(reports))
        told = {
            f"{self._unbuilt} need processes that cannot be forked here": self._unbuilt,
            f"{unbuilt} could not be built{why}": unbuilt,
            f"{killed} of {count} processes were killed after {PATIENCE:g} seconds": killed,
            f"{dead} of {count} processes ended before they were done": dead,
        }
        return [text for text, number in told.items() if number]


@contextlib.contextmanager
def _unlaunched() -> Iterator[None]:
    """Lets launches of kernels do all but launch."""
    from triton.runtime import jit

    plain = jit.JITFunction.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        return plain(self, *args, grid=grid, warmup=True, **options)

    jit.JITFunction.run = run
    try:
        yield
    finally:
        jit.JITFunction.run = plain


def _zeroed() -> Any:
    """Makes what is allocated zero, instead of whatever was there."""
    import torch
    from torch.overrides import TorchFunctionMode

    empty = {torch.empty, torch.empty_like, torch.empty_strided, torch.Tensor.new_empty}

    class Zeroed(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            made = function(*args, **(kwargs or {}))
            return made.zero_() if function in empty else made

    return Zeroed()


def _fork(builders: list[Callable[[], Any]], queue: int, told: int) -> int:
    """A process that takes numbers of builders from `queue` and says at its end, in `told`, how it went."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.nice(5)
        for before, after in pairwise((2, *sorted((queue, told)), 4096)):
            # sockets by which others see whether the engine lives are not ours to hold
            os.closerange(before + 1, after)
        failed, why = 0, ""
        while word := os.read(queue, 2):
            try:
                _launcher(builders[int.from_bytes(word, "little")]())
            except Exception as e:  # the engine will meet it again at the launch
                failed, why = failed + 1, why or f"{type(e).__name__}: {e}"
        os.write(told, f"{failed} {' '.join(why.split())[:WHY]}\n".encode())
    finally:
        os._exit(0)


def _lines(pipe: int) -> list[str]:
    """What was written into a pipe whose writers are gone."""
    with open(pipe, encoding="utf-8", errors="replace") as reports:
        return reports.read().splitlines()


def _launcher(kernel: Any) -> None:
    """Builds what launches a kernel: some Tritons compile C code for each combination of its arguments."""
    from triton.runtime import driver

    driver.active.launcher_cls(kernel.src, kernel.metadata)


def _ended(pid: int, deadline: float) -> bool:
    try:
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if time.perf_counter() > deadline:
                return False
            time.sleep(0.01)
    except ChildProcessError:  # where SIGCHLD is ignored, the system has taken it away when it ended
        return True
    return True


def kernel_modules() -> list[str]:
    """The modules of Triton kernels, by name."""
    found = pkgutil.walk_packages(ops.__path__, f"{ops.__name__}.")
    return [m.name for m in found if m.name.rpartition(".")[2].startswith(("triton", "gluon"))]


@functools.cache
def waking() -> threading.Thread:
    """Makes Triton ready beside other work: it reads all its sources, and compiles what asks the driver.

    Modules of kernels are imported, too, while weights come from the disk.
    """

    def run() -> None:
        from triton.runtime import cache, driver

        steady_keys()
        with contextlib.suppress(Exception):  # whoever launches the first kernel will meet and report it
            kernel_cache.ensure_writable()
            cache.triton_key()
            driver.active.utils  # noqa: B018 (it is made now)
            for name in kernel_modules():
                importlib.import_module(name)

    thread = threading.Thread(target=run, name="quire-triton", daemon=True)
    thread.start()
    return thread
