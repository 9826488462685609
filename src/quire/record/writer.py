"""Writes a record while an engine runs: a few bytes for each step, some more for each request.

Prompts are kept as the hashes of their blocks, keyed with a secret that is never written: equal beginnings
can be recognized, contents cannot, not even guessed and compared. What a step has in common with the one
before it is not written again. A file that cannot be written ends the record, never the engine.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from quire.errors import BadRecord
from quire.record import format as f
from quire.record.reader import whole_bytes
from quire.types import Plan, Request, Result, RowIndex

log = logging.getLogger("quire")

FLUSH_BYTES = 1 << 16
FLUSH_S = 1.0
KNOWN = 1 << 17  # hashes remembered, so that a prefix that comes again costs a number; about 20 MB


class Recorder:
    """One engine's life, from now on. Times are seconds of `clock`."""

    def __init__(
        self,
        path: str | Path,
        header: f.Header,
        secret: bytes = b"",
        clock: Callable[[], float] = time.perf_counter,
    ):
        """Goes on with a record that is there already. `secret` is shared by records that belong together."""
        self.path = Path(path)
        self.written = 0  # bytes, of this life
        self._clock = clock
        self._secret = (secret or os.urandom(32))[:64]
        self._out = bytearray(b"E")
        self._numbers: dict[str, int] = {}  # requests that have not ended
        self._count = 0
        self._tenants = {"": 0}
        self._nodes: dict[bytes, int] = {}  # a block's hash → its number, the oldest use first
        self._node_count = 0
        self._rows: RowIndex = np.zeros(0, np.int64)  # of the last step
        self._last = self._flushed = clock()
        self._file: int | None = _opened(self.path)
        self._write(f.MAGIC if os.fstat(self._file).st_size == 0 else b"")
        self._write(f.framed(header.packed()))

    # -- what happens ----------------------------------------------------------------------------------

    def added(self, request: Request, digests: Sequence[bytes], now: float) -> None:
        out = self._event(f.ADDED, now)
        self._numbers[request.id] = self._count
        self._count += 1
        priority, fair = request.params.priority, (request.tenant, request.weight) != ("", 1.0)
        flags = f.REUSES * request.reuse_prefix | f.POOLS * (request.pooling is not None)
        flags |= f.STREAMS * request.stream | f.PRIORITY * bool(priority) | f.TENANT * fair
        out.append(flags)
        f.put(out, max(0, round((now - request.arrival) * 1e6)))
        f.put(out, len(request.prompt))
        f.put(out, request.limit - len(request.prompt))
        f.put(out, max(0, request.floor - len(request.prompt)))
        if priority:
            f.put(out, f.zigzag(priority))
        if fair:
            f.put(out, self._tenants.setdefault(request.tenant, len(self._tenants)))
            f.put(out, round(request.weight * 1e6))
        self._put_chain(out, [self._hash(digest) for digest in digests])
        self._flush_if_due(now)

    def stepped(self, plan: Plan, now: float) -> None:
        out = self._event(f.STEPPED, now)
        admitted = plan.admitted
        running = plan.rows[: len(plan.rows) - len(admitted)] if admitted else plan.rows
        flags, left = self._compared(running)
        other = (plan.count != 1).nonzero()[0].tolist()
        out.append(flags | f.COUNTS * bool(other) | f.ADMITTED * bool(admitted))
        if flags & f.OTHER_ROWS:
            _put_all(out, running.tolist())
        elif flags & f.LEFT:
            _put_all(out, left)
        if admitted:
            f.put(out, len(admitted))
            for a in admitted:
                f.put(out, self._numbers[a.request.id])
                f.put(out, a.row)
                f.put(out, a.computed)
        if other:
            _put_all(out, [n for i in other for n in (i, int(plan.count[i]))])
        self._rows = plan.rows

    def committed(self, plan: Plan, result: Result, now: float, idle: bool) -> None:
        """The oldest step in flight came back. `idle`: nobody is left to wait for."""
        out = self._event(f.COMMITTED, now)
        odd = (result.counts != plan.samples).nonzero()[0].tolist()
        _put_all(out, [n for i in odd for n in (i, int(result.counts[i]))])
        _put_all(out, sorted(result.failed))
        self._flush_if_due(now, idle)

    def step_failed(self, now: float) -> None:
        self._event(f.STEP_FAILED, now)
        self._flush_if_due(now, True)

    def ended(
        self, request: Request, reason: str, tokens: int, digests: Sequence[bytes], by_step: bool, now: float
    ) -> None:
        """`digests` are those of the answer's blocks that got a name, with the prompt's before them."""
        out = self._event(f.ENDED, now)
        f.put(out, self._numbers.pop(request.id))
        out.append(f.REASONS.index(reason) << 1 | by_step)
        f.put(out, tokens)
        self._put_chain(out, [self._hash(digest) for digest in digests])

    def forgot(self, now: float) -> None:
        """All prefixes are forgotten."""
        self._event(f.FORGOT, now)

    # -- how it is written -----------------------------------------------------------------------------

    def _event(self, kind: int, now: float) -> bytearray:
        out, since = self._out, max(0, round((now - self._last) * 1e6))
        self._last += since / 1e6  # so that roundings do not add up
        out.append(kind)
        f.put(out, since)
        return out

    def _hash(self, digest: bytes) -> bytes:
        return blake2b(digest, digest_size=f.HASH, key=self._secret).digest()

    def _put_chain(self, out: bytearray, hashes: list[bytes]) -> None:
        """The number of the last block that is known (0: none), then the hashes of those after it."""
        nodes, known, last = self._nodes, 0, 0
        for name in hashes:
            node = nodes.pop(name, 0)
            if not node:
                break
            nodes[name] = last = node
            known += 1
        f.put(out, last)
        f.put(out, len(hashes) - known)
        for name in hashes[known:]:
            self._node_count += 1
            nodes.pop(name, None)
            nodes[name] = self._node_count
            out += name
        while len(nodes) > KNOWN:
            del nodes[next(iter(nodes))]

    def _compared(self, running: RowIndex) -> tuple[int, list[int]]:
        """What the rows of a step are: those of the last one, or some of them, or others."""
        before = self._rows
        if running is before or np.array_equal(running, before):
            return 0, []
        stayed = np.isin(before, running)
        if np.array_equal(running, before[stayed]):
            return f.LEFT, (~stayed).nonzero()[0].tolist()
        return f.OTHER_ROWS, []

    def _flush_if_due(self, now: float, soon: bool = False) -> None:
        if soon or len(self._out) >= FLUSH_BYTES or now - self._flushed >= FLUSH_S:
            self.flush()

    def flush(self) -> None:
        self._flushed = self._clock()
        if len(self._out) > 1:
            self._write(f.framed(bytes(self._out)))
            self._out = bytearray(b"E")

    def _write(self, data: bytes) -> None:
        if self._file is None:
            return
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._file, view) :]
            self.written += len(data)
        except OSError as e:
            log.error("%s cannot be written any more (%s); what follows is not recorded", self.path, e)
            os.close(self._file)
            self._file = None

    def close(self) -> None:
        self.flush()
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _put_all(out: bytearray, values: Sequence[int]) -> None:
    f.put(out, len(values))
    for value in values:
        f.put(out, value)


def _opened(path: Path) -> int:
    """The file, ready for another frame: a torn one at its end is cut off. Nobody else may write to it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as e:
        raise _unwritable(path, e.strerror or str(e)) from e
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _unwritable(path, "it is no plain file")
        _claim(path, descriptor)
        os.ftruncate(descriptor, whole_bytes(path))
        _claim(path, descriptor)  # again: whoever closes a file, as reading it does, lets go of it
    except OSError as e:
        os.close(descriptor)
        raise _unwritable(path, e.strerror or str(e)) from e
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _unwritable(path: Path, why: str) -> BadRecord:
    return BadRecord(f"{path} cannot be written: {why}; name another file with --record")


def _claim(path: Path, descriptor: int) -> None:
    """Until this process ends or closes it; two that wrote by turns would leave what nobody can read."""
    try:
        import fcntl
    except ImportError:  # no such locks here
        return
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise _unwritable(path, "another process is recording to it") from None
    except OSError:  # a file system without locks
        return
