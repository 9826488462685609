"""Structural tags as Lark: text in which some parts have a form, such as calls of tools between words.

Both of vLLM's forms are read: `structures` with `triggers`, and the newer `format`, a tree of tag, sequence,
or, triggered_tags and the like. What is regular becomes one terminal, so that text and the tag that ends it
cannot be confused however they overlap; JSON, grammars and special tokens stand between terminals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from llguidance import regex_to_lark

from quire.errors import BadGrammar, nearest
from quire.grammar.contract import WHITESPACE
from quire.grammar.schema import checked_schema, read_json

_ANY = "/(?s:.*)/"


@dataclass(frozen=True, slots=True)
class Part:
    """Something that Lark can say. A regular one may become part of a terminal."""

    text: str
    regular: bool


def modern(tag: Any, max_depth: int) -> dict[str, Any]:
    """The `format` of a structural tag, whichever form it was given in. Schemas in it are checked."""
    if isinstance(tag, dict) and "format" in tag:
        if not isinstance(tag["format"], dict):
            raise BadGrammar(f"'format' is an object with a type, got {tag['format']!r:.80}")
        return tag["format"]
    try:
        triggers = [str(t) for t in tag["triggers"]]
        parts = [(str(s["begin"]), s["schema"], str(s["end"])) for s in tag["structures"]]
    except (TypeError, KeyError) as e:
        raise BadGrammar(
            "it needs 'format', or 'structures', each with begin, schema and end, and 'triggers'"
        ) from e
    if not parts:
        raise BadGrammar("'structures' is empty; give at least one")
    tags = [
        {"type": "tag", "begin": begin, "end": end, "content": {"type": "json_schema", "json_schema": schema}}
        for begin, schema, end in (
            (begin, read_json(schema, max_depth) if isinstance(schema, str) else schema, end)
            for begin, schema, end in parts
        )
    ]
    return {"type": "triggered_tags", "triggers": triggers, "tags": tags}


def checked_tag(value: Any) -> dict[str, Any]:
    """The schema of a json_schema format."""
    if value is True:
        return {}
    return checked_schema(value)


class Tags:
    """Writes one structural tag as a grammar of llguidance."""

    def __init__(self, special: Iterable[str], lark: Callable[[str], str]):
        """`special`: names of tokens that are no text; `lark` brings any grammar into Lark."""
        names = sorted(special, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, names)) or r"(?!)")
        self._lark = lark
        self._lines: list[str] = []
        self._sides: list[dict[str, str]] = []

    def grammar(self, tag: Mapping[str, Any]) -> str:
        start = self._joined(self._parts(tag, (), last=True))
        self._lines.insert(0, f"start: {start}")
        text = "\n".join(["%llguidance {}", *self._lines])
        if not self._sides:
            return text
        return json.dumps({"grammars": [{"name": "tags", "lark_grammar": text}, *self._sides]})

    # -- formats: each gives the parts of itself and of one of the `ends` that follow it -----------------

    def _parts(self, tag: Any, ends: Sequence[str], last: bool) -> list[Part]:
        if not isinstance(tag, Mapping) or not isinstance(tag.get("type"), str):
            raise BadGrammar(f"a format is an object with a type, got {tag!r:.80}")
        kind = tag["type"]
        write = {
            "const_string": self._const,
            "json_schema": self._json,
            "regex": self._regex,
            "grammar": self._grammar,
            "any_text": self._any_text,
            "sequence": self._sequence,
            "or": self._or,
            "tag": self._tag,
            "triggered_tags": self._triggered,
            "tags_with_separator": self._separated,
            "optional": self._repeated,
            "star": self._repeated,
            "plus": self._repeated,
            "repeat": self._repeated,
        }
        if kind not in write:
            raise BadGrammar(
                f"llguidance does not know the format {kind!r:.80}{nearest(kind, write)}; "
                f"it knows {', '.join(write)}"
            )
        try:
            return write[kind](tag, ends, last)
        except KeyError as e:
            raise BadGrammar(f"the format {kind} needs {e.args[0]!r}") from e

    def _const(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        return [*self._text(_string(tag["value"], "value")), *self._ends(ends)]

    def _json(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        style = tag.get("style", "json")
        if style != "json" or tag.get("any_order") or tag.get("excludes"):
            raise BadGrammar(
                "llguidance writes JSON in its usual style, in the order of the schema; "
                "for other styles use --structured-outputs-backend xgrammar"
            )
        schema = {**checked_tag(tag["json_schema"]), "x-guidance": {"whitespace_pattern": WHITESPACE}}
        return [Part(f"%json {json.dumps(schema)}", False), *self._ends(ends)]

    def _regex(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        pattern = _string(tag["pattern"], "pattern")
        pattern = pattern.removeprefix("^")
        if re.search(r"(?<!\\)(\\\\)*\$$", pattern):
            pattern = pattern[:-1]
        if not pattern:
            return self._ends(ends)
        return [Part(f"/{regex_to_lark(pattern, '')}/", True), *self._ends(ends)]

    def _grammar(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        name = f"side_{len(self._sides)}"
        self._sides.append({"name": name, "lark_grammar": self._lark(_string(tag["grammar"], "grammar"))})
        return [Part(f"@{name}", False), *self._ends(ends)]

    def _any_text(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        for name in ("max_tokens", "max_chars"):
            if tag.get(name) is not None:
                raise BadGrammar(f"llguidance cannot keep any_text to its {name}; leave it out")
        self._need_an_end("any_text", ends, last)
        return [self._free(_strings(tag.get("excludes", []), "excludes"), ends), *self._ends(ends)]

    def _sequence(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        elements = _several(tag["elements"], "elements")
        parts: list[Part] = []
        for element in elements[:-1]:
            parts += self._parts(element, (), last=False)
        return parts + self._parts(elements[-1], ends, last)

    def _or(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        return [self._either([self._parts(e, ends, last) for e in _several(tag["elements"], "elements")])]

    def _tag(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool, skip: int = 0) -> list[Part]:
        """`skip`: so much of its beginning has been written already."""
        begin, end = _string(tag["begin"], "begin"), tag["end"]
        own = [end] if isinstance(end, str) else _strings(end, "end")
        content = self._parts(tag["content"], [] if own == [""] else own, last=False)
        return [*self._text(begin[skip:]), *content, *self._ends(ends)]

    def _triggered(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        self._need_an_end("triggered_tags", ends, last)
        tags = _several(tag["tags"], "tags")
        triggers = _strings(tag["triggers"], "triggers")
        excludes = _strings(tag.get("excludes", []), "excludes")
        groups: dict[str, list[Any]] = {}
        for one in tags:
            begin = _string(one.get("begin") if isinstance(one, Mapping) else None, "begin")
            fitting = [t for t in triggers if t and begin.startswith(t)]
            if not fitting:
                raise BadGrammar(f"{begin!r:.80} begins with none of the triggers {triggers!r:.200}")
            groups.setdefault(min(fitting, key=len), []).append(one)  # the shortest is there first
        free = self._free([*groups, *excludes], ends)
        dispatches = []
        for trigger, group in groups.items():
            rest = [self._tag(one, (), False, skip=len(trigger)) for one in group]
            dispatches.append([self._head(free, trigger), self._either(rest)])
        tail = [free, *self._ends(ends)]
        dispatch = self._either(dispatches)
        stop = _flag(tag, "stop_after_first")
        if not _flag(tag, "at_least_one"):
            if stop:
                return [self._either([[dispatch, *self._ends(ends)], tail])]
            return [Part(f"{dispatch.text}*", False), Part(self._joined(tail), False)]
        first = self._either([self._tag(one, (), False) for one in tags])
        if stop:
            return [first, *self._ends(ends)]
        return [first, Part(f"{dispatch.text}*", False), Part(self._joined(tail), False)]

    def _separated(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        one = self._either([self._tag(t, (), False) for t in _several(tag["tags"], "tags")])
        separator = self._joined(self._text(_string(tag["separator"], "separator")))
        text = one.text if _flag(tag, "stop_after_first") else f"{one.text} ({separator} {one.text})*"
        if not _flag(tag, "at_least_one"):
            text = f"({text})?"
        return [Part(self._rule(text), False), *self._ends(ends)]

    def _repeated(self, tag: Mapping[str, Any], ends: Sequence[str], last: bool) -> list[Part]:
        inner = self._rule(self._joined(self._parts(tag["content"], (), last=False)))
        sign = {"optional": "?", "star": "*", "plus": "+"}.get(tag["type"])
        if sign is None:
            low, high = tag["min"], tag["max"]
            if type(low) is not int or type(high) is not int or low < 0 or (high != -1 and high < low):
                raise BadGrammar(f"repeat needs 0 <= min <= max, or max -1, got {low!r:.40} and {high!r:.40}")
            sign = f"{{{low},{'' if high == -1 else high}}}"
        return [Part(self._rule(f"{inner}{sign}"), False), *self._ends(ends)]

    # -- pieces ------------------------------------------------------------------------------------------

    def _need_an_end(self, kind: str, ends: Sequence[str], last: bool) -> None:
        if not last and (not ends or "" in ends):
            raise BadGrammar(f"nothing says where {kind} ends: put it into a tag with an end, or put it last")

    def _text(self, text: str) -> list[Part]:
        """A text; the names of special tokens in it are those tokens."""
        parts, at = [], 0
        for found in self._special.finditer(text):
            parts += [Part(json.dumps(text[at : found.start()]), True)] if found.start() > at else []
            parts.append(Part(found[0], False))
            at = found.end()
        return parts + ([Part(json.dumps(text[at:]), True)] if at < len(text) else [])

    def _ends(self, ends: Sequence[str]) -> list[Part]:
        if not ends:
            return []
        return self._text(ends[0]) if len(ends) == 1 else [self._either([self._text(e) for e in ends])]

    def _free(self, excludes: Iterable[str], ends: Sequence[str]) -> Part:
        """Text without these in it, nor one of the ends that follow it."""
        never = [t for t in dict.fromkeys([*excludes, *ends]) if t and not self._special.search(t)]
        if not never:
            return Part(_ANY, True)
        found = " | ".join(json.dumps(t) for t in never)
        return Part(self._terminal(f"{_ANY} & ~({_ANY} ({found}) {_ANY})"), True)

    def _head(self, free: Part, trigger: str) -> Part:
        """Free text up to and with a trigger, as soon as it is there."""
        written = self._text(trigger)
        if all(part.regular for part in written):
            name = f"head_{len(self._lines)}"
            self._lines.append(f"{name}[lazy]: {free.text} {' '.join(p.text for p in written)}")
            return Part(name, False)
        return Part(self._rule(self._joined([free, *written])), False)

    def _either(self, several: list[list[Part]]) -> Part:
        if all(part.regular for parts in several for part in parts) and all(several):
            return Part("(" + " | ".join(" ".join(p.text for p in parts) for parts in several) + ")", True)
        return Part(self._rule(" | ".join(self._joined(parts) for parts in several)), False)

    def _joined(self, parts: list[Part]) -> str:
        """The parts one after the other, as a rule says it: neighbours that are regular are one terminal."""
        out: list[str] = []
        run: list[str] = []
        for part in [*parts, Part("", False)]:
            if part.regular:
                run.append(part.text)
                continue
            if run:
                out.append(self._terminal(" ".join(run)))
            run = []
            if part.text:
                out.append(part.text)
        return " ".join(out) or '""'

    def _terminal(self, text: str) -> str:
        name = f"T_{len(self._lines)}"
        self._lines.append(f"{name}: {text}")
        return name

    def _rule(self, text: str) -> str:
        name = f"r_{len(self._lines)}"
        self._lines.append(f"{name}: {text}")
        return name


def _string(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise BadGrammar(f"'{name}' must be text, got {value!r:.80}")
    return value


def _strings(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadGrammar(f"'{name}' must be a list of texts, got {value!r:.80}")
    return value


def _several(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise BadGrammar(f"'{name}' must be a list with at least one entry, got {value!r:.80}")
    return value


def _flag(tag: Mapping[str, Any], name: str) -> bool:
    value = tag.get(name, False)
    if not isinstance(value, bool):
        raise BadGrammar(f"'{name}' must be true or false, got {value!r:.80}")
    return value
