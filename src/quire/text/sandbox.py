"""A Jinja environment in which a template can neither reach Python nor run away.

Jinja's own sandbox keeps templates from attributes they must not see. This one adds limits (meter.py): the
template's tree is rewritten before compilation so that every loop turn, comparison, slice and literal passes
through a metered filter, and operators, calls and filters are checked before they build something large.
What a chat is and how it becomes template variables is template.py's business.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

from jinja2 import Template, TemplateError, nodes, pass_context
from jinja2.ext import Extension
from jinja2.filters import FILTERS
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from quire.text import meter as limits
from quire.text.guards import BEFORE_FILTER, BEFORE_METHOD, BEFORE_OPERATOR, check_format_spec, to_json
from quire.text.meter import LimitReached, current

MAX_KEYS = 10_000
# Filters that no chat template uses and whose running time cannot be bounded from outside.
_LEFT_OUT = {"pprint", "striptags", "urlize", "wordwrap", "xmlattr"}
# Filters that hand on a value that exists already: nothing to count.
_HAND_ON = {"attr", "count", "d", "default", "first", "last", "length", "max", "min", "random", "safe"}

_STR_METHODS = (
    "capitalize casefold center count endswith expandtabs find format format_map index isalnum isalpha "
    "isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust "
    "lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip "
    "split splitlines startswith strip swapcase title upper zfill"
)
_SAFE_METHODS: dict[type, frozenset[str]] = {
    str: frozenset(_STR_METHODS.split()),
    dict: frozenset(["copy", "get", "items", "keys", "values"]),
    list: frozenset(["copy", "count", "index"]),
    tuple: frozenset(["count", "index"]),
    int: frozenset(["bit_length", "is_integer"]),
    float: frozenset(["is_integer"]),
    bytes: frozenset(),
    type: frozenset(),
}


class GuardedEnvironment(ImmutableSandboxedEnvironment):
    """Compiles with `compile_guarded`; renders only while a Meter is entered."""

    intercepted_binops = frozenset(BEFORE_OPERATOR)
    concat = staticmethod(limits.metered_join)

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[Generation, "jinja2.ext.loopcontrols"],
            cache_size=0,
        )
        self.globals = {
            "range": limits.bounded_range,
            "dict": TemplateDict(),
            "namespace": PlainNamespace,
            "cycler": self.globals["cycler"],
            "joiner": self.globals["joiner"],
            "raise_exception": raise_exception,
            "strftime_now": strftime_now,
        }
        self.filters = {name: _guarded(name, f) for name, f in FILTERS.items() if name not in _LEFT_OUT}
        self.filters["tojson"] = _guarded("tojson", to_json)
        self.filters.update({_TICK: _tick, _BOUND: _bound, _JOIN: _join_texts})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        BEFORE_OPERATOR[operator](left, right)
        return current().made(super().call_binop(context, operator, left, right), f"the operator {operator}")

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        meter = current()
        meter.tick()
        owner, name = getattr(__obj, "__self__", None), getattr(__obj, "__name__", "")
        named = {key: value for key, value in kwargs.items() if key not in ("_loop_vars", "_block_vars")}
        if isinstance(__obj, Macro):
            meter.made([*args, *named.values()], "the arguments of a macro")
        for kind, safe in _SAFE_METHODS.items():
            if isinstance(owner, kind):
                if name not in safe:
                    raise LimitReached(f"{kind.__name__}.{name} is not available in chat templates")
                if kind is str and name in BEFORE_METHOD:
                    args, kwargs = BEFORE_METHOD[name](meter, owner, *args, **named), {}
                break
        result = super().call(__context, __obj, *args, **kwargs)
        handed_on = isinstance(owner, (dict, list, tuple)) and name != "copy"
        return result if handed_on else meter.made(result, name or "a call")

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        if super().wrap_str_format(value) is None:
            return None
        text, mapped, formatter = value.__self__, value.__name__ == "format_map", _Formatter(self)

        def bounded(*args: Any, **kwargs: Any) -> str:
            current().allow(8 * len(text), "str.format")
            return str(formatter.vformat(text, () if mapped else args, args[0] if mapped else kwargs))

        return bounded


class _Formatter(SandboxedFormatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        check_format_spec(format_spec)
        return str(current().made(super().format_field(value, format_spec), "str.format"))


class Generation(Extension):
    """`{% generation %} … {% endgeneration %}` marks what the assistant said; here it is transparent."""

    tags: ClassVar[set[str]] = {"generation"}  # type: ignore[misc]

    def parse(self, parser: Parser) -> nodes.Node:
        lineno = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=lineno)


class TemplateDict:
    """The `dict` of templates: only what makes new ones, of few keys (numbers can be chosen to collide)."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*(self._few(a) for a in args), **kwargs)

    def fromkeys(self, keys: Any, value: Any = None) -> dict[Any, Any]:
        return dict.fromkeys(self._few(keys), value)

    def _few(self, entries: Any) -> Any:
        if isinstance(entries, dict):
            return entries
        entries = list(current().each(entries))
        if len(entries) > MAX_KEYS:
            raise LimitReached(f"dict gets {len(entries):,} keys and takes {MAX_KEYS:,}")
        return entries


