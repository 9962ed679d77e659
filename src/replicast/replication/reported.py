"""First results from the numbers a paper reports.

`REPORTED` says which numbers there are and what belongs to each; the command line, the page and its
interface read it from there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np

from replicast.design import (
    Datasets,
    Design,
    Holdout,
    RandomSplits,
    Seeds,
    cross_validation,
    require_count,
    require_design,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    number,
    require_choice,
    require_finite,
    require_probability,
)
from replicast.formatting import AtMost, format_number, format_pvalue
from replicast.inference.seeds import seed_df
from replicast.kernels.counts import binomial_pvalue, upper_tail
from replicast.kernels.student import t_critical
from replicast.replication.cases import CaseModel
from replicast.replication.counts import CountModel, DiscordanceModel
from replicast.replication.first_result import (
    FirstResult,
    spread_of,
)
from replicast.replication.rank_sums import RankModel, rank_sum_of, share_of, z_of_pvalue
from replicast.replication.records import Spread
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import Caution

Names = tuple[str, str]
TTest = Literal["corrected", "ordinary", "unknown"]
T_TESTS: tuple[TTest, ...] = get_args(TTest)
NAMES: Names = ("first", "second")
_MOST = 10**8  # datasets or cases; the planner looks no further either


def first_from_t(
    t: float, *, design: Design, test: TTest = "unknown", names: Names = NAMES
) -> FirstResult:
    """Read a t statistic: over datasets of the paired t-test, otherwise of the `test` that was used."""
    t = require_finite(t, "t")
    if design.n_scores is None or design.n_scores < 2:
        raise invalid("design", "a design with at least two scores", str(design))
    require_ttest(test)
    _refuse_five_by_two(design)
    if test == "corrected" and not (design.shares_training or design.overlap):
        remedy = "No training sets overlap, so there is nothing to correct"
        raise invalid("test", f"ordinary or unknown for {design}", repr(test), remedy)
    if design.seeds and design.splits > 1:
        remedy = "Give the scores: they tell how much the splits vary"
        raise invalid("design", "seeds on one split for a reported number", str(design), remedy)
    model = _t_model(abs(t), design)
    first = FirstResult(
        model=model, pvalue=model.pvalue, design=design, names=names, first_better=t >= 0
    )
    return _over_splits(first, model, test) if design.shares_training else first


def _refuse_five_by_two(design: Design) -> None:
    """Refuse a number of the 5x2cv tests: only their scores tell what other tests would have said."""
    if design.five_by_two:
        domain = "datasets, folds, random splits, cases or seeds for a reported number"
        remedy = "A 5x2 test has no model of replication; give the ten scores"
        raise DesignMismatchError("design", domain, str(design), remedy)


def require_ttest(test: str) -> None:
    """Refuse a word that names no t-test; papers often say `paired` for the ordinary one."""
    if not isinstance(test, str) or test not in T_TESTS:
        remedy = "Where a paper says no more than paired, unknown shows the chance for both"
        raise invalid("test", f"one of {', '.join(T_TESTS)}", repr(test), remedy)


def _t_model(statistic: float, design: Design) -> StudentModel | SeedsModel:
    """Return the model of a t statistic of which nothing else is known.

    Over seeds it is that of Welch's test with both models varying alike, or of paired seeds. Papers
    call it significant by that test alone, so that is what would be seen again.
    """
    if design.seeds:
        model = SeedsModel(statistic=statistic, df=seed_df(design), design=design)
        return replace(model, test="plain") if design.has_split else model
    if design.of_cases and design.count is not None:
        df = float((design.clusters or design.count) - 1)
        return CaseModel(statistic=statistic, design=design, df=df, corrected=design.overlap > 0)
    return StudentModel(statistic=statistic, design=design, corrected=not design.over_datasets)


def _over_splits(first: FirstResult, model: StudentModel | SeedsModel, test: TTest) -> FirstResult:
    """Read a t over splits of one dataset by what is known of its test.

    An ordinary t-test is the corrected one without allowing for the overlap of training sets, so its t
    can be corrected afterwards.
    """
    corrected = replace(first, test=test)
    smaller = replace(model, statistic=model.statistic / overstated(first.design))
    # its own p-value is that of the same t on the same degrees of freedom
    ordinary = replace(
        corrected, model=smaller, pvalue=smaller.pvalue, reported_pvalue=first.pvalue
    )
    told = (
        f"t = {format_number(smaller.statistic)}, {format_pvalue(smaller.pvalue)} once it is corrected "
        "for the overlap of training sets"
    )
    if test == "ordinary":
        text = f"Read as an ordinary paired t-test, which ignores shared data: {told}."
        caution = Caution("ordinary-t", text)
        return replace(ordinary, reading=(caution,))
    if test == "corrected" or model.statistic == 0:  # nothing is corrected to nothing
        return corrected
    text = f"Which t-test the paper used matters. If it is the ordinary one, the result is {told}."
    return replace(corrected, reading=(Caution("which-t", text),), if_ordinary=ordinary)


def overstated(design: Design) -> float:
    """Return by how much an ordinary t over splits is larger than one that allows for their overlap."""
    return float(np.sqrt(1 + (design.n_scores or 2) * design.test_train_ratio))


def first_from_z(
    z: float, *, datasets: int, spread: float | Spread | None = None, names: Names = NAMES
) -> FirstResult:
    """Read Wilcoxon's Z over datasets, with continuity correction or without."""
    z = require_finite(z, "z")
    datasets = require_count(datasets, "datasets", 1, _MOST)
    size, pvalue = rank_sum_of(abs(z), datasets)
    found = _first_of_ranks(size, pvalue, datasets, spread_of(spread), names)
    return replace(found, first_better=z >= 0)


