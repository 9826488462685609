"""Documents in requests: text in base64, in uploaded files and behind URLs, on every route that has them.

A real web server stands for the outside, and the server under test may fetch from its address and port.
"""

from __future__ import annotations

import base64
import contextlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anthropic
import httpx
import openai
import pytest
from tests.serve.conftest import start

from quire.server.documents import read_text, written
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

MODEL = "quire-tiny"
NOTES = "Greta lives in Oslo.\nHer dog is called Bo."
READ = written(NOTES, "notes.txt")
ASKED = "Where does Greta live?"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        web: Web = self.server.web  # type: ignore[attr-defined]
        web.asked.append(self.path)
        match self.path.partition("?")[0]:
            case "/notes.txt":
                self._say(NOTES.encode(), "text/plain; charset=utf-8")
            case "/list.json":
                self._say(b'{"n": 1}', "application/json")
            case "/cat.png":
                self._say(b"\x89PNG\r\n", "image/png")
            case "/latin":
                self._say("café".encode("latin-1"), "text/plain")
            case "/old":
                self._say(b"cafe", "text/plain; charset=iso-8859-1")
            case "/long":
                self._say(b"x" * 100_000, "text/plain")
            case "/moved":
                self._move("/notes.txt")
            case "/away":
                self._move(web.elsewhere + "/secret")
            case "/drip":
                self.send_response(200)
                self.end_headers()
                try:
                    for _ in range(100):
                        self.wfile.write(b"x")
                        self.wfile.flush()
                        time.sleep(0.05)
                except OSError:
                    web.left.set()
            case _:
                self.send_error(404)

    def _say(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data)

    def _move(self, to: str) -> None:
        self.send_response(302)
        self.send_header("location", to)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


class Web:
    def __init__(self, elsewhere: str = ""):
        self.asked: list[str] = []
        self.elsewhere = elsewhere
        self.left = threading.Event()  # somebody has stopped reading
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self._server.web = self  # type: ignore[attr-defined]
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def inside() -> Iterator[Web]:
    """A server that nobody may be led to."""
    web = Web()
    yield web
    web.close()


@pytest.fixture(scope="module")
def web(inside: Web) -> Iterator[Web]:
    web = Web(inside.url)
    yield web
    web.close()


@pytest.fixture(scope="module")
def address(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    engine = LocalEngine(max_num_seqs=8, kv_cache_memory_bytes=64 * 2**20)
    options = ServerConfig(
        allow_url_domains=f"127.0.0.1:{web.port}",
        url_timeout=2.5,
        max_document_bytes=4096,
        storage_dir=str(tmp_path_factory.mktemp("storage")),
    )
    url, api, thread = start(Server(engine, engine.config, options, [MODEL]))
    yield url
    api.should_exit = True
    thread.join(10)
    engine.shutdown()


@pytest.fixture(scope="module")
def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, timeout=30)


@pytest.fixture(scope="module")
def claude(address: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=address, api_key="none", max_retries=0, timeout=30)


def coded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def chat(client: openai.OpenAI, *parts: Any) -> Any:
    messages: Any = [{"role": "user", "content": [*parts, {"type": "text", "text": ASKED}]}]
    return client.chat.completions.create(model=MODEL, messages=messages, max_tokens=8, temperature=0)


def file(**fields: str) -> dict[str, Any]:
    return {"type": "file", "file": fields}


def respond(client: openai.OpenAI, part: dict[str, Any], **fields: Any) -> Any:
    content: Any = [part, {"type": "input_text", "text": ASKED}]
    given: Any = {"input": [{"role": "user", "content": content}], "max_output_tokens": 8, "temperature": 0}
    return client.responses.create(model=MODEL, **{**given, **fields})


def by_url(url: str) -> dict[str, Any]:
    return {"type": "input_file", "file_url": url}


def refused(client: openai.OpenAI, url: str) -> openai.BadRequestError:
    with pytest.raises(openai.BadRequestError) as caught:
        respond(client, by_url(url))
    assert caught.value.param == "input[0].content[0]"
    return caught.value


def document(**source: Any) -> dict[str, Any]:
    return {"type": "document", "source": source}


# -- read as if their text had been sent -----------------------------------------------------------------


