"""Files and batches in a folder, so that they outlive the process, however it ends.

`files/` has for each file its content (`.data`) and a record (`.json`); `batches/` has records, a link to
each batch's input and a mark for those to be cancelled. Names are ids of our own, never what a caller sent.
A record is replaced as a whole and is on the disk when a call returns; a content without a record does not
exist. Everything here blocks: callers use a thread.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from quire.errors import NotFound, NotNow
from quire.server.options import ServerConfig

log = logging.getLogger("quire")

ORPHAN_S = 3600.0  # what belongs to nobody for so long is removed
_ID = re.compile(r"(?:file-|batch_)[0-9a-f]{32}")
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


class FileRecord(msgspec.Struct, kw_only=True):
    id: str
    tenant: str
    filename: str
    bytes: int
    purpose: str
    created_at: int
    expires_at: int | None = None

    def shown(self) -> dict[str, Any]:
        """As OpenAI's clients expect it."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": self.bytes,
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            "filename": self.filename,
            "purpose": self.purpose,
            "status": "processed",
            "status_details": None,
        }


class BatchRecord(msgspec.Struct, kw_only=True):
    """`output_id` and `error_id` are decided at the start; they are files once the batch has ended."""

    id: str
    tenant: str
    weight: float
    endpoint: str
    input_file_id: str
    completion_window: str
    created_at: int
    expires_at: int
    output_id: str
    error_id: str
    metadata: dict[str, str] | None = None
    keep_s: int | None = None  # seconds after which its output expires
    status: str = "validating"
    ending: str = "completed"  # what it is about to become, while it is finalizing
    errors: list[dict[str, Any]] = []
    at: dict[str, int] = {}  # status → when it began
    total: int = 0
    completed: int = 0
    failed: int = 0

    @property
    def ended(self) -> bool:
        return self.status in ENDS

    @property
    def ended_at(self) -> int:
        return self.at.get(self.status, self.created_at)

    def become(self, status: str) -> None:
        self.status = status
        self.at[status] = int(time.time())

    def shown(self, cancelling: bool = False) -> dict[str, Any]:
        """As OpenAI's clients expect it. `cancelling`: somebody has asked for it."""
        status = "cancelling" if cancelling and not self.ended else self.status
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": self.endpoint,
            "errors": {"object": "list", "data": self.errors} if self.errors else None,
            "input_file_id": self.input_file_id,
            "completion_window": self.completion_window,
            "status": status,
            "output_file_id": self.output_id if self.ended and self.completed else None,
            "error_file_id": self.error_id if self.ended and self.failed else None,
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            **{f"{name}_at": self.at.get(name) for name in STAMPS},
            "request_counts": {"total": self.total, "completed": self.completed, "failed": self.failed},
            "metadata": self.metadata,
        }


ENDS = frozenset({"completed", "failed", "expired", "cancelled"})
STAMPS = ("in_progress", "finalizing", "completed", "failed", "expired", "cancelling", "cancelled")
Record = TypeVar("Record", FileRecord, BatchRecord)


class Shelf(Generic[Record]):
    """The records of one folder. Another process may add and remove some at any time."""

    def __init__(self, folder: Path, kind: type[Record]):
        self.folder = folder
        self._kind: type[Record] = kind

    def path(self, record_id: str, ending: str) -> Path:
        """Where something of this id is; NotFound for what is no id of ours."""
        if not _ID.fullmatch(record_id):
            raise NotFound(f"there is no {record_id[:60]!r}")
        return self.folder / f"{record_id}.{ending}"

    def put(self, record: Record) -> None:
        make_folder(self.folder)
        replace_file(self.path(record.id, "json"), msgspec.json.encode(record))

    def find(self, record_id: str) -> Record | None:
        try:
            data = self.path(record_id, "json").read_bytes()
            record: Record = msgspec.json.decode(data, type=self._kind)
            return record
        except (FileNotFoundError, NotADirectoryError):
            return None
        except msgspec.DecodeError:
            log.warning("the record of %s cannot be read and is left out", record_id)
            return None

    def get(self, record_id: str, tenant: str) -> Record:
        """Raises NotFound also for what belongs to somebody else."""
        record = self.find(record_id)
        if record is None or record.tenant != tenant:
            raise NotFound(f"there is no {record_id[:60]!r}")
        return record

    def ids(self) -> Iterator[str]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for entry in os.scandir(self.folder):
                name, _, ending = entry.name.partition(".")
                if ending == "json" and _ID.fullmatch(name):
                    yield name

    def of(self, tenant: str) -> list[Record]:
        """Newest first."""
        found = (self.find(i) for i in self.ids())
        mine = [r for r in found if r is not None and r.tenant == tenant]
        return sorted(mine, key=lambda r: (r.created_at, r.id), reverse=True)

    def remove(self, record_id: str, *endings: str) -> None:
        for ending in ("json", *endings):
            self.path(record_id, ending).unlink(missing_ok=True)


