"""A finding: what was looked at, what was found, what it means and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

OK, NOTE, WARNING, PROBLEM = "ok", "note", "warning", "problem"
LEVELS = (OK, NOTE, WARNING, PROBLEM)  # in the order of how bad they are
CODES = {OK: 0, NOTE: 0, WARNING: 1, PROBLEM: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    area: str
    check: str
    level: str
    found: str
    means: str = ""
    do: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # for programs

    def as_json(self) -> dict[str, Any]:
        told = {"area": self.area, "check": self.check, "level": self.level, "found": self.found}
        more = {"means": self.means, "do": self.do, "facts": self.facts}
        return told | {key: value for key, value in more.items() if value}


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> str:
        return max((f.level for f in self.findings), key=LEVELS.index, default=OK)

    @property
    def code(self) -> int:
        """What the command ends with: 0, 1 for warnings, 2 for problems."""
        return CODES[self.worst]

    def count(self, level: str) -> int:
        return sum(f.level == level for f in self.findings)

    def of(self, area: str) -> list[Finding]:
        return [f for f in self.findings if f.area == area]


class Area:
    """Makes the findings of one area."""

    def __init__(self, name: str):
        self.name = name

    def ok(self, check: str, found: str, means: str = "", **facts: Any) -> Finding:
        return Finding(self.name, check, OK, found, means, "", facts)

    def note(self, check: str, found: str, means: str = "", do: str = "", **facts: Any) -> Finding:
        return Finding(self.name, check, NOTE, found, means, do, facts)

    def warning(self, check: str, found: str, means: str, do: str, **facts: Any) -> Finding:
        return Finding(self.name, check, WARNING, found, means, do, facts)

    def problem(self, check: str, found: str, means: str, do: str, **facts: Any) -> Finding:
        return Finding(self.name, check, PROBLEM, found, means, do, facts)


def looked(area: str, look: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of `look`; one that breaks is a finding as well, and the next one goes on."""
    try:
        yield from look()
    except Exception as error:  # a machine that nobody thought of; the report says so
        what = f"{type(error).__name__}: {error}"
        yield Finding(
            area,
            "this part",
            WARNING,
            f"could not be looked at: {what}",
            "quire doctor itself is at a loss here",
            "tell us, with `quire doctor --json`",
        )
