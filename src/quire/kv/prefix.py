"""Names for prefixes: a SHA-256 chain over blocks of tokens.

digest[i] = SHA-256(digest[i-1], the block's token ids as int32, media in it). The chain starts from the
cache salt and the LoRA id, so that tenants and adapters never meet. All parts are fixed in length or
carry their length: two different inputs never give the same bytes.
"""

from __future__ import annotations

import struct
from hashlib import sha256

from quire.types import Ints, Request


def root_digest(salt: bytes, lora: bytes = b"") -> bytes:
    return sha256(struct.pack("<QQ", len(salt), len(lora)) + salt + lora).digest()


class PrefixChain:
    """The digests of one request's full blocks, computed as they are asked for."""

    __slots__ = ("_block_tokens", "_media", "_root", "digests")

    def __init__(self, request: Request, block_tokens: int):
        self._block_tokens = block_tokens
        self._root = root_digest(request.salt, request.lora)
        self._media = request.media
        self.digests: list[bytes] = []

    def extend(self, tokens: Ints, blocks: int) -> list[bytes]:
        """Digests of the first `blocks` blocks; `tokens` is the sequence from its beginning."""
        size, digests, have = self._block_tokens, self.digests, len(self.digests)
        if have >= blocks:
            return digests
        content = tokens[have * size : blocks * size].tobytes()
        wide, digest = len(content) // (blocks - have), digests[-1] if digests else self._root
        for i in range(blocks - have):
            more = self._media_in(have + i) if self._media else b""
            digest = sha256(digest + content[i * wide : (i + 1) * wide] + more).digest()
            digests.append(digest)
        return digests

    def follow(self, other: PrefixChain, blocks: int) -> None:
        """Takes over what `other` knows of the first `blocks` blocks, whose tokens are the same in both."""
        if self._root == other._root and not self._media and not other._media:
            self.digests += other.digests[len(self.digests) : blocks]

    def _media_in(self, block: int) -> bytes:
        first, last = block * self._block_tokens, (block + 1) * self._block_tokens
        inside = [(at, h) for at, h in self._media if first <= at < last]
        return b"".join(struct.pack("<qQ", at - first, len(h)) + h for at, h in inside)
