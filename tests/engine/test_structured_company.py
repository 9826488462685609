"""Structured outputs beside other requests: they wait for their grammar alone, and break alone."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM, AsyncEngine, SamplingParams
from quire.engine.gate import Gate
from quire.errors import BadGrammar, BadOption
from quire.grammar import Compiled, GrammarLimits, Grammars, Spec
from quire.outputs import RequestOutput

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 6}, "ok": {"type": "boolean"}},
    "required": ["name", "ok"],
    "additionalProperties": False,
}
MANY = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(1000)}}


@pytest.fixture(scope="module")
def llm(checkpoint: Path) -> LLM:
    return open_llm(checkpoint, max_model_len=512)


def asking(asked: Any, **params: Any) -> SamplingParams:
    return SamplingParams(**{"max_tokens": 60, "temperature": 0.0, "structured_outputs": asked, **params})


class Slow:
    """A backend that takes its time for grammars with the word "slow" in them, until it is let go."""

    def __init__(self, inner: Any):
        self.inner, self.words = inner, inner.words
        self.gate = threading.Event()
        self.fill = inner.fill

    def compile(self, spec: Spec, limits: GrammarLimits) -> Compiled:
        if "slow" in spec.text:
            self.gate.wait()
        return self.inner.compile(spec, limits)


@pytest.fixture
def slowly(checkpoint: Path, llm: LLM) -> Any:
    """An engine whose grammars may be slow, and its backend."""
    engine = AsyncEngine(str(checkpoint), max_model_len=512, cpu_threads=1)
    inner = engine.engine
    assert inner.intake.grammars is not None and llm.engine.intake.grammars is not None
    slow = Slow(llm.engine.intake.grammars.open())
    grammars = Grammars(lambda: slow, GrammarLimits(compile_s=2))
    inner.intake.grammars = inner.runner.sampler.processors[0].grammars = grammars
    inner.wait_for_grammars(lambda: engine._commands.put(lambda: None))
    yield engine, slow
    slow.gate.set()
    engine.shutdown()
    assert_at_rest(inner)


async def whole(engine: AsyncEngine, params: SamplingParams, name: str | None = None) -> RequestOutput:
    outputs = [o async for o in engine.generate("Once", params, request_id=name)]
    return outputs[-1]


def test_a_request_waits_for_its_grammar_and_others_go_on(slowly: Any, llm: LLM):
    engine, slow = slowly

    async def story() -> None:
        patient = [asyncio.create_task(whole(engine, asking({"choice": ["slow", "no"]}))) for _ in range(3)]
        free = await asyncio.wait_for(whole(engine, greedy(20)), 30)
        quick = await asyncio.wait_for(whole(engine, asking({"choice": ["yes", "no"]})), 30)
        assert free.outputs[0].token_ids == token_ids(llm, "Once", greedy(20))[0]
        assert quick.outputs[0].text in ("yes", "no")
        assert not any(p.done() for p in patient) and len(engine.engine.gate) == 3
        slow.gate.set()
        for output in await asyncio.wait_for(asyncio.gather(*patient), 30):
            assert output.outputs[0].text in ("slow", "no")

    asyncio.run(story())


def test_one_whose_grammar_takes_too_long_is_refused_and_one_that_was_left_is_forgotten(slowly: Any):
    engine, _ = slowly

    async def story() -> None:
        left = asyncio.create_task(whole(engine, asking({"choice": ["slow 1"]}), "left"))
        cancelled = asyncio.create_task(whole(engine, asking({"choice": ["slow 2"]})))
        late = asyncio.create_task(whole(engine, asking({"choice": ["slow 3"]})))
        await asyncio.sleep(0.1)
        cancelled.cancel()
        await engine.abort("left")
        output = await asyncio.wait_for(left, 30)
        assert (output.outputs[0].finish_reason, output.outputs[0].token_ids) == ("abort", [])
        with pytest.raises(BadGrammar, match="takes more than 2 seconds to compile"):
            await asyncio.wait_for(late, 30)
        with pytest.raises(BadGrammar, match="a moment ago"):
            await asyncio.wait_for(whole(engine, asking({"choice": ["slow 3"]})), 30)

    asyncio.run(story())


def test_an_engine_that_only_waits_for_a_grammar_does_not_spin(slowly: Any):
    engine, slow = slowly

    async def story() -> float:
        waiting = asyncio.create_task(whole(engine, asking({"choice": ["slow"]})))
        await asyncio.sleep(0.2)
        before = time.process_time()
        await asyncio.sleep(0.5)
        used = time.process_time() - before
        slow.gate.set()
        await asyncio.wait_for(waiting, 30)
        return used

    assert asyncio.run(story()) < 0.2


def test_a_grammar_that_nobody_keeps_is_still_there_for_who_asked_for_it(checkpoint: Path):
    engine = AsyncEngine(str(checkpoint), max_model_len=512, cpu_threads=1, grammar_cache_entries=0)

    async def story() -> list[RequestOutput]:
        asked = [asking({"choice": [f"a{i}", f"b{i}"]}) for i in range(8)]
        return await asyncio.wait_for(asyncio.gather(*(whole(engine, a) for a in asked)), 60)

    try:
        texts = [o.outputs[0].text for o in asyncio.run(story())]
        assert all(re.fullmatch(f"[ab]{i}", text) for i, text in enumerate(texts))
        assert engine.engine.intake.grammars is not None and len(engine.engine.intake.grammars) == 0
    finally:
        engine.shutdown()


def test_the_gate_tells_of_each_request_once(llm: LLM):
    grammars, woken = llm.engine.intake.grammars, threading.Event()
    assert grammars is not None
    gate = Gate(grammars, woken.set)
    read = llm.engine.intake.read("Once", asking({"choice": ["a"]}))
    requests = llm.engine.intake.requests(
        "r", read, asking({"choice": ["a"]}, n=3, temperature=1.0), 0.0, False
    )
    gate.add(requests)
    assert woken.wait(10) and len(gate) == 3
    assert gate.abort(["r-1", "gone"]) == ["r-1"]
    [(ready, problem)] = gate.ready()
    assert problem is None and [r.id for r in ready] == ["r-0", "r-2"]
    assert all(r.grammar is not None for r in ready)
    assert list(gate.ready()) == [] and len(gate) == 0


HOSTILE = {
    "outgrows its limits": asking({"json": MANY}),
    "(a+)+b": asking({"regex": "(a+)+b"}, max_tokens=8),
    "no text at all": asking({"regex": "x{40}"}, allowed_token_ids=[5]),
    "one token at a time": asking({"regex": "(a{100}){100}"}, max_tokens=8),
    "nothing it may say": asking({"choice": ["zzz"]}, bad_words=["z"], allowed_token_ids=[7]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_grammar_changes_no_token_of_its_neighbours(llm: LLM, name: str):
    prompts = ["Once", "Upon a", "time there", "was"]
    neighbours = [
        greedy(24),
        asking({"json": PERSON}),
        greedy(24, logprobs=2),
        asking({"regex": "[a-z ]{20}"}),
    ]
    alone = [token_ids(llm, prompt, p)[0] for prompt, p in zip(prompts, neighbours, strict=True)]
    outputs = llm.generate([*prompts[:2], "Hostile", *prompts[2:]],
                           [*neighbours[:2], HOSTILE[name], *neighbours[2:]], use_tqdm=False)  # fmt: skip
    del outputs[2]
    assert [o.outputs[0].token_ids for o in outputs] == alone
    assert all(o.error is None for o in outputs)
    assert_at_rest(llm.engine)


def test_the_form_holds_only_after_the_marker(llm: LLM):
    for marker in ("</think>", "e", "\n"):
        for seed in range(4):
            params = asking(
                {"json": PERSON, "disable_any_whitespace": True},
                structured_outputs_after=marker,
                temperature=1.0,
                seed=seed,
                max_tokens=400,
            )
            answer = llm.generate("Once", params, use_tqdm=False)[0].outputs[0]
            _, found, said = answer.text.partition(marker)
            if answer.finish_reason == "stop":
                assert found and set(json.loads(said)) == {"name", "ok"}
            elif marker == "</think>":
                assert len(answer.token_ids) == 400 or found


def test_the_form_after_a_marker_survives_company_and_preemption(checkpoint: Path, llm: LLM):
    asked = [None, {"choice": ["yes", "no"]}]
    params = [
        asking(
            asked[i % 2], structured_outputs_after="e" if i % 4 == 1 else None, seed=50 + i, temperature=0.7
        )
        for i in range(12)
    ]
    prompts = [f"{i} " * 5 for i in range(12)]
    together = token_ids(llm, prompts, params)
    assert together == [token_ids(llm, prompt, p)[0] for prompt, p in zip(prompts, params, strict=True)]
    tight = open_llm(checkpoint, max_model_len=128, block_size=4, num_gpu_blocks_override=40, max_num_seqs=12)
    assert token_ids(tight, prompts, params) == together
    assert tight.engine.stats.preemptions > 0


@pytest.mark.parametrize("library", ["xgrammar", "outlines"])
def test_every_backend_keeps_an_engine_to_the_form(checkpoint: Path, library: str):
    llm = open_llm(checkpoint, max_model_len=512, structured_outputs_backend=library)
    asked = [{"json": PERSON}, {"choice": ["red", "green"]}, {"regex": "[0-9]{3}-[0-9]{4}"}, None] * 3
    params = [asking(a, seed=i, temperature=1.0, max_tokens=200) for i, a in enumerate(asked)]
    outputs = [o.outputs[0] for o in llm.generate(["Once"] * 12, params, use_tqdm=False)]
    for output, form in zip(outputs, asked, strict=True):
        if form is None:
            continue
        assert output.finish_reason == "stop"
        match form:
            case {"json": _}:
                assert set(json.loads(output.text)) == {"name", "ok"}
            case {"choice": words}:
                assert output.text in words
            case {"regex": pattern}:
                assert re.fullmatch(pattern, output.text)
    with pytest.raises(BadGrammar, match=library):
        llm.generate("Once", asking({"json": {"not": {}}}), use_tqdm=False)
    assert_at_rest(llm.engine)


def test_a_backend_nobody_knows_is_refused_with_those_there_are():
    with pytest.raises(BadOption, match="auto, llguidance, guidance, xgrammar, outlines"):
        LLM(structured_outputs_backend="frob")
