"""Boards of coding and agent tasks: SWE-bench, tau-bench, LiveCodeBench, EvalPlus, lighteval."""

from collections.abc import Mapping

from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Sample, mapping, records
from replicast.reading.requests import Request


def swebench(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every instance; one without a patch, or that failed to run, is not resolved."""
    lists = {
        key: list(map(str, ids))
        for key, ids in mapping(document.tree).items()
        if key.endswith("_ids") and isinstance(ids, list)
    }
    resolved, name = {*lists.get("resolved_ids", ())}, document.path.name
    every = dict.fromkeys(case for ids in lists.values() for case in ids)
    return [
        Sample(model, "SWE-bench", case, {"resolved": case in resolved}, name) for case in every
    ]


def is_instance(document: Document) -> bool:
    """Tell the report of one instance: its name, and whether it was resolved."""
    told = document.tree
    one = next(iter(told.values()), None) if isinstance(told, Mapping) and len(told) == 1 else None
    return {"resolved", "patch_exists"} <= {*mapping(one)}


def instance(document: Document, model: str, _: Request) -> list[Sample]:
    """Return one instance; the folder above its own is that of the model."""
    [(case, told)] = document.tree.items()
    named = document.label or document.path.parent.parent.name or model
    scores = {"resolved": told["resolved"]}
    return [Sample(named, "SWE-bench", str(case), scores, document.path.name)]


def tau(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every trial of every task."""
    found = []
    for place, one in records(document, document.tree, "result"):
        case, trial = str(one.get("task_id")), str(one.get("trial"))
        found.append(Sample(model, "tasks", case, {"reward": one.get("reward")}, place, trial))
    return found


def livecode(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every answer to every problem."""
    return [
        Sample(model, "problems", str(one.get("question_id")), {"passed": passed}, place, str(at))
        for place, one in records(document, document.tree, "problem")
        for at, passed in enumerate(one.get("graded_list") or [], start=1)
    ]


def is_evalplus(document: Document) -> bool:
    """Tell by the first solution of a task."""
    tasks = list(mapping(mapping(document.tree).get("eval")).values())
    first = tasks[0][0] if tasks and isinstance(tasks[0], list) and tasks[0] else None
    return "plus_status" in mapping(first)


def evalplus(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every solution; it passes by `plus` if it passes the base tests too."""
    found = []
    for task, solutions in mapping(document.tree["eval"]).items():
        for at, one in enumerate(solutions if isinstance(solutions, list) else [], start=1):
            base, plus = (mapping(one).get(f"{key}_status") == "pass" for key in ("base", "plus"))
            scores = {"plus": base and plus, "base": base}
            place = f"{document.path.name}, {task}"
            found.append(Sample(model, "problems", str(task), scores, place, str(at)))
    return found


def is_lighteval(document: Document) -> bool:
    """Tell details by their columns of records."""
    return isinstance(document.sheet.frame["metric"].iloc[0], Mapping)


def lighteval(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every document with its metrics; the folder above that of the date names the model."""
    frame = document.sheet.frame
    model = document.label or document.path.parent.parent.name or model
    found = []
    for at, (doc, metric) in enumerate(zip(frame["doc"], frame["metric"], strict=True)):
        task, case = str(doc.get("task_name", "task")), str(doc.get("id", at))
        marks, place = marks_of(doc, "query"), document.sheet.place(at)
        found.append(Sample(model, task, case, dict(metric), place, marks=marks))
    return found
