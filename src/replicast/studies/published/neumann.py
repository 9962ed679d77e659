"""Neumann et al. (2021): p-values, effect sizes and power as the number of folds grows."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
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
_PLACE = ["pair", "dataset", "run"]  # of a test with each number of folds
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


def read_cases(_study: Study, records: pa.Table) -> dict[str, pd.DataFrame]:
    """Return every comparison in a store, by the paired t-test and by Wilcoxon's.

    A row is one pair of learners on one dataset with one number of folds, in one run; `group` is the
    paper's number for the cell of significance and effect size.
    """
    columns = [
        records.column(key).to_pylist()
        for key in ("replicate", "dataset", "folds", "learner", "accuracies")
    ]
    scores = {tuple(place): np.array(values) for *place, values in zip(*columns, strict=True)}
    places = sorted({(run, dataset, folds) for run, dataset, folds, _ in scores})
    found: dict[str, list[dict[str, Any]]] = {test: [] for test in MEDIUM}
    for run, dataset, folds in places:
        normal = {name: _looks_normal(scores[run, dataset, folds, name]) for name in _SHORT}
        for pair in LEARNER_PAIRS:
            first, second = (scores[run, dataset, folds, learner] for learner in pair)
            row = snap_rows((first - second)[None])
            apart = float(np.hypot(first.std(ddof=1), second.std(ddof=1)))
            about = {
                "run": run,
                "dataset": dataset,
                "pair": "-".join(_SHORT[learner] for learner in pair),
                "folds": folds,
                "normal": all(normal[learner] for learner in pair),
                "varies": bool(np.ptp(row) > 0),
            }
            found["t"].append({**about, **_t(row, folds)})
            found["wilcoxon"].append({**about, **_wilcoxon(row, folds, apart)})
    return {test: _grouped(pd.DataFrame(rows), MEDIUM[test]) for test, rows in found.items()}


def _grouped(cases: pd.DataFrame, medium: float) -> pd.DataFrame:
    """Add the group of every case, as `GROUPS` numbers them."""
    significant = is_significant(cases["pvalue"].to_numpy(), _LEVEL)
    sizeable = cases["effect"].to_numpy() >= medium
    groups = np.select([significant & sizeable, significant, sizeable], [1, 4, 3], default=2)
    return cases.assign(group=groups)


def _looks_normal(values: Floats) -> bool:
    """Apply the published screen to a classifier's accuracies: Kolmogorov-Smirnov, asymptotic.

    R gives the asymptotic p-value where there are ties, as among accuracies; the printed 0.68 and
    0.83 of the first case study are such.
    """
    if np.ptp(values) == 0:
        return False
    distance = check_normality(values, method="kolmogorov-smirnov").statistic
    return bool(kolmogorov(np.sqrt(len(values)) * distance) >= _LEVEL)


def _t(row: Floats, folds: int) -> dict[str, float]:
    """Return p, |d'| and power of the paired t-test, by the shifted t of the paper's equation 13."""
    mean, deviation = moments(row)
    d = min(abs(float(ratio_or_infinity(mean, deviation)[0])), _LARGEST)
    df, statistic = folds - 1, d * np.sqrt(folds)
    critical = stdtrit(df, 1 - _LEVEL / 2)
    seen = stdtr(df, statistic - critical) + stdtr(df, -statistic - critical)
    pvalue = float(t_pvalue(np.array([statistic]), df, "two-sided")[0])
    return {"pvalue": pvalue, "effect": d, "power": float(seen)}


def _wilcoxon(row: Floats, folds: int, apart: float) -> dict[str, float]:
    """Return p, r = |Z| / sqrt(2n) and power of the signed-rank test.

    As in the paper, power is simulated from two independent normals: `apart` is the standard
    deviation of their difference.
    """
    pvalue = float(signed_rank_pvalues(row, method="auto", alternative="two-sided")[0][0])
    z = abs(float(signed_rank_z(*signed_rank_statistics(row))[0]))
    d = min(abs(float(row.mean())) / apart, _LARGEST) if apart else 0.0
    seen = power(d, KFold(folds), method="signed-rank", simulations=1000).power
    return {"pvalue": pvalue, "effect": z / float(np.sqrt(2 * folds)), "power": seen}


def comparable(cases: pd.DataFrame, test: str, *, screened: bool) -> pd.DataFrame:
    """Keep pairs whose differences vary (and, screened, look normal) for every number of folds."""
    fits = cases["varies"] & (cases["normal"] | (not screened or test != "t"))
    return cases[fits.groupby([cases[key] for key in _PLACE]).transform("all")]


def _by_folds(cases: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column for each number of folds, a row for each pair on each dataset that has all."""
    wide = cases.pivot(index=_PLACE, columns="folds", values=column)
    return wide.reindex(columns=list(FOLDS)).dropna()


