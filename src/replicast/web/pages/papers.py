"""The pages for a paper's numbers: a statistic, two means, an original beside its replication."""

from dataclasses import replace
from functools import lru_cache
from typing import cast

from replicast.design import Design
from replicast.judging.judge import judge
from replicast.judging.records import Judgement
from replicast.presentation.document import Document
from replicast.presentation.pictures.curves import curve_figure
from replicast.presentation.telling import tell
from replicast.presentation.words.chances import can_be_significant
from replicast.replication.curves import curve_like, replication_curve
from replicast.replication.first_result import FirstResult
from replicast.replication.means import MeansReplication
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.replicate import replicate
from replicast.replication.reported import read_reported
from replicast.replication.student import StudentModel
from replicast.web.caching import Page
from replicast.web.forms import JudgeQuestion, MeansQuestion, PaperQuestion


def answer_paper(question: PaperQuestion) -> Replication:
    """Return the chance of replication of a reported result."""
    first = read_reported(question.given, names=(question.first, question.second))
    return report_replication(first, relation=question.relation, significance=question.significance)


@lru_cache(maxsize=256)
def _curve_of_t(
    model: StudentModel, design: Design, significance: float, relation: Relation
) -> ReplicationCurve:
    return curve_like(FirstResult(model=model, pvalue=0.5, design=design), significance, relation)


def _curve(found: Replication) -> ReplicationCurve:
    """Return the chance against the p-value; all t of one design share theirs, which is kept."""
    model = found.first_result.model
    if type(model) is StudentModel and model.signal is None:
        kind = replace(model, statistic=1.0)
        return _curve_of_t(kind, found.design, found.significance, found.relation)
    return replication_curve(found)


def _tell_paper(question: PaperQuestion) -> Document:
    found = answer_paper(question)
    document = tell(found)
    if not can_be_significant(found):
        return document
    curve = _curve(found)
    several = len(curve.pvalues) > 1
    return replace(document, further=(curve_figure(curve, found),) if several else ())


def answer_means(question: MeansQuestion) -> MeansReplication:
    """Return the range of chances that two means and their spreads leave open."""
    return cast(MeansReplication, replicate(**question.given))


def answer_judge(question: JudgeQuestion) -> Judgement:
    """Judge the replication that was filled in."""
    original, replication = question.sides
    return judge(original, replication, significance=question.significance)


paper_page = Page(
    "paper",
    "Would a published result happen again?",
    PaperQuestion,
    _tell_paper,
    example="t=2.9&folds=10",
)
means_page = Page(
    "means",
    "What do two means and spreads say?",
    MeansQuestion,
    lambda question: tell(answer_means(question)),
    example="first_mean=93.4&first_sd=1.2&second_mean=92.1&second_sd=1.0&folds=10",
)
judge_page = Page(
    "judge",
    "Was it replicated?",
    JudgeQuestion,
    lambda question: tell(answer_judge(question)),
    example="estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0",
)
