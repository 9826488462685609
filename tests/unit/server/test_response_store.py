"""The store of replies: bounded by count, bytes and time, apart for every tenant, shared through a file."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from quire.server.response_store import Record, ResponseStore


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def reply(name: str, previous: str | None = None, text: str = "Hello.", status: str = "completed") -> Record:
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return Record({"id": name, "status": status, "output": [item]}, [], previous)


def store(most: int = 100, most_bytes: int = 2**20, ttl_s: float = 1e6, **more: Any) -> ResponseStore:
    return ResponseStore(most, most_bytes, ttl_s, clock=more.pop("clock", None) or Clock(), **more)


def test_a_reply_is_found_by_whoever_asked_for_it_and_nobody_else() -> None:
    async def story() -> None:
        kept = store()
        assert await kept.put(reply("resp_1"), "ann")
        found = await kept.get("resp_1", "ann")
        assert found is not None and found.response["id"] == "resp_1"
        assert await kept.get("resp_1", "ben") is None
        assert not await kept.delete("resp_1", "ben")
        assert not await kept.ask_cancel("resp_1", "ben")
        assert await kept.chain("resp_1", "ben", 10, 2**20) == ([], "resp_1", False)
        assert await kept.delete("resp_1", "ann")
        assert await kept.get("resp_1", "ann") is None

    asyncio.run(story())


def test_the_count_is_bounded_and_the_least_recently_used_goes_first() -> None:
    async def story() -> None:
        kept = store(most=3)
        for name in ("a", "b", "c"):
            await kept.put(reply(name), "")
        await kept.get("a", "")
        await kept.put(reply("d"), "")
        assert [await kept.get(name, "") is not None for name in "abcd"] == [True, False, True, True]
        assert (await kept.sizes())[0] == 3

    asyncio.run(story())


def test_the_bytes_are_bounded_and_one_that_is_too_large_alone_is_not_kept() -> None:
    async def story() -> None:
        kept = store(most_bytes=10_000)
        for number in range(20):
            assert await kept.put(reply(f"r{number}", text="x" * 1000), "")
            assert (await kept.sizes())[1] <= 10_000
        assert not await kept.put(reply("large", text="x" * 10_000), "")
        assert await kept.get("large", "") is None
        assert await kept.get("r19", "") is not None

    asyncio.run(story())


def test_a_store_of_size_zero_keeps_nothing() -> None:
    async def story() -> None:
        assert not await store(most=0).put(reply("a"), "")

    asyncio.run(story())


def test_a_reply_that_nobody_used_for_long_is_forgotten() -> None:
    async def story() -> None:
        clock = Clock()
        kept = store(ttl_s=60, clock=clock)
        await kept.put(reply("old"), "")
        await kept.put(reply("used"), "")
        clock.now += 40
        assert await kept.get("used", "") is not None
        clock.now += 40
        assert await kept.get("old", "") is None
        assert await kept.get("used", "") is not None

    asyncio.run(story())


def test_one_tenant_cannot_push_out_another() -> None:
    async def story() -> None:
        kept = store(most=10)
        await kept.put(reply("mine"), "quiet")
        for number in range(100):
            await kept.put(reply(f"r{number}"), "loud")
        assert await kept.get("mine", "quiet") is not None

    asyncio.run(story())


def test_a_chain_is_told_oldest_first_with_the_place_where_it_breaks() -> None:
    async def story() -> None:
        kept = store()
        for name, previous in (("a", None), ("b", "a"), ("c", "b")):
            await kept.put(reply(name, previous), "")
        records, missing, bound = await kept.chain("c", "", 10, 2**20)
        assert [r.response["id"] for r in records] == ["a", "b", "c"] and missing is None and not bound
        assert (await kept.chain("c", "", 2, 2**20))[1:] == ("a", True)
        assert (await kept.chain("c", "", 10, 100))[1:] == ("b", True)
        await kept.delete("a", "")
        records, missing, bound = await kept.chain("c", "", 10, 2**20)
        assert [r.response["id"] for r in records] == ["b", "c"] and missing == "a" and not bound

    asyncio.run(story())


def test_a_chain_that_is_in_use_outlives_newer_replies() -> None:
    async def story() -> None:
        kept = store(most=4)
        await kept.put(reply("a"), "")
        await kept.put(reply("b", "a"), "")
        for number in range(20):
            await kept.chain("b", "", 10, 2**20)
            await kept.put(reply(f"r{number}"), "")
        assert (await kept.chain("b", "", 10, 2**20))[1] is None

    asyncio.run(story())


def test_what_was_deleted_while_it_was_made_stays_deleted() -> None:
    async def story() -> None:
        kept = store()
        await kept.put(reply("a", status="in_progress"), "")
        assert await kept.wanted("a")
        await kept.delete("a", "")
        assert not await kept.wanted("a")
        assert not await kept.put(reply("a"), "", again=True)
        assert await kept.get("a", "") is None

    asyncio.run(story())


def test_two_processes_share_a_file_that_only_their_user_reads(tmp_path: Path) -> None:
    async def story() -> None:
        path = str(tmp_path / "responses.sqlite")
        one, two = store(path=path), store(path=path)
        await one.put(reply("a", text="früh"), "ann")
        found = await two.get("a", "ann")
        assert found is not None and found.response["output"][0]["content"][0]["text"] == "früh"
        await two.ask_cancel("a", "ann")
        assert not await one.wanted("a")
        await asyncio.gather(
            *(s.put(reply(f"{i}-{n}"), "") for i, s in enumerate((one, two)) for n in range(50))
        )
        assert (await one.sizes())[0] == 100
        one.close()
        two.close()
        for file in tmp_path.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file

    old = os.umask(0)
    try:
        asyncio.run(story())
    finally:
        os.umask(old)


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_reply_whose_process_has_gone_says_so(tmp_path: Path, status: str) -> None:
    path = str(tmp_path / "responses.sqlite")
    child = os.fork()
    if child == 0:
        asyncio.run(store(path=path).put(reply("a", status=status), ""))
        os._exit(0)
    os.waitpid(child, 0)

    async def story() -> None:
        found = await store(path=path).get("a", "")
        assert found is not None and found.response["status"] == "failed"
        assert "stopped" in found.response["error"]["message"]

    asyncio.run(story())
