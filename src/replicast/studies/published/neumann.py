"""Neumann et al. (2021): p-values, effect sizes and power as the number of folds grows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import kolmogorov, stdtr, stdtrit

from replicast.arrays import Floats
from replicast.design import KFold
from replicast.inference.normality import check_normality
from replicast.kernels.ranks import signed_rank_pvalues, signed_rank_statistics, signed_rank_z
from replicast.kernels.rounding import snap_rows
from replicast.kernels.student import moments, ratio_or_infinity, t_pvalue
from replicast.power_analysis import power
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import Beside, printed, share_error, table
from replicast.studies.scenarios.real_data import LEARNER_PAIRS
from replicast.studies.summary import Summary

FOLDS = (10, 20, 30)
_LEVEL = 0.05
_STEPS = ((10, 20), (10, 30), (20, 30))
_LARGEST = 100.0  # d' where nothing varies
_SHORT = {"random-forest-100": "RF100", "random-forest-300": "RF300", "svm": "SVM", "1-nn": "1NN",
          "3-nn": "3NN", "naive-bayes": "NB"}  # fmt: skip
MEDIUM = {"t": 0.5, "wilcoxon": 0.3}  # Cohen's cut-offs of d and r
GROUPS = {
    1: "relevant",
    2: "no evidence",
    3: "not significant but sizeable",
    4: "significant but small",
}
_SPECIAL = {3: "nonsignificant_medium_or_large", 4: "significant_small"}  # as the print calls them


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


def read_cases(_study: Study, records: pa.Table) -> dict[str, list[Case]]:
    """Return every comparison in a store, by the paired t-test and by Wilcoxon's."""
    scores: dict[tuple[str, int, str], Floats] = {}
    names = [
        records.column(key).to_pylist() for key in ("dataset", "folds", "learner", "accuracies")
    ]
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
    """Apply the published screen to a classifier's accuracies: Kolmogorov-Smirnov, asymptotic.

    R gives the asymptotic p-value where there are ties, as among accuracies; the printed 0.68 and
    0.83 of the first case study are such.
    """
    if np.ptp(values) == 0:
        return False
    distance = check_normality(values, method="kolmogorov-smirnov").statistic
    return bool(kolmogorov(np.sqrt(len(values)) * distance) >= _LEVEL)


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
    apart = float(np.hypot(scores[first].std(ddof=1), scores[second].std(ddof=1)))
    pvalue, effect, seen = _t(row, folds) if test == "t" else _wilcoxon(row, folds, apart)
    return Case(
        dataset=dataset,
        pair="-".join(_SHORT[learner] for learner in pair),
        folds=folds,
        pvalue=pvalue,
        effect=effect,
        power=seen,
        normal=normal[first] and normal[second],
        varies=bool(np.ptp(row) > 0),
    )


def _t(row: Floats, folds: int) -> tuple[float, float, float]:
    """Return p, |d'| and power of the paired t-test, by the shifted t of the paper's equation 13."""
    mean, deviation = moments(row)
    d = min(abs(float(ratio_or_infinity(mean, deviation)[0])), _LARGEST)
    df, statistic = folds - 1, d * np.sqrt(folds)
    critical = stdtrit(df, 1 - _LEVEL / 2)
    seen = stdtr(df, statistic - critical) + stdtr(df, -statistic - critical)
    return float(t_pvalue(np.array([statistic]), df, "two-sided")[0]), d, float(seen)


def _wilcoxon(row: Floats, folds: int, apart: float) -> tuple[float, float, float]:
    """Return p, r = |Z| / sqrt(2n) and power of the signed-rank test.

    As in the paper, power is simulated from two independent normals: `apart` is the standard
    deviation of their difference.
    """
    pvalue = float(signed_rank_pvalues(row, method="auto", alternative="two-sided")[0][0])
    z = abs(float(signed_rank_z(*signed_rank_statistics(row))[0]))
    d = min(abs(float(row.mean())) / apart, _LARGEST) if apart else 0.0
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


def _by_folds(cases: Sequence[Case]) -> list[dict[int, Case]]:
    """Return the cases of each pair on each dataset by folds, where all numbers of folds are there."""
    found: dict[tuple[str, str], dict[int, Case]] = {}
    for case in cases:
        found.setdefault((case.dataset, case.pair), {})[case.folds] = case
    return [one for one in found.values() if set(one) >= set(FOLDS)]


