"""What a kind of tool is, and the values that fill its templates.

A template holds slots: `{city}` is filled with the value of the parameter whose slot is "city";
`{friend:name}` makes a value of the type "name" on the spot, and `{friend}` repeats it. Types are the keys
of `VALUES`, a range of whole numbers `1..20`, a range of decimal numbers `0.5..9.5`, or words `open|closed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any

from training import words
from training.conversation import Split, Words, is_held_out

Value = tuple[str, Any]  # what the text says, and what the argument is
Maker = Callable[[Random, Split], Value]


@dataclass(frozen=True, slots=True)
class Param:
    names: Sequence[str]  # alternatives; one is drawn for each conversation
    type: str  # "string", "integer", "number" or "boolean"
    slot: str  # "city", or "origin:city": the slot {origin} takes a value of the type "city"
    descriptions: Sequence[str]
    required: bool = True
    enum: Sequence[str] = ()  # the allowed words; for a boolean: what requests say for true and for false


@dataclass(frozen=True, slots=True)
class ToolKind:
    key: str
    names: Sequence[str]
    descriptions: Sequence[str]
    params: Sequence[Param]
    # Every request holds the slots of all required parameters; an optional one is an argument only where
    # its slot occurs. A request that starts with "~" is an imperative in lower case without a full stop
    # ("~wake me at {time}"): polite wrappings are put around it.
    requests: Sequence[str]
    # What the tool returns and what the assistant then says. An empty answer stands for the general rule
    # of tasks/tools.py: {"speed": 4, "mode": "eco"} is told as "The speed is 4 and the mode is eco."
    results: Sequence[tuple[str, str]]
    pairs: Sequence[str] = ()  # requests for two calls: {city} belongs to the first, {city2} to the second
    domain: str = ""  # kinds of one domain are near each other


def lines(text: str) -> tuple[str, ...]:
    """The lines of a block of text, without indentation and empty ones."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def results(text: str) -> tuple[tuple[str, str], ...]:
    """Lines "result => answer"; a line without an arrow takes the general rule.

    A long line may be broken after the arrow, with a backslash.
    """
    pairs = (line.partition(" =>") for line in lines(text))
    return tuple((result.strip(), answer.strip()) for result, _, answer in pairs)


def _param(type: str, names: str, slot: str, about: str, required: bool, enum: Iterable[str] = ()) -> Param:
    return Param(tuple(names.split()), type, slot, tuple(about.split("|")), required, tuple(enum))


def string(names: str, slot: str, about: str, required: bool = True) -> Param:
    return _param("string", names, slot, about, required)


def integer(names: str, slot: str, about: str, required: bool = True) -> Param:
    return _param("integer", names, slot, about, required)


def number(names: str, slot: str, about: str, required: bool = True) -> Param:
    return _param("number", names, slot, about, required)


def choice(names: str, slot: str, about: str, enum: str, required: bool = True) -> Param:
    return _param("string", names, slot, about, required, enum.split("|"))


def flag(names: str, slot: str, about: str, enum: str, required: bool = True) -> Param:
    return _param("boolean", names, slot, about, required, enum.split("|"))


# Templates ------------------------------------------------------------------------------------------------

_SLOT = re.compile(r"\{([a-z_]+[0-9]?)(?::([^{}]+))?\}")
Part = tuple[str, str | None, str | None]  # literal text, then a slot and its type


@lru_cache(maxsize=1 << 14)
def parts(template: str) -> tuple[Part, ...]:
    out: list[Part] = []
    end = 0
    for match in _SLOT.finditer(template):
        out.append((template[end : match.start()], match[1], match[2]))
        end = match.end()
    out.append((template[end:], None, None))
    return tuple(out)


@lru_cache(maxsize=1 << 14)
def slots(template: str) -> frozenset[str]:
    return frozenset(slot for _, slot, _ in parts(template) if slot)


def fill(template: str, values: dict[str, Value], rng: Random, split: Split) -> str:
    """The template with its slots filled. Values made on the spot are added to `values`."""
    out: list[str] = []
    for literal, slot, type in parts(template):
        out.append(literal)
        if slot is not None:
            value = values.get(slot)
            if value is None:
                value = values[slot] = draw(type or slot, rng, split)
            out.append(value[0])
    return "".join(out)


_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


def spell_out(template: str, values: dict[str, Value], rng: Random, share: float) -> None:
    """Writes some small whole numbers as words, where they stand between spaces."""
    pieces = parts(template)
    for at, (before, slot, _) in enumerate(pieces):
        value = values.get(slot, ("", None)) if slot else ("", None)
        if type(value[1]) is int and 2 <= value[1] <= 12 and before.endswith(" "):
            once = sum(slot == other for _, other, _ in pieces) == 1
            if once and pieces[at + 1][0].startswith(" ") and rng.random() < share:
                values[str(slot)] = (_SMALL[value[1]], value[1])


@lru_cache(maxsize=1 << 14)
def maker(type: str) -> Maker:
    """What makes values of a type."""
    if type in VALUES:
        return VALUES[type]
    low, dots, high = type.partition("..")
    if dots:
        return _whole(int(low), int(high)) if "." not in low else _decimal(low, high)
    if "|" in type:
        return _one_of(tuple(type.split("|")))
    raise KeyError(f"no such type of value: {type!r}")


