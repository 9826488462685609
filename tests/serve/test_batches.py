"""Files and batches: with the openai client, after restarts and crashes, between tenants."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from tests.serve.conftest import start

from quire.server.batch_run import Runner
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server
from quire.server.store import BatchRecord, Store

CHAT = "/v1/chat/completions"
ALICE, BOB = "alice-secret", "bob-secret"


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    engine = LocalEngine(max_num_seqs=16, kv_cache_memory_bytes=128 * 2**20)
    yield engine
    engine.shutdown()


@contextlib.contextmanager
def serving(engine: LocalEngine, folder: Path, **options: Any) -> Iterator[str]:
    options = {"storage_dir": str(folder), "api_key": f"{ALICE},{BOB}", **options}
    url, web, thread = start(Server(engine, engine.config, ServerConfig(**options), ["quire-tiny"]))
    try:
        yield url
    finally:
        web.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state") / "deep" / "store"


@pytest.fixture(scope="module")
def served(engine: LocalEngine, folder: Path) -> Iterator[str]:
    with serving(engine, folder, max_file_bytes=2**20, max_files=40, max_batch_lines=100) as url:
        yield url


@pytest.fixture
def client(served: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{served}/v1", api_key=ALICE, max_retries=0)


@pytest.fixture
def bob(served: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{served}/v1", api_key=BOB, max_retries=0)


def chat_line(name: str, text: str = "hello", **body: Any) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    body = {"model": "quire-tiny", "messages": [message], "max_tokens": 4, "temperature": 0, **body}
    return {"custom_id": name, "method": "POST", "url": CHAT, "body": body}


def jsonl(*lines: Any) -> bytes:
    return b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )


def begun(client: openai.OpenAI, *lines: Any, endpoint: str = CHAT, **more: Any) -> Any:
    file = client.files.create(file=("work.jsonl", jsonl(*lines)), purpose="batch")
    more.setdefault("completion_window", "24h")
    return client.batches.create(input_file_id=file.id, endpoint=endpoint, **more)


def until(look: Callable[[], Any], timeout_s: float = 90.0) -> Any:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


def ended(client: openai.OpenAI, batch: Any) -> Any:
    def look() -> Any:
        now = client.batches.retrieve(batch.id)
        return now if now.status in ("completed", "failed", "expired", "cancelled") else None

    return until(look)


def results(client: openai.OpenAI, file_id: str | None) -> list[dict[str, Any]]:
    assert file_id is not None
    return [json.loads(line) for line in client.files.content(file_id).text.splitlines()]


# -- files ---------------------------------------------------------------------------------------------


def test_a_file_is_kept_listed_read_and_deleted(client: openai.OpenAI):
    file = client.files.create(file=("notes.txt", b"some\x00bytes\r\n--x"), purpose="user_data")
    assert (file.filename, file.bytes, file.purpose, file.object) == ("notes.txt", 15, "user_data", "file")
    assert client.files.retrieve(file.id).id == file.id
    assert file.id in [f.id for f in client.files.list(purpose="user_data")]
    assert file.id not in [f.id for f in client.files.list(purpose="batch")]
    assert client.files.content(file.id).read() == b"some\x00bytes\r\n--x"
    assert client.files.delete(file.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(file.id)
    with pytest.raises(openai.NotFoundError):
        client.files.content(file.id)


def test_files_are_listed_page_by_page(client: openai.OpenAI):
    mine = [client.files.create(file=(f"{i}", b"x"), purpose="evals").id for i in range(5)]
    listed = [f.id for f in client.files.list(purpose="evals", limit=2)]  # the client turns the pages
    assert sorted(listed) == sorted(mine) and len(set(listed)) == 5
    with pytest.raises(openai.BadRequestError):
        client.files.list(after="file-nobody")
    for name in mine:
        client.files.delete(name)


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "..\\..\\boot.ini",
        "/etc/passwd",
        "..",
        "a\r\nSet-Cookie: x",
        "x" * 5000,
        "",
        "ü🎈",
    ],
)
def test_a_files_name_is_never_a_path(client: openai.OpenAI, served: str, folder: Path, name: str):
    before = set(folder.parent.parent.rglob("*"))
    boundary = b"frontier"
    body = (
        b'--frontier\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n'
        b'--frontier\r\nContent-Disposition: form-data; name="file"; filename="'
        + name.replace("\r\n", "").encode()
        + b'"\r\n\r\ncontent\r\n--frontier--\r\n'
    )
    headers = {
        "authorization": f"Bearer {ALICE}",
        "content-type": f"multipart/form-data; boundary={boundary.decode()}",
    }
    reply = httpx.post(f"{served}/v1/files", content=body, headers=headers)
    if len(name) > 1000:
        assert reply.status_code == 400
        return
    assert reply.status_code == 200, reply.text
    told = reply.json()
    assert "/" not in told["filename"] and "\\" not in told["filename"] and ".." not in told["filename"]
    new = set(folder.parent.parent.rglob("*")) - before
    written = {p.name for p in new if p.is_file() and p.name != "lock"}  # other servers make locks
    assert written == {f"{told['id']}.data", f"{told['id']}.json"}
    got = httpx.get(f"{served}/v1/files/{told['id']}/content", headers=headers)
    assert got.content == b"content" and got.headers["x-content-type-options"] == "nosniff"
    client.files.delete(told["id"])


@pytest.mark.parametrize(
    "path",
    ["..", "../lock", "..%2flock", "file-../../lock", "file-" + "0" * 32, "file-" + "g" * 32, "x" * 300],
)
def test_ids_that_are_none_find_nothing(served: str, path: str):
    headers = {"authorization": f"Bearer {ALICE}"}
    for url in (f"/v1/files/{path}", f"/v1/files/{path}/content", f"/v1/batches/{path}"):
        reply = httpx.get(served + url, headers=headers)
        assert reply.status_code in (404, 405) or reply.json().get("object") == "list"
        assert "Traceback" not in reply.text and str(Path.home()) not in reply.text
    assert httpx.delete(f"{served}/v1/files/{path}", headers=headers).status_code in (404, 405)


def test_what_is_no_proper_upload_is_refused_and_leaves_nothing(served: str, folder: Path):
    headers = {"authorization": f"Bearer {ALICE}"}

    def post(**what: Any) -> int:
        return httpx.post(
            f"{served}/v1/files", headers={**headers, **what.pop("headers", {})}, **what
        ).status_code

    form = {"content-type": "multipart/form-data; boundary=b"}
    assert post(files={"file": ("a", b"x")}) == 400  # no purpose
    assert post(files={"file": ("a", b"x")}, data={"purpose": "batch_output"}) == 400
    assert post(data={"purpose": "batch"}) in (400, 415)
    assert post(files={"other": ("a", b"x")}, data={"purpose": "batch"}) == 400
    assert post(json={"purpose": "batch"}) == 400
    assert post(content=b"", headers=form) == 400
    assert post(content=b"--b\r\nnonsense", headers=form) == 400
    assert post(content=b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\ncut', headers=form) == 400
    assert post(content=b"x", headers={"content-type": "multipart/form-data"}) == 400
    assert post(files=[("file", ("a", b"x"))] * 2, data={"purpose": "batch"}) == 400
    assert post(files=[(f"f{i}", ("a", b"x")) for i in range(50)], data={"purpose": "batch"}) == 400
    assert post(files={"file": ("a", b"x")}, data={"purpose": "b" * 10_000}) == 400
    assert post(files={"file": ("a", b"x" * 2**21)}, data={"purpose": "batch"}) == 413
    expires = {"expires_after[anchor]": "created_at", "expires_after[seconds]": "5"}
    assert post(files={"file": ("a", b"x")}, data={"purpose": "batch", **expires}) == 400
    assert not list(folder.rglob("*.part"))


def test_a_key_may_keep_only_so_many_files_and_bytes(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "s", max_files=3, max_stored_bytes=2048) as url:
        alice = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        with pytest.raises(openai.APIStatusError, match="max-stored-bytes"):
            alice.files.create(file=("big", b"x" * 3000), purpose="batch")
        for _ in range(3):
            alice.files.create(file=("a", b"x"), purpose="batch")
        with pytest.raises(openai.APIStatusError, match="max-files") as told:
            alice.files.create(file=("a", b"x"), purpose="batch")
        assert told.value.status_code == 413
        bob = openai.OpenAI(base_url=f"{url}/v1", api_key=BOB, max_retries=0)
        bob.files.create(file=("a", b"x" * 1000), purpose="batch")


def test_a_file_expires(client: openai.OpenAI, folder: Path):
    after = {"anchor": "created_at", "seconds": 3600}
    file = client.files.create(file=("a", b"x"), purpose="batch", expires_after=after)  # type: ignore[arg-type]
    assert file.expires_at == file.created_at + 3600
    record = folder / "files" / f"{file.id}.json"
    record.write_bytes(record.read_bytes().replace(str(file.expires_at).encode(), b"1000000000"))
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(file.id)
    assert not record.exists() and not record.with_suffix(".data").exists()


def test_the_folder_is_for_nobody_else_to_read(client: openai.OpenAI, folder: Path):
    file = client.files.create(file=("a", b"x"), purpose="batch")
    for path in (folder, folder.parent, folder / "files"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for ending in ("data", "json"):
        assert stat.S_IMODE((folder / "files" / f"{file.id}.{ending}").stat().st_mode) == 0o600


def test_another_tenant_finds_neither_files_nor_batches(client: openai.OpenAI, bob: openai.OpenAI):
    batch = ended(client, begun(client, chat_line("a")))
    for name in (batch.input_file_id, batch.output_file_id):
        for ask in (bob.files.retrieve, bob.files.content, bob.files.delete):
            with pytest.raises(openai.NotFoundError):
                ask(name)
        assert client.files.retrieve(name).id == name
    for ask in (bob.batches.retrieve, bob.batches.cancel):
        with pytest.raises(openai.NotFoundError):
            ask(batch.id)
    with pytest.raises(openai.NotFoundError):
        bob.batches.create(input_file_id=batch.input_file_id, endpoint=CHAT, completion_window="24h")
    assert batch.id not in [b.id for b in bob.batches.list()]
    assert batch.id in [b.id for b in client.batches.list()]


# -- batches -------------------------------------------------------------------------------------------


def test_a_batch_answers_as_the_route_itself_does(client: openai.OpenAI):
    lines = [chat_line(f"line {i}", f"Count to {i}.") for i in range(5)]
    batch = begun(client, *lines, metadata={"for": "the test"})
    assert batch.object == "batch" and batch.metadata == {"for": "the test"}
    assert batch.status in ("validating", "in_progress")
    done = ended(client, batch)
    assert done.status == "completed" and done.error_file_id is None
    counts = done.request_counts
    assert (counts.total, counts.completed, counts.failed) == (5, 5, 0)
    assert done.created_at <= done.in_progress_at <= done.finalizing_at <= done.completed_at
    assert done.expires_at == done.created_at + 86400
    found = {r["custom_id"]: r for r in results(client, done.output_file_id)}
    assert sorted(found) == [f"line {i}" for i in range(5)]
    for i in range(5):
        response = found[f"line {i}"]["response"]
        assert response["status_code"] == 200 and found[f"line {i}"]["error"] is None
        direct = client.chat.completions.create(**lines[i]["body"])
        told = response["body"]["choices"][0]
        assert told["message"]["content"] == direct.choices[0].message.content
        assert response["body"]["usage"]["completion_tokens"] == direct.usage.completion_tokens  # type: ignore[union-attr]
    output = client.files.retrieve(done.output_file_id)
    assert output.purpose == "batch_output" and output.filename == f"{batch.id}_output.jsonl"
    assert len({r["id"] for r in found.values()}) == 5


@pytest.mark.parametrize(
    ("endpoint", "body", "kind"),
    [
        ("/v1/embeddings", {"input": ["a", "b"]}, "list"),
        ("/v1/completions", {"prompt": "Once", "max_tokens": 3}, "text_completion"),
        ("/v1/responses", {"input": "hello", "max_output_tokens": 16}, "response"),
    ],
)
def test_batches_run_on_every_endpoint(client: openai.OpenAI, endpoint: str, body: dict[str, Any], kind: str):
    line = {"custom_id": "a", "method": "POST", "url": endpoint, "body": {"model": "quire-tiny", **body}}
    done = ended(client, begun(client, line, endpoint=endpoint))
    [result] = results(client, done.output_file_id)
    assert result["response"]["body"]["object"] == kind


def test_lines_that_are_wrong_go_to_the_error_file_and_stop_nobody(client: openai.OpenAI):
    deep = b'{"custom_id": "deep", "body": ' + b"[" * 3000 + b"]" * 3000 + b"}"
    wrong: dict[str, Any] = {
        "no json": b"{nonsense",
        "not an object": b"[1, 2]",
        "binary": b"\xff\xfe\x00",
        "deep": deep,
        "nan": b'{"custom_id": "nan", "body": {"temperature": NaN}}',
        "no id": {k: v for k, v in chat_line("x").items() if k != "custom_id"},
        "long id": chat_line("x" * 600),
        "other url": {**chat_line("other url"), "url": "/v1/files"},
        "other method": {**chat_line("other method"), "method": "DELETE"},
        "no body": {"custom_id": "no body", "method": "POST", "url": CHAT},
        "stream": chat_line("stream", stream=True),
        "twice": chat_line("good 1"),
        "bad temperature": chat_line("bad temperature", temperature=-3),
        "other model": chat_line("other model", model="gpt-4"),
        "bad grammar": chat_line("bad grammar", structured_outputs={"regex": "(a"}),
        "long prompt": chat_line("long prompt", "word " * 20_000),
    }
    done = ended(
        client, begun(client, chat_line("good 1"), *wrong.values(), b"", b"   ", chat_line("good 2"))
    )
    assert done.status == "completed"
    counts = done.request_counts
    assert (counts.total, counts.completed, counts.failed) == (len(wrong) + 2, 2, len(wrong))
    assert {r["custom_id"] for r in results(client, done.output_file_id)} == {"good 1", "good 2"}
    errors = results(client, done.error_file_id)
    assert len(errors) == len(wrong)
    by_name = {e["custom_id"]: e for e in errors if e["custom_id"]}
    for name in ("other url", "other method", "no body", "stream"):
        assert by_name[name]["response"] is None and by_name[name]["error"]["code"] == "invalid_request"
    for name, status in (
        ("bad temperature", 400),
        ("other model", 404),
        ("bad grammar", 400),
        ("long prompt", 400),
    ):
        assert by_name[name]["response"]["status_code"] == status and by_name[name]["error"] is None
        assert by_name[name]["response"]["body"]["error"]["message"]


def test_what_is_no_batch_is_refused_or_fails_with_the_reason(client: openai.OpenAI):
    text = client.files.create(file=("a", jsonl(chat_line("a"))), purpose="user_data")
    good = client.files.create(file=("a", jsonl(chat_line("a"))), purpose="batch")
    make = client.batches.create
    with pytest.raises(openai.BadRequestError, match="purpose"):
        make(input_file_id=text.id, endpoint=CHAT, completion_window="24h")
    with pytest.raises(openai.NotFoundError):
        make(input_file_id="file-" + "0" * 32, endpoint=CHAT, completion_window="24h")
    with pytest.raises(openai.BadRequestError):
        make(input_file_id=good.id, endpoint="/v1/files", completion_window="24h")  # type: ignore[arg-type]
    for window in ("soon", "0h", "400d", "-1h", "1e9h", ""):
        with pytest.raises(openai.BadRequestError):
            make(input_file_id=good.id, endpoint=CHAT, completion_window=window)  # type: ignore[arg-type]
    with pytest.raises(openai.BadRequestError):
        many = {str(i): "x" for i in range(17)}
        make(input_file_id=good.id, endpoint=CHAT, completion_window="24h", metadata=many)
    empty = ended(client, begun(client, b"", b"  "))
    assert empty.status == "failed" and empty.errors.data[0].code == "empty_file"
    full = ended(client, begun(client, *(chat_line(str(i)) for i in range(101))))
    assert full.status == "failed" and "100" in full.errors.data[0].message
    with pytest.raises(openai.ConflictError, match="failed"):
        client.batches.cancel(full.id)


def test_a_batch_goes_on_when_its_input_file_is_deleted(client: openai.OpenAI, folder: Path):
    batch = begun(client, *(chat_line(str(i), max_tokens=20) for i in range(10)))
    client.files.delete(batch.input_file_id)
    done = ended(client, batch)
    assert done.request_counts.completed == 10
    left = lambda: {p.suffix for p in (folder / "batches").iterdir() if p.stem == batch.id}  # noqa: E731
    until(lambda: left() == {".json"}, 5)


def test_a_cancelled_batch_keeps_what_is_done(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "s", batch_concurrency=1) as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        body = {"max_tokens": 60, "ignore_eos": True}
        batch = begun(client, *(chat_line(str(i), **body) for i in range(60)))
        until(lambda: client.batches.retrieve(batch.id).request_counts.completed)
        assert client.batches.cancel(batch.id).status == "cancelling"
        done = ended(client, batch)
        assert done.status == "cancelled" and done.cancelled_at and done.cancelling_at
        kept = results(client, done.output_file_id)
        assert 0 < len(kept) == done.request_counts.completed < 60


def test_what_is_not_done_in_time_is_told_line_by_line(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "s", batch_concurrency=1) as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        lines = [chat_line(str(i), max_tokens=200, ignore_eos=True) for i in range(60)]
        done = ended(client, begun(client, *lines, completion_window="2s"))
        assert done.status == "expired" and done.expired_at
        counts = done.request_counts
        assert counts.completed + counts.failed == counts.total == 60 and counts.failed
        errors = results(client, done.error_file_id)
        assert {e["error"]["code"] for e in errors} == {"batch_expired"} and len(errors) == counts.failed


def test_lines_wait_while_others_wait(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "s") as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        batch = begun(client, *(chat_line(str(i), max_tokens=40, ignore_eos=True) for i in range(40)))
        times = []
        for _ in range(10):
            before = time.perf_counter()
            client.chat.completions.create(
                model="quire-tiny", messages=[{"role": "user", "content": "hi"}], max_tokens=2
            )
            times.append(time.perf_counter() - before)
        assert sorted(times)[5] < 2.0
        assert ended(client, batch).request_counts.completed == 40


# -- after a restart -----------------------------------------------------------------------------------


@pytest.mark.parametrize("drains", [False, True], ids=["at once", "after draining"])
def test_a_restart_in_the_middle_of_a_batch_loses_and_repeats_nothing(
    engine: LocalEngine, tmp_path: Path, drains: bool
):
    folder = tmp_path / "store"
    lines = [chat_line(f"n{i}", f"Say {i}.", max_tokens=40, ignore_eos=True) for i in range(20)]

    def done_so_far() -> bytes:
        journals = [p for p in (folder / "files").glob("*.data") if not p.with_suffix(".json").exists()]
        return b"".join(p.read_bytes() for p in journals)

    options = ServerConfig(storage_dir=str(folder), batch_concurrency=2)
    server = Server(engine, engine.config, options, ["quire-tiny"])
    url, web, thread = start(server)
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    batch = begun(client, *lines)
    until(lambda: done_so_far().count(b"\n") >= 4)
    server.draining = drains
    if drains:
        time.sleep(2)  # lines in flight are given up
        assert engine.status()["running"] == engine.status()["waiting"] == 0
    web.should_exit = True
    thread.join(20)
    kept = done_so_far()
    assert 4 <= kept.count(b"\n") < 20
    with serving(engine, folder, api_key=None) as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        done = ended(client, batch)
        assert done.status == "completed" and done.request_counts.completed == 20
        content = client.files.content(done.output_file_id).read()
        assert content.startswith(kept)  # what was done stands as it was
        names = [json.loads(line)["custom_id"] for line in content.splitlines()]
        assert sorted(names) == sorted(f"n{i}" for i in range(20))


def test_a_folder_that_cannot_be_written_is_told_in_words(engine: LocalEngine, tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    with serving(engine, tmp_path / "file" / "store") as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        with pytest.raises(openai.APIStatusError, match="--storage-dir") as told:
            client.files.create(file=("a", b"x"), purpose="batch")
        assert told.value.status_code == 503 and str(tmp_path) not in str(told.value)


def test_a_folder_that_cannot_be_read_is_not_tried_without_a_pause(
    engine: LocalEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tried = []

    async def look(runner: Runner) -> None:
        tried.append(runner)
        runner.wake()
        await asyncio.sleep(0)
        raise OSError("the disk is away")

    monkeypatch.setattr(Runner, "_look", look)
    with serving(engine, tmp_path / "store"):
        time.sleep(0.5)
    assert tried and all(tried.count(runner) <= 2 for runner in tried)


SERVE = """
import sys, uvicorn
from quire.server.app import build_app
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

