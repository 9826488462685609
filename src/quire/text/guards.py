"""What is checked before an operator, a method or a filter of a template runs.

Each of these can make much of little: a short expression that fills the memory, or takes hours in one step
that nothing can interrupt. A check works out the size first and lets meter.py decide.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from quire.text.meter import ELEMENT_CHARS, LimitReached, Meter, current, metered_join

MAX_INT_BITS = 4096
MAX_ORDERED = 20_000
MAX_PRODUCT = 2**30


def check_times(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > MAX_INT_BITS:
            raise LimitReached(f"it multiplies numbers of more than {MAX_INT_BITS:,} bits")
        return
    for value, times in ((left, right), (right, left)):
        if isinstance(value, (str, bytes, list, tuple)) and isinstance(times, int):
            current().allow(current().weigh(value) * max(0, times), "a multiplication")


def check_plus(left: Any, right: Any) -> None:
    if isinstance(left, (str, bytes)) and isinstance(right, (str, bytes)):
        current().allow(len(left) + len(right), "an addition")


def check_power(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * max(0, right) > MAX_INT_BITS:
        raise LimitReached(f"a power would have more than {MAX_INT_BITS:,} bits")


def check_percent(left: Any, right: Any) -> None:
    """Bounds `'%…' % values`: widths and precisions, starred ones too, and values used many times."""
    if not isinstance(left, (str, bytes)):
        return
    text = left if isinstance(left, str) else left.decode("latin-1")
    current().allow(8 * len(text), "a % format")
    values = (
        [*right.values()] if isinstance(right, dict) else [*right] if isinstance(right, tuple) else [right]
    )
    widest = max((current().weigh(v) for v in values), default=0)
    if "*" in text:
        widest += max((abs(v) for v in values if isinstance(v, int)), default=0)
    current().allow(len(text) + _widths(text) + text.count("%") * widest, "a % format")


def check_format_spec(spec: str) -> None:
    current().allow(_widths(spec), "a format")


def _widths(text: str) -> int:
    """The sum of all numbers that could be a width or a precision in a format."""
    return sum(
        int(run) if len(run) < 12 else 10**12 for run in re.findall(r"(?:^|[-%#0 +.)<>^=])(\d+)", text)
    )


BEFORE_OPERATOR: dict[str, Callable[[Any, Any], None]] = {
    "+": check_plus,
    "*": check_times,
    "**": check_power,
    "%": check_percent,
}


def to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: Sequence[str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Plain JSON as transformers writes it: nothing is escaped for HTML."""
    meter = current()
    for mark in separators or ():
        meter.allow(len(mark) * 2**19, "a tojson separator")
    width = indent if isinstance(indent, int) else len(indent or "")
    meter.allow(width * 2**12, "a tojson indent")
    pair = (str(separators[0]), str(separators[1])) if separators else None
    if indent is None:
        return json.dumps(value, ensure_ascii=ensure_ascii, separators=pair, sort_keys=sort_keys)
    encoder = json.JSONEncoder(ensure_ascii=ensure_ascii, indent=indent, separators=pair, sort_keys=sort_keys)
    return metered_join(encoder.iterencode(value))


def _grow_to_width(meter: Meter, text: str, width: Any = 80, *rest: Any) -> tuple[Any, ...]:
    meter.allow(width if isinstance(width, int) else 0, "padding")
    return (width, *rest)


def _grow_tabs(meter: Meter, text: str, tabsize: int = 8) -> tuple[Any, ...]:
    meter.allow(len(text) + text.count("\t") * max(0, tabsize), "expandtabs")
    return (tabsize,)


def _grow_replace(meter: Meter, text: str, old: str, new: str, count: int | None = -1) -> tuple[Any, ...]:
    hits = str(text).count(str(old))
    meter.allow(len(str(text)) + hits * len(str(new)), "replace")
    return (old, new, -1 if count is None else count)


