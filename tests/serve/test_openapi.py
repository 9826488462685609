"""Whatever /openapi.json allows and whatever it forbids is sent to the real server, route by route.

Nothing is left out: wrong types, missing fields, odd bytes, unknown methods. No reply is a server's error,
every reply is of a kind that the page announces, and afterwards it is the same engine and holds nothing.

A longer run, with everything Schemathesis derives from the schema itself: QUIRE_FUZZ_EXAMPLES=500, say.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections import Counter
from typing import Any

import httpx
import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from tests.serve.command import Command, until
from tests.serve.test_disconnects import gauges

FEW = 5
EXAMPLES = int(os.environ.get("QUIRE_FUZZ_EXAMPLES", FEW))  # of each route
SEED = int(os.environ.get("QUIRE_FUZZ_SEED", "1"))
PHASES = ["examples", "fuzzing", "stateful"] + (["coverage"] if EXAMPLES > FEW else [])
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
]
SHORT = ("--max-model-len", "256", "--max-num-seqs", "32", "--kv-cache-memory-bytes", "64M")
LEAKS = re.compile(r'Traceback|File "|\bat 0x[0-9a-f]{6}|site-packages|\.py\b')


class Sent:
    """What has been sent. Of what only the server can know, most requests get something that exists."""

    def __init__(self, command: Command, model: str):
        self.command = command
        self.model = model
        self.codes: Counter[tuple[str, int]] = Counter()
        self._turn = itertools.count()
        self._known = self._make()

    def _make(self) -> dict[str, str]:
        """A file, a batch and a stored reply for the routes that ask for one by its id."""
        ask = httpx.Client(base_url=self.command.address, timeout=60)
        line = {"custom_id": "a", "method": "POST", "url": "/v1/embeddings", "body": {"input": "hi"}}
        file = ask.post(
            "/v1/files", files={"file": ("a.jsonl", json.dumps(line))}, data={"purpose": "batch"}
        ).json()["id"]
        batch = ask.post("/v1/batches", json={"input_file_id": file, "endpoint": "/v1/embeddings"}).json()[
            "id"
        ]
        reply = ask.post("/v1/responses", json={"input": "hi", "max_output_tokens": 4}).json()
        found = {"file_id": file, "input_file_id": file, "batch_id": batch, "name": self.model}
        return {**found, "response_id": reply.get("id", "none"), "id": batch, "previous_response_id": "none"}

    def prepare(self, case: Any) -> None:
        if next(self._turn) % 4 == 0:
            return
        if isinstance(case.body, dict):
            given = {n: v for n, v in {**self._known, "model": self.model}.items() if n in case.body}
            case.body = {**case.body, **{n: v for n, v in given.items() if isinstance(case.body[n], str)}}
        for name in set(case.path_parameters or ()) & set(self._known):
            if case.method != "DELETE":
                case.path_parameters[name] = self._known[name]

    def note(self, case: Any, response: Any) -> None:
        self.codes[f"{case.method} {case.operation.path}", response.status_code] += 1
        assert response.status_code < 400 or not LEAKS.search(response.text), response.text


@pytest.mark.parametrize("model", ["quire-tiny", "quire-tiny-classify"])
def test_nothing_that_is_sent_to_any_route_is_a_servers_error(model: str, tmp_path: Any):
    with Command(*SHORT, "--cpu-threads", "1", "--storage-dir", str(tmp_path), model=model) as command:
        command.wait_until_ready()
        sent = Sent(command, model)
        problems = fuzz(command.address, sent)

        assert not problems, "\n\n".join(problems)
        tried = {route for route, _ in sent.codes}
        paths = command.get("/openapi.json").json()["paths"]
        assert tried >= {f"{m.upper()} {path}" for path, methods in paths.items() for m in methods}
        assert max(code for _, code in sent.codes) < 500
        assert sum(n for (_, code), n in sent.codes.items() if code == 200) > 30
        assert command.get("/health").json() == {"state": "ready", "generation": 1}
        until(lambda: not any(gauges(command).values()), 30, f"nothing held ({gauges(command)})")
        assert "Traceback" not in command.log and "ERROR" not in command.log
        print(sum(sent.codes.values()), "requests:", dict(codes(sent)))


def codes(sent: Sent) -> Counter[int]:
    total: Counter[int] = Counter()
    for (_, code), number in sent.codes.items():
        total[code] += number
    return total


def fuzz(address: str, sent: Sent) -> list[str]:
    """Sends what Schemathesis finds; returns what was wrong, with a command that shows it again."""
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json", config=SchemathesisConfig(seed=SEED))
    config = schema.config
    config.request_timeout, config.continue_on_failure = 60, True
    config.generation.update(max_examples=EXAMPLES, no_shrink=True, deterministic=EXAMPLES == FEW)
    config.phases.update(phases=PHASES)
    config.checks.update(included_check_names=CHECKS)
    problems: dict[tuple[str, str | None], str] = {}

    def before_call(context: Any, case: Any, kwargs: Any) -> None:
        sent.prepare(case)

    def after_call(context: Any, case: Any, response: Any) -> None:
        sent.note(case, response)

    schemathesis.hook(before_call)
    schemathesis.hook(after_call)
    try:
        for event in from_schema(schema).execute():
            if isinstance(event, (events.NonFatalError, events.FatalError)):
                problems["error", str(event)[:200]] = str(event)[:2000]
            elif isinstance(event, events.ScenarioFinished) and event.status is not Status.SUCCESS:
                problems |= failures(event)
    finally:
        schemathesis.hooks.unregister(before_call)
        schemathesis.hooks.unregister(after_call)
    return list(problems.values())


def failures(event: events.ScenarioFinished) -> dict[tuple[str, str | None], str]:
    found = {}
    for checks in event.recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                why, how = check.failure_info.failure, check.failure_info.code_sample
                found[why.title, event.recorder.label] = f"{event.recorder.label}: {why}\n{how}"[:3000]
    return found
