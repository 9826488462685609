"""Which web pages may call a server that has no keys, and under which names it may be called.

A browser lets any page send some requests anywhere, and a page may make its own name point to this machine.
Browsers say whose page it is (Origin) and which name was called (Host); programs send no Origin and are not
asked. With keys none of this matters: a page does not know them.
"""

from __future__ import annotations

import ipaddress
import re

from quire.errors import NotAllowed
from quire.server.options import ServerConfig

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]@,/\s]*)(?::\d*)?", re.I)
_OURS = ("localhost", "internal")  # domains that nobody can buy


class Visitors:
    def __init__(self, options: ServerConfig):
        self._origins = {_plain(origin.rstrip("/")) for origin in words(options.allowed_origins or "")}
        self._hosts = {_plain(host) for host in words(options.allowed_hosts or "")}
        if options.uds or not _is_loopback(options.host):
            self._hosts.add("*")  # no page can reach the one; the other is meant to have names
        self._known: set[bytes] = set()  # hosts that were found to be fine, a few

    def check(self, origin: bytes | None, host: bytes) -> None:
        """Raises NotAllowed for a page of somebody else, or a name that is not ours."""
        if host not in self._known and "*" not in self._hosts:
            self._check_host(host.decode("latin-1"))
            if len(self._known) < 64:
                self._known.add(host)
        if origin is not None and "*" not in self._origins:
            page, here = _plain(origin.decode("latin-1")), _plain(host.decode("latin-1"))
            if page not in self._origins and page.partition("://")[2] != here:
                raise NotAllowed(
                    "web pages of other origins may not call this server; name them with --allowed-origins, "
                    "or give the server a key"
                )

    def _check_host(self, host: str) -> None:
        found = _HOST.fullmatch(host)
        name = _plain(found["name"]).rstrip(".") if found else None
        if name is None or not (name in self._hosts or _cannot_be_bought(name)):
            raise NotAllowed(
                "this server is for its own machine and was called by a name that could be anybody's; call "
                "it localhost, name the host with --allowed-hosts, or give the server a key"
            )


def _cannot_be_bought(name: str) -> bool:
    """Whether no stranger can make this name point to us: an address, or a name of no public domain."""
    if "." not in name or name.rpartition(".")[2] in _OURS:
        return True
    return _address(name) is not None


def _is_loopback(host: str) -> bool:
    found = _address(host)
    return host == "localhost" if found is None else found.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _plain(text: str) -> str:
    return text.strip().lower()


def words(text: str) -> list[str]:
    """What stands between the commas of a setting."""
    return [word.strip() for word in text.split(",") if word.strip()]
