"""A folder gives the ids, the texts and the templates that transformers finds in it."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.text.vocabularies import KINDS, backend, tokenizer, write_folder
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from quire.errors import BadParameter, BadTemplate, CheckpointError
from quire.text.tokenizer import load_tokenizer

TEXTS = [
    "",
    " ",
    "Hello there,  world !",
    "naïve café 中文 🙂👩‍👩‍👧 é",
    "<|im_start|>user\nhi<|im_end|>",
    "<s>a</s> [SEP] <tool_call>{}</tool_call>",
    "tabs\tand\r\nlines\n\n\n",
    "\x00\x7f\u200b\ufeff",
]


def assert_same(ours, theirs):
    assert len(ours) == len(theirs) and ours.vocab_size == theirs.vocab_size
    assert (ours.bos_token_id, ours.eos_token_id, ours.pad_token_id) == (
        theirs.bos_token_id,
        theirs.eos_token_id,
        theirs.pad_token_id,
    )
    for text in TEXTS:
        for special in (True, False):
            ids = theirs.encode(text, add_special_tokens=special)
            assert ours.encode(text, add_special_tokens=special) == ids
            for skip in (True, False):
                assert ours.decode(ids, skip_special_tokens=skip) == theirs.decode(
                    ids, skip_special_tokens=skip
                )


@pytest.mark.parametrize("kind", KINDS)
def test_ids_and_texts_are_those_of_transformers(kind, tmp_path):
    folder = write_folder(tmp_path, kind)
    assert_same(load_tokenizer(folder), PreTrainedTokenizerFast.from_pretrained(folder))


def test_a_folder_of_transformers_4_reads_the_same(tmp_path):
    flags = {"lstrip": False, "normalized": False, "rstrip": False, "single_word": False}
    config = {
        "added_tokens_decoder": {
            "0": {"content": "<|begin|>", "special": True, **flags},
            "1": {"content": "<|end|>", "special": True, **flags},
            "400": {"content": "<tool_call>", "special": True, **flags},
        },
        "bos_token": "<|begin|>",
        "eos_token": {"__type": "AddedToken", "content": "<|end|>", **flags},
        "additional_special_tokens": ["<|im_start|>", "<|new|>"],
        "add_bos_token": False,
    }
    folder = write_folder(tmp_path, settings=config)
    ours = load_tokenizer(folder)
    assert_same(ours, AutoTokenizer.from_pretrained(folder))
    assert ours.token_to_id("<tool_call>") in ours.special_ids


def test_special_tokens_may_stand_in_their_own_file(tmp_path):
    names = {
        "bos_token": {"content": "<|begin|>", "lstrip": False},
        "eos_token": "<|end|>",
        "pad_token": "<|pad|>",
    }
    folder = write_folder(tmp_path, special_tokens_map=names, added_tokens={"<think>": 401})
    ours = load_tokenizer(folder)
    assert ours.bos_token == "<|begin|>" and ours.pad_token == "<|pad|>"
    assert_same(ours, AutoTokenizer.from_pretrained(folder))


def test_a_folder_of_transformers_5_reads_the_same(tmp_path):
    theirs = PreTrainedTokenizerFast(
        tokenizer_object=backend("byte level"),
        bos_token="<|begin|>",
        eos_token="<|im_end|>",
        pad_token="<|end|>",
    )
    theirs.chat_template = "{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"
    theirs.save_pretrained(tmp_path)
    ours = load_tokenizer(tmp_path)
    assert_same(ours, AutoTokenizer.from_pretrained(tmp_path))
    chat = [{"role": "user", "content": "hello"}]
    assert ours.apply_chat_template(chat) == theirs.apply_chat_template(chat)["input_ids"]


@pytest.mark.parametrize("add_bos", [None, True, False])
def test_the_post_processor_decides_about_bos_not_the_config(add_bos, tmp_path):
    config = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": add_bos}
    folder = write_folder(tmp_path, "sentence piece", config)
    ours, theirs = load_tokenizer(folder), AutoTokenizer.from_pretrained(folder)
    assert_same(ours, theirs)
    assert ours.encode("hello")[0] == ours.bos_token_id


@pytest.mark.parametrize(
    ("model_type", "legacy", "add_prefix_space"),
    [
        ("llama", None, None),
        ("llama", True, True),
        ("llama", False, False),
        ("mistral", None, None),
        ("phi3", True, None),
    ],
)
def test_llama_s_leading_spaces_are_those_of_transformers(model_type, legacy, add_prefix_space, tmp_path):
    config = {"tokenizer_class": "LlamaTokenizer", "legacy": legacy, "add_prefix_space": add_prefix_space}
    folder = write_folder(tmp_path, "sentence piece", config, config={"model_type": model_type})
    ours, theirs = load_tokenizer(folder), AutoTokenizer.from_pretrained(folder)
    for text in ["hello world", " two  spaces", "line\nbreak 中", "<s>[INST] hi [/INST] a </s>b"]:
        assert ours.encode(text) == theirs.encode(text)
        assert ours.decode(ours.encode(text)) == theirs.decode(theirs.encode(text), skip_special_tokens=True)


@pytest.mark.parametrize("kind", ["GPT2Tokenizer", "Qwen2Tokenizer"])
@pytest.mark.parametrize("bos", [True, False])
def test_vocabulary_and_merges_alone_are_enough(kind, bos, tmp_path):
    backend("byte level").model.save(str(tmp_path))
    config = {"tokenizer_class": kind, "bos_token": "<|begin|>", "add_bos_token": bos, "eos_token": "<|end|>"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    assert_same(load_tokenizer(tmp_path), AutoTokenizer.from_pretrained(tmp_path))


def test_padding_and_truncation_of_the_file_are_left_aside(tmp_path):
    from tokenizers import Tokenizer as Backend

    cut = Backend.from_str(backend("byte level").to_str())
    cut.enable_truncation(4)
    cut.enable_padding(length=16, pad_id=1, pad_token="<|end|>")
    cut.save(str(tmp_path / "tokenizer.json"))
    ours = load_tokenizer(tmp_path)
    assert ours.pad_token_id == 1
    assert ours.decode(ours.encode("a text of more than four tokens")) == "a text of more than four tokens"
    assert len(ours.encode("a")) == 2


def test_clean_up_is_done_where_the_config_asks_and_never_for_bpe(tmp_path):
    for name, kind in (("word", "word piece"), ("byte", "byte level")):
        (tmp_path / name).mkdir()
        folder = write_folder(tmp_path / name, kind, {"clean_up_tokenization_spaces": True})
        ours, theirs = load_tokenizer(folder), PreTrainedTokenizerFast.from_pretrained(folder)
        ids = ours.encode("hello there , the dog does n't mind .", add_special_tokens=False)
        assert ours.decode(ids) == theirs.decode(ids)
        assert ours.cleans_up == (kind == "word piece")


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=40))
def test_byte_level_text_comes_back_whole(text):
    t = tokenizer("byte level")
    assert t.decode(t.encode(text, add_special_tokens=False), skip_special_tokens=False) == text


def test_unknown_ids_decode_to_nothing():
    t = tokenizer("byte level")
    assert t.decode([10**6, -1, 2**40]) == ""
    assert t.convert_ids_to_tokens([0, 10**6, -5], skip_special_tokens=False) == ["<|begin|>", None, None]


def test_half_a_character_is_refused_with_its_place():
    with pytest.raises(BadParameter, match=r"lone surrogate .* at 3"):
        tokenizer("byte level").encode("abc\ud800")


def test_a_folder_without_tokenizer_says_so(tmp_path):
    with pytest.raises(CheckpointError, match=r"no tokenizer\.json .*skip_tokenizer_init"):
        load_tokenizer(tmp_path)
    with pytest.raises(CheckpointError, match="is not a folder"):
        load_tokenizer(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "Git-LFS pointer"),
        (b"<!DOCTYPE html><html></html>", "HTML page"),
        (b"", "empty"),
        (b'{"model": 1}', "cannot be read"),
    ],
)
def test_what_lies_in_place_of_tokenizer_json_is_named(content, said, tmp_path):
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(CheckpointError, match=said):
        load_tokenizer(tmp_path)


def test_other_vocabularies_are_converted_by_transformers(tmp_path):
    vocab = backend("word piece").get_vocab()
    (tmp_path / "vocab.txt").write_text("\n".join(sorted(vocab, key=vocab.__getitem__)), encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    ours = load_tokenizer(tmp_path)
    assert_same(ours, AutoTokenizer.from_pretrained(tmp_path))
    assert ours.pad_token == "[PAD]" and len(ours.encode("hello")) > 2


def test_a_slow_tokenizer_that_cannot_be_converted_is_named(tmp_path):
    (tmp_path / "tokenizer.model").write_bytes(b"not a sentencepiece model")
    with pytest.raises(CheckpointError, match=r"tokenizer\.model.*could not convert"):
        load_tokenizer(tmp_path)


def test_without_transformers_a_slow_tokenizer_asks_for_it(tmp_path, monkeypatch):
    (tmp_path / "tokenizer.model").write_bytes(b"x")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CheckpointError, match="pip install transformers"):
        load_tokenizer(tmp_path)


def test_loading_needs_neither_torch_nor_transformers(tmp_path):
    import subprocess

    folder = write_folder(tmp_path, settings={"chat_template": "{{ messages[0].content }}"})
    code = (
        "import sys, quire.text.detokenize; from quire.text.tokenizer import load_tokenizer;"
        f"t = load_tokenizer({str(folder)!r}); t.apply_chat_template([{{'content': 'a'}}]);"
        "assert 'torch' not in sys.modules and 'transformers' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


ONE, TWO = "one{{ messages[0].content }}", "two{{ messages[0].content }}"


@pytest.mark.parametrize(
    ("config", "files", "expected"),
    [
        ({"chat_template": ONE}, {}, "one!"),
        (
            {"chat_template": [{"name": "default", "template": ONE}, {"name": "tool_use", "template": TWO}]},
            {},
            "one!",
        ),
        ({"chat_template": ONE}, {"chat_template.jinja": TWO}, "two!"),
        ({}, {"chat_template.json": json.dumps({"chat_template": TWO})}, "two!"),
        ({}, {"chat_template.jinja": ONE, "additional_chat_templates/rag.jinja": TWO}, "one!"),
    ],
)
def test_the_chat_template_is_found_wherever_it_is_kept(config, files, expected, tmp_path):
    write_folder(tmp_path, settings=config)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert load_tokenizer(tmp_path).apply_chat_template([{"content": "!"}], tokenize=False) == expected


def test_templates_are_chosen_by_name_and_by_tools(tmp_path):
    named = [{"name": "default", "template": ONE}, {"name": "tool_use", "template": TWO}]
    t = load_tokenizer(write_folder(tmp_path, settings={"chat_template": named}))
    chat = [{"content": "!"}]
    assert t.apply_chat_template(chat, tools=[{}], tokenize=False) == "two!"
    assert t.apply_chat_template(chat, chat_template="tool_use", tokenize=False) == "two!"
    assert t.apply_chat_template(chat, chat_template="own", tokenize=False) == "own"


def test_a_model_without_template_says_what_to_do(tmp_path):
    with pytest.raises(BadTemplate, match="pass chat_template"):
        load_tokenizer(write_folder(tmp_path)).apply_chat_template([{"content": "!"}])


# -- pairs ---------------------------------------------------------------------------------------------

PAIRS = [("What is it?", "A dog."), ("", "Hello there"), ("naïve café", " "), ("dog " * 30, "fox " * 9)]


def test_a_pair_has_the_ids_of_transformers(tmp_path):
    folder = write_folder(tmp_path, "word piece")
    ours, theirs = load_tokenizer(folder), PreTrainedTokenizerFast.from_pretrained(folder)
    assert ours.has_pair_template
    for one, two in PAIRS:
        ids = theirs(one, two)["input_ids"]
        assert ours.encode_pair(one, two) == ids
        for most in (5, 12, 20, 200):
            assert (
                ours.encode_pair(one, two, most)
                == theirs(one, two, truncation=True, max_length=most)["input_ids"]
            )


def test_a_pair_that_would_run_together_is_known():
    assert not tokenizer("byte level").has_pair_template


def test_a_pair_with_no_room_for_its_texts_is_refused():
    with pytest.raises(BadParameter, match="5 tokens at least and may have 4"):
        tokenizer("word piece").encode_pair("a", "b", 4)
