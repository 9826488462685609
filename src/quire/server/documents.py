"""Documents in a request: text in base64, in an uploaded file or behind a URL becomes text of the prompt.

Each dialect has a part of its own for them (`file`, `input_file`, `document`), which it describes as a
`Source` and gets back as text. Only text is taken: where a type is told it decides, where none is the bytes
do. Size is checked while reading, for all documents of a request together, as is the time that URLs take.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

from fastapi import Request

from quire.errors import BadParameter, NotFound, RequestError, TimedOut
from quire.server.admission import shortest, ticket
from quire.server.fetch import Fetcher, NotFetched
from quire.server.files import store_of
from quire.server.state import server_of, tenant_of
from quire.server.strangers import aside

MAX_DOCUMENTS = 32  # in one request
MAX_TITLE = 200
MAX_HEAD = 200  # of a data: URL
TAKEN = "text/*, JSON, XML, YAML, TOML, JavaScript or SQL, in UTF-8"
_TYPES = re.compile(
    r"text/[\w.+-]+|application/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)"
    r"|x-yaml|toml|x-ndjson|jsonl|javascript|x-javascript|sql|x-sh)"
)
_UNTOLD = ("", "application/octet-stream", "binary/octet-stream")
_DATA_URL = re.compile(r"data:(?P<type>[^,;]*(?:;[^,;]*)*?);base64,", re.I)


@dataclass(frozen=True, slots=True)
class Source:
    """Where the text of a document is: one of `text`, `data`, `file_id` and `url`."""

    where: str  # in the request
    title: str | None = None
    context: str | None = None  # what the caller says of it
    text: str | None = None
    data: str | None = None  # base64, or a data: URL
    media_type: str = ""
    file_id: str | None = None
    url: str | None = None


async def put_documents(
    request: Request, found: Iterable[tuple[list[Any], int, Source]], part_of: Callable[[str], Any]
) -> None:
    """Puts parts of text where documents were: each is named by a list of parts and its place in it."""
    places = list(found)
    if len(places) > MAX_DOCUMENTS:
        raise BadParameter(
            f"the request has {len(places):,} documents and may have {MAX_DOCUMENTS}; send fewer",
            param=places[-1][2].where,
        )
    reading = _Reading(request)
    for parts, at, source in places:
        try:
            parts[at] = part_of(await reading.text(source))
        except RequestError as e:
            e.param = e.param or source.where
            raise


class _Reading:
    """The documents of one request: how many bytes and how much time are left for them."""

    def __init__(self, request: Request):
        self._request = request
        self._options = server_of(request).options
        self._aside = partial(aside, server_of(request).strangers.texts)
        self._left = self._options.max_document_bytes
        self._until = time.monotonic() + self._options.url_timeout

    async def text(self, source: Source) -> str:
        title, data, media_type = source.title, b"", source.media_type
        given = [v for v in (source.text, source.data, source.file_id, source.url) if v is not None]
        if len(given) != 1:
            raise BadParameter(
                f"{source.where} needs exactly one of its data, the id of a file and a URL, got {len(given)}",
                param=source.where,
            )
        if source.text is not None:
            data = source.text.encode("utf-8", "surrogatepass")
        elif source.data is not None:
            media_type, data = await self._aside(partial(decoded, source), len(source.data))
        elif source.file_id is not None:
            filename, data = await asyncio.to_thread(self._file, source.file_id, source.where)
            title = title or filename
        elif source.url is not None:
            media_type, data = await self._fetched(source.url)
            title = title or _name_in(source.url)
        if len(data) > self._left:
            raise self._too_long()
        self._left -= len(data)
        reading = partial(read_text, data, media_type, source.where)
        return written(await self._aside(reading, len(data)), title, source.context)

    def _too_long(self) -> RequestError:
        most = self._options.max_document_bytes
        return RequestError(
            f"the documents have more than the {most:,} bytes that all of a request may have; "
            f"send less or raise --max-document-bytes"
        )

    def _file(self, file_id: str, where: str) -> tuple[str, bytes]:
        store, tenant = store_of(self._request), tenant_of(self._request)
        try:
            record = store.file(file_id, tenant.name)
            with open(store.files.path(file_id, "data"), "rb") as file:
                return record.filename, file.read(self._left + 1)
        except (NotFound, FileNotFoundError):
            raise BadParameter(
                f"{where} names the file {file_id[:60]!r}, which is not among yours; upload it to /v1/files",
                param=where,
            ) from None

    async def _fetched(self, url: str) -> tuple[str, bytes]:
        mine = ticket.get()
        whole = shortest(self._options.request_timeout, mine.timeout_s if mine else None)
        until = self._until if whole is None or mine is None else min(self._until, mine.came + whole)
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                fetched = await fetcher_of(self._request).fetch(url, self._left)
        except TimeoutError:
            if until < self._until:
                raise TimedOut(whole or 0.0) from None
            raise NotFetched(
                f"the documents did not come from their URLs within {self._options.url_timeout:g} seconds"
            ) from None
        return fetched.content_type, fetched.body


def fetcher_of(request: Request) -> Fetcher:
    """The one of this process."""
    state, options = request.app.state, server_of(request).options
    if not hasattr(state, "fetcher"):
        state.fetcher = Fetcher(options.allow_url_domains or "", timeout_s=options.url_timeout)
    fetcher: Fetcher = state.fetcher
    return fetcher


def decoded(source: Source) -> tuple[str, bytes]:
    """The type and the bytes of what is sent in base64."""
    assert source.data is not None
    head = _DATA_URL.match(source.data[:MAX_HEAD])
    try:
        data = "".join(source.data[head.end() if head else 0 :].split())
        return head["type"] if head else source.media_type, base64.b64decode(data, validate=True)
    except ValueError:
        raise BadParameter(
            f"{source.where} holds data that is not base64; send base64, or data:text/plain;base64,…",
            param=source.where,
        ) from None


def read_text(data: bytes, media_type: str, where: str) -> str:
    """The text that some bytes are. Raises BadParameter for anything but text in UTF-8."""
    kind, _, more = media_type.lower().partition(";")
    kind, told = kind.strip(), re.search(r"charset\s*=\s*\"?([\w.-]+)", more)
    if (kind not in _UNTOLD and not _TYPES.fullmatch(kind)) or data.startswith(b"%PDF-"):
        shown = "application/pdf" if data.startswith(b"%PDF-") else kind
        raise BadParameter(f"{where} is a document of type {shown[:60]!r}; taken are {TAKEN}", param=where)
    if told and told[1] not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise BadParameter(f"{where} is a document in {told[1][:40]}; taken are {TAKEN}", param=where)
    try:
        text = data.decode("utf-8-sig")
        wrong = text.find("\0")
    except UnicodeDecodeError as e:
        wrong = e.start
    if wrong >= 0:
        raise BadParameter(
            f"{where} is a document that is no text from byte {wrong:,} on; taken are {TAKEN}", param=where
        )
    return text


def written(text: str, title: str | None = None, context: str | None = None) -> str:
    """A document as the model reads it."""
    told = (("title", title), ("context", context))
    said = "".join(f' {name}="{_one_line(value)}"' for name, value in told if value and value.strip())
    return f"<document{said}>\n{text.strip(chr(10))}\n</document>\n"


def _one_line(value: str) -> str:
    return " ".join(value.split())[:MAX_TITLE].replace('"', "'").encode("utf-8", "replace").decode()


def _name_in(url: str) -> str:
    """What a document from a URL is called: never its query, which may hold a secret."""
    parts = urlsplit(url)
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or ""