def _first_of_ranks(
    z: float, pvalue: float, datasets: int, spread: Spread, names: Names
) -> FirstResult:
    """Return the result with a size of Z, continuity corrected, and its p-value."""
    share = min(1.0, share_of(z, datasets))
    return FirstResult(
        model=RankModel(share=share, nonzero=datasets, z=z, datasets=datasets, spread=spread.value),
        pvalue=pvalue,
        design=Datasets(datasets),
        names=names,
        spread=spread,
    )


def first_from_wins(
    wins: float,
    *,
    datasets: int,
    ties: int | None = None,
    model: str = "sign",
    names: Names = NAMES,
) -> FirstResult:
    """Read a number of wins over datasets; half a win stands for half a tie. `ties` may be untold."""
    require_choice(model, "model", ("sign", "bayesian"))
    datasets = require_count(datasets, "datasets", 1, _MOST)
    if not 0 <= number(wins) <= datasets or (2 * wins) % 1:
        raise invalid("wins", f"a number from 0 to {datasets}, the number of datasets", wins)
    left = datasets - int(wins)
    tied = require_count(0 if ties is None else ties, "ties", 0) + int((2 * wins) % 2)
    if tied > left:
        raise invalid("ties", f"at most the {left} datasets that were not won", ties)
    won, lost = int(wins), left - tied
    text = (
        f"Datasets not won ({lost}) count as lost. If some were ties, say how many: it changes p."
    )
    counted = (np.asarray(count) for count in (won, lost, tied))
    pvalue = binomial_pvalue(*counted, ties_rule="half", alternative="two-sided")
    return FirstResult(
        model=CountModel(
            bayesian=model == "bayesian", won=max(won, lost), lost=min(won, lost), ties=tied
        ),
        pvalue=float(pvalue),
        design=Datasets(datasets),
        names=names,
        first_better=won >= lost,
        reading=(Caution("ties-untold", text),) if lost and not tied and ties is None else (),
    )


def first_from_discordant(
    first_only: int, second_only: int, *, cases: int, names: Names = NAMES
) -> FirstResult:
    """Read the cases of one test set that only the one and only the other model gets right."""
    cases = require_count(cases, "cases", 1, _MOST)
    for argument, value in (("first_only", first_only), ("second_only", second_only)):
        if isinstance(value, bool) or number(value) % 1 != 0 or not 0 <= value <= cases:
            raise invalid(argument, f"a whole number from 0 to {cases}, the number of cases", value)
    total, larger = first_only + second_only, max(first_only, second_only)
    if total > cases:
        raise invalid("second_only", "a count that leaves the sum at most the cases", second_only)
    lost = total - larger
    return FirstResult(
        model=DiscordanceModel(won=larger, lost=lost, cases=cases),
        pvalue=min(1.0, 2 * float(upper_tail(np.asarray(larger), np.asarray(total)))),
        design=Holdout(cases),
        names=names,
        first_better=first_only >= second_only,
    )


def first_from_pvalue(
    pvalue: float, *, design: Design, test: TTest = "unknown", names: Names = NAMES
) -> FirstResult:
    """Read a two-sided p-value: over datasets of Wilcoxon's test, otherwise of a t-test."""
    require_ttest(test)
    pvalue = require_probability(pvalue, "pvalue")
    _refuse_five_by_two(design)
    if design.n_scores is None or design.binary:
        raise DesignMismatchError(
            "design",
            "datasets or cases with a count, kfold, repeated-kfold, random-splits or seeds",
            str(design),
            "For one test set give the discordant cases",
        )
    if design.over_datasets:
        return _first_from_wilcoxon(pvalue, design, design.n_scores, names)
    model = _t_model(1.0, design)
    df = model.df if isinstance(model, SeedsModel) else model.layout.df
    found = first_from_t(t_critical(df, pvalue / 2), design=design, test=test, names=names)
    return found if found.reported_pvalue is not None else replace(found, pvalue=pvalue)


