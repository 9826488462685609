"""Names for the parts of a step in traces: what is planned, launched and taken in, and how large it is.

The ranges show in torch's profiler and, on NVIDIA GPUs, in Nsight (NVTX). They exist only while asked for, or
as long as the engine where Nsight Systems runs the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

from quire.engine.core import EngineCore
from quire.types import Plan

NSIGHT = "NSYS_PROFILING_SESSION_ID"  # Nsight Systems gives it to processes that it looks at


def mark_for_nsight(core: EngineCore) -> None:
    """Marks an engine's steps if Nsight Systems looks at this process."""
    if os.environ.get(NSIGHT):
        mark(core)


@contextmanager
def span(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(torch.profiler.record_function(name))
        if torch.cuda.is_available():
            stack.enter_context(torch.cuda.nvtx.range(name))
        yield


@contextmanager
def marked(core: EngineCore) -> Iterator[None]:
    """Marks an engine's steps; afterwards it is as it was."""
    unmark = mark(core)
    try:
        yield
    finally:
        unmark()


def mark(core: EngineCore) -> Callable[[], None]:
    """Marks an engine's steps until what is returned is called."""
    scheduler, executor = core.scheduler, core.executor
    plan, submit, commit = scheduler.plan, executor.submit, scheduler.commit

    def planned() -> Plan | None:
        with span("plan"):
            return plan()

    def submitted(step: Plan) -> Any:
        kind = "decode" if step.tokens == len(step.rows) else "with prompts"
        with span(f"launch step {step.step}: {len(step.rows)} rows, {step.tokens} tokens, {kind}"):
            return submit(step)

    def committed(step: Plan, result: Any) -> Any:
        with span(f"take in step {step.step}"):
            return commit(step, result)

    watched: list[tuple[Any, str, Callable[..., Any]]] = [
        (scheduler, "plan", planned),
        (executor, "submit", submitted),
        (scheduler, "commit", committed),
    ]
    before = [vars(owner).get(name) for owner, name, _ in watched]  # it may be marked already
    for owner, name, function in watched:
        setattr(owner, name, function)

    def unmark() -> None:
        for (owner, name, _), function in zip(watched, before, strict=True):
            delattr(owner, name)
            if function is not None:
                setattr(owner, name, function)

    return unmark
