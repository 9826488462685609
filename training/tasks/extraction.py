"""From a sentence to JSON: the fields of a schema, with the values the sentence gives them.

Strings are copied as they stand, numbers are JSON numbers, and what the sentence does not say is null. The
schema comes in many dresses, from a list of names to JSON Schema.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from training import words
from training.content import extraction_more_a, extraction_more_b
from training.content import extraction_train as content
from training.content.tool_kinds import (
    OPEN,
    Maker,
    Value,
    draw,
    fill,
    open_text,
    spell_out,
    tight_slots,
)
from training.conversation import Conversation, Message, Split, assistant, kept_back, system, user

KIND = "extraction"

_HELD_OUT_SYSTEMS = (
    "Whatever the user writes, reduce it to JSON with {fields}.",
    "Messages come in, JSON goes out. Fields: {fields}",
    "Only ever reply with JSON.\nThe schema is {fields}",
)


def _items(rng: Random, split: Split) -> Value:
    text = words.plural(words.item(rng, split))
    if split == "train" and rng.random() < OPEN:
        text = open_text("items", rng)
    return text, text


def _room(rng: Random, split: Split) -> Value:
    text = f"{rng.choice('ABCDEFGH')}{rng.randint(1, 320)}"
    return text, text


def _score(rng: Random, split: Split) -> Value:
    low = rng.randint(0, 9) if rng.random() < 0.7 else rng.randint(10, 95)
    text = f"{low + rng.randint(1, 6)}{rng.choice('-:') if rng.random() < 0.3 else '-'}{low}"
    return text, text


_TYPES: dict[str, str | Maker] = {
    "age": "2..97",
    "amount": "price",
    "author": "name",
    "condition": "sky",
    "day": "weekday",
    "destination": "city",
    "loser": "team",
    "order.item": _items,
    "origin": "city",
    "owner": "name",
    "people": "2..14",
    "pet": "first",
    "pet.age": "2..20",
    "quantity": "2..120",
    "receiver": "name",
    "room": _room,
    "score": _score,
    "sender": "name",
    "teacher": "name",
    "temperature": "-18..41",
    "weight": "0.5..90.0",
    "winner": "team",
    "year": "1900..2029",
}
_INTEGERS = frozenset(("age", "quantity", "people", "temperature", "year"))
_NUMBERS = frozenset(("price", "amount", "weight"))


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    slot: str  # empty: the sentence does not say it
    type: str  # "string", "integer" or "number"
    nullable: bool = False


@functools.cache
def _makers(domain: str) -> tuple[tuple[str, str | Maker], ...]:
    return tuple(
        (slot, _TYPES.get(f"{domain}.{slot}") or _TYPES.get(slot, slot)) for slot in content.FIELDS[domain]
    )


def _made(kind: str | Maker, rng: Random, split: Split, tight: bool) -> Value:
    return draw(kind, rng, split, tight, True) if isinstance(kind, str) else kind(rng, split)


def _sentences(domain: str) -> list[str]:
    sources = (content, extraction_more_a, extraction_more_b)
    return list(dict.fromkeys(t for source in sources for t in source.SENTENCES.get(domain, ())))


@functools.cache
def _texts(split: Split) -> tuple[dict[str, Sequence[str]], Sequence[str], Sequence[str]]:
    """Sentences, instructions and system messages of a split."""
    if split != "strangers":
        sentences = {domain: kept_back(_sentences(domain), split) for domain in content.SENTENCES}
        instructions = [*content.INSTRUCTIONS, *extraction_more_b.INSTRUCTIONS]
        return sentences, kept_back(instructions, split), kept_back(content.SYSTEMS, split)
    held = importlib.import_module("training.content.extraction_held_out")
    sentences = {domain: held.SENTENCES[domain] for domain in content.SENTENCES if held.SENTENCES.get(domain)}
    return sentences, held.INSTRUCTIONS, _HELD_OUT_SYSTEMS


@functools.cache
def _domains(split: Split) -> tuple[str, ...]:
    return tuple(_texts(split)[0])


Telling = Callable[[bool], tuple[str, dict[str, Any]]]  # a sentence, all in lower case or not, and its record


def conversation(rng: Random, split: Split) -> Conversation:
    if split == "train" and rng.random() < 0.1:
        domain, fields, lists, tell = _invented(rng)
    else:
        domain = rng.choice(_domains(split))
        fields = _fields(rng, domain, split)
        lists = content.LISTS[domain]
        tell = functools.partial(_sentence, rng, split, domain, fields)
    _, instructions, systems = _texts(split)
    train = split == "train"
    listed = rng.choice(lists) if rng.random() < (0.14 if train else 0.08) else ""
    if listed and train and rng.random() < 0.5:
        text, answer = _example(rng, split, tell, listed)
        plain = rng.choices(_INLINE, _INLINE_WEIGHTS)[0](rng, fields, "", domain)
        asked = _put(rng.choice(content.LIST_INSTRUCTIONS).replace("{list}", listed), plain)
        return Conversation(KIND, [user(asked.replace("{sentence}", text)), assistant(answer)])
    dresses, weights = (_ALL, _ALL_WEIGHTS) if train else (_DRESSES, _WEIGHTS)
    schema = rng.choices(dresses, weights)[0](rng, fields, listed, domain)
    text, answer = _example(rng, split, tell, listed)
    messages: list[Message]
    if rng.random() < 0.25:
        messages = [system(_put(rng.choice(systems), schema))]
        while rng.random() < 0.15 and len(messages) < 5:
            before, said = _example(rng, split, tell, listed)
            messages += [user(before), assistant(said)]
        messages.append(user(text))
    else:
        template = _composed(rng) if train and rng.random() < 0.35 else rng.choice(instructions)
        asked = _put(template, schema)
        messages = [user(asked.replace("{sentence}", text))]
    return Conversation(KIND, [*messages, assistant(answer)])


def _composed(rng: Random) -> str:
    """An instruction put together from pieces."""
    pick = rng.choice
    asked = f"{pick(content.VERBS)} {pick(content.OBJECTS)} {pick(content.WITHS)} {{fields}}"
    polite = pick(content.POLITE)
    whole = polite + asked if polite else asked[0].upper() + asked[1:] if rng.random() < 0.8 else asked
    mark = "?" if polite.startswith(("Could", "Can", "Would")) else "."
    tail, label = pick(content.TAILS), pick(content.TEXT_LABELS)
    form = rng.randrange(10)
    if form == 0:
        return f"{whole}: {{sentence}}"
    if form == 1:
        return f"{whole}{mark}{tail}\n\n{{sentence}}"
    if form == 2:
        return f"{whole}{mark}{tail} {label}: {{sentence}}"
    if form == 3:
        return f"{{sentence}}\n\n{whole}{mark}{tail}"
    if form == 4:
        return f"{label}: {{sentence}}\n{whole}{mark}{tail}"
    if form == 5:
        return f'{whole} {pick(content.SOURCES)} "{{sentence}}"{tail}'
    if form == 6:
        source = pick(content.SOURCES)
        return f'{source[0].upper()}{source[1:]} "{{sentence}}", {asked}.{tail}'
    if form == 7:
        return f"{label}:\n{{sentence}}\n\n{whole}{mark}{tail}"
    if form == 8:
        return f"{whole}{mark}{tail}\n{label}: {{sentence}}"
    return f'{label}: "{{sentence}}" {whole}{mark}{tail}'


def _put(template: str, schema: str) -> str:
    """The template with its schema; one of several lines stands by itself."""
    before, _, after = template.partition("{fields}")
    if "\n" in schema:
        before += "" if not before or before[-1] in "\n>" else "\n"
        after = after if not after or after[0] in "\n<" else f"\n{after.lstrip()}"
    return before + schema + after


def _fields(rng: Random, domain: str, split: Split) -> list[Field]:
    """What is asked for: some slots in any order, often under other names."""
    named = content.FIELDS[domain]
    wanted = list(named)
    if rng.random() < 0.55:
        wanted = rng.sample(wanted, rng.randint(1, len(wanted)))
    plain = rng.random() < 0.35
    fields = []
    for slot in wanted:
        kind = "integer" if slot in _INTEGERS else "number" if slot in _NUMBERS else "string"
        name = slot if plain else rng.choice(named[slot])
        fields.append(Field(name, slot, kind))
    if rng.random() < 0.1:
        name = rng.choice(tuple(content.ABSENT))
        field = Field(name, "", content.ABSENT[name], nullable=rng.random() < 0.6)
        fields.insert(rng.randint(0, len(fields)), field)
    return _renamed(rng, fields) if split == "train" else fields


def _renamed(rng: Random, fields: list[Field]) -> list[Field]:
    """Some names built anew from what they mean, so that a name must be read from the schema."""
    case = rng.random()
    renamed: list[Field] = []
    taken: set[str] = set()
    for f in fields:
        name = _built(rng, f.name) if rng.random() < 0.15 else f.name
        if case < 0.03:
            name = name.upper()
        elif case < 0.06:
            name = name[0].upper() + name[1:]
        elif case < 0.12:
            head, *rest = name.split("_")
            name = head + "".join(piece.capitalize() for piece in rest)
        while name in taken:
            name += "_2"
        taken.add(name)
        renamed.append(Field(name, f.slot, f.type, f.nullable))
    return renamed


def _built(rng: Random, name: str) -> str:
    form = rng.randrange(6)
    if form < 2:
        prefix = rng.choice(content.PREFIXES)
        return f"{prefix}_{name}" if form else f"{prefix}{name[0].upper()}{name[1:]}"
    if form < 4:
        suffix = rng.choice(content.SUFFIXES)
        return f"{name}_{suffix}" if form == 2 else f"{name}{suffix.capitalize()}"
    other = open_text("word", rng)
    return f"{other}_{name}" if form == 4 else f"{name}_{other}"


def _example(rng: Random, split: Split, tell: Telling, listed: str) -> tuple[str, str]:
    """A text and its JSON."""
    low = split == "train" and rng.random() < 0.05
    if not listed:
        text, record = tell(low)
        if split == "train" and rng.random() < 0.12:
            filler = rng.choice(content.FILLERS)
            closed = text if text[-1] in ".!?" else f"{text}."
            text = f"{filler} {text}" if rng.random() < 0.5 else f"{closed} {filler}"
        return text, json.dumps(record, ensure_ascii=False)
    train = split == "train"
    made = [tell(low) for _ in range(rng.choice((2, 2, 2, 3, 3, 4) if train else (2, 2, 3)))]
    glue = rng.choice(
        (" ", " ", " ", "\n", "\n- ", "\n* ", "\n\n", "1. ") if train else (" ", " ", "\n", "\n- ")
    )
    texts = [t for t, _ in made]
    if glue == "1. ":
        text = "\n".join(f"{at}. {t}" for at, t in enumerate(texts, 1))
    else:
        text = glue.join(t if t[-1] in ".!?" or glue != " " else f"{t}." for t in texts)
        text = f"{glue.strip()} {text}" if glue in ("\n- ", "\n* ") else text
    return text, json.dumps({listed: [record for _, record in made]}, ensure_ascii=False)


def _sentence(
    rng: Random, split: Split, domain: str, fields: list[Field], low: bool
) -> tuple[str, dict[str, Any]]:
    template = rng.choice(_texts(split)[0][domain])
    values: dict[str, Value] = {}
    tight = tight_slots(template)
    for slot, kind in _makers(domain):
        value = _made(kind, rng, split, slot in tight)
        while any(value[0] == other[0] for other in values.values()) and isinstance(value[1], str):
            value = _made(kind, rng, split, slot in tight)
        if low and isinstance(value[1], str):
            value = (value[0].lower(), value[0].lower())
        values[slot] = value
    if split == "train" and rng.random() < 0.35:
        template = _with_filler(rng, template)
    if low:
        template = template.lower()
    spell_out(template, values, rng, 0.06)
    text = fill(template, values, rng, split)
    return text, {f.name: values[f.slot][1] if f.slot else None for f in fields}


_AFTER_SLOT = (
    "yesterday", "today", "tonight", "tomorrow", "again", "now", "indeed", "at last", "apparently", "I think",
    "by the way", "as usual", "too", "as well", "for sure", "once more", "this time", "of course", "so far",
    "in the end", "for now", "at the moment", "as planned", "I hear", "they say", "by sea", "after all",
)  # fmt: skip
_BEFORE_SLOT = (
    "currently", "really", "still", "just", "now", "finally", "apparently", "even", "also", "probably",
    "definitely", "hopefully", "simply", "maybe", "again", "already", "actually", "clearly", "indeed",
)  # fmt: skip
_AFTER = re.compile(r"(\{\w+\})(?=[.,;!?]| [a-z])")
_BEFORE = re.compile(r"\b(?:is|be|was|were|are|has|had|got|get|gets) (\{\w+\})")


def _with_filler(rng: Random, template: str) -> str:
    """A word more right beside a slot: it belongs to the sentence, not to the value."""
    before = rng.random() < 0.4
    places = list((_BEFORE if before else _AFTER).finditer(template))
    if not places:
        return template
    at = rng.choice(places)
    word = rng.choice(_BEFORE_SLOT if before else _AFTER_SLOT)
    put = f"{word} {at[1]}" if before else f"{at[1]} {word}"
    return template[: at.start(1)] + put + template[at.end(1) :]


# Invented domains -----------------------------------------------------------------------------------------

_KINDS = (
    "word", "item", "color", "name", "city", "title", "company", "code", "date", "0..999", "0.5..99.5",
    "price", "1..20000", "noun",
)  # fmt: skip
_NUMERIC = {"0..999": "integer", "1..20000": "integer", "0.5..99.5": "number", "price": "number"}
_STATED = (
    ("The % has ", "the {a} {v}", "."),
    ("The % has ", "a {a} of {v}", "."),
    ("This % comes with ", "the {a} {v}", "."),
    ("A % with ", "{a} {v}", " was found."),
    ("I own a % with ", "the {a} {v}", "."),
    ("%: ", "{a} {v}", ""),
    ("%: ", "{a}: {v}", ""),
    ("% - ", "{a} = {v}", ""),
    ("% (", "{a} {v}", ")"),
    ("For the % we noted ", "{a} {v}", "."),
    ("About the %: ", "its {a} is {v}", "."),
    ("Look at the %: ", "the {a} is {v}", "."),
    ("The % is listed with ", "{a} {v}", "."),
    ("There is a % whose ", "{a} is {v}", "."),
    ("Regarding the %, ", "the {a} is {v}", "."),
    ("They sell a % with ", "{v} as its {a}", "."),
    ("We measured the % and got ", "a {a} of {v}", "."),
    ("Of the % we know that ", "its {a} is {v}", "."),
    ("% with ", "{a} {v}", " and nothing more."),
)


def _invented(rng: Random) -> tuple[str, list[Field], Sequence[str], Telling]:
    """A domain nobody has seen: random things and what is stated about them."""
    kinds: dict[str, str] = {}
    for _ in range(rng.choice((1, 2, 2, 3, 3, 4))):
        attribute = rng.choice(content.ATTRIBUTES) if rng.random() < 0.6 else open_text("word", rng)
        kinds[attribute] = rng.choice(_KINDS)
    subject = rng.choice(content.SUBJECTS) if rng.random() < 0.5 else ""
    fields = [Field(a, a, _NUMERIC.get(k, "string")) for a, k in kinds.items()]
    if subject and subject not in kinds:
        fields.insert(0, Field(subject, "%", "string"))
    if len(fields) > 1 and rng.random() < 0.4:
        fields = rng.sample(fields, rng.randint(1, len(fields)))
    if rng.random() < 0.12:
        absent = rng.choice(content.ATTRIBUTES)
        if absent not in kinds and absent != subject:
            fields.insert(rng.randint(0, len(fields)), Field(absent, "", "string", rng.random() < 0.5))
    fields = _renamed(rng, fields)

    def tell(low: bool) -> tuple[str, dict[str, Any]]:
        thing = open_text("noun", rng) if rng.random() < 0.5 else words.item(rng, "train")
        values: dict[str, Value] = {"%": (thing, thing)}
        for attribute, kind in kinds.items():
            text, value = draw(kind, rng, "train", False, True)
            if low and isinstance(value, str):
                text = value = text.lower()
            values[attribute] = (text, value)
        before, each, after = rng.choice(_STATED)
        stated = [each.format(a=a, v=values[a][0]) for a in rng.sample(list(kinds), len(kinds))]
        joined = ", ".join(stated)
        if len(stated) > 1 and rng.random() < 0.7:
            joined = f"{', '.join(stated[:-1])} and {stated[-1]}"
        text = before.replace("%", thing) + joined + after
        if low:
            text = text.lower()
            values["%"] = (thing.lower(), thing.lower())
        return text, {f.name: values[f.slot][1] if f.slot else None for f in fields}

    label = open_text("word", rng)
    return label, fields, (words.plural(label), "things", "records", "entries", "objects"), tell


# Dresses of the schema ------------------------------------------------------------------------------------

Dress = Callable[[Random, list[Field], str, str], str]


def _names(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    names = [f.name for f in fields]
    mark = rng.choice(("", "", "", '"', "`", "'"))
    names = [f"{mark}{name}{mark}" for name in names]
    if len(names) > 1 and rng.random() < 0.35:
        text = f"{', '.join(names[:-1])} and {names[-1]}"
    else:
        text = rng.choice((", ", ", ", ", ", ",", " / ", "; ")).join(names)
    if not listed:
        return text
    return rng.choice(
        (
            f"{listed} (a list of objects with {text})",
            f"{listed}: list of {text}",
            f"{listed}, a list of objects, each with {text}",
            f"{listed}[] with {text}",
        )
    )


def _typed(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    form = rng.choice(("{} ({})", "{} ({})", "{}: {}", "{} as {}", "{} [{}]"))
    null = rng.choice((" or null", " | null", ", may be null"))
    text = ", ".join(form.format(f.name, f.type + (null if f.nullable else "")) for f in fields)
    return f"{listed} (list of objects: {text})" if listed else text


def _bullets(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    mark = rng.choice(("- ", "* ", ""))
    typed = rng.random() < 0.7
    rows = [f"{mark}{f.name}" + (f": {f.type}" if typed else "") for f in fields]
    if listed:
        rows = [f"{mark}{listed}: list of", *(f"  {row}" for row in rows)]
    return "\n".join(rows)


def _json_schema(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    described = rng.random() < 0.15
    closed = rng.random() < 0.3
    titled = rng.random() < 0.15
    properties: dict[str, Any] = {}
    for f in fields:
        about: dict[str, Any] = {"type": [f.type, "null"] if f.nullable else f.type}
        if described:
            about["description"] = f"The {(f.slot or f.name).replace('_', ' ')}"
        properties[f.name] = about
    schema = _object(properties, closed, rng.random() < 0.85)
    if listed:
        schema = _object({listed: {"type": "array", "items": schema}}, closed, True)
    if titled:
        schema = {"title": domain.capitalize(), **schema}
    elif rng.random() < 0.06:
        schema = {**schema, "description": f"One {domain}"}
    return json.dumps(schema, indent=2 if rng.random() < 0.25 else None)


def _object(properties: dict[str, Any], closed: bool, required: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(properties)
    if closed:
        schema["additionalProperties"] = False
    return schema


def _sample(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    """An object that shows the form."""
    string = rng.choice(("string", "string", "", "...", "text", "<string>", None))
    whole, real = rng.choice(((0, 0.0), (0, 0), (1, 1.5), ("integer", "number"), ("int", "float")))
    shown = {"string": string, "integer": whole, "number": real}
    record = {f.name: f.name if string is None and f.type == "string" else shown[f.type] for f in fields}
    value: Any = {listed: [record]} if listed else record
    return json.dumps(value, indent=2 if rng.random() < 0.2 else None)


def _typescript(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    def kind(f: Field) -> str:
        return ("string" if f.type == "string" else "number") + (" | null" if f.nullable else "")

    body = "; ".join(f"{f.name}: {kind(f)}" for f in fields)
    name = domain.capitalize()
    if listed:
        return rng.choice((f"{{ {listed}: {{ {body} }}[] }}", f"{{ {listed}: Array<{{ {body} }}> }}"))
    if rng.random() < 0.4:
        return f"{{ {body} }}"
    if rng.random() < 0.5:
        return f"type {name} = {{ {body} }}"
    rows = "\n".join(f"  {f.name}: {kind(f)};" for f in fields)
    return f"interface {name} {{\n{rows}\n}}"


def _python(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    kinds = {"string": "str", "integer": "int", "number": "float"}
    rows = "\n".join(f"    {f.name}: {kinds[f.type]}{' | None' if f.nullable else ''}" for f in fields)
    name = domain.capitalize()
    base = rng.choice(("", "", "(BaseModel)", "(TypedDict)"))
    text = f"class {name}{base}:\n{rows}"
    return f"{text}\n\nclass Result{base}:\n    {listed}: list[{name}]" if listed else text


def _in_list(rng: Random, listed: str, text: str) -> str:
    """What is said of one record, said of a list of them."""
    if not listed:
        return text
    space = "\n" if "\n" in text else " "
    return rng.choice(
        (
            f"{listed}, a list whose elements have{space}{text}",
            f"{listed}: an array, each element with{space}{text}",
            f"an array {listed} of objects with{space}{text}",
            f"a list named {listed}, where every entry has{space}{text}",
            f"one key {listed} that holds a list; per entry:{space}{text}",
            f"{listed} (array), each having{space}{text}",
            f"{listed} = list of{space}{text}",
            f"{listed}: [ {text} ]",
            f"a list under {listed}, one object for each, containing{space}{text}",
            f"{listed} as a list of records made of{space}{text}",
            f"the list {listed}, and in every object of it{space}{text}",
            f"several {listed} (as a list), for each of them{space}{text}",
        )
    )


def _separated(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    before, after = rng.choice(_MARKS)
    glue = rng.choice((" / ", "/", "; ", " | ", "|", " + ", " & ", ", ", " - ", "  ", " > ", ",", " and "))
    if glue == "  " and not before:
        glue = " "
    return _in_list(rng, listed, glue.join(f"{before}{f.name}{after}" for f in fields))


_MARKS = (
    ("", ""),
    ("", ""),
    ("", ""),
    ("`", "`"),
    ("[", "]"),
    ("<", ">"),
    ("{", "}"),
    ("*", "*"),
    ('"', '"'),
    ("'", "'"),
    ("**", "**"),
    ("(", ")"),
    ("$", ""),
    (":", ""),
    ("#", ""),
    ("@", ""),
)


def _numbered(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    dot = rng.choice((". ", ") ", ": ", " - "))
    typed = rng.random() < 0.4
    rows = [f"{at}{dot}{f.name}" + (f" ({f.type})" if typed else "") for at, f in enumerate(fields, 1)]
    return _in_list(rng, listed, rng.choice(("\n", "\n", " ", ", ")).join(rows))


def _yaml(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    shown = rng.choice(("type", "type", "type", "", "...", "?", "null"))
    rows = [f"{f.name}: {f.type if shown == 'type' else shown}".rstrip() for f in fields]
    if listed:
        return f"{listed}:\n  - " + "\n    ".join(rows)
    return "\n".join(rows)


def _table(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    row = " | ".join(f.name for f in fields)
    text = f"| {row} |" if rng.random() < 0.8 else row
    if rng.random() < 0.6:
        text += "\n|" + rng.choice(("---", " --- ", "-----")).join("|" * len(fields))[1:] + "---|"
    return _in_list(rng, listed, text)


_SPOKEN = (
    {"string": "text", "integer": "whole number", "number": "number"},
    {"string": "str", "integer": "int", "number": "float"},
    {"string": "string", "integer": "int", "number": "double"},
    {"string": "String", "integer": "Integer", "number": "Number"},
    {"string": "a string", "integer": "an integer", "number": "a number"},
    {"string": "words", "integer": "count", "number": "decimal"},
    {"string": "varchar", "integer": "int", "number": "real"},
    {"string": "string", "integer": "integer", "number": "number"},
)
_TYPINGS = (
    "{n} [{t}]",
    "{n} <{t}>",
    "{n}:{t}",
    "{n} ({t})",
    "{t} {n}",
    "{n} - {t}",
    "{n} = {t}",
    "`{n}` ({t})",
    '"{n}": {t}',
    "{n} is {t}",
    "{n}, {t}",
    "[{t}] {n}",
    "{n} {t}",
    "{n}: [{t}]",
    "{n} -> {t}",
    "{n}::{t}",
    "{n} of type {t}",
)


def _marked(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    spoken, form = rng.choice(_SPOKEN), rng.choice(_TYPINGS)
    null = rng.choice((" or null", "?", " (nullable)", ", optional"))
    rows = [form.format(n=f.name, t=spoken[f.type] + (null if f.nullable else "")) for f in fields]
    return _in_list(rng, listed, rng.choice((", ", "; ", "\n", " and ", " / ", "; ")).join(rows))


def _prose(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    names = [f.name for f in fields]
    before = rng.choice(("the ", "the ", "a ", "the field ", "a key ", "its ", "the value of ", "key ", ""))
    told = [before + name for name in names]
    if len(told) == 1:
        return _in_list(rng, listed, told[0])
    glue = rng.choice(
        (" and ", " and ", ", and ", " as well as ", " plus ", " and also ", ", then ", " & ", ", finally ")
    )
    text = f"{', '.join(told[:-1])}{glue}{told[-1]}"
    roll = rng.random()
    if roll < 0.12:
        text = f"{_COUNTS[len(names)]} fields: {', '.join(names)}"
    elif roll < 0.2:
        text = f"exactly these keys: {', '.join(names)}"
    elif roll < 0.26:
        text = f"the following: {', '.join(names)}"
    return _in_list(rng, listed, text)


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _skeleton(rng: Random, fields: list[Field], listed: str, domain: str) -> str:
    names = [f.name for f in fields]
    form = rng.randrange(8)
    if form == 0:
        text = "{" + ", ".join(f'"{name}": ' for name in names).rstrip() + "}"
    elif form == 1:
        text = "{" + ", ".join(names) + "}"
    elif form == 2:
        text = "{ " + ", ".join(f"{name}: ..." for name in names) + " }"
    elif form == 3:
        return _in_list(rng, listed, json.dumps(names))
    elif form == 4:
        return _in_list(rng, listed, ", ".join(f"{name}=?" for name in names))
    elif form == 5:
        text = json.dumps(dict.fromkeys(names, None))
    elif form == 6:
        text = "{" + ", ".join(f'"{name}": <{name}>' for name in names) + "}"
    else:
        return _in_list(rng, listed, "(" + ", ".join(names) + ")")
    return f'{{"{listed}": [{text}]}}' if listed else text


_DRESSES: tuple[Dress, ...] = (_names, _typed, _json_schema, _sample, _typescript, _bullets, _python)
_WEIGHTS = (30, 14, 22, 14, 8, 6, 6)
_ALL: tuple[Dress, ...] = (*_DRESSES, _separated, _numbered, _yaml, _table, _marked, _prose, _skeleton)
_ALL_WEIGHTS = (22, 10, 16, 9, 6, 5, 4, 14, 5, 5, 3, 10, 12, 6)
_INLINE: tuple[Dress, ...] = (_names, _typed, _separated, _marked, _prose, _numbered)
_INLINE_WEIGHTS = (30, 10, 14, 12, 30, 4)