def _whole(low: int, high: int) -> Maker:
    def make(rng: Random, split: Split) -> Value:
        value = low + int(rng.random() * (high - low + 1))
        return str(value), value

    return make


def _decimal(low: str, high: str) -> Maker:
    digits = len(low.partition(".")[2])
    scale = 10**digits
    first, last = round(float(low) * scale), round(float(high) * scale)

    def make(rng: Random, split: Split) -> Value:
        whole = first + int(rng.random() * (last - first + 1))
        value = whole // scale if whole % scale == 0 else round(whole / scale, digits)
        return str(value), value

    return make


def _one_of(choices: tuple[str, ...]) -> Maker:
    def make(rng: Random, split: Split) -> Value:
        text = rng.choice(choices)
        return text, text

    return make


# Values ---------------------------------------------------------------------------------------------------


def _said(make: Callable[[Random, Split], str]) -> Maker:
    def value(rng: Random, split: Split) -> Value:
        text = make(rng, split)
        return text, text

    return value


def _listed(text: str, made_up: float = 0.08) -> Maker:
    """Words of a list; in training now and then a made-up one, so that copying rests on no list."""
    listed = Words([w.strip() for w in text.replace("\n", ",").split(",") if w.strip()])

    def make(rng: Random, split: Split) -> str:
        if split == "train" and rng.random() < made_up:
            return words.pseudo_word(rng, split)
        return listed.pick(rng, split)

    return _said(make)


def _phrases(text: str, joined: float = 0.0) -> Maker:
    """Templates of phrases, split into training and held-out ones like words; some are two joined."""
    templates = Words(lines(text))

    def make(rng: Random, split: Split) -> str:
        made = fill(templates.pick(rng, split), {}, rng, split)
        if joined and rng.random() < joined:
            glue = rng.choice((", ", " and ", " but ", ", and "))
            made += glue + fill(templates.pick(rng, split), {}, rng, split)
        return made

    return _said(make)


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def _digits(rng: Random, count: int) -> str:
    return str(rng.randrange(10 ** (count - 1), 10**count))


def _letters(rng: Random, count: int) -> str:
    return "".join(rng.choices(_LETTERS, k=count))


def _date(rng: Random, split: Split) -> str:
    month, day, year = rng.randrange(12), rng.randint(1, 28), rng.randint(2019, 2032)
    form = rng.randrange(8)
    if form == 0:
        return f"{year}-{month + 1:02}-{day:02}"
    if form == 1:
        return f"{_MONTHS[month]} {day}, {year}"
    if form == 2:
        return f"{day} {_MONTHS[month]} {year}"
    if form == 3:
        return f"{day} {_MONTHS[month]}"
    if form == 4:
        return f"{_MONTHS[month][:3]} {day}"
    if form == 5:
        return f"{day}/{month + 1}/{year}"
    return f"{_MONTHS[month]} {day}"


def _day(rng: Random, split: Split) -> str:
    form = rng.randrange(6)
    if form == 0:
        return rng.choice(("tomorrow", "today", "tonight", "next week", "this weekend"))
    if form == 1:
        return "next " + rng.choice(_DAYS)
    return rng.choice(_DAYS)


def _time(rng: Random, split: Split) -> str:
    form = rng.randrange(6)
    hour, minute = rng.randrange(24), rng.choice((0, 5, 10, 15, 20, 25, 30, 40, 45, 50, 55))
    if form == 0:
        return f"{hour:02}:{minute:02}"
    if form == 1:
        return f"{hour}:{minute:02}"
    if form == 2:
        return f"{hour % 12 + 1}:{minute:02} {rng.choice(('am', 'pm'))}"
    if form == 3:
        return f"{hour % 12 + 1}{rng.choice(('am', 'pm'))}"
    if form == 4:
        return f"{hour % 12 + 1} {rng.choice(('am', 'pm', 'AM', 'PM'))}"
    return f"{rng.randint(6, 22)}:{minute:02}"


def _email(rng: Random, split: Split) -> str:
    first = words.FIRST_NAMES.pick(rng, split).lower()
    last = words.LAST_NAMES.pick(rng, split).lower()
    host = words.pseudo_word(rng, split).lower()
    user = rng.choice(
        (first, f"{first}.{last}", f"{first}_{last}", f"{first[0]}{last}", f"{first}{rng.randint(1, 99)}")
    )
    domain = rng.choice(("example", host, "mail", host))
    text = f"{user}@{domain}.{rng.choice(('com', 'org', 'net', 'io', 'co'))}"
    return "".join(text.split()).replace("'", "")


def _phone(rng: Random, split: Split) -> str:
    form = rng.randrange(5)
    if form == 0:
        return f"555-{_digits(rng, 4)}"
    if form == 1:
        return f"{_digits(rng, 3)}-555-{_digits(rng, 4)}"
    if form == 2:
        return f"+{rng.randint(1, 99)} {_digits(rng, 3)} {_digits(rng, 3)} {_digits(rng, 3)}"
    if form == 3:
        return f"0{_digits(rng, 3)} {_digits(rng, 6)}"
    return f"+{rng.randint(1, 99)}{_digits(rng, 9)}"


