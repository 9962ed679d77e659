"""Boards of coding and agent tasks: SWE-bench, tau-bench, LiveCodeBench, EvalPlus, lighteval."""

from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Sample, log_reader, mapping, records
from replicast.reading.requests import Request

_SOLVED = "1 is a task that was solved"


def _swebench(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every instance; one without a patch, or that failed to run, is not resolved."""
    told = document.tree
    lists = [ids for key, ids in told.items() if key.endswith("_ids") and isinstance(ids, list)]
    resolved = {str(one) for one in told["resolved_ids"]}
    every = dict.fromkeys(str(one) for ids in lists for one in ids)
    name = document.path.name
    return [
        Sample(model, "SWE-bench", case, {"resolved": case in resolved}, name) for case in every
    ]


def _instance(document: Document, model: str, _: Request) -> list[Sample]:
    """Return one instance; the folder above its own is that of the model."""
    [(case, told)] = document.tree.items()
    named = document.label or document.path.parent.parent.name or model
    scores = {"resolved": told["resolved"]}
    return [Sample(named, "SWE-bench", str(case), scores, document.path.name)]


def _tau(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every trial of every task."""
    return [
        Sample(
            model=model,
            task="tasks",
            case=str(one.get("task_id")),
            scores={"reward": one.get("reward")},
            place=place,
            answer=str(one.get("trial")),
        )
        for place, one in records(document, document.tree, "result")
    ]


def _livecode(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every answer to every problem."""
    return [
        Sample(model, "problems", str(one.get("question_id")), {"passed": passed}, place, str(at))
        for place, one in records(document, document.tree, "problem")
        for at, passed in enumerate(one.get("graded_list") or [], start=1)
    ]


def _evalplus(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every solution; it passes by `plus` if it passes the base tests too."""
    found = []
    for task, solutions in document.tree["eval"].items():
        for at, one in enumerate(solutions if isinstance(solutions, list) else [], start=1):
            base, plus = (mapping(one).get(f"{key}_status") == "pass" for key in ("base", "plus"))
            scores = {"plus": base and plus, "base": base}
            place = f"{document.path.name}, {task}"
            found.append(Sample(model, "problems", str(task), scores, place, str(at)))
    return found


def _lighteval(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every document with its metrics; the folder above that of the date names the model."""
    frame = document.sheet.frame
    named = document.label or document.path.parent.parent.name or model
    return [
        Sample(
            model=named,
            task=str(doc.get("task_name", "task")),
            case=str(doc.get("id", at)),
            scores=dict(metric),
            place=document.sheet.place(at),
            marks=marks_of(doc, "query"),
        )
        for at, (doc, metric) in enumerate(zip(frame["doc"], frame["metric"], strict=True))
    ]


read_swebench = log_reader(_swebench, kind="SWE-bench reports", convention=_SOLVED)
read_instances = log_reader(_instance, kind="SWE-bench instances", convention=_SOLVED)
read_tau = log_reader(_tau, kind="tau-bench results", convention=_SOLVED)
read_livecode = log_reader(_livecode, kind="LiveCodeBench results", convention=_SOLVED)
read_evalplus = log_reader(
    _evalplus,
    kind="EvalPlus results",
    usual=("plus",),
    convention=_SOLVED,
    notes=("A solution counts if it passes the base and the further tests (`metric=base`).",),
)
read_lighteval = log_reader(_lighteval, kind="lighteval details")
