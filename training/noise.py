"""How the same request varies from one person to the next: greetings, thanks, capitals, final marks.

Only training messages pass through here. What a task may ask about stays as it is: quoted text, digits, and
everything after a colon or a line break. Words that are not known to open a sentence keep their capitals,
since they may be names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from training.content.family import bare
from training.content.synonyms import FIXED, GROUPS
from training.conversation import Texts, is_held_out

_QUESTION = frozenset(
    [
        *("what", "what's", "whats", "which", "who", "who's", "where", "where's", "when", "when's", "why"),
        *("how", "how's", "is", "are", "am", "was", "were", "do", "does", "did", "can", "could", "would"),
        *("should", "has", "have", "had", "any", "anyone"),
    ]
)
_COMMAND = frozenset(
    [
        *("add", "alphabetize", "answer", "arrange", "ask", "book", "break", "calculate", "change", "check"),
        *(
            "choose",
            "classify",
            "combine",
            "compute",
            "convert",
            "copy",
            "count",
            "create",
            "deduct",
            "define",
        ),
        *("describe", "divide", "echo", "evaluate", "explain", "express", "extract", "fill", "find", "fix"),
        *(
            "flip",
            "format",
            "get",
            "give",
            "go",
            "help",
            "increase",
            "invert",
            "list",
            "look",
            "make",
            "name",
        ),
        *("order", "pick", "print", "pull", "put", "rank", "read", "rearrange", "reduce", "remind", "remove"),
        *("reorder", "repeat", "replace", "return", "reverse", "rewrite", "say", "search", "select", "send"),
        *("set", "show", "solve", "sort", "spell", "split", "start", "subtract", "sum", "summarize", "swap"),
        *("take", "tell", "translate", "turn", "use", "work", "write"),
    ]
)
# Commands that are nouns too ("Order 17 is late"): they count as commands before one of `_AFTER` only.
_NOUNS = frozenset(
    [
        *(
            "answer",
            "book",
            "break",
            "change",
            "check",
            "copy",
            "count",
            "echo",
            "fill",
            "find",
            "fix",
            "flip",
        ),
        *(
            "format",
            "get",
            "go",
            "help",
            "list",
            "look",
            "make",
            "name",
            "order",
            "pick",
            "print",
            "pull",
            "rank",
        ),
        *(
            "return",
            "reverse",
            "say",
            "search",
            "set",
            "show",
            "sort",
            "split",
            "start",
            "sum",
            "swap",
            "turn",
        ),
        *("use", "work"),
    ]
)
_AFTER = frozenset(
    [
        *("the", "this", "these", "that", "those", "my", "me", "a", "an", "all", "how", "in", "down", "out"),
        *("up", "every", "from", "to", "it", "them", "for", "what", "which", "your", "our", "at", "back"),
    ]
)
_OPENERS = frozenset(
    [
        *_QUESTION,
        *_COMMAND,
        *("a", "an", "and", "but", "so", "the", "then", "there", "there's", "these", "this", "that", "those"),
        *("if", "in", "on", "of", "out", "from", "for", "at", "to", "with", "it", "it's", "its", "i", "i'm"),
        *(
            "i've",
            "i'd",
            "i'll",
            "my",
            "me",
            "our",
            "we",
            "we're",
            "you",
            "your",
            "he",
            "she",
            "they",
            "please",
        ),
        *(
            "now",
            "ok",
            "okay",
            "great",
            "good",
            "thanks",
            "hello",
            "hi",
            "hey",
            "quick",
            "let's",
            "one",
            "two",
        ),
        *("some", "someone", "suppose", "here", "here's", "today", "yes", "no", "number", "numbers", "word"),
        *("words", "math", "also", "about", "after", "before", "just", "not", "maybe", "only", "because"),
    ]
)

ANY_PREFIXES = ("Hey, ", "Hi, ", "Hello, ", "Hi! ", "Hey! ", "Hello! ", "OK, ", "Okay, ", "So, ", "Well, ")
REQUEST_PREFIXES = (
    "Hi there, ",
    "Hey there, ",
    "Hello there! ",
    "Good morning! ",
    "Good evening, ",
    "Good afternoon. ",
    "Hey you, ",
    "Ok so ",
    "Right, ",
    "Alright, ",
    "Um, ",
    "Hmm, ",
    "Quick question: ",
    "Quick question, ",
    "One question: ",
    "Small request: ",
    "A question for you: ",
    "I have a question. ",
    "I've got a question for you: ",
    "I'm curious: ",
    "I was wondering: ",
    "Just wondering, ",
    "Sorry to bother you, but ",
    "Sorry, one more thing: ",
    "Excuse me, ",
    "Could you help me? ",
    "Can you help me with this? ",
    "Can you help me out: ",
    "I need some help. ",
    "I need your help: ",
    "I need this for work. ",
    "I need this for school. ",
    "This is for my homework. ",
    "This is for a project. ",
    "My boss wants to know: ",
    "A friend asked me this: ",
    "My kid asks: ",
    "Help me out here: ",
    "Help! ",
    "Dear assistant, ",
    "If you don't mind, ",
    "Let me ask you something: ",
    "Here's one for you: ",
    "Here is what I need: ",
    "Next question: ",
    "Another one: ",
    "Yo, ",
)
QUESTION_PREFIXES = (
    "Can you tell me: ",
    "Could you tell me: ",
    "Please tell me: ",
    "Tell me, ",
    "Tell me: ",
    "Do you know: ",
    "I want to know: ",
    "I'd like to know: ",
    "I need to know, ",
    "Any idea: ",
    "Remind me, ",
)
COMMAND_PREFIXES = (
    "Please ",
    "please ",
    "Pls ",
    "Kindly ",
    "Can you please ",
    "Could you please ",
    "Can you ",
    "Could you ",
    "Would you ",
    "Will you ",
    "I need you to ",
    "I want you to ",
    "I'd like you to ",
    "Go ahead and ",
    "Just ",
    "Now ",
    "Hey, please ",
    "Hi, can you ",
)
REQUEST_SUFFIXES = (
    " Thanks!",
    " Thanks.",
    " Thanks",
    " thanks!",
    " thx",
    " Thank you!",
    " Thank you.",
    " thank you",
    " Thanks a lot!",
    " Thanks in advance.",
    " Many thanks!",
    " Cheers!",
    " Please.",
    " please!",
    " Pretty please.",
    " I need this for work.",
    " I need it for school.",
    " It's for my homework.",
    " It's for a project I'm working on.",
    " I keep forgetting.",
    " I'm not sure myself.",
    " I can't figure it out.",
    " I'm curious.",
    " Just curious.",
    " Just checking.",
    " Just want to be sure.",
    " I'd really appreciate it.",
    " That would help me a lot.",
    " You'd be doing me a favor.",
    " Hope you can help.",
    " Let me know!",
    " My friend asked me.",
)

_STOP = re.compile(r"\n|:(?!\d)|(?<!\d):")  # what follows is left alone; 12:30 does not stop
_OPENING = re.compile(r"(^|[.!?] +)([A-Z][a-z]*(?:'[a-z]+)?)(?![\w'])")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|`[^`]*`|(?<!\w)'[^']*'(?!\w)|(?<!\w)‘[^’]*’(?!\w)")
_FIRST = re.compile(r"([A-Za-z]+(?:'[a-z]+)?)(?: ([A-Za-z]*))?")


def noisy(rng: Random, text: str) -> str:
    """`text` as someone else might type it; about half of all texts come back unchanged."""
    random = rng.random
    if random() < 0.45 or not text:
        return text
    stop = _STOP.search(text)
    opens = _FIRST.match(text)
    word = opens[1].lower() if opens else ""
    command = opens is not None and _is_command(word, opens[2])
    request = command or word in _QUESTION
    roll = random()
    if roll < 0.30:
        text = _with_prefix(rng, text, word, command)
    elif roll < 0.52:
        if request and not stop:
            text = _with_suffix(rng, text)
    elif roll < 0.60:
        if word in _OPENERS and text[0].islower():
            text = text[0].upper() + text[1:]
    elif roll < 0.66 and text[:8].lower() == "what is " and not stop:
        text = text[:4] + rng.choice(("'s ", "s ", "'s ")) + text[8:]
    if random() < 0.45:
        text = _lowered(text)
    if not stop and random() < 0.45:
        text = _with_other_end(rng, text, word, command)
    return text


def _is_command(word: str, following: str | None) -> bool:
    if following is None or word not in _COMMAND:
        return False
    return word not in _NOUNS or following.lower() in _AFTER


def _with_prefix(rng: Random, text: str, word: str, command: bool) -> str:
    if command and rng.random() < 0.45:
        prefix = rng.choice(COMMAND_PREFIXES)
        ask = prefix.rstrip().lower()
        text = prefix + text[0].lower() + text[1:]
        asks = ask.endswith(
            ("can you", "could you", "would you", "will you", "can you please", "could you please")
        )
        if asks and text.endswith(".") and text.count(". ") == 0 and not _STOP.search(text):
            text = f"{text[:-1]}?"
        return text
    if word in _QUESTION and rng.random() < 0.35:
        prefix = rng.choice(QUESTION_PREFIXES)
    elif word in _QUESTION or command:
        prefix = rng.choice(REQUEST_PREFIXES if rng.random() < 0.7 else ANY_PREFIXES)
    else:
        prefix = rng.choice(ANY_PREFIXES)
    joined = prefix[-2] not in ".!?"
    if joined and word in _OPENERS and word != "i" and not word.startswith("i'") and rng.random() < 0.8:
        text = text[0].lower() + text[1:]
    return prefix + text


def _with_suffix(rng: Random, text: str) -> str:
    if text[-1] in ".?" and not any(mark in text for mark in ",;[(") and rng.random() < 0.3:
        return text[:-1] + rng.choice((", please", ", thanks", " please")) + text[-1]
    if text[-1] not in ".?!":
        text += "?" if text.split(" ", 1)[0].lower() in _QUESTION else "."
    return text + rng.choice(REQUEST_SUFFIXES)


def _lowered(text: str) -> str:
    """Sentence openings and "I" in lower case, up to the first colon or line break and outside quotes."""
    stop = _STOP.search(text)
    end = stop.start() if stop else len(text)
    head, tail = text[:end], text[end:]
    kept = [m.span() for m in _QUOTED.finditer(head)]

    def lower(match: re.Match[str]) -> str:
        at = match.start(2)
        if match[2].lower() not in _OPENERS or any(first <= at < last for first, last in kept):
            return match[0]
        return match[1] + match[2].lower()

    return _OPENING.sub(lower, head) + tail


def _with_other_end(rng: Random, text: str, word: str, command: bool) -> str:
    last = text[-1]
    if last in ".?" and text[-2:-1] not in (".", "?", "!", " ", ""):
        if last == "." and command and rng.random() < 0.25:
            return f"{text[:-1]}!"
        return text[:-1]
    if word in _QUESTION and last.isalnum():
        return f"{text}{rng.choice(('?', '?', '??', ' ?'))}"
    return text


def apart(train: Sequence[str], held_out: Sequence[str]) -> Texts:
    """Templates of one intent, less the held-out ones that equal a training one but for case and marks."""
    known = {bare(text) for text in train}
    return Texts(train, [text for text in held_out if bare(text) not in known])


_FILLERS = (
    "actually",
    "basically",
    "exactly",
    "again",
    "really",
    "then",
    "just",
    "maybe",
    "quickly",
    "simply",
)


def blurred(rng: Random, text: str, most: float = 0.25) -> str:
    """A text with words lost (at most that share), swapped, mistyped or put in: what is left must do.

    For questions whose answer hangs on what they are about, not on each word.
    """
    words = text.split()
    if len(words) > 3:
        lost = rng.uniform(0.0, most)
        kept = [w for w in words if rng.random() >= lost]
        words = kept if len(kept) >= 3 else words
    if len(words) > 2 and rng.random() < 0.15:
        i = rng.randrange(len(words) - 1)
        words[i], words[i + 1] = words[i + 1], words[i]
    if rng.random() < 0.12:
        words.insert(rng.randrange(len(words) + 1), rng.choice(_FILLERS))
    if rng.random() < 0.2:
        i = rng.randrange(len(words))
        words[i] = mistyped(rng, words[i])
    text = " ".join(words)
    return text.lower() if rng.random() < 0.3 else text


def mistyped(rng: Random, word: str) -> str:
    """One letter lost, doubled or swapped with the next, unless a held-out word would come out."""
    if len(word) < 4 or not word.isalpha():
        return word
    i = rng.randrange(1, len(word) - 1)
    typed = rng.choice(
        (
            word[:i] + word[i + 1 :],
            word[:i] + word[i] + word[i:],
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
        )
    )
    return word if is_held_out(typed) else typed


_ACRONYMS = {"gpu": "GPU", "gpus": "GPUs", "cpu": "CPU", "cpus": "CPUs", "ram": "RAM", "pc": "PC", "tv": "TV"}
_TERM = re.compile(
    r"(?<![\w{}<>/\\.@#$%&=+*_'\u2019-])[A-Za-z]+(?:['-][A-Za-z]+)*(?![\w{}<>/\\@#$%&=+*_'\u2019(\[-]|\.\w)"
)
_AN = re.compile(r"(?:[aeio]|u(?!s|ni|ti)|hour|honest)(?!ne\b|nce\b|ne )", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![\w'-])([Aa])(n?)( )$")


def _alternatives() -> dict[str, list[str]]:
    """The others of its group, for each entry; none for a fixed phrase."""
    found: dict[str, list[str]] = {phrase: [] for phrase in FIXED}
    for group in GROUPS:
        entries = group.split(" | ")
        for entry in entries:
            assert entry not in found, entry
            found[entry] = [other for other in entries if other != entry]
    return found


_OTHERS = _alternatives()
_LENGTHS: dict[str, list[int]] = {}  # by first word: how many words its entries have, longest first
for _entry in sorted(_OTHERS, key=lambda e: -e.count(" ")):
    _counts = _LENGTHS.setdefault(_entry.split(" ", 1)[0], [])
    if (_count := _entry.count(" ") + 1) not in _counts:
        _counts.append(_count)


def reworded(rng: Random, text: str, share: float = 0.2) -> str:
    """`text` with words and phrases replaced, each with that probability, by others of their group.

    Quoted text, what follows a colon or a line break, words beside digits, and words with capitals that do
    not open a sentence stay as they are.
    """
    stop = _STOP.search(text)
    end = stop.start() if stop else len(text)
    quoted = [m.span() for m in _QUOTED.finditer(text, 0, end)]
    terms = [m.span() for m in _TERM.finditer(text, 0, end)]
    lower = text.lower()
    done = ""  # the text up to `kept`, reworded
    kept = i = 0
    while i < len(terms):
        start = terms[i][0]
        count = _entry_at(text, lower, terms, i)
        others = _OTHERS[lower[start : terms[i + count - 1][1]]] if count else ()
        i, last = i + max(count, 1), terms[i + max(count, 1) - 1][1]
        if not others or rng.random() >= share:
            continue
        if any(a < last and start < b for a, b in quoted) or _beside_digit(text, start, last):
            continue
        other = _in_case(rng.choice(others), text, start)
        done += text[kept:start]
        if article := _ARTICLE.search(done):
            done = f"{done[: article.start()]}{article[1]}{'n' if _AN.match(other) else ''} "
        done += other
        kept = last
    return done + text[kept:]


def _entry_at(text: str, lower: str, terms: list[tuple[int, int]], i: int) -> int:
    """How many words from word `i` on are the longest entry; 0 if none is."""
    start, end = terms[i]
    for count in _LENGTHS.get(lower[start:end], ()):
        if i + count > len(terms):
            continue
        last = terms[i + count - 1][1]
        phrase = lower[start:last]
        if phrase in _OTHERS and _plain(text, start, last):
            return count
    return 0


def _plain(text: str, start: int, last: int) -> bool:
    """Whether the capitals of a phrase say nothing: those of "I", of acronyms, and of the first word."""
    phrase = text[start:last]
    if phrase.islower():
        return True
    for at, word in enumerate(phrase.split(" ")):
        if word.islower() or word[:2] in ("I", "I'") or _ACRONYMS.get(word.lower()) == word:
            continue
        opens = at == 0 and word[0] + word[1:].lower() == word
        if not opens or not _opens(text, start):
            return False
    return True


def _beside_digit(text: str, start: int, last: int) -> bool:
    before = text[:start].rsplit(None, 1)[-1:]
    after = text[last:].split(None, 1)[:1]
    return any(c.isdigit() for chunk in (*before, *after) for c in chunk)


def _in_case(phrase: str, text: str, start: int) -> str:
    """A phrase of lower-case words as it is written at that place of the text."""
    if not text.islower():
        words = phrase.split(" ")
        phrase = " ".join(
            _ACRONYMS.get(w) or ("I" + w[1:] if w == "i" or w.startswith("i'") else w) for w in words
        )
    return phrase[0].upper() + phrase[1:] if text[start].isupper() and _opens(text, start) else phrase


def _opens(text: str, start: int) -> bool:
    return text[:start].rstrip(" ")[-1:] in ("", ".", "!", "?")
