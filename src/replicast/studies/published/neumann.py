"""Neumann et al. (2021): p-values, effect sizes and power as the number of folds grows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from replicast.arrays import Floats
from replicast.design import KFold
from replicast.inference.normality import check_normality
from replicast.kernels.noncentral import two_sided_power
from replicast.kernels.ranks import signed_rank_pvalues, signed_rank_statistics, signed_rank_z
from replicast.kernels.rounding import snap_rows
from replicast.kernels.student import moments, ratio_or_infinity, t_pvalue
from replicast.power_analysis import power
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.scenarios.real_data import LEARNER_PAIRS
from replicast.studies.summary import Summary

FOLDS = (10, 20, 30)
_LEVEL = 0.05
_STEPS = ((10, 20), (10, 30), (20, 30))
MEDIUM = {"t": 0.5, "wilcoxon": 0.3}  # Cohen's cut-offs of d and r
GROUPS = {
    1: "relevant",
    2: "no evidence",
    3: "not significant but sizeable",
    4: "significant but small",
}


@dataclass(frozen=True)
class Case:
    """One pair of learners on one dataset with one number of folds, by one test."""

    dataset: str
    pair: str
    folds: int
    pvalue: float
    effect: float
    power: float
    normal: bool
    varies: bool

    def group(self, test: str) -> int:
        """Return the paper's number for the cell of significance and effect size."""
        sizeable = self.effect >= MEDIUM[test]
        return {(True, True): 1, (False, False): 2, (False, True): 3, (True, False): 4}[
            is_significant(self.pvalue, _LEVEL), sizeable
        ]


def read_cases(_study: Study, table: pa.Table) -> dict[str, list[Case]]:
    """Return every comparison in a store, by the paired t-test and by Wilcoxon's."""
    scores: dict[tuple[str, int, str], Floats] = {}
    names = [table.column(key).to_pylist() for key in ("dataset", "folds", "learner", "accuracies")]
    for dataset, folds, learner, accuracies in zip(*names, strict=True):
        scores[dataset, folds, learner] = np.array(accuracies)
    normal = {key: _looks_normal(values) for key, values in scores.items()}
    places = sorted({(dataset, folds) for dataset, folds, _ in scores})
    return {
        test: [
            _case(scores, normal, dataset, folds, pair, test)
            for dataset, folds in places
            for pair in LEARNER_PAIRS
        ]
        for test in MEDIUM
    }


def _looks_normal(values: Floats) -> bool:
    """Apply the published screen: Kolmogorov-Smirnov on each classifier's accuracies."""
    if np.ptp(values) == 0:
        return False
    return bool(check_normality(values, method="kolmogorov-smirnov").pvalue >= 0.05)


def _case(
    scores: dict[tuple[str, int, str], Floats],
    normal: dict[tuple[str, int, str], bool],
    dataset: str,
    folds: int,
    pair: tuple[str, str],
    test: str,
) -> Case:
    first, second = ((dataset, folds, learner) for learner in pair)
    row = snap_rows((scores[first] - scores[second])[None])
    pvalue, effect, seen = (_t if test == "t" else _wilcoxon)(row, folds)
    return Case(
        dataset=dataset,
        pair=f"{pair[0]} against {pair[1]}",
        folds=folds,
        pvalue=pvalue,
        effect=effect,
        power=seen,
        normal=normal[first] and normal[second],
        varies=bool(np.ptp(row) > 0),
    )


def _t(row: Floats, folds: int) -> tuple[float, float, float]:
    """Return p, |d'| and observed power of the paired t-test, as the paper computes them."""
    mean, deviation = moments(row)
    d = abs(float(ratio_or_infinity(mean, deviation)[0]))
    d = min(d, 100.0)
    statistic = np.array([d * np.sqrt(folds)])
    pvalue = float(t_pvalue(statistic, folds - 1, "two-sided")[0])
    from scipy.special import stdtrit

    critical = float(stdtrit(folds - 1, 0.975))
    return pvalue, d, float(two_sided_power(critical, folds - 1, float(statistic[0])))


def _wilcoxon(row: Floats, folds: int) -> tuple[float, float, float]:
    """Return p, r = |Z| / sqrt(2n) and simulated power of the signed-rank test."""
    pvalue = float(signed_rank_pvalues(row, method="auto", alternative="two-sided")[0][0])
    z = abs(float(signed_rank_z(*signed_rank_statistics(row))[0]))
    mean, deviation = moments(row)
    d = min(abs(float(ratio_or_infinity(mean, deviation)[0])), 100.0)
    seen = power(d, KFold(folds), method="signed-rank", simulations=1000).power
    return pvalue, z / float(np.sqrt(2 * folds)), seen


def comparable(cases: list[Case], test: str, *, screened: bool) -> list[Case]:
    """Keep pairs whose differences vary (and, screened, look normal) for every number of folds."""
    kept: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        kept.setdefault((case.dataset, case.pair), []).append(case)
    return [
        case
        for group in kept.values()
        if all(c.varies and (c.normal or not screened or test != "t") for c in group)
        for case in group
    ]


