"""Words of the command line become numbers and paths, or a sentence that says why they do not."""

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import typer

from replicast.formatting import EITHER, AtMost, typed_number, typed_pvalue

UsageError: Any = typer.BadParameter.__base__  # typer has a click of its own, without a public name


def read_number(text: str) -> float:
    """Read a number as people type it; raise ValueError where it is none."""
    return float(typed_number(text))


def read_pvalue(text: str) -> float:
    """Read a p-value as papers print it, `<0.001` too; raise ValueError where it is none."""
    plain, limited = typed_pvalue(text)
    return AtMost(plain) if limited else float(plain)


def read_two(text: str, argument: str, domain: str) -> tuple[float, float]:
    """Read two numbers with a comma between them."""
    from replicast.errors import invalid

    try:
        first, second = (read_number(part) for part in text.split(","))
    except ValueError:
        raise invalid(argument, domain, repr(text)) from None
    return first, second


def _read_count(text: str) -> int:
    return int(typed_number(text, whole=True))


_READERS: dict[type, tuple[str, Callable[[str], Any]]] = {
    int: ("a whole number", _read_count),
    float: ("a number", read_number),
    str: ("a word", str),
    Path: ("a path", Path),
}

_WORDS = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "FILE"}  # in the help


def plain_reading(options: Sequence[Any], function: Callable[..., Any] | None) -> Sequence[Any]:
    """Let options read numbers as papers print them; flags and limits are left to typer.

    Typer builds a validator for every option, given or not, which takes longer than the statistics.
    """
    parameters = {} if function is None else inspect.signature(function).parameters
    for option in options:
        if "process_value" not in vars(option):
            known = parameters.get(option.name)
            kind, several = (NoneType, False) if known is None else kind_of(known.annotation)
            option.process_value = _reading(option, kind, several)
            option.metavar = option.metavar or (
                f"{option.name}...".upper() if several else _WORDS.get(kind)
            )
    return options


def kind_of(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one word, and whether there may be several."""
    told: tuple[Any, ...] = ()
    if get_origin(annotation) is Annotated:
        annotation, *told = get_args(annotation)  # type: ignore[assignment]  # a list
    if any(getattr(one, limit, None) is not None for one in told for limit in ("min", "max")):
        return NoneType, False
    kinds = [one for one in get_args(annotation) if one is not NoneType]
    if len(kinds) == 1 and NoneType in get_args(annotation):
        [annotation] = kinds
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    return annotation, False


def _reading(option: Any, kind: Any, several: bool) -> Callable[[Any, Any], Any]:
    process_by_typer = option.process_value

    def process(context: Any, value: Any) -> Any:
        left_out = value is None or ((several or option.multiple) and not value)
        if left_out and not option.required:
            return None if option.callback is None else option.callback(context, option, None)
        if left_out or kind not in _READERS or option.callback is not None:
            return process_by_typer(context, value)
        words = value if several else [value]
        read = [_read_word(word, option, kind) if isinstance(word, str) else word for word in words]
        return read if several else read[0]

    return process


def _read_word(word: str, option: Any, kind: type) -> Any:
    domain, read = _READERS[kind]
    try:
        return read_pvalue(word) if option.name == "pvalue" else read(word)
    except ValueError:
        from replicast.errors import invalid

        remedy = EITHER if kind is float and "," in word else ""
        raise invalid(option.opts[0], domain, repr(word), remedy) from None


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
