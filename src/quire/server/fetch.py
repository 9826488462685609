"""Fetches a URL that stands in a request, if its host is on the list.

A name is resolved once and the connection goes to the very address that was checked, so that an answer that
changes in between changes nothing. It must be an address of the public internet, or stand on the list itself:
whoever answers for a listed name cannot lead us into a private network. Each redirect is checked like a first
URL. Nothing is unpacked, no credentials or proxies are used, and size and time are limited.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit

import httptools

from quire.errors import BadOption, RequestError

AT_ONCE = 16  # URLs that are fetched, by one process
MAX_REDIRECTS = 3
MAX_URL = 2048
MAX_HEADER_BYTES = 32 * 1024
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9._:-]+")
_ENTRY = re.compile(r"(?P<host>(?:\*\.)?[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_UNSAFE = re.compile(r"[^\x21-\x7e]")
_TUNNELS = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))
)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Connect = Callable[
    [str, int, ssl.SSLContext | None, str], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
]


class NotFetched(RequestError):
    code = "url_not_fetched"


@dataclass(frozen=True, slots=True)
class Fetched:
    body: bytes
    content_type: str


async def resolve(host: str, port: int) -> list[str]:
    """All addresses of a name, by the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def connect(
    address: str, port: int, tls: ssl.SSLContext | None, host: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(address, port, ssl=tls, server_hostname=host if tls else None)


def hosts_in(option: str) -> frozenset[tuple[str, int | None]]:
    """The value of --allow-url-domains: hosts, and ports where they are not those of http and https."""
    hosts = set()
    for entry in filter(None, (e.strip().lower() for e in option.split(","))):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise BadOption(
                f"allow_url_domains holds {entry[:80]!r} and takes hosts such as example.com, *.example.com, "
                f"example.com:8080 or 10.0.0.7"
            )
        hosts.add((found["host"].strip("[]").rstrip("."), int(found["port"]) if found["port"] else None))
    return frozenset(hosts)


class Fetcher:
    """`domains`: hosts such as example.com, *.example.com (those below it), example.com:8080 or 10.0.0.7."""

    def __init__(
        self,
        domains: str = "",
        *,
        timeout_s: float = 10.0,
        resolve: Resolve = resolve,
        connect: Connect = connect,
    ):
        self.hosts = hosts_in(domains)
        self.timeout_s = timeout_s
        self._resolve = resolve
        self._connect = connect
        self._places = asyncio.Semaphore(AT_ONCE)

    async def fetch(self, url: str, max_bytes: int = 4 * 2**20) -> Fetched:
        """What is there. Raises NotFetched, with as little about the network as a caller needs."""
        if not self.hosts:
            raise NotFetched(
                "this server fetches no URL unless --allow-url-domains names its host; send the data itself"
            )
        try:
            async with asyncio.timeout(self.timeout_s), self._places:
                return await self._follow(url, max_bytes)
        except TimeoutError:
            raise NotFetched(f"the URL did not answer within {self.timeout_s:g} seconds") from None
        except (OSError, httptools.HttpParserError, EOFError, UnicodeError):
            raise NotFetched(
                "the URL could not be fetched: its server does not answer as it should"
            ) from None

    async def _follow(self, url: str, max_bytes: int) -> Fetched:
        secure = False
        for _ in range(MAX_REDIRECTS + 1):
            parts, host, port = self._checked(url)
            if secure and parts.scheme != "https":
                raise NotFetched("the URL redirects from https to http")
            secure = parts.scheme == "https"
            address = await self._address(host, port, parts.scheme)
            reply = await self._get(parts, host, port, address, max_bytes)
            if reply.location is None:
                return Fetched(bytes(reply.body), reply.content_type)
            url = urljoin(url, reply.location)
        raise NotFetched(f"the URL redirects more than {MAX_REDIRECTS} times")

    def _checked(self, url: str) -> tuple[SplitResult, str, int]:
        """The URL in parts, its host and its port, if it may be fetched at all."""
        if len(url) > MAX_URL or _UNSAFE.search(url) or "\\" in url:
            raise NotFetched(f"the URL is longer than {MAX_URL:,} characters or holds some that no URL has")
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").rstrip(".").lower()
            port = _PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
        except ValueError:
            raise NotFetched("the URL cannot be read") from None
        if parts.scheme not in _PORTS:
            raise NotFetched("only http and https URLs are fetched")
        if parts.username is not None or parts.password is not None:
            raise NotFetched("the URL holds a user name; leave it out")
        if not _HOST.fullmatch(host) or not self._listed(host, port, parts.scheme):
            raise NotFetched("the URL's host is not among --allow-url-domains")
        return parts, host, port

    def _listed(self, host: str, port: int, scheme: str) -> bool:
        """Without a port, a host is listed with that of the scheme."""
        for name, number in self.hosts:
            if (number or _PORTS[scheme]) != port:
                continue
            if host == name or (name.startswith("*.") and host.endswith(name[1:])):
                return True
        return False

    async def _address(self, host: str, port: int, scheme: str) -> str:
        """The address to connect to. One that may not be connected to among several spoils all."""
        addresses = await self._resolve(host, port)
        if not addresses or not all(is_public(a) or self._listed(a, port, scheme) for a in addresses):
            raise NotFetched(
                "the URL's host has no public address, and its own is not among --allow-url-domains"
            )
        return addresses[0]

    async def _get(self, parts: SplitResult, host: str, port: int, address: str, max_bytes: int) -> _Reply:
        tls = _tls() if parts.scheme == "https" else None
        reader, writer = await self._connect(address, port, tls, host)
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            shown = f"[{host}]" if ":" in host else host
            named = shown if port == _PORTS[parts.scheme] else f"{shown}:{port}"
            writer.write(
                f"GET {target} HTTP/1.1\r\nHost: {named}\r\nUser-Agent: quire\r\nAccept: */*\r\n"
                f"Accept-Encoding: identity\r\nConnection: close\r\n\r\n".encode("ascii")
            )
            await writer.drain()
            reply = _Reply(max_bytes)
            while not reply.complete:
                data = await reader.read(65536)
                if not data:
                    reply.ended()
                    break
                reply.feed(data)
            return reply
        finally:
            writer.close()


@functools.cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def is_public(address: str) -> bool:
    """Whether it is an address of the public internet, and not one that leads back into a private network."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and (
        ip.ipv4_mapped is not None or ip.scope_id is not None or any(ip in net for net in _TUNNELS)
    ):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not ip.is_unspecified


class _Reply:
    """Gathers one HTTP reply and stops it where it goes too far."""

    def __init__(self, max_bytes: int):
        self.body = bytearray()
        self.content_type = ""
        self.location: str | None = None
        self.complete = False
        self._max_bytes = max_bytes
        self._head = 0
        self._in_head = True
        self._sized = False
        self._moved = ""
        self._refused: NotFetched | None = None
        self._parser = httptools.HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        self._parser.feed_data(data)
        if self._in_head and self._head > MAX_HEADER_BYTES:
            raise NotFetched("the URL's headers are too long")
        if self._refused is not None:
            raise self._refused

    def ended(self) -> None:
        """The connection is closed; that is an end only where no length was told."""
        if self._in_head or self._sized:
            raise EOFError

    def on_header(self, name: bytes, value: bytes) -> None:
        match name.lower():
            case b"content-type":
                self.content_type = value.decode("latin-1")
            case b"location":
                self._moved = value.decode("latin-1")
            case b"content-length":
                self._sized = True
                if not value.isdigit() or int(value[:20]) > self._max_bytes:
                    self._refused = self._too_long()
            case b"transfer-encoding":
                self._sized = True
            case b"content-encoding" if value.strip().lower() != b"identity":
                self._refused = NotFetched("the URL answers with compressed data")

    def on_headers_complete(self) -> None:
        self._in_head = False
        status = self._parser.get_status_code()
        if status in (301, 302, 303, 307, 308) and self._moved:
            self.location, self.complete, self._refused = self._moved, True, None
        elif status != 200:
            self._refused = NotFetched(f"the URL answers with status {status}")

    def on_body(self, body: bytes) -> None:
        if self._refused is None and not self.complete:
            self.body += body
            if len(self.body) > self._max_bytes:
                self.body.clear()
                self._refused = self._too_long()

    def on_message_complete(self) -> None:
        self.complete = True

    def _too_long(self) -> NotFetched:
        return NotFetched(
            f"the URL has more than {self._max_bytes:,} bytes; send less or raise --max-document-bytes"
        )
