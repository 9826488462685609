"""A draft may be anything at all: it costs time, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.checkpoints import make
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM
from quire.worker.drafts import Drafts, NoDrafts, Seen

PROMPTS = [[3, 5, 8, 13, 21, 34], [7, 7, 9], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110]]


class Planted(NoDrafts):
    """Always guesses the same."""

    def __init__(self, *tokens: int):
        self.tokens = np.array(tokens, np.int32)

    def propose(self, seen: Seen) -> Drafts:
        drafts = Drafts.room(seen.want)
        for i in range(len(seen.rows)):
            drafts.put(i, self.tokens[: seen.want[i]])
        return drafts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("model"))


def planted(folder: Path, *tokens: int, **options: Any) -> LLM:
    asked = {"method": "ngram", "num_speculative_tokens": 4, "adaptive": False}
    llm = open_llm(folder, skip_tokenizer_init=True, block_size=4, speculative_config=asked, **options)
    llm.engine.core.executor.runner.proposer = Planted(*tokens)
    return llm


@pytest.mark.parametrize("tokens", [(0,), (2, 5, 2), (262, 262, 262, 262)])
def test_drafts_that_never_come_change_nothing(folder, tokens):
    plain = open_llm(folder, skip_tokenizer_init=True, block_size=4)
    llm = planted(folder, *tokens)
    prompts = [{"prompt_token_ids": p} for p in PROMPTS]
    assert token_ids(llm, prompts, greedy(40)) == token_ids(plain, prompts, greedy(40))
    assert llm.engine.core.scheduler.drafting.total.tokens > 50
    assert_at_rest(llm.engine)


def test_blocks_go_from_one_request_to_the_next_without_what_was_wrong(folder):
    llm = planted(folder, 262, 262, num_gpu_blocks_override=33)
    plain = open_llm(folder, skip_tokenizer_init=True, block_size=4)
    prompts = [{"prompt_token_ids": [n, n + 1, n + 2]} for n in range(3, 150, 4)]
    assert token_ids(llm, prompts, greedy(12)) == token_ids(plain, prompts, greedy(12))
    assert llm.engine.core.scheduler.stats.preemptions > 0
