"""Every regular expression of the package, how it is used, and strings made to slow it down."""

import ast
import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from re import _constants as constants  # type: ignore[attr-defined]  # how a pattern is taken apart
from re import _parser as parser  # type: ignore[attr-defined]  # not public
from typing import Any

import replicast

USED_INSIDE = {  # by a loop over them
    "replicast.design.spelling:_SPELT": {"fullmatch"},
    "replicast.reading.vocabulary.roles:_LABELS": {"fullmatch"},
}
METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")
_SAMPLES = {
    constants.CATEGORY_DIGIT: "1",
    constants.CATEGORY_SPACE: " \n",
    constants.CATEGORY_WORD: "a1_",
    constants.CATEGORY_NOT_DIGIT: "a",
    constants.CATEGORY_NOT_SPACE: "a",
    constants.CATEGORY_NOT_WORD: "-",
}


@dataclass(frozen=True)
class Expression:
    """A pattern, and the methods by which the package uses it."""

    where: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]


def modules() -> Iterator[str]:
    """Yield the names of all modules of the package."""
    for one in pkgutil.walk_packages(replicast.__path__, "replicast."):
        if not one.name.endswith("__main__"):
            yield one.name


def expressions(name: str) -> list[Expression]:
    """Return the expressions of a module; one that cannot be known without running it fails."""
    origin = getattr(find_spec(name), "origin", None)
    source = Path(origin).read_text(encoding="utf-8") if origin else ""
    if not re.search(r"\bre\b|\.str\.", source):
        return []
    tree = ast.parse(source)
    used: dict[str, set[str]] = {}
    found: list[Expression] = []
    compiled = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        method, owner = node.func.attr, node.func.value
        if isinstance(owner, ast.Name) and owner.id == "re":
            if method == "compile":
                compiled += 1
            elif method in METHODS:
                pattern = node.args[0]
                assert isinstance(pattern, ast.Constant), f"{name}:{node.lineno}: compile it"
                flags = _flags(node)
                found.append(
                    Expression(f"{name}:{node.lineno}", re.compile(pattern.value, flags), (method,))
                )
        elif isinstance(owner, ast.Attribute) and owner.attr == "str" and method in METHODS:
            raise AssertionError(f"{name}:{node.lineno}: an expression handed to pandas")
        elif isinstance(owner, ast.Name) and method in METHODS:
            used.setdefault(owner.id, set()).add(method)
    for one in ast.walk(tree):  # map(_X.match, cells)
        held_by = one.value if isinstance(one, ast.Attribute) and one.attr in METHODS else None
        if isinstance(one, ast.Attribute) and isinstance(held_by, ast.Name):
            used.setdefault(held_by.id, set()).add(one.attr)
    held = list(_held(vars(importlib.import_module(name)))) if compiled else []
    known = [(key, pattern) for key, pattern in held]
    assert len(known) >= compiled, f"{name}: {compiled} are compiled, {len(known)} can be reached"
    for key, pattern in known:
        told = used.get(key) or USED_INSIDE.get(f"{name}:{key}") or {"search", "fullmatch"}
        methods = tuple(sorted(told))
        found.append(Expression(f"{name}:{key}", pattern, methods))
    return found


def _flags(call: ast.Call) -> int:
    told = [word.value for word in call.keywords if word.arg == "flags"]
    text = ast.unparse(told[0]) if told else ""
    names = re.findall(r"re\.([A-Z]+)", text)
    return int(sum(getattr(re, one) for one in names))