def _code(rng: Random, split: Split) -> str:
    form = rng.randrange(5)
    if form == 0:
        return f"{_letters(rng, 2)}-{_digits(rng, rng.randint(3, 5))}"
    if form == 1:
        return _digits(rng, rng.randint(4, 8))
    if form == 2:
        return f"{_letters(rng, 1)}{_digits(rng, 5)}"
    if form == 3:
        return f"#{_digits(rng, rng.randint(3, 6))}"
    return f"{_letters(rng, 3)}{_digits(rng, 3)}"


def _expression(rng: Random, split: Split) -> str:
    a, b, c = rng.randint(2, 99), rng.randint(2, 99), rng.randint(2, 20)
    form = rng.randrange(7)
    if form == 0:
        return f"{a} {rng.choice('+-*/')} {b} {rng.choice('+-*')} {c}"
    if form == 1:
        return f"({a} {rng.choice('+-')} {b}) * {c}"
    if form == 2:
        return f"{a * 11}{rng.choice('+-*/')}{b}"
    if form == 3:
        return f"sqrt({a * b})"
    if form == 4:
        return f"{c} ** {rng.randint(2, 4)}"
    return f"{a * rng.randint(1, 40)} {rng.choice('+-*/')} {b}"


def _price(rng: Random, split: Split) -> Value:
    form = rng.randrange(4)
    if form == 0:
        value: float = rng.randint(1, 60) * 5
    elif form == 1:
        value = rng.randint(1, 999)
    elif form == 2:
        value = rng.randint(2, 199) / 2
    else:
        value = rng.randint(101, 19999) / 100
    if value == int(value):
        value = int(value)
    return str(value), value


def _url(rng: Random, split: Split) -> str:
    host = words.pseudo_word(rng, split).lower()
    path = rng.choice(("", "/docs", "/blog", "/shop", "/login", "/news", f"/{_digits(rng, 3)}"))
    return f"https://{rng.choice(('', 'www.'))}{host}.{rng.choice(('com', 'org', 'io', 'net'))}{path}"


def _file(rng: Random, split: Split) -> str:
    stem = _stem(rng, split)[0]
    ending = rng.choice(("pdf", "txt", "csv", "docx", "png", "md", "json", "xlsx", "log", "py", "zip"))
    tail = rng.choice(("", "", f"_{rng.randint(2018, 2031)}", "_final", f"-v{rng.randint(1, 9)}", "_draft"))
    return f"{stem}{tail}.{ending}"


def _folder(rng: Random, split: Split) -> str:
    stem = _stem(rng, split)[0]
    return rng.choice(
        (
            f"/data/{stem}",
            f"/home/{stem}",
            f"~/{stem}",
            stem,
            f"{stem}/{rng.randint(2018, 2031)}",
            f"/srv/{stem}",
        )
    )


def _host(rng: Random, split: Split) -> str:
    stem = rng.choice(
        ("web", "db", "node", "cache", "worker", "gpu", "api", words.pseudo_word(rng, split).lower())
    )
    return f"{stem}-{rng.choice(('', '0'))}{rng.randint(1, 40)}"


def _service(rng: Random, split: Split) -> str:
    stem = _stem(rng, split)[0]
    return rng.choice((stem, f"{stem}-service", f"{stem}-api", f"{stem}-worker"))


def _version(rng: Random, split: Split) -> str:
    return f"{rng.choice(('', 'v'))}{rng.randint(0, 9)}.{rng.randint(0, 20)}.{rng.randint(0, 20)}"


def _title(rng: Random, split: Split) -> str:
    a, b = _adjective(rng, split)[0].capitalize(), _noun(rng, split)[0].capitalize()
    form = rng.randrange(6)
    if form == 0:
        return f"The {a} {b}"
    if form == 1:
        return f"{a} {words.plural(b)}"
    if form == 2:
        return f"The {b} of {words.CITIES.pick(rng, split)}"
    if form == 3:
        return f"{b} and {_noun(rng, split)[0].capitalize()}"
    if form == 4:
        return f"A {b} in {rng.choice(_MONTHS)}"
    return f"{a} {b}"


def _team(rng: Random, split: Split) -> str:
    return f"{words.CITIES.pick(rng, split)} {_team_noun(rng, split)[0]}"


def _artist(rng: Random, split: Split) -> str:
    if rng.random() < 0.5:
        return words.name(rng, split)
    return f"The {_adjective(rng, split)[0].capitalize()} {words.plural(_noun(rng, split)[0]).capitalize()}"


def _restaurant(rng: Random, split: Split) -> str:
    form = rng.randrange(4)
    if form == 0:
        return f"{words.FIRST_NAMES.pick(rng, split)}'s"
    if form == 1:
        return f"The {_adjective(rng, split)[0].capitalize()} {_noun(rng, split)[0].capitalize()}"
    if form == 2:
        return f"Casa {words.LAST_NAMES.pick(rng, split)}"
    return words.pseudo_word(rng, split).capitalize()


