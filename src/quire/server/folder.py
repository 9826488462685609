"""The private folder of a server's processes: its sockets, and what its front ends share.

The supervisor holds a lock in it as long as it lives, from before the lock has its name. So a folder whose
lock nobody holds belonged to a server that was killed before it could clean up; the next one removes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "quire-"
LOCK = "lock"
LONGEST_PATH = 100  # of a Unix socket, with room to spare


class PrivateFolder:
    """Only this user sees into it; its sockets' paths are short enough for the kernel."""

    def __init__(self, place: str | None = None):
        place = place or _place()
        sweep(place)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=place)  # mode 0700
        lock = os.path.join(self.path, LOCK)
        self._lock = os.open(f"{lock}.new", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(f"{lock}.new", lock)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def sweep(place: str) -> list[str]:
    """Removes this user's folders that no server holds any more; returns their paths."""
    removed = []
    for folder in Path(place).glob(f"{PREFIX}*"):
        try:
            info = (folder / LOCK).lstat()
            if folder.is_symlink() or info.st_uid != os.getuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:  # not one of ours, or gone meanwhile
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue  # its server lives
        else:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(str(folder))
        finally:
            os.close(lock)
    return removed


def _place() -> str:
    place = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    if not os.access(place, os.W_OK) or len(place) > LONGEST_PATH - 30:
        place = "/tmp"
    return place
