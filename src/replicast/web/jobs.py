"""A table of scores becomes a report, or the questions it leaves open. Runs in a worker process."""

import base64
import gzip
import logging
import warnings
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from replicast.arrays import Bools
from replicast.comparison.many import rank
from replicast.comparison.pair import compare
from replicast.comparison.parts import Parts, side_by_side
from replicast.comparison.records import Comparison, ManyComparison
from replicast.errors import (
    DegenerateScoresWarning,
    DesignNeededError,
    InvalidArgumentError,
    ReplicastError,
    invalid,
)
from replicast.presentation.telling import rendered, tell
from replicast.reading.documents import Document
from replicast.reading.door import open_documents, read_documents
from replicast.reading.limits import PAGE
from replicast.reading.packing import is_packed, unpack
from replicast.reading.requests import Request
from replicast.reading.sheets import listing
from replicast.reading.slices import read_slices
from replicast.scores.tables import ScoreTable
from replicast.web.forms import ScoresQuestion
from replicast.web.mistakes import Mistake, mistakes_in, shown
from replicast.web.templating import render

Found = Comparison | ManyComparison | Parts
MOST_CLASSIFIERS = 100
EVERY = "*"  # answers "which?" with "all of them"; no name of a form's choice can be it

_log = logging.getLogger("replicast.web")
FILES = {
    "html": (".html", "text/html; charset=utf-8"),
    "pdf": (".html", "text/html; charset=utf-8"),  # an old link; HTML prints
    "latex": (".tex", "application/x-tex; charset=utf-8"),
    "markdown": (".md", "text/markdown; charset=utf-8"),
    "csv": (".csv", "text/csv; charset=utf-8"),
    "json": (".json", "application/json"),
    "svg": (".svg", "image/svg+xml"),
    "png": (".png", "image/png"),
}


@dataclass(frozen=True)
class Asked:
    """Something the table does not tell: a field of the form, the words, and the answers."""

    field: str
    text: str
    choices: dict[str, str]  # what the form sends, and the words for it
    preset: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a table: a report, questions, or sentences about what is wrong with it."""

    html: str = ""
    title: str = ""
    file: bytes = b""
    record: dict[str, Any] = field(default_factory=dict)
    questions: tuple[Asked, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    classifiers: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()  # those that can be looked at alone
    found: Found | None = None  # for files of this report


def report_scores(
    files: dict[str, bytes], question: ScoresQuestion, wanted: str = "page"
) -> Outcome:
    """Read a table and report on it: as part of a page, as a record, or as a file to keep."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateScoresWarning)  # said among the cautions
            return _report(files, question, wanted)
    except ReplicastError as error:
        return Outcome(mistakes=mistakes_in(error, "table"), kept=keep(files))
    except RecursionError:
        got, remedy = "one too deep to read here", "Use the command line for it"
        return Outcome(mistakes=mistakes_in(invalid("table", "a table of scores", got, remedy), ""))
    except MemoryError:
        raise
    except (
        Exception
    ) as error:  # a mistake of ours, which the sender of a table is not told of in 500s
        _log.error("a table could not be read", exc_info=error)
        got, remedy = "one that replicast fails on", "Try it as CSV, and report the file as a fault"
        wrong = invalid("table", "a table that can be read", got, remedy)
        return Outcome(mistakes=mistakes_in(wrong, ""), kept=keep(files))


def file_of(found: Found, account: list[str], wanted: str) -> Outcome:
    """Return a report as a file to keep, of an answer that is known already."""
    return Outcome(file=rendered(found, FILES[wanted][0], account))


def rehearse() -> None:
    """Report on a small table in every way that loads a library, so that no job has to."""
    if find_spec("pyarrow") is not None:
        import pyarrow.parquet  # noqa: F401  # loaded before memory is limited

    table = "dataset,a,b\n" + "".join(f"{k},{k % 5},{k % 3}\n" for k in range(9))
    question = ScoresQuestion.model_validate({"direction": "higher", "rows": "datasets"})
    for wanted in ("page", "svg", "png"):
        report_scores({"rehearsal.csv": table.encode()}, question, wanted)


def _report(files: dict[str, bytes], question: ScoresQuestion, wanted: str) -> Outcome:
    plain = {name: unpack(raw, name, PAGE) for name, raw in files.items()}
    source, slices = plain, {}  # type: Any, dict[str, Any]
    if question.by is not None:
        source, slices = read_slices(plain, question.by, limits=PAGE)
    table, asked = _read(open_documents(source, None, PAGE), question)
    if table is None:
        return Outcome(questions=tuple(asked), kept=keep(plain))
    asked += _open_questions(table, question, asked)
    if asked:
        return Outcome(questions=tuple(asked), kept=keep(plain), **_names(table))
    found: Found = _compare(table, question)
    if question.by is not None:
        found = _by_slices(found, slices, question)
    if wanted == "page":
        return _part_of_page(found, table, plain)
    if wanted in FILES:
        return file_of(found, list(table.account), wanted)
    if wanted == "record":
        account, direction = list(table.account), table.direction
        return Outcome(record={**found.to_dict(), "account": account, "direction": direction})
    told = tell(found, table.account)
    shown = {"document": told, "pictures": told.pictures}
    return Outcome(html=render("_answer.html.j2", told=shown, blank=True, asks=""))


