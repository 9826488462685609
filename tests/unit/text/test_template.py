# ruff: noqa: E501
"""Templates give what transformers gives, and those that would run away are stopped."""

from __future__ import annotations

import time

import pytest
from tests.unit.text.chats import CHATML, CHATS, GEMMA, QWEN, TEMPLATES, TOOLS
from transformers.utils.chat_template_utils import render_jinja_template

from quire.errors import BadParameter, BadTemplate
from quire.text import template as module
from quire.text.template import compile_template

NAMES = {"bos_token": "<s>", "eos_token": "</s>"}
USER = [{"role": "user", "content": "hi"}]


def theirs(source: str, chat, **variables) -> str:
    return render_jinja_template([chat], chat_template=source, **variables)[0][0]


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("chat", CHATS)
@pytest.mark.parametrize("tools", [None, TOOLS])
@pytest.mark.parametrize("add", [True, False])
def test_real_templates_give_what_transformers_gives(name, chat, tools, add):
    options = {"tools": tools, "add_generation_prompt": add, **NAMES, "enable_thinking": False}
    ours = compile_template(TEMPLATES[name]).render(CHATS[chat], **options)
    assert ours == theirs(TEMPLATES[name], CHATS[chat], **options)


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages | tojson(indent=2, sort_keys=true) }}{{ ['<é>'] | tojson(ensure_ascii=true) }}",
        "{{ {'a': 1, 'b': [1, 2]} | tojson(separators=(',', ':')) }}{{ '%s-%03d' % ('a', 5) }}{{ '%5.2f' % 2 }}",
        "{% for k, v in dict(a=1, b=2) | dictsort(by='value', reverse=true) %}{{ k ~ v }}{% endfor %}",
        "{{ 'a-b'.replace('-', '+') }}{{ '{}:{x:>4}'.format(1, x=2) }}{{ ','.join(['a', 'b']) }}{{ 'x' | center(5) }}|",
        "{% for x in range(9) %}{% if x == 2 %}{% continue %}{% endif %}{% if x > 4 %}{% break %}{% endif %}{{ x }}{% endfor %}",
        "{% for x in [1, [2, [3]]] recursive %}{{ loop(x) if x is iterable else x }}{{ loop.depth }}{% endfor %}",
        "{% for x in [1, 2, 3] %}{{ loop.length }}{{ loop.revindex }}{{ loop.last }}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "{{ [3, 1, 2] | sort | join('') }}{{ [1, 2] | sum }}{{ [[1], [2]] | sum(start=[]) }}{{ [1, 1] | unique | list }}",
        "{{ [1, 2, 3, 4, 5] | batch(2, 0) | list }}{{ [1, 2, 3] | slice(2) | list }}{{ 'a\nb' | indent(2, true) }}",
        "{% set x %}block {{ 1 + 1 }}{% endset %}{{ x | upper }}{% filter lower %}ABC{% endfilter %}{{ x[1:3] }}",
        "{% macro m(a, b='d') %}<{{ a }}{{ b }}{{ varargs }}{{ caller() if caller }}>{% endmacro %}{{ m(1) }}{{ m(1, 2, 3) }}"
        "{% call m(9) %}in{% endcall %}",
        "{% set ns = namespace(a=[]) %}{% for m in messages %}{% set ns.a = ns.a + [m.role] %}{% endfor %}{{ ns.a }}",
        "{{ messages | map(attribute='role') | join(', ') }}{{ messages | selectattr('role', 'eq', 'user') | list | length }}",
        "{{ '<a>' | e }}{{ '<b>' | safe }}{{ 'a b' | urlencode }}{{ 'the end' | title }}{{ 7 // 2 }}{{ 2 ** 10 }}{{ 7 % 4 }}",
        "{{ none }}{{ true and 'a' }}{{ undefined_thing }}{{ undefined_thing | default('d') }}{{ 'a' in 'abc' }}{{ 1 < 2 < 3 }}",
        "{%- generation -%}  {{ messages[0].content }}  {%- endgeneration -%}\n",
        "{{ 'a b c'.rsplit(maxsplit=1) }}{{ 'a-b-c'.rsplit('-', 1) }}{{ ' a '.strip() }}{{ 'xax'.strip('x') }}{{ 'aba'.rfind('a', 0, 2) }}{{ 5 | title }}{{ ' a ' | trim }}",
        "{% for x in ['a-b'] %}{% set y = 1 %}{{ x.replace('-', '+') }}{{ '-'.join([x, x]) }}{{ x.strip('a') }}{{ x.center(7) }}"
        "{{ x.rsplit('-', maxsplit=1) }}{{ '{}'.format(x) }}{{ x.split('-') }}{{ dict(a=x) }}{{ range(2) | list }}{% endfor %}"
        "{% block b %}{{ 'a-b'.replace('-', '+') }}{{ dict(a=1) }}{% endblock %}",
        "{{ messages[0].get('name', 'no name') }}{{ messages[0].items() | list }}{{ 'a,b'.split(',')[::-1] }}{{ -3 | abs }}",
        "{% for g in messages | groupby('role') %}{{ g.grouper }}{{ g.list | length }}{% endfor %}{{ 2.5 | round | int }}",
    ],
)
def test_each_construct_gives_what_transformers_gives(source):
    assert compile_template(source).render(CHATS["long"]) == theirs(source, CHATS["long"])


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("content", ["Half a ", "Half a sentence", "  trimmed  "])
def test_a_final_message_can_be_left_open(name, content):
    chat = [*USER, {"role": "assistant", "content": content}]
    options = {"tools": None, "continue_final_message": True, **NAMES}
    ours = compile_template(TEMPLATES[name]).render(chat, **options)
    assert ours == theirs(TEMPLATES[name], chat, **options)
    assert chat[-1]["content"] == content