def test_a_file_of_a_chat_is_read_like_its_text(client: openai.OpenAI) -> None:
    plain = chat(client, {"type": "text", "text": READ})
    kept = client.files.create(file=("notes.txt", NOTES.encode()), purpose="user_data")
    for part in (
        file(filename="notes.txt", file_data=coded(NOTES)),
        file(filename="notes.txt", file_data=f"data:text/plain;base64,{coded(NOTES)}"),
        file(filename="notes.txt", file_data=f"data:text/plain;charset=utf-8;base64,{coded(NOTES)}"),
        file(file_id=kept.id),
    ):
        reply = chat(client, part)
        assert reply.usage.prompt_tokens == plain.usage.prompt_tokens
        assert reply.choices[0].message.content == plain.choices[0].message.content


def test_a_file_of_a_response_is_read_like_its_text_and_stays_readable(
    client: openai.OpenAI, web: Web
) -> None:
    plain = respond(client, {"type": "input_text", "text": READ})
    kept = client.files.create(file=("notes.txt", NOTES.encode()), purpose="user_data")
    for part in (
        {"type": "input_file", "filename": "notes.txt", "file_data": coded(NOTES)},
        {"type": "input_file", "file_id": kept.id},
        by_url(f"{web.url}/notes.txt?token=secret"),
        by_url(f"{web.url}/moved") | {"filename": "notes.txt"},
    ):
        reply = respond(client, part)
        assert reply.usage.input_tokens == plain.usage.input_tokens
        assert reply.output_text == plain.output_text
    asked = len(web.asked)
    later = client.responses.create(model=MODEL, input="And her dog?", previous_response_id=reply.id)
    assert later.usage is not None and later.usage.input_tokens > plain.usage.input_tokens
    assert len(web.asked) == asked, "a later turn fetches nothing again"
    told: Any = client.responses.input_items.list(reply.id).data[0]
    assert told.content[0].text == READ


def test_a_file_among_the_results_of_a_call_is_read(client: openai.OpenAI, web: Web) -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    found = {"type": "function_call_output", "call_id": "c1", "output": [by_url(f"{web.url}/list.json")]}
    items: Any = [{"role": "user", "content": "Look."}, call, found]
    reply = client.responses.create(model=MODEL, input=items, max_output_tokens=4)
    told: Any = client.responses.input_items.list(reply.id, order="asc").data[2]
    assert told.output[0].text == '<document title="list.json">\n{"n": 1}\n</document>\n'


def test_a_document_of_a_message_is_read_like_its_text(claude: anthropic.Anthropic, web: Web) -> None:
    def tokens(block: Any) -> int:
        messages: Any = [{"role": "user", "content": [block, {"type": "text", "text": ASKED}]}]
        reply = claude.messages.create(model=MODEL, max_tokens=4, messages=messages)
        counted = claude.messages.count_tokens(model=MODEL, messages=messages).input_tokens
        assert counted == reply.usage.input_tokens + (reply.usage.cache_read_input_tokens or 0)
        return counted

    plain = tokens({"type": "text", "text": READ})
    for source in (
        {"type": "text", "media_type": "text/plain", "data": NOTES},
        {"type": "base64", "media_type": "text/plain", "data": coded(NOTES)},
        {"type": "url", "url": f"{web.url}/notes.txt"},
        {"type": "content", "content": NOTES},
        {"type": "content", "content": [{"type": "text", "text": NOTES}]},
    ):
        assert tokens(document(**source) | {"title": "notes.txt"}) == plain
    result = {
        "type": "search_result",
        "source": "https://a.example/",
        "title": "notes.txt",
        "content": [{"type": "text", "text": NOTES}],
    }
    told = tokens({"type": "text", "text": written(NOTES, "notes.txt", "https://a.example/")})
    assert tokens(result) == told > plain


def test_a_document_in_a_tool_result_is_read(claude: anthropic.Anthropic) -> None:
    def tokens(content: Any) -> int:
        use = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "t1", "content": content}
        messages: Any = [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result]},
        ]
        return claude.messages.count_tokens(model=MODEL, messages=messages).input_tokens

    source = document(type="text", media_type="text/plain", data=NOTES)
    assert tokens([source]) == tokens(written(NOTES))


