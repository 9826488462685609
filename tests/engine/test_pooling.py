"""Prompts that are read and not continued: vectors and label scores are transformers', however they ran."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make, reference_hidden, reference_labels
from tests.engine.engines import assert_at_rest, greedy, open_llm, smallest_pool, token_ids
from tests.engine.pooling import (
    CONTEXT,
    HEAD,
    LENGTHS,
    NAMES,
    PROMPTS,
    assert_near,
    embeddings,
    opened,
    probabilities,
    states,
    unit,
)

from quire import (
    LLM,
    ClassificationRequestOutput,
    EmbeddingRequestOutput,
    PoolingParams,
    PoolingRequestOutput,
)
from quire.errors import CheckpointError, WrongTask

# -- against transformers ------------------------------------------------------------------------------

KINDS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "mean": lambda hidden: hidden.sum(0) / len(hidden),
    "last": lambda hidden: hidden[-1],
    "cls": lambda hidden: hidden[0],
}


@pytest.mark.parametrize("family", ["llama", "mistral", "qwen2", "qwen3", "gemma2"])
def test_embeddings_are_made_of_the_hidden_states_of_transformers(family: str, tmp_path: Path):
    folder = make(family, tmp_path)
    hidden = [reference_hidden(folder, p) for p in PROMPTS]
    for kind, pooled in KINDS.items():
        llm = opened(folder, pooling_type=kind)
        right = torch.stack([pooled(h) for h in hidden])
        assert_near(embeddings(llm, PROMPTS, normalize=False), right)
        assert_near(embeddings(llm, PROMPTS), unit(right))
        assert_at_rest(llm.engine)
    for mine, right in zip(states(opened(folder), PROMPTS), hidden, strict=True):
        assert_near(mine, right)


@pytest.mark.parametrize("family", ["llama", "mistral", "qwen2", "qwen3"])
def test_labels_have_the_probabilities_of_transformers(family: str, tmp_path: Path):
    folder = make(family, tmp_path, head=HEAD, num_labels=3)
    right = torch.stack([reference_labels(folder, p) for p in PROMPTS])
    llm = opened(folder)
    assert_near(probabilities(llm, PROMPTS), right.softmax(-1))
    assert_near(probabilities(llm, PROMPTS, use_activation=False), right)
    assert_at_rest(llm.engine)


@pytest.mark.parametrize(
    ("labels", "problem", "activation"),
    [
        (1, None, torch.sigmoid),
        (2, "single_label_classification", lambda x: x.softmax(-1)),
        (3, "multi_label_classification", torch.sigmoid),
        (1, "regression", lambda x: x),
    ],
)
def test_the_problem_type_decides_what_label_scores_are(
    tmp_path: Path, labels: int, problem: str | None, activation: Callable[[torch.Tensor], torch.Tensor]
):
    folder = make("llama", tmp_path, head=HEAD, num_labels=labels, problem_type=problem)
    right = torch.stack([activation(reference_labels(folder, p)) for p in PROMPTS])
    assert_near(probabilities(opened(folder), PROMPTS), right)


def test_the_likeliest_label_is_named(classifier: Path):
    llm = opened(classifier)
    for output, prompt in zip(llm.classify(PROMPTS, use_tqdm=False), PROMPTS, strict=True):
        assert isinstance(output, ClassificationRequestOutput)
        assert output.outputs.num_classes == 3
        assert output.outputs.label == NAMES[int(reference_labels(classifier, prompt).argmax())]
        assert (output.prompt_token_ids, output.finished, output.error) == (prompt, True, None)


def test_bfloat16_stays_near_float32(classifier: Path):
    exact, rounded = (opened(classifier, dtype=d) for d in ("float32", "bfloat16"))
    near = torch.cosine_similarity(embeddings(exact, PROMPTS), embeddings(rounded, PROMPTS))
    assert near.min() > 0.98
    assert (probabilities(exact, PROMPTS) - probabilities(rounded, PROMPTS)).abs().max() < 0.1


def test_a_decoder_saved_without_a_head_embeds(tmp_path: Path):
    llm = opened(make("mistral", tmp_path, head="Model"))
    right = torch.stack([reference_hidden(tmp_path, p)[-1] for p in PROMPTS])
    assert_near(embeddings(llm, PROMPTS), unit(right))
    with pytest.raises(WrongTask, match=r"\(MistralModel\) has no language head; use embed or encode"):
        llm.generate(PROMPTS)


def test_a_classification_checkpoint_embeds_by_the_mean_unless_told_otherwise(classifier: Path):
    hidden = [reference_hidden(classifier, p) for p in PROMPTS]
    assert_near(
        embeddings(opened(classifier), PROMPTS), unit(torch.stack([KINDS["mean"](h) for h in hidden]))
    )
    told = opened(classifier, pooling_type="last")
    assert_near(embeddings(told, PROMPTS), unit(torch.stack([h[-1] for h in hidden])))


def test_the_files_of_sentence_transformers_are_followed(llama: Path, tmp_path: Path):
    folder = Path(shutil.copytree(llama, tmp_path / "sentences"))
    (folder / "1_Pooling").mkdir()
    says = folder / "1_Pooling" / "config.json"
    says.write_text(json.dumps({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}))
    right = torch.stack([KINDS["mean"](reference_hidden(llama, p)) for p in PROMPTS])
    assert_near(embeddings(opened(folder), PROMPTS), unit(right))
    says.write_text(json.dumps({"pooling_mode_max_tokens": True}))
    with pytest.raises(CheckpointError, match=r"max_tokens pooling.*--pooling-type"):
        opened(folder)


# -- however it runs -----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["mean", "last", "cls"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def everything(llm: LLM, prompts: list[list[int]] = PROMPTS) -> list[torch.Tensor]:
    """Embeddings, probabilities and all hidden states, in calls of their own."""
    return [embeddings(llm, prompts), probabilities(llm, prompts), torch.cat(states(llm, prompts))]


@pytest.fixture(scope="module")
def right(classifier: Path, kind: str) -> list[torch.Tensor]:
    return everything(opened(classifier, pooling_type=kind, enable_prefix_caching=False))


@pytest.mark.parametrize("chunk", [1, 5, 16])
def test_where_prompts_are_cut_does_not_matter(
    classifier: Path, kind: str, right: list[torch.Tensor], chunk: int
):
    llm = opened(
        classifier, pooling_type=kind, block_size=4, max_num_batched_tokens=chunk, max_num_seqs=min(chunk, 3)
    )
    for mine, due in zip(everything(llm), right, strict=True):
        torch.testing.assert_close(mine, due, atol=1e-5, rtol=0)
    assert_at_rest(llm.engine)


def test_alone_and_in_a_crowd_is_the_same(classifier: Path, kind: str, right: list[torch.Tensor]):
    llm = opened(classifier, pooling_type=kind)
    alone = [everything(llm, [p]) for p in PROMPTS]
    for mine, due in zip(zip(*alone, strict=True), right, strict=True):
        torch.testing.assert_close(torch.cat(mine), due, atol=1e-5, rtol=0)


def test_a_warm_prefix_cache_changes_nothing(classifier: Path, kind: str, right: list[torch.Tensor]):
    llm = opened(classifier, pooling_type=kind, block_size=4)
    for _ in range(2):
        for mine, due in zip(everything(llm), right, strict=True):
            torch.testing.assert_close(mine, due, atol=1e-5, rtol=0)
    assert_at_rest(llm.engine)


def test_only_the_last_position_is_read_from_the_cache(classifier: Path, kind: str):
    llm = opened(classifier, pooling_type=kind, block_size=4)
    llm.classify(PROMPTS, use_tqdm=False)

    def cached(outputs: list[Any]) -> list[int]:
        return [o.num_cached_tokens for o in outputs]

    found = [(n - 1) // 4 * 4 for n in LENGTHS]
    assert cached(llm.classify(PROMPTS, use_tqdm=False)) == found
    assert cached(llm.embed(PROMPTS, use_tqdm=False)) == (found if kind == "last" else [0] * 8)
    assert cached(llm.encode(PROMPTS, use_tqdm=False)) == [0] * 8
    salted = PoolingParams(cache_salt="mine")
    assert cached(llm.classify(PROMPTS, pooling_params=salted, use_tqdm=False)) == [0] * 8


@pytest.mark.parametrize("family", ["llama", "mistral"])
@pytest.mark.parametrize("task", ["embed", "encode"])
@pytest.mark.parametrize("kind", ["mean", "last"])
def test_mixed_with_generation_in_a_small_cache_nobody_disturbs_anybody(
    request: pytest.FixtureRequest, family: str, task: str, kind: str
):
    folder, chunk = request.getfixturevalue(family), 8
    roomy = opened(folder, pooling_type=kind, enable_prefix_caching=False)
    answers = token_ids(roomy, PROMPTS, greedy(14))
    vectors = states(roomy, PROMPTS, task=task)
    pool = smallest_pool(folder, CONTEXT, chunk) + 2
    llm = opened(
        folder,
        pooling_type=kind,
        block_size=4,
        num_gpu_blocks_override=pool,
        max_num_batched_tokens=chunk,
        max_num_seqs=chunk,
    )
    engine, ended = llm.engine, {}
    for i, prompt in enumerate(PROMPTS):
        engine.add(f"said {i}", prompt, greedy(14))
        engine.add_pooling(f"read {i}", prompt, PoolingParams(task=task))
    while engine.unfinished:
        ended |= {o.request_id: o for o in engine.step() if o.finished}
    assert engine.stats.preemptions > 0 and engine.stats.failed == 0
    assert_at_rest(engine)
    for i in range(len(PROMPTS)):
        assert ended[f"said {i}"].outputs[0].token_ids == answers[i]
        torch.testing.assert_close(ended[f"read {i}"].outputs.data, vectors[i], atol=1e-5, rtol=0)


def test_without_chunks_a_prompt_may_fill_the_whole_context(llama: Path):
    llm = opened(llama, enable_chunked_prefill=False)
    full = [list(range(1, CONTEXT + 1))] * 3
    assert [len(s) for s in states(llm, full)] == [CONTEXT] * 3
    right = reference_hidden(llama, full[0])[-1]
    assert_near(embeddings(llm, full), unit(right).expand(3, -1))
    assert_at_rest(llm.engine)


# -- parameters ----------------------------------------------------------------------------------------


def test_dimensions_are_kept_before_vectors_are_brought_to_length_one(llama: Path):
    llm = opened(llama)
    whole = embeddings(llm, PROMPTS, normalize=False)
    assert_near(embeddings(llm, PROMPTS, dimensions=5, normalize=False), whole[:, :5])
    assert_near(embeddings(llm, PROMPTS, dimensions=5), unit(whole[:, :5]))
    assert_near(embeddings(llm, PROMPTS, dimensions=48), unit(whole))
    every = states(llm, PROMPTS, dimensions=5, normalize=True)
    assert_near(every[3], unit(states(llm, PROMPTS)[3][:, :5]))


def test_a_prompt_is_cut_to_its_last_tokens(llama: Path):
    llm = opened(llama)
    long = list(range(1, 200))
    cut = llm.embed([long, PROMPTS[0]], truncate_prompt_tokens=10, use_tqdm=False)
    assert [o.prompt_token_ids for o in cut] == [long[-10:], PROMPTS[0]]
    whole = llm.embed([long], pooling_params=PoolingParams(truncate_prompt_tokens=-1), use_tqdm=False)
    assert whole[0].prompt_token_ids == long[-CONTEXT:]
    assert_near(embeddings(llm, [long], truncate_prompt_tokens=10), embeddings(llm, [long[-10:]]))


def test_encode_gives_what_its_task_gives(classifier: Path):
    llm = opened(classifier)
    each = [PoolingParams(task=task) for task in ("encode", "token_embed", "embed", "classify")]
    outputs = llm.encode([PROMPTS[3]] * 4, each, use_tqdm=False)
    assert all(type(o) is PoolingRequestOutput for o in outputs)
    assert [tuple(o.outputs.data.shape) for o in outputs] == [(7, 48), (7, 48), (48,), (3,)]
    assert {o.outputs.data.dtype for o in outputs} == {torch.float32}
    by_name = llm.encode(PROMPTS[3], pooling_task="classify", use_tqdm=False)[0]
    assert torch.equal(by_name.outputs.data, outputs[3].outputs.data)


def test_text_is_tokenized_as_for_generation(checkpoint: Path):
    llm = open_llm(checkpoint)
    [one], [two] = (
        llm.embed("A quire is", use_tqdm=False),
        llm.generate("A quire is", greedy(1), use_tqdm=False),
    )
    assert isinstance(one, EmbeddingRequestOutput) and one.outputs.hidden_size == 64
    assert one.prompt_token_ids == two.prompt_token_ids
    assert sum(x * x for x in one.outputs.embedding) == pytest.approx(1.0)


def test_priority_decides_who_is_read_first(llama: Path):
    llm = opened(llama, scheduling_policy="priority", max_num_seqs=1)
    for name, priority in (("late", 5), ("soon", 1)):
        llm.engine.add_pooling(name, PROMPTS[2], PoolingParams(task="embed", priority=priority))
    order = []
    while llm.engine.unfinished:
        order += [o.request_id for o in llm.engine.step()]
    assert order == ["soon", "late"]


def test_a_progress_bar_is_drawn_unless_it_is_not_wanted(llama: Path, capsys: pytest.CaptureFixture[str]):
    llm = opened(llama)
    llm.embed(PROMPTS, use_tqdm=False)
    assert "Processed prompts" not in capsys.readouterr().err
    llm.embed(PROMPTS)
    assert "Processed prompts: 100%" in capsys.readouterr().err
