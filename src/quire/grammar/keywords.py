"""What a JSON Schema asks for that a library would pass over in silence: it is refused instead.

llguidance says itself what it cannot do. Others leave a keyword out that they do not know, and the answer
would not be what the schema says. A library that is only stricter than the schema is let be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from quire.errors import BadGrammar

_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LITERALS = ("const", "enum", "default", "examples")
_SAYS_NOTHING = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$schema",
        "$id",
        "$comment",
        "$anchor",
        "$defs",
        "definitions",
        "discriminator",
    ]
)
_OF_TYPE = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), ("string",)),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), ("integer", "number")
    ),
    **dict.fromkeys(("minItems", "maxItems", "prefixItems", "items"), ("array",)),
    **dict.fromkeys(
        [
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        ],
        ("object",),
    ),
}
_NEVER = frozenset(
    [
        "not",
        "if",
        "then",
        "else",
        "contains",
        "minContains",
        "maxContains",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "unevaluatedProperties",
        "unevaluatedItems",
        "$dynamicRef",
    ]
)
# Within JSON some characters must be escaped; an expression that could take them as they are breaks it.
_WIDE = re.compile(r"""["\x00-\x1f]|\\[\\SWDsnrtfvxupP0]|\[\^|(?<!\\)(\\\\)*\.""")
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "boolean": (bool,), "null": (type(None),), "array": (list,), "object": (dict,),
    "integer": (int,), "number": (int, float),
}  # fmt: skip


def check_keywords(root: Any, library: str, missing: frozenset[str], formats: frozenset[str]) -> None:
    """Raises BadGrammar for what no other library keeps to, nor this one (`missing`)."""
    for schema in schemas(root):
        for problem in _problems(schema, missing, formats):
            raise BadGrammar(f"{library} does not keep to {problem}; llguidance may, or leave it out")


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema within one; not what only looks like it."""
    if isinstance(value, list):
        for item in value:
            yield from schemas(item)
    elif isinstance(value, dict):
        yield value
        for name, inner in value.items():
            if name in _BY_NAME and isinstance(inner, dict):
                for one in inner.values():
                    yield from schemas(one)
            elif name not in _LITERALS:
                yield from schemas(inner)


def _problems(schema: dict[str, Any], missing: frozenset[str], formats: frozenset[str]) -> Iterator[str]:
    for name in schema:
        if name in _NEVER or name in missing:
            yield f"the keyword {name!r}"
    if schema.get("uniqueItems"):
        yield "the keyword 'uniqueItems'"
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    says = set(schema) - _SAYS_NOTHING
    for name in ("$ref", "anyOf", "oneOf", "allOf"):
        if name in schema and says - {name}:
            yield f"{name!r} beside {sorted(says - {name})[0]!r}"
    if isinstance(schema.get("allOf"), list) and len(schema["allOf"]) > 1:
        yield "'allOf' with more than one schema"
    if isinstance(schema.get("$ref"), str) and not schema["$ref"].startswith("#"):
        yield f"a $ref to another document ({schema['$ref']!r:.80})"
    for name in says & set(_OF_TYPE):
        if not set(_OF_TYPE[name]) & set(kinds) and not {"enum", "const"} & says:
            yield f"{name!r} without a type ({' or '.join(_OF_TYPE[name])})"
    if "pattern" in schema and {"minLength", "maxLength"} & says:
        yield "'pattern' beside 'minLength' or 'maxLength'"
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and _WIDE.search(pattern):
        yield f"a pattern in which quotes or line breaks could stand ({pattern!r:.80})"
    if "format" in schema and schema["format"] not in formats:
        yield f"the format {schema['format']!r:.80}"
    required, known = schema.get("required"), schema.get("properties", {})
    if isinstance(required, list) and isinstance(known, dict):
        yield from (f"'required' of {n!r:.80}, which 'properties' lacks" for n in required if n not in known)
    for value in schema["enum"] if isinstance(schema.get("enum"), list) else []:
        if kinds and not any(_is(value, kind) for kind in kinds):
            yield f"'enum' with {value!r:.80}, which is not of its 'type'"


def _is(value: Any, kind: Any) -> bool:
    if isinstance(value, bool):
        return bool(kind == "boolean")
    return isinstance(value, _TYPES.get(str(kind), ()))
