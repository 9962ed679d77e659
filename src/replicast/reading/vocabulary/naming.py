"""Names of columns, rows and files, taken apart into words."""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

_SIGNS = (("@", " at "), ("%", " percent "), ("±", " std "), ("σ", " std "), ("μ", " mean "))
_SPLIT = re.compile(r"[\W_]+")
# a capital begins a word after a small letter, and before one at the end of capitals: testAUC, ROCArea
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """Take a name apart at marks and at capitals, in small letters without accents.

    Examples
    --------
    >>> words("test-neg_LogLoss"), words("R²"), words("recall@10"), words("#wins")
    (('test', 'neg', 'log', 'loss'), ('r2',), ('recall', 'at', '10'), ('wins',))
    """
    plain = unicodedata.normalize("NFKC", name)
    for sign, word in _SIGNS:
        plain = plain.replace(sign, word)
    plain = unicodedata.normalize("NFKD", _CAPITALS.sub(" ", plain))
    letters = "".join(letter for letter in plain if not "\u0300" <= letter <= "\u036f")  # accents
    whole = unicodedata.normalize("NFC", letters.casefold())  # Korean syllables
    return tuple(filter(None, _SPLIT.split(whole)))


def squeezed(name: str) -> str:
    """Write a name in small letters and digits alone.

    Examples
    --------
    >>> squeezed("Data set"), squeezed("fold_id")
    ('dataset', 'foldid')
    """
    return "".join(words(name))


def table_lines(name: str) -> list[str]:
    """Return the lines of a table of words, without remarks."""
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


@cache
def word_lists() -> dict[str, frozenset[str]]:
    """Return the lists of words.txt by name."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in table_lines("words"):
        if line.startswith("["):
            name = line[1:].partition("]")[0]
            found[name] = set()
        else:
            found[name].update(line.split())
    return {key: frozenset(members) for key, members in found.items()}
