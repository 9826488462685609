"""Only what a grammar allows is sampled, greedily and by draw, and nobody else notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.sampling import reference
from tests.sampling.reference import Asker
from tests.sampling.table import Table
from tests.unit.grammar.walking import EOS, Walker

from quire.errors import BadGrammar, NeedsTokenizer, RequestFailed
from quire.grammar import Compiled, GrammarLimits, Grammars, Matcher, Spec
from quire.grammar.contract import fill_each
from quire.params import SamplingParams, StructuredOutputsParams
from quire.types import Ints

WALKER = Walker()
VOCAB = WALKER.vocabulary.size
LOGITS = np.random.default_rng(3).normal(size=(200, VOCAB)).astype(np.float32) * 3
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "n": {"type": "integer", "minimum": 0, "maximum": 999}},
    "required": ["ok", "n"],
    "additionalProperties": False,
}


def asker(seed: int = 0, output: str = "", temperature: float = 1.0, **params: Any) -> Asker:
    """Somebody who wants structure and has generated `output` so far."""
    params = {"max_tokens": None, "temperature": temperature, **params}
    return Asker(SamplingParams(**params), [9, 9], WALKER.ids(output), seed, stop_ids=EOS)


def table(*askers: Asker) -> Table:
    return Table.of(VOCAB, list(askers), grammars=WALKER.grammars)


def allowed(output: str, **asked: Any) -> set[int]:
    matcher = WALKER.matcher(**asked)
    for token in WALKER.ids(output):
        assert matcher.advance(token)
    return {*WALKER.allowed(matcher), *(EOS if matcher.may_end else ())}


def run(table: Table, row: int = 0, seed: int = 0, most: int = 200) -> list[int]:
    """What row `row` generates under random logits until it ends."""
    random, out = np.random.default_rng(seed), []
    for _ in range(most):
        sampled = table.sample(random.normal(size=(1, VOCAB)) * 3, [row])
        assert not sampled.failed
        out.append(int(sampled.tokens[0]))
        if out[-1] in EOS:
            return out
    raise AssertionError("it does not end")


PLACES = [
    ("", {"choice": ["yes", "no", "never"]}),
    ("n", {"choice": ["yes", "no", "never"]}),
    ("no", {"choice": ["yes", "no", "no way"]}),
    ("yes", {"choice": ["yes", "no"]}),
    ("", {"regex": r"[a-z ]+"}),
    ("the", {"regex": r"[a-z ]+"}),
    ('{"ok":', {"json": SCHEMA}),
    ('{"ok":true,"n":1', {"json": SCHEMA}),
    ('{"ok":true,"n":1}', {"json": SCHEMA}),
    ("(1+", {"grammar": 'root ::= "1" | "(" root "+" root ")"'}),
]


@pytest.mark.parametrize(("output", "asked"), PLACES, ids=str)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_only_allowed_tokens_come_out(output: str, asked: dict[str, Any], temperature: float):
    may = allowed(output, **asked)
    askers = [asker(seed, output, temperature, structured_outputs=asked) for seed in range(200)]
    sampled = table(*askers).sample(LOGITS)
    assert not sampled.failed and set(sampled.tokens.tolist()) <= may
    flat = {int(table(a).sample(np.zeros((1, VOCAB))).tokens[0]) for a in askers if temperature}
    assert not flat or flat == may or len(may) > 20


@pytest.mark.parametrize(("output", "asked"), PLACES, ids=str)
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_the_choice_among_them_is_that_of_a_list_of_allowed_ids(
    output: str, asked: dict[str, Any], temperature: float
):
    shape: dict[str, Any] = {
        "temperature": temperature,
        "top_k": 40,
        "top_p": 0.95,
        "min_p": 0.01,
        "logit_bias": dict.fromkeys(range(0, VOCAB, 7), 2.0),
        "repetition_penalty": 1.2,
        "presence_penalty": 0.5,
        "frequency_penalty": -0.3,
    }
    bound = [asker(seed, output, structured_outputs=asked, **shape) for seed in range(50)]
    ids = sorted(allowed(output, **asked))
    listed = [
        replace(a, params=replace(a.params, structured_outputs=None, allowed_token_ids=ids)) for a in bound
    ]
    got = table(*bound).sample(LOGITS[:50]).tokens.tolist()
    assert got == [reference.token(line, a) for line, a in zip(LOGITS[:50], listed, strict=True)]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_token_by_token_a_text_of_the_language_comes_out(temperature: float):
    for seed in range(20):
        params = {"json": SCHEMA, "disable_any_whitespace": True}
        *text, end = run(table(asker(seed, "", temperature, structured_outputs=params)), seed=seed)
        assert end in EOS and WALKER.takes(text, json=SCHEMA)


def test_rows_without_a_grammar_are_not_touched():
    plain = [Asker(SamplingParams(temperature=i % 2), seed=i) for i in range(10)]
    mixed = [a for i, p in enumerate(plain) for a in (p, asker(i, structured_outputs={"choice": ["yes"]}))]
    alone = table(*plain).sample(LOGITS[0:20:2]).tokens.tolist()
    assert table(*mixed).sample(LOGITS[:20]).tokens.tolist()[0::2] == alone


def test_a_row_that_had_a_grammar_is_free_again():
    free = table(asker(structured_outputs={"choice": ["yes"]}))
    free.release(0)
    plain = Asker(SamplingParams(), seed=4)
    free.admit(0, plain)
    assert free.sample(LOGITS[:1]).tokens[0] == reference.token(LOGITS[0], plain)
    assert not free.sampler.processors[0].matchers  # its matcher is gone


def test_one_that_comes_back_after_a_preemption_goes_on_where_it_was():
    params = {"json": SCHEMA}
    whole = asker(5, structured_outputs=params)
    first = table(whole)
    out = [int(first.sample(LOGITS[i : i + 1]).tokens[0]) for i in range(12)]
    assert not EOS & set(out)
    again = table(replace(whole, output=out))
    for i in range(12, 60):
        assert first.sample(LOGITS[i : i + 1]).tokens[0] == again.sample(LOGITS[i : i + 1]).tokens[0]


# -- ends ----------------------------------------------------------------------------------------------


def ends(output: str, **params: Any) -> tuple[bool, bool]:
    """Whether the answer may end here, and whether it may go on, by draws from flat logits."""
    drawn = {
        int(table(asker(seed, output, **params)).sample(np.zeros((1, VOCAB))).tokens[0]) for seed in range(40)
    }
    return bool(drawn & EOS), bool(drawn - EOS)


OPEN = {"regex": "a{2,5}"}


def test_an_answer_ends_exactly_where_the_grammar_may_end():
    seen = [ends("a" * n, structured_outputs=OPEN) for n in range(6)]
    assert seen == [(False, True)] * 2 + [(True, True)] * 3 + [(True, False)]


def test_min_tokens_hold_the_end_back_until_nothing_else_can_come():
    seen = [ends("a" * n, structured_outputs=OPEN, min_tokens=4) for n in range(6)]
    assert seen == [(False, True)] * 4 + [(True, True), (True, False)]
    assert ends("aaaaa", structured_outputs=OPEN, min_tokens=50) == (True, False)


def test_ignore_eos_goes_on_as_long_as_the_grammar_does():
    seen = [ends("a" * n, structured_outputs=OPEN, ignore_eos=True) for n in range(6)]
    assert seen == [(False, True)] * 5 + [(True, False)]


def test_a_stop_token_of_the_caller_may_end_the_text_where_the_grammar_may():
    letter = WALKER.ids("z")[0]
    stops = EOS | {letter}
    for output, due in (("a", False), ("aa", True), ("aaaaa", True)):
        drawn = set()
        for seed in range(40):
            who = replace(asker(seed, output, structured_outputs=OPEN), stop_ids=stops)
            drawn.add(int(table(who).sample(np.zeros((1, VOCAB))).tokens[0]))
        assert (letter in drawn) == due


def test_a_token_after_the_end_does_no_harm():
    """A step may be under way already when the end is found."""
    late = table(asker(temperature=0.0, structured_outputs={"choice": ["a"]}))
    tokens = [int(late.sample(LOGITS[i : i + 1]).tokens[0]) for i in range(4)]
    assert tokens[0] == WALKER.ids("a")[0] and set(tokens[1:]) <= EOS


# -- failures ------------------------------------------------------------------------------------------


class Brittle:
    """Grammars whose matchers break in the way their text says."""

    words: Any = None

    def compile(self, spec: Spec, limits: GrammarLimits) -> Compiled:
        return Template(spec.text)

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        return fill_each(matchers, bits, rows)


class Template:
    bytes = 0

    def __init__(self, how: str):
        self.how = how

    def matcher(self) -> Matcher:
        return Breaking(self.how)


class Breaking:
    may_end = finished = False

    def __init__(self, how: str):
        self.how = how

    def fill(self, row: Ints) -> None:
        if self.how == "fill":
            raise BadGrammar("too many states")
        row[:] = 0 if self.how == "nothing" else -1

    def advance(self, token: int) -> bool:
        if self.how == "advance":
            raise ValueError("lost its place")
        return self.how != "refuse"

    def rollback(self, count: int) -> None:
        raise AssertionError("not here")


BROKEN: list[tuple[str, str]] = [
    ("fill", "its grammar failed: too many states"),
    ("advance", "its grammar failed: lost its place"),
    ("nothing", "allows no token"),
    ("refuse", "does not allow token"),
]


@pytest.mark.parametrize(("how", "why"), BROKEN)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_matcher_that_breaks_fails_its_row_alone(how: str, why: str, temperature: float):
    grammars = Grammars(Brittle)
    plain = [Asker(SamplingParams(temperature=temperature, logprobs=2), seed=i) for i in range(5)]
    broken = replace(plain[2], params=replace(plain[2].params, structured_outputs={"regex": how}))
    good = Table.of(VOCAB, plain, grammars=grammars).sample(LOGITS[:5])
    bad = Table.of(VOCAB, [*plain[:2], broken, *plain[3:]], grammars=grammars).sample(LOGITS[:5])
    assert set(bad.failed) == {2} and why in bad.failed[2]
    others = [0, 1, 3, 4]
    assert bad.tokens[others].tolist() == good.tokens[others].tolist()


def test_useless_logits_are_reported_as_such_and_not_as_the_grammars_fault():
    spoiled = LOGITS[:2].copy()
    spoiled[0] = np.nan
    failed = table(*[asker(structured_outputs=OPEN)] * 2).sample(spoiled).failed
    assert set(failed) == {0} and "NaN" in failed[0]


def test_parameters_that_leave_nothing_are_named():
    who = asker(structured_outputs={"choice": ["a"]}, allowed_token_ids=WALKER.ids("b"))
    assert "structured_outputs" in table(who).sample(LOGITS[:1]).failed[0]


def test_a_history_that_the_grammar_does_not_allow_is_refused_on_admission():
    with pytest.raises(RequestFailed, match="does not allow token"):
        table(asker(output="b", structured_outputs={"choice": ["a"]}))


def test_without_a_tokenizer_a_grammar_is_refused_on_admission():
    with pytest.raises(NeedsTokenizer, match="skip_tokenizer_init"):
        Table.of(VOCAB, [asker(structured_outputs={"choice": ["a"]})])


def test_params_given_as_an_object_do_the_same():
    asked = StructuredOutputsParams(choice=["yes", "no"])
    both: list[Callable[[], Asker]] = [
        lambda: asker(1, structured_outputs=asked),
        lambda: asker(1, guided_decoding={"choice": ["yes", "no"]}),
    ]
    one, two = (table(make()).sample(LOGITS[:1]).tokens.tolist() for make in both)
    assert one == two