def test_titles_stay_one_line_and_cannot_close_the_document() -> None:
    assert written("a", 'x"\n>y').splitlines()[0] == '<document title="x\' >y">'
    assert written("a", "t" * 999).splitlines()[0] == f'<document title="{"t" * 200}">'


# -- what is not taken -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, kind",
    [
        (b"\x89PNG", "image/png"),
        (b"hello", "application/pdf"),
        (b"%PDF-1.7 hello", ""),
        (b"%PDF-1.7 hello", "text/plain"),
        (b"PK\x03\x04\x00", ""),
        (b"a\0b", "text/plain"),
        ("é".encode("latin-1"), "text/plain"),
        (b"e", "text/plain; charset=iso-8859-1"),
        (b"a", "nonsense"),
    ],
)
def test_only_text_is_taken(data: bytes, kind: str) -> None:
    with pytest.raises(ValueError, match=r"here .*taken are text/"):
        read_text(data, kind, "here")


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "Text/Markdown", "application/json", "application/ld+json; charset=UTF-8", "text/html",
     "application/xml", "application/octet-stream", "application/yaml", 'text/csv; charset="utf-8"'],
)  # fmt: skip
def test_text_is_taken_whatever_it_is_called(kind: str) -> None:
    assert read_text("\ufeffé\n".encode(), kind, "here") == "é\n"


def test_what_is_no_text_is_refused_with_what_is_taken(
    client: openai.OpenAI, claude: anthropic.Anthropic, web: Web
) -> None:
    for part in (
        file(filename="a.pdf", file_data=f"data:application/pdf;base64,{coded('%PDF-1.4')}"),
        file(filename="a.bin", file_data=coded(b"\xff\xfe")),
    ):
        with pytest.raises(openai.BadRequestError, match="taken are text/") as caught:
            chat(client, part)
        assert caught.value.param == "messages.0.content.0"
    for path in ("/cat.png", "/latin", "/old"):
        assert "taken are text/" in refused(client, web.url + path).message
    source = {"type": "base64", "media_type": "application/pdf", "data": coded("%PDF-1.4")}
    messages: Any = [{"role": "user", "content": [document(**source)]}]
    with pytest.raises(anthropic.BadRequestError, match="taken are text/"):
        claude.messages.create(model=MODEL, max_tokens=4, messages=messages)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "file"},
        file(),
        file(file_data="not base64!"),
        file(file_data="data:text/plain,hello"),
        file(file_data=coded("x"), file_id="file-1"),
        {"type": "file", "file": {"file_data": 5}},
        {"type": "file", "file": "file-1"},
        file(file_id="file-" + "0" * 32),
        file(file_id="../../etc/passwd"),
        {"type": "image_url", "image_url": {"url": "http://127.0.0.1/"}},
        {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
    ],
)
def test_a_part_that_cannot_be_read_is_a_400_that_names_it(client: openai.OpenAI, part: Any) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        chat(client, part)
    assert caught.value.param == "messages.0.content.0"


@pytest.mark.parametrize(
    "source",
    [
        {},
        {"type": "text"},
        {"type": "url", "url": 5},
        {"type": "base64", "media_type": "text/plain", "data": "!"},
        {"type": "content", "content": [{"type": "image", "source": {}}]},
        {"type": "file", "file_id": "file-1"},
        {"type": "elsewhere"},
    ],
)
def test_a_source_that_cannot_be_read_is_a_400(claude: anthropic.Anthropic, source: Any) -> None:
    messages: Any = [{"role": "user", "content": [document(**source)]}]
    with pytest.raises(anthropic.BadRequestError, match=r"messages\.0\.content\.0"):
        claude.messages.create(model=MODEL, max_tokens=4, messages=messages)


def test_citations_are_refused_rather_than_left_out(claude: anthropic.Anthropic) -> None:
    block = document(type="text", media_type="text/plain", data=NOTES) | {"citations": {"enabled": True}}
    with pytest.raises(anthropic.BadRequestError, match="citations"):
        claude.messages.create(
            model=MODEL, max_tokens=4, messages=[{"role": "user", "content": [block]}]  # type: ignore[list-item]
        )  # fmt: skip