def test_an_open_final_message_must_have_text_and_survive():
    with pytest.raises(BadTemplate, match="no text to continue"):
        compile_template(CHATML).render([{"role": "assistant"}], continue_final_message=True)
    with pytest.raises(BadTemplate, match="leaves out or changes"):
        compile_template("nothing").render(USER, continue_final_message=True)
    with pytest.raises(BadParameter, match="add_generation_prompt=False"):
        compile_template(CHATML).render(USER, continue_final_message=True, add_generation_prompt=True)


PARTS = [{"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}]


def test_parts_become_lines_for_templates_that_take_strings():
    joined = [{"role": "user", "content": "one\ntwo"}]
    for source in (CHATML, QWEN):
        assert compile_template(source).render(PARTS) == compile_template(source).render(joined)


def test_parts_stay_parts_for_templates_that_walk_through_them():
    pictured = [{"role": "user", "content": [{"type": "image"}, *PARTS[0]["content"]]}]
    assert "<image>onetwo" in compile_template(GEMMA).render(pictured, **NAMES)
    with pytest.raises(BadTemplate, match=r"messages\[0\] has a part of type 'image'"):
        compile_template(CHATML).render(pictured)


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}",
        "{% set c = messages[0]['content'] %}{% for p in c %}{{ p['text'] }}{% endfor %}",
        "{% macro show(content) %}{% for p in content %}{{ p.text }}{% endfor %}{% endmacro %}{{ show(messages[0].content) }}",
        "{{ messages[0].content | map(attribute='text') | join }}",
    ],
)
def test_a_template_that_knows_only_parts_gets_strings_as_a_part(source):
    assert compile_template(source).render(USER) == "hi"
    assert compile_template(source).render(PARTS) == "onetwo"


def test_a_loop_over_lines_of_the_content_is_not_a_loop_over_parts():
    source = "{% for line in messages[0].content.split('\n') %}[{{ line }}]{% endfor %}"
    assert compile_template(source).render(PARTS) == "[one][two]"


class Dangerous:
    secret = "leaked"

    def __call__(self):
        return "called"


def test_templates_see_plain_values_only():
    source = "{{ messages[0].x.secret }}{{ thing }}"
    assert compile_template(source).render([{"x": Dangerous()}], thing=Dangerous()) == "<Dangerous>"


def test_a_template_cannot_change_what_it_is_given():
    chat = [{"role": "user", "content": "hi"}]
    for source in ("{{ messages.append(1) }}", "{{ messages[0].update(a=1) }}", "{% do messages.pop() %}"):
        with pytest.raises(BadTemplate):
            compile_template(source).render(chat)
    assert chat == [{"role": "user", "content": "hi"}]


BIG = "{% set b = 'a' * 8000000 %}{% set c = 'a' * 8000000 %}"
TWICE = "{% set ns = namespace(v='a', w=['a']) %}{% for i in range(64) %}"
FOREVER = "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"

