"""Words of the command line become numbers and paths, or a sentence that says why they do not.

Plain words are read without the library that typer loads for it.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import typer

from replicast.formatting import EITHER, AtMost, typed_number, typed_pvalue

UsageError: Any = typer.BadParameter.__base__  # typer has a click of its own, without a public name
_DECIMAL = re.compile(r"[-+]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})")
_PLAIN: dict[type, Callable[[str], Any]] = {
    int: lambda word: int(word) if re.fullmatch(r"[-+]?\d{1,15}", word) else None,
    float: lambda word: float(word) if _DECIMAL.fullmatch(word) else None,
    str: lambda word: word,
    Path: lambda word: Path(word) if word else None,
}


def read_number(text: str) -> float:
    """Read a number as people type it; raise ValueError where it is none."""
    return float(typed_number(text))


def read_pvalue(text: str) -> float:
    """Read a p-value as papers print it, `<0.001` too; raise ValueError where it is none."""
    plain, limited = typed_pvalue(text)
    return AtMost(plain) if limited else float(plain)


def plain_reading(options: Sequence[Any], function: Callable[..., Any] | None) -> Sequence[Any]:
    """Let options read what is written plainly by themselves; anything else is left to typer.

    Typer builds a validator for every option, given or not, which takes longer than the statistics.
    """
    parameters = {} if function is None else inspect.signature(function).parameters
    for one in options:
        if "process_value" not in vars(one):
            known = parameters.get(one.name)
            kind, several = (NoneType, False) if known is None else _kind(known.annotation)
            one.process_value = _reading(one, kind, several)
    return options


def _kind(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one word, and whether there may be several."""
    options: tuple[Any, ...] = ()
    if get_origin(annotation) is Annotated:
        annotation, *options = get_args(annotation)  # type: ignore[assignment]  # a list
    if any(getattr(one, limit, None) is not None for one in options for limit in ("min", "max")):
        return NoneType, False
    kinds = [one for one in get_args(annotation) if one is not NoneType]
    if len(kinds) == 1 and NoneType in get_args(annotation):
        [annotation] = kinds
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    return annotation, False


def _reading(one: Any, told: Any, several: bool) -> Callable[[Any, Any], Any]:
    convert = _PLAIN.get(told)
    checked = one.process_value

    def whole(context: Any, value: Any) -> Any:
        try:
            if told is float and one.name == "pvalue":
                return read_pvalue(value)
            return checked(context, _typed(value, told))
        except (UsageError, ValueError) as error:
            kind = {int: "a whole number", float: "a number"}.get(told)
            if kind is None or type(error) not in (typer.BadParameter, ValueError):
                raise
            from replicast.errors import invalid

            remedy = EITHER if told is float and "," in str(value) else ""
            raise invalid(one.opts[0], kind, repr(value), remedy) from None

    def process(context: Any, value: Any) -> Any:
        single = one.nargs == 1 and not one.multiple
        if not one.required and (value is None if single else not value):
            return None if one.callback is None else one.callback(context, one, None)
        if convert is None or one.callback is not None:
            return whole(context, value)
        words = value if several and isinstance(value, list | tuple) else [value]
        if words and all(isinstance(word, str) for word in words):
            found = [convert(_typed(word, told)) for word in words]
            if None not in found:
                return found if several else found[0]
        elif not several and isinstance(value, int | float | Path) and value == one.default:
            return value
        return whole(context, value)

    return process


def _typed(word: Any, told: Any) -> Any:
    """Write a number as Python reads it; leave other words alone."""
    if told not in (int, float) or not isinstance(word, str):
        return word
    return typed_number(word, whole=told is int)


_RENAMED = {"--explain": "--more", "--plot": "--output"}  # as they were called before


def usage_sentence(error: Any) -> str:
    """Say in the one style of all mistakes what was wrong with the words of a command."""
    from replicast.errors import nearest

    match type(error).__name__:
        case "NoSuchOption":
            known = [name for one in error.ctx.command.params for name in one.opts]
            now = _RENAMED.get(error.option_name, "")
            meant = f"Did you mean {now}?" if now in known else nearest(error.option_name, known)
            return f"There is no option `{error.option_name}`. {meant}".strip()
        case "MissingParameter":
            shown = error.param.opts[0]
            if error.param.param_type_name == "argument":
                shown = shown.upper()
            return f"`{shown}` must be given, got nothing."
        case "BadOptionUsage" if "not take" in str(error.format_message()):
            return f"`{error.option_name}` must stand alone, got a value."
        case "BadOptionUsage":
            return f"`{error.option_name}` must be followed by a value, got nothing."
    said = str(error.format_message())
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", said)
    if extra is not None:
        return f"There is no place for `{extra[1]}` in this command; the names of options begin with --."
    unknown = re.match(r"No such command '(.*?)'", said)
    if unknown is None:
        return said
    meant = nearest(unknown[1], error.ctx.command.list_commands(error.ctx))
    return f"There is no command `{unknown[1]}`. {meant}".strip()
