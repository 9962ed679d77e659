"""Words of the command line become numbers and paths, or a sentence that says why they do not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

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
        self.limits = parameter.type_descriptor.parameter_info

    def coerce(self, value: Any, **_: Any) -> Any:
        """Read one word, or several; what was left out stays as it is."""
        return [self._read(word) for word in value or ()] if self.several else self._read(value)

    def _read(self, word: Any) -> Any:
        if not isinstance(word, str) or self.kind not in _READERS:
            return word
        from replicast.errors import invalid

        domain, _, read = _READERS[self.kind]
        try:
            value = (read_pvalue if self.name == "--pvalue" else read)(word)
        except ValueError:
            remedy = EITHER if self.kind is float and "," in word else ""
            raise invalid(self.name, domain, repr(word), remedy) from None
        least, most = self.limits.min, self.limits.max
        if (least is not None and value < least) or (most is not None and value > most):
            upper = "" if most is None else f" and at most {most}"
            raise invalid(self.name, f"at least {least}{upper}", repr(word))
        return value


def read_plainly(parameter: Any) -> Any:
    """Return a parameter that reads words as papers print them, and names in the help what it takes."""
    words = Words(parameter)
    parameter.get_runtime_param = lambda: words
    if parameter.param_type_name == "argument":
        parameter.metavar = parameter.name.upper()
    elif parameter.metavar is None and words.kind in _READERS:
        parameter.metavar = _READERS[words.kind][1]
    return parameter
