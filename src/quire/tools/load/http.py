"""HTTP/1.1 responses and the events in them, taken apart as their bytes come. No sockets here."""

from __future__ import annotations

from quire.errors import RequestFailed

MOST_HEAD = 64 * 1024  # bytes of status line and headers
MOST_DIGITS = 18  # of a length; longer ones are no lengths


class BadReply(RequestFailed):
    """What came is no HTTP, or ended in the middle."""


class Reply:
    """One response. `feed` returns what of its body has come; `done` when there is no more."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.done = False
        self._buffer = b""
        self._left: int | None = None  # bytes of the body or the chunk; None: until the connection closes
        self._chunked = False
        self._state = "head"  # head, body, size (of a chunk), data, gap (after a chunk), trailer

    @property
    def keeps(self) -> bool:
        """Whether the connection can take another request."""
        bounded = self._chunked or self._left is not None
        return self.done and bounded and "close" not in self.headers.get("connection", "").lower()

    def feed(self, data: bytes) -> bytes:
        if self._state == "data" and not self._buffer and self._left is not None and len(data) < self._left:
            self._left -= len(data)
            return data
        self._buffer += data
        out: list[bytes] = []
        while not self.done and self._advance(out):
            pass
        return b"".join(out)

    def closed(self) -> None:
        """The other side has closed the connection."""
        if self._state == "body" and self._left is None:
            self.done = True
        if not self.done:
            raise BadReply("the server closed the connection before its answer was complete")

    def _advance(self, out: list[bytes]) -> bool:
        """Takes one part off the buffer; False when more bytes are needed."""
        if self._state in ("body", "data"):
            return self._take_body(out)
        line, found, rest = self._buffer.partition(b"\r\n\r\n" if self._state == "head" else b"\r\n")
        if not found:
            if len(self._buffer) > MOST_HEAD:
                raise BadReply(f"the server sent more than {MOST_HEAD:,} bytes of headers")
            return False
        self._buffer = rest
        if self._state == "head":
            self._read_head(line.decode("latin-1"))
        elif self._state == "size":
            self._left = self._size(line)
            self._state = "data" if self._left else "trailer"
        elif self._state == "gap":
            self._state = "size"
        elif not line:  # the trailer's end
            self.done = True
        return True

    def _take_body(self, out: list[bytes]) -> bool:
        if self._left is None:
            out.append(self._buffer)
            self._buffer = b""
            return False
        taken, self._buffer = self._buffer[: self._left], self._buffer[self._left :]
        out.append(taken)
        self._left -= len(taken)
        if self._left:
            return False
        if self._chunked:
            self._state = "gap"
        else:
            self.done = True
        return True

    def _read_head(self, text: str) -> None:
        first, *lines = text.split("\r\n")
        parts = first.split(None, 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not _is_status(parts[1]):
            raise BadReply(f"the answer is no HTTP/1.1: it begins with {first[:60]!r}")
        self.status = int(parts[1])
        if self.status < 200:  # 100 Continue: the real one follows
            return
        self.headers = {
            name.strip().lower(): value.strip() for name, _, value in (s.partition(":") for s in lines)
        }
        self._chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        self._state = "size" if self._chunked else "body"
        length = self.headers.get("content-length", "")
        if not self._chunked and length.isascii() and length.isdigit() and len(length) <= MOST_DIGITS:
            self._left = int(length)
        if self.status in (204, 304) or self._left == 0:
            self._left, self.done = 0, True

    @staticmethod
    def _size(line: bytes) -> int:
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            size = -1
        if size < 0:
            raise BadReply(f"a chunk of the answer has the size {line[:40]!r}")
        return size


def _is_status(text: str) -> bool:
    return len(text) == 3 and text.isascii() and text.isdigit()


class Events:
    """Server-sent events; `feed` returns the data of those that are complete."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, body: bytes) -> list[bytes]:
        *lines, self._rest = (self._rest + body).split(b"\n")
        return [line[5:].strip() for line in lines if line.startswith(b"data:")]