def _address(rng: Random, split: Split) -> str:
    street = rng.choice((words.LAST_NAMES.pick(rng, split), _noun(rng, split)[0].capitalize()))
    return f"{rng.randint(1, 220)} {street} {rng.choice(('Street', 'Road', 'Avenue', 'Lane', 'Square'))}"


def _model(rng: Random, split: Split) -> str:
    stem = words.pseudo_word(rng, split).lower()
    sizes = ("tiny", "small", "base", "large", "mini", "1b", "3b", "7b", "13b", "70b", "v2")
    return f"{stem}-{rng.choice(sizes)}"


def _ip(rng: Random, split: Split) -> str:
    return f"{rng.choice(('10', '172.16', '192.168'))}.{rng.randint(0, 255)}.{rng.randint(1, 254)}"


_adjective = _listed("""
    silent, golden, hidden, broken, winter, summer, distant, little, long, lost, quiet, red, blue, silver,
    empty, burning, frozen, secret, early, late, crooked, gentle, hollow, invisible, northern, southern,
    paper, wooden, restless, second, seventh, sleeping, small, strange, wandering, wild, bright, narrow,
    endless, forgotten, velvet, crimson, dusty, patient, floating, borrowed, perfect, humble, fearless,
    salty, stormy, sunken
""")
_noun = _listed("""
    river, garden, house, window, letter, bridge, forest, island, mirror, lantern, mountain, harbor, door,
    road, orchard, clock, tower, shadow, storm, stone, bird, ship, song, candle, map, desert, valley,
    winter, voyage, tunnel, kitchen, market, library, station, meadow, ocean, crown, feather, fox, wolf,
    sparrow, tiger, train, wheel, piano, ladder, comet, planet, ember, thread, whisper, anchor, canyon,
    lighthouse
""")
_stem = _listed("""
    report, budget, invoice, notes, photos, backup, contract, summary, slides, minutes, plan, readme, data,
    results, schedule, receipt, resume, survey, draft, config, settings, users, orders, sales, inventory,
    metrics, logs, manual, recipe, thesis, payments, billing, search, login, auth, catalog, checkout,
    gateway, mailer, reports, profile, media, cart, webhooks, exports, archive, taxes, travel, designs,
    tests, letters
""")
_team_noun = _listed("""
    Tigers, Rovers, United, Hawks, Wolves, Sharks, Comets, Rangers, Lions, Bulls, Rockets, Falcons, Bears,
    Wanderers, Stars, Giants, Pirates, Dragons, Royals, Knights, Storm, Athletic, City, Eagles, Panthers,
    Foxes
""")

