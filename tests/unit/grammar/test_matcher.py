"""What a grammar lets through and what it does not, on texts made by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.unit.grammar.walking import EOS, Walker

from quire.embedded import DEFAULT, embedded_folder
from quire.errors import Unsupported
from quire.grammar import Grammars, Vocabulary, open_backend
from quire.params import StructuredOutputsParams
from quire.text.tokenizer import Tokenizer, load_tokenizer

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 4}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
TREE = {
    "type": "object",
    "properties": {"v": {"enum": [1, 2]}, "next": {"$ref": "#"}},
    "required": ["v"],
    "additionalProperties": False,
}
SUM_EBNF = r"""
root ::= term ("+" term)*
term ::= [0-9]+ | "(" root ")"
"""
SUM_LARK = r"""
start: term ("+" term)*
term: /[0-9]+/ | "(" start ")"
"""
CALLS = {
    "triggers": ["<f="],
    "structures": [{"begin": "<f=add>", "schema": {"type": "array", "items": {"enum": [1]}}, "end": "</f>"}],
}
CASES: list[tuple[dict[str, Any], list[str], list[str]]] = [
    (
        {"json": PERSON},
        [
            '{"name":"Ada","age":36}',
            '{ "name" : "Zoë", "age" : 0 }',
            '{\n  "name": "日本語🙂",\n  "age": 7\n}',
        ],
        [
            '{"name":"Ada"}',
            '{"name":"Adele","age":36}',
            '{"age":36,"name":"Ada"}',
            '{"name":"Ada","age":-1}',
            "[]",
        ],
    ),
    (
        {"json": PERSON, "disable_any_whitespace": True},
        ['{"name":"Ada","age":36}'],
        ['{"name": "Ada","age":36}', ' {"name":"Ada","age":36}'],
    ),
    (
        {"json": {"type": "array"}, "whitespace_pattern": " "},
        ["[1, 2]", "[ ]"],
        ["[1,\n2]", "[1,   2]"],
    ),
    (
        {"json": '{"enum": ["a", 1, null, [true]]}'},
        ['"a"', "1", "null", "[true]"],
        ["a", "2", "[false]", '"1"', ""],
    ),
    ({"json": TREE}, ['{"v":1}', '{"v":1,"next":{"v":2,"next":{"v":1}}}'], ['{"v":3}', '{"v":1,"next":1}']),
    ({"json": {}}, ["1.5e3", "[]", '"x"', '{"a": [null, {"b": false}]}'], ["x", "[1,]", "{a: 1}", "01"]),
    ({"json_object": True}, ["{}", '{"a": [1, "é"]}'], ["[]", "1", '{"a"}']),
    (
        {
            "json": {"properties": {"a": {"type": "integer"}}, "type": "object"},
            "disable_additional_properties": True,
        },
        ['{"a":1}', "{}"],
        ['{"a":1,"b":2}', '{"b":2}'],
    ),
    ({"regex": r"[a-c]{2,3}\.(x|yy)"}, ["ab.x", "abc.yy"], ["a.x", "abcd.x", "ab-x", "ab.", "ab.xx"]),
    ({"regex": r"^(é|🙂)+$"}, ["é", "🙂é🙂"], ["", "e", "é "]),
    ({"choice": ["yes", "no", "no way"]}, ["yes", "no", "no way"], ["", "y", "yesno", "No", "no "]),
    (
        {"choice": ['a.b*[c]"d"\\', "line\nbreak/", "日本語 🙂", "{}-^$|#&~"]},
        ['a.b*[c]"d"\\', "line\nbreak/", "日本語 🙂", "{}-^$|#&~"],
        ["axb*[c]", "line break/", "日本"],
    ),
    ({"grammar": SUM_EBNF}, ["1", "1+22", "(1+2)+3", "((4))"], ["", "1+", "(1", "1+a", "1 + 2"]),
    ({"grammar": SUM_LARK}, ["1", "1+22", "(1+2)+3", "((4))"], ["", "1+", "(1", "1+a", "1 + 2"]),
    (
        {"structural_tag": CALLS},
        ["", "Just words.", "Add: <f=add>[1,1]</f> done", "<f=add>[]</f><f=add>[1]</f>"],
        ["<f=sub>", "<f=add>[2]</f>", "<f=add>[1]", "<f=add>[1]</g>"],
    ),
]


@pytest.fixture(scope="module")
def walker() -> Walker:
    return Walker()


@pytest.mark.parametrize(
    ("asked", "good", "bad"), CASES, ids=lambda v: next(iter(v)) if isinstance(v, dict) else ""
)
def test_texts_of_the_language_get_through_and_others_do_not(
    walker: Walker, asked: dict[str, Any], good: list[str], bad: list[str]
):
    for spell in (walker.ids, walker.byte_ids):
        assert [text for text in good if not walker.takes(spell(text), **asked)] == []
        assert [text for text in bad if walker.takes(spell(text), **asked)] == []
    assert [text for text in good if text.isascii() and not walker.shows(walker.ids(text), **asked)] == []


@pytest.mark.parametrize("asked", [c[0] for c in CASES], ids=lambda a: next(iter(a)))
def test_the_mask_holds_the_tokens_that_are_taken(walker: Walker, asked: dict[str, Any]):
    """All of them, or one: where only one text can follow, the way the tokenizer would spell it."""
    for allowed, taken in walker.stroll(walker.matcher(**asked)):
        assert allowed == taken or (len(allowed) == 1 and allowed[0] in taken)


def test_what_ends_an_answer_is_never_text_and_padding_is_never_allowed(walker: Walker):
    anything = walker.matcher(regex=r"(.|\n)*")
    allowed = walker.allowed(anything)
    assert anything.may_end
    assert not EOS & set(allowed) and max(allowed) < walker.vocabulary.tokens
    special = {i for i, t in walker.backend.get_added_tokens_decoder().items() if t.special}
    ascii_ids = {i for i in range(walker.vocabulary.tokens) if walker.backend.decode([i]).isascii()}
    assert not special & set(allowed) and ascii_ids - special <= set(allowed)


def test_a_grammar_that_may_end_can_go_on_and_a_finished_one_cannot(walker: Walker):
    matcher = walker.matcher(regex="ab?")
    assert (matcher.may_end, matcher.finished) == (False, False)
    assert matcher.advance(walker.ids("a")[0])
    assert (matcher.may_end, matcher.finished, walker.letters(matcher)) == (True, False, {"b"})
    assert matcher.advance(walker.ids("b")[0])
    assert (matcher.may_end, matcher.finished, walker.allowed(matcher)) == (True, True, [])
    assert not matcher.advance(walker.ids("b")[0])


def test_a_token_that_is_refused_changes_nothing(walker: Walker):
    matcher = walker.matcher(choice=["ab", "ac"])
    for _ in range(3):
        assert not matcher.advance(walker.ids("z")[0])
        assert not matcher.advance(walker.ids("b")[0])
    assert walker.letters(matcher) == {"a"}
    assert matcher.advance(walker.ids("a")[0]) and walker.letters(matcher) == {"b", "c"}


def test_tokens_taken_back_leave_no_trace(walker: Walker):
    text = '{"name":"Ada","age":36}'
    matcher, masks = walker.matcher(json=PERSON), []
    for token in walker.ids(text):
        masks.append(walker.allowed(matcher))
        assert matcher.advance(token)
    for count in (1, 2, 3):
        matcher.rollback(count)
        del masks[len(masks) - count + 1 :]
        assert walker.allowed(matcher) == masks[-1] and not matcher.finished
        masks.pop()
    matcher.rollback(0)


def test_matchers_of_one_grammar_do_not_know_each_other(walker: Walker):
    one, two = walker.matcher(choice=["ab", "cd"]), walker.matcher(choice=["ab", "cd"])
    assert one.advance(walker.ids("a")[0])
    assert walker.letters(one) == {"b"} and walker.letters(two) == {"a", "c"}


@pytest.mark.parametrize("padding", [-20, -1, 0, 1, 64])
def test_the_model_may_have_more_tokens_than_the_tokenizer_or_fewer(padding: int):
    walker = Walker(padding=padding)
    allowed = walker.allowed(walker.matcher(regex=r"(.|\n)*"))
    assert max(allowed) < min(walker.vocabulary.size, walker.vocabulary.tokens)
    assert not padding or max(allowed) >= walker.vocabulary.tokens + min(padding, 0) - 2
    assert walker.takes(walker.byte_ids('{"name":"Ada","age":3}'), json=PERSON)


@pytest.mark.parametrize("eos", [frozenset(), frozenset({405}), frozenset({10_000})], ids=str)
def test_without_a_usable_end_token_text_is_still_text(eos: frozenset[int]):
    walker = Walker(eos=eos)
    assert walker.takes(walker.ids("no way"), choice=["no way"])
    assert not eos & set(walker.allowed(walker.matcher(regex=r"(.|\n)*")))


def test_a_token_of_text_that_ends_answers_is_no_text():
    letter = Walker().ids("a")[0]
    walker = Walker(eos=frozenset({1, letter}))
    assert not walker.shows([letter], regex="a*") and walker.takes([], regex="a*")
    assert walker.shows(walker.ids("b"), regex="[ab]*")


def test_a_tag_may_begin_with_a_token_of_its_own(walker: Walker):
    call = {"begin": "<tool_call>", "schema": {"enum": [1, 2]}, "end": "<"}
    asked = {"structural_tag": {"triggers": ["<tool_call>"], "structures": [call]}}
    token = walker.backend.token_to_id("<tool_call>")
    assert walker.shows([*walker.ids("So: "), token, *walker.ids("2< and so on")], **asked)
    assert not walker.takes([token, *walker.ids("3")], **asked)
    assert not walker.takes([token, *walker.ids("2")], **asked)


def test_pieces_of_a_sentence_piece_vocabulary_are_bytes_too():
    walker = Walker("sentence piece", eos=frozenset({2}))
    matcher, text = walker.matcher(regex="(the dog|é)"), ""
    while not matcher.finished:
        token = walker.allowed(matcher)[-1]
        text += walker.backend.id_to_token(token)
        assert matcher.advance(token)
    assert re.fullmatch("the▁dog|é|<0xC3><0xA9>", text)


@pytest.mark.parametrize("kind", ["word piece", "unigram"])
def test_a_tokenizer_without_bytes_is_said_to_be_unsupported(kind: str):
    with pytest.raises(Unsupported, match="tokenizer of bytes"):
        Walker(kind, eos=frozenset()).matcher(choice=["a"])


def test_a_backend_is_found_by_its_name():
    vocabulary: Vocabulary = Walker().vocabulary
    assert type(open_backend("llguidance", vocabulary)).__name__ == "LLGuidance"


@pytest.fixture(scope="module")
def tiny() -> tuple[Tokenizer, Grammars]:
    """quire-tiny's tokens: <tool_call> is one of them and is text, <|im_end|> is special."""
    tokenizer = load_tokenizer(embedded_folder(DEFAULT))
    size = tokenizer.highest_id + 1
    vocabulary = Vocabulary(tokenizer.backend.to_str(), size, size, frozenset({tokenizer.eos_token_id}))
    return tokenizer, Grammars(lambda: open_backend("llguidance", vocabulary))


