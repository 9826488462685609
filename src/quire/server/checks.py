"""What is wrong with the server's settings is told before anything is started, in one line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from quire.errors import BadOption, nearest
from quire.server.conversation import read_template
from quire.server.fetch import hosts_in
from quire.server.keys import keys_of
from quire.server.options import ServerConfig
from quire.server.parse import DIALECTS, REASONING


def check_settings(options: ServerConfig, environ: Mapping[str, str]) -> None:
    """Raises BadOption for a name nobody knows, or a file or address that cannot be used."""
    _known("tool_call_parser", options.tool_call_parser, DIALECTS)
    _known("reasoning_parser", options.reasoning_parser, REASONING)
    if options.chat_template is not None:
        read_template(options.chat_template)
    hosts_in(options.allow_url_domains or "")
    keys_of(options, environ)
    endpoint = options.otlp_traces_endpoint
    if endpoint is not None and urlsplit(endpoint).scheme not in ("http", "https"):
        raise BadOption(f"otlp_traces_endpoint is {endpoint!r} and must be an http URL")


def _known(option: str, name: str, names: Collection[str]) -> None:
    if name not in ("auto", "none") and name not in names:
        known = ", ".join(sorted(names))
        raise BadOption(f"{option} is {name!r}{nearest(name, names)}; known are auto, {known}")
