"""The keys of --speculative-config, declared once like every setting; names and meanings are vLLM's.

They say who guesses tokens and how many. What is left open here is settled by `read`, except the method of
a draft checkpoint, which its own config.json tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from quire.config import Option, option, options_in
from quire.errors import BadOption, UnknownOption

WITHOUT_MODEL = ("ngram", "suffix")  # guess from text alone
METHODS = (*WITHOUT_MODEL, "draft_model", "medusa", "eagle", "mtp")
ON_DEVICE = ("ngram", "draft_model", "medusa", "eagle", "mtp")  # a GPU can guess by itself, without the host
MOST_DRAFTS = 64
# Where who guesses says how sure it is of a draft, those between two of these are taken together.
SAID = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
ON_CPU = 8  # drafts at most of layers that end where they are not sure, if nothing is asked for


@dataclass(frozen=True, slots=True)
class Speculative:
    """Who guesses, and how much."""

    method: str | None = option(
        None,
        "Who guesses: ngram copies what followed the same words before, suffix also looks at earlier "
        "answers; draft_model, medusa and eagle are checkpoints; mtp is a head of the model itself. "
        "Default: what the config.json of `model` says.",
        choices=METHODS,
    )
    model: str | None = option(
        None, "Folder of the draft checkpoint, a hub name, or a model that ships with Quire."
    )
    num_speculative_tokens: int | None = option(
        None,
        "Most tokens guessed at once. Default: 8 for ngram, 16 for suffix, 3 for others; on CPUs 8 for "
        "draft_model, eagle and mtp, where they are adaptive and one process has a stage: there they end "
        "where they are not sure.",
        low=1,
        high=MOST_DRAFTS,
    )
    prompt_lookup_max: int = option(
        4, "ngram: most tokens that have to be the same; at least prompt_lookup_min.", low=1, high=64
    )
    prompt_lookup_min: int = option(
        2,
        "ngram: fewest tokens that have to be the same before something is copied; at most "
        "prompt_lookup_max.",
        low=1,
        high=64,
    )
    suffix_decoding_max_tree_depth: int = option(
        24, "suffix: most tokens that are compared, and most that are guessed.", low=2, high=256
    )
    suffix_decoding_max_cached_requests: int = option(
        10_000, "suffix: earlier answers that are remembered. 0: only a request's own text.", low=0
    )
    suffix_decoding_max_spec_factor: float = option(
        1.0, "suffix: at most so many tokens are guessed for each that was the same.", low=0.1, high=64.0
    )
    suffix_decoding_min_token_prob: float = option(
        0.1, "suffix: guessing ends where the chance of being right falls below this.", low=0.0, high=1.0
    )
    draft_tensor_parallel_size: int | None = option(
        None, "Must be 1 if given: every process has the whole draft.", low=1, high=1
    )
    disable_by_batch_size: int | None = option(
        None, "No guessing while more requests than this run. Default: as measured while serving.", low=1
    )
    adaptive: bool = option(
        True,
        "Guess as much as pays: by how often guesses of a request were right, and by the measured time of "
        "steps. Off: always the most.",
    )

    @property
    def most(self) -> int:
        """Most tokens guessed at once."""
        if self.num_speculative_tokens is not None:
            return self.num_speculative_tokens
        return {"ngram": 8, "suffix": min(16, self.suffix_decoding_max_tree_depth)}.get(self.method or "", 3)


def keys() -> Iterator[Option]:
    """Every key, as the checks and the docs see it."""
    return options_in({"speculative": Speculative})


def read(given: Mapping[str, Any] | None) -> Speculative | None:
    """What --speculative-config asks for; None where it was not given. Raises BadOption with the key."""
    if given is None:
        return None
    known = {key.name: key for key in keys()}
    for name in given:
        if name not in known:
            raise UnknownOption(str(name), known, "key of speculative_config")
    values = {}
    for name, value in given.items():
        try:
            values[name] = known[name].check(value)
        except BadOption as e:
            raise BadOption(f"speculative_config: {e}") from e
    asked = _bounded(Speculative(**values), given)
    if asked.model is not None and not asked.model.strip():
        raise BadOption(
            "speculative_config: model is empty; name the folder of a draft, or leave the key out"
        )
    if asked.method is None and asked.model is None:
        raise BadOption(
            "speculative_config names neither a method nor a model; add "
            '"method": "ngram", or "model": the folder of a draft'
        )
    if asked.method in WITHOUT_MODEL and asked.model is not None:
        raise BadOption(f"speculative_config: {asked.method} needs no model; leave the key out")
    if asked.method in ("draft_model", "medusa", "eagle") and asked.model is None:
        raise BadOption(f"speculative_config: {asked.method} needs a checkpoint; add the key model")
    if asked.prompt_lookup_min > asked.prompt_lookup_max:
        raise BadOption(
            f"speculative_config: prompt_lookup_min is {asked.prompt_lookup_min} and prompt_lookup_max "
            f"{asked.prompt_lookup_max}; swap them"
        )
    return asked


def _bounded(asked: Speculative, given: Mapping[str, Any]) -> Speculative:
    """Where one bound of a lookup is given and beyond the other's default, they are the same."""
    low, high = asked.prompt_lookup_min, asked.prompt_lookup_max
    if low > high and "prompt_lookup_min" not in given:
        return replace(asked, prompt_lookup_min=high)
    if low > high and "prompt_lookup_max" not in given:
        return replace(asked, prompt_lookup_max=low)
    return asked


def plain(asked: Speculative) -> dict[str, Any]:
    """As a mapping again, for a config."""
    return {f.name: getattr(asked, f.name) for f in fields(asked)}
