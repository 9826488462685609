"""API keys: whose request is it?

Only digests are kept. A key that is shown is compared with all of them, in the same time whether and
wherever it matches. Several keys may have one name: they are the same tenant.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from quire.errors import BadOption
from quire.server.contract import Tenant
from quire.server.options import ServerConfig


class Keys:
    def __init__(self, keys: Iterable[tuple[str, Tenant]] = ()):
        self._known: dict[bytes, Tenant] = {}
        for key, tenant in keys:
            digest = _digest(key.encode())
            if digest in self._known:
                raise BadOption(f"the keys of {self._known[digest].name!r} and {tenant.name!r} are the same")
            self._known[digest] = tenant

    def __len__(self) -> int:
        return len(self._known)

    def owner(self, shown: bytes) -> Tenant | None:
        """Whose key it is; None if nobody's."""
        digest, found = _digest(shown), None
        for known, tenant in self._known.items():
            if hmac.compare_digest(known, digest):
                found = tenant
        return found


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()


def keys_of(options: ServerConfig, environ: Mapping[str, str]) -> Keys:
    """The keys of flags, file and environment together; none means that everybody may ask."""
    listed = [options.api_key, environ.get("QUIRE_API_KEY"), environ.get("VLLM_API_KEY")]
    plain = [key.strip() for text in listed if text is not None for key in text.split(",")]
    if options.api_key is not None and not any(plain):
        raise BadOption("--api-key is empty; give a key or leave it out")
    named = [(key, Tenant(f"key{i}")) for i, key in enumerate(dict.fromkeys(k for k in plain if k), start=1)]
    if options.api_key_file is not None:
        named += _read(options.api_key_file)
    return Keys(named)


def _read(file: str) -> Iterator[tuple[str, Tenant]]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadOption(f"--api-key-file {file} cannot be read: {e}") from e
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) not in (2, 3):
            raise BadOption(f"{file}, line {number}: a line is `name key [weight]`, found {len(words)} words")
        yield words[1], Tenant(words[0], _weight(words[2], f"{file}, line {number}") if words[2:] else 1.0)


def _weight(text: str, where: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 1e-3 <= weight <= 1e3:
        raise BadOption(f"{where}: the weight is {text!r} and must be a number from 0.001 to 1,000")
    return weight
