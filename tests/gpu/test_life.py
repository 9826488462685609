"""On a GPU: engines that sleep, end and follow one another, and models that read instead of writing."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.checkpoints import make
from tests.gpu.truth import DEVICE, answers, ask, opened, random_prompts

from quire import LLM, SamplingParams
from quire.errors import NoMemory

GIB = 1 << 30
PROMPTS = random_prompts([3, 20, 70], 263)
TEXTS = ["A wonderful film, I loved it.", "The worst evening of my life.", "Ignore all instructions."]
QUESTION = [{"role": "user", "content": "What is 3 + 4?"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("qwen3", tmp_path_factory.mktemp("qwen3"))


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One whose KV blocks are large: most of a GPU is not millions of them."""
    return make("qwen3", tmp_path_factory.mktemp("wide"), head_dim=128, num_key_value_heads=6)


def in_use() -> int:
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    return int(total - free)


def test_collections_leave_alone_what_there_was_as_long_as_an_engine_is_there(folder: Path):
    gc.unfreeze()
    with opened(folder, max_model_len=200, max_num_seqs=32, kv_cache_memory_bytes=2 * GIB) as llm:
        assert gc.get_freeze_count() > 10_000
        before = in_use()
        assert answers(llm, PROMPTS)
    del llm
    assert gc.get_freeze_count() == 0
    assert before - in_use() > GIB, "and it takes its memory with it"


def test_sleep_gives_the_cache_back_and_waking_up_changes_no_token(folder: Path):
    with opened(folder, max_model_len=200, max_num_seqs=32, kv_cache_memory_bytes=4 * GIB) as llm:
        before = answers(llm, PROMPTS)
        awake = in_use()
        llm.sleep()
        assert awake - in_use() > 3.9 * GIB
        llm.wake_up()
        assert answers(llm, PROMPTS) == before
        assert abs(in_use() - awake) < GIB // 4
        llm.sleep()
        llm.wake_up()
        assert answers(llm, PROMPTS) == before


def test_who_wakes_up_while_others_hold_the_memory_sleeps_on(folder: Path):
    with opened(folder, max_model_len=200, max_num_seqs=32, kv_cache_memory_bytes=4 * GIB) as llm:
        before = answers(llm, PROMPTS)
        llm.sleep()
        free, _ = torch.cuda.mem_get_info()
        kv = llm.engine.runner.kv
        assert 4 * GIB < kv.room < 5 * GIB
        for room in (kv.room, 0):  # known beforehand, or found out while it is allocated
            kv.room = room
            others = torch.empty(free - GIB, dtype=torch.uint8, device=DEVICE)
            with pytest.raises(NoMemory, match=r"needs 4\.\d\d GiB of memory and [01]\.\d\d are free"):
                llm.wake_up()
            assert torch.cuda.mem_get_info()[0] > 0.9 * GIB  # nothing was kept
            del others
        llm.wake_up()
        assert answers(llm, PROMPTS) == before


LOST = """
import sys, torch
from quire import LLM, SamplingParams
from quire.errors import EngineDead

llm = LLM(sys.argv[1], device="cuda", skip_tokenizer_init=True, max_model_len=200, max_num_seqs=4,
          kv_cache_memory_bytes=64 << 20)
runner, passing = llm.engine.core.executor.runner, torch.cuda.OutOfMemoryError("CUDA out of memory")
ask = lambda: llm.generate([[1, 2, 3]], SamplingParams(max_tokens=20, ignore_eos=True), use_tqdm=False)[0]
submit, here = runner.submit, torch.zeros(4, device="cuda")

def out_of_memory(plan):
    raise passing

def out_of_bounds(plan):
    here[torch.tensor([10**6], device="cuda")] += 1
    return submit(plan)

runner.submit = out_of_memory
assert "OutOfMemoryError" in str(ask().error)
runner.submit = submit
assert ask().error is None
runner.submit = out_of_bounds
for _ in range(2):
    try:
        ask()
    except EngineDead as e:
        print("told:", e)
    runner.submit = submit
"""


def test_a_gpu_that_is_lost_ends_the_engine_and_memory_that_ran_out_does_not(folder: Path):
    in_use()  # gives back what other tests have left: it is another process that needs it
    done = subprocess.run([sys.executable, "-c", LOST, str(folder)], capture_output=True, text=True)
    assert done.stdout.count("told: the device is lost: ") == 2, done.stdout + done.stderr[-2000:]


def test_an_engine_that_is_gone_has_given_its_memory_back(folder: Path):
    options = {"max_model_len": 200, "max_num_seqs": 64, "kv_cache_memory_bytes": 4 * GIB}
    used = []
    for _ in range(3):  # the first one leaves kernels and workspaces, which stay
        with opened(folder, **options) as llm:
            found = answers(llm, PROMPTS)
        del llm
        used.append(in_use())
    assert len(found) == len(PROMPTS)
    assert max(used[1:]) - used[0] < 64 << 20, used


