"""Names for the parts of a step in traces: what is planned, launched and taken in, and how large it is.

The ranges show in torch's profiler and, on NVIDIA GPUs, in Nsight (NVTX). They exist only while asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

from quire.engine.engine import Engine
from quire.types import Plan


@contextmanager
def span(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(torch.profiler.record_function(name))
        if torch.cuda.is_available():
            stack.enter_context(torch.cuda.nvtx.range(name))
        yield


@contextmanager
def marked(engine: Engine) -> Iterator[None]:
    """Marks an engine's steps; afterwards it is as it was."""
    scheduler, executor = engine.core.scheduler, engine.core.executor
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
    for owner, name, function in watched:
        setattr(owner, name, function)
    try:
        yield
    finally:
        for owner, name, _ in watched:
            delattr(owner, name)
