"""The noise of a draw, as `contract.py` defines it: counters in, log2 of exponential numbers out."""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.sample import contract

ROUNDS = tl.constexpr(contract.ROUNDS)


@triton.jit
def multiply(a, b: tl.constexpr):
    """The high and the low 32 bits of a product, by one instruction."""
    product = a.to(tl.uint64) * b
    return (product >> 32).to(tl.uint32), product.to(tl.uint32)


@triton.jit
def keys_of(seed):
    """The two keys of every round."""
    k0 = seed.to(tl.uint32)
    k1 = (seed >> 32).to(tl.uint32)
    keys = (k0, k1)
    for _ in tl.static_range(1, ROUNDS):
        k0 = tl.add(k0, 0x9E3779B9, sanitize_overflow=False)
        k1 = tl.add(k1, 0xBB67AE85, sanitize_overflow=False)
        keys = keys + (k0, k1)  # noqa: RUF005
    return keys


@triton.jit
def philox(keys, counter, position):
    """Four random uint32 for each counter."""
    c2, c3 = multiply(counter.to(tl.uint32), 0xD2511F53)  # the first round, whose other two words are zero
    c0 = position.to(tl.uint32) ^ keys[0]
    c1 = c0 & 0
    c2 ^= keys[1]
    for r in tl.static_range(1, ROUNDS):
        high0, low0 = multiply(c0, 0xD2511F53)
        high1, low1 = multiply(c2, 0xCD9E8D57)
        c0 = high1 ^ c1 ^ keys[2 * r]
        c1 = low1
        c2 = high0 ^ c3 ^ keys[2 * r + 1]
        c3 = low0
    return c0, c1, c2, c3


@triton.jit
def log2(x, FAST: tl.constexpr):
    """FAST: the hardware's, with an absolute error of 2^-22 between 0.5 and 2."""
    if FAST:
        return tl.inline_asm_elementwise(
            "lg2.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    else:
        return tl.log2(x)


@triton.jit
def log2_exponential(bits, FAST: tl.constexpr):
    """log2(-log(1 - v)) for v = (bits + 1/2) / 2^32; where v is small its relative error counts."""
    v = tl.minimum(bits.to(tl.float32) * 2.3283064365386963e-10 + 1.1641532182693481e-10, 0.9999999403953552)
    series = v * (1.0 + v * (0.5 + v * (0.33333334 + v * 0.25)))
    return log2(tl.where(v < 0.0625, series, log2(1.0 - v, FAST) * -0.6931471805599453), FAST)


@triton.jit
def noise_of(keys, position, counter, SHAPE: tl.constexpr, FAST: tl.constexpr):
    """For counters [..., n] the noise of their tokens [..., 4 n], in the threads that have the counters."""
    r0, r1, r2, r3 = philox(keys, counter, position)
    bits = tl.reshape(tl.join(tl.join(r0, r2), tl.join(r1, r3)), SHAPE)
    return log2_exponential(bits, FAST)
