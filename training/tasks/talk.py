"""Small talk: greetings and questions about the model, follow-ups, and things told and asked back later.

The wordings are in training/content/talk_train.py. A word the user told is given back as they typed it,
capitals included.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from training.content.family import Family, bare
from training.content.talk_train import (
    CLOSERS,
    ECHO,
    ECHO_REPLY,
    FACTS,
    FOLLOW_UPS,
    JOKE_KEYS,
    JOKES,
    MORE_OF_NOTHING,
    NO_MORE,
    NO_MORE_JOKES,
    NOTHING_TO_ECHO,
    NOTHING_TO_REPEAT,
    OPENERS,
    PLURAL_FOODS,
    REPEAT,
    TALK,
    Fact,
)
from training.conversation import Conversation, Message, Split, Texts, Words, assistant, user
from training.noise import blurred, mistyped, noisy, reworded
from training.tasks import engine
from training.words import (
    ANIMALS,
    CITIES,
    COLORS,
    FIRST_NAMES,
    FOODS,
    FRUITS,
    JOBS,
    PETS,
    WORDS,
    plural,
    pseudo_word,
)

KIND = "talk"
START, UNTOLD = "talk.start", "talk.untold"
FIRST_ONLY = frozenset({START, UNTOLD})  # right only where no other conversation stands before them

MORE = Texts(*FOLLOW_UPS["more"])
AGES = Words([str(n) for n in range(6, 100)])
NUMBERS = Words([str(n) for n in range(2, 1000)])
OPEN_VALUES = 0.4  # the share of told things in training that are any word at all

_FAMILIES = {family.key: family for family in TALK}
_PLAIN = [family for family in TALK if family.key not in JOKE_KEYS]
_UNRELATED = [family for family in _PLAIN if family.key != "remember"]
# Words to tell about oneself: none that small talk uses, for "I'm tired" tells no name.
_SPOKEN = frozenset(word for family in TALK for text in family.questions for word in bare(text).split())
_OPEN_WORDS = [word for word in WORDS.train if word not in _SPOKEN]


def conversation(rng: Random, split: Split, families: Sequence[Family] | None = None) -> Conversation:
    """One chat. `families` are questions beyond small talk to mix in; without them those about the engine."""
    others = engine.families() if families is None else families
    make = rng.choices((_single, _chat, _more, _facts, _jokes, _again), (40, 16, 12, 22, 4, 6))[0]
    return make(rng, split, others)


def exchange(rng: Random, split: Split, others: Sequence[Family] = (), share: float = 0.3) -> list[Message]:
    """A question and its answer: small talk, or with probability `share` one of `others`."""
    family = rng.choice(others if others and rng.random() < share else _UNRELATED)
    return [user(asked(rng, split, family)), assistant(family.answer)]


def asked(rng: Random, split: Split, family: Family) -> str:
    """One way to ask for the family's answer."""
    if family.key not in _FAMILIES:
        return engine.question(rng, split, family)
    text = rng.choice(family.asked(split) or family.train)
    if split == "train":
        if rng.random() < 0.4:
            text = reworded(rng, text, 0.5)
        if rng.random() < 0.25:
            text = blurred(rng, text)
    return loosely(rng, _wrapped(rng, split, text), split)


def loosely(rng: Random, text: str, split: Split) -> str:
    """`text` as people type it: capitals and punctuation get lost, in training also letters.

    Slots in braces stay whole.
    """
    roll = rng.random()
    if roll < 0.22:
        text = text.lower()
    elif roll < 0.3:
        text = text[:1].lower() + text[1:]
    elif roll < 0.32 and "{" not in text:
        text = text.upper()
    roll = rng.random()
    if roll < 0.25 and len(text) > 3:
        text = text.rstrip("?!.") or text
    elif roll < 0.32 and text[-1:].isalpha():
        text += rng.choice(".!")
    elif roll < 0.35:
        text += rng.choice(("?", "!", "??", "...", " :)", "!!")) if "{" not in text[-12:] else ""
    if rng.random() < 0.1:
        text = text.replace("'", "")
    if split == "train" and rng.random() < 0.07:
        text = _mistyped(rng, text)
    return text


