"""The page for the next experiment: what it could see, what would happen again, what cannot be had."""

from dataclasses import dataclass, replace

import numpy as np

from replicast.design import Design
from replicast.errors import invalid
from replicast.formatting import format_effect, format_pvalue
from replicast.inference.student import CORRECTED_TTEST, PAIRED_TTEST
from replicast.power_analysis import power
from replicast.presentation.document import Document, Row
from replicast.presentation.pictures.curves import plan_figure
from replicast.presentation.pictures.figure import Figure
from replicast.presentation.telling import tell
from replicast.presentation.words.scales import hundred
from replicast.replication.planner import Vary, plan
from replicast.replication.priors import Relation
from replicast.replication.records import Plan, Replication
from replicast.replication.replicate import replicate
from replicast.replication.reported import TTest
from replicast.results import Power
from replicast.web.caching import Page
from replicast.web.forms import PlanQuestion


@dataclass(frozen=True)
class PlanAnswer:
    """What an experiment of a size can see, and whether it would happen again.

    `power` is that of the test if the effect is real; `replication` the chance that a repeat is
    significant after a first experiment that showed just this effect; `plans` what each way to
    grow would take.
    """

    power: Power
    replication: Replication
    plans: tuple[Plan, ...]
    chosen: Plan


def answer_plan(question: PlanQuestion) -> PlanAnswer:
    """Return power, chance of replication and what it takes for the wanted one."""
    question = question.meant
    found = _showing(question.effect, question.design, question.significance, question.relation)
    ways: tuple[Vary, ...] = ("cases", "runs", "folds")
    if question.setting == "datasets":
        ways = ("datasets",)
    plans = tuple(
        plan(found, probability=question.probability, vary=way, significance=question.significance)
        for way in ways
    )
    if question.vary == "datasets" and len(plans) > 1:
        raise invalid("vary", "cases, runs or folds on one dataset", "'datasets'")
    chosen = next((one for one in plans if one.vary == question.vary), plans[0])
    return PlanAnswer(
        power=_power(question.effect, question.design, question.significance),
        replication=found,
        plans=plans,
        chosen=chosen,
    )


def _showing(effect: float, design: Design, significance: float, relation: Relation) -> Replication:
    """Return the chance of replication after an experiment that showed an effect."""
    n = design.n_scores or 2
    statistic = effect / float(np.sqrt(1 / n + design.test_train_ratio))
    test: TTest = "ordinary" if design.over_datasets else "corrected"
    return replicate(
        t=statistic, design=design, test=test, relation=relation, significance=significance
    )


def _power(effect: float, design: Design, significance: float) -> Power:
    test = PAIRED_TTEST if design.over_datasets else CORRECTED_TTEST
    return power(effect, design, method=test.name, significance=significance)


def _tell(question: PlanQuestion) -> Document:
    answer = answer_plan(question)
    made_of, question = _made_of(question), question.meant
    chosen = answer.chosen
    document = tell(chosen)
    found = hundred(answer.power.power)
    seen = Row("power", f"{found} of 100 experiments", "find an effect this large")
    kept = (row for row in document.lines[1:] if row.label != "others")  # the picture shows them
    others = (_way(one) for one in answer.plans if one is not chosen)
    effect = format_effect(question.effect)
    shows = f"An experiment that shows just this effect, {effect}, has"
    size = question.design.words
    return replace(
        document,
        lines=(document.lines[0], seen, *kept),
        rows=(*document.rows, *others),
        how=(
            *made_of,
            f"{shows} {format_pvalue(answer.replication.first_pvalue)} with {size}.",
            "The true effect may be smaller than the one seen; the chance of a repeat allows for it.",
            *document.how,
        ),
        hero=_against_size(question, chosen),
    )


def _made_of(question: PlanQuestion) -> tuple[str, ...]:
    """Say what effect was made of points or of a pilot."""
    size = question.size
    if question.told_by == "effect":
        return ()
    effect, mean, sd = (f"{v:.3g}" for v in (size.effect, abs(size.mean), size.sd))
    if not size.differences:
        return (
            f"A difference of {mean} with a standard deviation of {sd} is an effect of {effect}.",
        )
    return (
        f"The pilot's {size.differences} differences have mean {mean} and standard deviation "
        f"{sd}: an effect of {effect}. A pilot that looked good shows more than is there.",
    )


def _way(one: Plan) -> Row:
    """Say what growing in another way takes, or why it does not get there."""
    label = "more data" if one.vary == "cases" else f"more {one.vary}"
    return Row(label, tell(one).headline, str(one))


def _against_size(question: PlanQuestion, one: Plan) -> Figure:
    """Describe chance and power against the size of the repeat.

    The spread of a score falls with the cases it is computed from, so more data raise the
    standardised effect, and more folds lower it.
    """
    design, powers = question.design, []
    for amount in one.amounts:
        larger, data_factor = design.grow(one.vary, amount)
        cut = (larger.folds or 1) / (design.folds or 1)
        effect = question.effect * float(np.sqrt(data_factor / cut))
        powers.append(_power(effect, larger, question.significance).power)
    return plan_figure(one, powers)


plan_page = Page("plan", "How large must the next experiment be?", PlanQuestion, _tell)
