"""The page for the next experiment: what it could see, what would happen again, what cannot be had."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from replicast.design import (
    Design,
    describe_design,
    describe_repeat,
)
from replicast.errors import invalid
from replicast.formatting import format_effect, format_percent, format_pvalue
from replicast.inference.student import CORRECTED_TTEST, PAIRED_TTEST
from replicast.power_analysis import power
from replicast.presentation.pictures.figure import Figure
from replicast.presentation.pictures.repeats import described
from replicast.presentation.pictures.replication import effect_figure, plan_figure
from replicast.presentation.words.replication import about, ends
from replicast.replication.doors import replication_from_t
from replicast.replication.planner import Vary, plan
from replicast.replication.priors import Relation
from replicast.replication.records import Plan, Replication
from replicast.replication.reported import TTest
from replicast.results import Power
from replicast.web.caching import NotAtOnceError, ask
from replicast.web.forms import PlanQuestion
from replicast.web.templating import render

_EFFECTS = tuple(np.linspace(0.05, 3.0, 60).round(2).tolist())


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
    return replication_from_t(
        statistic, design=design, test=test, relation=relation, significance=significance
    )


def _power(effect: float, design: Design, significance: float) -> Power:
    test = PAIRED_TTEST if design.over_datasets else CORRECTED_TTEST
    return power(effect, design, method=test.name, significance=significance)


def plan_page(query: str, *, at_once: bool) -> tuple[int, bytes]:
    """Return status and page for a query; it always takes longer than a moment."""
    if at_once:
        raise NotAtOnceError
    asked = ask(PlanQuestion, query, plan_content)
    html = render(
        "plan.html.j2",
        page="plan",
        question=asked.question,
        fields=asked.fields,
        mistakes=asked.mistakes,
        result=asked.result,
    )
    return asked.status, html.encode("utf-8")


def plan_content(question: PlanQuestion) -> dict[str, object]:
    """Return what the template of the page shows."""
    answer, link = answer_plan(question), question.link("/plan")
    told, question = _told(question), question.meant
    repeats, drawable = described(answer.replication)
    return {
        "repeats": repeats,
        "drawable": drawable,
        "answer": answer,
        "link": link,
        "told": told,
        "headline": _headline(question, answer),
        "brief": _brief(question, answer),
        "lead": _lead(question, answer),
        "ways": [_way(one) for one in answer.plans],
        "against_effect": _against_effect(question, answer),
        "against_size": _against_size(question, answer),
    }


def _told(question: PlanQuestion) -> str:
    """Say what effect was made of points or of a pilot."""
    size = question.size
    if question.told_by == "effect":
        return ""
    effect, mean, sd = (f"{v:.3g}" for v in (size.effect, abs(size.mean), size.sd))
    words = f"A difference of {mean} with a standard deviation of {sd} is an effect of {effect}."
    if size.differences:
        words = (
            f"The pilot's {size.differences} differences have mean {mean} and standard deviation "
            f"{sd}: an effect of {effect}. A pilot that looked good shows more than is there."
        )
    return words


def _headline(question: PlanQuestion, answer: PlanAnswer) -> str:
    """Say what it takes, by the way to grow that was chosen, and what the plan has now."""
    wanted, now = (format_percent(p) for p in (question.probability, answer.chosen.now))
    chosen = answer.chosen
    if answer.replication.probability >= question.probability:
        return f"Enough, by forecast: {now} of repeats would be significant, {wanted} are wanted."
    if chosen.needed is not None:
        return f"{_amount(chosen)} would reach {wanted}; as planned it is {now}."
    limit = format_percent(chosen.limit)
    others = [one for one in answer.plans if one.needed is not None]
    if others:
        return f"More {chosen.vary} never reach {wanted}, only {limit}; {_amount(others[0])} would."
    return f"{wanted} cannot be reached with an effect this small: {limit} at most."


def _brief(question: PlanQuestion, answer: PlanAnswer) -> str:
    """Say the same in the few words that a phone has room for."""
    chosen, wanted = answer.chosen, format_percent(question.probability)
    if answer.replication.probability >= question.probability:
        return f"Enough: {format_percent(chosen.now)}"
    if chosen.needed is not None:
        return f"{_amount(chosen)} for {wanted}"
    return f"{wanted} not reached: {format_percent(chosen.limit)}"


def _amount(one: Plan) -> str:
    return f"{one.needed:,g} {one.unit}"


def _lead(question: PlanQuestion, answer: PlanAnswer) -> str:
    found = answer.replication
    low, high = (format_percent(limit) for limit in found.interval)
    return (
        f"If the true effect is {format_effect(question.effect)}, an experiment with "
        f"{describe_design(question.design)} finds it {format_percent(answer.power.power)} of the time. "
        f"One that shows just this effect has "
        f"{format_pvalue(found.first_pvalue)}. {about(found.probability)} repeats "
        f"{describe_repeat(found.design)} would then be significant this way too{ends(found)}; 95% "
        f"range {low} to {high}. The true effect may be smaller than the one seen."
    )


def _way(one: Plan) -> dict[str, object]:
    """Say what growing in one way takes, or why it does not get there."""
    needed = "cannot be reached"
    if one.needed is not None:
        needed = _amount(one)
    label = "more data" if one.vary == "cases" else f"more {one.vary}"
    return {
        "label": label,
        "needed": needed,
        "reached": one.needed is not None,
        "words": str(one),
        "limit": format_percent(one.limit),
    }


@lru_cache(maxsize=256)
def _effect_curves(
    design: Design, significance: float, relation: Relation
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    found = [_showing(effect, design, significance, relation) for effect in _EFFECTS]
    return (
        tuple(_power(effect, design, significance).power for effect in _EFFECTS),
        tuple(one.probability for one in found),
        tuple(one.interval.low for one in found),
        tuple(one.interval.high for one in found),
    )


def _against_effect(question: PlanQuestion, answer: PlanAnswer) -> Figure:
    powers, chances, low, high = _effect_curves(
        question.design, question.significance, question.relation
    )
    return effect_figure(
        _EFFECTS, powers, chances, (low, high), question.effect, answer.replication
    )  # fmt: skip


def _against_size(question: PlanQuestion, answer: PlanAnswer) -> Figure:
    one = answer.chosen
    grow = _growing(question, one.vary)
    powers = [_power(*grow(amount), question.significance).power for amount in one.amounts]
    return plan_figure(one, powers)


def _growing(question: PlanQuestion, vary: str) -> Callable[[float], tuple[float, Design]]:
    """Return effect and design of the larger experiment for an amount.

    The spread of a score falls with the cases it is computed from, so more data raise the
    standardised effect, and more folds lower it.
    """
    design, effect = question.design, question.effect

    def grown(amount: float) -> tuple[float, Design]:
        larger, data_factor = design.grow(vary, amount)
        cut = (larger.folds or 1) / (design.folds or 1)
        return effect * float(np.sqrt(data_factor / cut)), larger

    return grown
