"""Beam search finds what an exhaustive search finds, and what transformers finds."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tests.checkpoints import make
from tests.engine.engines import assert_at_rest, greedy, open_llm

from quire import BeamSearchParams
from quire.errors import BadParameter

PROMPT = [5, 3, 9]
END = 2


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama with twelve token ids; 2 is the end."""
    return make("llama", tmp_path_factory.mktemp("tiny"), vocab_size=12)


def load(folder: Path) -> Any:
    return transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()


def all_answers(folder: Path, length: int, penalty: float, ignore_eos: bool) -> list[tuple[float, list[int]]]:
    """Every answer of up to `length` tokens with its score, best first."""
    model, found = load(folder), []
    begun: list[tuple[list[int], float]] = [([], 0.0)]
    for n in range(1, length + 1):
        with torch.inference_mode():
            logits = model(torch.tensor([PROMPT + tokens for tokens, _ in begun])).logits[:, -1]
        scores = logits.log_softmax(-1).tolist()
        grown = []
        for (tokens, value), line in zip(begun, scores, strict=True):
            for token, more in enumerate(line):
                new = [*tokens, token], value + more
                if n == length or (token == END and not ignore_eos):
                    found.append((new[1] / n**penalty, new[0]))
                else:
                    grown.append(new)
        begun = grown
    return sorted(found, reverse=True)


@pytest.mark.parametrize("ignore_eos", [False, True])
@pytest.mark.parametrize("penalty", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_beam_as_wide_as_the_tree_finds_the_best_answers(
    tiny: Path, length: int, penalty: float, ignore_eos: bool
):
    llm = open_llm(tiny, skip_tokenizer_init=True, max_logprobs=1024)
    params = BeamSearchParams(
        beam_width=144, max_tokens=length, length_penalty=penalty, ignore_eos=ignore_eos
    )
    [output] = llm.beam_search([PROMPT], params)
    right = all_answers(tiny, length, penalty, ignore_eos)[: len(output.sequences)]
    assert len(output.sequences) == min(144, len(right))
    for mine, (score, tokens) in itertools.islice(zip(output.sequences, right, strict=True), 40):
        assert mine.tokens == PROMPT + tokens
        assert mine.cum_logprob / len(tokens) ** penalty == pytest.approx(score, abs=1e-4)
        ended = tokens[-1] == END and not ignore_eos
        assert mine.finish_reason == ("stop" if ended else "length")
    assert_at_rest(llm.engine)


@pytest.mark.parametrize("width", [1, 3, 8])
def test_beams_are_those_of_transformers(llama: Path, width: int):
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    prompts = [[5], list(range(40, 57)), [7, 8, 9] * 5]
    params = BeamSearchParams(beam_width=width, max_tokens=12, ignore_eos=True)
    outputs = llm.beam_search(prompts, params)
    model = load(llama)
    model.generation_config.eos_token_id = None
    for prompt, output in zip(prompts, outputs, strict=True):
        ids = torch.tensor([prompt])
        with torch.inference_mode():
            right = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=12,
                num_beams=width,
                num_return_sequences=width,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=0,
            )
        assert [s.tokens for s in output.sequences] == right.tolist()
    assert_at_rest(llm.engine)


def test_a_beam_of_one_is_greedy_and_its_text_is_decoded(checkpoint: Path):
    llm = open_llm(checkpoint)
    whole = llm.generate("Beams", greedy(8), use_tqdm=False)[0]
    params = BeamSearchParams(beam_width=1, max_tokens=8, ignore_eos=True)
    [output] = llm.beam_search("Beams", params)
    assert output.sequences[0].tokens == whole.prompt_token_ids + whole.outputs[0].token_ids
    assert output.sequences[0].text == llm.get_tokenizer().decode(output.sequences[0].tokens)


def test_a_beam_that_is_too_wide_or_too_long_is_refused_with_the_way_out(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    with pytest.raises(BadParameter, match=r"beam_width is 11 .* 22 .* 20; raise --max-logprobs"):
        llm.beam_search(PROMPT, BeamSearchParams(beam_width=11, max_tokens=4))
    with pytest.raises(
        BadParameter, match=r"9 tokens and max_tokens is 120; .* at most 128; lower max_tokens"
    ):
        llm.beam_search([PROMPT * 3], BeamSearchParams(beam_width=2, max_tokens=120))
    assert_at_rest(llm.engine)


def test_beams_can_be_searched_in_the_middle_of_a_stream(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    params = BeamSearchParams(beam_width=2, max_tokens=6, ignore_eos=True)
    alone = llm.beam_search([PROMPT], params)
    stream = llm.stream(PROMPT, greedy(20))
    next(stream)
    beside = llm.beam_search([PROMPT], params)
    for found, wanted in zip(beside[0].sequences, alone[0].sequences, strict=True):
        assert found.tokens == wanted.tokens  # another number of rows may round the sum otherwise
        assert found.cum_logprob == pytest.approx(wanted.cum_logprob, rel=1e-5)
    assert len(list(stream)[-1].outputs[0].token_ids) == 20
    assert_at_rest(llm.engine)
