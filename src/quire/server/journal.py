"""The last requests and where their time went: ids, states and seconds, never text.

Open requests are kept as they are, ended ones up to a number. When several processes share a server's folder
each writes its requests into a ring of slots there, so that any of them can be asked about all.
"""

from __future__ import annotations

import mmap
import os
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from quire.engine.client import account
from quire.outputs import RequestMetrics
from quire.server.access import Exchange
from quire.types import Progress

SLOT = 1024  # bytes of one request in the ring
OPEN = ("queued", "running", "preempted")
WORST = ("running", "preempted", "queued", "failed", "aborted", "refused", "finished")
TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens")
_PART = re.compile(r"(?<=[0-9a-f]{32})-\d+$")
STATES = {"stop": "finished", "length": "finished", "abort": "aborted", "error": "failed"}


class Record:
    """One request to the engine, from the front end's side."""

    __slots__ = (
        "answers", "begun", "cached", "client_s", "created", "engine", "exchange", "finish", "first", "id",
        "last", "metrics", "prompt", "refused", "request_id", "route", "slot", "taken", "tenant", "tokens",
    )  # fmt: skip

    def __init__(self, id: str, tenant: str, exchange: Exchange | None = None, answers: int = 1):
        self.id, self.tenant, self.answers = id, tenant, answers
        self.exchange = exchange  # until nobody reads it any more
        self.request_id = "" if exchange is None else exchange.request_id
        self.route = "" if exchange is None else exchange.route
        self.created, self.begun = time.time(), time.perf_counter()
        self.first: float | None = None  # when its first token came
        self.last = self.begun  # when anything came, or when it ended
        self.prompt = self.cached = self.tokens = 0
        self.finish = ""
        self.taken = self.refused = False  # by the engine
        self.client_s = 0.0
        self.metrics = RequestMetrics()
        self.slot = -1
        self.engine = 0  # the one that answers it, once that is known

    @property
    def state(self) -> str:
        if self.finish:
            return "refused" if self.refused else STATES.get(self.finish, "failed")
        return "queued" if self.first is None else "running"

    def decoding(self, now: float) -> float | None:
        """Seconds since its first token, less those it was preempted."""
        if self.first is None or self.finish in ("stop", "length"):
            return self.metrics.decode
        return now - self.first - self.metrics.preempted

    def shown(self) -> dict[str, Any]:
        m, end = self.metrics, self.last if self.finish else time.perf_counter()
        return {
            "id": self.id,
            "request_id": self.request_id,
            "tenant": self.tenant,
            "route": self.route,
            "state": self.state,
            "created": round(self.created, 3),
            "seconds": {
                "total": _s(end - self.begun),
                "first_token": None if self.first is None else _s(self.first - self.begun),
                "queued": _s(m.queued),
                "prefill": _s(m.prefill),
                "decode": _s(self.decoding(end)),
                "preempted": _s(m.preempted),
                "client": _s(self.client_s),
            },
            "preemptions": m.preemptions,
            "preempted_by": m.preempted_by[:4],
            "blocked_on": m.blocked_on or None,
            "blocked_by": m.blocked_by[:4],
            "prompt_tokens": self.prompt,
            "cached_tokens": self.cached,
            "completion_tokens": self.tokens,
            "finish_reason": None if self.refused else self.finish or None,
        }


def brought_up(shown: dict[str, Any], told: Sequence[Progress], waits_for: str) -> dict[str, Any]:
    """A record of an open request with what the engine says of it now.

    Of one that is not with the engine nothing is told: `waits_for` says why.
    """
    total, now = time.time() - shown["created"], time.perf_counter()
    seconds = {**shown["seconds"], "total": _s(total)}
    shown = {**shown, "seconds": seconds}
    if not told:
        if shown["state"] == "queued":
            seconds["queued"], shown["blocked_on"] = _s(total), waits_for or None
        return shown
    m, t = RequestMetrics(), told[0].timeline
    account(m, dict(enumerate(p.timeline for p in told)), now)
    seconds |= {name: _s(getattr(m, name)) for name in ("queued", "prefill", "decode", "preempted")}
    if t.prefilled is not None:
        seconds["first_token"] = _s(total - (now - t.prefilled))
    waits = any(p.resumed is None for p in t.preemptions)
    return shown | {
        "state": "preempted" if waits else "queued" if t.planned is None else "running",
        "preemptions": m.preemptions,
        "preempted_by": m.preempted_by[:4],
        "blocked_on": m.blocked_on or None,
        "blocked_by": m.blocked_by[:4],
        "prompt_tokens": told[0].prompt,
        "cached_tokens": told[0].cached,
        "completion_tokens": max(shown["completion_tokens"], sum(p.tokens for p in told)),
    }


def _s(seconds: float | None) -> float | None:
    return None if seconds is None else round(max(0.0, seconds), 6)


