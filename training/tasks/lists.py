"""Lists and letters: sorting, reversing, counting, spelling.

Words come from the word lists and are made up in about equal parts, so that the letters of every token are
learnt and not those of a few words. Answers join lists with ", ", and letters with "-".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from training.content import numbers_held_out, numbers_train
from training.conversation import Conversation, Split, assistant, is_held_out, user
from training.noise import apart, noisy
from training.words import ANIMALS, CITIES, COLORS, FIRST_NAMES, FOODS, FRUITS, ITEMS, WORDS, pseudo_word

KIND = "lists"
LIST_KEYS = {  # and how often each is asked
    "sort_up": 10,
    "sort_down": 8,
    "sort_words": 10,
    "sort_words_down": 6,
    "reverse_list": 9,
    "count_items": 9,
    "largest": 8,
    "smallest": 8,
}
WORD_KEYS = {"spell": 11, "reverse_word": 11, "count_letters": 9, "count_letter": 9}

_TEXTS = {
    key: apart(numbers_train.TEMPLATES[key], numbers_held_out.TEMPLATES[key]) for key in LIST_KEYS | WORD_KEYS
}
_KEYS = [*LIST_KEYS, *WORD_KEYS]
_ODDS = [*LIST_KEYS.values(), *WORD_KEYS.values()]
_SOURCES = (WORDS, WORDS, WORDS, FRUITS, ANIMALS, FIRST_NAMES, COLORS, CITIES, FOODS, ITEMS)
_QUOTES = "\"'“”‘’`«»"


def conversation(rng: Random, split: Split) -> Conversation:
    key = rng.choices(_KEYS, _ODDS)[0]
    template = _TEXTS[key].pick(rng, split)
    if key in WORD_KEYS:
        asked, answer = _about_word(rng, split, key, template)
    else:
        asked, answer = _about_list(rng, split, key, template)
    if (
        split == "train" and template[0] != "{"
    ):  # noise may take a word of the list for the start of a request
        asked = noisy(rng, asked)
    return Conversation(KIND, [user(asked), assistant(answer)])


def _about_list(rng: Random, split: Split, key: str, template: str) -> tuple[str, str]:
    count = rng.choice((2, 3, 3, 4, 4, 5, 5, 6, 7))
    mixed = key in ("reverse_list", "count_items")
    words = key.startswith("sort_words") or (mixed and rng.random() < 0.7)
    items = _words(rng, split, count) if words else _numbers(rng, count)
    return _asked(rng, template, items), _LIST_ANSWERS[key](items)


_LIST_ANSWERS: dict[str, Callable[[list[str]], str]] = {
    "sort_up": lambda items: ", ".join(sorted(items, key=int)),
    "sort_down": lambda items: ", ".join(sorted(items, key=int, reverse=True)),
    "sort_words": lambda items: ", ".join(sorted(items, key=str.lower)),
    "sort_words_down": lambda items: ", ".join(sorted(items, key=str.lower, reverse=True)),
    "reverse_list": lambda items: ", ".join(reversed(items)),
    "count_items": lambda items: str(len(items)),
    "largest": lambda items: max(items, key=int),
    "smallest": lambda items: min(items, key=int),
}


def _about_word(rng: Random, split: Split, key: str, template: str) -> tuple[str, str]:
    longest, names = 8 if key in ("spell", "reverse_word") else 10, key in ("spell", "count_letters")
    word = _word(rng, split, longest, names)
    while split == "train" and key == "reverse_word" and is_held_out(word[::-1]):
        word = _word(rng, split, longest, names)  # turned round it could be a held-out word
    shown = word
    if not any(f"{quote}{{word}}" in template for quote in _QUOTES):
        shown = rng.choice(("{}", "{}", "{}", '"{}"', '"{}"', "'{}'")).format(word)
    if key == "spell":
        return template.format(word=shown), "-".join(word)
    if key == "reverse_word":
        return template.format(word=shown), word[::-1]
    if key == "count_letters":
        return template.format(word=shown), str(len(word))
    letter = _letter(rng, word)
    return template.format(word=shown, letter=letter), str(word.count(letter))


def _word(rng: Random, split: Split, longest: int, names: bool) -> str:
    """A word of 3 letters and more; in training every other one is made up."""
    while True:
        roll = rng.random()
        if roll < (0.35 if split == "train" else 0.3):
            word = pseudo_word(rng, split)
        elif split == "train" and roll < 0.6:
            word = _blend(rng)
        elif names and roll > 0.92:
            word = FIRST_NAMES.pick(rng, split)
        else:
            word = _SOURCES[int(rng.random() * 5)].pick(rng, split)
        if 3 <= len(word) <= longest and " " not in word:
            return word


def _blend(rng: Random) -> str:
    """The beginning of one word and the end of another: pieces of words are spelt in every company."""
    while True:
        first, second = (rng.choice(_SOURCES).pick(rng, "train").lower() for _ in range(2))
        word = first[: rng.randint(1, 5)] + second[-rng.randint(2, 6) :]
        if word.isascii() and word.isalpha() and not is_held_out(word):
            return word


def _letter(rng: Random, word: str) -> str:
    """Mostly a letter of the word, and then often the commonest."""
    roll = rng.random()
    if roll < 0.35:
        return Counter(word).most_common(1)[0][0]
    if roll < 0.85:
        return rng.choice(word)
    return rng.choice("abcdefghijklmnopqrstuvwxyz")


def _numbers(rng: Random, count: int) -> list[str]:
    high = rng.choice((20, 100, 100, 1000, 1000))
    if rng.random() < 0.1:
        return [str(rng.randrange(high)) for _ in range(count)]  # may hold a number twice
    if rng.random() < 0.25:  # close to one another, so that every digit counts
        low = rng.randrange(0, 960)
        return [str(n) for n in rng.sample(range(low, low + 40), count)]
    if high == 1000 and rng.random() < 0.5:  # of different lengths
        return [str(rng.randrange(10 ** rng.randint(1, 3))) for _ in range(count)]
    return [str(n) for n in rng.sample(range(high), count)]


def _words(rng: Random, split: Split, count: int) -> list[str]:
    """Single words, all different, from one list, made up, or common and made-up ones mixed."""
    roll = rng.random()
    if roll < 0.2:
        words = {pseudo_word(rng, split) for _ in range(count)}
    elif roll < 0.35:
        words = {
            pseudo_word(rng, split) if rng.random() < 0.5 else WORDS.pick(rng, split) for _ in range(count)
        }
    else:
        source = _SOURCES[int(rng.random() * len(_SOURCES))]
        every = source.train if split == "train" else source.held_out
        words = {word for word in rng.sample(every, min(count, len(every))) if " " not in word}
        if rng.random() < 0.25 and source is WORDS:  # with the same beginning
            first = rng.choice(every)[0]
            like = [w for w in every if w[0] == first]
            words = set(rng.sample(like, count)) if len(like) >= count else words
    while len(words) < 2:
        words.add(WORDS.pick(rng, split))
    shuffled = sorted(words)
    rng.shuffle(shuffled)
    return shuffled


def _asked(rng: Random, template: str, items: Sequence[str]) -> str:
    last = template.endswith("{items}")
    bounded = last or template[template.index("{items}") + len("{items}")] in ":.?-"
    roll = rng.random()
    if last and roll < 0.12:
        bullet = rng.choice(("- ", "- ", "* ", "", "• "))
        listed = "".join(f"\n{bullet}{item}" for item in items)
        return template.removesuffix("{items}").rstrip() + listed
    if roll < 0.62:
        shown = ", ".join(items)
    elif roll < 0.70 and (bounded or items[0].isdigit()):
        shown = " ".join(items)
    elif roll < 0.74:
        shown = "; ".join(items)
    elif roll < 0.77:
        shown = ",".join(items)
    elif roll < 0.88:
        comma = "," if len(items) > 2 and rng.random() < 0.5 else ""
        shown = ", ".join(items[:-1]) + f"{comma} and {items[-1]}"
    elif roll < 0.92:
        shown = f"[{', '.join(items)}]"
    elif roll < 0.95 and not items[0].isdigit():
        shown = "[" + ", ".join(f'"{item}"' for item in items) + "]"
    elif roll < 0.98 and not items[0].isdigit():
        quote = rng.choice("\"'")
        shown = ", ".join(f"{quote}{item}{quote}" for item in items)
    else:
        shown = ", ".join(items)
    return template.replace("{items}", shown)
