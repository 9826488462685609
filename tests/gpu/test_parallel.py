"""On one GPU: engines of several processes that share it give the tokens of one process."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make
from tests.gpu.truth import answers, opened, random_prompts

from quire.parallel.symmetric import small_sums

PROMPTS = random_prompts([1, 5, 17, 40, 64, 90, 130], 250)


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("llama", {"tensor_parallel_size": 2}),
        ("qwen3_moe", {"tensor_parallel_size": 2}),
        ("qwen3_moe", {"tensor_parallel_size": 2, "enable_expert_parallel": True}),
        ("qwen3", {"pipeline_parallel_size": 2}),
        ("llama", {"context_parallel_size": 2, "block_size": 16}),
    ],
    ids=["tp", "experts in slices", "whole experts", "pp", "cp"],
)
def test_processes_that_share_a_gpu_give_the_tokens_of_one(
    family: str, options: dict[str, Any], tmp_path: Path
):
    folder = make(family, tmp_path)
    tight = {"max_model_len": 200, "max_num_batched_tokens": 64, "max_num_seqs": 8}
    with opened(folder, **tight) as llm:
        truth = answers(llm, PROMPTS)
    with opened(folder, **tight, **options) as llm:
        assert answers(llm, PROMPTS) == truth
        assert answers(llm, PROMPTS) == truth  # with prefixes from the cache
        llm.close()


def sums_of_a_rank(rank: int, port: int, said: Any) -> None:
    """Small sums of two ranks, launched one by one and as a graph; says what went wrong."""
    import torch.distributed as dist

    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    os.environ["TORCH_SYMM_MEM_ALLOW_OVERLAPPING_DEVICES"] = "1"  # both ranks are on the one GPU
    torch.cuda.set_device(0)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    sums = small_sums(dist.group.WORLD, torch.device("cuda", 0), (torch.bfloat16, torch.float32))
    if sums is None:
        return said.put("there is no symmetric memory")

    def given(n: int, dtype: torch.dtype, rank: int, turn: int) -> torch.Tensor:
        return (torch.arange(n, device="cuda") % 13 - 5 * rank + turn).to(dtype)

    wrong = []
    for n, dtype in (
        (8, torch.float32),
        (8, torch.bfloat16),
        (4096, torch.bfloat16),
        (100_000, torch.float32),
    ):
        x = given(n, dtype, rank, 0)
        assert sums.takes(x)
        add = torch.cuda.CUDAGraph()
        found = [sums.add_up(x.clone())]
        torch.cuda.synchronize()
        with torch.cuda.graph(add, capture_error_mode="thread_local"):
            out = sums.add_up(x.clone())
        for turn in (1, 2, 3):
            x.copy_(given(n, dtype, rank, turn))
            add.replay()
            found.append(out.clone())
        for turn, total in enumerate(found):
            if not torch.equal(total, given(n, dtype, 0, turn) + given(n, dtype, 1, turn)):
                wrong.append((n, str(dtype), turn))
    dist.barrier()
    return said.put(wrong)


def test_small_sums_by_symmetric_memory_are_right_one_by_one_and_in_graphs():
    context = torch.multiprocessing.get_context("spawn")
    said = context.SimpleQueue()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(sums_of_a_rank, args=(port, said), nprocs=2)
    assert [said.get(), said.get()] == [[], []]