VALUES: dict[str, Maker] = {
    "name": _said(words.name),
    "first": _said(words.FIRST_NAMES.pick),
    "city": _said(words.city),
    "country": _said(words.COUNTRIES.pick),
    "color": _said(words.COLORS.pick),
    "food": _said(words.FOODS.pick),
    "fruit": _said(words.FRUITS.pick),
    "fruits": _said(lambda rng, split: words.plural(words.FRUITS.pick(rng, split))),
    "animal": _said(words.ANIMALS.pick),
    "animals": _said(lambda rng, split: words.plural(words.ANIMALS.pick(rng, split))),
    "job": _said(words.JOBS.pick),
    "item": _said(words.item),
    "company": _said(words.COMPANIES.pick),
    "event": _said(words.EVENTS.pick),
    "language": _said(words.LANGUAGES.pick),
    "word": _said(words.WORDS.pick),
    "pseudo": _said(words.pseudo_word),
    "adjective": _adjective,
    "noun": _noun,
    "email": _said(_email),
    "phone": _said(_phone),
    "date": _said(_date),
    "day": _said(_day),
    "weekday": _one_of(_DAYS),
    "month": _one_of(_MONTHS),
    "year": _whole(1950, 2035),
    "time": _said(_time),
    "price": _price,
    "code": _said(_code),  # an order, a ticket, a parcel
    "number": _said(lambda rng, split: _digits(rng, rng.randint(3, 7))),  # digits that are a name
    "flight": _said(
        lambda rng, split: f"{_letters(rng, 2)}{rng.choice(('', ' '))}{_digits(rng, rng.randint(2, 4))}"
    ),
    "ticker": _said(lambda rng, split: _letters(rng, rng.randint(3, 4))),
    "airport": _said(lambda rng, split: _letters(rng, 3)),
    "plate": _said(
        lambda rng, split: f"{_letters(rng, 2)}{rng.choice('- ')}{_digits(rng, 3)} {_letters(rng, 1)}"
    ),
    "currency": _listed(
        """
        USD, EUR, GBP, JPY, CHF, CAD, AUD, NZD, SEK, NOK, DKK, PLN, CZK, HUF, INR, CNY, KRW, BRL, MXN, ZAR,
        TRY, ILS, SGD, HKD, THB, IDR, MYR, PHP, VND, EGP, RON, BGN, ISK, AED, SAR, CLP, COP, PEN, ARS, UAH,
        KES, NGN
    """,
        0.0,
    ),
    "expression": _said(_expression),
    "url": _said(_url),
    "file": _said(_file),
    "folder": _said(_folder),
    "host": _said(_host),
    "ip": _said(_ip),
    "service": _said(_service),
    "version": _said(_version),
    "branch": _said(
        lambda rng, split: rng.choice(
            ("main", "develop", f"feature/{_stem(rng, split)[0]}", f"fix-{_stem(rng, split)[0]}")
        )
    ),
    "model": _said(_model),
    "title": _said(_title),  # a book, a film, a song
    "artist": _said(_artist),
    "team": _said(_team),
    "restaurant": _said(_restaurant),
    "address": _said(_address),
    "room": _listed("""
        kitchen, bedroom, bathroom, living room, hallway, garage, office, attic, basement, dining room,
        nursery, guest room, study, laundry room, balcony, porch, garden shed, workshop, playroom, library,
        cellar, hall, pantry, sunroom, den, entrance, lounge, gym, conservatory, closet, terrace,
        staircase, loft, greenhouse
    """),
    "device": _listed("""
        fan, heater, coffee machine, dishwasher, washing machine, TV, humidifier, air purifier, kettle,
        oven, speaker, router, projector, vacuum, dryer, printer, sprinkler, pump, boiler, doorbell,
        camera, radio, toaster, freezer, fish tank filter, electric blanket, air conditioner, rice cooker,
        lamp, charger
    """),
    "subject": _listed("""
        math, history, biology, chemistry, physics, geography, art, music, literature, economics,
        philosophy, drama, algebra, geometry, statistics, pottery, photography, robotics, astronomy,
        grammar, chess, sewing, coding, painting, law, psychology, sociology, botany, cooking, carpentry,
        logic, ethics, geology, dance
    """),
    "genre": _listed("""
        jazz, rock, pop, blues, classical, folk, techno, house, reggae, soul, funk, country, metal, punk,
        ambient, disco, opera, swing, hip hop, salsa, gospel, indie, lo-fi, flamenco, samba, grunge,
        bluegrass, trance, ska
    """),
    "cuisine": _listed("""
        Italian, Thai, Indian, Mexican, French, Japanese, Greek, Turkish, Korean, Ethiopian, Spanish,
        Lebanese, vegan, vegetarian, seafood, sushi, pizza, burger, ramen, tapas, Chinese, Peruvian,
        Moroccan, Polish, halal, Georgian, Cuban, barbecue, noodle, breakfast, Vietnamese, Persian,
        Portuguese, Hungarian, dumpling
    """),
    "sky": _listed(
        """
        sunny, cloudy, rainy, windy, foggy, snowy, overcast, clear, stormy, humid, partly cloudy,
        drizzling, hazy, misty, hailing, freezing, mild, light rain, heavy rain, dry, thundery, light snow,
        breezy, icy, muggy
    """,
        0.0,
    ),
    "topic": _phrases("""
        {fruit} prices
        {city} housing
        climate change
        electric cars
        space travel
        {animal} conservation
        {country} elections
        artificial intelligence
        the {city} marathon
        women's football
        renewable energy
        {food} recipes
        {language} grammar
        solar panels
        {company}
        public transport in {city}
        tourism in {country}
        remote work
        chip making
        {job} salaries
        chess
        gardening
        the stock market
        {event:the spring festival|the film awards|the book fair|the world cup|the rowing regatta}
        {animal} training
        inflation
        quantum computing
        deep sea research
        {color} pigments
        vaccines
    """),
    "query": _phrases("""
        best {food} in {city}
        how to clean a {item}
        {animal} facts
        cheap {item} reviews
        {company} opening hours
        how to learn {language}
        {city} travel guide
        what do {animals} eat
        {job} jobs in {city}
        {company} annual report
        history of {country}
        {title} plot
        how to cook {food}
        {color} {item} for sale
        {fruit} smoothie ideas
        why do cats purr
        {item} repair near me
        {artist} tour dates
        {city} to {country} flights
        weekend trips from {city}
        how tall is the tallest tree
        {topic}
        {topic} explained
        {first} name meaning
        {team} results
        {word} etymology
    """),
    "text": _phrases(
        """
        I will be {n:5..45} minutes late
        I'm on my way
        dinner is ready
        the meeting moved to {time}
        see you at {time}
        please bring the {item}
        call me back
        happy birthday
        the {item} arrived
        I'm stuck in traffic
        can we talk on {weekday}
        I left the keys under the mat
        we need more {food}
        the train is late
        good luck with the exam
        I can't make it on {weekday}
        the {animal} is at the vet
        thanks for the {food}
        the door code is {n:1000..9999}
        let's meet in {city}
        running late
        I got the job
        the report is done
        pick up some {fruit} on the way
        don't forget the {item}
        I miss you
        the kids are asleep
        the flight landed
        your {item} is ready
        we won
        lunch at {time}
        I'll call you on {weekday}
        the deadline is {date}
        everything is fine
        the code review is finished
        congratulations on the new house
        the package for {first} is here
        sorry about yesterday
    """,
        0.15,
    ),
    "task": _phrases("""
        buy {food}
        buy a {item}
        call {first}
        water the plants
        pay the rent
        walk the dog
        feed the {animal}
        take out the trash
        book a table
        renew my passport
        email {first} about the {item}
        finish the report
        pick up {first}
        clean the {room}
        return the {item}
        fix the {item}
        pay the electricity bill
        take my medicine
        order {food}
        charge the {device}
        check the oven
        do the laundry
        send the invoice to {company}
        study {language}
        practice the piano
        call the dentist
        stretch
        drink some water
        wash the car
        get {fruits} from the market
        move the car
        write to {first}
        prepare the slides
        back up my laptop
        wrap the present for {first}
        sign the contract
    """),
    "note": _phrases("""
        the wifi password is {pseudo}{n:10..99}
        {first} likes {food}
        the spare key is with {first}
        shoe size is {n:36..46}
        parked on level {n:1..9}
        {company} pays on day {n:2..28}
        idea for a story about a {animal}
        the plumber comes on {weekday}
        paint color is {color}
        the {item} costs {n:5..500}
        meeting with {first} went well
        try the {food} place in {city}
        locker number {n:10..400}
        gym closes at {time}
        the {animal} needs new food
        the rent is due on day {n:4..28}
        {first}'s birthday is in {month}
        the {item} is in the {room}
        read more about {topic}
        check prices for a {item}
    """),
    "sentence": _phrases("""
        good morning
        where is the station
        I would like a coffee
        how much is this
        the {animal} is sleeping
        my name is {first}
        see you tomorrow
        I am looking for the {item}
        thank you very much
        I don't understand
        the {food} was delicious
        happy new year
        can I have the bill
        we live in {city}
        do you have {fruits}
        I lost my {item}
        what time is it
        it is raining
        I am a {job}
        the train leaves at {time}
        excuse me
        where can I buy {food}
        I love {color} flowers
        have a nice trip
        the weather is beautiful
        please call a doctor
        one ticket to {city}
        I have a question
    """),
    "reason": _phrases("""
        it arrived broken
        wrong size
        wrong color
        it never arrived
        I changed my mind
        the {item} was missing
        family visit
        moving house
        doctor's appointment
        it stopped working
        I ordered it twice
        a trip to {city}
        my sister's wedding
        too expensive
        it was late
        the {color} one was sent
        parental leave
        feeling sick
        a conference in {city}
        the box was empty
    """),
    "bug": _phrases("""
        login page returns {n:400..504}
        the {item} page is blank
        search is slow
        export to {format:CSV|PDF|JSON|Excel} fails
        app crashes on start
        typo on the {item} page
        wrong currency in {country}
        {service} times out
        password reset mail never arrives
        the {color} button does nothing
        images do not load
        dark mode is unreadable
        memory leak in {service}
        cannot upload {file}
        duplicate orders for {company}
        timezone is wrong in {city}
        crash when deleting a {item}
        missing translation for {language}
        checkout total is wrong
        disk full on {host}
    """),
    "picture": _phrases("""
        a {color} {animal} on a boat
        a {animal} playing the piano
        a castle in the clouds
        {city} at night
        a bowl of {fruits}
        a {job} riding a {animal}
        a {color} {item} on a table
        two {animals} in the snow
        a robot eating {food}
        a lighthouse in a storm
        a {adjective} {noun}
        a {adjective} {noun} at sunset
        a map of an imaginary island
        a {animal} wearing a {color} hat
        an old {noun} in the fog
        a {color} bicycle in {city}
        a {job} in a garden
        a cake shaped like a {animal}
        a watercolor of a {noun}
        a {item} made of glass
    """),
}


