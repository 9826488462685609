"""Triton's cache of built kernels on disk: where it is, and what if it cannot be written or is damaged."""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from quire.errors import ConfigError

log = logging.getLogger("quire")


def folder() -> Path:
    from triton import knobs

    return Path(knobs.cache.dir)


def ensure_writable() -> None:
    """Kernels built for a folder that cannot be written go into one that this process has for itself."""
    asked = folder()
    try:
        asked.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=asked):
            return
    except OSError as e:
        own = tempfile.mkdtemp(prefix="quire-triton-")
        log.warning(
            "kernels cannot be kept in %s (%s): every start builds them anew, until TRITON_CACHE_DIR names a "
            "folder that can be written",
            asked,
            e.strerror or e,
        )
        atexit.register(_remove, own, os.getpid())
        os.environ["TRITON_CACHE_DIR"] = own


def _remove(own: str, owner: int) -> None:
    if os.getpid() == owner:  # not whoever was forked
        shutil.rmtree(own, ignore_errors=True)


@contextlib.contextmanager
def told_if_damaged() -> Iterator[None]:
    """Whoever cannot read a kernel from the cache is told which folder to delete."""
    try:
        yield
    except Exception as e:
        if not _damaged(e):
            raise
        raise ConfigError(
            f"a kernel cannot be read from {folder()} ({type(e).__name__}: {e}): if that folder is damaged, "
            "delete it, and the next start builds its kernels anew"
        ) from e


def _damaged(error: Exception) -> bool:
    if isinstance(error, OSError):
        return str(error.filename or "").startswith(str(folder()))
    unloadable = str(error).startswith("Triton Error") and "image" in str(error)
    return unloadable or isinstance(error, json.JSONDecodeError)