class Journal:
    def __init__(self, keep: int, folder: Path | None = None):
        self._keep = keep
        self._open: dict[str, Record] = {}
        self._ended: OrderedDict[str, Record] = OrderedDict()
        self._ring = None if folder is None else Ring(folder, keep)

    def begin(self, record: Record) -> None:
        self._open[record.id] = record
        if self._ring is not None:
            self._ring.write(record)

    def end(self, record: Record) -> None:
        if self._open.get(record.id) is record:
            del self._open[record.id]
        self._ended[record.id] = record
        if len(self._ended) > self._keep:
            self._ended.popitem(last=False)
        self.update(record)

    def update(self, record: Record) -> None:
        """It has changed: tells the other processes."""
        if self._ring is not None:
            self._ring.write(record)

    def recent(self, tenant: str, limit: int) -> list[dict[str, Any]]:
        """The tenant's requests, the latest first; to be `masked` before anyone sees them."""
        mine = [r for r in (*self._open.values(), *self._ended.values()) if r.tenant == tenant]
        mine.sort(key=lambda r: -r.created)
        found = [r.shown() for r in mine[:limit]]
        found += (r for r in self._others() if r["tenant"] == tenant)
        found.sort(key=lambda r: -r["created"])
        return found[:limit]

    def find(self, id: str, tenant: str) -> list[dict[str, Any]]:
        """A request by its own id, or all that belong to a reply or an HTTP request; to be `masked`, too."""
        record = self._open.get(id) or self._ended.get(id)
        if record is not None:
            found = [record.shown()]
        else:
            found = [
                r.shown()
                for r in (*self._open.values(), *self._ended.values())
                if _is_of(r.id, r.request_id, id)
            ]
            found += (r for r in self._others(id) if r["id"] == id or _is_of(r["id"], r["request_id"], id))
        mine = [r for r in found if r["tenant"] == tenant]
        return sorted(mine, key=lambda r: (r["created"], len(r["id"]), r["id"]))

    def masked(self, found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Records for their owner: others' requests that were in the way stay nameless."""
        owners = {r["id"]: r["tenant"] for r in self._others()}
        owners |= {r.id: r.tenant for r in (*self._ended.values(), *self._open.values())}
        return [_masked(shown, owners) for shown in found]

    def _others(self, id: str = "") -> Iterator[dict[str, Any]]:
        if self._ring is not None:
            yield from self._ring.others(id.encode())


def reply_id(id: str) -> str:
    """The id of the reply that a request is a part of; mostly its own."""
    return _PART.sub("", id)


def _is_of(id: str, request_id: str, asked: str) -> bool:
    return request_id == asked or (id.startswith(asked) and reply_id(id) == asked)


def summed(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Several requests of one HTTP request as one; the times of each stand in its part."""
    first = parts[0]
    end = max(r["created"] + r["seconds"]["total"] for r in parts)
    states = {r["state"] for r in parts}
    return {
        "id": reply_id(first["id"]),
        **{name: first[name] for name in ("request_id", "tenant", "route")},
        "state": next(s for s in WORST if s in states),
        "created": first["created"],
        "seconds": {"total": _s(end - first["created"])},
        **{name: sum(r[name] for r in parts) for name in TOKENS},
        "parts": list(parts),
    }


def _masked(shown: dict[str, Any], owners: dict[str, str]) -> dict[str, Any]:
    mine = shown["tenant"]

    def name(id: str) -> str:
        owner = owners.get(id, "" if not mine else None)
        return id if owner == mine else "another tenant"

    lists = {key: dict.fromkeys(map(name, shown[key])) for key in ("preempted_by", "blocked_by")}
    return shown | {key: [i for i in names if i != shown["id"]] for key, names in lists.items()}


class Ring:
    """This process's requests, one JSON line per slot; the oldest slot is written over."""

    def __init__(self, folder: Path, slots: int):
        self._folder, self._slots = folder, slots
        self._file = folder / f"requests-{os.getpid()}-{secrets.token_hex(4)}"
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.ftruncate(descriptor, slots * SLOT)
            self._map = mmap.mmap(descriptor, slots * SLOT)
        finally:
            os.close(descriptor)
        self._encode = msgspec.json.Encoder().encode
        self._holder: list[Record | None] = [None] * slots
        self._next = 0

    def write(self, record: Record) -> None:
        if record.slot < 0 or self._holder[record.slot] is not record:
            record.slot, self._next = self._next, (self._next + 1) % self._slots
            self._holder[record.slot] = record
        line = self._encode(record.shown())
        if len(line) < SLOT:
            at = record.slot * SLOT
            self._map[at : at + SLOT] = line.ljust(SLOT, b"\n")

    def others(self, id: bytes) -> Iterator[dict[str, Any]]:
        """What other processes wrote; only lines that hold `id`."""
        for file in sorted(self._folder.glob("requests-*")):
            if file == self._file:
                continue
            content = file.read_bytes()
            if id and id not in content:
                continue
            for at in range(0, len(content), SLOT):
                line = content[at : at + SLOT]
                if not line.startswith(b"{") or (id and id not in line):
                    continue
                try:
                    yield msgspec.json.decode(line)
                except msgspec.DecodeError:
                    continue  # it is being written
