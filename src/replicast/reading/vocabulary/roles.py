"""What a column is for, by its name; and what a label such as Fold01.Rep1 says by itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from replicast.reading.vocabulary.naming import table_lines, word_lists, words

Role = Literal[
    "classifier", "dataset", "fold", "run", "seed", "split", "iteration", "resample", "step", "case",
    "cluster", "answer", "part", "truth", "prediction", "metric", "score", "n_train", "n_test", "number",
    "size", "moment", "status", "setting", "remark",
]  # fmt: skip

_AFFIXES = word_lists()["affixes"]
_SHARES = frozenset(("share", "fraction", "ratio", "proportion", "rate", "percent", "pct"))
_ROLES: dict[str, Role] = {}
for _line in table_lines("roles"):
    _role, *_names = _line.split()
    for _name in _names:
        _ROLES.setdefault(_name, _role)  # type: ignore[arg-type]  # of the table

PLACES: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
REPEATS: tuple[Role, ...] = ("run", "seed")
TRAINING, TESTING = word_lists()["training"], word_lists()["testing"]
VALIDATION = word_lists()["validation"]


@lru_cache(maxsize=4096)
def find_role(name: str) -> Role | None:
    """Return what a column is for, by whole words of its name; None if that is not known.

    Examples
    --------
    >>> find_role("fold_id"), find_role("Data set"), find_role("#instances"), find_role("svm")
    ('fold', 'dataset', 'size', None)
    """
    every = words(name)
    parts = [word for word in every if word not in ("params", "tags", "config", "attributes")]
    parts = parts or list(every)
    if not parts:
        return "number" if name.strip() in ("", "#") else None
    whole = "".join(parts)
    if re.fullmatch(r"unnamed\d*(level\d+)?", whole):
        return "number"
    if whole in _ROLES:
        return _ROLES[whole]
    if name.lstrip().startswith("#"):
        return "size"
    parts = _without_affixes(parts)
    while parts and parts[0] in ("key", "col", "n", "num", "number", "of", "the", "my"):
        counted = parts[0] in ("n", "num", "number")
        parts = parts[1:]
        if counted and parts:
            return "size"
    if len(parts) > 1 and parts[-1] in _SHARES and _ROLES.get("".join(parts[:-1])) == "size":
        return "size"  # majority class share
    known = _ROLES.get("".join(parts))
    return "truth" if known is None and _is_true(parts) else known


def _is_true(parts: list[str]) -> bool:
    """Tell the truth by a word at an end of a name: price_true, actual_price; no true positives."""
    marked = len(parts) > 1 and (parts[0] in _TRUE or parts[-1] in _TRUE)
    return marked and _RATES.isdisjoint(parts)


_TRUE = frozenset(("true", "actual", "gt", "groundtruth", "gold"))
_RATES = frozenset(("positive", "positives", "negative", "negatives", "rate", "rates", "pred"))
_WHOLES, _KINDS = word_lists()["wholes"], word_lists()["kinds"]
_DENOMINATORS = word_lists()["denominators"]
_SETTINGS = word_lists()["settings"]
_DEGREES = word_lists()["degrees"]


def is_whole(name: str) -> bool:
    """Say whether a column names what has several cases that hang together: patients, speakers.

    Examples
    --------
    >>> [is_whole(name) for name in ("patient_id", "SubjectID", "document", "image_id", "site")]
    [True, True, True, False, False]
    """
    return _bare(name) in _WHOLES


def is_kind(name: str) -> bool:
    """Say whether a column names groups of cases that may hang together or not: sites, topics."""
    return _bare(name) in _KINDS


def _bare(name: str) -> str:
    return "".join(_without_affixes(list(words(name))))


def is_denominator(name: str) -> bool:
    """Say whether a column counts what errors are divided by: ref_words, n_tokens, length."""
    parts = [one for one in words(name) if one not in ("n", "num", "ref", "reference", "of")]
    return "".join(parts) in _DENOMINATORS


def is_setting(name: str) -> bool:
    """Say whether a column is called like a setting of a model, by which models may be told apart."""
    return "".join(words(name)) in _SETTINGS


def is_chance(name: str) -> bool:
    """Say whether a column is called the chance that a model gives a case: prob_svm, risk_a, p_nb."""
    parts = words(name)
    return not _DEGREES.isdisjoint(parts) or parts[:1] == ("p",)


def _without_affixes(parts: list[str]) -> list[str]:
    while len(parts) > 1 and parts[-1] in _AFFIXES:
        parts = parts[:-1]
    return parts


def is_sure_cluster(name: str) -> bool:
    """Say whether a column names the clusters of its cases, and leaves no doubt about it.

    A group, topic or category may be one of a few kinds of cases, which do not hang together.
    """
    return find_role(name) == "cluster" and not is_kind(name)


def is_label(name: str) -> bool:
    """Say whether a column holds names, which stay as they are written: 3.10 is not 3.1."""
    return find_role(name) in ("classifier", "dataset")


def label_columns(columns: Sequence[str]) -> frozenset[str]:
    """Return the columns that hold names; the first does too, before resamples with numbers.

    Examples
    --------
    >>> label_columns(["Resamples:", "0", "1"]), label_columns(["fold", "svm", "model"])
    (frozenset({'Resamples:'}), frozenset({'model'}))
    """
    named = frozenset(filter(is_label, columns))
    return named | {columns[0]} if are_resamples(columns) else named


def are_resamples(columns: Sequence[str]) -> bool:
    """Tell a name before resamples with numbers from 0 on."""
    if len(columns) < 2:
        return False
    first, *others = columns
    counted = [str(at) for at in range(len(others))]
    return others == counted and not first.isdecimal() and "nnamed" not in first


@dataclass(frozen=True)
class Place:
    """Where in a design a score stands, read from a label; `kind` is the word it was called by."""

    kind: Role
    fold: int | None = None
    run: int | None = None


_FOLD = r"(?:(?:cv|outer|test|k)[ _.-]*+)?fold[ _.-]*+#?(?P<fold>\d++)"
_RUN = r"(?:rep|repeat|repetition|run|r)[ _.-]*+#?(?P<run>\d++)"
_WRITTEN: tuple[tuple[str, Role], ...] = (
    (rf"[ _.-]*+{_FOLD}(?:[ _.,/-]++{_RUN})?", "fold"),
    (rf"{_RUN}[ _.,/-]++{_FOLD}", "fold"),
    (r"split(?P<fold>\d++)_test_\w++", "fold"),  # of scikit-learn
    (r"(?:rep|repeat|repetition|run|trial|experiment)[ _.-]*#?(?P<run>\d+)", "run"),
    (r"(?:resample|bootstrap|boot|apparent)[ _.-]*#?(?P<run>\d+)", "resample"),
    (r"(?:split|partition|mc_?cv|validation)[ _.-]*#?(?P<run>\d+)", "split"),
    (r"(?:seed|random_state|rs)[ _.=-]*#?(?P<run>\d+)", "seed"),
    (r"(?:iter|iteration)[ _.-]*#?(?P<run>\d+)", "iteration"),
    (r"(?:epoch|step|round)[ _.-]*#?(?P<run>\d+)", "step"),
)
_LABELS = tuple((re.compile(pattern, re.IGNORECASE), role) for pattern, role in _WRITTEN)


@lru_cache(maxsize=4096)
def read_place(label: str) -> Place | None:
    """Read a label that says where it stands, None if it is a name.

    Examples
    --------
    >>> read_place("Fold01.Rep1")
    Place(kind='fold', fold=1, run=1)
    >>> read_place("Repeat2").run, read_place("iris")
    (2, None)
    """
    for pattern, role in _LABELS:
        found = pattern.fullmatch(label.strip())
        if found:
            told = found.groupdict()
            fold, run = (
                None if told.get(key) is None else int(told[key]) for key in ("fold", "run")
            )
            return Place(role, fold, run)
    return None
