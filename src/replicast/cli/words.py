"""Words of the command line become numbers and paths, or a sentence that says why they do not."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

from replicast.cli.standard_input import DASH, read_dash
from replicast.formatting import EITHER, AtMost, typed_number, typed_pvalue


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


def read_pairs(text: str | None, option: str, example: str) -> dict[str, str]:
    """Read pairs written as name=value,name=value."""
    from replicast.errors import invalid

    found = {}
    for item in filter(None, (text or "").split(",")):
        name, mark, value = item.partition("=")
        if not mark or not name.strip():
            raise invalid(option, f"pairs such as {example}", repr(item))
        found[name.strip()] = value.strip()
    return found


def _read_count(text: str) -> int:
    return int(typed_number(text, whole=True))


# by type: what it is called in a sentence and in the help, and its reader
_READERS: dict[type, tuple[str, str, Callable[[str], Any]]] = {
    int: ("a whole number", "NUMBER", _read_count),
    float: ("a number", "NUMBER", read_number),
    str: ("a word", "TEXT", str),
    Path: ("a path", "FILE", Path),
}


class Words:
    """How the words of one parameter are read; typer's own reader loads a validator for it."""

    def __init__(self, parameter: Any) -> None:
        kind = parameter.type_descriptor.annotation
        self.several = get_origin(kind) is list
        self.kind = get_args(kind)[0] if self.several else kind
        self.name = parameter.opts[0]
        self.is_argument = parameter.param_type_name == "argument"
        self.limits = parameter.type_descriptor.parameter_info

    def coerce(self, value: Any, *, ctx: Any = None, **_: Any) -> Any:
        """Read one word, or several; what was left out stays as it is."""
        words = value or () if self.several else [value]
        found = [self._read(word, ctx) if isinstance(word, str) else word for word in words]
        return found if self.several else found[0]

    def _read(self, word: str, context: Any) -> Any:
        if word == DASH and self.is_argument and not context.resilient_parsing:
            return self.kind(read_dash(context, self.name.upper()))
        if self.kind not in _READERS:
            return word
        from replicast.errors import invalid

        domain, _, read = _READERS[self.kind]
        try:
            value = (read_pvalue if self.name == "--pvalue" else read)(word)
        except ValueError:
            remedy = EITHER if self.kind is float and "," in word else ""
            raise invalid(self.name, domain, repr(word), remedy) from None
        self._refuse_beyond(value, word)
        return value

    def _refuse_beyond(self, value: Any, word: str) -> None:
        from replicast.errors import invalid

        least, most = self.limits.min, self.limits.max
        if least is None or least <= value <= (math.inf if most is None else most):
            return
        upper = "" if most is None else f" and at most {most}"
        raise invalid(self.name, f"at least {least}{upper}", repr(word))


def read_plainly(parameter: Any) -> Any:
    """Return a parameter that reads words as papers print them, and names in the help what it takes."""
    words = Words(parameter)
    parameter.get_runtime_param = lambda: words
    if words.is_argument:
        parameter.metavar = parameter.name.upper()
    elif parameter.metavar is None and words.kind in _READERS:
        parameter.metavar = _READERS[words.kind][1]
    return parameter