def fell(cases: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return, for each pair of learners, the percentage of p-values that fell with more folds."""
    pvalues = _by_folds(cases, "pvalue")
    found = {}
    for pair in cases["pair"].unique():
        whole = pvalues[pvalues.index.get_level_values("pair") == pair]
        shares = {f"{a}-{b}": 100 * float((whole[b] < whole[a]).mean()) for a, b in _STEPS}
        found[pair] = {"tests": float(len(whole)), **shares}
    return found


def changed(cases: pd.DataFrame, test: str) -> dict[str, dict[str, list[float]]]:
    """Return how often more folds made a result significant, and an effect medium or large.

    As in section 4.1.2 of the paper: percent of the cases that were not significant with the fewer
    folds, and of those that were small; with the number of these cases.
    """
    upgraded = {
        "p": _by_folds(cases, "pvalue").map(partial(is_significant, significance=_LEVEL)),
        "effect": _by_folds(cases, "effect") >= MEDIUM[test],
    }
    found = {}
    for name, is_up in upgraded.items():
        below = [is_up.loc[~is_up[few], many] for few, many in _STEPS]
        shares = [100 * float(some.mean()) if len(some) else 0.0 for some in below]
        found[name] = {"percent": shares, "cases": [float(len(some)) for some in below]}
    return found


def special(cases: pd.DataFrame) -> dict[str, list[float]]:
    """Return the percentages of both special cases for each number of folds."""
    return {
        GROUPS[number]: [
            100 * float((cases.loc[cases["folds"] == n, "group"] == number).mean()) for n in FOLDS
        ]
        for number in _SPECIAL
    }


# --------------------------------------------------------------------------- summary and report
def summarise_special(study: Study, read: dict[str, pd.DataFrame]) -> Summary:
    """Return how p-values move with the folds, and how often the special cases occur."""
    rows, numbers = [], []
    used = sorted(read["t"]["dataset"].unique())
    for test, screened in (("t", True), ("t", False), ("wilcoxon", False)):
        cases = comparable(read[test], test, screened=screened)
        if cases.empty:  # nothing varies, or nothing looks normal for every number of folds
            continue
        falls = fell(cases)
        averages = [
            float(np.nanmean([row[f"{a}-{b}"] for row in falls.values()])) for a, b in _STEPS
        ]
        found = special(cases)
        label = f"{test}{', normality screened' if screened else ''}"
        rows.append((label, str(len(cases)), _listed(averages), *map(_listed, found.values())))
        strong = cases.loc[cases["power"] > 0.8, "group"].tolist()
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
    headings = ("test", "tests", "fell", "not significant but sizeable", "significant but small")
    return Summary(study.title, headings, tuple(rows), tuple(numbers), tuple(notes))


def _listed(values: list[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


_CELLS = (
    "Cells: paper / ours (errors apart). Tests on one dataset, and runs of one test, share it, so "
    "errors are too small."
)
_TABLES = {
    "t": (4, "t, normality screened", "Paired t-test", "table5_t", "d"),
    "wilcoxon": (8, "wilcoxon", "Wilcoxon", "table9_wilcoxon", "r"),
}
_SHIFTS = [f"{few}-{many}" for few, many in _STEPS]
Rows = list[list[object]]


def special_tables(_study: Study, read: dict[str, pd.DataFrame], found: Summary) -> list[str]:
    """Return the paper's tables 4 to 11 beside ours."""
    paper = printed("neumann_2021")
    lines: list[str] = []
    for test, (number, label, title, change, effect) in _TABLES.items():
        ours = next((row for row in found.numbers if row["test"] == label), None)
        if ours is None:
            continue
        cases = comparable(read[test], test, screened=test == "t")
        falls, averages = (
            paper[f"table{number}_{test}_percent_p_fell"],
            paper[f"table{number}_average"],
        )
        tests = {pair: row["tests"] for pair, row in falls.items()}
        counted = paper[f"{change}_conclusion_changed_percent"]
        shares = paper[f"special_cases_{test}_percent"]
        lines += [
            f"## {title}: tables {number} to {number + 2}", "", _CELLS, "",
            f"Table {number}: percent of p-values that fell with more folds.", "",
            *table(("pair", "tests", *_SHIFTS), _fell_rows(falls, averages, fell(cases), ours)),
            f"Table {number + 1}: percent that became significant, or medium or large, of those "
            "that were not. The paper's cases follow from its percentages.", "",
            *table(("by", *_SHIFTS, "cases, paper and ours"), _changed_rows(counted, effect, ours)),
            f"Table {number + 2}: percent of special cases, for 10, 20 and 30 folds.", "",
            *table(("pair", *_FOLDS_OF_GROUPS), _special_rows(shares, tests, cases, ours)),
            *_contraceptive(paper, read[test], test, effect), *_counts(paper, ours, test),
        ]  # fmt: skip
    return lines


def _beside(percent: float, count: float, ours: float, our_count: float) -> Beside:
    return Beside(percent, round(ours, 2), share_error(percent, count, ours, our_count))


def _fell_rows(theirs: Any, averages: Sequence[float], mine: Any, ours: Any) -> Rows:
    rows: Rows = [
        [
            pair, f"{said['tests']} / {mine[pair]['tests']:.0f}",
            *(_beside(said[s], said["tests"], mine[pair][s], mine[pair]["tests"]) for s in _SHIFTS),
        ]
        for pair, said in theirs.items()
        if pair in mine
    ]  # fmt: skip
    total = sum(said["tests"] for said in theirs.values())
    cells = zip(averages, ours["fell"], strict=True)
    both = (_beside(said, total, own, ours["tests"] / 3) for said, own in cells)
    return [*rows, ["average", f"{total} / {ours['tests'] // 3}", *both]]


def _changed_rows(counted: Any, effect: str, ours: Any) -> Rows:
    rows: Rows = []
    for name, key in (("p", "p"), (effect, "effect")):
        sizes, each = counted["cases_deduced"][name], ours["changed"][key]
        both = zip(counted[name], sizes, each["percent"], each["cases"], strict=True)
        about = (f"{n} and {m:.0f}" for n, m in zip(sizes, each["cases"], strict=True))
        rows.append([name, *(_beside(*cell) for cell in both), " / ".join(about)])
    return rows


_FOLDS_OF_GROUPS = [f"{GROUPS[group]}, {n}" for group in _SPECIAL for n in FOLDS]


def _special_rows(theirs: Any, tests: dict[str, int], cases: pd.DataFrame, ours: Any) -> Rows:
    rows: Rows = []
    for pair, count in tests.items():
        mine = cases[cases["pair"] == pair]
        if len(mine):
            shares = [share for each in special(mine).values() for share in each]
            cells = zip(theirs["pairs"][pair], shares, strict=True)
            rows.append([pair, *(_beside(p, count, o, len(mine) / 3) for p, o in cells)])
    averages = [
        _beside(p, sum(tests.values()), o, ours["tests"] / 3)
        for group, key in _SPECIAL.items()
        for p, o in zip(theirs[key], ours["special"][GROUPS[group]], strict=True)
    ]
    return [*rows, ["average", *averages]]


def _contraceptive(paper: dict[str, Any], cases: pd.DataFrame, test: str, effect: str) -> list[str]:
    """Return tables 7 and 11, where the dataset is there: one comparison, so there is no error."""
    mine = cases[cases["dataset"].str.endswith("contraceptive") & (cases["pair"] == "SVM-1NN")]
    mine = mine[mine["run"] == 0]
    if mine.empty:
        return []
    theirs = paper["case_cmc_svm_vs_1nn"][test]
    keys = {"p": "pvalue", effect: "effect", "power": "power"}
    ours = mine.sort_values("folds")[list(keys.values())].to_numpy().round(4)
    rows = [
        [n, *(Beside(theirs[key][at], v) for key, v in zip(keys, ours[at], strict=True))]
        for at, n in enumerate(theirs["n"])
    ]
    head = f"Table {7 if test == 't' else 11}: SVM and 1-NN on Contraceptive Method Choice."
    return [head, "", *table(("folds", "p", effect, "power"), rows)]


def _counts(paper: dict[str, Any], ours: Any, test: str) -> list[str]:
    held = f"Power above 0.8: {ours['power_above_0.8']} tests, {ours['of_these_in_group_1']} of them in "
    lines = [f"{held}group 1, as the paper finds of all of its own.", ""]
    if test == "t":
        share = Beside(
            round(100 * paper["tests_performed_t"] / paper["tests_potential"], 1),
            100 * ours["tests"] / ours["of"],
        )  # fmt: skip
        lines = [f"Percent of tests that meet the three criteria: {share}.", "", *lines]
    return lines
