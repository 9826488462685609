"""The files of a record: several engines of a server write one each, FILE.0, FILE.1 and so on."""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger("quire")


def part_of(path: str | Path, engine: int) -> Path:
    """Where the engine with this number writes its part."""
    return Path(f"{path}.{engine}")


def parts_of(path: str | Path) -> list[Path]:
    """The file itself, or else the parts that engines wrote beside it, by number; empty if there are none."""
    path = Path(path)
    numbered = [
        (int(found.name.removeprefix(f"{path.name}.")), found)
        for found in (path.parent.iterdir() if path.parent.is_dir() else ())
        if found.name.startswith(f"{path.name}.") and _number(found.name.removeprefix(f"{path.name}."))
    ]
    if path.exists():
        if numbered:
            log.warning("%s is read, and %d parts beside it (%s.N) are not", path, len(numbered), path.name)
        return [path]
    return [found for _, found in sorted(numbered)]


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
