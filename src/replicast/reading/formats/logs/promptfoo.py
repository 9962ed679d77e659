"""promptfoo: results of `eval -o` as JSON, JSON lines or CSV, all providers in one file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from replicast.errors import invalid
from replicast.reading.documents import Document
from replicast.reading.formats.logs.samples import Habits, Sample, tabulate_samples
from replicast.reading.requests import Request
from replicast.reading.syntaxes.csv_rows import csv_rows
from replicast.scores.tables import ScoreTable

_PROMPT = re.compile(r"\[([^\]]+)\]\s*(.*)", re.DOTALL)
_RECORD = frozenset(("gradingResult", "testIdx", "provider", "success"))
_HABITS = Habits(
    kind="promptfoo results",
    usual=("success", "score"),
    convention="promptfoo's scores: 1 is a pass",
)


def is_promptfoo(document: Document) -> bool:
    """Tell by the fields of a result, or by the columns Status and Score behind every prompt."""
    if document.head[:1] in (b"{", b"[") or document.value is not None:
        tree = document.tree
        return bool(_records(tree)) and isinstance(_records(tree)[0], Mapping) and (
            len(_RECORD & set(_records(tree)[0])) >= 3
        )  # fmt: skip
    line = document.head.partition(b"\n")[0]
    return line.count(b",Status,Score") >= 1 and b"[" in line and b"Grader Reason" in line


def _records(tree: Any) -> list[Any]:
    if isinstance(tree, Mapping):
        tree = tree.get("results")
        tree = tree.get("results") if isinstance(tree, Mapping) else tree
    return tree if isinstance(tree, list) else []


def read_promptfoo(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the results of two or more providers on the same tests."""
    samples: list[Sample] = []
    for document in documents:
        if document.head[:1] in (b"{", b"[") or document.value is not None:
            samples += [_sample(one, number, document) for number, one in
                        enumerate(_records(document.tree), start=1)]  # fmt: skip
        else:
            samples += _of_csv(document)
    if len({one.task for one in samples}) > 1 and len({one.model for one in samples}) < 2:
        # one provider, several prompts: the prompts are compared
        samples = [
            Sample(one.task, "tests", one.case, one.scores, one.place, one.answer)
            for one in samples
        ]
    elif len({one.task for one in samples}) > 1:
        samples = [
            Sample(
                f"{one.model} · {one.task}", "tests", one.case, one.scores, one.place, one.answer
            )
            for one in samples
        ]
    else:
        samples = [
            Sample(one.model, "tests", one.case, one.scores, one.place, one.answer)
            for one in samples
        ]
    name = documents[0].path.name
    return tabulate_samples(samples, _HABITS, request, name)


def _sample(record: Any, number: int, document: Document) -> Sample:
    if not isinstance(record, Mapping):
        raise invalid("source", "results of promptfoo", document.path.name)
    provider = record.get("provider")
    if isinstance(provider, Mapping):
        provider = provider.get("label") or provider.get("id")
    prompt = record.get("prompt")
    told = prompt.get("label") or prompt.get("raw") if isinstance(prompt, Mapping) else prompt
    named = record.get("namedScores")
    scores = {str(k): v for k, v in named.items()} if isinstance(named, Mapping) else {}
    scores |= {"success": record.get("success"), "score": record.get("score")}
    return Sample(
        model=str(provider),
        task=str(told),
        case=str(record.get("testIdx", number)),
        scores=scores,
        place=f"{document.path.name}, result {number}",
        answer=str(record.get("repeatIndex", 1)),
    )


def _of_csv(document: Document) -> list[Sample]:
    """Read a CSV, in which Status and Score appear once for every prompt and provider."""
    (_, header), *rows = csv_rows(document.decoded[0])
    heads = [(at, found) for at, name in enumerate(header) if (found := _PROMPT.fullmatch(name))]
    samples = []
    for number, cells in rows:
        for at, found in heads:
            if len(cells) > at + 2:
                status, score = cells[at + 1].strip(), cells[at + 2].strip()
                scores = {"success": status.casefold() == "pass", "score": score or None}
                case, place = str(number), f"{document.path.name}, row {number}"
                samples.append(Sample(found[1].strip(), found[2].strip(), case, scores, place))
    return samples
