"""JSON that others have written, which may be anything."""

from __future__ import annotations

import json
from typing import Any


def json_of(text: bytes | str) -> Any:
    """What it says. Raises ValueError if it is no JSON, or nested more deeply than can be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