def _part_of_page(found: Found, table: ScoreTable, files: dict[str, bytes]) -> Outcome:
    told = tell(found, table.account)
    return Outcome(
        html=render("_document.html.j2", document=told, live=True),
        title=told.headline,
        kept=keep(files),
        record={"account": list(table.account)},
        found=found,
        **_names(table),
    )


def _by_slices(whole: Found, slices: dict[str, Any], question: ScoresQuestion) -> Parts:
    """Compare within every slice; one that cannot be compared is left out, and said so."""
    if not isinstance(whole, Comparison):
        raise invalid("by", "left out where several are ranked", shown(question.by), "Choose two")
    first, second = whole.scores.names
    named = question.model_copy(update={"first": first, "second": second})
    results, left = {}, []
    for name, frame in slices.items():
        try:
            table, asked = _read(open_documents(frame, None, PAGE), named)
            if table is None or asked:
                raise invalid("by", "read like the whole", asked[0].text)
            results[name] = _compare(table, named)
        except InvalidArgumentError as error:
            left.append(f"{name} ({error.got or error.domain})")
    return side_by_side(
        results,
        by=question.by or "slice",
        whole=whole,
        significance=question.significance,
        left_out="; ".join(left),
    )


def _names(table: ScoreTable) -> dict[str, Any]:
    alone = table.scores.shape[2] * table.scores.shape[3] > 1
    return {"classifiers": table.classifiers, "datasets": table.datasets if alone else ()}


