"""A Triton kernel of y = x @ weight.T for up to 8 rows, where reading the weight is all the work.

It runs on ordinary cores: a program holds its rows of the weight in registers, asked for before it waits for
the kernel that computes x, so that memory stays busy across launches. It may take in the addition and the
RMS norm before the product (every program does them again: they are small) and the gate after it. `embed`
is what comes before the first of them in a step of few rows.

Sums are always made in one order: the same input gives the same bits. Import this only where Triton is.
"""

# ruff: noqa: RUF005 (Triton knows tuple + tuple, not unpacking)

from __future__ import annotations

import triton
import triton.language as tl

LINE = tl.constexpr(128)  # bytes that are fetched together


@triton.jit
def stack(parts, M: tl.constexpr):
    """M tensors [a, b] as one [a, b, M]; all within a thread's registers."""
    if M == 1:
        out = parts[0][:, :, None]
    elif M == 2:
        out = tl.join(parts[0], parts[1])
    elif M == 4:
        out = tl.join(tl.join(parts[0], parts[2]), tl.join(parts[1], parts[3]))
    else:
        even = tl.join(tl.join(parts[0], parts[4]), tl.join(parts[2], parts[6]))
        odd = tl.join(tl.join(parts[1], parts[5]), tl.join(parts[3], parts[7]))
        out = tl.join(even, odd)
    return tl.reshape(out, (parts[0].shape[0], parts[0].shape[1], M))


@triton.jit
def weights(w_ptr, n, k, K: tl.constexpr, BK: tl.constexpr, CHUNKS: tl.constexpr, WIDE: tl.constexpr):
    """CHUNKS tiles of the weight's rows n, side by side from column k on; beyond K is zero."""
    row = n[:, None].to(tl.int64) * K if WIDE else n[:, None] * K
    out = ()
    for j in tl.static_range(CHUNKS):
        at = k + j * BK
        if K % (BK * CHUNKS) == 0:
            out = out + (tl.load(w_ptr + row + at, eviction_policy="evict_first"),)
        else:
            out = out + (tl.load(w_ptr + row + at, mask=at < K, other=0.0, eviction_policy="evict_first"),)
    return out


@triton.jit
def gains_of(gain_ptr, k, K: tl.constexpr, BK: tl.constexpr, CHUNKS: tl.constexpr, NORM: tl.constexpr):
    """CHUNKS tiles of the norm's weight."""
    out = ()
    for j in tl.static_range(CHUNKS if NORM else 0):
        at = k + j * BK
        if K % (BK * CHUNKS) == 0:
            out = out + (tl.load(gain_ptr + at).to(tl.float32),)
        else:
            out = out + (tl.load(gain_ptr + at, mask=at < K, other=0.0).to(tl.float32),)
    return out


@triton.jit
def inputs(x_ptr, stream_ptr, at, mask, ADD: tl.constexpr, NORM: tl.constexpr, MASKED: tl.constexpr):
    """The values that enter: x, or the stream, or their sum rounded as the stream is."""
    if NORM:
        if MASKED:
            out = tl.load(stream_ptr + at, mask=mask, other=0.0)
        else:
            out = tl.load(stream_ptr + at)
        if ADD:
            if MASKED:
                x = tl.load(x_ptr + at, mask=mask, other=0.0)
            else:
                x = tl.load(x_ptr + at)
            out = (out.to(tl.float32) + x.to(tl.float32)).to(out.dtype)
    elif MASKED:
        out = tl.load(x_ptr + at, mask=mask, other=0.0)
    else:
        out = tl.load(x_ptr + at)
    return out


