"""A server that is to be measured: whether it is there, what it calls its model, and a run against it."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from quire.errors import BadOption, RequestFailed
from quire.text.tokenizer import load_tokenizer
from quire.tools.load.address import Target
from quire.tools.load.connection import Connections
from quire.tools.load.dialects import Chat, Dialect
from quire.tools.load.drive import Record, drive, one, room_for, run
from quire.tools.load.http import BadReply
from quire.tools.load.lag import Lag
from quire.tools.load.prompts import Ids, Prompt, Text, Words, Writer
from quire.tools.load.workload import Ask
from quire.weights.folder import find_tokenizer

LEAST_S = 5.0  # for which a server is waited for that has taken a connection
SHORT, LONG = 20, 120  # words of the two requests that show how many tokens a word makes


@dataclass(slots=True)
class Run:
    """What one load came to."""

    records: list[Record]
    lag: Lag


@dataclass(frozen=True, slots=True)
class Peer:
    target: Target
    timeout_s: float = 3600.0

    def models(self, patience_s: float) -> tuple[int, Any]:
        """What it lists as its models, once it answers; whatever it says, if it is no list. Status first."""

        async def ask() -> tuple[int, Any]:
            deadline = time.monotonic() + patience_s
            while True:
                connections = Connections(self.target, Lag())
                try:
                    async with asyncio.timeout(max(LEAST_S, deadline - time.monotonic())):
                        status, told = await connections.json("GET", "/v1/models")
                    if status in (401, 403):
                        raise BadOption(f"{self.target} wants a key; give it with --api-key")
                    if status != 503:
                        return status, told
                    problem = "it answers 503"
                except TimeoutError:
                    problem = "it does not answer"
                except ssl.SSLCertVerificationError as e:  # waiting does not change it
                    raise BadOption(
                        f"the certificate of {self.target} is not trusted ({e.verify_message}); name the "
                        f"file of its authority, or itself, in SSL_CERT_FILE, or do without: --insecure"
                    ) from e
                except (OSError, BadReply) as e:
                    problem = str(e)
                finally:
                    connections.close()
                if time.monotonic() >= deadline:
                    raise RequestFailed(
                        f"no server at {self.target} after {patience_s:g} seconds ({problem}); start one "
                        f"with `quire serve`, or say where it is with --base-url"
                    )
                await asyncio.sleep(0.2)

        return run(ask())

    def model(self, patience_s: float, named: str | None = None) -> str:
        """`named`, or the first of its list, once it answers."""
        status, told = self.models(patience_s)
        if named is not None:
            return named
        try:
            name = told["data"][0]["id"]
        except (KeyError, IndexError, TypeError):
            name = None
        if not isinstance(name, str) or not name:
            said = f" (HTTP {status}: {' '.join(str(told).split())[:200]})"
            raise BadOption(f"{self.target} lists no model{said}; name it with --model")
        return name

    def writer(self, dialect: Dialect, tokenizer: str | None) -> Writer:
        """Of prompts that this route takes."""
        if tokenizer is not None:
            return Text(load_tokenizer(find_tokenizer(tokenizer)))
        if not isinstance(dialect, Chat):
            return Ids()
        counts = [(words, self._counted(dialect, words)) for words in (SHORT, LONG)]
        return Words.learned(*counts)

    def _counted(self, dialect: Dialect, words: int) -> int:
        prompt = Words().write(words, Random(words))
        tried = self.attempt(prompt, dialect)
        return tried.prompt_tokens or words

    def attempt(self, prompt: Prompt, dialect: Dialect, tokens: int = 1) -> Record:
        """One request; raises if the server does not answer it."""

        async def ask() -> Record:
            connections = Connections(self.target, Lag())
            try:
                asked = Ask(0.0, prompt, 0, tokens)
                return await one(asked, 0.0, connections, dialect, time.perf_counter(), self.timeout_s)
            finally:
                connections.close()

        record = run(ask())
        if not record.ok:
            raise RequestFailed(f"{self.target}{dialect.path} does not answer as it should: {record.error}")
        return record

    def run(
        self,
        asks: Sequence[Ask],
        dialect: Dialect,
        concurrency: int | None = None,
        told: Callable[[Record], None] = lambda record: None,
    ) -> Run:
        """The load."""
        streams = min(len(asks), concurrency or len(asks))
        if room_for(streams) < streams:
            raise BadOption(
                f"{streams:,} streams at once need as many open files and this process may have "
                f"{room_for(streams):,}; lower --max-concurrency or raise `ulimit -n`"
            )
        lag = Lag()

        async def all_of_it() -> list[Record]:
            connections = Connections(self.target, lag)
            try:
                return await drive(
                    asks,
                    connections,
                    dialect,
                    concurrency=concurrency,
                    timeout_s=self.timeout_s,
                    told=told,
                )
            finally:
                connections.close()

        return Run(run(all_of_it()), lag)
