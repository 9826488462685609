"""Servers behind TLS: answers that end with the connection, and certificates that nobody vouches for."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from pathlib import Path

import pytest

from quire.cli import main
from quire.errors import BadOption
from quire.tools.load.address import Target
from quire.tools.load.connection import Connections
from quire.tools.load.http import BadReply
from quire.tools.load.lag import Lag
from quire.tools.load.peer import Peer

WHOLE = b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"data": []}'
TORN = b'HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{"data": '


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, capture_output=True,
    )  # fmt: skip
    if made.returncode:
        pytest.skip(f"openssl makes no certificate here: {made.stderr.decode()[-200:]}")
    both = folder / "both.pem"
    both.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    return both


def asked(certificate: Path, said: bytes, verified: bool = False) -> tuple[int, object]:
    """What a client makes of a server that says this and closes the connection."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()  # which says so in TLS first, and waits for the client's answer

    async def both() -> tuple[int, object]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            async with asyncio.timeout(5):
                return await Connections(Target.of(url, verified=verified), Lag()).json("GET", "/")
        finally:
            server.close()

    return asyncio.run(both())


def test_the_end_of_tls_ends_an_answer_without_a_length(certificate):
    assert asked(certificate, WHOLE) == (200, {"data": []})


def test_the_end_of_tls_in_the_middle_of_an_answer_is_a_failure(certificate):
    with pytest.raises(BadReply, match="before its answer was complete"):
        asked(certificate, TORN)


def test_a_certificate_that_is_not_trusted_is_refused_at_once_with_the_way_out(certificate, monkeypatch):
    with pytest.raises(ssl.SSLCertVerificationError) as found:
        asked(certificate, WHOLE, verified=True)

    async def refused(self, *asked):
        raise found.value

    monkeypatch.setattr(Connections, "json", refused)
    with pytest.raises(BadOption, match=r"not trusted .* SSL_CERT_FILE, or do without: --insecure"):
        Peer(Target.of("https://localhost:1")).models(3600)


def test_a_server_that_lists_a_model_without_a_name_has_none(monkeypatch):
    monkeypatch.setattr(Peer, "models", lambda self, patience_s: (200, {"data": [{"id": None}]}))
    with pytest.raises(BadOption, match="lists no model"):
        Peer(Target.of("localhost")).model(1)


def test_a_process_without_files_to_open_may_have_none(capsys, monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (50, 50))
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: None)
    with pytest.raises(BadOption, match="this process may have 0;"):
        Peer(Target.of("localhost")).run([None] * 5, None)
    assert main(["bench", "serve", "--insecure", "--num-prompts", "0"]) == 2