def _first_from_wilcoxon(pvalue: float, design: Design, datasets: int, names: Names) -> FirstResult:
    """Read the p-value of Wilcoxon's test over datasets."""
    least = 2.0 ** (1 - datasets)  # of the exact test, below that of Z
    if pvalue < 0.99 * least:  # reported ones are rounded
        domain = f"at least {least:.2g}, the least that Wilcoxon's test gives for {design}"
        raise invalid("pvalue", domain, pvalue)
    return _first_of_ranks(z_of_pvalue(pvalue, datasets), pvalue, datasets, spread_of(None), names)


Kind = Literal["t", "z", "wins", "pvalue", "discordant"]
Setting = Literal["folds", "datasets", "splits", "seeds", "design"]


@dataclass(frozen=True)
class Reported:
    """A number that papers report: the fields that say it, and how it is read and written.

    The first field makes it this kind; `options` may come along. A number that `needs_design` means
    nothing without the design it comes from.
    """

    fields: tuple[str, ...]
    first: Callable[..., FirstResult]
    words: str
    options: tuple[str, ...] = ()
    needs_design: bool = False


REPORTED: dict[Kind, Reported] = {
    "t": Reported(("t",), first_from_t, "t({df}) = {shown}", ("test",), needs_design=True),
    "z": Reported(("z", "datasets"), first_from_z, "Z = {shown}", ("spread",)),
    "wins": Reported(
        ("wins", "datasets"),
        first_from_wins,
        "{wins:g} wins{tied} on {datasets} datasets",
        ("ties", "model"),
    ),
    "pvalue": Reported(("pvalue",), first_from_pvalue, "", ("test",), needs_design=True),
    "discordant": Reported(
        ("first_only", "second_only", "cases"),
        first_from_discordant,
        "{first_only} against {second_only} of {cases} cases",
    ),
}
SETTINGS: dict[Setting, tuple[str, ...]] = {
    "folds": ("folds", "runs"),
    "datasets": ("datasets",),
    "splits": ("splits", "n_train", "n_test"),
    "seeds": ("seeds",),
    "design": ("design",),
}


def only_one(given: Mapping[str, Any], among: Sequence[str], remedy: str = "") -> str:
    """Return which of several was given; it must be exactly one."""
    said = [name for name in among if given.get(name) is not None]
    if len(said) == 1:
        return said[0]
    leading, *others = among
    *most, last = (f"`{name}`" for name in others or [""])
    either = f"{', '.join(most)} or {last}" if most else last
    domain = f"given, or {either}: one of them" if others else "given"
    raise invalid(leading, domain, " and ".join(said) or "nothing", remedy)


def kind_of(given: Mapping[str, Any]) -> Kind:
    """Say which of the numbers was reported; it must be exactly one."""
    kinds = {row.fields[0]: kind for kind, row in REPORTED.items()}
    return kinds[only_one(given, tuple(kinds))]


def setting_of(given: Mapping[str, Any]) -> Setting:
    """Say which of the ways to tell a design was used; it must be exactly one."""
    settings = {name: name for name in SETTINGS if name in given}
    remedy = "A statistic means nothing without the design it comes from"
    return settings[cast(Setting, only_one(given, tuple(settings), remedy))]


def design_from(given: Mapping[str, Any]) -> Design:
    """Return the design that a number comes from."""
    match setting_of(given):
        case "folds":
            return cross_validation(given["folds"], runs=given.get("runs", 1))
        case "datasets":
            return Datasets(given["datasets"])
        case "splits":
            told = SETTINGS["splits"]
            return RandomSplits(**{one: _needed(given, told, at) for at, one in enumerate(told)})
        case "seeds":
            return Seeds(require_count(given["seeds"], "seeds", 2))
        case "design":
            return require_design(given["design"])


def _needed(given: Mapping[str, Any], fields: tuple[str, ...], at: int) -> Any:
    value = given.get(fields[at])
    if value is None:
        raise invalid(fields[at], f"given with `{fields[0]}`" if at else "given", "nothing")
    return value


def read_reported(given: Mapping[str, Any], *, names: Names = NAMES) -> FirstResult:
    """Read the one number that was reported, with what belongs to it, among what was given."""
    row = REPORTED[kind_of(given)]
    values = {field: _needed(given, row.fields, at) for at, field in enumerate(row.fields)}
    values |= {name: given[name] for name in row.options if given.get(name) is not None}
    if row.needs_design:
        values["design"] = design_from(given)
    found = replace(row.first(**values, names=names), reported=given)
    if isinstance(given.get("pvalue"), AtMost):
        text = (
            f"Of p only an upper limit is known. It was read as {given['pvalue']:g}, so the chance is "
            "at least the one shown."
        )
        return replace(found, reading=(*found.reading, Caution("upper-limit", text)))
    return found
