"""Settings: every range is enforced and told, every unknown name is refused with the nearest."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.config import Choice, EngineConfig, Option, all_options, environment_kv_bytes
from quire.errors import BadOption, ConfigError, UnknownOption

OPTIONS = list(all_options())
BOUNDED = [o for o in OPTIONS if o.low is not None or o.high is not None]
CHOOSING = [o for o in OPTIONS if o.choices]


def named(options: list[Option]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("option", options, ids=lambda o: o.name)


@named(OPTIONS)
def test_every_option_says_what_it_means(option: Option):
    assert option.help.endswith(".")
    assert option.flag == "--" + option.name.replace("_", "-")


def test_names_are_unique_over_all_groups():
    names = [o.name for o in OPTIONS]
    assert len(names) == len(set(names))


@named(OPTIONS)
def test_every_default_passes_its_own_check(option: Option):
    assert option.check(option.default) == option.default


@named(BOUNDED)
def test_a_number_out_of_range_is_refused_with_the_range(option: Option):
    step = 1 if option.kind is int else 0.5
    outside = [option.low - step] if option.low is not None else []
    outside += [option.high + step] if option.high is not None else []
    for value in outside:
        with pytest.raises(BadOption) as error:
            EngineConfig.of(**{option.name: value})
        assert option.name in str(error.value)
        assert option.range in str(error.value)
        assert str(value) in str(error.value)


@named(CHOOSING)
def test_a_word_that_is_no_choice_is_refused_with_the_choices(option: Option):
    with pytest.raises(BadOption, match="must be one of") as error:
        EngineConfig.of(**{option.name: "granite"})
    assert all(choice in str(error.value) for choice in option.choices)


@named(OPTIONS)
def test_a_value_of_the_wrong_type_is_refused(option: Option):
    with pytest.raises(BadOption, match=option.name):
        EngineConfig.of(**{option.name: object() if option.kind is not bool else "yes"})


@named([o for o in OPTIONS if o.kind in (int, float)])
def test_true_is_not_a_number(option: Option):
    with pytest.raises(BadOption, match="number"):
        EngineConfig.of(**{option.name: True})


def test_not_a_number_is_out_of_every_range():
    with pytest.raises(BadOption, match=r"0\.01 to 1\.0"):
        EngineConfig.of(gpu_memory_utilization=math.nan)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("max_modl_len", "max_model_len"),
        ("blocksize", "block_size"),
        ("gpu_memory_utilisation", "gpu_memory_utilization"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(typed: str, meant: str):
    with pytest.raises(UnknownOption, match=f"did you mean '{meant}'"):
        EngineConfig.of(**{typed: 1})


def test_an_unknown_name_is_a_type_error_too_as_python_callers_expect():
    with pytest.raises(TypeError):
        EngineConfig.of(nonsense=1)


def test_flat_names_go_to_their_groups_and_come_back():
    given_values = {o.name: o.choices[-1] if o.choices else o.high or o.low or o.default for o in OPTIONS}
    given_values = {
        o.name: o.kind(given_values[o.name]) if o.kind is float else given_values[o.name] for o in OPTIONS
    }
    config = EngineConfig.of(**given_values)
    assert {o.name: getattr(getattr(config, o.group), o.name) for o in OPTIONS} == given_values


def test_paths_and_torch_dtypes_are_taken_for_text(tmp_path: Path):
    class BFloat16:
        def __str__(self) -> str:
            return "torch.bfloat16"

    config = EngineConfig.of(model=tmp_path, dtype=BFloat16())
    assert config.model.model == str(tmp_path)
    assert config.model.dtype == "bfloat16"


def test_a_whole_number_serves_as_a_fraction():
    assert EngineConfig.of(gpu_memory_utilization=1).cache.gpu_memory_utilization == 1.0


def test_a_config_cannot_be_written_to():
    config = EngineConfig.of()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.cache.block_size = 4  # type: ignore[misc]


def test_having_decides_settings_and_records_why():
    start = EngineConfig.of(block_size=4)
    resolved = start.having({"dtype": ("float32", "CPU"), "max_num_seqs": (256, "the default")})
    assert resolved.model.dtype == "float32"
    assert resolved.scheduler.max_num_seqs == 256
    assert resolved.cache.block_size == 4
    assert resolved.choices == (Choice("dtype", "float32", "CPU"), Choice("max_num_seqs", 256, "the default"))
    assert str(resolved.choices[0]) == "dtype = float32: CPU"
    assert start.model.dtype == "auto" and start.choices == ()


def test_kv_space_comes_from_the_environment_in_gib():
    assert environment_kv_bytes({}) is None
    assert environment_kv_bytes({"QUIRE_CPU_KVCACHE_SPACE": "1.5"}) == (3 * 2**29, "QUIRE_CPU_KVCACHE_SPACE")
    assert environment_kv_bytes({"VLLM_CPU_KVCACHE_SPACE": "2"}) == (2**31, "VLLM_CPU_KVCACHE_SPACE")


@pytest.mark.parametrize("text", ["0", "-1", "much", "nan", "inf"])
def test_kv_space_that_is_no_number_of_gib_is_refused(text: str):
    with pytest.raises(BadOption, match="must be a number of GiB above 0"):
        environment_kv_bytes({"QUIRE_CPU_KVCACHE_SPACE": text})


names = st.sampled_from([o.name for o in OPTIONS])
values = st.none() | st.integers() | st.floats() | st.text(max_size=9)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the first text takes a while
@given(st.dictionaries(names, values))
def test_whatever_is_given_is_taken_or_refused_with_a_config_error(options: dict[str, object]):
    try:
        EngineConfig.of(**options)
    except ConfigError as e:
        assert any(name in str(e) for name in options)
