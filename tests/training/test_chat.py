"""What training renders by hand is what the chat template renders, token for token."""

from __future__ import annotations

from random import Random

import pytest
from tokenizers import Tokenizer
from training import tasks
from training.chat import TEMPLATE, segments, spoken
from training.data import MODULES, conversation

from quire.embedded import DEFAULT, embedded_folder
from quire.text.template import compile_template

FOLDER = embedded_folder(DEFAULT)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
@pytest.mark.parametrize("split", ["train", "held_out"])
def test_a_conversation_reads_as_the_template_writes_it(module, split):
    template, rng = compile_template(TEMPLATE.read_text()), Random(3)
    for _ in range(60):
        c = module.conversation(rng, split)
        assert "".join(t for t, _ in segments(c)) == template.render(c.messages, tools=c.tools)


def test_the_prompt_of_an_answer_ends_where_the_answer_begins():
    template, rng = compile_template(TEMPLATE.read_text()), Random(4)
    for _ in range(100):
        c = tasks.tools.conversation(rng, "train")
        prompt = template.render(c.messages[:-1], tools=c.tools, add_generation_prompt=True)
        assert prompt + spoken(c.messages[-1]) + "<|im_end|>\n" == "".join(t for t, _ in segments(c))


def test_pieces_tokenised_apart_are_those_of_the_whole_text():
    tokenizer, rng = Tokenizer.from_file(str(FOLDER / "tokenizer.json")), Random(5)
    for _ in range(300):
        texts = [t for t, _ in segments(conversation(rng))]
        apart = [i for t in texts for i in tokenizer.encode(t, add_special_tokens=False).ids]
        assert apart == tokenizer.encode("".join(texts), add_special_tokens=False).ids
