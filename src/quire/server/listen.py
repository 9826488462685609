"""The socket a server listens on, and what to do once it does."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

from quire.errors import BadOption
from quire.server.options import ServerConfig


def listen(options: ServerConfig) -> tuple[socket.socket, str]:
    """The socket to serve on, and its address as a URL. Raises BadOption if it cannot be had."""
    try:
        if options.uds:
            return _listen_on_path(options.uds)
        family, _, _, _, where = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(4096)
    except OSError as e:
        at = options.uds or f"port {options.port} of {options.host}"
        raise BadOption(
            f"cannot listen on {at}: {e.strerror or e}; choose another with --port (0 takes a free one), "
            f"--host or --uds"
        ) from None
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if family == socket.AF_INET6 else host
    return listener, f"http://{shown}:{port}"


def _listen_on_path(path: str) -> tuple[socket.socket, str]:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.suppress(FileNotFoundError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:  # nobody is behind it: left over
            if Path(path).is_socket():
                os.unlink(path)
    listener.bind(path)
    listener.listen(4096)
    return listener, f"unix:{path}"


def banner(address: str, options: ServerConfig, needs_key: bool = False, generates: bool = True) -> str:
    """What to do now that it runs."""
    at = address.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")
    header = ' -H "Authorization: Bearer KEY"' if needs_key else ""
    url, via = (at, "") if not options.uds else ("http://quire", f" --unix-socket {options.uds}")
    path, body = "v1/chat/completions", '{"messages": [{"role": "user", "content": "Hello"}]}'
    if not generates:
        path, body = "v1/embeddings", '{"input": "Hello"}'
    lines = [
        f"Quire is ready on {address}",
        "",
        f"  curl{via} {url}/{path}{header} -H 'Content-Type: application/json' -d '{body}'",
    ]
    if not options.uds:
        call = "chat.completions.create(model=client.models.list().data[0].id, messages="
        call += "[{'role': 'user', 'content': 'Hello'}]).choices[0].message.content"
        if not generates:
            call = "embeddings.create(model=client.models.list().data[0].id, input='Hello').data[0].embedding"
        lines += [
            "",
            f"  python -c \"from openai import OpenAI; client = OpenAI(base_url='{url}/v1', "
            f"api_key='{'KEY' if needs_key else 'none'}'); print(client.{call})\"",
            "",
            f"  {url}/docs lists every route",
        ]
    return "\n".join(lines)


def allow_many_sockets() -> None:
    """Lets this process have as many open files as it may: a stream is one, and 1,024 is the usual limit."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
