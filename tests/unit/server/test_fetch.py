"""URLs in requests: what is fetched, from where, and everything that is not. A real server answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from quire.errors import BadOption
from quire.server.fetch import Fetched, Fetcher, NotFetched, is_public

PUBLIC = "93.184.216.34"
OK = b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 4\r\n\r\n\x89PNG"
PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:93.184.216.34",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "not an address",
]


class Web:
    """A server on a local port that stands for the internet: names and addresses are given by the test."""

    def __init__(self, replies: dict[str, bytes], addresses: dict[str, list[list[str]]] | None = None):
        self.replies = replies
        self.addresses = addresses or {}
        self.asked: list[str] = []
        self.resolved: list[str] = []
        self.connected: list[tuple[str, int]] = []

    async def resolve(self, host: str, port: int) -> list[str]:
        self.resolved.append(host)
        answers = self.addresses.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(self, address, port, tls, host):
        self.connected.append((address, port))
        assert tls is None
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head)
        reply = self.replies.get(head.split()[1], b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            if reply == b"silence":
                await asyncio.sleep(30)
            for piece in (
                [reply] if len(reply) < 2**20 else [reply[i : i + 65536] for i in range(0, len(reply), 65536)]
            ):
                writer.write(piece)
                await writer.drain()
            writer.close()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()


def fetched(
    web: Web, url: str, domains: str = "example.com", max_bytes: int = 10**6, timeout_s: float = 10.0
) -> Fetched:
    async def go() -> Fetched:
        async with web.open():
            fetcher = Fetcher(domains, timeout_s=timeout_s, resolve=web.resolve, connect=web.connect)
            return await fetcher.fetch(url, max_bytes)

    return asyncio.run(go())


def refused(web: Web, url: str, domains: str = "example.com", **options) -> str:
    with pytest.raises(NotFetched) as caught:
        fetched(web, url, domains, **options)
    return str(caught.value)


def moved(to: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n".encode()


def test_a_listed_host_is_fetched_from_the_address_that_was_checked():
    web = Web({"/cat.png?size=1": OK})
    got = fetched(web, "http://example.com/cat.png?size=1")
    assert got == Fetched(b"\x89PNG", "image/png")
    assert web.connected == [(PUBLIC, 80)]
    assert "Host: example.com\r\n" in web.asked[0]


def test_without_a_list_nothing_is_fetched_and_nothing_is_asked():
    web = Web({"/": OK})
    assert "fetches no URL" in refused(web, "http://example.com/", domains="")
    assert not web.resolved and not web.connected


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.com/",
        "http://example.com.evil.com/",
        "http://evilexample.com/",
        "http://sub.example.com/",
        "http://example.com@evil.com/",
        "http://user:word@example.com/",
        "http://example.com:8080/",
        "http://example.com:22/",
        "http://evil.com#@example.com/",
        "http://evil.com\\@example.com/",
        "http://ex\tample.com/",
        "http://example.com/\r\nX-Header: 1",
        "http://example.com/a b",
        "http://пример.com/",
        "http:///path",
        "http://[::1]/",
        "http://[oops/",
        "http://example.com:99999/",
        "//example.com/",
        "example.com",
        "",
        "file:///etc/passwd",
        "file://example.com/etc/passwd",
        "ftp://example.com/",
        "gopher://example.com/",
        "data:text/plain,hello",
        "http://example.com/" + "a" * 3000,
    ],
)
def test_any_other_url_is_refused_before_a_name_is_resolved(url):
    web = Web({"/": OK})
    message = refused(web, url)
    assert not web.resolved and not web.connected
    assert "/etc/passwd" not in message and "evil" not in message


def test_a_star_means_hosts_below_the_domain_and_a_port_is_listed_with_it():
    web = Web({"/": OK})
    domains = "*.example.com, other.org:8080"
    assert fetched(web, "http://a.b.example.com/", domains).body == b"\x89PNG"
    assert fetched(web, "http://other.org:8080/", domains).body == b"\x89PNG"
    assert web.connected == [(PUBLIC, 80), (PUBLIC, 8080)]
    for url in ("http://example.com/", "http://other.org/", "http://notexample.com/"):
        refused(web, url, domains)


def test_case_and_a_dot_at_the_end_make_no_other_host():
    web = Web({"/": OK})
    assert fetched(web, "http://EXAMPLE.com./").body == b"\x89PNG"


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_never_connected_to(address):
    assert not is_public(address)
    web = Web({"/": OK}, {"example.com": [[address]]})
    assert "no public address" in refused(web, "http://example.com/")
    assert web.connected == []


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_known(address):
    assert is_public(address)


@pytest.mark.parametrize("literal", ["0x7f.1", "2130706433", "017700000001"])
def test_another_spelling_of_a_private_address_is_not_that_address(literal):
    web = Web({"/": OK}, {literal: [["127.0.0.1"]]})
    refused(web, f"http://{literal}/", domains=literal)
    assert web.connected == []


@pytest.mark.parametrize("address", ["10.0.0.7", "::1"])
def test_a_private_address_is_fetched_from_if_it_is_listed_itself_with_its_port(address):
    shown = f"[{address}]" if ":" in address else address
    web = Web({"/": OK}, {address: [[address]], "wiki.corp": [[address]]})
    domains = f"{shown}:8080, wiki.corp:8080, wiki.corp"
    assert fetched(web, f"http://{shown}:8080/", domains).body == b"\x89PNG"
    assert fetched(web, "http://wiki.corp:8080/", domains).body == b"\x89PNG"
    assert web.connected == [(address, 8080)] * 2
    for url in (f"http://{shown}/", "http://wiki.corp/"):
        refused(web, url, domains)


@pytest.mark.parametrize("domains", ["*", "http://example.com/", "example.com/path", "a b", "a:b", "é.com"])
def test_a_list_of_what_is_no_host_is_refused_at_the_start(domains):
    with pytest.raises(BadOption, match="allow_url_domains holds"):
        Fetcher(domains)


def test_the_port_of_the_scheme_may_be_written():
    assert fetched(Web({"/": OK}), "http://example.com:80/").body == b"\x89PNG"


def test_one_private_address_among_public_ones_spoils_all():
    web = Web({"/": OK}, {"example.com": [[PUBLIC, "10.0.0.1"]]})
    refused(web, "http://example.com/")
    assert web.connected == []


def test_a_name_is_resolved_once_so_that_a_second_answer_changes_nothing():
    web = Web({"/": OK}, {"example.com": [[PUBLIC], ["127.0.0.1"]]})
    assert fetched(web, "http://example.com/").body == b"\x89PNG"
    assert web.resolved == ["example.com"]
    assert web.connected == [(PUBLIC, 80)]


def test_a_redirect_is_followed_within_the_list():
    web = Web({"/": moved("/there"), "/there": OK})
    assert fetched(web, "http://example.com/").body == b"\x89PNG"
    assert web.resolved == ["example.com", "example.com"]


def test_a_redirect_to_a_name_that_has_become_private_is_not_followed():
    web = Web(
        {"/": moved("http://example.com/there"), "/there": OK}, {"example.com": [[PUBLIC], ["10.0.0.1"]]}
    )
    refused(web, "http://example.com/")
    assert web.connected == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "file:///etc/passwd",
        "http://evil.com/",
        "//evil.com/",
        "http://example.com@evil.com/",
        "http://example.com:6379/",
        "gopher://example.com/",
    ],
)
def test_a_redirect_elsewhere_is_refused_like_a_first_url(target):
    web = Web({"/": moved(target)})
    refused(web, "http://example.com/")
    assert web.connected == [(PUBLIC, 80)]


def test_redirects_in_a_circle_end():
    web = Web({"/": moved("/")})
    assert "more than 3 times" in refused(web, "http://example.com/")
    assert len(web.connected) == 4


@pytest.mark.parametrize(
    "head",
    [b"content-length: 100000000\r\n", b"transfer-encoding: chunked\r\n", b""],
    ids=["length", "chunks", "close"],
)
def test_what_is_too_large_is_not_read_to_its_end(head):
    data = b"x" * (4 * 2**20)
    if b"chunked" in head:
        data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
    web = Web({"/": b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + data})
    assert "more than 1,000 bytes" in refused(web, "http://example.com/", max_bytes=1000)


def test_headers_without_end_are_not_read():
    web = Web({"/": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 2**21})
    assert "headers are too long" in refused(web, "http://example.com/")


def test_compressed_data_is_refused():
    web = Web({"/": b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nxx"})
    assert "compressed" in refused(web, "http://example.com/")


def test_a_server_that_is_silent_is_left():
    assert "within 0.2 seconds" in refused(Web({"/": b"silence"}), "http://example.com/", timeout_s=0.2)


@pytest.mark.parametrize(
    "reply",
    [
        b"nonsense\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort",
        b"HTTP/1.1 500 No\r\n\r\n",
    ],
    ids=["no http", "nothing", "cut short", "status 500"],
)
def test_a_broken_reply_is_an_error_of_the_request(reply: bytes):
    message = refused(Web({"/": reply}), "http://example.com/")
    assert "127.0.0.1" not in message


def test_a_name_that_nobody_knows_is_an_error_of_the_request():
    async def unknown(host: str, port: int) -> list[str]:
        raise OSError("name or service not known")

    async def go(make: Callable[[], Fetcher]) -> None:
        with pytest.raises(NotFetched):
            await make().fetch("http://example.com/")

    asyncio.run(go(lambda: Fetcher("example.com", resolve=unknown)))
