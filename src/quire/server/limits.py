"""Bounds that request models share: lists and mappings whose checks stop at the first thing wrong.

A list of a million wrong entries would otherwise make a million errors, and each of them is a thousand times
its entry; a list of a million right ones would be checked to its end before anyone counts it. How many of
something a request may have is the routes' business, with the server's options; these are the outer bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

from pydantic import BeforeValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema

MAX_OBJECTS = 16_384  # in a list of messages, tools, parts …
MAX_KEYS = 65_536  # of a mapping whose values are checked one by one
_SIMPLE = ("int", "float", "str", "bool", "any", "list", "literal", "enum")

T = TypeVar("T")


@dataclass(frozen=True)
class StopsAtFirst:
    """Marks a list in a model: its first wrong entry is the only one reported."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if schema["type"] != "list":
            raise TypeError(f"Items is for lists, not for {schema['type']}")
        items = schema.get("items_schema", {"type": "any"})
        most = {} if items["type"] in _SIMPLE else {"max_length": MAX_OBJECTS}
        return cast(CoreSchema, {**most, **schema, "fail_fast": True})


def _few_keys(value: Any) -> Any:
    if isinstance(value, dict) and len(value) > MAX_KEYS:
        raise ValueError(f"has {len(value):,} entries and may have at most {MAX_KEYS:,}")
    return value


Items = Annotated[list[T], StopsAtFirst()]
Entries = Annotated[dict[str, T], BeforeValidator(_few_keys)]


def one_of(*names: str) -> dict[str, Any]:
    """For a model's JSON schema: exactly one of these fields is given."""
    return {
        "oneOf": [{"required": [name], "properties": {name: {"not": {"type": "null"}}}} for name in names]
    }
