"""Routing and experts on GPUs against their definitions: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import itertools
import os

import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

import quire.ops.backend as backend  # noqa: E402
from quire.ops.moe import Chosen, Experts, Routing, gated_experts, mixture, reference, route  # noqa: E402
from quire.ops.moe import triton as moe  # noqa: E402
from quire.ops.moe.choice import Few, Pair, Rows, Tiles, Unsorted, most_blocks  # noqa: E402
from quire.ops.norm import Gain, add_rms_norm  # noqa: E402

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 2.5e-2, torch.float16: 2e-3}
SMALL = Pair(Tiles(16, 16, 32, 2, 4), Tiles(16, 32, 16, 2, 4))
UNSORTED = Unsorted(Rows(16, 16, 2), Rows(32, 16, 2), 4, 1)
SWAPPED = Pair(Tiles(16, 64, 16, 2, 4, True), Tiles(16, 64, 16, 2, 4, True))


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(backend, "interpret", DEVICE == "cpu")


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE, dtype)


def close(a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype = torch.float32) -> None:
    scale = b.float().abs().max().item()
    assert (a.float() - b.float()).abs().max().item() <= TOLERANCE[dtype] * scale


def experts(count: int, hidden: int = 40, inner: int = 24, dtype: torch.dtype = torch.float32) -> Experts:
    return Experts(
        random(count, 2 * inner, hidden, dtype=dtype, seed=1) / 4,
        random(count, hidden, inner, dtype=dtype, seed=2) / 4,
    )


def some_of(e: Experts, held: list[int], count: int) -> Experts:
    places = torch.full((count,), -1, dtype=torch.int32)
    places[held] = torch.arange(len(held), dtype=torch.int32)
    return Experts(e.gate_up[held], e.down[held], e.activation, places.to(DEVICE))


def sent(ids: list[list[int]], seed: int = 5) -> Chosen:
    chosen = torch.tensor(ids, dtype=torch.int32, device=DEVICE)
    return Chosen(chosen, random(*chosen.shape, seed=seed).abs())


def at_random(tokens: int, count: int, top_k: int) -> Chosen:
    return reference.route(random(tokens, count, seed=3), Routing(count, top_k, renormalise=True))


@pytest.mark.parametrize(
    "routing",
    [
        Routing(128, 8, renormalise=True),
        Routing(60, 4),
        Routing(8, 2, renormalise=True, scale=1.5),
        Routing(9, 9, scores="sigmoid"),
        Routing(1, 1),
        Routing(24, 3, scores="sigmoid", groups=4, top_groups=2),
    ],
)
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("tokens", [1, 5, 259])
def test_routes_are_those_that_are_defined(tokens: int, biased: bool, routing: Routing, monkeypatch):
    logits = random(tokens, routing.experts + 3)[:, : routing.experts]
    same_route(logits, routing, random(routing.experts, seed=1) if biased else None, monkeypatch)


GROUPED = [
    Routing(256, 8, scores="sigmoid", renormalise=True, groups=8, top_groups=4, scale=2.5),  # DeepSeek-V3
    Routing(160, 6, groups=8, top_groups=3, scale=16.0),  # DeepSeek-V2: groups that are no power of two
    Routing(30, 4, scores="sigmoid", groups=3, top_groups=2),
    Routing(12, 6, groups=6, top_groups=2),  # more than the chosen groups have
    Routing(6, 2, scores="sigmoid", groups=6, top_groups=3),  # groups of one
    Routing(16, 4, renormalise=True, groups=4, top_groups=4),
]


def test_experts_are_chosen_from_the_groups_with_the_best_or_with_a_bias_with_the_two_best(monkeypatch):
    for routing, tokens in itertools.product(GROUPED, (1, 6)):
        logits = random(tokens, routing.experts + 3)[:, : routing.experts]
        same_route(logits, routing, None, monkeypatch)
        same_route(logits, routing, random(routing.experts, seed=1), monkeypatch)
    same_route(random(258, 30), GROUPED[2], random(30, seed=1), monkeypatch)  # several to a program
    same_route(random(3, 256, dtype=torch.bfloat16), GROUPED[0], random(256, seed=1), monkeypatch)


def test_of_equal_groups_and_experts_the_first_are_chosen(monkeypatch):
    for routing in GROUPED:
        zeros = torch.zeros(2, routing.experts, device=DEVICE)
        few = random(2, routing.experts).round()
        quarters = (random(routing.experts, seed=2) * 2).round() / 4
        same_route(zeros, routing, None, monkeypatch)
        same_route(few, routing, None, monkeypatch)
        if routing.scores == "sigmoid":  # a half each, so that sums are exact
            same_route(zeros, routing, quarters, monkeypatch)
    found = route(torch.zeros(1, 12, device=DEVICE), GROUPED[3])
    assert found.ids.tolist() == [[0, 1, 2, 3, 4, 5]]


def test_broken_logits_choose_different_experts_of_groups_all_the_same():
    bias = random(30, seed=1)
    for biased in (None, bias, torch.full_like(bias, torch.nan)):
        logits = random(3, 30)
        logits[1, 4:] = torch.nan
        found, routing = route(logits, GROUPED[2], biased), GROUPED[2]
        assert all(
            len(set(ids)) == routing.top_k and 0 <= min(ids) <= max(ids) < 30 for ids in found.ids.tolist()
        )


def same_route(logits: torch.Tensor, routing: Routing, bias: torch.Tensor | None, monkeypatch) -> None:
    """By the kernel and by the definition: neither may stand in for the other."""
    wanted = reference.route(logits, routing, bias)
    with monkeypatch.context() as patched:
        patched.setattr(reference, "route", None)
        found = route(logits, routing, bias)
    assert torch.equal(found.ids, wanted.ids), routing
    torch.testing.assert_close(found.weights, wanted.weights)


def test_equal_and_broken_logits_still_have_a_route():
    logits = torch.zeros(3, 20, device=DEVICE)
    logits[1, 4] = torch.nan
    found = route(logits, Routing(20, 4))
    assert found.ids[[0, 2]].tolist() == [[0, 1, 2, 3]] * 2
    assert found.weights[1].isnan().any() and not found.weights[[0, 2]].isnan().any()
    assert ((found.ids >= 0) & (found.ids < 20)).all()


@pytest.mark.parametrize("held", [None, [1, 6, 2]])
@pytest.mark.parametrize(("tokens", "alone"), [(1, True), (7, True), (29, True), (7, False), (70, False)])
def test_choices_are_sorted_by_expert(tokens, alone, held, monkeypatch):
    if not alone:
        monkeypatch.setattr(moe, "ALIGN_TOKENS", 0)
    e, chosen, size = experts(11), at_random(tokens, 11, 3), 4
    some = e if held is None else some_of(e, held, 11)
    order = moe.align(chosen, some, size)
    places = chosen.ids.flatten() if some.places is None else some.places[chosen.ids.flatten().long()]
    wanted = {place: (places == place).nonzero()[:, 0].tolist() for place in range(len(some.gate_up))}
    found: dict[int, list[int]] = {place: [] for place in wanted}
    for place, first, end, _ in order.blocks.tolist():
        if place >= 0:
            found[place] += order.choices[first : min(first + size, end)].tolist()
    assert found == wanted
    assert len(order.blocks) == most_blocks(tokens * 3, len(some.gate_up), size)


@pytest.mark.parametrize("tokens", range(1, 40, 3))
@pytest.mark.parametrize("count", [1, 3, 50])
def test_there_are_never_more_blocks_than_planned(count: int, tokens: int):
    one, even = [tokens] + [0] * (count - 1), [tokens // count + (i < tokens % count) for i in range(count)]
    single = [1] * min(count, tokens)
    single[0] += tokens - len(single)
    for counts in (one, even, single):
        assert sum(-(-n // 16) for n in counts) <= most_blocks(tokens, count, 16)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("cut", [SMALL, SWAPPED])
@pytest.mark.parametrize("tokens", [1, 6, 21, 50])
def test_many_tokens_are_multiplied_on_tensor_cores(tokens, cut, dtype):
    x, e, chosen = random(tokens, 40, dtype=dtype), experts(7, dtype=dtype), at_random(tokens, 7, 3)
    close(moe.gated_experts(x, chosen, e, cut), reference.gated_experts(x, chosen, e), dtype)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("cut", [UNSORTED, Unsorted(Rows(64, 32, 3), Rows(64, 64, 2), 8, 3)])
@pytest.mark.parametrize("tokens", [1, 6, 16])
def test_up_to_sixteen_tokens_are_not_sorted(tokens, cut, dtype):
    x, e, chosen = random(tokens, 40, dtype=dtype), experts(7, dtype=dtype), at_random(tokens, 7, 3)
    close(moe.gated_experts(x, chosen, e, cut), reference.gated_experts(x, chosen, e), dtype)


def test_programs_without_order_leave_their_counters_at_zero():
    for tokens, held in ((16, [1]), (5, [5, 0, 2]), (3, [3])):
        x, e, chosen = random(tokens, 40), some_of(experts(6), held, 6), at_random(tokens, 6, 2)
        close(moe.gated_experts(x, chosen, e, UNSORTED), reference.gated_experts(x, chosen, e))
        assert not moe._counters(x.device).any()
    nobody = some_of(experts(6), [0], 6), sent([[4, 5]] * 2)
    assert not moe.gated_experts(random(2, 40), nobody[1], nobody[0], UNSORTED).any()
    assert not moe._counters(x.device).any()


def test_sixteen_tokens_of_a_model_with_many_experts_are_not_sorted(monkeypatch):
    monkeypatch.setattr(moe, "align", None)
    x, e = random(16, 40, dtype=torch.bfloat16), experts(32, dtype=torch.bfloat16)
    logits, routing = random(16, 32, seed=5), Routing(32, 2, renormalise=True)
    wanted = reference.gated_experts(x, reference.route(logits, routing), e)
    close(mixture(x, logits, routing, None, e), wanted, torch.bfloat16)
    close(mixture(x, logits, routing, None, e, apart=True).float().sum(1), wanted, torch.bfloat16)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize(
    "cut",
    [
        (Few(4, 64, 1, 4), Few(4, 32, 1, 4, True)),
        (Few(8, 16, 2, 4), Few(16, 16, 2, 4, False)),
        (Few(16, 16, 1, 4), Few(32, 8, 1, 4, True)),
    ],
)
@pytest.mark.parametrize("tokens", [1, 3])
def test_a_few_tokens_are_multiplied_choice_by_choice(tokens, cut, dtype):
    x, e, chosen = random(tokens, 40, dtype=dtype), experts(7, dtype=dtype), at_random(tokens, 7, 3)
    close(moe.gated_experts(x, chosen, e, cut), reference.gated_experts(x, chosen, e), dtype)


@pytest.mark.parametrize("tokens", [1, 4, 5, 30])
def test_the_cut_goes_by_the_number_of_tokens(tokens):
    x, e, chosen = random(tokens, 40), experts(6), at_random(tokens, 6, 2)
    close(gated_experts(x, chosen, e), reference.gated_experts(x, chosen, e))


CUTS = [
    SMALL,
    UNSORTED,
    (Few(32, 64, 1, 4), Few(64, 32, 1, 4, True)),
    (Few(32, 64, 1, 4), Few(64, 16, 1, 4, False)),
]


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("ids", [[[3, 1]] * 16, [[0, 4], [4, 0], [0, 4]]])
def test_all_may_go_to_the_same_experts(ids, cut):
    ids = ids + ids[:2] if cut is SMALL and len(ids) == 16 else ids  # more than a block
    x, e, chosen = random(len(ids), 40), experts(5), sent(ids)
    close(moe.gated_experts(x, chosen, e, cut), reference.gated_experts(x, chosen, e))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("held", [[4], [5, 0, 2]])
def test_what_is_held_elsewhere_counts_as_zero(held, cut):
    x, e, chosen = random(9, 40), some_of(experts(6), held, 6), at_random(9, 6, 3)
    close(moe.gated_experts(x, chosen, e, cut), reference.gated_experts(x, chosen, e))


@pytest.mark.parametrize("cut", CUTS)
def test_broken_tokens_disturb_no_other(cut):
    x, e, chosen = random(8, 40), experts(3), at_random(8, 3, 2)
    wanted = moe.gated_experts(x, chosen, e, cut)
    x[[2, 7]] = torch.nan
    found = moe.gated_experts(x, chosen, e, cut)
    others = [0, 1, 3, 4, 5, 6]
    assert torch.equal(found[others], wanted[others]) and found[[2, 7]].isnan().all()


@pytest.mark.parametrize("activation", ["gelu", "relu", "gelu_tanh"])
def test_other_activations(activation):
    e = experts(4)._replace(activation=activation)
    x, chosen = random(5, 40), at_random(5, 4, 2)
    close(moe.gated_experts(x, chosen, e, SMALL), reference.gated_experts(x, chosen, e))


def test_no_tokens_are_no_work():
    e = experts(3)
    chosen = route(random(0, 3), Routing(3, 2))
    assert gated_experts(random(0, 40), chosen, e).shape == (0, 40)


@pytest.mark.parametrize("held", [None, [1, 4, 5, 9]], ids=["all experts", "some of them"])
@pytest.mark.parametrize(
    "routing",
    [
        Routing(12, 4, renormalise=True),
        Routing(12, 2, scores="sigmoid", scale=1.5, groups=3, top_groups=2),
        Routing(12, 2, scores="sigmoid", scale=1.5),
        Routing(9, 1),
    ],
    ids=["softmax", "grouped", "sigmoid", "one of nine"],
)
@pytest.mark.parametrize("tokens", [0, 1, 7, 40])
def test_routing_and_experts_together_give_what_they_give_one_after_the_other(
    tokens: int, routing: Routing, held: list[int] | None
):
    count = routing.experts
    e = experts(count)
    if held is not None:
        e = some_of(e, [i for i in held if i < count], count)
    x, logits = random(tokens, 40, seed=4), random(tokens, count + 2, seed=5)[:, :count]
    bias = random(count, seed=6) if routing.scores == "sigmoid" else None
    wanted = reference.gated_experts(x, reference.route(logits, routing, bias), e)
    assert mixture(x, logits, routing, bias, e).shape == wanted.shape
    if tokens:
        close(mixture(x, logits, routing, bias, e), wanted)
        apart = mixture(x, logits, routing, bias, e, apart=True)
        assert apart.dim() == 2 or apart.shape == (tokens, routing.top_k, 40)
        close(apart.sum(1) if apart.dim() == 3 else apart, wanted)


def test_what_is_left_apart_is_added_up_by_the_norm_as_if_it_had_been_whole():
    parts = random(5, 8, 40, dtype=torch.bfloat16, seed=7)
    gain = Gain.of(random(40, seed=8), 1e-6)
    whole, one = parts.float().sum(1).bfloat16(), random(5, 40, dtype=torch.bfloat16)
    two = one.clone()
    close(add_rms_norm(parts, one, gain), add_rms_norm(whole, two, gain), torch.bfloat16)
    close(one, two, torch.bfloat16)
