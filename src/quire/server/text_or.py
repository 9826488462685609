"""A field that is text or a list, told apart by its form: what is wrong in a list is said of that list."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import Discriminator, Tag

from quire.server.limits import Items

_Item = TypeVar("_Item")


def _form(value: Any) -> str:
    return "list" if isinstance(value, list) else "text"


TextOr = Annotated[
    Annotated[str, Tag("text")] | Annotated[Items[_Item], Tag("list")],
    Discriminator(_form),
]
