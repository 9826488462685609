"""Opinions, and questions whether a text is positive or negative.

Training opinions are composed from the frames of `sentiment_train` or taken from `opinions_train`; held-out
ones are composed from frames that training leaves out, and strangers' are in `classify_held_out`.
`fill`, `contract` and `capital` serve the other generators of plain text too.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from training.content import opinions_train
from training.content import sentiment_train as words
from training.conversation import Conversation, Split, assistant, kept_back, user
from training.noise import reworded

KIND = "sentiment"
Polarity = Literal["positive", "negative"]
OTHER: dict[Polarity, Polarity] = {"positive": "negative", "negative": "positive"}

_WHOLE: dict[Polarity, list[str]] = {
    "positive": opinions_train.POSITIVE,
    "negative": opinions_train.NEGATIVE,
}
_AREAS = list(opinions_train.PARTS)
_GRANTED = (
    "although {0}, {1}, and that is what counts.",
    "yes, {0}, but {1}, and that matters more to me.",
    "I grant that {0}, but {1}, and I will remember that.",
    "even though {0}, {1}, and that settles it.",
    "{0}, but {1}, and the second weighs far more.",
)
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{([a-z_0-9]+)\}")
_ARTICLE = re.compile(r"\b([Aa])n? $")
_AN = re.compile(r"(?!(?:uni[^nm]|use|usu|one\b|once|eu))(?:[aeiou]|hour|honest)", re.IGNORECASE)
_SENTENCE = re.compile(r"(^|[.!?]\s+)([a-z])")
_CONTRACTIONS = [
    (re.compile(rf"\b{full}\b(?= \w)"), short)
    for full, short in (
        ("cannot", "can't"),
        ("can not", "can't"),
        ("will not", "won't"),
        ("([Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Ww]as|[Aa]re|[Ww]ere|[Cc]ould|[Ww]ould|[Hh]as|[Hh]ad) not", r"\1n't"),
        ("(I|[Yy]ou|[Ww]e|[Tt]hey) have(?= (?:been|never|had|to|no|rarely|known|seen))", r"\1've"),
        ("(I|[Yy]ou|[Ww]e|[Tt]hey) will", r"\1'll"),
        ("I am", "I'm"),
        ("([Yy]ou|[Ww]e|[Tt]hey) are", r"\1're"),
        ("([Ii]t|[Tt]hat|[Tt]here|[Hh]e|[Ss]he|[Ww]hat) is", r"\1's"),
        ("I would", "I'd"),
    )
]
_PLURAL_WAS = re.compile(r"\b(We|we|We all|we all|guests|friends|They|they) was\b")


def opinion(rng: Random, split: Split) -> tuple[str, Polarity]:
    polarity: Polarity = rng.choice(("positive", "negative"))
    return opinion_of(rng, split, polarity), polarity


def opinion_of(rng: Random, split: Split, polarity: Polarity) -> str:
    if split == "train":
        text = _told(rng, polarity) if rng.random() < 0.5 else _composed(rng, polarity, split)
        return reworded(rng, text, 0.5) if rng.random() < 0.4 else text
    if split == "held_out":
        return _composed(rng, polarity, split)
    from training.content import classify_held_out

    return rng.choice(classify_held_out.POSITIVE if polarity == "positive" else classify_held_out.NEGATIVE)


def conversation(rng: Random, split: Split) -> Conversation:
    text, polarity = opinion(rng, split)
    return Conversation(KIND, [user(question(rng, split, text)), assistant(polarity)])


def question(rng: Random, split: Split, text: str) -> str:
    """Asks whether `text` is positive or negative."""
    if split != "train":
        from training.content import classify_held_out

        return rng.choice(classify_held_out.SENTIMENT_QUESTIONS).replace("{text}", text)
    asked = fill(rng, rng.choice(words.QUESTIONS), lambda _: None)
    last = asked.endswith("{quoted}")
    quotes = [q for q in words.QUOTES if last or (q != "{text}" and "\n" not in q)]
    asked = asked.replace("{quoted}", rng.choice(quotes))
    if rng.random() < 0.1:
        asked = asked.lower()
    elif rng.random() < 0.1:
        asked = asked.replace(
            "positive or negative", rng.choice(("negative or positive", "positive/negative"))
        )
    return asked.replace("{text}", text)


def fill(rng: Random, text: str, pick: Callable[[str], str | None]) -> str:
    """Decides every `(a|b)` and `{slot}` in `text`, those inside values too.

    `pick` gives the value of a slot; where it gives None the slot stays. "a" becomes "an" where
    the value asks for it.
    """
    while found := _CHOICE.search(text):
        text = text[: found.start()] + rng.choice(found[1].split("|")) + text[found.end() :]
    done = ""
    while found := _SLOT.search(text):
        before = done + text[: found.start()]
        value = pick(found[1])
        text = text[found.end() :]
        if value is None:
            done = before + found[0]
            continue
        value = fill(rng, value, pick)
        if article := _ARTICLE.search(before):
            before = before[: article.start()] + article[1] + ("n " if _AN.match(value) else " ")
        done = before + value
    return done + text


def contract(text: str) -> str:
    """Writes "don't" for "do not", and so on."""
    for pattern, short in _CONTRACTIONS:
        text = pattern.sub(short, text)
    return text


def capital(text: str) -> str:
    """Starts every sentence with a capital."""
    return _SENTENCE.sub(lambda m: m[1] + m[2].upper(), text)


class _Words:
    """Words of both polarities about one thing; gives no clause twice."""

    def __init__(self, rng: Random, polarity: Polarity):
        self.rng, self.polarity = rng, polarity
        self.domain = rng.choice(words.DOMAINS)
        self.thing = rng.choice(self.domain.things)
        self.used: set[str] = set()

    def pick(self, slot: str) -> str | None:
        if slot == "thing":
            return self.thing
        polarity = OTHER[self.polarity] if slot.endswith("_x") else self.polarity
        return self._value(slot.removesuffix("_x"), polarity == "positive")

    def _value(self, slot: str, good: bool) -> str | None:
        w, domain = words, self.domain
        match slot:
            case "adj":
                return self._adjective(good)
            case "adjp":
                return self._phrase(good)
            case "negated":
                return self._negated(good)
            case "fact":
                return self._new(domain.likes if good else domain.gripes)
            case "end":
                return self._new(w.COME_BACK if good else w.STAY_AWAY)
            case "noun":
                return self._new(w.JOY if good else w.MISERY)
            case "loved":
                return self._new(w.LOVED if good else w.HATED)
            case "love":
                return self._new(w.LOVE if good else w.HATE)
            case "like":
                return self._new(w.LIKE if good else w.DISLIKE)
            case "feel":
                return self._new(w.HAPPY if good else w.UPSET)
            case "adv":
                return self._new(w.WELL if good else w.BADLY)
        return None

    def _new(self, values: Sequence[str]) -> str:
        value = self.rng.choice([v for v in values if v not in self.used] or values)
        self.used.add(value)
        return value

    def _lists(self, good: bool) -> tuple[list[str], list[str], list[str]]:
        w = words
        return (w.GOOD, w.SUPERB, self.domain.good) if good else (w.BAD, w.DIRE, self.domain.bad)

    def _adjective(self, good: bool) -> str:
        """One word that may stand before a noun."""
        values = self.rng.choices(self._lists(good), (4, 4, 3))[0]
        return self._new([v for v in values if " " not in v])

    def _phrase(self, good: bool) -> str:
        plain, strong, special = self._lists(good)
        chance = self.rng.random()
        if chance < 0.25:
            return self._new(self.rng.choice((plain, strong, special)))
        if chance < 0.55:
            adjective = self._new([v for v in self.rng.choice((plain, special)) if " " not in v])
            return f"{self.rng.choice(words.VERY)} {adjective}"
        if chance < 0.75:
            return f"{self.rng.choice(words.UTTERLY)} {self._new(strong)}"
        pair = self.rng.choice(("{} and {}", "{}, {}", "{} and really {}", "so {} and {}", "both {} and {}"))
        return pair.format(self._adjective(good), self._adjective(good))

    def _negated(self, good: bool) -> str:
        """A word of the other polarity, turned around."""
        frames = words.NEGATED_TO_GOOD if good else words.NEGATED_TO_BAD
        turned = words.TURN_BAD if good else words.TURN_GOOD
        return self.rng.choice(frames).replace("{w}", self._new(turned)).replace("{w2}", self._new(turned))


def _told(rng: Random, polarity: Polarity) -> str:
    """A whole text of `opinions_train`, two of them, or clauses of one area."""
    chance = rng.random()
    if chance < 0.3:
        return _style(rng, _clauses(rng, polarity))
    count = 2 if chance < 0.4 else 1
    return _style(rng, " ".join(rng.sample(_WHOLE[polarity], count)))


def _clauses(rng: Random, polarity: Polarity) -> str:
    good, bad = opinions_train.PARTS[rng.choice(_AREAS)]
    count = rng.choices((1, 2, 3), (30, 45, 25))[0]
    facts = rng.sample(good if polarity == "positive" else bad, count)
    match rng.randrange(4):
        case 0 if count > 1:
            return capital(". ".join(facts)) + "."
        case 1 if count == 2:
            return capital(f"{facts[0]}, {rng.choice(('and', 'plus', 'and what is more,'))} {facts[1]}.")
        case 2:
            # The other side is granted first; the last word decides.
            granted = rng.choice(bad if polarity == "positive" else good)
            return capital(rng.choice(_GRANTED).format(granted, facts[0]))
    start = ", ".join(facts[:-1])
    return capital(f"{start} and {facts[-1]}." if start else f"{facts[0]}.")


@functools.cache
def _frames(polarity: Polarity, split: Split) -> tuple[list[str], ...]:
    """Sentence frames of a split: for either polarity, for this one alone, and contrasts."""
    alone = words.PRAISE if polarity == "positive" else words.COMPLAINT
    return tuple(kept_back(frames, split) for frames in (words.FRAMES, alone, words.CONTRAST))


def _composed(rng: Random, polarity: Polarity, split: Split) -> str:
    source = _Words(rng, polarity)
    sentences: list[str] = []
    count = rng.choices((1, 2, 3), (62, 28, 10))[0]
    sources = rng.choices(_frames(polarity, split), (58, 26, 16), k=count)
    for frame in dict.fromkeys(rng.choice(frames) for frames in sources):
        sentence = fill(rng, frame, source.pick)
        sentences.append(_PLURAL_WAS.sub(r"\1 were", sentence))
    text = " ".join(s if s[-1] in ".!?)(" or s is sentences[-1] else s + "." for s in sentences)
    text = capital(text)
    if rng.random() < 0.08:
        opener = rng.choice(words.OPENERS)
        if opener[-1] in ",:" and not re.match("I[ ']", text):
            text = text[0].lower() + text[1:]
        text = f"{opener} {text}"
    return _style(rng, text)


def _style(rng: Random, text: str) -> str:
    """How different people type: with contractions, without capitals, without a full stop."""
    if rng.random() < 0.5:
        text = contract(text)
    chance = rng.random()
    if chance < 0.14:
        text = text.lower()
        if rng.random() < 0.4:
            text = text.replace("'", "")
    elif chance < 0.17:
        text = text.upper()
    chance = rng.random()
    if chance < 0.12:
        text = text.rstrip(".!")
    elif chance < 0.2:
        text = text.rstrip(".") + rng.choice(("!", "!!", "!!!", "...", " ."))
    return text