def fell(cases: list[Case]) -> dict[str, dict[str, float]]:
    """Return, for each pair of learners, the percentage of p-values that fell with more folds."""
    found: dict[str, dict[str, float]] = {}
    for pair in dict.fromkeys(case.pair for case in cases):
        by_set: dict[str, dict[int, float]] = {}
        for case in cases:
            if case.pair == pair:
                by_set.setdefault(case.dataset, {})[case.folds] = case.pvalue
        whole = [p for p in by_set.values() if set(p) >= set(FOLDS)]
        found[pair] = {"tests": float(len(whole))}
        for few, many in _STEPS:
            share = np.mean([p[many] < p[few] for p in whole]) if whole else np.nan
            found[pair][f"{few}-{many}"] = 100 * float(share)
    return found


def changed(cases: list[Case], test: str) -> dict[str, list[float]]:
    """Return how often the conclusion changes with the folds, by p-value and by effect size."""
    by_pair: dict[tuple[str, str], dict[int, Case]] = {}
    for case in cases:
        by_pair.setdefault((case.dataset, case.pair), {})[case.folds] = case
    whole = [c for c in by_pair.values() if set(c) >= set(FOLDS)]

    def share(differs: Any) -> list[float]:
        return [
            100 * float(np.mean([differs(c[few], c[many]) for c in whole])) for few, many in _STEPS
        ]

    return {
        "p": share(
            lambda a, b: is_significant(a.pvalue, _LEVEL) != is_significant(b.pvalue, _LEVEL)
        ),
        "effect": share(lambda a, b: (a.effect >= MEDIUM[test]) != (b.effect >= MEDIUM[test])),
    }


def special(cases: list[Case], test: str) -> dict[str, list[float]]:
    """Return the percentages of both special cases for each number of folds."""
    found: dict[str, list[float]] = {
        "not significant but sizeable": [],
        "significant but small": [],
    }
    for folds in FOLDS:
        here = [case.group(test) for case in cases if case.folds == folds]
        found["not significant but sizeable"].append(100 * float(np.mean([g == 3 for g in here])))
        found["significant but small"].append(100 * float(np.mean([g == 4 for g in here])))
    return found


# --------------------------------------------------------------------------- summary and report
def summarise_special(study: Study, read: dict[str, list[Case]], failed: int) -> Summary:
    """Return how p-values move with the folds, and how often the special cases occur."""
    rows, numbers = [], []
    used = sorted({case.dataset for case in read["t"]})
    for test, screened in (("t", True), ("t", False), ("wilcoxon", False)):
        cases = comparable(read[test], test, screened=screened)
        falls = fell(cases)
        averages = [
            float(np.nanmean([row[f"{a}-{b}"] for row in falls.values()])) for a, b in _STEPS
        ]
        found = special(cases, test)
        label = f"{test}{', normality screened' if screened else ''}"
        rows.append(
            (
                label,
                str(len(cases)),
                _listed(averages),
                _listed(found["not significant but sizeable"]),
                _listed(found["significant but small"]),
            )
        )
        numbers.append(
            {"test": label, "tests": len(cases), "fell": averages, "special": found,
             "changed": changed(cases, test)}
        )  # fmt: skip
    notes = [
        "Percent. Fell: p-values that are smaller with more folds (10 to 20, 10 to 30, 20 to 30), "
        "averaged over the 15 pairs. Special cases for 10, 20 and 30 folds.",
        f"Datasets: {', '.join(used)}.",
    ]
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    headings = ("test", "tests", "fell", "not significant but sizeable", "significant but small")
    return Summary(study.title, headings, tuple(rows), tuple(numbers), tuple(notes))


def _listed(values: list[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


def special_tables(read: dict[str, list[Case]], found: Summary) -> list[str]:
    """Return the paper's tables beside ours."""
    paper = printed("neumann_2021")
    lines: list[str] = []
    by_test = {row["test"]: row for row in found.numbers}
    for number, test, label, fell_key, cases_key, changed_key in (
        (4, "t", "t, normality screened", "table4", "special_cases_t_percent",
         "table5_t_conclusion_changed_percent"),
        (8, "wilcoxon", "wilcoxon", "table8", "special_cases_wilcoxon_percent",
         "table9_wilcoxon_conclusion_changed_percent"),
    ):  # fmt: skip
        ours = by_test[label]
        conclusions = list(paper[changed_key].values())
        lines += [
            f"## {'Paired t-test' if test == 't' else 'Wilcoxon'}: tables {number} to {number + 2}",
            "",
            "| percent | paper | ours |",
            "|---|---|---|",
            f"| p fell, average | {_listed(paper[f'{fell_key}_average'])} | {_listed(ours['fell'])} |",
            f"| conclusion by p changed | {_listed(conclusions[0])} | {_listed(ours['changed']['p'])} |",
            f"| by effect size | {_listed(conclusions[1])} | {_listed(ours['changed']['effect'])} |",
            f"| not significant but sizeable | "
            f"{_listed(paper[cases_key]['nonsignificant_medium_or_large'])} "
            f"| {_listed(ours['special']['not significant but sizeable'])} |",
            f"| significant but small | {_listed(paper[cases_key]['significant_small'])} "
            f"| {_listed(ours['special']['significant but small'])} |",
            "",
        ]
        cases = comparable(read[test], test, screened=test == "t")
        lines += ["| pair | tests | 10-20 | 10-30 | 20-30 |", "|---|---:|---:|---:|---:|"]
        lines += [
            f"| {pair} | {row['tests']:.0f} | "
            + " | ".join(f"{row[f'{a}-{b}']:.1f}" for a, b in _STEPS)
            + " |"
            for pair, row in fell(cases).items()
        ]
        lines.append("")
    return lines