class PlainNamespace(Namespace):
    """Jinja's namespace, which does not write out what it holds and takes no private names."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        values = dict(*args[1:], **kwargs)
        for name in values:
            _public(name)
        Namespace.__init__(args[0], values)

    def __setitem__(self, name: str, value: Any) -> None:
        Namespace.__setitem__(self, _public(name), value)

    def __repr__(self) -> str:
        return "<Namespace>"


def _public(name: Any) -> Any:
    if str(name).startswith("_"):
        raise TemplateError(f"a namespace cannot hold {name!r}: names that begin with _ are private")
    return name


def raise_exception(message: Any) -> None:
    raise TemplateError(str(message))


def strftime_now(pattern: str) -> str:
    if len(pattern) > 256:
        raise LimitReached(f"strftime_now got a pattern of {len(pattern):,} characters and takes 256")
    return datetime.now().strftime(pattern)


def _guarded(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a filter: checked before, counted after. Taking the context keeps Jinja from folding it early."""
    wants = getattr(getattr(plain, "jinja_pass_arg", None), "name", None)
    before = BEFORE_FILTER.get(name)

    def guarded(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        meter = current()
        meter.tick()
        if before is not None:
            value = before(value, *args, **kwargs)
        lead = {
            None: (),
            "context": (context,),
            "environment": (context.environment,),
            "eval_context": (context.eval_ctx,),
        }[wants]
        result = plain(*lead, value, *args, **kwargs)
        if hasattr(result, "__next__"):
            return meter.each(result)
        return result if name in _HAND_ON else meter.made(result, f"the filter {name}")

    return pass_context(guarded)


# ---- the rewriting of the tree ----

# Names with a space cannot be written as a filter; reached through `map("…")` they do no harm.
_TICK, _BOUND, _JOIN = "a tick", "a bound", "a join"


@pass_context
def _tick(context: Context, value: Any) -> Any:
    current().tick()
    return value


@pass_context
def _bound(context: Context, value: Any) -> Any:
    return current().made(value)


@pass_context
def _join_texts(context: Context, values: Any) -> str:
    return limits.metered_join(map(str, values))


def _through(name: str, node: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


class _Meters(NodeTransformer):
    """Puts a tick into every loop and comparison and a bound around every literal and slice."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        always = nodes.Const(True, lineno=node.lineno)
        node.body.insert(0, nodes.ExprStmt(_through(_TICK, always), lineno=node.lineno))
        if node.test is not None:
            node.test = nodes.And(_through(_TICK, always), node.test, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        return _through(_JOIN, nodes.List(node.nodes, lineno=node.lineno))

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:
        self.generic_visit(node)
        return _through(_BOUND, node) if isinstance(node.arg, nodes.Slice) else node

    def _ticked(self, node: nodes.Expr) -> nodes.Node:
        self.generic_visit(node)
        return _through(_TICK, node)

    def _bounded(self, node: nodes.Expr) -> nodes.Node:
        self.generic_visit(node)
        plain = all(isinstance(child, (nodes.Const, nodes.Pair)) for child in node.iter_child_nodes())
        plain = plain and all(isinstance(p.value, nodes.Const) for p in node.find_all(nodes.Pair))
        return node if plain or getattr(node, "ctx", "load") != "load" else _through(_BOUND, node)

    visit_Compare = visit_Test = _ticked
    visit_List = visit_Tuple = visit_Dict = _bounded


def compile_guarded(environment: GuardedEnvironment, tree: nodes.Template) -> Template:
    """Returns a Jinja template for a parsed `tree`, metered throughout. Changes the tree."""
    guarded = _Meters().visit(tree)
    guarded.set_environment(environment)
    code = environment.compile(guarded)
    return environment.template_class.from_code(environment, code, dict(environment.globals))
