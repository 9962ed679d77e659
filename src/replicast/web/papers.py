"""The page for a paper's number: the answer, its picture, and a sentence to quote."""

from dataclasses import dataclass, replace
from functools import lru_cache

from replicast.design import Datasets, describe_design
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.pages import chance_card
from replicast.presentation.statements import replication_line
from replicast.presentation.wording import Narrative, narrate_replication
from replicast.prospects import Replication, ReplicationCurve
from replicast.replication import summaries
from replicast.replication.count_models import CountModel, DiscordanceModel, RankModel
from replicast.replication.curves import curve_like, required_pvalues
from replicast.replication.estimates import report_replication
from replicast.replication.first_results import FirstResult
from replicast.replication.models import Model
from replicast.web.figures import Figure, curve_figure, curve_mark
from replicast.web.forms import PaperQuestion

Required = tuple[tuple[float, float | None], ...]
_REMEMBERED = 256  # kinds of experiment; a curve takes a few dozen evaluations of the model


@dataclass(frozen=True)
class PaperAnswer:
    """What replicast says about a reported result."""

    replication: Replication
    curve: ReplicationCurve
    required: Required
    story: Narrative
    quote: str
    headline: str


def answer_paper(question: PaperQuestion) -> PaperAnswer:
    """Return the chance of replication of a reported result, with its curve."""
    found = _reported(question)
    first: FirstResult = found.first_result
    kind = FirstResult(model=_typical(first.model), pvalue=1.0, design=first.design)
    curve, required = _along_pvalues(kind, question.significance)
    return PaperAnswer(
        replication=found,
        curve=curve,
        required=required,
        story=narrate_replication(found, required),
        quote=f"{_reported_as(question, found)} {replication_line(found)}",
        headline=_headline(found),
    )


def _reported(question: PaperQuestion) -> Replication:
    names = (question.first, question.second)
    level = question.significance
    match question.chosen:
        case "t":
            return summaries.replication_from_t(
                question.needed("t"), design=question.design(), significance=level, names=names
            )
        case "z":
            count = question.needed("datasets")
            return summaries.replication_from_z(
                question.needed("z"),
                datasets=count,
                sd=question.sd,
                significance=level,
                names=names,
            )
        case "wins":
            return summaries.replication_from_wins(
                question.needed("wins"), question.needed("of"), significance=level, names=names
            )
        case "p":
            return summaries.replication_from_pvalue(
                question.needed("p"), design=question.design(), significance=level, names=names
            )
        case _:
            return summaries.replication_from_discordant(
                question.needed("first_only"),
                question.needed("second_only"),
                cases=question.needed("cases"),
                significance=level,
                names=names,
            )


def _typical(model: Model) -> Model:
    """Return one model for all results of a kind, so that their common curve is found again."""
    match model:
        case RankModel():
            return summaries.rank_model(1.0, model.datasets, model.spread)
        case CountModel():
            return replace(model, wins=model.wins + model.losses + model.ties, losses=0, ties=0)
        case DiscordanceModel():
            return replace(model, won=model.won + model.lost, lost=0)
        case _:
            return replace(model, statistic=1.0)  # type: ignore[type-var]  # StudentModel is left


@lru_cache(maxsize=_REMEMBERED)
def _along_pvalues(kind: FirstResult, significance: float) -> tuple[ReplicationCurve, Required]:
    found = report_replication(kind, significance=significance)
    return curve_like(kind, significance), tuple(required_pvalues(found))


def _headline(found: Replication) -> str:
    """Say the answer in one line."""
    if found.interval.high == 0:
        return "It cannot happen again: no such experiment can be significant."
    chance = format_percent(found.probability)
    if found.first_significant:
        return f"{chance} of repeats on fresh data would be significant again."
    return f"Not significant; {chance} of repeats on fresh data would be."


def _reported_as(question: PaperQuestion, found: Replication) -> str:
    """Repeat the result as it was typed, with its p-value."""
    pvalue = format_pvalue(found.first_pvalue)
    match question.chosen:
        case "t":
            df = (found.design.n_scores or 2) - 1
            value = f"t({df}) = {format_number(question.t or 0.0)}, {pvalue}"
        case "z":
            value = f"Z = {format_number(question.z or 0.0)}, {pvalue}"
        case "wins":
            value = f"{question.wins:g} wins on {question.of} datasets, {pvalue}"
        case "p":
            value = pvalue
        case _:
            value = (
                f"{question.first_only} against {question.second_only} discordant of "
                f"{question.cases} cases, {pvalue}"
            )
    return f"{question.first} against {question.second}: {value} ({describe(found)})."


def describe(found: Replication) -> str:
    """Name design and test of a reported result."""
    test = {
        "corrected-t": "corrected resampled t-test",
        "paired-t": "paired t-test",
        "wilcoxon": "Wilcoxon signed-rank test",
        "sign": "sign test",
        "mcnemar": "McNemar's test",
    }[found.model]
    if found.model == "sign" and isinstance(found.design, Datasets):
        return test
    return f"{describe_design(found.design)}, {test}"


def paper_content(question: PaperQuestion) -> dict[str, object]:
    """Return what the template of the page shows."""
    answer = answer_paper(question)
    found, curve = answer.replication, answer.curve
    figure: Figure | None = _picture(curve)
    if figure is not None:
        figure = replace(figure, marks=(curve_mark(curve, found),))
    return {
        "answer": answer,
        "link": question.link("/paper"),
        "chance": chance_card(found, found.better),
        "figure": figure,
        "table": _table(curve),
    }


@lru_cache(maxsize=_REMEMBERED)
def _picture(curve: ReplicationCurve) -> Figure | None:
    return curve_figure(curve)


def _table(curve: ReplicationCurve) -> list[tuple[str, str, str, str]]:
    """Return a few points of the curve in words, for those who do not see it."""
    count = len(curve.pvalues)
    places = sorted({round(k * (count - 1) / 6) for k in range(7)}) if count else []
    return [
        (
            f"{curve.pvalues[k]:.2g}",
            format_percent(curve.calibrated[k]),
            f"{format_percent(curve.low[k])} to {format_percent(curve.high[k])}",
            format_percent(curve.as_published[k]),
        )
        for k in places
    ]
