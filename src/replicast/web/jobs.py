"""A table of scores becomes a report, or the questions it leaves open. Runs in a worker process."""

import base64
import gzip
import logging
import warnings
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from replicast.comparison.finding import Finding
from replicast.comparison.inquiry import Inquiry, Reply, answer_parts, observe
from replicast.comparison.many import rank
from replicast.comparison.pair import compare
from replicast.comparison.parts import Parts
from replicast.comparison.records import Comparison, ManyComparison
from replicast.errors import (
    Choice,
    DegenerateScoresWarning,
    DesignNeededError,
    InvalidArgumentError,
    MissingScoresError,
    ReplicastError,
    invalid,
)
from replicast.presentation.telling import rendered, tell
from replicast.reading.door import guess, open_documents
from replicast.reading.limits import PAGE
from replicast.reading.packing import is_packed, unpack
from replicast.reading.requests import Request
from replicast.reading.slices import read_slices
from replicast.scores.tables import ScoreTable
from replicast.web.forms import EVERY, ScoresQuestion
from replicast.web.mistakes import Mistake, mistakes_in, name_field, shown
from replicast.web.templating import render

Found = Comparison | Finding | ManyComparison | Parts
MOST_CLASSIFIERS = 100
_ROWS = {
    "datasets": "each row is another dataset",
    "folds": "the {scores} folds of one cross-validation on one dataset",
    "runs": "several runs of cross-validation on one dataset, one after the other",
    "splits": "independent random splits of one dataset",
    "seeds": "{scores} seeds of each model on one split of one dataset",
    "seeds-unsplit": "{scores} seeds of each model, and nothing is split into training and test data "
    "(reinforcement learning, simulation)",
    "cases": "the cases of one test set, 1 where a case was right",
}
_WAYS = {"True": "higher", "False": "lower"}  # in which scores are better

_log = logging.getLogger("replicast.web")


class File(NamedTuple):
    """A kind of file to keep: its ending, its type, and the word on its button, if it has one."""

    ending: str
    media: str
    label: str = ""


