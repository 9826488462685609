"""JSON Schemas drawn at random, and a plain reading of what they say."""

from __future__ import annotations

import random
import re
from typing import Any

TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None),
}  # fmt: skip


def draw(r: random.Random, depth: int = 2) -> dict[str, Any]:
    """A schema whose texts are short, however a model rambles."""
    kinds = ["string", "integer", "boolean", "null", "enum", "pattern", "either"]
    match r.choice(kinds + ["object", "array"] * (2 if depth else 0)):
        case "object":
            names = r.sample(["name", "age", "ok", "naïve key", 'with "quotes"', "tags"], r.randrange(1, 4))
            return {
                "type": "object",
                "properties": {name: draw(r, depth - 1) for name in names},
                "required": r.sample(names, r.randrange(len(names) + 1)),
                "additionalProperties": False,
            }
        case "array":
            low = r.randrange(2)
            return {"type": "array", "items": draw(r, depth - 1), "minItems": low, "maxItems": low + 2}
        case "string":
            return {"type": "string", "minLength": r.randrange(3), "maxLength": r.randrange(3, 7)}
        case "integer":
            low = r.randrange(-50, 50)
            return {"type": "integer", "minimum": low, "maximum": low + r.randrange(100)}
        case "enum":
            return {"enum": r.sample(["red", "grün", 1, None, True, [1, "x"], {"a": 2}], 3)}
        case "pattern":
            return {"type": "string", "pattern": r"^[a-f]{2}-\d{3}$"}
        case "either":
            return {"anyOf": [{"type": "boolean"}, {"type": "string", "maxLength": 4}]}
        case kind:
            return {"type": kind}


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether the value is one of the schema's, as far as `draw` goes."""
    if "enum" in schema:
        return any(value == v and type(value) is type(v) for v in schema["enum"])
    if "anyOf" in schema:
        return any(fits(s, value) for s in schema["anyOf"])
    if type(value) is not TYPES[schema["type"]]:
        return False
    match value:
        case dict():
            known = schema["properties"]
            complete = set(schema["required"]) <= set(value) <= set(known)
            return complete and all(fits(known[name], v) for name, v in value.items())
        case list():
            inside = schema["minItems"] <= len(value) <= schema["maxItems"]
            return inside and all(fits(schema["items"], v) for v in value)
        case str() if "pattern" in schema:
            return re.search(schema["pattern"], value) is not None
        case str():
            return schema.get("minLength", 0) <= len(value) <= schema["maxLength"]
        case bool():
            return True
        case int():
            return bool(schema["minimum"] <= value <= schema["maximum"])
    return True
