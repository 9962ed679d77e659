"""Write the papers' worked examples beside ours, and count verdicts: python -m docs.make_papers"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from docs.paper_figures import FIGURES, draw_figures, one_experiment
from scipy import special, stats

import replicast as rc
from replicast.replication.records import Replication
from replicast.studies.published import printed, table

PAGE = Path(__file__).parent / "studies" / "examples.md"
ITEMS = PAGE.with_name("items.md")
VERDICTS = ("full", "partly", "differs", "missing")
HEAD = """# The papers' worked examples

Every number that the four papers work out by hand or read off a figure, beside what replicast computes.
Written by `python -m docs.make_papers`. Where the last column is empty, ours rounds to the print.
"""
_MODELS = ("sign", "bayesian")
Row = tuple[str, float | str, float | str, str]


def rows_of(place: str, pairs: dict[str, tuple[Any, Any]], said: str = "") -> list[Row]:
    """Return a row for each value; lists value by value. `said` explains one that is not the print's."""
    rows: list[Row] = []
    for what, (paper, ours) in pairs.items():
        several = isinstance(paper, list | tuple)
        each = zip(paper, ours, strict=True) if several else ((paper, ours),)
        for number, (theirs, mine) in enumerate(each, start=1):
            label = f"{place}: {what}{f', {number}' if several else ''}"
            rows.append(
                (label, theirs, mine, "" if agrees(theirs, mine) else said or "**differs**")
            )
    return rows


def agrees(theirs: float | str, mine: float | str) -> bool:
    """Say whether ours rounds to the printed value, or is one less in its last digit."""
    if isinstance(theirs, str) or isinstance(mine, str):
        return theirs == mine
    digits = len(f"{theirs:.12g}".partition(".")[2])
    return abs(float(mine) - theirs) <= 0.5001 * 10.0**-digits


