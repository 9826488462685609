"""Runs batches in the steps that others leave idle, and goes on with them after a restart.

Of several processes that share a folder the one with its lock runs all batches; the others only write records
and marks. Lines have the lowest priority, only a few are in flight, fewer while there are other requests, and
none is begun while another request waits. What is in a batch's journals is done; all else is run again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import threading
import time
from collections.abc import AsyncIterator, Callable

from fastapi import FastAPI

from quire.server.admission import Ticket, ticket
from quire.server.batch_lines import (
    Chunks,
    Journal,
    Line,
    answered,
    call,
    count_lines,
    read_lines,
    refused,
    without_gate,
)
from quire.server.contract import Status, Tenant
from quire.server.files import store_for
from quire.server.state import Server
from quire.server.store import BatchRecord, FileRecord, Store

log = logging.getLogger("quire")

LOOK_S = 1.0  # how often the folder is looked at for what other processes have put there
SWEEP_S = 3600.0
SAVE_S = 1.0  # how often a batch's counts are written down
TICK_S = 0.05  # how often a line that waits for its turn looks at the engine
AGAIN_S = 15.0  # after which a batch that met a broken disk is tried again
TRIES = 5  # of a line that the engine did not survive


class Window:
    """How many lines may be in flight: all of `most` on an idle engine, fewer as others need it."""

    def __init__(self, most: int, status: Callable[[], Status]):
        self.most = most
        self.in_flight = 0
        self._status = status
        self._turn = asyncio.Lock()  # first come, first served: batches take turns
        self._given = asyncio.Event()

    def allowed(self) -> int:
        status = self._status()
        if status["state"] != "ready":
            return 0
        running, waiting = status.get("running", 0), status.get("waiting", 0)
        others = max(0, running + waiting - self.in_flight)
        if others and waiting:
            return 0
        return max(1, self.most // (1 + others))

    async def take(self) -> None:
        async with self._turn:
            while self.in_flight >= self.allowed():
                self._given.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(TICK_S):
                        await self._given.wait()
            self.in_flight += 1

    def give(self) -> None:
        self.in_flight -= 1
        self._given.set()


class Runner:
    """One for each application. `wake` says that there is something new in the folder."""

    def __init__(self, app: FastAPI):
        self.app = app
        self.server: Server = app.state.server
        self.store: Store = store_for(app)
        config = self.server.config
        places = (config.scheduler.max_num_seqs or 2**20) * config.parallel.data_parallel_size
        half = places // 2  # others find a place at once
        most = max(1, min(self.server.options.batch_concurrency, half))
        self.window = Window(most, self._status)
        self.inside = without_gate(app)
        self._woken = asyncio.Event()
        self._jobs: dict[str, Job] = {}
        self._ended: set[str] = set()  # batches nobody need look at again
        self._lock: int | None = None
        self._seen = -1  # when the folder was last changed, as far as we know
        self._swept = 0.0

    def wake(self) -> None:
        self._woken.set()

    def _status(self) -> Status:
        status = self.server.engine.status()
        return {**status, "state": "draining"} if self.server.draining else status

    async def ready(self) -> None:
        """Waits until the engine takes requests. A server that is about to stop never does."""
        while self._status()["state"] != "ready":
            await asyncio.sleep(LOOK_S)

    async def run(self) -> None:
        """Until it is cancelled; then lines in flight are ended, and run again by whoever comes next."""
        try:
            while not self.server.draining:
                try:
                    await self._look()
                except Exception as e:  # a disk that fails for a while ends nothing
                    log.warning("the folder of batches cannot be read: %s", type(e).__name__)
                    await asyncio.sleep(LOOK_S)  # whoever woke us still does
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await self._woken.wait()
        finally:
            tasks = [job.task for job in self._jobs.values() if job.task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    async def _look(self) -> None:
        if self._lock is None:
            self._lock = await asyncio.to_thread(self.store.lock)
            if self._lock is None:
                self._woken.clear()
                return
        if time.monotonic() - self._swept > SWEEP_S or not self._swept:
            await asyncio.to_thread(self._sweep)
            self._swept = time.monotonic()
        if self._woken.is_set() or self._changed():
            self._woken.clear()
            for record in await asyncio.to_thread(self._unfinished):
                self._begin(record)

    def _sweep(self) -> None:
        self.store.forget_batches(self.server.options)
        self.store.sweep()
        self._ended &= set(self.store.batches.ids())

    def _changed(self) -> bool:
        """Whether something may be new in the folder. Times are coarse: a recent one counts as new."""
        try:
            changed = os.stat(self.store.batches.folder).st_mtime_ns
        except FileNotFoundError:
            return False
        new = changed != self._seen or time.time_ns() - changed < 2 * 10**9
        self._seen = changed
        return new

    def _unfinished(self) -> list[BatchRecord]:
        found = []
        for batch_id in self.store.batches.ids():
            job = self._jobs.get(batch_id)
            if job is not None and self.store.batches.path(batch_id, "cancel").exists():
                job.cancel_soon()
            if job is not None or batch_id in self._ended:
                continue
            record = self.store.batches.find(batch_id)
            if record is None or record.ended:
                self._ended.add(batch_id)
            else:
                found.append(record)
        return sorted(found, key=lambda r: (r.created_at, r.id))

    def _begin(self, record: BatchRecord) -> None:
        job = self._jobs[record.id] = Job(self, record)
        if self.store.batches.path(record.id, "cancel").exists():
            job.stop.set()
        job.task = asyncio.create_task(self._work(job))

    async def _work(self, job: Job) -> None:
        try:
            await job.run()
            self._ended.add(job.record.id)
            await asyncio.to_thread(self.store.forget_batches, self.server.options)
        except Exception as e:
            log.warning("the batch %s met a %s and is tried again", job.record.id, type(e).__name__)
            await asyncio.sleep(AGAIN_S)
        finally:
            self._jobs.pop(job.record.id, None)
            self.wake()


class Job:
    """One batch while it is run."""

    def __init__(self, runner: Runner, record: BatchRecord):
        self.runner = runner
        self.store = runner.store
        self.record = record
        self.tenant = Tenant(record.tenant, record.weight)
        self.task: asyncio.Task[None] | None = None
        self.stop = asyncio.Event()
        self.output = Journal(self.store.files.path(record.output_id, "data"))
        self.errors = Journal(self.store.files.path(record.error_id, "data"))
        self.done: set[int] = set()
        self._loop = asyncio.get_running_loop()
        self._disk = threading.Lock()  # a record that is written late must not replace a later one
        self._saved = 0.0

    def cancel_soon(self) -> None:
        """From any thread."""
        self._loop.call_soon_threadsafe(self.stop.set)

    async def run(self) -> None:
        record = self.record
        if record.status == "validating" and not await self._validate():
            return
        if record.status != "finalizing":
            try:
                await self._open()
                record.ending = await self._until_the_end()
                if record.ending != "completed":  # results may have been on their way
                    await self._open()
                if record.ending == "expired":
                    await self._expire()
            finally:
                await self._close()
            record.become("finalizing")
            await self._save()
        await asyncio.to_thread(self._finalize)

    async def _validate(self) -> bool:
        """Counts the lines; a batch without any, or with too many, has failed."""
        record, most = self.record, self.runner.server.options.max_batch_lines
        file = self.store.batches.path(record.id, "input")
        code = None
        try:
            record.total = await asyncio.to_thread(count_lines, file, most)
        except FileNotFoundError:
            code, told = "missing_file", "the input file is gone"
        if code is None and record.total > most:
            code, told = "too_many_requests", f"the file has more than {most:,} requests; split it"
        elif code is None and not record.total:
            code, told = "empty_file", "the file has no requests; each line is one"
        if code is None:
            record.become("in_progress")
            await self._save()
            return True
        record.errors = [{"code": code, "message": told, "line": None, "param": "input_file_id"}]
        record.become("failed")
        await self._save()
        self.store.batches.path(record.id, "input").unlink(missing_ok=True)
        return False

    async def _open(self) -> None:
        """Learns from the journals what is done."""
        await self._close()
        answered = await asyncio.to_thread(self.output.open)
        failed = await asyncio.to_thread(self.errors.open)
        self.record.completed, self.record.failed = len(answered), len(failed)
        self.done = answered | failed

    async def _close(self) -> None:
        await self.output.close()
        await self.errors.close()

    async def _until_the_end(self) -> str:
        """Runs the lines until all are done, the time is over or somebody cancels; says which it was."""
        lines = asyncio.create_task(self._run_lines())
        stop = asyncio.create_task(self.stop.wait())
        try:
            left = max(0.0, self.record.expires_at - time.time())
            await asyncio.wait((lines, stop), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if lines.done():
                lines.result()
                return "completed"
            return "cancelled" if stop.done() else "expired"
        finally:
            for task in (lines, stop):
                task.cancel()
            await asyncio.gather(lines, stop, return_exceptions=True)

    async def _todo(self) -> AsyncIterator[Line]:
        options = self.runner.server.options
        file = self.store.batches.path(self.record.id, "input")
        every = read_lines(file, self.record.endpoint, options.max_body_bytes, options.max_json_depth)
        async for some in Chunks(every):
            for line in some:
                if line.number not in self.done:
                    yield line

    async def _run_lines(self) -> None:
        tasks: set[asyncio.Task[None]] = set()
        try:
            async for line in self._todo():
                if line.wrong is not None:
                    told = refused(self.record.id, line, "invalid_request", line.wrong)
                    await self._note(line, told, good=False)
                    continue
                await self.runner.window.take()
                task = asyncio.create_task(self._run_line(line))
                task.add_done_callback(lambda _: self.runner.window.give())
                tasks.add(task)
                for ended in [t for t in tasks if t.done()]:
                    tasks.remove(ended)
                    ended.result()
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_line(self, line: Line) -> None:
        runner, record = self.runner, self.record
        name = f"{record.id}-{line.number}"
        tries = 0
        while True:
            ticket.set(Ticket())
            reply = await call(runner.app, runner.inside, record.endpoint, line.body, self.tenant, name)
            lost = reply.status == 503 or reply.cut_short
            if runner.server.draining and (lost or reply.status == 429):
                await asyncio.Event().wait()  # for whoever comes next
            tries += lost
            if reply.status != 429 and (not lost or tries >= TRIES):
                break
            await asyncio.sleep(reply.retry_after_s * random.uniform(0.5, 1.5))  # apart from its neighbours
            await runner.ready()
        await self._note(line, answered(record.id, line, reply), 200 <= reply.status < 300)

    async def _note(self, line: Line, result: bytes, good: bool) -> None:
        """Writes a result down; the line is done when this returns."""
        await (self.output if good else self.errors).add(result)
        self.done.add(line.number)
        self.record.completed += good
        self.record.failed += not good
        if time.monotonic() - self._saved > SAVE_S:
            await self._save()

    async def _expire(self) -> None:
        told = f"the batch was not done within {self.record.completion_window}"
        async for line in self._todo():
            await self._note(line, refused(self.record.id, line, "batch_expired", told), good=False)

    async def _save(self) -> None:
        self._saved = time.monotonic()
        await asyncio.to_thread(self._put)

    def _put(self) -> None:
        with self._disk:
            self.store.batches.put(self.record)

    def _finalize(self) -> None:
        """Makes files of the journals. Done twice, after a crash, it comes to the same."""
        record, files = self.record, self.store.files
        for file_id, kind in ((record.output_id, "output"), (record.error_id, "error")):
            path = files.path(file_id, "data")
            size = path.stat().st_size if path.exists() else 0
            if not size:
                path.unlink(missing_ok=True)
                continue
            now = int(time.time())
            files.put(
                FileRecord(
                    id=file_id,
                    tenant=record.tenant,
                    filename=f"{record.id}_{kind}.jsonl",
                    bytes=size,
                    purpose="batch_output",
                    created_at=now,
                    expires_at=None if record.keep_s is None else now + record.keep_s,
                )
            )
        if record.ending == "cancelled":
            record.at.setdefault("cancelling", int(time.time()))
        record.become(record.ending)
        self._put()
        for ending in ("input", "cancel"):
            self.store.batches.path(record.id, ending).unlink(missing_ok=True)
