"""--speculative-config: what it takes, and what it refuses."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from quire import LLM
from quire.cli import quire
from quire.config import EngineConfig
from quire.errors import BadOption, ConfigError, UnknownOption
from quire.speculative import read
from quire.wire import config_of, plain_config


def test_nothing_given_is_no_speculation():
    assert read(None) is None
    assert EngineConfig.of().speculation.speculative_config is None


def test_vllms_keys_are_read():
    asked = read(
        {"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 6, "prompt_lookup_min": 3}
    )
    assert (asked.method, asked.most, asked.prompt_lookup_max, asked.prompt_lookup_min) == ("ngram", 5, 6, 3)
    assert read({"method": "suffix", "suffix_decoding_max_tree_depth": 10}).most == 10


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"methd": "ngram"}, "did you mean 'method'"),
        ({"method": "oracle"}, "must be one of ngram, suffix"),
        ({"method": "ngram", "num_speculative_tokens": 0}, "1 to 64"),
        ({"method": "ngram", "num_speculative_tokens": "4"}, "a whole number"),
        ({"num_speculative_tokens": 3}, "neither a method nor a model"),
        ({"method": "ngram", "model": "x"}, "needs no model"),
        ({"method": "eagle"}, "needs a checkpoint"),
        ({"method": "ngram", "prompt_lookup_min": 5, "prompt_lookup_max": 3}, "swap them"),
        ({"method": "eagle", "model": " "}, "model is empty"),
        (
            {"method": "draft_model", "model": "x", "draft_tensor_parallel_size": 2},
            "draft_tensor_parallel_size",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(given, said):
    with pytest.raises((BadOption, UnknownOption), match=said):
        read(given)


def test_it_is_refused_before_anything_is_loaded():
    with pytest.raises(ConfigError, match="unknown key of speculative_config"):
        LLM(speculative_config={"method": "ngram", "speed": 2})


def test_the_command_line_takes_json_and_says_what_is_wrong_with_it():
    done = CliRunner().invoke(quire, ["run", "--speculative-config", "{method: ngram}", "Hi"])
    assert done.exit_code == 2 and "is not JSON" in done.output


def test_other_processes_get_the_same_settings():
    config = EngineConfig.of(speculative_config={"method": "suffix", "suffix_decoding_min_token_prob": 0.2})
    assert config_of(plain_config(config)) == config


@pytest.mark.parametrize(
    "given, bounds", [({"prompt_lookup_max": 1}, (1, 1)), ({"prompt_lookup_min": 7}, (7, 7)), ({}, (2, 4))]
)
def test_of_two_bounds_the_one_that_is_given_moves_the_other(given: dict[str, int], bounds: tuple[int, int]):
    asked = read({"method": "ngram", **given})
    assert (asked.prompt_lookup_min, asked.prompt_lookup_max) == bounds


def test_a_key_that_is_no_text_is_refused_by_name():
    with pytest.raises(UnknownOption, match="3"):
        read({3: 4, "method": "ngram"})
