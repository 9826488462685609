"""The sampling kernels against their definition: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import os

import numpy as np
import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

from quire.ops import backend  # noqa: E402
from quire.ops.sample import (  # noqa: E402
    ENDED,
    NAN,
    NOTHING,
    STOPS,
    Changes,
    SampleTable,
    change,
    reference,
    sample,
    tally,
    triton,
    triton_change,
)  # fmt: skip
from quire.worker.columns.contract import Step  # noqa: E402
from quire.worker.columns.shape import MinP, TopK, TopP  # noqa: E402

ROWS = 12


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE, dtype)


def table(temperature=0.0, k=0, p=1.0, min_p=0.0) -> SampleTable:
    """The same numbers for all rows but for their seeds; the last row is for padding."""
    lines = ROWS + 1
    made = SampleTable(
        torch.full((lines,), temperature),
        torch.full((lines,), k, dtype=torch.int32),
        torch.full((lines,), p),
        torch.full((lines,), min_p),
        torch.from_numpy(np.random.default_rng(5).integers(-(2**63), 2**63, lines)),
        torch.zeros(lines, dtype=torch.int32),
        torch.full((lines,), 1000, dtype=torch.int32),
        torch.full((STOPS, lines), -1, dtype=torch.int32),
    )
    made.temperature[-1] = 0.0
    return SampleTable(*(getattr(made, name).to(DEVICE) for name in SampleTable.__slots__))


def both(logits: torch.Tensor, numbers: SampleTable, rows: list[int], at: int = 100) -> torch.Tensor:
    """Tokens of the kernel, which must be those of the reference."""
    row = torch.tensor(rows, dtype=torch.int32, device=DEVICE)
    positions = torch.arange(at, at + len(rows), dtype=torch.int32, device=DEVICE)
    drawn = []
    for which in (reference, triton):
        out = torch.full_like(row, 99)
        last = torch.full((ROWS + 1,), -7, dtype=torch.int32, device=DEVICE)
        which.sample(logits, numbers, row, positions, out, last)
        drawn.append((out, last))
    (want, want_last), (got, got_last) = drawn
    assert got.tolist() == want.tolist()
    assert got_last.tolist() == want_last.tolist()
    return got


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("vocab", [1, 5, 512, 2049])
def test_the_likeliest_token_wins_and_the_lowest_id_among_equals(vocab, dtype):
    logits = random(3, vocab, dtype=dtype)
    logits[1, vocab // 2] = logits[1, vocab // 3] = 9.0
    tokens = both(logits, table(), [4, 0, 3])
    assert tokens[1] == min(vocab // 2, vocab // 3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("temperature", [0.01, 0.7, 5.0, 1e-9, float("inf")])
def test_a_temperature_draws_what_the_reference_draws(temperature, dtype):
    wide = random(3, 2600, dtype=dtype)
    both(wide[:, :2500], table(temperature), [11, 2, 12])


@pytest.mark.parametrize(
    "k,p,min_p",
    [
        (1, 1.0, 0.0), (7, 1.0, 0.0), (60, 1.0, 0.0), (2299, 1.0, 0.0), (5000, 1.0, 0.0),
        (0, 0.9, 0.0), (0, 0.05, 0.0), (0, 1e-6, 0.0), (0, 0.999, 0.0),
        (0, 1.0, 0.1), (0, 1.0, 1.0), (0, 1.0, 1e-9),
        (20, 0.95, 0.0), (20, 0.3, 0.05), (50, 0.8, 0.01), (0, 0.7, 0.02), (9, 1.0, 0.3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sharp", [0.3, 3.0], ids=["flat", "peaked"])
def test_cuts_leave_what_the_reference_leaves(k, p, min_p, sharp):
    logits = random(2, 2300, seed=k) * sharp
    both(logits, table(0.8, k, p, min_p), [1, 2])


@pytest.mark.parametrize("k,p", [(5, 1.0), (300, 1.0), (40, 0.6), (200, 0.9), (0, 0.5)])
def test_tokens_equal_to_the_last_one_stay(k, p):
    logits = (random(3, 1500, seed=1) * 2).round().to(torch.bfloat16)  # many equals, zeros of both signs
    both(logits, table(1.3, k, p), [1, 2, 3])


def test_the_kth_logit_is_one_of_many_equals_in_more_chunks_than_k():
    logits = torch.zeros(2, 1300, device=DEVICE)
    logits[:, 900] = 1.0
    both(logits, table(1.0, 2, 0.999), [0, 1])


def test_few_tokens_are_allowed():
    logits = torch.full((3, 2100), -torch.inf, device=DEVICE)
    logits[0, 7] = logits[1, 2090] = logits[1, 3] = logits[2, 0] = -50.0
    for numbers in (table(1.0), table(1.0, 3, 0.9), table(1.0, 0, 0.9, 0.1)):
        tokens = both(logits, numbers, [0, 1, 2])
        assert tokens[0] == 7 and tokens[1] in (3, 2090) and tokens[2] == 0


def test_lines_without_a_usable_logit_say_why():
    logits = random(6, 700)
    logits[0, 600] = torch.nan
    logits[1] = -torch.inf
    logits[2, 5] = torch.inf
    logits[3, 5] = -torch.inf
    logits[4] = torch.nan
    for numbers in (table(), table(1.0), table(1.0, 3, 0.9)):
        tokens = both(logits, numbers, [0, 1, 2, 3, 4, 5])
        assert tokens[[0, 1, 2, 4]].tolist() == [NAN, NOTHING, NAN, NAN]
        assert (tokens[[3, 5]] >= 0).all()


def test_a_draw_is_the_same_in_any_batch_and_differs_by_position():
    logits, numbers = random(1, 2100) * 0.1, table(1.0, 0, 0.9)
    alone = both(logits, numbers, [3])
    many = both(logits.expand(3, -1).contiguous(), numbers, [3, 4, 5])
    later = both(logits, numbers, [3], at=101)
    assert many[0] == alone[0] and len({*many.tolist(), *later.tolist()}) == 4


@pytest.mark.parametrize("k,p,min_p", [(5, 1.0, 0.0), (0, 0.8, 0.0), (40, 0.7, 0.01), (0, 0.95, 0.1)])
def test_what_is_cut_is_what_the_cpu_s_columns_cut(k, p, min_p):
    logits, t, vocab = random(1, 500).cpu() * 3, 0.7, 500
    least, most, share = MinP(1), TopK(1, vocab), TopP(1, vocab)
    least.on[0], least.log[0] = min_p > 0, float(np.log(min_p or 1.0))
    most.on[0], most.k[0] = k > 0, k or vocab
    share.on[0], share.p[0] = p < 1, p
    zero = np.zeros(1, np.int32)
    shaped = (logits - logits.max()) / t
    for column in (least, most, share):
        shaped = column.apply(shaped, Step(zero, zero, zero, zero[None]))
    kept = reference.cut(logits[0], torch.tensor(t), k, torch.tensor(p), torch.tensor(min_p))
    assert torch.equal(shaped[0] > -torch.inf, kept > -torch.inf)


def test_draws_follow_the_distribution():
    """A chi-square test of the reference, whose arithmetic is the kernel's."""
    draws, vocab = 40_000, 40
    probability = torch.softmax(torch.linspace(0, 4, vocab) * 0.9, 0)
    logits = probability.log()
    counts = torch.zeros(vocab)
    noise = many_noises(draws, vocab)
    for part in (logits - noise * 0.6931471805599453).argmax(-1).split(10_000):
        counts += part.bincount(minlength=vocab)
    expected = probability * draws
    chi = float(((counts - expected) ** 2 / expected).sum())
    assert chi < 39 + 5 * (2 * 39) ** 0.5