def _mistyped(rng: Random, text: str) -> str:
    """`text` with one letter of one longer word lost, doubled or swapped with the next."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not long:
        return text
    i = rng.choice(long)
    words[i] = mistyped(rng, words[i])
    return " ".join(words)


def _wrapped(rng: Random, split: Split, text: str) -> str:
    """A question, at times with polite or idle words around it. What is no question stays as it is."""
    if not text.endswith("?") or len(text) < 12:
        return text
    roll = rng.random()
    if split == "train" and roll > 0.75 and "{" not in text:
        return noisy(rng, text)
    if roll < 0.12:
        first = text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]
        return f"{OPENERS.pick(rng, split)} {first}"
    if roll < 0.17:
        closer = CLOSERS.pick(rng, split)
        return f"{text.rstrip('?')}, {closer}" + ("" if closer.endswith("?") else "?")
    return text


def _pick(rng: Random, split: Split, texts: Texts) -> str:
    return loosely(rng, texts.pick(rng, split), split)


def _single(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    family = rng.choice(TALK)
    return Conversation(KIND, [user(asked(rng, split, family)), assistant(family.answer)])


def _chat(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    messages: list[Message] = []
    for family in rng.sample(_PLAIN, rng.randint(1, 4)):
        messages += [user(asked(rng, split, family)), assistant(family.answer)]
        if rng.random() < 0.15:
            messages += exchange(rng, split, others, share=1.0)
    last = rng.choice(TALK)
    messages += [user(asked(rng, split, last)), assistant(last.answer)]
    return Conversation("talk.chat", messages)


def _more(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    """An answer and the request to go on: what the family adds, and then that there is nothing left."""
    if rng.random() < 0.06:
        return Conversation(START, [user(_pick(rng, split, MORE)), assistant(MORE_OF_NOTHING)])
    messages = exchange(rng, split, others) if rng.random() < 0.25 else []
    pool = others if others and rng.random() < 0.7 else _PLAIN
    rich = [family for family in pool if family.more]
    family = rng.choice(rich if rich and rng.random() < 0.8 else pool)
    messages += [user(asked(rng, split, family)), assistant(family.answer)]
    replies = [family.more, NO_MORE] if family.more else [NO_MORE]
    for reply in replies[: 2 if rng.random() < 0.15 else 1]:
        messages += [user(_pick(rng, split, MORE)), assistant(reply)]
    return Conversation("talk.more", messages)


def _jokes(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    """One joke after another, until there are none left. The user may laugh in between."""
    messages: list[Message] = []
    laugh, laughed = _FAMILIES["laugh"], False
    told = (*JOKES, NO_MORE_JOKES)[: rng.choice((2, 2, 3, 3, 4, 5))]
    for i, joke in enumerate(told):
        if i and not laughed and rng.random() < 0.3:
            text = _pick(rng, split, MORE)
        else:
            key = "joke" if i == 0 or rng.random() < 0.2 else "another_joke"
            text = asked(rng, split, _FAMILIES[key])
        messages += [user(text), assistant(joke)]
        laughed = i + 1 < len(told) and rng.random() < 0.2
        if laughed:
            messages += [user(asked(rng, split, laugh)), assistant(laugh.answer)]
    return Conversation("talk.jokes", messages)


def _again(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    """The last answer, or the last question, once more."""
    if rng.random() < 0.12:
        texts, reply = rng.choice(((REPEAT, NOTHING_TO_REPEAT), (ECHO, NOTHING_TO_ECHO)))
        return Conversation(START, [user(_pick(rng, split, texts)), assistant(reply)])
    messages: list[Message] = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        messages += exchange(rng, split, others)
    if rng.random() < 0.6:
        return Conversation(
            "talk.repeat",
            [*messages, user(_pick(rng, split, REPEAT)), assistant(messages[-1]["content"])],
        )
    reply = ECHO_REPLY.format(text=messages[-2]["content"])
    return Conversation("talk.repeat", [*messages, user(_pick(rng, split, ECHO)), assistant(reply)])


def _facts(rng: Random, split: Split, others: Sequence[Family]) -> Conversation:
    """Things told, other turns, and one of the things asked back; or one that was never told."""
    facts = rng.sample(FACTS, rng.choice((1, 1, 1, 2, 2, 3)))
    untold = rng.random() < 0.2
    told = facts[1:] if untold else facts
    values = {fact.key: _values(rng, split) for fact in facts}
    messages = exchange(rng, split, others) if rng.random() < 0.2 else []
    for turn in _telling(rng, split, told, values):
        messages += turn
        if rng.random() < 0.2:
            messages += exchange(rng, split, others)
    if told and rng.random() < 0.12:  # told again, otherwise
        fact = rng.choice(told)
        values[fact.key] = _values(rng, split)
        messages += _telling(rng, split, [fact], values)[0]
    if not untold and rng.random() < 0.12:
        return Conversation("talk.facts", messages)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        messages += exchange(rng, split, others)
    backwards = rng.sample(told, len(told))
    for fact in backwards[: rng.choice((0, 0, 1)) if untold else rng.choice((1, 1, len(told)))]:
        ask = rng.choice(fact.asks)
        text = _ask_text(rng, split, ask.texts.pick(rng, split))
        messages += _filled([user(text), assistant(ask.answer)], values[fact.key])
    if not untold:
        return Conversation("talk.facts", messages)
    ask = rng.choice(facts[0].asks)
    texts = ask.texts.train if split == "train" else ask.texts.held_out
    # "Who is Rex?" asks for a pet only after it was told.
    text = _ask_text(rng, split, rng.choice([t for t in texts if "_name}" not in t]))
    messages += _filled([user(text), assistant(ask.untold)], _values(rng, split))
    return Conversation(UNTOLD, messages)


def _telling(
    rng: Random, split: Split, facts: Sequence[Fact], values: dict[str, dict[str, str]]
) -> list[list[Message]]:
    """Exchanges that tell `facts`, at times two in one message."""
    exchanges: list[list[Message]] = []
    left = list(facts)
    while left:
        fact = left.pop(0)
        one = _filled([user(_pick(rng, split, fact.tell)), assistant(fact.reply)], values[fact.key])
        if left and rng.random() < 0.3:
            fact = left.pop(0)
            two = _filled([user(_pick(rng, split, fact.tell)), assistant(fact.reply)], values[fact.key])
            between = rng.choice((". ", ". ", " and ", ", "))
            one = [
                user(f"{one[0]['content'].rstrip('.!?')}{between}{two[0]['content']}"),
                assistant(f"{one[1]['content']} {two[1]['content']}"),
            ]
        exchanges.append(one)
    return exchanges


def _ask_text(rng: Random, split: Split, template: str) -> str:
    return loosely(rng, _wrapped(rng, split, template), split)


def _filled(messages: list[Message], values: dict[str, str]) -> list[Message]:
    return [{**message, "content": message["content"].format(**values)} for message in messages]


def _values(rng: Random, split: Split) -> dict[str, str]:
    """A value for every slot, written as the user will write it: at times without capitals.

    In training many values are any word at all, so that giving them back rests on no list.
    """
    lower = rng.random() < 0.15
    names = FIRST_NAMES.some(rng, split, 3)
    place = CITIES.pick(rng, split)
    food, color = FOODS.pick(rng, split), COLORS.pick(rng, split)
    food = plural(food) if food in PLURAL_FOODS else food
    pet, job = PETS.pick(rng, split), JOBS.pick(rng, split)
    if split == "train":
        names = [_any_name(rng) if rng.random() < OPEN_VALUES else name for name in names]
        place = _any_name(rng, two=0.2) if rng.random() < OPEN_VALUES else place
        food = _anything(rng, FRUITS) if rng.random() < OPEN_VALUES else food
        color = _anything(rng, COLORS) if rng.random() < OPEN_VALUES else color
        pet = _anything(rng, ANIMALS, two=0.0) if rng.random() < OPEN_VALUES else pet
        job = _anything(rng, JOBS) if rng.random() < OPEN_VALUES else job
    name, pet_name, friend = (n.lower() for n in names) if lower else names
    return {
        "name": name,
        "pet_name": pet_name,
        "friend": friend,
        "city": place.lower() if lower else place,
        "pet": pet,
        "a_pet": _with_article(pet),
        "color": color,
        "age": AGES.pick(rng, split),
        "food": food,
        "job": job,
        "a_job": _with_article(job),
        "number": NUMBERS.pick(rng, split),
    }


def _any_word(rng: Random) -> str:
    """A training word, or one made up."""
    return rng.choice(_OPEN_WORDS) if rng.random() < 0.5 else pseudo_word(rng, "train")


def _any_name(rng: Random, two: float = 0.0) -> str:
    """Any word as a name; with probability `two` it has two words."""
    first = _any_word(rng).capitalize()
    return f"{first} {_any_word(rng).capitalize()}" if rng.random() < two else first


def _anything(rng: Random, kind: Words, two: float = 0.4) -> str:
    """Any word, with probability `two` before something of the kind, or at times just that."""
    if rng.random() < two:
        return f"{_any_word(rng)} {kind.pick(rng, 'train')}"
    return _any_word(rng) if rng.random() < 0.8 else kind.pick(rng, "train")


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
