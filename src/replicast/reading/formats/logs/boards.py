"""Boards of coding and agent tasks: SWE-bench, tau-bench, LiveCodeBench, EvalPlus, lighteval."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Habits, Sample, tabulate_samples
from replicast.reading.formats.tables.several import own_names
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable

Parse = Callable[[Document, str], list[Sample]]
_SOLVED = "1 is a task that was solved"


def board(habits: Habits, parse: Parse) -> Callable[[Sequence[Document], Request], ScoreTable]:
    """Return the reader of logs, a file or a folder for each model."""

    def read(documents: Sequence[Document], request: Request) -> ScoreTable:
        names = own_names(documents)
        samples = [one for pair in zip(documents, names, strict=True) for one in parse(*pair)]
        name = documents[0].path.name if len(documents) == 1 else f"{len(documents)} files"
        return tabulate_samples(samples, habits, request, name)

    return read


def records(document: Document) -> list[Mapping[str, Any]]:
    """Return the records of a list, none if there is another thing among them."""
    tree = document.tree
    if not isinstance(tree, list) or not all(isinstance(one, Mapping) for one in tree):
        return []
    return tree


def have(document: Document, *keys: str) -> bool:
    """Say whether a document is a list of records, the first of which has these keys."""
    if document.value is None and not all(key.encode() in document.raw for key in keys):
        return False
    found = records(document)
    return bool(found) and set(keys) <= set(found[0])


def is_swebench(document: Document) -> bool:
    """Tell the report of a run by the instances it resolved and got."""
    tree = document.tree if b"resolved_ids" in document.raw else None
    return isinstance(tree, Mapping) and isinstance(tree.get("resolved_ids"), list)


def parse_swebench(document: Document, model: str) -> list[Sample]:
    """Return every instance; one without a patch, or that failed to run, is not resolved."""
    lists = [
        ids for key, ids in document.tree.items() if key.endswith("_ids") and isinstance(ids, list)
    ]
    resolved = {str(one) for one in document.tree["resolved_ids"]}
    every = dict.fromkeys(str(one) for ids in lists for one in ids)
    name = document.path.name
    return [
        Sample(model, "SWE-bench", case, {"resolved": case in resolved}, name) for case in every
    ]


def is_instance(document: Document) -> bool:
    """Tell the report of one instance: its name, and whether it was resolved."""
    tree = document.tree if b'"resolved"' in document.raw else None
    if not isinstance(tree, Mapping) or len(tree) != 1:
        return False
    [told] = tree.values()
    return isinstance(told, Mapping) and {"resolved", "patch_exists"} <= set(told)


def parse_instance(document: Document, model: str) -> list[Sample]:
    """Return one instance; the folder above its own is that of the model."""
    [(case, told)] = document.tree.items()
    named = document.label or document.path.parent.parent.name or model
    return [
        Sample(named, "SWE-bench", str(case), {"resolved": told["resolved"]}, document.path.name)
    ]


def is_tau(document: Document) -> bool:
    """Tell by the reward of every trial of a task."""
    return have(document, "task_id", "reward", "trial", "traj")


def parse_tau(document: Document, model: str) -> list[Sample]:
    """Return every trial of every task."""
    return [
        Sample(model, "tasks", str(one.get("task_id")), {"reward": one.get("reward")},
               f"{document.path.name}, result {number}", answer=str(one.get("trial")))
        for number, one in enumerate(records(document), start=1)
    ]  # fmt: skip


def is_livecode(document: Document) -> bool:
    """Tell by the grades of the answers to every problem."""
    return have(document, "question_id", "graded_list")


def parse_livecode(document: Document, model: str) -> list[Sample]:
    """Return every answer to every problem."""
    return [
        Sample(model, "problems", str(one.get("question_id")), {"passed": passed},
               f"{document.path.name}, problem {number}", answer=str(at))
        for number, one in enumerate(records(document), start=1)
        for at, passed in enumerate(one.get("graded_list") or [], start=1)
    ]  # fmt: skip


def is_evalplus(document: Document) -> bool:
    """Tell by the states of the base tests and of the further ones."""
    tree = document.tree if b'"plus_status"' in document.raw else None
    return isinstance(tree, Mapping) and isinstance(tree.get("eval"), Mapping)


def parse_evalplus(document: Document, model: str) -> list[Sample]:
    """Return every solution; it passes by `plus` if it passes the base tests too."""
    found = []
    for task, solutions in document.tree["eval"].items():
        for at, one in enumerate(solutions if isinstance(solutions, list) else [], start=1):
            told = one if isinstance(one, Mapping) else {}
            base, plus = (told.get(f"{key}_status") == "pass" for key in ("base", "plus"))
            place = f"{document.path.name}, {task}"
            scores = {"plus": base and plus, "base": base}
            found.append(Sample(model, "problems", str(task), scores, place, answer=str(at)))
    return found


def is_lighteval(document: Document) -> bool:
    """Tell details by their columns of records."""
    if document.raw[:4] != b"PAR1" or not document.has("doc", "metric"):
        return False
    first = document.sheet.frame["metric"].iloc[0]
    return isinstance(first, Mapping)


def parse_lighteval(document: Document, model: str) -> list[Sample]:
    """Return every document with its metrics; the folder above that of the date names the model."""
    frame = document.sheet.frame
    named = document.label or document.path.parent.parent.name or model
    return [
        Sample(named, str(doc.get("task_name", "task")), str(doc.get("id", at)), dict(metric),
               document.sheet.place(at), marks=marks_of(doc, "query"))
        for at, (doc, metric) in enumerate(zip(frame["doc"], frame["metric"], strict=True))
    ]  # fmt: skip


read_swebench = board(Habits(kind="SWE-bench reports", convention=_SOLVED), parse_swebench)
read_instances = board(Habits(kind="SWE-bench instances", convention=_SOLVED), parse_instance)
read_tau = board(Habits(kind="tau-bench results", convention=_SOLVED), parse_tau)
read_livecode = board(Habits(kind="LiveCodeBench results", convention=_SOLVED), parse_livecode)
read_evalplus = board(
    Habits(
        kind="EvalPlus results",
        usual=("plus",),
        convention=_SOLVED,
        notes=("A solution counts if it passes the base and the further tests (`metric=base`).",),
    ),
    parse_evalplus,
)
read_lighteval = board(Habits(kind="lighteval details"), parse_lighteval)
