"""Reads JSON Schemas: what is too large, too deep or too costly is refused before a backend sees it.

Whether a schema makes sense, and whether a backend can keep to it, is the backend's to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from quire.errors import BadGrammar

Node = dict[str, Any] | list[Any]
MAX_DEPTH = 64  # levels of objects and lists
MAX_PROPERTIES = 2000  # of one object: some backends take a time that grows with the square
MAX_COMBINED = 12  # expressions that one value must match all of: their product is exponential
_COSTS = {"pattern": 1, "format": 1, "multipleOf": 2}
_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")  # by name
_LITERALS = ("const", "enum", "default", "examples")


def read_json(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """What the text holds, if it is not too deep."""
    try:
        value = json.loads(text)
    except RecursionError as e:
        raise BadGrammar(f"it is nested too deep; {max_depth} levels are read") from e
    except ValueError as e:
        raise BadGrammar(f"it is not JSON: {e}") from e
    deep, level = 0, [value]
    while level:
        deep += 1
        if deep > max_depth:
            raise BadGrammar(f"it is nested more than {max_depth} levels deep; use $ref, or flatten it")
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _values(outer)]
    return value


def checked_schema(schema: Any, closed: bool = False) -> dict[str, Any]:
    """The schema, if it is one; with `closed`, objects have only the properties that are named."""
    if not isinstance(schema, dict):
        raise BadGrammar(f"a JSON Schema is an object, got {json.dumps(schema)[:80]}")
    named = max(map(len, _lists_of_properties(schema)), default=0)
    if named > MAX_PROPERTIES:
        raise BadGrammar(f"an object names {named:,} properties and may name {MAX_PROPERTIES:,}; split it")
    try:
        combined = _Combined(schema).most()
    except RecursionError as e:
        raise BadGrammar("allOf and $ref lead from one to the next too often; write them as fewer") from e
    if combined > MAX_COMBINED:
        raise BadGrammar(
            f"allOf combines {combined} patterns, formats and multiples (a multiple counts twice) "
            f"and may combine {MAX_COMBINED}; write them as fewer"
        )
    return _close(schema) if closed else schema


def _lists_of_properties(schema: Node) -> Iterator[dict[str, Any]]:
    todo: list[Node] = [schema]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            named = (value.get("properties"), value.get("patternProperties"))
            yield from (found for found in named if isinstance(found, dict))
        todo += [inner for inner in _values(value) if isinstance(inner, dict | list)]


def _values(value: Node) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value)


class _Combined:
    """Counts expressions that must hold of one value at once: its own, and those of allOf and $ref."""

    def __init__(self, root: dict[str, Any]):
        self.root = root
        self._known: dict[tuple[int, bool], int] = {}  # by identity; 0 while it is being counted

    def most(self) -> int:
        found, todo = 0, list[Node]([self.root])
        while todo:
            value = todo.pop()
            found = max(found, self.of(value, refs=True))
            todo += [inner for inner in _values(value) if isinstance(inner, dict | list)]
        return found

    def of(self, value: Any, refs: bool) -> int:
        """With `refs`, what the value refers to counts as its own; within its parts it does not."""
        if not isinstance(value, dict | list):
            return 0
        key = (id(value), refs)
        if key not in self._known:
            self._known[key] = 0
            self._known[key] = self._count(value, refs)
        return self._known[key]

    def _count(self, value: Node, refs: bool) -> int:
        if isinstance(value, list):
            return max((self.of(v, refs) for v in value), default=0)
        own = sum(cost for name, cost in _COSTS.items() if isinstance(value.get(name), str | int | float))
        every = value.get("allOf")
        if isinstance(every, list):
            own += sum(self.of(v, refs) for v in every)
        if refs:
            own += self.of(self._target(value.get("$ref")), refs)
        parts = (v for name, v in value.items() if name not in ("allOf", *_LITERALS))
        return own + max((self.of(v, refs=False) for v in parts), default=0)

    def _target(self, ref: Any) -> Any:
        """What a reference within the document points to, or None."""
        if not isinstance(ref, str) or not ref.startswith("#"):
            return None
        at: Any = self.root
        for part in ref[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            at = at.get(name) if isinstance(at, dict) else None
        return at


def _close(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_close(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for name, value in schema.items():
        if name in _SCHEMAS and isinstance(value, dict):
            out[name] = {key: _close(inner) for key, inner in value.items()}
        else:
            out[name] = value if name in _LITERALS else _close(value)
    if "properties" in out or "patternProperties" in out:
        out.setdefault("additionalProperties", False)
    return out