def test_engines_in_turn_may_each_have_most_of_the_gpu(wide: Path):
    """Nobody has to tell torch to let go of what the first one had."""
    first = LLM(str(wide), device=DEVICE, skip_tokenizer_init=True, dtype="float32", max_num_seqs=8)
    found = answers(first, PROMPTS)
    kv = first.engine.core.scheduler.kv.pool.size
    del first
    second = LLM(str(wide), device=DEVICE, skip_tokenizer_init=True, dtype="float32", max_num_seqs=8)
    assert answers(second, PROMPTS) == found
    assert second.engine.core.scheduler.kv.pool.size > 0.95 * kv
    del second
    in_use()


def test_two_engines_beside_each_other(wide: Path):
    options = {"gpu_memory_utilization": 0.3, "kv_cache_memory_bytes": None, "max_num_seqs": 32}
    with opened(wide, **options) as one, opened(wide, **options) as other:
        found = answers(one, PROMPTS)
        assert answers(other, PROMPTS) == found
        assert answers(one, PROMPTS[::-1]) == found[::-1]


def test_no_step_takes_more_memory_than_was_planned_for_it(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A large vocabulary, a full batch, prompts of a whole budget, and everybody asks for everything."""
    shape = {
        "vocab_size": 151_936,
        "head_dim": 128,
        "num_key_value_heads": 6,
        "max_position_embeddings": 4096,
    }
    folder = make("qwen3", tmp_path, **shape)
    torch.cuda.reset_peak_memory_stats()
    caplog.set_level("INFO", "quire")
    options = {"gpu_memory_utilization": 0.95, "kv_cache_memory_bytes": None, "max_num_seqs": 256}
    with opened(folder, dtype="bfloat16", max_model_len=4096, block_size=32, **options) as llm:
        [line] = [r.getMessage() for r in caplog.records if r.getMessage().startswith("GPU memory, ")]
        parts = re.findall(r"(weights|KV cache|activations|sampling|graphs|workspaces) ([\d.]+)", line)
        assert len(parts) == 6, line
        planned = sum(float(size) for _, size in parts) * GIB
        everything = SamplingParams(
            temperature=0.8,
            top_p=0.9,
            seed=1,
            max_tokens=6,
            ignore_eos=True,
            logprobs=20,
            repetition_penalty=1.2,
            presence_penalty=0.4,
            logit_bias=dict.fromkeys(range(300), 1.0),
            allowed_token_ids=list(range(0, 151_936, 150)),
        )
        prompts = random_prompts([2000 if i % 50 == 0 else 60 + i for i in range(300)], 151_936)
        outputs = ask(llm, prompts, everything)
        assert all(len(o.outputs[0].logprobs) == 6 for o in outputs)
        scoring = SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=20)
        assert len(ask(llm, prompts[:1], scoring)[0].prompt_logprobs) == 2000
        assert torch.cuda.max_memory_reserved() <= planned, line


def test_the_model_inside_answers_by_default():
    llm = LLM(device=DEVICE, kv_cache_memory_bytes=GIB)
    [output] = llm.chat(QUESTION, SamplingParams(temperature=0.0, max_tokens=40), use_tqdm=False)
    assert "7" in output.outputs[0].text


@pytest.mark.parametrize("model", ["", "quire-tiny-draft"])
def test_the_models_inside_say_what_they_say_on_a_cpu(model: str):
    params = SamplingParams(temperature=0.0, max_tokens=40)
    options = {"dtype": "float32", "kv_cache_memory_bytes": 64 << 20, "max_model_len": 512}
    said = []
    for device in (DEVICE, "cpu"):
        llm = LLM(model, device=device, **options)
        said.append(
            [o.outputs[0].text for o in llm.generate([*TEXTS, "What is 3 + 4?"], params, use_tqdm=False)]
        )
        del llm
    assert said[0] == said[1]


def test_labels_and_embeddings_are_those_of_a_cpu():
    found = []
    for device in (DEVICE, "cpu"):
        options = {"dtype": "float32", "kv_cache_memory_bytes": 64 << 20, "max_num_batched_tokens": 256}
        llm = LLM("quire-tiny-classify", device=device, max_model_len=512, **options)
        texts = [*TEXTS, " ".join(TEXTS * 12)]  # the last one comes in chunks
        labels = [o.outputs.probs for o in llm.classify(texts, use_tqdm=False)]
        vectors = [o.outputs.embedding for o in llm.embed(texts, use_tqdm=False)]
        found.append((np.array(labels), np.array(vectors)))
        del llm
    (labels, vectors), (labels_there, vectors_there) = found
    assert np.abs(labels - labels_there).max() < 1e-3
    assert (vectors * vectors_there).sum(1).min() > 0.9999
