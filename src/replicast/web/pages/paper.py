"""The page for a paper's number: the answer, its picture, and a sentence to quote."""

from functools import lru_cache

from replicast.presentation.pictures.figure import Figure
from replicast.presentation.pictures.repeats import described
from replicast.presentation.pictures.replication import curve_figure
from replicast.presentation.words.chances import can_be_significant
from replicast.presentation.words.replication import tell_replication
from replicast.replication.curves import curve_like, typical
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.reported import read_reported
from replicast.web.caching import Page, Told
from replicast.web.forms import PaperQuestion

_curve_like = lru_cache(maxsize=256)(curve_like)


def answer_paper(question: PaperQuestion) -> Replication:
    """Return the chance of replication of a reported result."""
    first = read_reported(question.given, names=(question.first, question.second))
    return report_replication(first, relation=question.relation, significance=question.significance)


def curve_of(found: Replication) -> ReplicationCurve:
    """Return the chance against the p-value, which all results of one kind of experiment share."""
    return _curve_like(typical(found.first_result), found.significance, found.relation)


def _tell(question: PaperQuestion) -> Told:
    found = answer_paper(question)
    document = tell_replication(found, given=question.given)
    if not can_be_significant(found):
        return Told(document)
    repeats, drawable = described(found)
    curve = curve_of(found)
    further: tuple[Figure, ...] = ()
    if len(curve.pvalues) > 1:
        further = (curve_figure(curve, found),)
    return Told(document, further, repeats, drawable)


paper_page = Page(
    "paper",
    "Would a published result happen again?",
    PaperQuestion,
    _tell,
    example="t=2.9&folds=10",
)
