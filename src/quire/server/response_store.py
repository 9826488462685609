"""Keeps replies for `previous_response_id`, within bounds of count, bytes and time.

One SQLite table: in memory where one process serves, in a file of the server's private folder where several
share the port. A reply belongs to its tenant, and nobody else finds it. What has not been used for longest
goes first, and the tenant that holds most gives first, so that one cannot push out the others.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

log = logging.getLogger("quire")

_TABLE = """
CREATE TABLE IF NOT EXISTS responses (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, used REAL NOT NULL, bytes INTEGER NOT NULL,
    owner INTEGER NOT NULL, cancel INTEGER NOT NULL DEFAULT 0, record BLOB NOT NULL
) WITHOUT ROWID
"""
_INDEX = "CREATE INDEX IF NOT EXISTS by_use ON responses (tenant, used, bytes)"  # sums without the records
_SIZES = "SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM responses"
_MOST = "SELECT tenant FROM responses GROUP BY tenant ORDER BY SUM(bytes) DESC, COUNT(*) DESC LIMIT 1"
_OLDEST = "SELECT id FROM responses WHERE tenant = ? AND id != ? ORDER BY used LIMIT 1"
_T = TypeVar("_T")


class Record(msgspec.Struct, frozen=True):
    """A reply as it was given, and the items of its own input (not those of earlier turns)."""

    response: dict[str, Any]
    input: list[dict[str, Any]]
    previous: str | None = None


_decode = msgspec.json.Decoder(Record).decode


class ResponseStore:
    """Its verbs run in a thread of their own: a file that is slow never holds up the event loop."""

    def __init__(
        self,
        most: int,
        most_bytes: int,
        ttl_s: float,
        path: str | None = None,
        clock: Callable[[], float] = time.time,
    ):
        self._most, self._most_bytes, self._ttl_s, self._clock = most, most_bytes, ttl_s, clock
        self._path = path
        self._thread = ThreadPoolExecutor(1, "quire-responses")
        self._open: sqlite3.Connection | None = None

    async def put(self, record: Record, tenant: str, again: bool = False) -> bool:
        """Keeps a reply; returns whether it is kept (one beyond all bounds is not).

        `again`: replaces what is stored of it, unless that has been deleted meanwhile.
        """
        blob = msgspec.json.encode(record)
        name, kept = record.response["id"], self._most > 0 and len(blob) <= self._most_bytes

        def put(db: sqlite3.Connection) -> bool:
            if not kept:
                db.execute("DELETE FROM responses WHERE id = ? AND tenant = ?", (name, tenant))
                return False
            if again:
                change = "UPDATE responses SET used = ?, bytes = ?, record = ? WHERE id = ? AND tenant = ?"
                found = db.execute(change, (self._clock(), len(blob), blob, name, tenant)).rowcount > 0
            else:
                fields = (name, tenant, self._clock(), len(blob), os.getpid(), blob)
                columns = "id, tenant, used, bytes, owner, record"
                db.execute(f"INSERT INTO responses ({columns}) VALUES (?, ?, ?, ?, ?, ?)", fields)
                found = True
            self._shrink(db, name)
            return found

        try:
            return await self._run(put)
        except sqlite3.Error as e:  # the disk is full, say: the reply itself is not the worse for it
            log.warning("a reply could not be stored: %s", e)
            return False

    async def get(self, name: str, tenant: str) -> Record | None:
        """The reply, if it is this tenant's; it counts as used."""

        def get(db: sqlite3.Connection) -> Record | None:
            self._expire(db)
            found = db.execute(
                "UPDATE responses SET used = ? WHERE id = ? AND tenant = ? RETURNING record, owner",
                (self._clock(), name, tenant),
            ).fetchall()
            return _alive(_decode(found[0][0]), found[0][1]) if found else None

        return await self._run(get)

    async def chain(
        self, name: str, tenant: str, most: int, most_bytes: int
    ) -> tuple[list[Record], str | None, bool]:
        """The reply and those before it, oldest first; the id at which it broke off, if it did; and whether
        that was for a bound."""

        def chain(db: sqlite3.Connection) -> tuple[list[Record], str | None, bool]:
            self._expire(db)
            records: list[Record] = []
            wanted: str | None = name
            left = most_bytes
            while wanted is not None and len(records) < most and left >= 0:
                found = db.execute(
                    "UPDATE responses SET used = ? WHERE id = ? AND tenant = ? RETURNING record",
                    (self._clock(), wanted, tenant),
                ).fetchall()
                if not found:
                    return records[::-1], wanted, False
                left -= len(found[0][0])
                records.append(_decode(found[0][0]))
                wanted = records[-1].previous
            return records[::-1], wanted, wanted is not None or left < 0

        return await self._run(chain)

    async def delete(self, name: str, tenant: str) -> bool:
        def delete(db: sqlite3.Connection) -> bool:
            self._expire(db)
            return bool(
                db.execute("DELETE FROM responses WHERE id = ? AND tenant = ?", (name, tenant)).rowcount
            )

        return await self._run(delete)

    async def ask_cancel(self, name: str, tenant: str) -> bool:
        """Leaves word for the process that is at work on it; returns whether there is such a reply."""

        def ask(db: sqlite3.Connection) -> bool:
            word = "UPDATE responses SET cancel = 1 WHERE id = ? AND tenant = ?"
            return bool(db.execute(word, (name, tenant)).rowcount)

        return await self._run(ask)

    async def wanted(self, name: str) -> bool:
        """Whether a reply in progress is still wanted: neither cancelled nor deleted."""

        def wanted(db: sqlite3.Connection) -> bool:
            found = db.execute("SELECT cancel FROM responses WHERE id = ?", (name,)).fetchone()
            return found is not None and not found[0]

        return await self._run(wanted)

    async def sizes(self) -> tuple[int, int]:
        """How many replies are kept, and their bytes."""
        found: tuple[int, int] = await self._run(lambda db: db.execute(_SIZES).fetchone())
        return found

    def close(self) -> None:
        self._thread.shutdown(wait=True)
        if self._open is not None:
            self._open.close()

    async def _run(self, verb: Callable[[sqlite3.Connection], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._within, verb)

    def _within(self, verb: Callable[[sqlite3.Connection], _T]) -> _T:
        if self._open is None:
            self._open = _connect(self._path)
        self._open.execute("BEGIN IMMEDIATE")
        try:
            told = verb(self._open)
        except BaseException:
            self._open.execute("ROLLBACK")
            raise
        self._open.execute("COMMIT")
        return told

    def _expire(self, db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM responses WHERE used < ?", (self._clock() - self._ttl_s,))

    def _shrink(self, db: sqlite3.Connection, newest: str) -> None:
        self._expire(db)
        while True:
            count, held = db.execute(_SIZES).fetchone()
            if count <= self._most and held <= self._most_bytes:
                return
            (tenant,) = db.execute(_MOST).fetchone()
            oldest = db.execute(_OLDEST, (tenant, newest)).fetchone()
            if oldest is None:  # the newest is all this tenant has: anyone's oldest, then
                oldest = db.execute(
                    "SELECT id FROM responses WHERE id != ? ORDER BY used", (newest,)
                ).fetchone()
            db.execute("DELETE FROM responses WHERE id = ?", oldest)


def _connect(path: str | None) -> sqlite3.Connection:
    if path is not None:  # nobody else reads it, whatever the umask is
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    db = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False, timeout=30)
    db.execute("PRAGMA secure_delete = ON")
    if path is not None:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")  # it need not outlive the machine
    db.execute(_TABLE)
    db.execute(_INDEX)
    return db


def _alive(record: Record, owner: int) -> Record:
    """A reply whose process has gone will never be done: it says so."""
    if record.response.get("status") in ("queued", "in_progress") and not _runs(owner):
        gone = {"code": "server_error", "message": "the server stopped while it was at work on this reply"}
        return Record({**record.response, "status": "failed", "error": gone}, record.input, record.previous)
    return record


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
