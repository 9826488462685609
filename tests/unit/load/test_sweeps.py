"""What a sweep makes of points that no undisturbed machine gives."""

from __future__ import annotations

import pytest

from quire.tools.load.sweep import Point, Swept, disturbance


def swept(*rates: float, failed: float = 0.0) -> Swept:
    """Levels 1, 2, 4, … with these tokens a second; `failed` requests at the last."""
    points = [Point(2.0**i, rate, 1e3 * 2**i / rate) for i, rate in enumerate(rates)]
    last = points[-1]
    points[-1] = Point(last.level, last.tokens_per_s, last.token_ms, {"failed": failed})
    return Swept("requests at once", points, "")


@pytest.mark.parametrize("rates", [(9, 70, 22), (3, 64, 106, 116, 263), (480, 150, 1700), (100, 190, 30)])
def test_a_wild_course_is_a_disturbed_machine(rates: tuple[float, ...]):
    said = disturbance([swept(*rates)], None)
    assert said.startswith("the machine was disturbed: ") and "nothing is proposed" in said


def test_the_numbers_that_cannot_be_are_told():
    assert "1 requests at once gave 9 tokens/s and 2 gave 70" in disturbance([swept(9, 70)], None)
    assert "4 requests at once gave 22 tokens/s and 2 gave 70" in disturbance([swept(50, 70, 22)], None)


@pytest.mark.parametrize(
    "rates",
    [
        (41, 75, 139, 238, 286, 363, 684, 488),
        (482, 843, 1600, 2900, 4298),
        (100, 230, 520),
        (100,),
        (100, 60),
    ],
)
def test_noise_and_ends_of_scaling_are_no_disturbance(rates: tuple[float, ...]):
    assert disturbance([swept(*rates)], 0.01) == ""


def test_a_level_at_which_requests_fail_may_bring_less():
    assert disturbance([swept(100, 190, 30, failed=9)], None) == ""


def test_an_engine_that_waited_for_cores_has_no_proposal():
    said = disturbance([swept(100, 190)], 0.66)
    assert "threads waited for a core 66% of the time" in said and "nothing is proposed" in said
    assert disturbance([swept(100, 190)], 0.3) == "" == disturbance([swept(100, 190)], None)


def test_reading_is_looked_at_too():
    assert "4 requests" in disturbance([swept(100, 190), swept(50, 70, 22)], None)
