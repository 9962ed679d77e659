"""Whether logs that are joined by the ids of their cases asked the same questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from replicast.errors import InvalidContentError, shorten

INPUT = "input"
_REMEDY = (
    "Compare logs of the same questions: ids that were counted after a shuffle, or in another version "
    "of the dataset, do not match"
)
Case = tuple[str, str]


def marks_of(record: Mapping[Any, Any], *names: str) -> dict[str, str]:
    """Return what a record says about its question, as text; what is not there says nothing.

    Of names joined by a bar the first that is there counts: `doc_hash|doc`.
    """
    told = (
        next((name for name in one.split("|") if record.get(name) not in (None, "", [])), None)
        for one in names
    )
    return {name: str(record[name]).strip() for name in told if name is not None}


def refuse_other_questions(
    samples: Iterable[tuple[str, Case, Mapping[str, str]]], name: str
) -> tuple[str, ...]:
    """Refuse logs that say different things about one case; return what was assumed.

    The right answer decides, and the hash of the question. Inputs differ where prompts are compared,
    so they decide only where the answers do not tell: none is given, or all cases have the same one.
    """
    said: dict[str, dict[Case, dict[str, str]]] = {}
    for model, case, marks in samples:
        for mark, text in marks.items():
            said.setdefault(mark, {}).setdefault(case, {}).setdefault(model, text)
    telling = any(
        len({next(iter(told.values())) for told in cases.values() if len(told) > 1}) > 1
        for mark, cases in said.items()
        if mark != INPUT
    )
    notes: tuple[str, ...] = ()
    for mark, cases in said.items():
        other = [case for case, told in cases.items() if len({*told.values()}) > 1]
        if other and mark == INPUT and telling:
            notes = (
                "The inputs differ from log to log: read as other prompts for the same questions.",
            )
        elif other:
            task, called = other[0]
            texts = list(dict.fromkeys(cases[other[0]].values()))[:2]
            shown = " and ".join(repr(shorten(text, 40)) for text in texts)
            got = f"case {shorten(called)} of {shorten(task)} with two values of {mark} ({shown})"
            got += f", and {len(other) - 1:,} more such cases" if len(other) > 1 else ""
            few = len(other) < len(cases) / 2
            remedy = f"{_REMEDY}; or leave those cases out of both" if few else _REMEDY
            domain = "the same question behind an id in every log"
            raise InvalidContentError(name, domain, got, remedy)
    return notes