TOO_LARGE = [
    "{% for i in range(10**9) %}x{% endfor %}",
    "{{ 'a' * 10**9 }}",
    "{{ 10**9 * 'a' }}",
    "{{ ([1] * 10**9) | length }}",
    "{{ 10 ** (10**9) }}",
    "{% set ns = namespace(v=3) %}{% for i in range(99) %}{% set ns.v = ns.v * ns.v %}{% endfor %}",
    TWICE + "{% set ns.v = ns.v + ns.v %}{% endfor %}{{ ns.v }}",
    TWICE + "{% set ns.v = ns.v ~ ns.v %}{% endfor %}{{ ns.v }}",
    TWICE + "{% set ns.v %}{{ ns.v }}{{ ns.v }}{% endset %}{% endfor %}",
    TWICE + "{% set ns.v = [ns.v, ns.v] %}{% endfor %}{{ ns.v }}",
    TWICE + "{% set ns.v = (ns.v, ns.v) %}{% endfor %}{{ ns.v }}",
    TWICE + "{% set ns.v = {'a': ns.v, 'b': ns.v} %}{% endfor %}{{ ns.v | tojson }}",
    TWICE + "{% set ns.v = dict(a=ns.v, b=ns.v) %}{% endfor %}{{ ns.v }}",
    TWICE + "{% set ns.w = ns.w + ns.w %}{% endfor %}{{ ns.w }}",
    TWICE + "{% set ns.v = [ns.v, ns.v] %}{% set ns.w = [ns.w, ns.w] %}{% endfor %}{{ ns.v == ns.w }}",
    "{% macro f(n) %}{{ f(n - 1, varargs, varargs) if n else varargs }}{% endmacro %}{{ f(60, 1) }}",
    "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% else %}{{ 'a' * 100000 }}{% endif %}{% endmacro %}{{ f(60) }}",
    "{% set x %}{% for i in range(100000) %}{{ 'a' * 100000 }}{% endfor %}{% endset %}",
    "{% filter upper %}{% for i in range(100000) %}{{ 'a' * 100000 }}{% endfor %}{% endfilter %}",
    BIG + "{% for i in range(100000) %}{{ b }}{% endfor %}",
    BIG + "".join(f"{{% set s{i} = b[:-{i}] %}}" for i in range(1, 600)),
    "{{ '%1000000000d' % 1 }}",
    "{{ '%*d' % (1000000000, 1) }}",
    "{{ '%.1000000000f' % 1.5 }}",
    "{{ '%(" + "k" * 300 + ")1000000000d' % {'" + "k" * 300 + "': 1} }}",
    "{{ ('%(a)s' * 100000) % {'a': 'b' * 100000} }}",
    "{{ '%1000000000d' | format(1) }}",
    "{{ '{:>1000000000}'.format('a') }}",
    "{{ '{:{}}'.format('a', 1000000000) }}",
    "{{ '{a:1000000000}'.format_map({'a': 1}) }}",
    "{{ ('{0}' * 1000000).format('a' * 1000000) }}",
    "{{ 'a' | center(10**9) }}",
    "{{ ['a'] | map('center', 10**9) | list }}",
    "{{ 'a'.center(10**9) }}",
    "{{ 'a'.zfill(10**9) }}",
    "{{ '\t'.expandtabs(10**9) }}",
    "{{ 'a\nb' | indent(10**9) }}",
    "{{ ('a' * 1000000) | replace('a', 'b' * 1000000) }}",
    "{{ ('a' * 1000000).replace('', 'b' * 1000000) }}",
    "{{ range(100000) | join('a' * 1000000) }}",
    "{{ ('a' * 1000000).join(['b'] * 100000) }}",
    "{{ [1] | batch(10**9, 0) | list }}",
    "{{ [[1]] | tojson(indent=10**9) }}",
    "{{ 1 | round(-(10**9)) }}",
    "{{ ([[1] * 100] * 4000) | sum(start=[]) }}",
    "{{ range(100000) | groupby('real') }}",
    "{{ 'a'.encode() }}",
    "{{ (1).to_bytes(10**9, 'big') }}",
    "{{ 'aaa'.translate({97: 'b' * 1000000}) }}",
    "{{ strftime_now('%c' * 1000000) }}",
    BIG + "{{ b.rfind('a' * 4000000 + 'b' + 'a' * 2000000) }}",
    BIG + "{{ b.rsplit('a' * 4000000 + 'b' + 'a' * 2000000, maxsplit=1) }}",
    BIG + "{{ b.strip('b' * 4000000 + 'a') }}",
    BIG + "{{ b | trim('b' * 4000000 + 'a') }}",
    "{{ ('- ' * 4000000) | title }}",
    "{{ ('\n' * 8000000) | indent(0) }}",
    "{{ ('{{' * 2000000).format(1) }}",
    "{{ ('1 ' * 4000000) % () }}",
    "{{ dict.fromkeys(range(0, (2**61 - 1) * 100000, 2**61 - 1)) }}",
    "{{ ('a' | attr('center'))(10**9) }}",
    "{{ ('{:1000000000}' | attr('format'))(1) }}",
    "{{ ('a' | safe) * 10**9 }}",
    "{% set l = range(100000) | list %}" + "".join(f"{{% set c{i} = l.copy() %}}" for i in range(600)),
    "{{ ('a' * 8000000) | list }}",
    "{{ ('a' * 8000000).split('a') }}",
]

