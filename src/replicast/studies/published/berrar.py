"""Berrar (2024): each group of a study as the paper sees it, and as a user meets it."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy import special

from replicast.arrays import Bools, Floats
from replicast.design import Datasets, KFold
from replicast.kernels.bootstrap import bootstrap_z
from replicast.kernels.counts import binomial_pvalue, win_loss_tie
from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z
from replicast.kernels.student import correlated_t
from replicast.replication.models import Goal, Model
from replicast.replication.priors import Relation
from replicast.replication.rank_sums import RankModel
from replicast.replication.records import Replication
from replicast.replication.replicate import replicate
from replicast.replication.student import StudentModel
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.summary import Mean, Rate, Summary, differences_of, groups

_LEVEL = 0.05
_CHEAP_RESAMPLES = 300
# of single experiments; not for close variants, since a group has one true effect, mostly a large one
_FORECASTS: dict[Relation, str] = {"unknown": "if nobody says", "any": "for any two methods"}
_EIGHTEEN = 18  # wins whose number of experiments the paper gives
_AT_MOST = 300  # single experiments whose forecasts are averaged


class OverDatasets(NamedTuple):
    """What a group over datasets has beside: wins with their models, and the spread of Z."""

    success: Mean
    won: Rate
    eighteen_wins: Rate
    binomial: Replication
    bayesian: Replication
    unit_sd: float  # P with a standard deviation of 1
    retrained: tuple[float, ...]
    resampled: Mean


@dataclass(frozen=True)
class Group:
    """One group: the paper's quantities, and what single significant experiments predict.

    `replication` is the published formula at the mean statistic; `forecast`, for each relation of
    the classifiers, and `plug_in` are means over single significant experiments: what a user has.
    """

    level: int
    statistic: Mean
    pvalue: float
    significant: Rate
    replication: Replication
    forecast: dict[Relation, Mean]
    plug_in: Mean
    over: OverDatasets | None = None

    @property
    def empirical(self) -> float:
        """Empirical replication probability (Definition 2), NaN of a single experiment."""
        others = self.significant.count - 1
        return max(0, self.significant.hits - 1) / others if others else math.nan

    @property
    def retrained(self) -> tuple[float, ...]:
        """Standard deviation of Z by retraining (Algorithm 1) of each bootstrapped experiment."""
        return self.over.retrained if self.over else ()

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as valid JSON."""
        over = self.over
        return {
            "level": self.level,
            "experiments": self.significant.count,
            "mean_statistic": self.statistic.value,
            "mean_statistic_error": self.statistic.error,
            "pvalue": self.pvalue,
            "significant": self.significant.hits,
            "F": _known(self.empirical),
            "F_interval": list(self.significant.interval()),
            "P": self.replication.as_published,
            "P_limits": list(self.replication.as_published_interval),
            "single_plug_in": _known(self.plug_in.value),
            "single_forecast": {
                words.replace(" ", "_"): _known(self.forecast[relation].value)
                for relation, words in _FORECASTS.items()
            },
            "success": over and over.success.value,
            "wins_significant": over and over.won.hits,
            "P_binomial": over and over.binomial.as_published,
            "P_bayesian": over and over.bayesian.as_published,
            "P_unit_sd": over and over.unit_sd,
            "s_retrained": float(np.mean(self.retrained)) if self.retrained else None,
            "s_resampled": over and over.resampled.value,
        }


@dataclass(frozen=True)
class Groups:
    """The groups of one of the paper's studies, and the experiments of the third one by one."""

    groups: tuple[Group, ...]
    third: Mapping[str, Floats]


def study_number(name: str) -> int | None:
    """Return which of the paper's studies a name stands for: 4 for "berrar-4-as-described"."""
    found = re.match(r"berrar-([1-4])\b", name)
    return int(found[1]) if found else None


def read_groups(study: Study, table: pa.Table) -> Groups:
    """Return the groups of one of the paper's studies."""
    factor = next(name for name in ("a", "q", "features") if name in table.column_names)
    parts = [(int(levels[factor]), part) for levels, part in groups(table, [factor])]
    if factor != "a":
        rows = int(study.constants["rows"])
        return Groups(tuple(_cross_validated(level, part, rows) for level, part in parts), {})
    third = _experiments(parts[2][1]) if study.name == "berrar-1" and len(parts) > 2 else {}
    return Groups(tuple(_over_datasets(level, part) for level, part in parts), third)


def _experiments(part: pa.Table) -> dict[str, Floats]:
    """Return success rate, Z and both p-values of single experiments over datasets."""
    values = differences_of(part)
    rates, pvalues, _ = _won(values)
    z = signed_rank_z(*signed_rank_statistics(values))
    return {
        "success rate": rates,
        "binomial p": pvalues,
        "Wilcoxon Z": z,
        "Wilcoxon p": 2 * special.ndtr(-np.abs(z)),
    }


# --------------------------------------------------------------------------- over datasets
def _won(values: Floats) -> tuple[Floats, Floats, Bools]:
    """Return success rates, binomial p-values, and what is significantly won.

    Datasets with equal accuracies are left out, as the printed numbers of group 3 have it: no other
    rule (equal is lost, half won, or won) has its success rate, its significant experiments and its
    experiments with 18 wins.
    """
    wins, losses, ties = win_loss_tie(values)
    rates = np.where(wins + losses > 0, wins / np.maximum(wins + losses, 1), 0.5)
    pvalues = binomial_pvalue(wins, losses, ties, ties_rule="drop", alternative="two-sided")
    return rates, pvalues, is_significant(pvalues, _LEVEL) & (wins > losses)