def fell(cases: Sequence[Case]) -> dict[str, dict[str, float]]:
    """Return, for each pair of learners, the percentage of p-values that fell with more folds."""
    found: dict[str, dict[str, float]] = {}
    for pair in dict.fromkeys(case.pair for case in cases):
        whole = _by_folds([case for case in cases if case.pair == pair])
        found[pair] = {"tests": float(len(whole))}
        for few, many in _STEPS:
            share = [one[many].pvalue < one[few].pvalue for one in whole]
            found[pair][f"{few}-{many}"] = 100 * float(np.mean(share)) if whole else np.nan
    return found


def changed(cases: Sequence[Case], test: str) -> dict[str, dict[str, list[float]]]:
    """Return how often more folds made a result significant, and an effect medium or large.

    As in section 4.1.2 of the paper: percent of the cases that were not significant with the fewer
    folds, and of those that were small; with the number of these cases.
    """
    upgraded: dict[str, Callable[[Case], bool]] = {
        "p": lambda case: is_significant(case.pvalue, _LEVEL),
        "effect": lambda case: case.effect >= MEDIUM[test],
    }
    whole = _by_folds(cases)
    found: dict[str, dict[str, list[float]]] = {}
    for name, is_up in upgraded.items():
        below = [[c for c in whole if not is_up(c[few])] for few, _ in _STEPS]
        shares = [
            100 * float(np.mean([is_up(c[many]) for c in some])) if some else 0.0
            for some, (_, many) in zip(below, _STEPS, strict=True)
        ]
        found[name] = {"percent": shares, "cases": [float(len(some)) for some in below]}
    return found


def special(cases: Sequence[Case], test: str) -> dict[str, list[float]]:
    """Return the percentages of both special cases for each number of folds."""
    groups = {n: [case.group(test) for case in cases if case.folds == n] for n in FOLDS}
    return {
        GROUPS[number]: [
            100 * float(np.mean([g == number for g in groups[n]])) if groups[n] else np.nan
            for n in FOLDS
        ]
        for number in _SPECIAL
    }


# --------------------------------------------------------------------------- summary and report
def summarise_special(study: Study, read: dict[str, list[Case]], failed: int) -> Summary:
    """Return how p-values move with the folds, and how often the special cases occur."""
    rows, numbers = [], []
    used = sorted({case.dataset for case in read["t"]})
    for test, screened in (("t", True), ("t", False), ("wilcoxon", False)):
        cases = comparable(read[test], test, screened=screened)
        if not cases:  # nothing varies, or nothing looks normal for every number of folds
            continue
        falls = fell(cases)
        averages = [
            float(np.nanmean([row[f"{a}-{b}"] for row in falls.values()])) for a, b in _STEPS
        ]
        found = special(cases, test)
        label = f"{test}{', normality screened' if screened else ''}"
        rows.append((label, str(len(cases)), _listed(averages), *map(_listed, found.values())))
        strong = [case.group(test) for case in cases if case.power > 0.8]
        numbers.append(
            {"test": label, "tests": len(cases), "of": len(read[test]), "fell": averages,
             "special": found, "changed": changed(cases, test),
             "power_above_0.8": len(strong), "of_these_in_group_1": strong.count(1)}
        )  # fmt: skip
    notes = [
        "Percent. Fell: p-values that are smaller with more folds (10 to 20, 10 to 30, 20 to 30), "
        "averaged over the 15 pairs. Special cases for 10, 20 and 30 folds.",
        f"{len(used)} datasets (the paper has 50): {', '.join(used)}.",
    ]
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    headings = ("test", "tests", "fell", "not significant but sizeable", "significant but small")
    return Summary(study.title, headings, tuple(rows), tuple(numbers), tuple(notes))