TOO_LONG = [
    FOREVER,
    "{{ [1] | tojson(indent=-1000) }}" + FOREVER,
    "{{ [] | slice(10**9) | list }}",
    "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    BIG + "{% for i in range(100000) recursive %}{% if b == c %}{% endif %}{% endfor %}",
    BIG + "{% for i in range(100000) if b != c %}{% endfor %}",
    BIG + "{% if b == c %}{% endif %}" * 1000,
    "{% set l = range(100000) | list %}{% for i in range(100000) %}{{ -1 in l }}{% endfor %}",
    "{% for i in range(100000) %}{% set x = range(100000) | map('string') | map('upper') | list %}{% endfor %}",
]


def stopped(source: str) -> str:
    start = time.thread_time()
    with pytest.raises(BadTemplate) as caught:
        compile_template(source).render(USER)
    assert time.thread_time() - start < 2
    return str(caught.value)


@pytest.mark.parametrize("source", TOO_LARGE, ids=lambda s: s[:60])
def test_a_template_that_asks_for_too_much_is_stopped_before_it_gets_it(source):
    assert "was stopped" in stopped(source)


@pytest.mark.parametrize("source", TOO_LONG, ids=lambda s: s[:60])
def test_a_template_that_runs_too_long_is_stopped(source, monkeypatch):
    monkeypatch.setattr("quire.text.meter.Meter.__init__.__defaults__", (0.1,))
    said = stopped(source)
    assert "ran for more than 0.1 s" in said or "characters" in said


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ raise_exception('roles must alternate') }}", "roles must alternate"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages[0].a.b }}", "has no attribute"),
        ("{% include 'other' %}", "no loader"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
        ("{% for %}", "line 1"),
        ("{{ x | no_such_filter }}", "no_such_filter"),
        ("{{ " + "(" * 4000 + ")" * 4000 + " }}", "recursion"),
        ("{{ " + "a+" * 4000 + "a }}", "recursion"),
        ("{% for i in a %}" * 50 + "{% endfor %}" * 50, "nested"),
        ("x" * 300_000, "300,000 characters and may have 262,144"),
        ("{{a+a}}" * 20_000, "100,000 tokens and may have 10,000"),
    ],
    ids=lambda s: s[:40],
)
def test_what_is_wrong_with_a_template_is_said(source, said):
    assert said in stopped(source)


def test_errors_are_short_and_hold_no_addresses():
    assert len(stopped("{{ raise_exception('x' * 100000) }}")) < 600
    assert "0x" not in stopped("{{ raise_exception(cycler(1)) }}")


def test_a_template_is_compiled_once_and_the_store_is_bounded():
    assert compile_template(CHATML) is compile_template(CHATML)
    assert compile_template.cache_info().maxsize == module.CACHED_TEMPLATES


def test_a_long_chat_is_quick_and_within_the_limits():
    chat = [{"role": r, "content": f"message {i} " * 50} for i in range(1000) for r in ("user", "assistant")]
    start = time.thread_time()
    text = compile_template(QWEN).render(chat)
    assert time.thread_time() - start < 0.5 and text.count("<|im_end|>") == 2000


def test_one_huge_message_is_within_the_limits():
    chat = [{"role": "user", "content": "x" * 20_000_000}]
    assert len(compile_template(CHATML).render(chat)) > 20_000_000


def test_bad_messages_are_refused():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(BadParameter, match="nest too deep"):
        compile_template(CHATML).render([{"role": "user", "content": "", "x": deep}])
    with pytest.raises(BadParameter, match="empty"):
        compile_template(CHATML).render([])
    with pytest.raises(BadParameter, match=r"messages\[1\] must be an object"):
        compile_template(CHATML).render([*USER, "text"])
