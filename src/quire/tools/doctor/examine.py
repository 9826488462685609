"""The whole examination, area by area, and how it is told."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from quire.config import EngineConfig
from quire.tools.doctor.findings import LEVELS, OK, Finding, Report
from quire.tools.doctor.software import ask_torch, software, torch_facts

Step = tuple[str, Callable[[], Iterable[Finding]]]
WIDTH = 100


def steps(config: EngineConfig | None = None, measure: bool = False) -> Iterator[Step]:
    """What is looked at, one after the other: an area and what looks at it. `config` adds its model."""
    answer = ask_torch()
    yield "software", lambda: software(answer)
    facts = torch_facts(answer)
    yield "host", lambda: _host(len(facts.get("gpus", ())))
    yield "GPUs", lambda: _gpus(facts)
    if config is not None:
        yield "model", lambda: _model(config)
    if measure and answer.came:
        yield "speed", _speed


# Each is imported when its turn comes: what it needs may be what is missing.


def _host(gpus: int) -> Iterable[Finding]:
    from quire.engine.machine import this_machine
    from quire.tools.doctor.host import host

    return host(replace(this_machine(look_for_gpu=False), gpus=gpus))


def _gpus(facts: dict[str, Any]) -> Iterable[Finding]:
    from quire.tools.doctor.gpus import gpus

    return gpus(facts)


def _model(config: EngineConfig) -> Iterable[Finding]:
    from quire.tools.doctor.model import model

    return model(config)


def _speed() -> Iterable[Finding]:
    from quire.tools.doctor.speed import speed

    return speed()


def lines(report: Report, quiet: bool = False) -> Iterator[str]:
    """`quiet` leaves out what is as it should be."""
    shown = [f for f in report.findings if not quiet or f.level != OK]
    area = ""
    for finding in shown:
        if finding.area != area:
            area = finding.area
            yield area
        yield from _told(finding)
    counts = [(report.count(level), level) for level in LEVELS]
    said = [f"{n} {level}{'s' * (n > 1 and level != OK)}" for n, level in counts if n]
    yield ""
    yield f"{', '.join(said)}; worst: {report.worst}"


def _told(finding: Finding) -> Iterator[str]:
    mark = f"  {finding.level:<8} "
    yield from _wrapped(f"{finding.check}: {finding.found}", mark)
    if finding.means:
        yield from _wrapped(finding.means, " " * 11 + "  ")
    for row in finding.facts.get("matrix", ()):
        yield " " * 13 + row
    if finding.do:
        yield from _wrapped(f"→ {finding.do}", " " * 11 + "  ")


def _wrapped(text: str, first: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * 13,
        break_on_hyphens=False,
        break_long_words=False,
    )
