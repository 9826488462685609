"""The parts of batches that need no engine: lines, journals, the window."""

from __future__ import annotations

import asyncio
import json
import os
import resource
from pathlib import Path

import pytest

from quire.errors import NotFound
from quire.server.batch_lines import Journal, Line, Reply, answered, count_lines, read_lines, refused
from quire.server.batch_run import Window
from quire.server.contract import Status
from quire.server.options import ServerConfig
from quire.server.store import FileRecord, Store, storage_root
from quire.server.upload import harmless

URL = "/v1/completions"
BATCH = "batch_" + "a" * 32


def line(name: str, **body: object) -> bytes:
    return json.dumps(
        {"custom_id": name, "method": "POST", "url": URL, "body": {"prompt": "a", **body}}
    ).encode()


def written(folder: Path, data: bytes) -> Path:
    path = folder / "input"
    path.write_bytes(data)
    return path


def test_lines_keep_the_numbers_an_editor_shows(tmp_path: Path):
    file = written(tmp_path, b"\xef\xbb\xbf" + line("a") + b"\r\n\r\n \n" + line("b") + b"\n" + line("c"))
    lines = list(read_lines(file, URL, 1000, 64))
    assert [(found.number, found.custom_id, found.wrong) for found in lines] == [
        (1, "a", None),
        (4, "b", None),
        (5, "c", None),
    ]
    assert count_lines(file, 100) == 3


def test_a_line_beyond_its_limit_is_skipped_and_the_next_one_read(tmp_path: Path):
    file = written(tmp_path, line("a") + b"\n" + line("b", prompt="x" * 5000) + b"\n" + line("c") + b"\n")
    a, b, c = read_lines(file, URL, 1000, 64)
    assert a.wrong is None and c.custom_id == "c" and c.wrong is None
    assert b.number == 2 and b.wrong is not None and "1,000 bytes" in b.wrong


def test_a_line_has_the_lowest_priority_whatever_it_asks_for(tmp_path: Path):
    [found] = read_lines(written(tmp_path, line("a", priority=-5)), URL, 1000, 64)
    assert json.loads(found.body)["priority"] == 2**31 - 1


def test_counting_stops_where_there_are_too_many(tmp_path: Path):
    file = written(tmp_path, b"x\n" * 2**20)
    assert 10 < count_lines(file, 10) < 2**20
    assert count_lines(written(tmp_path, b"\n\n  \n"), 10) == 0
    assert count_lines(written(tmp_path, b"x"), 10) == 1


def results(*numbers: int) -> bytes:
    return b"".join(answered(BATCH, Line(n, f"n{n}", b""), Reply(200, (), b'{"x": 1}')) for n in numbers)


@pytest.mark.parametrize(
    "torn", [b"", b"{", b'{"id": "batch_req_a_7"}', b'{"id": "batch_req_a_7', b"\x00\x00\n", b"\xff"]
)
def test_a_journal_mends_a_torn_end(tmp_path: Path, torn: bytes):
    path = tmp_path / "journal"
    path.write_bytes(results(3, 1) + torn)

    async def scenario() -> None:
        journal = Journal(path)
        assert journal.open() == {1, 3}
        await asyncio.gather(*(journal.add(refused(BATCH, Line(n, None, b""), "c", "m")) for n in (4, 5)))
        await journal.close()
        assert Journal(path).open() == {1, 3, 4, 5}

    asyncio.run(scenario())
    assert path.read_bytes().startswith(results(3, 1)) and path.read_bytes().count(b"\n") == 4


def test_a_journal_takes_back_what_a_full_disk_cut_off(tmp_path: Path):
    path = tmp_path / "journal"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    async def scenario() -> None:
        journal = Journal(path)
        journal.open()
        await journal.add(results(1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(results(1)) + 20, before[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                await journal.add(results(2))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_bytes() == results(1)
        await journal.add(results(3))
        await journal.close()

    asyncio.run(scenario())
    assert Journal(path).open() == {1, 3}


def test_a_reply_that_somebody_else_cut_short_is_known():
    cut = b'{"choices": [{"finish_reason": "abort"}]}'
    assert Reply(200, (), cut).cut_short
    assert not Reply(200, (), b'{"choices": [{"finish_reason": "stop", "text": "\\"abort\\""}]}').cut_short
    assert not Reply(400, (), cut).cut_short


def test_the_window_shrinks_as_others_come_and_closes_when_one_waits():
    now: Status = {"state": "ready", "generation": 1, "stalled": 0.0, "running": 0, "waiting": 0}

    async def scenario() -> None:
        window = Window(8, lambda: now)
        assert window.allowed() == 8
        for _ in range(8):
            await window.take()
        now["running"] = 8  # these are ours
        assert window.allowed() == 8
        now["running"] = 9
        assert window.allowed() == 4
        now["waiting"] = 1
        assert window.allowed() == 0
        now.update(running=500, waiting=0)
        assert window.allowed() == 1
        now.update(running=8, state="restarting")
        assert window.allowed() == 0
        waiting = asyncio.create_task(window.take())
        await asyncio.sleep(0.1)
        assert not waiting.done()
        now["state"] = "ready"
        window.give()
        now["running"] = 7
        await asyncio.wait_for(waiting, 1)

    asyncio.run(scenario())


def test_ids_are_the_only_names_on_the_disk(tmp_path: Path):
    store = Store(tmp_path)
    for name in (
        "../x",
        "file-" + "A" * 32,
        "file-" + "0" * 33,
        "",
        "file-" + "0" * 31 + "\n",
        "/etc/passwd",
    ):
        with pytest.raises(NotFound):
            store.files.path(name, "data")


def test_a_sweep_removes_what_has_expired_or_belongs_to_nobody(tmp_path: Path):
    store = Store(tmp_path)
    kept, old = f"file-{'1' * 32}", f"file-{'2' * 32}"
    for name, expires in ((kept, None), (old, 5)):
        record = FileRecord(
            id=name, tenant="", filename="a", bytes=1, purpose="batch", created_at=1, expires_at=expires
        )
        store.files.put(record)
        store.files.path(name, "data").write_bytes(b"x")
    orphan, fresh = store.files.path(f"file-{'3' * 32}", "data"), store.files.path(f"file-{'4' * 32}", "part")
    for path in (orphan, fresh):
        path.write_bytes(b"x")
    os.utime(orphan, (1, 1))
    store.sweep()
    left = {p.name for p in store.files.folder.iterdir()}
    assert left == {f"{kept}.json", f"{kept}.data", fresh.name}


def test_servers_of_different_models_do_not_share_a_folder():
    one, two = (storage_root(ServerConfig(), name) for name in ("org/model", "../../etc"))
    assert one != two and one.parent == two.parent and one.name == "org-model" and ".." not in two.name
    assert storage_root(ServerConfig(storage_dir="/data"), "x") == Path("/data")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a.jsonl", "a.jsonl"),
        ("../../x", "x"),
        ("c:\\y\\z.txt", "z.txt"),
        ("..", "file"),
        ("", "file"),
        ("a\x00\nb", "ab"),
    ],
)
def test_names_are_made_harmless(name: str, kept: str):
    assert harmless(name) == kept