# Open values ----------------------------------------------------------------------------------------------

OPEN = 0.45  # how many training values are on no list, so that only copying gets them right
WIDE = 0.2  # how many training numbers are from a much wider range
_LITTLE_WORDS = """
    about above across after again all almost alone along already also always among any apart around ask
    away become before behind below beneath beside between beyond both call down each early either else
    enough ever every few for from here into just late less like many maybe might more most much near
    never next none nothing now off often once one only other our out outside over own per please quite
    rather same several since six seven nine ten twelve twenty three hundred zero some soon still than
    then there through today together toward twice two until upper very when where while will yesterday
    yet tomorrow tonight double half dozen single four five eight eleven thousand with and
"""
_LITTLE = frozenset(_LITTLE_WORDS.split())
_POOL = tuple(
    word
    for listed in (words.WORDS, words.WORDS, words.ITEMS, words.ANIMALS, words.FOODS, words.JOBS)
    for word in listed.train
    if word not in _LITTLE
)
_SINGLE = tuple(word for word in _POOL if " " not in word)
Style = Callable[[Random, bool], str]  # the flag asks for one word


def _any(rng: Random) -> str:
    if rng.random() < 0.45:
        return words.pseudo_word(rng, "train")
    return _POOL[int(rng.random() * len(_POOL))]


def _one(rng: Random) -> str:
    if rng.random() < 0.5:
        return words.pseudo_word(rng, "train")
    return _SINGLE[int(rng.random() * len(_SINGLE))]


def _big(rng: Random) -> str:
    return _one(rng).capitalize()


_THINGS = tuple(
    w
    for source in (words.ITEMS, words.ANIMALS, words.FOODS, words.FRUITS, words.JOBS)
    for w in source.train
    if " " not in w
)