def _listed(values: list[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


_CELLS = (
    "Cells: paper / ours (errors apart). Tests on one dataset share it, so errors are too small."
)
_TABLES = {
    "t": (4, "t, normality screened", "Paired t-test", "table5_t", "d"),
    "wilcoxon": (8, "wilcoxon", "Wilcoxon", "table9_wilcoxon", "r"),
}


def special_tables(read: dict[str, list[Case]], found: Summary) -> list[str]:
    """Return the paper's tables 4 to 11 beside ours."""
    paper = printed("neumann_2021")
    steps = [f"{few}-{many}" for few, many in _STEPS]
    lines: list[str] = []
    for test, (number, label, title, change, effect) in _TABLES.items():
        ours = next((row for row in found.numbers if row["test"] == label), None)
        if ours is None:
            continue
        cases = comparable(read[test], test, screened=test == "t")
        falls, theirs = fell(cases), paper[f"table{number}_{test}_percent_p_fell"]
        rows: list[list[str]] = []
        for pair in (pair for pair in theirs if pair in falls):
            n, mine = theirs[pair]["tests"], falls[pair]["tests"]
            cells = [_beside(theirs[pair][step], n, falls[pair][step], mine) for step in steps]
            rows.append([pair, f"{n} / {mine:.0f}", *cells])
        total = sum(theirs[pair]["tests"] for pair in theirs)
        rows.append(["average", f"{total} / {ours['tests'] // 3}", *(
            _beside(p, total, o, ours["tests"] / 3)
            for p, o in zip(paper[f"table{number}_average"], ours["fell"], strict=True)
        )])  # fmt: skip
        lines += [f"## {title}: tables {number} to {number + 2}", "", _CELLS, ""]
        lines += [f"Table {number}: percent of p-values that fell with more folds.", ""]
        lines += table(("pair", "tests", *steps), rows)
        lines += [f"Table {number + 1}: percent that became significant, or medium or large, of those "
                  "that were not. The paper's cases follow from its percentages.", ""]  # fmt: skip
        counted = paper[f"{change}_conclusion_changed_percent"]
        rows = []
        for name, key in (("p", "p"), (effect, "effect")):
            sizes, each = counted["cases_deduced"][name], ours["changed"][key]
            both = zip(counted[name], sizes, each["percent"], each["cases"], strict=True)
            about = " / ".join(
                f"{n} and {m:.0f}" for n, m in zip(sizes, each["cases"], strict=True)
            )
            rows.append([name, *(_beside(*cell) for cell in both), about])
        lines += table(("by", *steps, "cases, paper and ours"), rows)
        lines += [f"Table {number + 2}: percent of special cases, for 10, 20 and 30 folds.", ""]
        lines += _special_rows(paper[f"special_cases_{test}_percent"], theirs, cases, ours, test)
        lines += [*_contraceptive(paper, read[test], test, effect), *_counts(paper, ours, test)]
    return lines


def _beside(percent: float, count: float, ours: float, our_count: float) -> str:
    error = share_error(percent, count, ours, our_count)
    return Beside("", percent, round(ours, 2), error).cell


def _special_rows(
    theirs: dict[str, Any], tests: dict[str, Any], cases: list[Case], ours: Any, test: str
) -> list[str]:
    rows = []
    for pair in tests:
        mine = [case for case in cases if case.pair == pair]
        if mine:
            shares = [v for values in special(mine, test).values() for v in values]
            cells = zip(theirs["pairs"][pair], shares, strict=True)
            rows.append(
                [pair, *(_beside(p, tests[pair]["tests"], o, len(mine) / 3) for p, o in cells)]
            )
    total, averages = sum(tests[pair]["tests"] for pair in tests), []
    for group, key in _SPECIAL.items():
        for p, o in zip(theirs[key], ours["special"][GROUPS[group]], strict=True):
            averages.append(_beside(p, total, o, ours["tests"] / 3))
    folds = [f"{GROUPS[group]}, {n}" for group in _SPECIAL for n in FOLDS]
    return table(("pair", *folds), [*rows, ["average", *averages]])


def _contraceptive(paper: dict[str, Any], cases: list[Case], test: str, effect: str) -> list[str]:
    """Return tables 7 and 11, where the dataset is there: one comparison, so there is no error."""
    mine = [c for c in cases if c.dataset.endswith("contraceptive") and c.pair == "SVM-1NN"]
    if not mine:
        return []
    theirs = paper["case_cmc_svm_vs_1nn"][test]
    rows = []
    for place, case in enumerate(sorted(mine, key=lambda case: case.folds)):
        both = {"p": case.pvalue, effect: case.effect, "power": case.power}
        cells = [
            Beside("", theirs[key][place], round(value, 4)).cell for key, value in both.items()
        ]
        rows.append([theirs["n"][place], *cells])
    head = f"Table {7 if test == 't' else 11}: SVM and 1-NN on Contraceptive Method Choice."
    return [head, "", *table(("folds", "p", effect, "power"), rows)]


def _counts(paper: dict[str, Any], ours: Any, test: str) -> list[str]:
    held = f"Power above 0.8: {ours['power_above_0.8']} tests, {ours['of_these_in_group_1']} of them in "
    lines = [f"{held}group 1, as the paper finds of all of its own.", ""]
    if test == "t":
        share = Beside(
            "", round(100 * paper["tests_performed_t"] / paper["tests_potential"], 1),
            100 * ours["tests"] / ours["of"],
        )  # fmt: skip
        lines = [f"Percent of tests that meet the three criteria: {share.cell}.", "", *lines]
    return lines
