"""Routing by the book, and the CPU's experts against the definition."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from quire.ops.moe import Chosen, Experts, Routing, cpu, gated_experts, reference, route


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def experts(count: int, hidden: int = 24, inner: int = 20, dtype: torch.dtype = torch.float32) -> Experts:
    return Experts(
        random(count, 2 * inner, hidden, dtype=dtype, seed=1) / 4,
        random(count, hidden, inner, dtype=dtype, seed=2) / 4,
    )


def test_softmax_scores_are_kept_or_made_to_add_up_to_one():
    logits = random(5, 7)
    plain, whole = route(logits, Routing(7, 3)), route(logits, Routing(7, 3, renormalise=True, scale=2.5))
    best = logits.softmax(-1).topk(3)
    assert torch.equal(plain.ids.long(), best.indices) and torch.equal(plain.weights, best.values)
    torch.testing.assert_close(whole.weights, 2.5 * best.values / best.values.sum(-1, keepdim=True))
    assert plain.ids.dtype == torch.int32 and plain.weights.dtype == torch.float32


def test_a_bias_chooses_and_does_not_weigh():
    logits, bias = random(6, 8), torch.tensor([9.0, 0, 0, 0, 0, 0, 0, 8.0])
    chosen = route(logits, Routing(8, 2, scores="sigmoid"), bias)
    assert chosen.ids.tolist() == [[0, 7]] * 6
    torch.testing.assert_close(chosen.weights, logits[:, [0, 7]].sigmoid())


def test_groups_are_chosen_before_experts():
    logits = torch.tensor([[5.0, 0.0, 4.0, 3.9, 1.0, 1.0]])
    grouped = Routing(6, 2, scores="sigmoid", groups=3, top_groups=1)
    assert route(logits, grouped).ids.tolist() == [[0, 1]], "by the best of a group"
    assert route(logits, grouped, torch.zeros(6)).ids.tolist() == [[2, 3]], "with a bias by the best two"
    two = Routing(6, 3, groups=3, top_groups=2)
    assert route(logits, two).ids.tolist() == [[0, 2, 3]]


def test_of_equal_experts_the_first_are_chosen():
    assert route(torch.zeros(2, 9), Routing(9, 4)).ids.tolist() == [[0, 1, 2, 3]] * 2


def test_one_token_is_the_sum_that_the_definition_says():
    x, e = random(1, 24), experts(4)
    chosen = Chosen(torch.tensor([[2, 0]], dtype=torch.int32), torch.tensor([[0.75, 0.5]]))
    parts = []
    for id in (2, 0):
        gate, up = (e.gate_up[id] @ x[0]).chunk(2)
        parts.append(e.down[id] @ (F.silu(gate) * up))
    torch.testing.assert_close(reference.gated_experts(x, chosen, e)[0], 0.75 * parts[0] + 0.5 * parts[1])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("tokens", [1, 2, 5, 16, 70])
@pytest.mark.parametrize(("count", "top_k"), [(1, 1), (5, 2), (33, 8)])
def test_the_cpu_computes_what_is_defined(tokens: int, count: int, top_k: int, dtype: torch.dtype):
    x, e = random(tokens, 24, dtype=dtype), experts(count, dtype=dtype)
    chosen = route(random(tokens, count, seed=3), Routing(count, top_k))
    close = {"atol": 1e-5, "rtol": 1e-5} if dtype == torch.float32 else {"atol": 0.03, "rtol": 0.03}
    torch.testing.assert_close(gated_experts(x, chosen, e), reference.gated_experts(x, chosen, e), **close)


@pytest.mark.parametrize("ids", [[3, 1], [1, 3]])
def test_all_tokens_may_go_to_the_same_experts(ids: list[int]):
    x, e = random(9, 24), experts(5)
    chosen = Chosen(torch.tensor([ids] * 9, dtype=torch.int32), torch.full((9, 2), 0.5))
    torch.testing.assert_close(cpu.gated_experts(x, chosen, e), reference.gated_experts(x, chosen, e))


@pytest.mark.parametrize("held", [[4], [0, 2, 5], [5, 1]])
def test_what_is_held_elsewhere_counts_as_zero(held: list[int]):
    x, e = random(13, 24), experts(6)
    places = torch.full((6,), -1, dtype=torch.int32)
    places[held] = torch.arange(len(held), dtype=torch.int32)
    some = Experts(e.gate_up[held], e.down[held], places=places)
    chosen = route(random(13, 6, seed=3), Routing(6, 3))
    away = ~torch.isin(chosen.ids, torch.tensor(held, dtype=torch.int32))
    wanted = reference.gated_experts(x, chosen._replace(weights=chosen.weights.masked_fill(away, 0.0)), e)
    torch.testing.assert_close(reference.gated_experts(x, chosen, some), wanted)
    torch.testing.assert_close(cpu.gated_experts(x, chosen, some), wanted)


def test_a_broken_token_breaks_no_other():
    x, e = random(6, 24), experts(3)
    chosen = route(random(6, 3, seed=3), Routing(3, 2))
    wanted = cpu.gated_experts(x, chosen, e)
    x[2] = torch.nan
    found = cpu.gated_experts(x, chosen, e)
    assert found[2].isnan().all()
    others = [0, 1, 3, 4, 5]
    torch.testing.assert_close(found[others], wanted[others])