def _thing(rng: Random) -> str:
    """A made-up word or a thing: never a verb or an adverb, which could belong to the sentence around it."""
    if rng.random() < 0.5:
        return words.pseudo_word(rng, "train")
    return _THINGS[int(rng.random() * len(_THINGS))]


def _open_lower(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if tight or roll < 0.55:
        return _thing(rng)
    if roll < 0.9:
        return f"{_thing(rng)} {_thing(rng)}"
    return f"{_thing(rng)}-{_thing(rng)}"


def _open_plural(rng: Random, tight: bool) -> str:
    return words.plural(_open_lower(rng, tight))


def _open_word(rng: Random, tight: bool) -> str:
    return _one(rng)


_SHADES = ("pale", "dark", "light", "deep", "bright", "dull", "soft", "hot", "warm", "off")


def _open_color(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if tight or roll < 0.8:
        return _thing(rng)
    return f"{rng.choice(_SHADES)} {rng.choice(words.COLORS.train)}"


def _open_person(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.3:
        return _big(rng)
    if roll < 0.5:
        return f"{_big(rng)} {_big(rng)}"
    if roll < 0.65:
        return f"{rng.choice(words.FIRST_NAMES.train)} {_big(rng)}"
    if roll < 0.75:
        return f"{_big(rng)} {rng.choice(words.LAST_NAMES.train)}"
    if roll < 0.82:
        return f"{rng.choice(('Dr.', 'Mr.', 'Mrs.', 'Ms.', 'Professor', 'Dr'))} {_big(rng)}"
    if roll < 0.88:
        return f"{_letters(rng, 1)}. {_big(rng)}"
    if roll < 0.94:
        return f"{_big(rng)} {_letters(rng, 1)}. {_big(rng)}"
    return f"{_big(rng)}-{_big(rng)}"


def _open_first(rng: Random, tight: bool) -> str:
    return _big(rng) if rng.random() < 0.85 else f"{_big(rng)} {_big(rng)}"


_ENDS = (
    "ton", "ville", "burg", "field", "ham", "ford", "port", "stad", "wick", "by", "dorf", "mouth", "haven",
    "minster", "berg", "ingen", "ia", "opolis", "pur", "abad", "grad", "chester", "bury", "cester", "vik",
)  # fmt: skip
_STARTS = ("New", "San", "Port", "Fort", "Saint", "St.", "El", "Upper", "Mount", "Lake", "North", "Santa")


def _open_place(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.35:
        return _big(rng)
    if roll < 0.65:
        return _one(rng)[:5].capitalize() + _ENDS[int(rng.random() * len(_ENDS))]
    if roll < 0.8:
        return f"{rng.choice(_STARTS)} {_big(rng)}"
    if roll < 0.92:
        return f"{_big(rng)} {_big(rng)}"
    if roll < 0.96:
        return f"{_big(rng)}-{_big(rng)}"
    return f"{_big(rng)} {rng.choice(('on', 'upon', 'de', 'am', 'by'))} {_big(rng)}"


def _open_title(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.2:
        return _big(rng)
    if roll < 0.45:
        return f"{_big(rng)} {_big(rng)}"
    if roll < 0.6:
        return f"The {_big(rng)}" if roll < 0.5 else f"The {_big(rng)} {_big(rng)}"
    if roll < 0.72:
        return f"{_big(rng)} {rng.choice(('of', 'and', 'in', 'for', 'without', 'under', 'with'))} {_big(rng)}"
    if roll < 0.8:
        return f"The {_big(rng)} {rng.choice(('of', 'and', 'in', 'from'))} the {_big(rng)}"
    if roll < 0.88:
        return f"{_big(rng)} {_big(rng)} {_big(rng)}"
    if roll < 0.94:
        return f"{_big(rng)} {rng.randint(2, 2100)}"
    return f"{_big(rng)} {_one(rng)} {_one(rng)}"


def _open_company(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.35:
        return _big(rng)
    if roll < 0.55:
        return f"{_big(rng)} {_big(rng)}"
    if roll < 0.8:
        return f"{_big(rng)} {rng.choice(_FORMS)}"
    if roll < 0.9:
        return f"{_big(rng)} {rng.choice(('and', '&'))} {_big(rng)}"
    return _one(rng).capitalize() + _one(rng)[:4]


_FORMS = ("Ltd", "Inc", "Group", "Labs", "GmbH", "Partners", "Systems", "Bank", "Foods", "AG", "Works", "Co")
_EATING = ("Cafe", "Bistro", "Chez", "Trattoria", "La", "Le", "El", "Bar", "Casa", "Pizzeria", "Brasserie")


def _open_restaurant(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.35:
        return f"{rng.choice(_EATING)} {_big(rng)}"
    if roll < 0.5:
        return f"{_big(rng)} {rng.choice(('Kitchen', 'House', 'Grill', 'Inn', 'Diner', 'Tavern', 'Garden'))}"
    if roll < 0.6:
        return f"The {_big(rng)} and {_big(rng)}"
    return _open_title(rng, tight)


def _open_team(rng: Random, tight: bool) -> str:
    roll = rng.random()
    if roll < 0.25:
        return f"{rng.choice(('FC', 'SC', 'Real', 'Team', 'AC', 'Club'))} {_big(rng)}"
    if roll < 0.6:
        return f"{_big(rng)} {words.plural(_one(rng)).capitalize()}"
    return _open_place(rng, tight)


def _open_address(rng: Random, tight: bool) -> str:
    kind = rng.choice(("Street", "Road", "Avenue", "Lane", "Drive", "Way", "Court", "Hill", "Terrace", "Row"))
    if rng.random() < 0.2:
        return f"{_big(rng)} {kind} {rng.randint(1, 999)}"
    return f"{rng.randint(1, 999)} {_big(rng)} {kind}"


def _open_phrase(rng: Random, tight: bool) -> str:
    """Two to six words that mean nothing together."""
    said = [_any(rng) for _ in range(int(rng.random() * 4) + 2)]
    if rng.random() < 0.5:
        said.insert(1, _GLUE[int(rng.random() * len(_GLUE))])
    if rng.random() < 0.12:
        said.append(str(rng.randint(2, 9999)))
    return " ".join(said)


_GLUE = ("the", "a", "my", "is", "with the", "of", "for the", "our", "and", "your", "or", "are")


def _open_stem(rng: Random, tight: bool) -> str:
    if rng.random() < 0.5:
        return _one(rng)
    return f"{_one(rng)}{rng.choice('-_')}{_one(rng)}"


def _open_file(rng: Random, tight: bool) -> str:
    ending = rng.choice(("pdf", "txt", "csv", "docx", "png", "md", "json", "jpg", "log", "py", "mp3", "yaml"))
    return f"{_open_stem(rng, tight)}.{ending}"


def _open_folder(rng: Random, tight: bool) -> str:
    top = rng.choice(("/", "~/", "", "/mnt/", "./"))
    return f"{top}{_one(rng)}/{_open_stem(rng, tight)}"


def _open_branch(rng: Random, tight: bool) -> str:
    return f"{rng.choice(('', 'fix/', 'feature/', 'wip-', 'release-'))}{_open_stem(rng, tight)}"


def _open_currency(rng: Random, tight: bool) -> str:
    return _letters(rng, 3)


_STYLES: dict[str, Style] = {
    "address": _open_address,
    "adjective": _open_word,
    "animal": _open_lower,
    "animals": _open_plural,
    "artist": _open_title,
    "branch": _open_branch,
    "bug": _open_phrase,
    "city": _open_place,
    "color": _open_color,
    "company": _open_company,
    "country": _open_place,
    "cuisine": _open_word,
    "currency": _open_currency,
    "device": _open_lower,
    "event": _open_lower,
    "file": _open_file,
    "first": _open_first,
    "folder": _open_folder,
    "food": _open_lower,
    "fruit": _open_word,
    "fruits": _open_plural,
    "genre": _open_lower,
    "host": _open_stem,
    "item": _open_lower,
    "items": _open_plural,
    "job": _open_lower,
    "language": lambda rng, tight: _big(rng),
    "model": _open_stem,
    "name": _open_person,
    "note": _open_phrase,
    "noun": _open_lower,
    "picture": _open_phrase,
    "query": _open_phrase,
    "reason": _open_phrase,
    "restaurant": _open_restaurant,
    "room": _open_lower,
    "sentence": _open_phrase,
    "service": _open_stem,
    "sky": _open_lower,
    "subject": _open_lower,
    "task": _open_phrase,
    "team": _open_team,
    "text": _open_phrase,
    "title": _open_title,
    "topic": _open_lower,
    "word": _open_word,
}


def open_text(type: str, rng: Random, tight: bool = False) -> str:
    """A value of a type that is on no list, for training."""
    style = _STYLES.get(type, _open_lower)
    text = style(rng, tight)
    while is_held_out(text) or words._RUDE.search(text.lower()):
        text = style(rng, tight)
    return text


def draw(type: str, rng: Random, split: Split, tight: bool = False, wide: bool = False) -> Value:
    """A value of a type; in training often one that is on no list.

    `tight` asks for one word, as another value follows at once. `wide` lets numbers leave their range.
    """
    if split == "train":
        if type in _STYLES:
            if rng.random() < OPEN:
                text = open_text(type, rng, tight)
                return text, text
        elif wide and (type == "price" or ".." in type) and rng.random() < WIDE:
            return wide_number(rng, type.startswith("-"), type == "price" or "." in type.replace("..", ""))
    return maker(type)(rng, split)


def wide_number(rng: Random, negative: bool, decimal: bool) -> Value:
    value: float = int(rng.random() * 10 ** (1 + int(rng.random() * 6)))
    if decimal and rng.random() < 0.7:
        digits = 1 + int(rng.random() * 3)
        value = round(value + rng.random(), digits)
        if value == int(value):
            value = int(value)
    if negative and rng.random() < 0.5:
        value = -value
    return str(value), value


@lru_cache(maxsize=1 << 14)
def tight_slots(template: str) -> frozenset[str]:
    """The slots of a template after which another one follows at once."""
    pieces = parts(template)
    return frozenset(
        slot for (_, slot, _), (literal, after, _) in pairwise(pieces) if slot and after and literal == " "
    )