def nearest_wins(mean_wins: float) -> int:
    """Return the whole number of wins that the paper's figures 9 and 11 show a mean at.

    Examples
    --------
    >>> nearest_wins(14.72), nearest_wins(14.5), nearest_wins(14.48)
    (15, 15, 14)
    """
    return math.floor(mean_wins + 0.5)


def _over_datasets(level: int, part: pa.Table) -> Group:
    values = differences_of(part)
    n = values.shape[1]
    w_plus, used, ties = signed_rank_statistics(values)
    z = signed_rank_z(w_plus, used, ties)
    significant = z > -float(special.ndtri(_LEVEL / 2))
    retrained = [row for row in part.column("retrained_z").to_pylist() if row is not None]
    spreads = tuple(float(np.std(row, ddof=1)) for row in retrained)
    rng = np.random.default_rng(0)
    cheap = np.array([bootstrap_z(row, _CHEAP_RESAMPLES, rng).std(ddof=1) for row in values])
    shares = w_plus / (used * (used + 1) / 2)
    singles = [
        RankModel(
            share=float(shares[i]), nonzero=int(used[i]), z=float(z[i]), datasets=n,
            spread=float(cheap[i]),
        )
        for i in np.flatnonzero(significant)[:_AT_MOST]
    ]  # fmt: skip
    rates, _, won = _won(values)
    wins, mean = nearest_wins(n * float(rates.mean())), Mean.of(z)
    over = OverDatasets(
        success=Mean.of(rates),
        won=Rate.of(won),
        eighteen_wins=Rate.of(np.floor(n * rates + 0.5) == _EIGHTEEN),
        binomial=replicate(wins=wins, datasets=n),
        bayesian=replicate(wins=wins, datasets=n, model="bayesian"),
        unit_sd=replicate(z=mean.value, datasets=n, spread=1.0).as_published,
        retrained=spreads,
        resampled=Mean.of(cheap),
    )
    spread = float(np.mean(spreads)) if spreads else None
    return Group(
        level, mean, 2 * float(special.ndtr(-abs(mean.value))), Rate.of(significant),
        replicate(z=mean.value, datasets=n, spread=spread),
        *_forecasts(singles, Goal(Datasets(n), 1.0, _LEVEL, None)), over,
    )  # fmt: skip


# --------------------------------------------------------------------------- cross-validation
def _cross_validated(level: int, part: pa.Table, rows: int) -> Group:
    values = differences_of(part)
    folds = values.shape[1]
    design = KFold(folds)
    _, error, t = correlated_t(values, test_train_ratio=design.test_train_ratio)
    t = np.where(error == 0, np.where(values[:, 0] == 0, 0.0, 60.0), t)
    significant = t > float(special.stdtrit(folds - 1, 1 - _LEVEL / 2))
    first, second = (part.column(name).to_numpy() for name in ("first_only", "second_only"))
    singles = [
        StudentModel(statistic=float(t[i]), design=design, corrected=True).with_cases(
            _cases(int(first[i]), int(second[i]), rows)
        )
        for i in np.flatnonzero(significant)[:_AT_MOST]
    ]  # fmt: skip
    mean = Mean.of(t)
    return Group(
        level, mean, 2 * float(special.stdtr(folds - 1, -abs(mean.value))), Rate.of(significant),
        replicate(t=mean.value, folds=folds, test="corrected"),
        *_forecasts(singles, Goal(design, 1.0, _LEVEL, None)),
    )  # fmt: skip


def _cases(first: int, second: int, rows: int) -> Floats:
    """Return differences in correctness with these counts."""
    return np.repeat([1.0, -1.0, 0.0], [first, second, rows - first - second])[None]


def _forecasts(singles: Sequence[Model], goal: Goal) -> tuple[dict[Relation, Mean], Mean]:
    """Return the mean chances that single experiments give, ours by relation, and the paper's."""

    def mean(values: list[float]) -> Mean:
        return Mean.of(np.array(values)) if values else Mean(math.nan, math.nan)

    ours = {
        relation: mean([m.assess(m.prior(relation), goal).probability for m in singles])
        for relation in _FORECASTS
    }
    return ours, mean([m.plug_in(goal).probability for m in singles])


def _known(value: float) -> float | None:
    """Return None where there is nothing to average: no experiment, or none that was significant."""
    return None if np.isnan(value) else value


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def summarise_berrar(study: Study, read: Groups) -> Summary:
    """Return the groups as a table."""
    found = read.groups
    symbol = "Z" if found and found[0].over else "T"
    rows = tuple(
        (
            str(group.level),
            f"{group.significant.count:,}",
            f"{group.statistic.value:.3f} ± {group.statistic.error:.3f}",
            f"{group.pvalue:.5f}",
            f"{group.significant.hits}",
            f"{_shown(group.empirical)} ± {group.significant.error:.3f}",
            f"{group.replication.as_published:.3f}",
            _shown(group.plug_in.value),
            *(_shown(group.forecast[relation].value) for relation in _FORECASTS),
        )
        for group in found
    )
    notes = (
        "F: share of the other experiments that are significant in the same direction. P: the paper's "
        "formula at the mean statistic. Last three columns: what single significant experiments "
        "predict, by the paper's formula, and by replicast's forecast, if nobody says how the methods "
        "are related and for any two methods. The forecast for close variants of one method is left "
        "out: it is for small effects, and a group here has one true effect, mostly a large one. A "
        "forecast averages over the true effects that the field has: F lies above it where the effect "
        "of the group is large, below where it is small, by tens of points.",
    )
    forecasts = (f"forecast {words}" for words in _FORECASTS.values())
    quantities = (f"mean {symbol}", "its p", "significant", "F", "P", "single P", *forecasts)
    numbers = tuple(group.to_dict() for group in found)
    headings = ("group", "experiments", *quantities)
    return Summary(study.title or study.name, headings, rows, numbers, notes)