def keep(files: dict[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Pack files into text for the next form, since the server remembers nothing."""
    return tuple(
        (name, base64.b64encode(raw if is_packed(raw) else gzip.compress(raw, 1, mtime=0)).decode())
        for name, raw in files.items()
    )


def _read(
    documents: list[Document], question: ScoresQuestion
) -> tuple[ScoreTable | None, list[Asked]]:
    """Read the table with the answers given, and return what has to be asked."""
    options: dict[str, Any] = {
        "metric": question.metric,
        "missing": question.missing,
        "rows": question.layout,
        "cluster_column": question.cluster,
        "greater_is_better": None if question.direction is None else question.direction == "higher",
    }
    asked: list[Asked] = []
    while True:
        try:
            return read_documents(documents, Request(**options)), asked
        except DesignNeededError as error:
            if "design" in options or error.scores < 2:
                return None, [*asked, _about_rows(error)]
            if question.rows is None:
                asked.append(_about_rows(error))
            # folds in the meantime, for the other questions; no answer is given yet
            options["design"] = question.design(error.scores)
        except InvalidArgumentError as error:
            if error.argument == "greater_is_better" and options["greater_is_better"] is None:
                asked.append(_about_direction(error))
                options["greater_is_better"] = True  # in the meantime too
                continue
            return None, [*asked, _about_mistake(error, question)]


def _about_rows(error: DesignNeededError) -> Asked:
    scores = error.scores
    return Asked(
        "rows",
        f"Each classifier has {scores} scores. What are they?",
        {
            "datasets": "each row is another dataset",
            "folds": f"the {scores} folds of one cross-validation on one dataset",
            "runs": "several runs of cross-validation on one dataset, one after the other",
            "splits": "independent random splits of one dataset",
            "seeds": f"{scores} seeds of each model on one split of one dataset",
            "seeds-unsplit": f"{scores} seeds of each model, and nothing is split into training and "
            "test data (reinforcement learning, simulation)",
            "cases": "the cases of one test set, 1 where a case was right",
        },
    )


def _about_direction(error: InvalidArgumentError) -> Asked:
    if error.choices[0].meaning.endswith("1 is right"):
        ones = {"higher": "1 is right", "lower": "1 is wrong"}
        return Asked("direction", "Every score is 0 or 1. Does 1 mean right or wrong?", ones)
    choices = {
        "higher": "higher is better, like accuracy",
        "lower": "lower is better, like an error or a loss",
    }
    known = f"The table holds {error.got}"
    return Asked("direction", f"{known}. Which scores are better?", choices)


def _gaps(table: ScoreTable, question: ScoresQuestion) -> list[Asked]:
    """Ask what to leave out, where scores that would be compared are missing."""
    if question.missing != "refuse" or not np.any(np.isnan(table.scores)):
        return []
    try:
        _compare(table, question)
    except InvalidArgumentError as error:
        if error.argument == "missing":
            return [_about_gaps(table, question, error)]
    return []


def _about_gaps(table: ScoreTable, question: ScoresQuestion, error: InvalidArgumentError) -> Asked:
    """Ask what to leave out where scores are missing, by name."""
    named = (question.first, question.second)
    kept = [
        k
        for k, name in enumerate(table.classifiers)
        if EVERY in named or None in named or name in named
    ]
    absent = np.isnan(table.scores[kept])
    used: Bools = ~np.all(absent, axis=0)
    used |= ~np.any(used, axis=(1, 2), keepdims=True)  # a dataset without any score lacks them all
    gaps: Bools = np.any(absent & used, axis=(2, 3))
    lacking = [table.classifiers[kept[i]] for i in np.flatnonzero(np.any(gaps, axis=1))]
    if "drop-case" in error.domain:
        drop = {"drop-case": "leave these cases out for both"}
        known = f"Some cases have no score of {listing(lacking)}."
        return Asked("missing", f"{known} What shall be left out?", drop)
    where = [table.datasets[j] for j in np.flatnonzero(np.any(gaps, axis=0))]
    told = [f"{table.classifiers[kept[i]]} on {table.datasets[j]}" for i, j in np.argwhere(gaps)]
    known = f"{len(told)} scores are missing: {listing(told)}."
    if len(told) == 1:
        known = f"{lacking[0]} has no score on {where[0]}."
    return Asked(
        "missing",
        f"{known} What shall be left out?",
        {
            "drop-dataset": _left_out("dataset", where),
            "drop-classifier": _left_out("classifier", lacking),
        },
    )


def _left_out(what: str, names: list[str]) -> str:
    return f"the {what}{'s' if len(names) > 1 else ''} {listing(names)}"


def _about_mistake(error: InvalidArgumentError, question: ScoresQuestion) -> Asked:
    """Turn a refusal that an answer can mend into a question, once; others stay refusals."""
    if error.argument == "metric" and question.metric is None:
        known = error.domain.removeprefix("one of ")
        return Asked("metric", f"Several measures can be compared: {known}. Which one?", {})
    if error.argument == "cluster_column" and error.choices and question.cluster is None:
        choices = {one.value: one.meaning for one in error.choices}
        return Asked("cluster", f"The table has {error.got}. Which are related?", choices)
    if error.argument == "rows" and question.layout is None:
        layouts = {
            "datasets": "datasets; a column is a classifier",
            "classifiers": "classifiers; a column is a dataset",
        }
        return Asked(
            "layout", "Nothing tells classifiers from datasets. What are the rows?", layouts
        )
    raise error


def _open_questions(table: ScoreTable, question: ScoresQuestion, asked: list[Asked]) -> list[Asked]:
    """Ask for what a table cannot tell: which one is new, and what to leave out."""
    found = []
    if len(table.classifiers) > 2 and question.first is None:
        names = {name: name for name in table.classifiers}
        every = {EVERY: "none is: rank them all"} | names
        found.append(Asked("first", "Which is the new method?", every, EVERY))
        others = {EVERY: "all the others"} | names
        found.append(Asked("second", "Compare it with", others, EVERY))
    guessed = any(one.field == "rows" for one in asked)  # then datasets and gaps are not known yet
    return found if guessed else [*found, *_gaps(table, question)]


def _compare(table: ScoreTable, question: ScoresQuestion) -> Comparison | ManyComparison:
    names = table.classifiers
    if len(names) < 2:
        raise invalid("table", "scores of at least two classifiers", shown(names[0]))
    first = None if question.first == EVERY else question.first
    second = None if question.second == EVERY else question.second
    if len(names) > 2 and not (first and second):
        return _ranked(table, first, question)
    others = [name for name in names if name not in (first, second)]
    first, second = first or others[0], second or others[-1]
    if first == second:
        raise invalid("second", "another classifier than the first", shown(second))
    pair = table.pair(first, second, dataset=question.dataset)
    return compare(pair, significance=question.significance, relation=question.relation)


def _ranked(table: ScoreTable, control: str | None, question: ScoresQuestion) -> ManyComparison:
    """Rank all, or compare all the others with one."""
    if len(table.classifiers) > MOST_CLASSIFIERS:
        domain = f"at most {MOST_CLASSIFIERS} classifiers to be ranked"
        remedy = "Name two of them, or use the command line"
        raise invalid("first", domain, f"{len(table.classifiers):,}", remedy)
    relation = None if question.relation == "unknown" else question.relation
    level = question.significance
    return rank(table, control=control, significance=level, relation=relation)
