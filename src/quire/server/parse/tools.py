"""The tools of a request, as parsers and grammars need them: a name and a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from quire.errors import BadGrammar, BadParameter
from quire.grammar.schema import checked_schema, read_json

# What may stand between the parts of JSON: what models are trained on, and nothing to get lost in.
_SEPARATORS = {"whitespace_flexible": False, "item_separator": ", ?", "key_separator": ": ?"}
_COMBINED = ("allOf", "anyOf", "oneOf", "not", "if", "$ref", "dependentSchemas")
_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SAID_ONLY = (
    "title",
    "description",
    "default",
    "examples",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
)
MOST_SHARED = 2**20  # characters of definitions, over all arguments that get a copy of them
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True)
class Tool:
    name: str
    schema: dict[str, Any]  # of its arguments
    strict: bool
    index: int  # among the tools of the request

    def bound(self) -> dict[str, Any]:
        """The schema as a grammar takes it, all of it in one, so that its $refs stay true.

        Arguments it does not name are left out, if nothing it combines could name them. Of a tool that is
        not strict, what a grammar cannot check is not checked.
        """
        schema = checked_schema(_bare(self.schema), closed=not _combines(self.schema))
        return {**schema, "x-guidance": {**_SEPARATORS, "lenient": not self.strict}}

    def part(self, schema: Any) -> dict[str, Any]:
        """The same for one argument; definitions come along."""
        return {**(_bare(schema) if isinstance(schema, dict) else {}), **self._shared}

    @cached_property
    def _shared(self) -> dict[str, Any]:
        root = self.bound()
        shared: dict[str, Any] = {k: root[k] for k in ("$defs", "definitions", "x-guidance") if k in root}
        size = len(json.dumps(shared)) * len(self.properties())
        if size > MOST_SHARED and len(shared) > 1:
            raise BadGrammar(
                f"the tool {self.name!r:.80} has {len(self.properties()):,} arguments, and a copy of its "
                f"definitions for each is {size:,} characters; {MOST_SHARED:,} are read"
            )
        return shared

    def properties(self) -> dict[str, Any]:
        found = self.schema.get("properties")
        return found if isinstance(found, dict) else {}

    @cached_property
    def required(self) -> frozenset[str]:
        found = self.schema.get("required")
        return frozenset(k for k in found if isinstance(k, str)) if isinstance(found, list) else frozenset()

    def resolved(self, schema: Any) -> dict[str, Any]:
        """What a $ref within the document leads to."""
        for _ in range(8):
            if not isinstance(schema, dict):
                return {}
            ref = schema.get("$ref")
            if not isinstance(ref, str) or not ref.startswith("#/"):
                return schema
            schema = self.schema
            for name in ref[2:].split("/"):
                schema = schema.get(name) if isinstance(schema, dict) else None
        return {}


def names_of(tools: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(str(_function(tool).get("name", "")) for tool in tools)


def tools_of(tools: Sequence[Mapping[str, Any]]) -> list[Tool]:
    """Raises BadParameter for a schema that is none, BadGrammar for one that is too deep."""
    found = []
    for index, tool in enumerate(tools):
        function = _function(tool)
        name, schema = str(function.get("name", "")), function.get("parameters")
        if schema is None or schema == {}:
            schema = _NO_ARGUMENTS if schema is None else {"type": "object"}
        if not isinstance(schema, dict):
            raise BadParameter(f"the parameters of the tool {name!r:.80} must be a JSON Schema, an object")
        try:
            schema = read_json(json.dumps(schema, allow_nan=False))
        except BadGrammar as e:
            raise BadGrammar(f"the parameters of the tool {name!r:.80}: {e}") from e
        except (TypeError, ValueError, RecursionError) as e:
            raise BadParameter(f"the parameters of the tool {name!r:.80} are not JSON: {e}") from e
        found.append(Tool(name, {"type": "object", **schema}, function.get("strict") is True, index))
    return found


def tools_for(tools: Sequence[Mapping[str, Any]], choice: str) -> list[Tool]:
    """Those a reply may call: "required" is all of them, a name is one."""
    known = tools_of(tools)
    if choice in ("auto", "required"):
        return known
    chosen = [tool for tool in known if tool.name == choice]
    if not chosen:
        names = ", ".join(tool.name for tool in known)[:200]
        raise BadParameter(f"tool_choice names {choice!r:.80}; the tools are {names or 'none'}")
    return chosen


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    function = tool.get("function")
    return function if isinstance(function, Mapping) else tool


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _bare(schema: Any) -> Any:
    """A schema without what it says to readers only: descriptions are most of what tools are made of."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _BY_NAME and isinstance(value, dict):
            out[key] = {name: _bare(inner) for name, inner in value.items()}
        elif key not in _SAID_ONLY:
            out[key] = value if key in ("const", "enum") else _bare(value)
    return out


def _combines(schema: Any) -> bool:
    """Whether properties may be named in more than one place for the same object."""
    return any(
        "allOf" in node or ("properties" in node and any(word in node for word in _COMBINED))
        for node in _nodes(schema)
    )
