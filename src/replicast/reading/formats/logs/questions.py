"""Whether logs that are joined by the ids of their cases asked the same questions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from replicast.errors import InvalidContentError, shorten

INPUT = "input"
_REMEDY = (
    "Compare logs of the same questions: ids that were counted after a shuffle, or in another version "
    "of the dataset, do not match"
)
Case = tuple[str, str]
Marks = Mapping[str, str]


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
    samples: Iterable[tuple[str, Case, Marks]], name: str
) -> tuple[str, ...]:
    """Refuse logs that say different things about one case; return what was assumed.

    The right answer decides, and the hash of the question. Inputs differ where prompts are compared,
    so they decide only where the answers do not tell: none is given, or all cases have the same one.
    """
    said: dict[str, dict[Case, dict[str, str]]] = {}
    for model, case, marks in samples:
        for mark, text in marks.items():
            said.setdefault(mark, {}).setdefault(case, {}).setdefault(model, text)
    inputs = said.pop(INPUT, {})
    shared = {mark: [c for c in cases if len(cases[c]) > 1] for mark, cases in said.items()}
    for mark, cases in said.items():
        _refuse(mark, cases, [c for c in shared[mark] if len(set(cases[c].values())) > 1], name)
    other = [c for c in inputs if len(set(inputs[c].values())) > 1]
    if not other:
        return ()
    telling = any(
        len({next(iter(said[mark][c].values())) for c in cases}) > 1
        for mark, cases in shared.items()
    )
    if not telling and not _same_but_for_the_prompt(inputs):
        _refuse(INPUT, inputs, other, name)
    return ("The inputs differ from log to log: read as other prompts for the same questions.",)


def _refuse(
    mark: str, said: Mapping[Case, Mapping[str, str]], other: Sequence[Case], name: str
) -> None:
    if not other:
        return
    task, case = other[0]
    texts = list(dict.fromkeys(said[other[0]].values()))[:2]
    told = " and ".join(repr(shorten(text, 40)) for text in texts)
    got = f"case {shorten(case)} of {shorten(task)} with two values of {mark} ({told})"
    remedy = _REMEDY
    if len(other) > 1:
        got += f", and {len(other) - 1:,} more such cases"
    if len(other) < len(said) / 2:
        remedy += "; or leave those cases out of both"
    raise InvalidContentError(name, "the same question behind an id in every log", got, remedy)


def _same_but_for_the_prompt(inputs: Mapping[Case, Mapping[str, str]]) -> bool:
    """Tell whether inputs are the same once what all those of a model begin and end with is gone."""
    joined = [told for told in inputs.values() if len(told) > 1]
    if len(joined) < 2:
        return False  # of one input nothing tells what is prompt and what is question
    models = dict.fromkeys(model for told in joined for model in told)
    ends = {}
    for model in models:
        texts = [told[model] for told in joined if model in told]
        start = _shared_start(texts)
        ends[model] = start, _shared_start([text[start:][::-1] for text in texts])
    for told in joined:
        rests = {text[ends[m][0] : len(text) - ends[m][1]] for m, text in told.items()}
        shortest = min(told.values(), key=len)
        if len(rests) > 1 and not all(shortest in text for text in told.values()):
            return False
    return True


def _shared_start(texts: Sequence[str]) -> int:
    """Return how many letters all texts begin with: as many as the first and the last in order."""
    low, high = min(texts), max(texts)
    return next((at for at, letter in enumerate(low) if letter != high[at]), len(low))