@triton.jit
def within(t, V: tl.constexpr):
    """Sums of V neighbours, which one thread holds.   # [a, b] → [a, b / V]"""
    return tl.sum(tl.reshape(t, (t.shape[0], t.shape[1] // V, V)), 2)


@triton.jit(do_not_specialize=["rows", "eps"])
def few(
    x_ptr,  # [rows, K]
    stream_ptr,  # [rows, K] with NORM
    gain_ptr,  # [K] with NORM
    w_ptr,  # [N, K]; with GATED [2 N, K], gates first
    scale_ptr,  # float32 [N] (GATED: [2 N]) with SCALED
    y_ptr,  # [rows, N]
    next_ptr,  # [rows, K] with ADD: the sum, for whoever adds next
    rows,
    eps,
    N: tl.constexpr,
    K: tl.constexpr,
    M: tl.constexpr,  # rows, rounded up to 1, 2, 4 or 8
    BN: tl.constexpr,
    BK: tl.constexpr,
    CHUNKS: tl.constexpr,  # tiles in registers at once
    STAGES: tl.constexpr,  # of shared memory, where K takes several turns
    V: tl.constexpr,  # elements in 16 bytes
    NORM: tl.constexpr,
    ADD: tl.constexpr,
    GATED: tl.constexpr,
    SCALED: tl.constexpr,
    PDL: tl.constexpr,
):
    pid = tl.program_id(0)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
    WIDE: tl.constexpr = N * K * (2 if GATED else 1) >= 2**31
    MASKED: tl.constexpr = K % (BK * CHUNKS) != 0
    TURNS: tl.constexpr = (K + BK * CHUNKS - 1) // (BK * CHUNKS)
    n = tl.minimum(pid * BN + tl.arange(0, BN), N - 1)
    columns = tl.arange(0, BK)[None, :]
    first = weights(w_ptr, n, columns, K, BK, CHUNKS, WIDE)
    if GATED:
        first_up = weights(w_ptr, n + N, columns, K, BK, CHUNKS, WIDE)
    gains = gains_of(gain_ptr, columns, K, BK, CHUNKS, NORM and TURNS == 1)
    if PDL and TURNS > 1:
        LINES: tl.constexpr = BK * CHUNKS * w_ptr.dtype.element_ty.primitive_bitwidth // 1024
        early = w_ptr + n[:, None].to(tl.int64) * K
        if LINES > 0:
            fetch(early, LINES, STAGES)
            if GATED:
                fetch(early + N * K, LINES, STAGES)
    if PDL:
        tl.extra.cuda.gdc_wait()

    total = tl.zeros((BN, BK // V, M), tl.float32)
    total_up = tl.zeros((BN, BK // V, M), tl.float32)
    squares = tl.zeros((1, BK // V, M), tl.float32)
    for turn in tl.range(0, TURNS, num_stages=STAGES):
        k = turn * (BK * CHUNKS) + columns
        if TURNS == 1:
            tile = first
            if GATED:
                up = first_up
        else:
            tile = weights(w_ptr, n, k, K, BK, CHUNKS, WIDE)
            if GATED:
                up = weights(w_ptr, n + N, k, K, BK, CHUNKS, WIDE)
        sums, sums_up, sums_sq = (), (), ()
        for m in tl.static_range(M):
            row = tl.minimum(m, rows - 1) * K
            for j in tl.static_range(CHUNKS):
                at = k + j * BK
                s = inputs(x_ptr, stream_ptr, row + at, at < K, ADD, NORM, MASKED)
                if ADD:  # the first program writes the sum; rows that are not there repeat the last
                    tl.store(next_ptr + row + at, s, mask=at < tl.where(pid == 0, K, 0))
                s = s.to(tl.float32)
                if NORM:
                    square = within(s * s, V)
                    if TURNS == 1:
                        s *= gains[j]
                    else:
                        s *= gains_of(gain_ptr, at, K, BK * CHUNKS, 1, True)[0]
                else:
                    square = tl.zeros((1, BK // V), tl.float32)
                part = within(tile[j].to(tl.float32) * s, V)
                if GATED:
                    part_up = within(up[j].to(tl.float32) * s, V)
                else:
                    part_up = part
                if j == 0:
                    a, b, c = part, part_up, square
                else:
                    a, b, c = a + part, b + part_up, c + square
            sums, sums_up, sums_sq = sums + (a,), sums_up + (b,), sums_sq + (c,)
        total += stack(sums, M)
        if GATED:
            total_up += stack(sums_up, M)
        if NORM:
            squares += stack(sums_sq, M)

    if NORM:
        by = 1.0 / tl.sqrt(tl.sum(squares, 1) / K + eps)
    else:
        by = tl.full((1, M), 1.0, tl.float32)
    put(total, total_up, by, scale_ptr, y_ptr, pid, rows, N, M, BN, GATED, SCALED)


@triton.jit
def put(
    total,  # [BN, threads, M], not yet added up
    total_up,
    by,  # [1, M], what the norm multiplies by
    scale_ptr,
    y_ptr,
    tile,
    rows,
    N: tl.constexpr,
    M: tl.constexpr,
    BN: tl.constexpr,
    GATED: tl.constexpr,
    SCALED: tl.constexpr,
):
    """Adds up what the threads have, gates it and stores a tile of the result."""
    n, m = (tile * BN + tl.arange(0, BN))[:, None], tl.arange(0, M)[None, :]
    if GATED:
        y, up = tl.split(tl.sum(tl.join(total, total_up), 1))
    else:
        y, up = tl.sum(total, 1), by
    y *= by
    if SCALED:
        y *= tl.load(scale_ptr + n, mask=n < N, other=0.0)
    if GATED:
        up *= by
        if SCALED:
            up *= tl.load(scale_ptr + N + n, mask=n < N, other=0.0)
        y = y * (1.0 / (1.0 + tl.exp(-y))) * up
    tl.store(y_ptr + m * N + n, y.to(y_ptr.dtype.element_ty), mask=(n < N) & (m < rows))


@triton.jit
def fetch(at, LINES: tl.constexpr, TURNS: tl.constexpr):
    """Brings the first LINES * TURNS lines of each weight row into the L2 cache."""
    COUNT: tl.constexpr = triton.next_power_of_2(LINES * TURNS)
    line = tl.minimum(tl.arange(0, COUNT), LINES * TURNS - 1)[None, :]
    tl.inline_asm_elementwise(
        "prefetch.global.L2 [$1]; mov.u32 $0, 0;",
        "=r,l",
        [at.to(tl.int64) + line * LINE],
        dtype=tl.int32,
        is_pure=False,
        pack=1,
    )


@triton.jit
def embed(
    ids_ptr,  # [rows]
    positions_ptr,  # [rows]
    table_ptr,  # [vocab, HIDDEN]
    frequencies_ptr,  # float32 [DIM], the first half negative
    stream_ptr,  # [rows, HIDDEN]
    cos_ptr,  # [rows, DIM]
    sin_ptr,
    scale,
    magnitude,
    HIDDEN: tl.constexpr,
    DIM: tl.constexpr,
    WIDTH: tl.constexpr,
    TURNED: tl.constexpr,
    SCALE: tl.constexpr,
    PDL: tl.constexpr,
):
    """A row's vector, and the cosines and signed sines of its position, as layers.rope has them.

    It waits before it lets the next kernels start: they may read what was made before this step at once.
    """
    row = tl.program_id(0)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    token = tl.load(ids_ptr + row).to(tl.int64)
    k = tl.arange(0, WIDTH)
    x = tl.load(table_ptr + token * HIDDEN + k, mask=k < HIDDEN)
    if SCALE:
        x = (x.to(tl.float32) * scale).to(x.dtype)
    tl.store(stream_ptr + row * HIDDEN + k, x, mask=k < HIDDEN)
    d = tl.arange(0, TURNED)
    angle = tl.load(positions_ptr + row).to(tl.float32) * tl.load(
        frequencies_ptr + d, mask=d < DIM, other=0.0
    )
    kind = cos_ptr.dtype.element_ty
    tl.store(cos_ptr + row * DIM + d, (tl.cos(angle) * magnitude).to(kind), mask=d < DIM)
    tl.store(sin_ptr + row * DIM + d, (tl.sin(angle) * magnitude).to(kind), mask=d < DIM)