def _held(values: dict[str, Any]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the compiled expressions among the values of a module, also inside of tuples and dicts."""
    for key, value in values.items():
        for one in _patterns(value, 0):
            yield key, one


def _patterns(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns(one, depth + 1)
    elif depth < 3 and type(value) is dict:
        for one in value.values():
            yield from _patterns(one, depth + 1)


def letters(pattern: re.Pattern[Any]) -> list[str]:
    """Return letters that the parts of a pattern accept, and two that few do."""
    found: dict[str, None] = {}
    for letter in _letters(parser.parse(_text(pattern), pattern.flags & ~re.UNICODE)):
        found[letter] = None
    return list(dict.fromkeys([*list(found)[:14], " ", "1", "x"]))


def _letters(parsed: Any) -> Iterator[str]:
    for kind, value in parsed:
        if kind in (constants.LITERAL, constants.NOT_LITERAL):
            yield chr(value) if kind is constants.LITERAL else ("a" if value != ord("a") else "b")
        elif kind is constants.IN:
            yield from _of_set(value)
        elif kind is constants.ANY:
            yield "a"
        elif kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            yield from _letters(value[2])
        elif kind is constants.SUBPATTERN:
            yield from _letters(value[3])
        elif kind is constants.ATOMIC_GROUP:
            yield from _letters(value)
        elif kind is constants.BRANCH:
            for branch in value[1]:
                yield from itertools.islice(_letters(branch), 4)
        elif kind in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _letters(value[1])


def _of_set(items: Any) -> Iterator[str]:
    if items[0][0] is constants.NEGATE:
        yield next(one for one in "a1 -\n" if not _is_in(one, items[1:]))
        return
    for kind, value in items[:4]:
        if kind is constants.LITERAL:
            yield chr(value)
        elif kind is constants.RANGE:
            yield chr(value[0])
        elif kind is constants.CATEGORY:
            yield from _SAMPLES[value]


def _is_in(letter: str, items: Any) -> bool:
    for kind, value in items:
        if kind is constants.LITERAL and ord(letter) == value:
            return True
        if kind is constants.RANGE and value[0] <= ord(letter) <= value[1]:
            return True
        if kind is constants.CATEGORY and letter in _SAMPLES[value]:
            return True
    return False


def samples(pattern: re.Pattern[Any]) -> list[str]:
    """Return texts that begin as a match does, up to some part, for the first branches."""
    parsed = parser.parse(_text(pattern), pattern.flags & ~re.UNICODE)
    found: dict[str, None] = {}
    for branch in range(4):
        whole = ""
        for part in _parts(parsed, branch):
            whole += part
            found[whole] = None
    return [one for one in found if len(one) > 1][:40]


def _parts(parsed: Any, branch: int) -> Iterator[str]:
    for kind, value in parsed:
        if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            for _ in range(max(1, min(value[0], 3))):
                yield from _parts(value[2], branch)
        elif kind is constants.SUBPATTERN:
            yield from _parts(value[3], branch)
        elif kind is constants.ATOMIC_GROUP:
            yield from _parts(value, branch)
        elif kind is constants.BRANCH:
            yield from _parts(value[1][branch % len(value[1])], branch)
        elif kind not in (constants.ASSERT, constants.ASSERT_NOT, constants.AT):
            yield from itertools.islice(_letters([(kind, value)]), 1)


def _text(pattern: re.Pattern[Any]) -> str:
    text = pattern.pattern
    return text if isinstance(text, str) else text.decode("latin-1")


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield beginnings, what is repeated, and ends."""
    known, begun = letters(pattern), samples(pattern)
    ends = ("", "\x00", "x", *(f"{one}{one}\x00" for one in known))
    pairs = ["".join(two) for two in itertools.permutations(known[:8], 2)]
    for unit in known:
        for first in ("", *known):
            yield from ((first, unit, last) for last in ends)
        for first in begun[:: max(1, len(begun) // 12)]:
            yield from ((first, unit, last) for last in ends[:3])
    for unit in (*pairs, *begun):
        yield from (("", unit, last) for last in ends)


def runner(one: Expression, method: str) -> Callable[[str], object]:
    """Return a function that lets a pattern work on a text, as the package does."""
    call = getattr(one.pattern, method)

    def work(text: str) -> object:
        told = text if isinstance(one.pattern.pattern, str) else text.encode("latin-1", "replace")
        found = call(told[:0], told) if method in ("sub", "subn") else call(told)
        return sum(1 for _ in found) if method == "finditer" else found

    return work


def seconds(work: Callable[[str], object], text: str, repeats: int) -> float:
    """Return the least time of this thread that some repeats took, so that others do not count."""
    least = float("inf")
    for _ in range(repeats):
        begun = time.thread_time_ns()
        work(text)
        least = min(least, time.thread_time_ns() - begun)
    return least / 1e9


def text_of(parts: tuple[str, str, str], length: int) -> str:
    """Return an attack of some length."""
    first, unit, last = parts
    return first + unit * (length // len(unit)) + last


def grows(work: Callable[[str], object], parts: tuple[str, str, str]) -> bool:
    """Say whether the time grows faster than the text: twice the text, more than thrice the time.

    Short texts do not tell, so the text is doubled until it takes a while; what stays quick up to
    the longest is fine. Only a growth that is seen twice in a row counts.
    """
    seen, length, before = 0, 250, 0.0
    while length <= 64_000:
        now = seconds(work, text_of(parts, length), 3)
        if now > 0.0005:
            seen = seen + 1 if before and now > 3 * before else 0
            if seen >= 2 or now > 2:
                return seen > 0
        before, length = now, 2 * length
    return False


def explodes(work: Callable[[str], object], parts: tuple[str, str, str]) -> bool:
    """Say whether eight letters more take twenty times as long: nobody could wait for 400 of them."""
    short, more = (seconds(work, text_of(parts, length), 1) for length in (16, 24))
    if more < 0.001 or more < 20 * short:
        return False
    short, more = (seconds(work, text_of(parts, length), 3) for length in (16, 24))
    return more > 20 * short


def slow_attacks(one: Expression) -> list[tuple[str, tuple[str, str, str]]]:
    """Return the attacks under which an expression takes more than linear time."""
    found = []
    for method in one.methods:
        work = runner(one, method)
        timed = []
        for parts in attacks(one.pattern):
            if explodes(work, parts):
                return [(method, parts)]
            timed.append((seconds(work, text_of(parts, 400), 1), parts))
        timed.sort(key=lambda pair: -pair[0])
        for _, parts in timed[:12]:
            if grows(work, parts):
                found.append((method, parts))
                break
    return found
