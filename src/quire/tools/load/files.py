"""Files that are written when minutes have passed: whether they can be is asked before; none is half done."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quire.errors import BadOption


def check_file(path: str | Path, flag: str) -> None:
    """Raises if a file of this name could not be written. Leaves nothing behind."""
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise BadOption(f"{flag} is {str(path)!r} and there is no folder {path.parent}")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if path.exists():
            path.open("a").close()
        else:
            tempfile.TemporaryFile(dir=path.absolute().parent).close()
    except OSError as e:
        raise unwritable(path, e) from e


@contextmanager
def written(path: str | Path) -> Iterator[Path]:
    """A name to write to, which becomes `path` when all went well; else what was there stays as it was.

    Raises BadOption where the disk is full or gone. What is no plain file, such as /dev/stdout, is written to
    as it is, and so is a file that may be written in a folder that may not.
    """
    real = Path(path).resolve()
    plain = not real.exists() or (real.is_file() and os.access(real.parent, os.W_OK | os.X_OK))
    aside = real.with_name(f".{os.getpid()}-{real.name}") if plain else real
    try:
        yield aside
        if plain:
            _put(aside, real)
    except OSError as e:
        raise unwritable(Path(path), e) from e
    finally:
        if plain:
            every = f"{glob.escape(aside.name)}*"  # torch's profiler writes to another name, too
            for left in real.parent.glob(every):
                left.unlink(missing_ok=True)


def _put(aside: Path, real: Path) -> None:
    try:
        os.replace(aside, real)
    except OSError as e:
        if e.errno not in (errno.EBUSY, errno.EXDEV):
            raise
        shutil.copyfile(aside, real)  # a file that is mounted by itself, as into a container


def unwritable(path: Path, error: OSError) -> BadOption:
    return BadOption(f"{path} cannot be written: {error.strerror or error}")