def test_all_documents_of_a_request_share_one_limit(client: openai.OpenAI) -> None:
    half = file(file_data=coded("x " * 1000))
    assert chat(client, half, half).usage.prompt_tokens > 1000
    with pytest.raises(openai.BadRequestError, match=r"4,096 bytes.*--max-document-bytes"):
        chat(client, half, half, half)
    with pytest.raises(openai.BadRequestError, match="33 documents and may have 32"):
        chat(client, *[file(file_data=coded("x"))] * 33)
    long = client.files.create(file=("long.txt", b"x" * 5000), purpose="user_data")
    with pytest.raises(openai.BadRequestError, match="--max-document-bytes"):
        chat(client, file(file_id=long.id))


def test_somebody_elses_file_is_not_read(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("ann key-of-ann\nben key-of-ben\n")
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=32 * 2**20)
    options = ServerConfig(api_key_file=str(keys), storage_dir=str(tmp_path / "storage"))
    url, api, thread = start(Server(engine, engine.config, options, [MODEL]))
    try:
        ann, ben = (
            openai.OpenAI(base_url=f"{url}/v1", api_key=f"key-of-{name}", max_retries=0)
            for name in ("ann", "ben")
        )
        kept = ann.files.create(file=("notes.txt", NOTES.encode()), purpose="user_data")
        assert chat(ann, file(file_id=kept.id)).choices
        with pytest.raises(openai.BadRequestError, match="not among yours"):
            chat(ben, file(file_id=kept.id))
        with pytest.raises(openai.BadRequestError, match="--allow-url-domains"):  # the flag is not set
            respond(ann, by_url("http://example.com/notes.txt"))
    finally:
        api.should_exit = True
        thread.join(10)
        engine.shutdown()


# -- URLs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    ["http://example.com/", "http://127.0.0.2:{port}/notes.txt", "http://127.0.0.1/", "file:///etc/passwd",
     "http://127.0.0.1:{port}@example.com/", "http://[::ffff:127.0.0.1]:{port}/notes.txt",
     "http://2130706433:{port}/notes.txt", "https://example.com/", "data:text/plain,hello", ""],
)  # fmt: skip
def test_a_url_elsewhere_is_refused(client: openai.OpenAI, web: Web, url: str) -> None:
    asked = len(web.asked)
    refused(client, url.format(port=web.port))
    assert len(web.asked) == asked


def test_a_redirect_to_a_host_that_is_not_listed_is_not_followed(
    client: openai.OpenAI, web: Web, inside: Web
) -> None:
    assert "--allow-url-domains" in refused(client, f"{web.url}/away").message
    assert "/away" in web.asked and inside.asked == []


def test_a_name_that_leads_to_a_private_address_is_not_followed(inside: Web) -> None:
    """The name `localhost` is listed here, the address it stands for is not."""
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=32 * 2**20)
    options = ServerConfig(allow_url_domains=f"localhost:{inside.port}")
    url, api, thread = start(Server(engine, engine.config, options, [MODEL]))
    try:
        other = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        assert "no public address" in refused(other, f"http://localhost:{inside.port}/secret").message
        assert inside.asked == []
    finally:
        api.should_exit = True
        thread.join(10)
        engine.shutdown()


def test_a_page_that_is_too_long_is_not_read_to_its_end(client: openai.OpenAI, web: Web) -> None:
    assert "more than 4,096 bytes" in refused(client, f"{web.url}/long").message


def test_a_page_that_comes_in_drops_is_given_up_in_time(client: openai.OpenAI, web: Web) -> None:
    began = time.monotonic()
    assert "within 2.5 seconds" in refused(client, f"{web.url}/drip").message
    assert time.monotonic() - began < 5
    assert web.left.wait(5), "the connection is closed"


def test_the_time_limit_of_a_request_holds_for_what_it_fetches(address: str, web: Web) -> None:
    content = [by_url(f"{web.url}/drip")]
    body = {"model": MODEL, "input": [{"role": "user", "content": content}]}
    reply = httpx.post(f"{address}/v1/responses", json=body, headers={"x-request-timeout": "0.2"})
    assert reply.status_code == 504 and reply.json()["error"]["code"] == "timeout"


def test_a_page_that_is_not_there_is_a_400(client: openai.OpenAI, web: Web) -> None:
    assert "status 404" in refused(client, f"{web.url}/nowhere").message
