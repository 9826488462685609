"""Which thread of a warp holds what in `gluon_decode`.

A layout lists where the bits of a register's number lead, then those of a thread's, as steps along the axes.
The tensor cores fix where threads (g, t), g = thread // 4 and t = thread % 4, hold the parts of a product:
rows by g and pairs of columns by t in the first factor, columns by g and pairs of rows by t in the second,
rows by g and pairs of columns by t in the result. The layouts of what is loaded are made to be those, but for
the order of a head's columns.
"""

from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.constexpr_function
def bits(of, size, rank, axis):
    """Bases that count from `of` to `size` along one axis."""
    found = []
    while of < size:
        found.append([of if i == axis else 0 for i in range(rank)])
        of *= 2
    return found


@gluon.constexpr_function
def key_layout(pages):
    """[pages, 16, 32 words]: four threads a token, each with four words and, 16 further, four more."""
    registers = [[0, 0, 1], [0, 0, 2], [0, 0, 16], [0, 8, 0], *bits(1, pages, 3, 0)]
    lanes = [[0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]]
    return gl.DistributedLinearLayout(registers, lanes, [], [], [pages, 16, 32])


@gluon.constexpr_function
def value_layout(pages):
    """[pages, 16, 32 words]: eight threads a token, four words each; tokens by pairs."""
    registers = [[0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 8, 0], *bits(1, pages, 3, 0)]
    lanes = [[0, 2, 0], [0, 4, 0], [0, 0, 4], [0, 0, 8], [0, 0, 16]]
    return gl.DistributedLinearLayout(registers, lanes, [], [], [pages, 16, 32])


@gluon.constexpr_function
def query_layout():
    """[1, 8, 128]: columns as in `key_layout`."""
    registers = [*bits(1, 16, 3, 2), [0, 0, 64]]
    lanes = [[0, 0, 16], [0, 0, 32], [0, 1, 0], [0, 2, 0], [0, 4, 0]]
    return gl.DistributedLinearLayout(registers, lanes, [], [], [1, 8, 128])


@gluon.constexpr_function
def paged_layout(pages):
    """[pages, 16]: the tokens of scores [16 * pages, 8] as the tensor cores leave them."""
    registers = [[0, 8], *bits(1, pages, 2, 0)]
    return gl.DistributedLinearLayout(
        registers, [[0, 0], [0, 0], [0, 1], [0, 2], [0, 4]], [], [], [pages, 16]
    )


MMA = gl.constexpr(gl.NVMMADistributedLayout([2, 0], [1, 1], [16, 8]))
SUM = gl.constexpr(  # [8, 8]: of scores, those of eight tokens
    gl.DistributedLinearLayout([[0, 1]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [], [], [8, 8])
)
OUT = gl.constexpr(  # [8, 128]: what has been added up, its columns put right
    gl.DistributedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]],
        [[2, 0], [4, 0], [0, 16], [0, 32], [0, 64]], [], [], [8, 128],
    )
)  # fmt: skip