def many_noises(draws: int, vocab: int) -> torch.Tensor:
    counter = torch.arange(vocab).repeat(draws)
    position = torch.arange(draws).repeat_interleave(vocab)
    bits = reference.philox(1234567, 42, counter, position)[0]
    return reference.log2_exponential(bits.float() * 2.0**-32 + 2.0**-33).view(draws, vocab)


def test_philox_gives_the_published_numbers(monkeypatch):
    monkeypatch.setattr(reference, "ROUNDS", 10)
    zero = [int(word) for word in reference.philox(0, 0, torch.tensor(0), 0)]
    assert zero == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def test_noise_has_no_pattern_across_tokens_positions_and_seeds():
    lines = [
        torch.exp2(reference.gumbel2(torch.tensor(seed), torch.tensor(position), 8192))
        for seed, position in [(0, 0), (0, 1), (1, 0), (2**40, 0), (-1, 7)]
    ]
    drawn = torch.stack(lines)  # exponential numbers
    assert ((drawn.mean(1) - 1).abs() < 5 / 8192**0.5).all()
    for shift in (0, 1, 512, 2048):
        moved = drawn.roll(shift, 1)
        correlation = ((drawn - 1)[:, None] * (moved - 1)[None]).mean(-1)
        same = torch.eye(len(lines), dtype=torch.bool) if shift == 0 else torch.zeros(5, 5, dtype=torch.bool)
        assert (correlation[~same].abs() < 6 / 8192**0.5).all()