def _berrar() -> list[Row]:
    paper = printed("berrar_2024")
    one = paper["binomial_example"]
    wins, n = one["wins"], one["N"]
    found = rc.replicate(wins=wins, datasets=n)
    low, high = (
        special.betaincinv(wins, n - wins + 1, 0.025),
        special.betaincinv(wins + 1, n - wins, 0.975),
    )
    rows = rows_of("Example 1", {
        "p": (one["p_value"], found.first_pvalue), "s": (one["critical_wins"], _least(n)),
        "rate": (one["success_rate"], wins / n),
        "interval of the rate": (one["ci_theta"], (low, high)),
        "prediction interval": (one["interval"], found.as_published_interval),
    })  # fmt: skip
    rows += rows_of("Example 1", {"P": (one["P"], found.as_published)},
                    "the print rounds 29/44 to 0.66 first")  # fmt: skip
    one = paper["bayesian_example"]
    found = rc.replicate(wins=one["wins"], datasets=one["N"], model="bayesian")
    a, b = 1 + one["wins"], 1 + one["N"] - one["wins"]
    rows += rows_of("Example 2", {
        "posterior mean": (one["theta_mean"], a / (a + b)), "P": (one["P"], found.as_published),
        "HDI of the rate": (one["hdi_theta"], _hdi(a, b)),
        "prediction interval": (one["interval"], found.as_published_interval),
    })  # fmt: skip
    one = paper["nonsignificant_example"]
    plain, bayes = (rc.replicate(wins=one["wins"], datasets=one["N"], model=m) for m in _MODELS)
    rows += rows_of("not significant, 24 of 44", {
        "p": (one["p_value"], plain.first_pvalue),
        "upper limit of the rate": (one["upper_theta"], special.betaincinv(25, 20, 0.975)),
        "upper limit, binomial": (one["upper_binomial"], plain.as_published_interval[1]),
        "upper limit, Bayesian": (one["upper_bayesian"], bayes.as_published_interval[1]),
    })  # fmt: skip
    rows += rows_of("not significant, 24 of 44", {"P": (one["P_significant_next"], plain.as_published)},
                    "the print rounds 24/44 to 0.5455 first")  # fmt: skip
    figure = paper["figure2_p_values_for_44"]
    for key in ("29", "32", "34", "35"):
        p = rc.replicate(wins=int(key), datasets=44).first_pvalue
        rows += rows_of("figure 2", {f"p of {key} wins": (figure[key], p)})
    lowest = next(w for w in range(29, 45)
                  if rc.replicate(wins=w, datasets=44).as_published_interval[0] > 0.5)  # fmt: skip
    rows += rows_of("figure 2", {
        "wins with a lower limit above 0.5": (figure["lower_limit_above_half_from_wins"], lowest)
    })  # fmt: skip
    one = paper["study1_group3_single"]
    plain, bayes = (rc.replicate(wins=one["wins"], datasets=one["N"], model=m) for m in _MODELS)
    rows += rows_of("study 1, 15 of 20", {
        "p": (one["p_value"], plain.first_pvalue), "P_b": (one["P_binomial"], plain.as_published),
        "P_B": (one["P_bayesian"], bayes.as_published),
    })  # fmt: skip
    one = paper["wilcoxon_example"]
    found = rc.replicate(z=one["Z"], datasets=44, spread=one["s"])
    rows += rows_of("Example 3", _both(one, found))
    one = paper["wilcoxon_group3"]
    found = rc.replicate(z=one["Z"], datasets=20, spread=one["s"])
    rows += rows_of("study 1, group 3", {"P": (one["P"], found.as_published)})
    one = paper["t_example"]
    found = rc.replicate(t=one["T"], folds=one["df"] + 1, test="corrected")
    quantiles = stats.nct.ppf((0.025, 0.975), one["df"], one["T"])
    rows += rows_of("Example 4", {
        "p": (one["p_value"], found.first_pvalue), "P": (one["P"], found.as_published),
        "quantiles of the noncentral t": (one["ncp_quantiles"], quantiles),
        "prediction interval": (one["interval"], found.as_published_interval),
    })  # fmt: skip
    one = paper["t_threshold_for_095"]
    t = float(special.stdtrit(one["df"], 1 - one["p_value"] / 2))
    found = rc.replicate(t=t, folds=one["df"] + 1, test="corrected")
    rows += rows_of(
        "figure 4, at p = 0.00281", {**_both(one, found), "P": (one["P"], found.as_published)}
    )
    for study, group in (("study3", "q3"), ("study4", "d11")):
        one = paper[study][group]
        found = rc.replicate(t=one["mean_T"], folds=paper[study]["folds"], test="corrected")
        said = {"p": (one["p_value"], found.first_pvalue), "P": (one["P"], found.as_published)}
        rows += rows_of(f"{study}, {group}", said, "from a rounded mean T")
    shown = {"study1": "N replications bootstrap", "study2": "N first_dataset_sizes",
             "study3": "q n d mean_positive folds", "study4": "d n mean_positive folds"}  # fmt: skip
    for study, keys in shown.items():
        name = f"berrar-{study[-1]}"
        rows += rows_of(f"settings of {study}", _settings(name, paper[study], keys.split()))
    return rows


def _both(one: dict[str, Any], found: Replication) -> dict[str, tuple[Any, Any]]:
    limits = one["interval"], found.as_published_interval
    return {"P": (one["P"], found.as_published), "prediction interval": limits}