FILES = {
    "html": File(".html", "text/html; charset=utf-8", "HTML"),
    "pdf": File(".html", "text/html; charset=utf-8"),  # an old link; HTML prints
    "latex": File(".tex", "application/x-tex; charset=utf-8", "LaTeX"),
    "markdown": File(".md", "text/markdown; charset=utf-8", "Markdown"),
    "csv": File(".csv", "text/csv; charset=utf-8", "CSV"),
    "json": File(".json", "application/json", "JSON"),
    "svg": File(".svg", "image/svg+xml", "SVG"),
    "png": File(".png", "image/png", "PNG"),
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
    return Outcome(file=rendered(found, FILES[wanted].ending, account))


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
    table, asked = _read(source, question)
    if table is not None:
        asked += _open_questions(table, question, asked)
    if asked or table is None:
        return Outcome(questions=tuple(asked), kept=keep(plain))
    found: Found = _compare(table, question)
    if question.by is not None:
        found = _by_slices(found, slices, question)
    account = list(table.account)
    if wanted == "page":
        return _part_of_page(found, table, plain)
    if wanted in FILES:
        return file_of(found, account, wanted)
    if wanted == "record":
        beside = {"account": account, "direction": table.direction}
        return Outcome(record={**found.to_dict(), **beside})
    document = tell(found, account)
    return Outcome(html=render("_answer.html.j2", document=document, blank=True, asks=""))


def _part_of_page(found: Found, table: ScoreTable, files: dict[str, bytes]) -> Outcome:
    told = tell(found, table.account)
    return Outcome(
        html=render("_document.html.j2", document=told, live=True),
        title=told.headline,
        kept=keep(files),
        record={"account": list(table.account)},
        classifiers=table.classifiers,
        datasets=table.datasets if table.scores[0, 0].size > 1 else (),
        found=found,
    )


def _by_slices(whole: Found, slices: dict[str, Any], question: ScoresQuestion) -> Found:
    """Compare within every slice; one that cannot be compared is left out, and said so."""
    if isinstance(whole, ManyComparison):
        raise invalid("by", "left out where several are ranked", shown(question.by), "Choose two")

    def answer(part: Inquiry) -> Reply:
        table, asked = _read(part.source, question)
        if table is None or asked:
            raise invalid("by", "read like the whole", asked[0].text)
        first, second = part.choose(table.classifiers)
        named = question.model_copy(update={"first": first, "second": second})
        return Reply(_compare(table, named))

    names = question.pair
    parts = {name: Inquiry(frame, names=names) for name, frame in slices.items()}
    by, level = question.by or "slice", question.significance
    parts_found: Parts = answer_parts(parts, by, answer, level, Reply(whole)).result
    return parts_found


def keep(files: dict[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Pack files into text for the next form, since the server remembers nothing."""
    return tuple(
        (name, base64.b64encode(raw if is_packed(raw) else gzip.compress(raw, 1, mtime=0)).decode())
        for name, raw in files.items()
    )


def _read(source: Any, question: ScoresQuestion) -> tuple[ScoreTable | None, list[Asked]]:
    """Read the table with the answers given, and return what has to be asked."""
    request = Request(
        metric=question.metric,
        missing=question.missing,
        rows=question.layout,
        cluster_column=question.cluster,
        greater_is_better=None if question.direction is None else question.direction == "higher",
    )
    said = question.rows is not None

    def known(error: InvalidArgumentError) -> Choice | None:
        """Answer with the design that was said, once: how many scores it has, the error tells."""
        nonlocal said
        if not said or not isinstance(error, DesignNeededError) or error.scores < 2:
            return None
        said = False
        return Choice("design", question.design(error.scores), "")

    table, errors = guess(open_documents(source, None, PAGE), request, known)
    return table, [_about(error, question) for error in errors]


def _about(error: InvalidArgumentError, question: ScoresQuestion) -> Asked:
    """Return what a form asks where an answer can mend the error, once; others stay refusals."""
    if isinstance(error, DesignNeededError):
        kinds = {kind: words.format(scores=error.scores) for kind, words in _ROWS.items()}
        return Asked("rows", f"Each classifier has {error.scores} scores. What are they?", kinds)
    field = name_field(error.argument)
    if getattr(question, field, error) not in (None, "refuse"):
        raise error
    (asked,) = error.questions
    choices = {
        _WAYS.get(one.value, one.value): one.meaning.removeprefix("if ") for one in asked.choices
    }
    return Asked(field, asked.text, choices)


def _gaps(table: ScoreTable, question: ScoresQuestion) -> list[Asked]:
    """Ask what to leave out, where scores that would be compared are missing."""
    if question.missing != "refuse" or not np.any(np.isnan(table.scores)):
        return []
    try:
        _compare(table, question)
    except MissingScoresError as error:
        if error.choices:
            return [_about(error, question)]
    return []


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


def _compare(table: ScoreTable, question: ScoresQuestion) -> Found:
    names = table.classifiers
    if len(names) < 2:
        raise invalid("table", "scores of at least two classifiers", shown(names[0]))
    pair = question.pair
    if len(names) > 2 and None in pair:
        return _ranked(table, pair[0], question)
    options: dict[str, Any] = {
        "significance": question.significance,
        "relation": question.relation,
    }
    inquiry = Inquiry(None, Request(dataset=question.dataset), names=pair)
    observed = observe(inquiry, table, **options).result
    return observed if isinstance(observed, Finding) else compare(observed, **options)


def _ranked(table: ScoreTable, control: str | None, question: ScoresQuestion) -> ManyComparison:
    """Rank all, or compare all the others with one."""
    if len(table.classifiers) > MOST_CLASSIFIERS:
        domain = f"at most {MOST_CLASSIFIERS} classifiers to be ranked"
        remedy = "Name two of them, or use the command line"
        raise invalid("first", domain, f"{len(table.classifiers):,}", remedy)
    relation = None if question.relation == "unknown" else question.relation
    level = question.significance
    return rank(table, control=control, significance=level, relation=relation)
