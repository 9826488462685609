"""Parameters that are declared once, with meaning and bounds: checks, CLI flags and docs come from that."""

from __future__ import annotations

import functools
import math
import numbers
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, get_args, get_origin, get_type_hints

from quire.errors import BadParameter, UnknownOption

_BITS: dict[float | None, str] = {2**31 - 1: "a 32-bit number", 2**63 - 1: "a 64-bit number"}


def param(
    default: Any, help: str, *, low: float | None = None, high: float | None = None, above: bool = False
) -> Any:
    """A dataclass field with its meaning and its bounds. `above`: `low` itself is not allowed."""
    return field(default=default, metadata={"help": help, "low": low, "high": high, "above": above})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter, as the checks, the CLI and the docs see it."""

    name: str
    kind: Any  # bool, int, float, str, list, dict …
    item: Any  # what a list holds, else None
    optional: bool
    default: Any
    help: str
    low: float | None
    high: float | None
    above: bool

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def range(self) -> str:
        """In words, such as `above 0 and at most 1`; empty when there are no bounds."""
        if self.high in _BITS:
            return _BITS[self.high]
        parts = [f"{'above' if self.above else 'at least'} {self.low:,}"] if self.low is not None else []
        return " and ".join(parts + ([f"at most {self.high:,}"] if self.high is not None else []))

    def check(self, value: Any) -> Any:
        """Returns a plain bool, int or float, or raises with the range. Leaves other kinds alone."""
        if (value is None and self.optional) or self.kind not in (bool, int, float):
            return value
        if self.kind is bool:
            if not isinstance(value, bool):
                raise BadParameter(f"{self.name} must be true or false, got {value!r}")
            return value
        value = number(self.name, value) if self.kind is float else whole(self.name, value)
        too_low = self.low is not None and (value < self.low or (self.above and value == self.low))
        if too_low or (self.high is not None and value > self.high) or math.isnan(value):
            raise BadParameter(f"{self.name} is {value:,} and must be {self.range}")
        return value


@functools.cache
def parameters(cls: type) -> tuple[Parameter, ...]:
    """Every declared parameter of `SamplingParams` or one of its siblings, in order."""
    hints = get_type_hints(cls)
    return tuple(_parameter(f, hints[f.name]) for f in fields(cls))


def _parameter(f: Any, hint: Any) -> Parameter:
    parts = get_args(hint)
    optional = type(None) in parts
    if optional:
        hint = next(h for h in reversed(parts) if h is not type(None))  # str | list[str] | None: the list
    kind = get_origin(hint) or hint
    item = get_args(hint)[0] if kind is list else None
    default = None if f.default is MISSING else f.default
    m = f.metadata
    return Parameter(f.name, kind, item, optional, default, m["help"], m["low"], m["high"], m["above"])


class Checked:
    """Refuses unknown arguments with the nearest known one, and numbers out of their bounds."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        known = [p.name for p in parameters(cls)]  # type: ignore[arg-type]
        for name in kwargs:
            if name not in known:
                raise UnknownOption(name, known, f"{cls.__name__} argument")
        return super().__new__(cls)

    def check_bounds(self) -> None:
        for p in parameters(type(self)):  # type: ignore[arg-type]
            setattr(self, p.name, p.check(getattr(self, p.name)))


def number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise BadParameter(f"{name} must be a number, got {value!r}")
    return float(value)


def whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise BadParameter(f"{name} must be a whole number, got {value!r}")
    found = int(value)
    if not -(2**63) <= found < 2**63:
        raise BadParameter(f"{name} is beyond what a 64-bit number holds")
    return found