class Store:
    def __init__(self, root: Path):
        self.root = root
        self.files: Shelf[FileRecord] = Shelf(root / "files", FileRecord)
        self.batches: Shelf[BatchRecord] = Shelf(root / "batches", BatchRecord)
        self.arriving: Counter[str] = Counter()  # bytes of uploads under way, by tenant

    def file(self, file_id: str, tenant: str) -> FileRecord:
        """A file that has not expired."""
        record = self.files.get(file_id, tenant)
        if record.expires_at is not None and record.expires_at <= time.time():
            self.files.remove(file_id, "data")
            raise NotFound(f"the file {file_id!r} has expired")
        return record

    def usage(self, tenant: str) -> tuple[int, int]:
        """How many files somebody has, and their bytes."""
        mine = self.files.of(tenant)
        return len(mine), sum(r.bytes for r in mine)

    def link_input(self, file_id: str, batch_id: str) -> None:
        """Keeps a batch's input, even if its file is deleted meanwhile."""
        make_folder(self.batches.folder)
        source, target = self.files.path(file_id, "data"), self.batches.path(batch_id, "input")
        try:
            os.link(source, target)
        except FileNotFoundError:
            raise NotFound(f"there is no {file_id!r}") from None
        except OSError:  # a file system without links
            shutil.copyfile(source, target)

    def lock(self) -> int | None:
        """A descriptor that holds the right to run this folder's batches; None if another process has it.

        The kernel gives it back when the process is gone, however it went.
        """
        if not self.root.is_dir():
            return None
        descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor

    def forget_batches(self, options: ServerConfig) -> None:
        """Removes the records of batches that ended too long or too many batches ago."""
        horizon = time.time() - options.ended_batch_ttl
        kept: Counter[str] = Counter()  # by tenant
        found = (self.batches.find(i) for i in self.batches.ids())
        ended = [r for r in found if r is not None and r.ended]
        for record in sorted(ended, key=lambda r: (r.ended_at, r.id), reverse=True):
            kept[record.tenant] += 1
            if record.ended_at < horizon or kept[record.tenant] > options.max_ended_batches:
                self.batches.remove(record.id, "input", "cancel")

    def sweep(self) -> None:
        """Removes expired files, and what a crash left behind. For whoever holds the lock."""
        now = time.time()
        kept = set()
        for batch_id in self.batches.ids():
            batch = self.batches.find(batch_id)
            if batch is not None and not batch.ended:
                kept |= {batch.output_id, batch.error_id, batch.id}
        for file_id in list(self.files.ids()):
            record = self.files.find(file_id)
            if record is not None and record.expires_at is not None and record.expires_at <= now:
                self.files.remove(file_id, "data")
            elif record is not None:
                kept.add(file_id)
        for folder in (self.files.folder, self.batches.folder):
            with contextlib.suppress(FileNotFoundError):
                for entry in os.scandir(folder):
                    _remove_orphan(entry, kept, now)


def _remove_orphan(entry: os.DirEntry[str], kept: set[str], now: float) -> None:
    name, _, ending = entry.name.partition(".")
    if ending == "json" or name in kept:
        return
    with contextlib.suppress(OSError):
        if now - entry.stat(follow_symlinks=False).st_mtime > ORPHAN_S:
            os.unlink(entry.path)


def storage_root(options: ServerConfig, model: str) -> Path:
    """Where files and batches are kept: servers of different models do not run each other's batches."""
    if options.storage_dir is not None:
        return Path(options.storage_dir).expanduser()
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return base / "quire" / (_ODD.sub("-", model).strip(".-")[:100] or "model")


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """A disk that is full or not ours to write is told in words, without paths."""
    try:
        yield
    except OSError as e:
        raise NotNow(
            f"the server cannot write to its folder of files ({os.strerror(e.errno or 0)}); "
            f"--storage-dir chooses another",
            retry_after=30.0,
        ) from e


def make_folder(folder: Path) -> None:
    """Makes it, with those above it, for nobody else to read."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)


def new_file(path: Path) -> int:
    """A descriptor of a file that did not exist, readable by its owner only."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def replace_file(path: Path, data: bytes) -> None:
    """After it, whatever happens, the file is either as it was or as it should be."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(6)}.new")
    descriptor = new_file(aside)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
