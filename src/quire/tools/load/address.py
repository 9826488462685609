"""Where a server is, and what every request to it carries. What HTTP cannot carry is refused, not bent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from quire.errors import BadOption

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")  # visible letters of latin-1
PATH = re.compile(r"[\x21-\x7e]*")


@dataclass(frozen=True, slots=True)
class Target:
    """A server's address, and what every request to it carries."""

    host: str
    port: int
    tls: bool
    prefix: str = ""  # of every path
    headers: Mapping[str, str] = field(default_factory=dict)
    verified: bool = True  # with TLS: its certificate must be one that this system trusts

    @classmethod
    def of(cls, url: str, headers: Mapping[str, str] | None = None, verified: bool = True) -> Target:
        """From http(s)://HOST[:PORT][/…]; a /v1 at the end is left out, as routes have it themselves."""
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            port, host = parts.port, _ascii(parts.hostname or "")
        except ValueError:  # of ports, of brackets, and of names that no server can have
            host = ""
        if not host or parts.scheme not in ("http", "https"):
            shown = re.sub(r"^.*@", "…@", url)  # a password may be ahead of it
            raise BadOption(f"--base-url is {shown!r}; say http://HOST:PORT or https://HOST")
        _check_whole(parts)
        check_path(parts.path, "--base-url")
        tls = parts.scheme == "https"
        prefix = parts.path.rstrip("/").removesuffix("/v1")
        return cls(host, port or (443 if tls else 80), tls, prefix, dict(headers or {}), verified)

    def __str__(self) -> str:
        return f"http{'s' if self.tls else ''}://{self.host}:{self.port}{self.prefix}"

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        default = 443 if self.tls else 80
        name = f"[{self.host}]" if ":" in self.host else self.host
        lines = [
            f"{method} {self.prefix}{path} HTTP/1.1",
            f"Host: {name}" + (f":{self.port}" if self.port != default else ""),
            "Accept: */*",
            *(f"{name}: {value}" for name, value in self.headers.items()),
        ]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def _ascii(host: str) -> str:
    """As name servers know it. Raises ValueError for what is no name."""
    if ":" in host:
        return host  # an address of IPv6
    found = host.encode("idna").decode("ascii")
    if not PATH.fullmatch(found):
        raise ValueError(f"{host!r} is no host")
    return found


def _check_whole(parts: SplitResult) -> None:
    """Refuses what would be lost. Shows none of it: it may be a password."""
    if parts.username is not None or parts.password is not None:
        raise BadOption(
            "--base-url names a user, and who asks is not told in an address; leave that out and give "
            "--api-key, or --header 'Authorization=Basic …'"
        )
    if parts.query or parts.fragment:
        raise BadOption(
            "--base-url has a part after its path (? or #), and paths are added to it; leave that out, or "
            "say the whole path of the route with --endpoint '/v1/completions?…'"
        )


def check_path(path: str, flag: str) -> None:
    """Raises if a request's first line cannot hold it."""
    if not PATH.fullmatch(path):
        raise BadOption(f"{flag} has {path!r}, which no request can ask for; write it percent-encoded")


def check_header(name: str, value: str, flag: str, secret: bool = False) -> None:
    """Raises if a request cannot carry it, or it would be more than one header."""
    if not NAME.fullmatch(name):
        raise BadOption(f"{flag} is called {name!r}; a header's name has ASCII letters, digits and -")
    if not VALUE.fullmatch(value):
        place = next(i for i, letter in enumerate(value) if not VALUE.fullmatch(letter))
        found = "a letter" if secret else repr(value[place])
        raise BadOption(
            f"{flag} has {found} at place {place + 1:,} of {len(value):,}, which no HTTP header can carry: "
            f"only visible letters of ASCII or Latin-1, in one line"
        )
