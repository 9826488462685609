"""Units, weekdays, dates, clock times and months, from one form into another.

Every answer is exact. Of the unit pairs whose factor is a power of ten, some values are kept for evaluation,
and so are some dates; the small tables (weekdays, months, the other factors) are learnt whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from training.content import numbers_held_out, numbers_train
from training.conversation import Conversation, Split, assistant, user
from training.noise import apart, noisy

KIND = "conversions"
HELD_OUT_EVERY = 10  # values and dates kept for evaluation
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FIRST_DAY, LAST_DAY = date(1990, 1, 1), date(2035, 12, 31)


@dataclass(frozen=True, slots=True)
class Unit:
    one: str
    many: str
    short: Sequence[str] = ()  # abbreviations
    others: Sequence[tuple[str, str]] = ()  # further spellings, singular and plural
    alone: str = ""  # the plural where no number stands before it, if it is another one
    short_to: bool = True  # whether the abbreviation may stand alone, as in "how many cm"

    def shown(self, rng: Random, value: int | None) -> str:
        """The unit as a question writes it, after `value`, or alone and plural."""
        if self.short and (value is not None or self.short_to) and rng.random() < 0.35:
            return rng.choice(self.short)
        if value is None and self.alone:
            return self.alone
        one, many = rng.choice(self.others) if self.others and rng.random() < 0.3 else (self.one, self.many)
        return one if value == 1 else many

    def written(self, value: int) -> str:
        return f"{value} {self.one if value == 1 else self.many}"


KM = Unit("kilometer", "kilometers", ("km",), [("kilometre", "kilometres")])
M = Unit("meter", "meters", ("m",), [("metre", "metres")])
CM = Unit("centimeter", "centimeters", ("cm",), [("centimetre", "centimetres")])
MM = Unit("millimeter", "millimeters", ("mm",), [("millimetre", "millimetres")])
KG = Unit("kilogram", "kilograms", ("kg", "kgs"), [("kilo", "kilos"), ("kilogramme", "kilogrammes")])
G = Unit("gram", "grams", ("g",), [("gramme", "grammes")])
TONNE = Unit("tonne", "tonnes", ("t",), [("metric ton", "metric tons")], short_to=False)
L = Unit("liter", "liters", ("l", "L"), [("litre", "litres")])
ML = Unit("milliliter", "milliliters", ("ml", "mL"), [("millilitre", "millilitres")])
HOUR = Unit("hour", "hours", ("h", "hrs"))
MINUTE = Unit("minute", "minutes", ("min", "mins"))
SECOND = Unit("second", "seconds", ("s", "sec", "secs"))
DAY = Unit("day", "days")
WEEK = Unit("week", "weeks")
YEAR = Unit("year", "years", ("yrs",))
MONTH = Unit("month", "months")
DECADE = Unit("decade", "decades")
CENTURY = Unit("century", "centuries")
FOOT = Unit("foot", "feet", ("ft",))
INCH = Unit("inch", "inches", ("in",), short_to=False)
YARD = Unit("yard", "yards", ("yd", "yds"))
POUND = Unit("pound", "pounds", ("lb", "lbs"))
OUNCE = Unit("ounce", "ounces", ("oz",))
DOZEN = Unit("dozen", "dozen", (), [("dozen", "dozens")], alone="dozens")
ITEM = Unit("item", "items")
PIECES = (
    ITEM,
    ITEM,
    Unit("egg", "eggs"),
    Unit("piece", "pieces"),
    Unit("cookie", "cookies"),
    Unit("rose", "roses"),
)
TB = Unit("terabyte", "terabytes", ("TB",))
GB = Unit("gigabyte", "gigabytes", ("GB", "gb"))
MB = Unit("megabyte", "megabytes", ("MB", "mb"))
KB = Unit("kilobyte", "kilobytes", ("KB", "kB"))
GIB = Unit("gibibyte", "gibibytes", ("GiB",))
MIB = Unit("mebibyte", "mebibytes", ("MiB",))
CELSIUS = Unit("degree Celsius", "degrees Celsius", ("°C", "C"), [("Celsius", "Celsius")])
FAHRENHEIT = Unit("degree Fahrenheit", "degrees Fahrenheit", ("°F", "F"), [("Fahrenheit", "Fahrenheit")])

# large unit, small unit, how many of the small make one of the large, largest number of the large
POWERS: tuple[tuple[Unit, Unit, int, int], ...] = (
    *((KM, M, 1000, 999), (M, CM, 100, 999), (CM, MM, 10, 999), (M, MM, 1000, 999), (KG, G, 1000, 999)),
    *(
        (TONNE, KG, 1000, 999),
        (L, ML, 1000, 999),
        (GB, MB, 1000, 999),
        (TB, GB, 1000, 99),
        (MB, KB, 1000, 999),
    ),
    *((KM, M, 1000, 999), (M, CM, 100, 999), (CM, MM, 10, 999), (KG, G, 1000, 999), (L, ML, 1000, 999)),
    *((DECADE, YEAR, 10, 99), (CENTURY, YEAR, 100, 50)),
)
FACTORS: tuple[tuple[Unit, Unit, int, int], ...] = (
    *((HOUR, MINUTE, 60, 60), (MINUTE, SECOND, 60, 60), (DAY, HOUR, 24, 60), (WEEK, DAY, 7, 60)),
    *((YEAR, MONTH, 12, 60), (FOOT, INCH, 12, 60), (YARD, FOOT, 3, 60), (DOZEN, ITEM, 12, 60)),
    *((POUND, OUNCE, 16, 60), (GIB, MIB, 1024, 16)),
)
KEYS = {  # and how often each is asked
    "unit": 40,
    "weekday_after": 8,
    "weekday_before": 6,
    "date_after": 11,
    "date_before": 8,
    "to_iso": 8,
    "from_iso": 7,
    "to_24h": 5,
    "to_12h": 5,
    "month_number": 3,
    "month_name": 3,
}

_TEXTS = {key: apart(numbers_train.TEMPLATES[key], numbers_held_out.TEMPLATES[key]) for key in KEYS}
_KEYS, _ODDS = list(KEYS), list(KEYS.values())
_HARD = {"unit": 24, "weekday_after": 11, "weekday_before": 10, "date_after": 19, "date_before": 17}
_TRAIN_ODDS = list((KEYS | _HARD).values())  # counting days needs more practice


def conversation(rng: Random, split: Split) -> Conversation:
    key = rng.choices(_KEYS, _TRAIN_ODDS if split == "train" else _ODDS)[0]
    template = _TEXTS[key].pick(rng, split)
    if key == "unit":
        asked, answer = _unit(rng, split, template)
    elif key.startswith("weekday"):
        asked, answer = _weekday(rng, template, 1 if key == "weekday_after" else -1)
    elif key.startswith("date"):
        asked, answer = _date_sum(rng, split, template, 1 if key == "date_after" else -1)
    elif key.endswith("iso"):
        asked, answer = _iso(rng, split, template, key == "to_iso")
    elif key.startswith("to_"):
        asked, answer = _clock(rng, template, key == "to_24h")
    else:
        number = rng.randint(1, 12)
        month = MONTHS[number - 1]
        if key == "month_number":
            asked, answer = template.format(month=month), str(number)
        else:
            asked, answer = template.format(n=number), month
    return Conversation(KIND, [user(noisy(rng, asked) if split == "train" else asked), assistant(answer)])


def _unit(rng: Random, split: Split, template: str) -> tuple[str, str]:
    roll = rng.random()
    if roll < 0.08:
        degrees = 5 * rng.randint(-8, 20)
        sides = (degrees, CELSIUS), (degrees * 9 // 5 + 32, FAHRENHEIT)
    else:
        power = roll < 0.55
        large, small, factor, most = rng.choice(POWERS if power else FACTORS)
        small = rng.choice(PIECES) if small is ITEM else small
        count = _count(rng, split, large, small, most) if power else rng.randint(1, most)
        sides = (count, large), (count * factor, small)
    (value, source), (result, target) = sides if rng.random() < 0.5 else (sides[1], sides[0])
    from_unit, to_unit = source.shown(rng, value), target.shown(rng, None)
    if from_unit in source.short and (from_unit in '"°C°F' or rng.random() < 0.3):
        template = template.replace("{value} {from_unit}", "{value}{from_unit}")
    asked = template.format(value=value, from_unit=from_unit, to_unit=to_unit)
    return asked, f"{source.written(value)} = {target.written(result)}"


def _count(rng: Random, split: Split, large: Unit, small: Unit, most: int) -> int:
    """How many of the large unit; from 10 up, one number in ten is kept for evaluation."""
    roll = rng.random()
    low, high = (1, 9) if roll < 0.3 else (10, 99) if roll < 0.8 else (100, 999)
    low, high = (low, min(high, most)) if low <= most else (10, most)
    while True:
        count = rng.randint(low, high)
        kept = zlib.crc32(f"{count} {large.many} {small.many}".encode()) % HELD_OUT_EVERY == 0
        if count < 10 or kept == (split != "train"):
            return count


def _weekday(rng: Random, template: str, step: int) -> tuple[str, str]:
    days = rng.randint(1, 14) if rng.random() < 0.85 else rng.randint(2, 30)
    start = rng.randrange(7)
    return _one_day(template, days).format(n=days, day=DAYS[start]), DAYS[(start + step * days) % 7]


def _one_day(template: str, days: int) -> str:
    return template.replace("{n} days", "{n} day") if days == 1 else template


def _date_sum(rng: Random, split: Split, template: str, step: int) -> tuple[str, str]:
    days = rng.randint(1, 14) if rng.random() < 0.75 else rng.randint(2, 31)
    while True:
        start = _date(rng, split)
        if rng.random() < 0.08:  # around the end of a February
            start = date(start.year, 3, 1) - timedelta(rng.randint(-3, 25) * step)
            if _date_kept(start) != (split != "train"):
                continue
        end = start + timedelta(days * step)
        if FIRST_DAY <= end <= LAST_DAY:
            break
    spelled = start.isoformat() if rng.random() < 0.15 else _spelled(rng, start)
    return _one_day(template, days).format(n=days, date=spelled), _long(end)


def _iso(rng: Random, split: Split, template: str, to_iso: bool) -> tuple[str, str]:
    day = _date(rng, split)
    if to_iso:
        return template.format(date=_spelled(rng, day)), day.isoformat()
    return template.format(date=day.isoformat()), _long(day)


def _date(rng: Random, split: Split) -> date:
    while True:
        day = FIRST_DAY + timedelta(rng.randrange((LAST_DAY - FIRST_DAY).days + 1))
        if _date_kept(day) == (split != "train"):
            return day


def _date_kept(day: date) -> bool:
    return zlib.crc32(day.isoformat().encode()) % HELD_OUT_EVERY == 0


def _long(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def _spelled(rng: Random, day: date) -> str:
    """A date with the month in letters, in one of the usual orders."""
    month, number, year = MONTHS[day.month - 1], day.day, day.year
    ending = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    roll = rng.random()
    if roll < 0.45:
        return f"{month} {number}, {year}"
    if roll < 0.62:
        return f"{number} {month} {year}"
    if roll < 0.72:
        return f"the {number}{ending} of {month} {year}"
    if roll < 0.80:
        return f"{month} {number}{ending}, {year}"
    if roll < 0.86:
        return f"{number}{ending} {month} {year}"
    if roll < 0.91:
        return f"{month[:3]} {number}, {year}"
    if roll < 0.96:
        return f"{number} {month[:3]} {year}"
    return f"{month} {number} {year}"


def _clock(rng: Random, template: str, to_24h: bool) -> tuple[str, str]:
    hour, minute = rng.randrange(24), 0 if rng.random() < 0.15 else rng.randrange(60)
    half = "AM" if hour < 12 else "PM"
    short = f"{(hour - 1) % 12 + 1}:{minute:02d}"
    if to_24h:
        shown = f"{short} {half}"
        roll = rng.random()
        if roll < 0.4:
            shown = shown.lower() if roll < 0.2 else shown.lower().replace(" ", "")
        elif roll < 0.5:
            shown = f"{short} {half[0].lower()}.m."
        if minute == 0 and rng.random() < 0.4:
            shown = shown.replace(":00", "")
        if shown.endswith(".") and template.endswith("{time}."):
            template = template[:-1]
        return template.format(time=shown), f"{hour:02d}:{minute:02d}"
    shown = f"{hour:02d}:{minute:02d}" if rng.random() < 0.8 else f"{hour}:{minute:02d}"
    return template.format(time=shown), f"{short} {half}"