def _search_back(meter: Meter, text: str, needle: Any = None, *rest: Any) -> tuple[Any, ...]:
    """Searching from the right, and stripping, take one length times the other."""
    if isinstance(needle, str) and len(needle) * len(text) > MAX_PRODUCT:
        raise LimitReached(f"it searches {len(text):,} characters for {len(needle):,}; take a shorter text")
    return (needle, *rest)


def _split_back(meter: Meter, text: str, sep: Any = None, maxsplit: int = -1) -> tuple[Any, ...]:
    return _search_back(meter, text, sep, maxsplit)


def _grow_join(meter: Meter, text: str, values: Any) -> tuple[Any, ...]:
    parts = list(meter.each(values))
    meter.allow(meter.weigh(parts) + len(text) * len(parts), "join")
    return (parts,)


BEFORE_METHOD: dict[str, Callable[..., tuple[Any, ...]]] = {
    **dict.fromkeys(["center", "ljust", "rjust", "zfill"], _grow_to_width),
    "expandtabs": _grow_tabs,
    "replace": _grow_replace,
    "join": _grow_join,
    **dict.fromkeys(["lstrip", "rfind", "rindex", "rpartition", "rstrip", "strip"], _search_back),
    "rsplit": _split_back,
}


def _before_indent(value: Any, width: Any = 4, first: bool = False, blank: bool = False) -> Any:
    _before_slow(value)
    step = width if isinstance(width, int) else len(width)
    current().allow(len(value) + (value.count("\n") + len(value.splitlines()) + 2) * max(0, step), "indent")
    return value


def _before_slow(value: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(value, str):  # a loop in Python, a step for every character or word
        current().allow(4 * len(value), "a filter for short texts")
    return value


def _before_trim(value: Any, chars: Any = None) -> Any:
    _search_back(current(), str(value), chars)
    return value


def _before_join(value: Any, d: Any = "", attribute: Any = None) -> Any:
    parts = list(current().each(value))
    current().allow(current().weigh(parts) + len(str(d)) * len(parts), "join")
    return parts


def _before_sum(value: Any, attribute: Any = None, start: Any = 0) -> Any:
    parts = list(current().each(value))
    if not isinstance(start, (int, float)) and len(parts) > 2000:
        raise LimitReached(f"sum adds up {len(parts):,} lists and may add 2,000")
    return parts


def _before_batch(value: Any, linecount: int, fill_with: Any = None) -> Any:
    current().allow((linecount if fill_with is not None else 0) * ELEMENT_CHARS, "batch")
    return value


def _before_round(value: Any, precision: int = 0, method: str = "common") -> Any:
    if abs(precision) > 300:
        raise LimitReached(f"round has the precision {precision} and takes at most 300")
    return value


def _before_int(value: Any, default: Any = 0, base: int = 10) -> Any:
    return value if not isinstance(value, (str, bytes)) or len(value) <= 4300 else "not a number"


def _before_order(value: Any, *args: Any, **kwargs: Any) -> Any:
    """Sorting looks at an attribute of every element in one go."""
    parts = value if isinstance(value, dict) else list(current().each(value))
    if len(parts) > MAX_ORDERED:
        raise LimitReached(
            f"it puts {len(parts):,} values in order at once and may do so with {MAX_ORDERED:,}"
        )
    return parts


def _before_format(value: Any, *args: Any, **kwargs: Any) -> Any:
    check_percent(str(value), kwargs or args)
    return value


def _before_replace(value: Any, old: Any, new: Any, count: int | None = None) -> Any:
    _grow_replace(current(), str(value), str(old), str(new))
    return value


def _before_center(value: Any, width: int = 80) -> Any:
    _grow_to_width(current(), "", width)
    return value


BEFORE_FILTER: dict[str, Callable[..., Any]] = {
    "batch": _before_batch,
    "center": _before_center,
    "format": _before_format,
    "indent": _before_indent,
    "int": _before_int,
    "join": _before_join,
    "replace": _before_replace,
    "round": _before_round,
    "sum": _before_sum,
    "trim": _before_trim,
    **dict.fromkeys(["title", "urlencode", "wordcount"], _before_slow),
    **dict.fromkeys(["dictsort", "groupby", "max", "min", "sort", "unique"], _before_order),
}