def test_the_tails_of_the_noise_are_right():
    v = torch.tensor([2.0**-33, 1e-8, 1e-5, 0.01, 0.06, 0.0624999, 0.0625001, 0.3, 0.9, 0.99999994, 1.0])
    wanted = torch.log2(-torch.log1p(-v.clamp(max=1 - 2**-24).double()))
    torch.testing.assert_close(reference.log2_exponential(v).double(), wanted, atol=5e-6, rtol=0)


def test_rows_with_different_numbers_share_a_batch(monkeypatch):
    monkeypatch.setattr(backend, "interpret", True)
    numbers = table(0.7)
    numbers.temperature[2] = 0.0
    numbers.top_k[3], numbers.top_p[4], numbers.min_p[5] = 4, 0.6, 0.2
    logits, row = random(6, 900), torch.arange(1, 7, dtype=torch.int32, device=DEVICE)
    out, last = torch.zeros_like(row), torch.zeros(ROWS + 1, dtype=torch.int32, device=DEVICE)
    sample(logits, numbers, row, row + 10, out, last)
    assert out.tolist() == both(logits, numbers, row.tolist(), at=11).tolist() == last[1:7].tolist()


def test_a_row_is_ended_by_its_stop_tokens_and_by_its_limit():
    logits, numbers = random(7, 600), table()
    best = logits.argmax(-1).tolist()
    row = torch.tensor([4, 0, 3, 7, 8, ROWS, 1], dtype=torch.int32, device=DEVICE)
    positions = torch.full_like(row, 50)
    numbers.stops[STOPS - 1, 4] = numbers.stops[0, 0] = -1
    numbers.stops[STOPS - 1, 4], numbers.stops[0, 0] = best[0], best[1]
    numbers.floor[0] = 52  # too early by one
    numbers.stops[2, 3], numbers.floor[3] = best[2], 51
    numbers.limit[7], numbers.limit[8] = 51, 52
    logits[6] = float("nan")
    for which in (reference, triton):
        out, last = torch.full_like(row, 99), torch.full((ROWS + 1,), -7, dtype=torch.int32, device=DEVICE)
        which.sample(logits, numbers, row, positions, out, last, True)
        assert out.tolist() == [*best[:6], NAN]
        assert last[row.long()].tolist() == [ENDED, best[1], ENDED, ENDED, best[4], best[5], 0]
        which.sample(logits, numbers, row, positions, out, last)
        assert last[row.long()].tolist() == [*best[:6], 0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("lines,vocab,k", [(1, 300, 5), (3, 2500, 0), (2, 3, 9)])
def test_log_probabilities_and_ranks_are_the_reference_s(lines, vocab, k, dtype):
    logits = random(lines, vocab, dtype=dtype) * 4
    logits[0, : vocab // 2] = -torch.inf
    tokens = torch.tensor([vocab - 1, 0, -1][:lines], dtype=torch.int32, device=DEVICE)
    several = random(2 * lines, vocab, dtype=dtype)
    several[1::2] = logits  # among others
    at = torch.arange(1, 2 * lines, 2, dtype=torch.int32, device=DEVICE)
    want = reference.logprobs(several, at, tokens, k)
    got = triton.logprobs(several, at, tokens, k)
    alone = triton.logprobs(logits, at // 2, tokens, k)
    assert all(torch.equal(a, b) for a, b in zip(got, alone, strict=True))
    for g, w in zip(got[:3], want[:3], strict=True):
        torch.testing.assert_close(g, w, atol=2e-5, rtol=1e-5)
    assert got[3].shape == want[3].shape
    picked = logits.float().gather(1, got[3].long())
    wanted = logits.float().gather(1, want[3].long())  # ids may differ among equals
    torch.testing.assert_close(picked, wanted)


def changes_of(n: int, lines: int, vocab: int, some: int, seed: int = 3) -> Changes:
    """Lines with a mask, a mask that stays, a history, all of them, none; some tokens are spoken of."""
    g = np.random.default_rng(seed)
    words = -(-vocab // 32)
    index = np.stack([g.permutation(lines)[:n], *(np.arange(n) % k - 1 for k in (2, 3, 4))])
    strengths = g.uniform([[0.5], [-2], [-2]], [[2], [2], [2]], (3, n))
    strengths[0, ::5], strengths[1, 1::5], strengths[2, 2::5] = 1, 0, 0
    keys = g.permutation(n * vocab)[:some]
    tokens = np.stack([keys // vocab, keys % vocab, g.integers(0, 3, some)])
    added = g.uniform(-9, 9, some)
    added[::3] = -np.inf
    bits = g.integers(-(2**31), 2**31, (4, words))

    def there(x: np.ndarray, dtype: torch.dtype) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(x)).to(DEVICE, dtype)

    return Changes(
        there(index, torch.int32),
        there(strengths, torch.float32),
        there(bits[:2], torch.int32),
        there(bits[2:], torch.int32),
        there(g.integers(0, 2, (3, vocab)), torch.bool),
        there(g.integers(0, 4, (3, vocab)), torch.float32),
        there(tokens, torch.int32),
        there(added, torch.float32),
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    "n,lines,vocab,some", [(1, 1, 5, 0), (7, 9, 263, 300), (12, 12, 2049, 129), (5, 6, 4099, 1)]
)
def test_masks_bias_and_penalties_are_the_reference_s(n, lines, vocab, some, dtype):
    wide = random(lines, vocab + 3, dtype=dtype) * 6
    wide[0, 0] = float("nan")
    logits, changes = wide[:, :vocab], changes_of(n, lines, vocab, some)
    want = reference.change(logits, changes)
    torch.testing.assert_close(triton_change.change(logits, changes), want, equal_nan=True)


def test_a_line_without_anything_comes_out_as_it_went_in(monkeypatch):
    monkeypatch.setattr(backend, "interpret", True)
    logits, changes = random(4, 300, dtype=torch.bfloat16), changes_of(3, 4, 300, 20)
    changes.lines[1:] = -1
    changes.added.zero_()
    assert torch.equal(change(logits, changes), logits[changes.lines[0].long()].float())


def test_tokens_are_counted_where_they_have_a_place(monkeypatch):
    monkeypatch.setattr(backend, "interpret", True)
    places = torch.tensor([2, -1, 0, 2, 2, -1], dtype=torch.int32, device=DEVICE)
    tokens = torch.tensor([5, 5, -1, 5, 299, 0], dtype=torch.int32, device=DEVICE)
    found, want = torch.ones(3, 300, device=DEVICE), torch.ones(3, 300, device=DEVICE)
    tally(found, places, tokens)
    reference.tally(want, places, tokens)
    assert torch.equal(found, want)
    assert [float(found[0, 0]), float(found[2, 5]), float(found[2, 299])] == [2, 3, 2]
    assert float(found.sum()) == 3 * 300 + 4