engine = LocalEngine(max_num_seqs=16, kv_cache_memory_bytes=64 * 2**20)
options = ServerConfig(storage_dir=sys.argv[1], batch_concurrency=2)
app = build_app(Server(engine, engine.config, options, ["quire-tiny"]))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
"""


@contextlib.contextmanager
def process(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", SERVE, str(folder), str(port)])
    try:
        yield child
    finally:
        child.kill()
        child.wait(10)


def free_port() -> int:
    import socket

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]  # type: ignore[no-any-return]


def test_a_batch_survives_kill_9_and_a_torn_line(tmp_path: Path):
    folder, port = tmp_path / "store", free_port()
    client = openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)

    def reachable() -> bool:
        assert running[-1].poll() is None, "the server has ended"
        with contextlib.suppress(openai.APIConnectionError):
            return bool(client.models.list())
        return False

    running: list[subprocess.Popen[bytes]] = []
    with process(folder, port) as child:
        running.append(child)
        until(reachable)
        batch = begun(client, *(chat_line(f"n{i}", max_tokens=40, ignore_eos=True) for i in range(20)))
        until(lambda: client.batches.retrieve(batch.id).request_counts.completed >= 3)
        os.kill(child.pid, signal.SIGKILL)
        child.wait(10)
    record = json.loads((folder / "batches" / f"{batch.id}.json").read_text())
    journal = folder / "files" / f"{record['output_id']}.data"
    whole = journal.read_bytes()
    assert 3 <= whole.count(b"\n") < 20
    journal.write_bytes(whole + b'{"id": "batch_req_x_19", "custom_id": "n18", "resp')
    (folder / "batches" / f"{batch.id}.json.abc.new").write_bytes(b"{half")
    with process(folder, port) as child:
        running.append(child)
        until(reachable)
        done = ended(client, batch)
        content = client.files.content(done.output_file_id).read()
        assert content.startswith(whole) and done.request_counts.completed == 20
        names = [json.loads(line)["custom_id"] for line in content.splitlines()]
        assert sorted(names) == sorted(f"n{i}" for i in range(20))


def test_of_two_servers_with_one_folder_exactly_one_runs_a_batch(engine: LocalEngine, tmp_path: Path):
    folder = tmp_path / "store"
    with serving(engine, folder) as one, serving(engine, folder) as two:
        first = openai.OpenAI(base_url=f"{one}/v1", api_key=ALICE, max_retries=0)
        second = openai.OpenAI(base_url=f"{two}/v1", api_key=ALICE, max_retries=0)
        batches = [begun(c, *(chat_line(str(i)) for i in range(8))) for c in (first, second, first, second)]
        for batch in batches:
            done = ended(second, batch)
            names = [r["custom_id"] for r in results(first, done.output_file_id)]
            assert sorted(names) == sorted(str(i) for i in range(8))


def test_a_record_that_cannot_be_read_hides_only_itself(engine: LocalEngine, tmp_path: Path):
    folder = tmp_path / "store"
    with serving(engine, folder) as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        file = client.files.create(file=("a", b"x"), purpose="batch")
        (folder / "files" / f"file-{'0' * 32}.json").write_bytes(b"{half")
        (folder / "batches").mkdir(exist_ok=True)
        (folder / "batches" / f"batch_{'0' * 32}.json").write_bytes(b"\xff")
        assert [f.id for f in client.files.list()] == [file.id]
        assert ended(client, begun(client, chat_line("a"))).status == "completed"


def record_of(number: int, tenant: str, ended_at: int | None) -> BatchRecord:
    record = BatchRecord(
        id=f"batch_{number:032x}", tenant=tenant, weight=1.0, endpoint=CHAT,
        input_file_id=f"file-{number:032x}", completion_window="24h", created_at=1, expires_at=2,
        output_id=f"file-{number + 1000:032x}", error_id=f"file-{number + 2000:032x}",
    )  # fmt: skip
    if ended_at is not None:
        record.status, record.at = "completed", {"completed": ended_at}
    return record


def test_ended_batches_are_forgotten_when_they_are_many_or_old(tmp_path: Path):
    store, now = Store(tmp_path), int(time.time())
    for i in range(6):
        store.batches.put(record_of(i, "ann", now - i))
    store.batches.put(record_of(10, "ann", None))  # at work, however long
    store.batches.put(record_of(11, "ben", now - 50))
    store.batches.put(record_of(12, "ben", now - 5000))
    store.forget_batches(ServerConfig(max_ended_batches=4, ended_batch_ttl=1000.0))
    assert {int(r.id[6:], 16) for r in store.batches.of("ann")} == {0, 1, 2, 3, 10}
    assert {int(r.id[6:], 16) for r in store.batches.of("ben")} == {11}


def test_a_batch_makes_room_for_itself_when_it_ends(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "store", max_ended_batches=2) as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        done = []
        for i in range(4):
            done.append(ended(client, begun(client, chat_line(f"{i}"))))
            time.sleep(1.05)  # they are told apart by the second they ended in
        kept = [b.id for b in client.batches.list()]
        assert kept == [done[3].id, done[2].id]
        assert results(client, done[0].output_file_id)  # files are their owner's business
        with pytest.raises(openai.NotFoundError):
            client.batches.retrieve(done[0].id)


def test_a_server_whose_files_nobody_uses_makes_no_folder(engine: LocalEngine, tmp_path: Path):
    with serving(engine, tmp_path / "unused") as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key=ALICE, max_retries=0)
        assert list(client.files.list()) == [] and list(client.batches.list()) == []
    assert not (tmp_path / "unused").exists()