TAGGED = {
    "triggers": ["<tool_call>"],
    "structures": [{"begin": "<tool_call>\n", "schema": {"enum": [1]}, "end": "\n</tool_call>"}],
}


@pytest.mark.parametrize(
    "asked",
    [
        {"regex": r"<tool_call>(.|\n)*"},
        {"choice": ["<tool_call>\n1\n</tool_call>", "<tool_call>\n2"]},
        {"grammar": 'start: "<tool_call>\\n" /[12]/ "\\n</tool_call>"'},
        {"grammar": 'start: <tool_call> "\\n" /[12]/ "\\n" </tool_call>'},
        {"structural_tag": TAGGED},
    ],
    ids=str,
)
def test_an_added_token_that_is_not_special_is_text_to_every_grammar(tiny, asked: dict[str, Any]):
    tokenizer, grammars = tiny
    compiled = grammars.compile(StructuredOutputsParams(**asked))
    text, token = "<tool_call>\n1\n</tool_call>", tokenizer.token_to_id("<tool_call>")
    row = np.zeros(-(-(tokenizer.highest_id + 1) // 32), np.int32)
    compiled.matcher().fill(row)
    assert row.view(np.uint8)[token // 8] >> token % 8 & 1, "it is allowed at the start"
    whole = tokenizer.encode(text)
    assert token in whole
    for ids in (whole, [i for c in text for i in tokenizer.encode(c)]):  # as one token or as several
        matcher = compiled.matcher()
        assert all(matcher.advance(i) for i in ids) and matcher.may_end


def test_the_text_of_a_special_token_is_spelled_with_others(tiny):
    tokenizer, grammars = tiny
    compiled = grammars.compile(StructuredOutputsParams(regex=r"<\|im_end\|>x"))
    row = np.zeros(-(-(tokenizer.highest_id + 1) // 32), np.int32)
    compiled.matcher().fill(row)
    shown = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
    assert shown and all("<|im_end|>".startswith(tokenizer.decode([i])) for i in shown)
    assert not compiled.matcher().advance(tokenizer.token_to_id("<|im_end|>"))
