"""Tool calls: which tool fits, its arguments, and what to say once it has answered.

The kinds of tools are content; this module offers some of them, asks for one and knows the only right reply.
A result is told by its kind's template or, where there is none, by the general rule of `tell`.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from training import words
from training.content import tools_more, tools_new_kinds, tools_train
from training.content.tool_kinds import (
    Param,
    ToolKind,
    Value,
    draw,
    fill,
    open_text,
    parts,
    spell_out,
    tight_slots,
)
from training.conversation import (
    Conversation,
    Message,
    Split,
    Words,
    assistant,
    is_held_out,
    kept_back,
    system,
    user,
)

KIND = "tools"
NO_TOOL = "I have no tool for that."
# Kinds that strangers thought of, too: left out of training, so that theirs are new to the model.
_STRANGERS = frozenset(
    [
        "tides",
        "image_resize",
        "certificate_renew",
        "certificate_expiry",
        "queue_length",
        "visa_rules",
        "oven_preheat",
        "water_intake",
        "donate",
        "share_file",
        "rhyme",
        "moon_phase",
        "holidays",
        "pollen",
        "tire_pressure",
        "podcast_play",
    ]
)

_HELD_OUT_WRAPPERS = ("{}", "Kindly {}.", "Would you {} for me?", "Be so good as to {}.", "{}, would you?")
_HELD_OUT_JOINS = (
    "{A} While you're at it, {b}.",
    "Do these two: {a}; {b}",
    "{A} After that, {b}.",
    "{a}. {B}",
)
_HELD_OUT_SYSTEMS = (
    "You may use the functions below.",
    "You are an assistant in a shop.",
    "Help with tools.",
)
_VERBS, _SETTINGS = Words(tools_train.VERBS), Words(tools_train.SETTINGS)
_LABELS, _FIELDS = Words(tools_train.LABELS), Words(tools_train.FIELDS)
_ERRORS, _REMARKS = Words(tools_train.ERRORS), Words(tools_train.REMARKS)
_FREE = ("color", "name", "city", "word", "item", "pseudo", "animal", "adjective", "code", "title")
_UNUSED = (
    ("verbose", "boolean", "Print more."),
    ("timeout", "integer", "Seconds to wait."),
    ("locale", "string", "Language of the reply."),
    ("dry_run", "boolean", "Only pretend."),
    ("request_id", "string", "For tracing."),
    ("format", "string", "Format of the result."),
    ("retries", "integer", "How often to try again."),
    ("callback", "string", "Where to send the result."),
)
# Which tools may be on offer while another task's question is asked: none that could answer it.
_ACTIONS = (
    "home", "media", "messages", "contacts", "calendar", "clock", "lists", "notes", "files", "shop",
    "food", "travel", "work", "users", "health", "car", "odds", "images", "school", "sensors",
)  # fmt: skip
_BESIDE = {
    "talk": _ACTIONS,
    "unknown": ("home", "files", "images", "school", "sensors", "dev", "cluster"),
    "arithmetic": _ACTIONS,
    "engine": _ACTIONS,
}
_SEARCH = "search"  # a tool of this domain fits nearly every question
# Without the tool these are questions like any other, which the other tasks answer: "I don't know."
_QUESTIONS = frozenset(("weather", "time", "math", "maps", "sport", "language", "info", _SEARCH))
_QUESTION_KEYS = frozenset((
    "stock_price", "crypto_price", "currency", "movie_info", "cinema", "restaurants", "recipe",
    "nutrition", "flights", "trains", "hotels", "bus_next", "flight_status", "library_book",
    "product_price",
))  # fmt: skip
_ACTS = frozenset((
    "book", "order", "call", "set", "remind", "play", "turn", "send", "open", "buy", "read", "show",
    "start", "stop", "add", "write", "draw", "find", "search",
))  # fmt: skip
_BOTH = re.compile(r"\{[aAbB]\}")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The kinds of one split, and their requests."""

    kinds: Sequence[ToolKind]  # what is asked for
    others: Sequence[ToolKind]  # what may be offered beside it
    requests: dict[str, Sequence[str]]
    pairs: dict[str, Sequence[str]]
    domains: dict[str, list[ToolKind]]


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as the conversation shows it."""

    kind: ToolKind
    tool: dict[str, Any]
    arguments: list[tuple[str, Param]]  # names in the order of the schema

    @property
    def name(self) -> str:
        return str(self.tool["function"]["name"])


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    calls: list[tuple[Offer, dict[str, Value]]]


def requests_of(kind: ToolKind) -> Sequence[str]:
    """All requests that training has for a kind."""
    return tuple(dict.fromkeys((*kind.requests, *tools_more.REQUESTS.get(kind.key, ()))))


@functools.cache
def shelf(split: Split) -> Shelf:
    train = [*tools_train.TOOLS, *(k for k in tools_new_kinds.TOOLS if k.key not in _STRANGERS)]
    if split != "strangers":
        mine = {k.key: tuple(kept_back(requests_of(k), split)) for k in train}
        requests = {key: texts for key, texts in mine.items() if texts}
        pairs = {k.key: texts for k in train if (texts := tuple(kept_back(k.pairs, split)))}
        asked = [k for k in train if k.key in requests]
        return Shelf(asked, train, requests, pairs, _by_domain(train))
    held = importlib.import_module("training.content.tools_held_out")
    again = [k for k in train if held.REQUESTS.get(k.key)]
    requests = {k.key: held.REQUESTS[k.key] for k in again} | {k.key: k.requests for k in held.TOOLS}
    pairs = dict(getattr(held, "PAIRS", {})) | {k.key: k.pairs for k in held.TOOLS if k.pairs}
    # Half of what is asked for are new kinds.
    times = max(1, round(len(again) / max(1, len(held.TOOLS))))
    every = [*train, *held.TOOLS]
    return Shelf([*again, *list(held.TOOLS) * times], every, requests, pairs, _by_domain(every))


def _by_domain(kinds: Sequence[ToolKind]) -> dict[str, list[ToolKind]]:
    domains: dict[str, list[ToolKind]] = {}
    for kind in kinds:
        domains.setdefault(kind.domain, []).append(kind)
    return domains


def conversation(rng: Random, split: Split) -> Conversation:
    roll = rng.random()
    if roll < 0.45:
        made = _call(rng, split)
    elif roll < 0.55:
        made = _parallel(rng, split)
    elif roll < 0.8:
        made = _answer(rng, split)
    else:
        made = _none(rng, split)
    if made.messages[0]["role"] != "system" and rng.random() < 0.15:
        texts = tools_train.SYSTEMS if split == "train" else _HELD_OUT_SYSTEMS
        made.messages.insert(0, system(rng.choice(texts)))
    return made


# The four kinds of conversations --------------------------------------------------------------------------


def _call(rng: Random, split: Split) -> Conversation:
    offers = _offers(rng, split, [_wanted(rng, split)])
    asked = _ask(rng, split, offers[0])
    messages = [*_before(rng, split, offers), user(asked.text), _calling(asked)]
    return _done("call", rng, messages, offers)


def _parallel(rng: Random, split: Split) -> Conversation:
    stock = shelf(split)
    first = _wanted(rng, split)
    if rng.random() < 0.5 and stock.pairs:
        key = rng.choice(list(stock.pairs))
        offers = _offers(rng, split, [_kind(split, key)])
        asked = _ask_pair(rng, split, offers[0])
    elif rng.random() < 0.2 and first.params:
        offers = _offers(rng, split, [first])
        asked = _ask_both(rng, split, offers[0], offers[0])
    else:
        second = _wanted(rng, split)
        while second.key == first.key:
            second = _wanted(rng, split)
        offers = _offers(rng, split, [first, second])
        asked = _ask_both(rng, split, offers[0], offers[1])
    messages = [*_before(rng, split, offers), user(asked.text), _calling(asked)]
    if rng.random() < 0.2:
        messages += _told(rng, split, asked)
        return _done("answer", rng, messages, offers)
    return _done("parallel", rng, messages, offers)


def _answer(rng: Random, split: Split) -> Conversation:
    offers = _offers(rng, split, [_wanted(rng, split)])
    asked = _ask(rng, split, offers[0])
    messages = [*_before(rng, split, offers), user(asked.text), _calling(asked), *_told(rng, split, asked)]
    return _done("answer", rng, messages, offers)


def _none(rng: Random, split: Split) -> Conversation:
    if rng.random() < 0.45:
        wanted = _wanted(rng, split)
        while wanted.domain in _QUESTIONS or wanted.key in _QUESTION_KEYS:
            wanted = _wanted(rng, split)
        asked = _ask(rng, split, _offer(rng, split, wanted, set()))
        near = rng.random() < 0.25 and wanted.domain not in ("", _SEARCH)
        offers: list[Offer] = []
        while not offers:
            offers = [
                o
                for o in _offers(rng, split, [], wanted.domain if near else "")
                if o.kind.key != wanted.key
                and o.kind.domain != _SEARCH
                and (near or not wanted.domain or o.kind.domain != wanted.domain)
            ]
        messages = [*_before(rng, split, offers), user(asked.text), assistant(NO_TOOL)]
        return _done("none", rng, messages, offers)
    task = rng.choice(tuple(_BESIDE))
    module = importlib.import_module(f"training.tasks.{task}")
    other: Conversation = module.conversation(rng, split)
    while task == "unknown" and _acts(other):
        other = module.conversation(rng, split)
    stock = shelf(split)
    beside = [k for domain in _BESIDE[task] for k in stock.domains.get(domain, ())]
    offers = [_offer(rng, split, k, set()) for k in rng.sample(beside, rng.randint(1, 4))]
    messages = list(other.messages)
    if messages[0]["role"] != "system" and other.kind not in getattr(module, "FIRST_ONLY", ()):
        messages = [*_before(rng, split, offers), *messages]
    return _done("none", rng, messages, offers)


def _acts(other: Conversation) -> bool:
    """Whether somebody asks for a deed, which is a matter of tools."""
    words = other.messages[-2]["content"].lower().split()
    return bool(_ACTS.intersection(words[:4]))


def _done(part: str, rng: Random, messages: list[Message], offers: list[Offer]) -> Conversation:
    tools = [offer.tool for offer in offers]
    rng.shuffle(tools)
    return Conversation(f"{KIND}.{part}", messages, tools)


def _before(rng: Random, split: Split, offers: list[Offer]) -> list[Message]:
    """An earlier exchange with one of the tools on offer, now and then."""
    messages: list[Message] = []
    while rng.random() < 0.2 and len(messages) < 8:
        offer = rng.choice(offers)
        if offer.kind.key not in shelf(split).requests and not offer.kind.key.startswith("!"):
            break  # no held-out requests for this one
        asked = _ask(rng, split, offer)
        messages += [user(asked.text), _calling(asked), *_told(rng, split, asked)]
    return messages


# Tools on offer -------------------------------------------------------------------------------------------


def _wanted(rng: Random, split: Split) -> ToolKind:
    invented = rng.random() < (0.3 if split == "train" else 0.16)
    return _invented(rng, split) if invented else rng.choice(shelf(split).kinds)


@functools.cache
def _keys(split: Split) -> dict[str, ToolKind]:
    return {k.key: k for k in shelf(split).others}


def _kind(split: Split, key: str) -> ToolKind:
    return _keys(split)[key]


def _offers(rng: Random, split: Split, wanted: list[ToolKind], domain: str = "") -> list[Offer]:
    """The wanted tools first, then others, one to four in all."""
    stock = shelf(split)
    taken: set[str] = set()
    offers = [_offer(rng, split, kind, taken) for kind in wanted]
    domain = domain or (wanted[0].domain if wanted else "")
    invented = bool(wanted) and wanted[0].key.startswith("!")
    keys = {kind.key for kind in wanted}
    count = rng.choice((1, 1, 2, 2, 2, 3, 3, 3, 4, 4))
    while len(offers) < count:
        if rng.random() < (0.5 if invented else 0.06):
            kind = _invented(rng, split)
        elif domain in stock.domains and rng.random() < 0.3:
            kind = rng.choice(stock.domains[domain])
        else:
            kind = rng.choice(stock.others)
        if kind.key in keys:
            if rng.random() < 0.2:
                break
            continue
        keys.add(kind.key)
        offers.append(_offer(rng, split, kind, taken))
    return offers


def _offer(rng: Random, split: Split, kind: ToolKind, taken: set[str]) -> Offer:
    name = _styled(rng, rng.choice(kind.names))
    while name in taken:
        name += "_2"
    taken.add(name)
    params = list(kind.params)
    if len(params) > 1 and rng.random() < 0.25:
        rng.shuffle(params)
    described = rng.random() < 0.75
    properties: dict[str, Any] = {}
    arguments: list[tuple[str, Param]] = []
    required: list[str] = []
    for param in params:
        called = rng.choice(param.names)
        while called in properties:
            called += "_2"
        schema: dict[str, Any] = {"type": param.type}
        if described:
            schema["description"] = rng.choice(param.descriptions)
        if param.enum and param.type == "string":
            schema["enum"] = list(param.enum)
        properties[called] = schema
        arguments.append((called, param))
        if param.required:
            required.append(called)
    if rng.random() < 0.07:
        extra, type, about = rng.choice(_UNUSED)
        if extra not in properties:
            properties[extra] = {"type": type, "description": about} if described else {"type": type}
    schema = {"type": "object", "properties": properties}
    if required and rng.random() < 0.92:
        schema["required"] = required
    if rng.random() < 0.15:
        schema["additionalProperties"] = False
    function: dict[str, Any] = {"name": name}
    if kind.descriptions and (kind.key.startswith("!") or rng.random() < 0.92):
        function["description"] = rng.choice(kind.descriptions)
    if properties or rng.random() < 0.7:
        function["parameters"] = schema
    if rng.random() < 0.08:
        function["strict"] = True
    return Offer(kind, {"type": "function", "function": function}, arguments)


def _styled(rng: Random, name: str) -> str:
    roll = rng.random()
    if roll < 0.74 or not name.islower():
        return name
    pieces = name.split("_")
    if roll < 0.86:
        return pieces[0] + "".join(p.capitalize() for p in pieces[1:])
    if roll < 0.92:
        return "-".join(pieces)
    if roll < 0.96:
        return "".join(p.capitalize() for p in pieces)
    return name + rng.choice(("_v2", "_tool", "_fn", "_api"))


# Requests -------------------------------------------------------------------------------------------------


def _template(rng: Random, split: Split, kind: ToolKind) -> str:
    return rng.choice(kind.requests if kind.key.startswith("!") else shelf(split).requests[kind.key])


def _ask(rng: Random, split: Split, offer: Offer) -> Asked:
    text, values = _request(rng, split, offer, _template(rng, split, offer.kind))
    return Asked(_dressed(rng, split, text), [(offer, values)])


def _ask_pair(rng: Random, split: Split, offer: Offer) -> Asked:
    """One request for two calls of the same tool."""
    template = rng.choice(shelf(split).pairs[offer.kind.key])
    text, values = _request(rng, split, offer, template)
    first = {slot: v for slot, v in values.items() if not slot.endswith("2")}
    second = {slot[:-1]: v for slot, v in values.items() if slot.endswith("2")}
    return Asked(_dressed(rng, split, text), [(offer, first), (offer, second)])


def _ask_both(rng: Random, split: Split, first: Offer, second: Offer) -> Asked:
    """Two requests in one message."""
    asked = [_request(rng, split, o, _template(rng, split, o.kind)) for o in (first, second)]
    calls = [(o, values) for o, (_, values) in zip((first, second), asked, strict=True)]
    a, b = (text for text, _ in asked)
    bare = a.startswith("~"), b.startswith("~")
    joins = tools_train.JOINS if split == "train" else _HELD_OUT_JOINS
    fitting = [j for j in joins if ("{A}" in j or bare[0]) and ("{B}" in j or bare[1])]
    join = rng.choice(fitting) if fitting else "{A} {B}"
    fillings = {"{a}": a.lstrip("~"), "{A}": _sentence(a), "{b}": b.lstrip("~"), "{B}": _sentence(b)}
    text = _BOTH.sub(lambda match: fillings[match[0]], join)
    raised = bare[0] or not join.startswith(("{a}", "{A}"))
    return Asked(text[0].upper() + text[1:] if raised and rng.random() < 0.8 else text, calls)


def _sentence(text: str) -> str:
    """A request with a full stop. Only an imperative gets a capital: others may begin with a value."""
    if text.startswith("~"):
        text = text[1].upper() + text[2:]
    return text if text[-1] in ".?!" else f"{text}."


def _request(rng: Random, split: Split, offer: Offer, template: str) -> tuple[str, dict[str, Value]]:
    """The filled request, its "~" kept, and the values of its slots."""
    low = split == "train" and rng.random() < 0.07
    if low:
        template = template.lower()
    by_slot = {param.slot.partition(":")[0]: param for _, param in offer.arguments}
    tight = tight_slots(template)
    values: dict[str, Value] = {}
    for _, slot, type in parts(template):
        if slot is None or slot in values:
            continue
        param = by_slot.get(slot) or by_slot.get(slot.removesuffix("2"))
        if param is None:
            values[slot] = draw(type or slot, rng, split)
            continue
        value = _value(rng, split, param, slot in tight)
        if slot not in by_slot:  # the second of a pair differs from the first
            for _ in range(3):
                if value[0] == values.get(slot[:-1], ("",))[0]:
                    value = _value(rng, split, param, slot in tight)
        if low and isinstance(value[1], str) and not param.enum:
            value = (value[0].lower(), value[0].lower())
        values[slot] = value
    spell_out(template, values, rng, 0.08)
    return fill(template, values, rng, split), values


def _value(rng: Random, split: Split, param: Param, tight: bool = False) -> Value:
    if param.type == "boolean":
        yes = rng.random() < 0.5
        return (param.enum[0] if yes else param.enum[1]), yes
    if param.enum:
        word = rng.choice(param.enum)
        return word, word
    slot, _, type = param.slot.partition(":")
    if "|" in type and split == "train" and slot != "day" and rng.random() < 0.35:
        text = open_text(slot, rng, tight)
        return text, text
    return draw(type or slot, rng, split, tight, True)


def _dressed(rng: Random, split: Split, text: str) -> str:
    """The request with what people put around it."""
    if text.startswith("~"):
        wrapper = rng.choice(tools_train.WRAPPERS if split == "train" else _HELD_OUT_WRAPPERS)
        before, _, after = wrapper.partition("{}")
        body = text[1:]
        if body[-1] in ".?!" and after and after[0] in ".?!":
            after = ""
        made = before + body + after
        return made[0].upper() + made[1:] if not before and rng.random() < 0.7 else made
    if split == "train":
        roll = rng.random()
        if roll < 0.06:
            return rng.choice(tools_train.OPENERS) + text
        if roll < 0.1:
            return text + ("" if text[-1] in ".?!" else ".") + rng.choice(tools_train.CLOSERS)
        if roll < 0.16 and text[-1] in ".?":
            return text[:-1]
    return text


def _calling(asked: Asked) -> Message:
    calls = []
    for offer, values in asked.calls:
        arguments = {}
        for called, param in offer.arguments:
            value = values.get(param.slot.partition(":")[0])
            if value is not None:
                arguments[called] = value[1]
        calls.append({"type": "function", "function": {"name": offer.name, "arguments": arguments}})
    return {"role": "assistant", "content": "", "tool_calls": calls}


# Results --------------------------------------------------------------------------------------------------


def _told(rng: Random, split: Split, asked: Asked) -> list[Message]:
    """The results of all calls, and what the assistant says."""
    results, said = [], []
    for offer, values in asked.calls:
        result, answer = _result(rng, split, offer.kind, values)
        results.append({"role": "tool", "content": result})
        said.append(answer)
    return [*results, assistant(" ".join(dict.fromkeys(said)))]


def _result(rng: Random, split: Split, kind: ToolKind, values: dict[str, Value]) -> tuple[str, str]:
    roll = rng.random()
    if roll < 0.06:
        reason = fill(_ERRORS.pick(rng, split), {}, rng, split)
        result = json.dumps({"error": reason}, ensure_ascii=False)
        return result, tell(result)
    if roll < 0.1:
        result = rng.choice(
            ('{"status": "ok"}', '{"ok": true}', '{"success": true}', '{"status": "success"}')
        )
        return result, tell(result)
    if roll < 0.16:
        result = fill(_REMARKS.pick(rng, split), {}, rng, split)
        return result, tell(result)
    template, answer = rng.choice(kind.results) if kind.results else ("", "")
    if not template:
        result = _fields(rng, split)
        return _spaced(rng, result), tell(result)
    by_slot = {param.slot.partition(":")[0]: param for param in kind.params}
    known = dict(values)
    for _, slot, _ in parts(template):
        if slot in by_slot and slot not in known:
            known[slot] = _value(rng, split, by_slot[slot])
    for slot, (_, value) in values.items():  # "two" in the request is 2 in the result
        if isinstance(value, int) and not isinstance(value, bool):
            known[slot] = (str(value), value)
    result = fill(template, known, rng, split)
    said = fill(answer, known, rng, split) if answer else tell(result)
    if answer and roll < 0.22:
        return said, said  # the tool itself answers in words
    return _spaced(rng, result), said


def _fields(rng: Random, split: Split) -> str:
    """A result with fields of any kind."""
    pairs = []
    for field in dict.fromkeys(_FIELDS.pick(rng, split) for _ in range(rng.choice((1, 1, 2, 2, 2, 3, 3, 4)))):
        called, _, type = field.partition("=")
        text, value = draw(type, rng, split)
        pairs.append((called, {"true": True, "false": False}.get(text, value)))
    roll = rng.random()
    if roll < 0.06:
        return json.dumps(pairs[0][1], ensure_ascii=False)
    if roll < 0.12:
        named = [words.WORDS, words.ANIMALS, words.ITEMS][rng.randrange(3)]
        return json.dumps([named.pick(rng, split) for _ in range(rng.randrange(4))], ensure_ascii=False)
    return json.dumps(dict(pairs), ensure_ascii=False)


def _spaced(rng: Random, result: str) -> str:
    roll = rng.random()
    if roll < 0.75 or result[0] not in "[{":
        return result
    if roll < 0.92:
        return json.dumps(json.loads(result), ensure_ascii=False, separators=(",", ":"))
    return json.dumps(json.loads(result), ensure_ascii=False, indent=2)


def tell(result: str) -> str:
    """The general rule: how a result is told that has no template of its own."""
    try:
        value = json.loads(result)
    except ValueError:
        return result
    if isinstance(value, list):
        if not value:
            return "There are no results."
        return f"The {'result is' if len(value) == 1 else 'results are'} {_listed(value)}."
    if not isinstance(value, dict):
        return f"The result is {_plain(value)}."
    if "error" in value:
        return f"The tool failed: {_plain(value['error'])}."
    if all(v in ("ok", "success", True) and k in ("status", "ok", "success") for k, v in value.items()):
        return "Done."
    said = []
    for key, field in value.items():
        called = key.replace("_", " ")
        if isinstance(field, bool):
            said.append(f"{called} is {_plain(field)}")
        elif isinstance(field, list) and len(field) != 1:
            said.append(f"the {called} are {_listed(field) if field else 'none'}")
        else:
            said.append(f"the {called} is {_plain(field)}")
    text = _listed(said)
    return f"{text[0].upper()}{text[1:]}."


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return _listed(value)
    return json.dumps(value, ensure_ascii=False)


def _listed(values: Sequence[Any]) -> str:
    texts = [_plain(v) for v in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


# Invented tools -------------------------------------------------------------------------------------------


def _invented(rng: Random, split: Split) -> ToolKind:
    """A tool nobody has seen: the request says in words what its description says."""
    if split == "train" and rng.random() < 0.8:
        return _made_up(rng)
    verb = words.pseudo_word(rng, split) if rng.random() < 0.5 else _VERBS.pick(rng, split)
    thing = words.item(rng, split)
    params: list[Param] = []
    if rng.random() < 0.5:  # the thing is an argument
        params.append(
            Param(
                ("target", "item", "object", "thing", "what", "subject"),
                "string",
                f"target:{rng.choice(('item', 'animal', 'pseudo', 'noun', 'word', 'file', 'name'))}",
                (f"What to {verb}.", f"The thing to {verb}"),
            )
        )
        named = "{target}"
        spoken = rng.choice(("something", "a thing", "things", "any item"))
        names = (f"{verb}_item", verb, f"{verb}_thing", f"do_{verb}")
    else:
        named, spoken = thing, rng.choice((f"a {thing}", f"the {thing}", words.plural(thing)))
        tail = thing.replace(" ", "_").replace("-", "_")
        names = (f"{verb}_{tail}", f"{tail}_{verb}", f"{verb}_the_{tail}", words.pseudo_word(rng, split))
    said: list[str] = []
    used = {"target"}
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 2, 3))):
        numeric = rng.random() < 0.5
        called = (_SETTINGS if numeric else _LABELS).pick(rng, split)
        if rng.random() < 0.2:
            called = words.pseudo_word(rng, split)
        if called in used:
            continue
        used.add(called)
        slot = "slot_" + "abcd"[len(params)]
        about = (f"The {called.replace('_', ' ')}.", f"{called.replace('_', ' ').capitalize()} to use")
        if numeric:
            whole = rng.random() < 0.7
            kind, type = ("integer", "1..500") if whole else ("number", "0.1..60.0")
        else:
            kind, type = "string", rng.choice(_FREE)
        params.append(Param((called,), kind, f"{slot}:{type}", about))
        phrase = rng.choice(_TRAIN_PHRASES if split == "train" else _PHRASES)
        said.append(phrase.replace("%", called.replace("_", " ")).replace("@", f"{{{slot}}}"))
    tail = _listed(said) if said else ""
    request = f"~{verb} {rng.choice(('the ', 'the ', 'my ', 'this ', ''))}{named}{' ' if tail else ''}{tail}"
    described = rng.choice(
        (f"{verb.capitalize()} {spoken}.", f"Use this to {verb} {spoken}.", f"Can {verb} {spoken}")
    )
    return ToolKind("!" + verb, names, (described,), params, (request,), ())


_PHRASES = (
    "with % @",
    "with the % @",
    "with a % of @",
    "at % @",
    "using % @",
    "with % set to @",
    "with % = @",
)
_TRAIN_PHRASES = (
    *_PHRASES,
    "at a % of @",
    "where the % is @",
    "(% @)",
    "using @ as the %",
    "whose % is @",
    "with @ for the %",
    "keeping the % at @",
    "and let the % be @",
    "choosing @ as %",
    "- % @",
    "by % @",
    "having % @",
    "to the % @",
    "under the % @",
    "with %: @",
    "with @ as its %",
)


_NOUNS = tuple(Words(tools_new_kinds.NOUNS, words.SEEN).train)
_MIDDLE = tuple(Words(tools_new_kinds.MIDDLE, words.SEEN).train)
_THINGS = tuple(
    word
    for listed in (words.WORDS, words.ITEMS, words.ANIMALS, words.JOBS, words.FOODS, words.EVENTS)
    for word in listed.train
    if word.replace(" ", "").isalpha()
)
_LONE_VERBS = (*tools_train.VERBS, *words.WORDS.train)
_MARKS = re.compile(r"\[([a-z]+)\]")
_ENDING = re.compile("[^aeiou][aeiou][bdgmnprt]")
_ARTICLE = re.compile(r"\b([aA]) (?=[aeio])")


def _made_up(rng: Random) -> ToolKind:
    """An invented tool for training: something to look at, something to do, or something to do to a value."""
    roll, new = rng.random(), tools_new_kinds
    noun = _noun(rng)
    forms = {"n": noun, "ns": _safe(words.plural(noun), noun)}
    params: list[Param] = []
    domain, tail = "", noun
    if roll < 0.42:
        verb = rng.choice(tuple(new.SHOW))
        said = rng.choice(new.SHOW[verb])
        about, ask, domain = new.SHOW_ABOUT, new.SHOW_ASK, "info"
        if verb in ("list", "count") or rng.random() < 0.2:
            tail = forms["ns"]
        elif rng.random() < 0.2:
            tail += " " + rng.choice(new.SHOW_TAILS)
            verb = verb if rng.random() < 0.5 else ""
    else:
        if rng.random() < 0.55:
            verb = rng.choice(tuple(new.ACT))
            said = rng.choice(new.ACT[verb])
        else:
            verb = said = _lone(rng)
        about, ask = new.ACT_ABOUT, new.ACT_ASK
        if roll > 0.75:
            about, ask = new.TARGET_ABOUT, new.TARGET_ASK
            called, type, names = rng.choice(new.TARGETS)
            forms["c"], forms["t"] = called, "{target}"
            about_it = (f"The {called}.", f"The {called} to {verb}", f"Which {called} to {verb}.")
            params.append(Param((rng.choice(names.split()),), "string", f"target:{type}", about_it))
            tail = rng.choice((called, called, called, rng.choice(names.split()).replace("_", " "), ""))
            if rng.random() < 0.25:
                tail = f"{rng.choice(_NOUNS)} {tail}".strip()
        forms |= {"v": verb, "ving": _safe(_ing(verb), verb), "ved": _safe(_past(verb), verb)}
    forms["s"] = said
    name = _made_up_name(rng, verb, tail)
    request = _marked(rng.choice(ask), forms)
    if "{target}" not in request and params:
        request = f"~{said} {{target}}"
    request = _with_more(rng, request, params)
    described: tuple[str, ...] = ()
    # A name alone must do now and then, where the request uses its words.
    if rng.random() > 0.12 or not any(w in name.lower() for w in (noun.split()[-1], verb or noun)):
        text = _marked(rng.choice(about), forms)
        described = (text[0].upper() + text[1:],)
    return ToolKind("!" + name, (name,), described, params, (request,), (), (), domain)


def _noun(rng: Random) -> str:
    roll = rng.random()
    if roll < 0.12:
        return words.pseudo_word(rng, "train")
    noun = rng.choice(_NOUNS if roll < 0.55 else _THINGS)
    second = rng.random()
    if second < 0.18:
        return f"{rng.choice(_MIDDLE)} {noun}"
    if second < 0.48:
        return f"{rng.choice(_NOUNS if rng.random() < 0.5 else _THINGS)} {noun}"
    if second < 0.52:
        return f"{words.pseudo_word(rng, 'train')} {noun}"
    return noun


def _lone(rng: Random) -> str:
    """A verb without synonyms: any word, or a made-up one."""
    if rng.random() < 0.3:
        return words.pseudo_word(rng, "train")
    verb = rng.choice(_LONE_VERBS)
    return verb if " " not in verb and _safe(verb, "") else words.pseudo_word(rng, "train")


def _safe(form: str, base: str) -> str:
    """A form of a word, but never one that is kept for evaluation."""
    return base if is_held_out(form) or is_held_out(form.rpartition(" ")[2]) else form


def _doubled(verb: str) -> str:
    return (
        verb + verb[-1]
        if len(verb) < 5 and verb != "open" and _ENDING.search(verb[-3:]) and len(verb) > 2
        else verb
    )


def _ing(verb: str) -> str:
    return (
        verb[:-1] + "ing" if verb.endswith("e") and verb[-2:] not in ("ee", "ye") else _doubled(verb) + "ing"
    )


def _past(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ied"
    return _doubled(verb) + "ed"


_PAST = {
    "send": "sent", "set": "set", "run": "run", "split": "split", "feed": "fed", "pay": "paid",
    "freeze": "frozen", "read": "read", "cut": "cut", "write": "written", "reset": "reset", "draw": "drawn",
}  # fmt: skip


def _made_up_name(rng: Random, verb: str, tail: str) -> str:
    pieces = [*verb.split(), *tail.replace("-", " ").replace("'", "").split()]
    roll = rng.random()
    if roll < 0.1 and verb and tail:
        pieces = [*tail.replace("-", " ").split(), *verb.split()]
    elif roll < 0.14:
        pieces.insert(0, rng.choice(("my", "do", "user", "tool", "app", "api", "quick", "smart")))
    elif roll < 0.17:
        pieces.append(rng.choice(("now", "tool", "action", "service", "by_id", "for_user")))
    roll = rng.random()
    if roll < 0.45:
        return "_".join(pieces)
    if roll < 0.75:
        return pieces[0] + "".join(p.capitalize() for p in pieces[1:])
    if roll < 0.87:
        return "".join(p.capitalize() for p in pieces)
    if roll < 0.97:
        return "-".join(pieces)
    return "_".join(pieces).upper()


def _marked(pattern: str, forms: dict[str, str]) -> str:
    text = _MARKS.sub(lambda match: forms[match[1]], pattern)
    return _ARTICLE.sub(r"\1n ", text)


def _with_more(rng: Random, request: str, params: list[Param]) -> str:
    """The request with further values, whose parameters are added to `params`."""
    new = tools_new_kinds
    used = {name for param in params for name in param.names}
    for _ in range(
        rng.choice((0, 0, 0, 0, 1, 1, 1, 2, 2, 3)) if not params else rng.choice((0, 0, 0, 1, 1, 2))
    ):
        names, kind, type, about, ways = rng.choice(new.MORE)
        name = rng.choice(names.split())
        if used.intersection(names.split()):
            continue
        used.update(names.split())
        slot = "slot_" + "abcd"[len(params)]
        enum: tuple[str, ...] = ()
        if type.startswith("="):
            enum, type = tuple(type[1:].split("|")), "word"
        optional = rng.random() < 0.35
        shown = rng.choice(_PREFIXES) + name if rng.random() < 0.12 else name
        params.append(Param((shown,), kind, f"{slot}:{type}", tuple(about.split("|")), not optional, enum))
        if optional and rng.random() < 0.35:
            continue  # on offer, but nobody says it
        way, said = rng.choice(ways.split("|")), name.replace("_", " ")
        if kind != "boolean" and rng.random() < 0.4:
            if rng.random() < 0.25:
                request = _stopped(request.lstrip("~"))
                way = rng.choice(new.SENTENCES)
                way = way.replace("%", said).replace("@", f"{{{slot}}}")
                request += " " + way[0].upper() + way[1:]
                continue
            way = rng.choice(new.WAYS)
        way = way.replace("%", said).replace("@", f"{{{slot}}}")
        end = request[-1] if request[-1] in ".?!" else ""
        body = request[: len(request) - len(end)]
        roll = rng.random()
        if roll < 0.06 and not body.startswith("~"):
            request = f"{way[0].upper()}{way[1:]}: {request}"
        else:
            request = f"{body}{', ' if roll > (0.5 if body[-1] == '}' else 0.9) else ' '}{way}{end}"
    return request


_PREFIXES = ("new_", "the_", "target_", "given_", "my_", "input_", "requested_")


def _stopped(request: str) -> str:
    return request if request[-1] in ".?!" else f"{request}."