def _least(n: int) -> int:
    """Return the least number of wins that is significant."""
    return next(
        w for w in range(n // 2, n + 1) if rc.replicate(wins=w, datasets=n).first_pvalue < 0.05
    )


def _hdi(a: float, b: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the shortest interval of a beta distribution, by trying."""
    lows = np.linspace(0, 1 - confidence, 20_001)
    ends = special.betaincinv(a, b, lows), special.betaincinv(a, b, lows + confidence)
    best = int(np.argmin(ends[1] - ends[0]))
    return float(ends[0][best]), float(ends[1][best])


def _settings(name: str, paper: dict[str, Any], keys: list[str]) -> dict[str, tuple[Any, Any]]:
    """Return what the paper says of a study's settings beside those that come with the package."""
    from replicast.studies.library import STUDIES

    study = STUDIES[name]
    levels, constants = study.factors, study.constants
    ours: dict[str, Any] = {
        "N": constants.get("datasets"), "replications": study.replicates,
        "bootstrap": constants.get("resamples"), "n": constants.get("rows"),
        "q": list(levels.get("q", ())), "d": constants.get("features", list(levels.get("features", ()))),
        "mean_positive": 0.3, "folds": 10,
        "first_dataset_sizes": [int(a) + 10 for a in levels.get("a", ())],
    }  # fmt: skip
    joined = {key: (paper[key], ours[key]) for key in keys}
    return {k: (f"{p}", f"{o}") if isinstance(p, list) else (p, o) for k, (p, o) in joined.items()}


def _bouckaert() -> list[Row]:
    from replicast.studies.library import STUDIES

    paper = printed("bouckaert_2004")
    figure = paper["figure1"]
    matrix = np.array(figure["differences"])
    scores = rc.PairedScores(
        first=matrix.ravel(), second=np.zeros(9), design=rc.RepeatedKFold(runs=3, folds=3)
    )
    rows = []
    for scheme in ("folds", "runs", "sorted"):
        key = f"average_over_{'sorted_runs' if scheme == 'sorted' else scheme}"
        rows += rows_of("figure 1", {f'scheme "{scheme}"': (figure[key], scores.sample(scheme))},
                        "the print cuts after two digits")  # fmt: skip
    said, study = paper["setup"], STUDIES["bouckaert-simulation-as-printed"]
    ours = study.constants
    sizes = {
        "data_sources": len(study.factors["source"]), "datasets_per_source": study.replicates,
        "instances": ours["rows"], "binary_variables": 10,
        "class_probability": ours["class_probability"],
        "runs": ours["runs"], "folds": 10, "repetitions": ours["repetitions"],
    }  # fmt: skip
    rows += rows_of("settings", {key: (said[key], value) for key, value in sizes.items()})
    from replicast.studies.scenarios.networks import shipped_gaps

    gaps = [round(100 * gap, 2) for gap in shipped_gaps()]
    return rows + rows_of("settings", {
        "gain of C4.5 on the four sources": (said["mean_accuracy_gain_of_c45_percent"], gaps)
    }, "other networks, searched for this gap")  # fmt: skip


def _bouckaert_frank() -> list[Row]:
    paper = printed("bouckaert_frank_2004")["table1_5x2cv"]
    rows = []
    for pair in paper["consistent"]:
        draws = [row["draws"][pair] for row in paper["datasets"]]
        found = rc.Replicability.from_counts(draws, 10)
        rows += rows_of(f"table 1 from its own draws, {pair}", {
            "consistent": (paper["consistent"][pair], found.consistent),
            "almost consistent": (paper["almost_consistent"][pair], found.almost_consistent),
            "R": (paper["replicability"][pair], found.r2),
        })  # fmt: skip
    return rows


def _shifted(d: float, folds: int) -> float:
    return rc.power(d, rc.KFold(folds), method="paired-ttest", approach="shifted").power


def _neumann() -> list[Row]:
    paper = printed("neumann_2021")
    case = paper["case_t"]
    pair = rc.PairedScores(first=case["one_nn"], second=case["three_nn"], design=rc.KFold(10))
    test, effect = rc.paired_ttest(pair), rc.effects.standardized_difference(pair)
    rows = rows_of("case study 1", {
        "mean difference": (case["mean_difference"], test.estimate),
        "standard deviation": (case["sd"], float(np.std(pair.differences, ddof=1))),
        "t": (case["t"], test.statistic), "p": (case["p_value"], test.pvalue),
        "d'": (case["cohen_d"], abs(effect.estimate)), "label": (case["label"], effect.label),
    }, "from rounded accuracies")  # fmt: skip
    for n in ("10", "25", "50"):
        shown = rc.power(
            effect.estimate, rc.KFold(int(n)), method="paired-ttest", approach="shifted"
        ).power
        rows += rows_of("figure 1", {f"power with {n} folds": (case["power_as_published"][n], shown)},
                        "does not follow from equation 12")  # fmt: skip
    case = paper["case_wilcoxon"]
    n = case["pairs"] - case["zero_differences"]
    z = abs(case["W"] - n * (n + 1) / 4) / np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    r = z / np.sqrt(2 * case["pairs"])
    rows += rows_of("case study 2, by hand from W", {
        "z": (case["z"], z), "p": (case["p_value"], 2 * special.ndtr(-z)),
        "label": (case["label"], "medium" if r >= 0.3 else "small"),
    }, "ties, which are not printed, make z larger")  # fmt: skip
    rows += rows_of("case study 2, by hand from W", {"r": (case["r"], r)}, "the print cuts 0.289")
    rows += rows_of("case study 2, by hand from W", {
        "power": (case["power_simulated"], "needs both samples, which are not printed")
    }, "not given by the paper")  # fmt: skip
    said = paper["case_cmc_svm_vs_1nn"]["t"]
    for n, d, shown in zip(said["n"], said["d"], said["power"], strict=True):
        ours = rc.power(d, rc.KFold(n), method="paired-ttest", approach="shifted").power
        rows += rows_of(
            "table 7", {f"power of d' = {d:g}, {n} folds": (shown, ours)}, "from a rounded d'"
        )
    sizes = {
        "pairs of classifiers": (len(paper["classifier_pairs"]), 15),
        "folds": (paper["folds"], [10, 20, 30]),
    }
    potential = paper["tests_potential"], len(paper["classifier_pairs"]) * 3 * paper["datasets"]
    return rows + rows_of("settings", {**sizes, "tests that could be made": potential})


def examples() -> dict[str, list[Row]]:
    """Return the rows of every paper."""
    return {
        "Berrar (2024)": _berrar(), "Bouckaert (2004)": _bouckaert(),
        "Bouckaert and Frank (2004)": _bouckaert_frank(), "Neumann et al. (2021)": _neumann(),
    }  # fmt: skip


def examples_page() -> str:
    """Return the page of worked examples."""
    lines = [HEAD]
    for paper, rows in examples().items():
        shown = [[what, _shown(theirs), _shown(ours), note] for what, theirs, ours, note in rows]
        lines += [f"## {paper}", "", *table(("where", "printed", "ours", ""), shown)]
        if paper == "Berrar (2024)":
            lines += [
                f"![{figure().alt}](../images/{name}.png)\n" for name, figure in FIGURES.items()
            ]
            lines += ["Figure 7b, an experiment of group 3 of study 1, drawn anew:", ""]
            lines += one_experiment()
    return "\n".join(lines).rstrip() + "\n"


def items_page() -> str:
    """Return the page of items with its verdicts counted anew."""
    text = ITEMS.read_text(encoding="utf-8")
    papers = re.split(r"^## (.+), item by item$", text.partition("## In numbers")[0], flags=re.M)[
        1:
    ]
    rows, every = [], Counter[str]()
    for paper, part in zip(papers[::2], papers[1::2], strict=True):
        counted = Counter(re.findall(r"^\| \d+ \|.*\| (\w+)[^|]*\|$", part, re.M))
        rows.append([paper, counted.total(), *(counted[word] for word in VERDICTS)])
        every += counted
    rows.append(["all", every.total(), *(every[word] for word in VERDICTS)])
    lines = "\n".join(table(("paper", "items", *VERDICTS), rows))
    return re.sub(r"(?<=## In numbers\n\n)(\|.*\n)+", lines, text)


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.5g}"


if __name__ == "__main__":
    draw_figures()
    PAGE.write_text(examples_page(), encoding="utf-8")
    ITEMS.write_text(items_page(), encoding="utf-8")
