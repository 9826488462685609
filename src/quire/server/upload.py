"""A multipart form whose file goes straight into the storage folder: never as a whole into memory, never into
the machine's folder of temporary files."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from quire.errors import BadParameter
from quire.server.store import new_file

MAX_PARTS = 16
MAX_FIELD_BYTES = 4096
MAX_NAME = 200
WRITE_BYTES = 2**20
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\"<>|?*:]")


class Upload:
    """One form: its fields, and its file with the name the caller gave it, made harmless."""

    def __init__(self, target: Path, count: Callable[[int], None]):
        """`count` is told of each piece of the file, in bytes, and raises when there are too many."""
        self.fields: dict[str, str] = {}
        self.filename: str | None = None
        self.bytes = 0
        self._target, self._count = target, count
        self._descriptor: int | None = None
        self._ready = bytearray()  # of the file, not yet written
        self._parts = 0
        self._name = ""
        self._value = bytearray()
        self._header, self._header_value = bytearray(), bytearray()
        self._disposition = b""
        self._is_file = self._complete = False

    async def receive(self, request: Request) -> None:
        """Reads the whole form. The file is on the disk when this returns; raises BadParameter otherwise."""
        parser = self._parser(request.headers.get("content-type"))
        try:
            async for chunk in request.stream():
                parser.write(chunk)
                if len(self._ready) >= WRITE_BYTES:
                    await self._write()
            parser.finalize()
        except FormParserError:
            raise BadParameter("the body is not a well-formed multipart form") from None
        if not self._complete:
            raise BadParameter("the multipart form is cut off before its end")
        if self._descriptor is None:
            raise BadParameter("the form has no file; send it as the part `file`, with a filename", "file")
        await self._write()
        await asyncio.to_thread(os.fsync, self._descriptor)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    async def _write(self) -> None:
        assert self._descriptor is not None
        data, self._ready = self._ready, bytearray()
        await asyncio.to_thread(_write_all, self._descriptor, data)

    # -- the parser's news -----------------------------------------------------------------------------

    def _parser(self, content_type: str | None) -> MultipartParser:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not 0 < len(boundary) <= 70:
            raise BadParameter("a file is sent as multipart/form-data with the parts `file` and `purpose`")
        return MultipartParser(
            boundary,
            {
                "on_part_begin": self._on_part,
                "on_header_field": self._on_header_field,
                "on_header_value": self._on_header_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers,
                "on_part_data": self._on_data,
                "on_part_end": self._on_part_end,
                "on_end": self._on_end,
            },
        )

    def _on_part(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise BadParameter(f"the form has more than {MAX_PARTS} parts")
        self._disposition, self._value = b"", bytearray()

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _on_header_end(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            self._disposition = bytes(self._header_value)
        self._header, self._header_value = bytearray(), bytearray()

    def _on_headers(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")[:100]
        self._is_file = self._name == "file"
        if self._is_file:
            if self._descriptor is not None:
                raise BadParameter("the form has two files; send one at a time", "file")
            self.filename = harmless(options.get(b"filename", b"").decode("utf-8", "replace"))
            self._descriptor = new_file(self._target)

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self.bytes += end - start
            self._count(end - start)
            self._ready += data[start:end]
            return
        self._value += data[start:end]
        if len(self._value) > MAX_FIELD_BYTES:
            raise BadParameter(f"the field {self._name!r} has more than {MAX_FIELD_BYTES:,} bytes")

    def _on_part_end(self) -> None:
        if not self._is_file:
            self.fields[self._name] = self._value.decode("utf-8", "replace")

    def _on_end(self) -> None:
        self._complete = True


def harmless(name: str) -> str:
    """The last part of a name, without what could mislead a shell, a header or a reader; it is only shown."""
    name = _UNFIT.sub("", name.replace("\\", "/").rpartition("/")[2]).strip(". ")
    return name[-MAX_NAME:] or "file"


def _write_all(descriptor: int, data: bytearray) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
