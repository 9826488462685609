"""What engines of several ranks are asked."""

from __future__ import annotations

import random


def prompts() -> list[dict[str, list[int]]]:
    """Some begin alike, so that there are prefixes to be found."""
    r = random.Random(0)
    same = [r.randrange(5, 250) for _ in range(40)]
    tails = [[r.randrange(5, 250) for _ in range(r.randrange(1, 50))] for _ in range(12)]
    return [{"prompt_token_ids": (same if i % 2 else []) + tail} for i, tail in enumerate(tails)]
