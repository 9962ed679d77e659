"""Bouckaert and Frank (2004): replicability of tests on the UCI datasets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import bdtr

from replicast.arrays import Floats
from replicast.kernels.agreement import equal_pairs
from replicast.replicability.records import Replicability
from replicast.studies.plan import Study
from replicast.studies.published import Beside, printed, table
from replicast.studies.published.bouckaert import NORMAL, WAYS, judged
from replicast.studies.summary import Summary, groups

PAIRS = {
    "NB vs C4.5": ("naive-bayes", "c45"),
    "NB vs NN": ("naive-bayes", "nearest"),
    "C4.5 vs NN": ("c45", "nearest"),
}
AS_PAPER = 10  # reruns in the papers: consistency depends on their number, R does not
SPLITS = tuple(f"corrected-splits-{n}" for n in (10, 20, 50, 100))
RUNS = tuple(f"corrected-cv-{n}" for n in (1, 2, 5, 10))
_SORTED = {"sign": "sign-sorted", "rank": "rank-sorted", "t": "t-sorted"}
NAMES = (
    "5x2cv-t", "5x2cv-f", "t-kfold", "t-all", *SPLITS, *RUNS, *_SORTED.values(),
    "rank-sorted" + NORMAL,
)  # fmt: skip
_MEASURES = ("consistent", "almost_consistent", "replicability")
_PRINTED_NAMES = {
    "credit-a": "credit-rating", "credit-g": "german-credit", "diabetes": "pima-diabetes",
    "breast-w": "wisconsin-breast-cancer",
}  # fmt: skip
_PRINTED_DATASETS = 27
_LEFT_OUT = "hungarian-heart"  # the one of the papers' 27 that does not come along


@dataclass(frozen=True)
class Outcomes:
    """P-values and directions of every procedure on every dataset, for one pair of learners."""

    datasets: tuple[str, ...]
    judged: Mapping[str, tuple[Floats, Floats]]

    @property
    def reruns(self) -> int:
        """How often every comparison was repeated."""
        return int(self.judged[NAMES[0]][0].shape[1])

    def agreement(
        self, name: str, significance: float = 0.05, reruns: slice = slice(None)
    ) -> Replicability:
        """Return the replicability of a procedure over all datasets, by some reruns or all."""
        pvalues, signs = (values[:, reruns] for values in self.judged[name])
        return Replicability.from_pvalues(
            pvalues, signs, test=name, datasets=list(self.datasets), significance=significance
        )

    def tens(self, name: str, significance: float = 0.05) -> list[Replicability]:
        """Return the same for every ten reruns, as many as the papers had."""
        starts = range(0, max(self.reruns // AS_PAPER, 1) * AS_PAPER, AS_PAPER)
        return [self.agreement(name, significance, slice(s, s + AS_PAPER)) for s in starts]

    def draws(self, name: str) -> Floats:
        """Return in how many of every ten reruns no difference is found, (datasets, tens)."""
        each = [[o[1] for o in ten.outcomes] for ten in self.tens(name)]
        return np.array(each, dtype=np.float64).T

    def errors(self, name: str, significance: float = 0.05) -> dict[str, float]:
        """Return the standard error of each measure between one ten reruns and the mean of ours.

        Every rerun of a dataset is taken to find no difference with the chance that all reruns show.
        """
        draws = np.array([o[1] for o in self.agreement(name, significance).outcomes])
        chance = (draws + 0.5) / (self.reruns + 1)
        tens = np.arange(AS_PAPER + 1)
        weight = bdtr(tens, AS_PAPER, chance[:, None])
        weight = np.diff(weight, axis=1, prepend=0.0)
        outcome = np.minimum(tens, AS_PAPER - tens)
        worth = {
            "consistent": (outcome == 0).astype(np.float64),
            "almost_consistent": (outcome <= 1).astype(np.float64),
            "replicability": equal_pairs(np.stack([tens, AS_PAPER - tens], axis=1)) / len(draws),
        }
        both = np.sqrt(1 + AS_PAPER / self.reruns)
        return {
            measure: float(both * np.sqrt((weight @ each**2 - (weight @ each) ** 2).sum()))
            for measure, each in worth.items()
        }


def read_uci(_study: Study, records: pa.Table) -> dict[str, Outcomes]:
    """Return what every procedure found, for the three pairs of learners."""
    by_pair = {
        (levels["first"], levels["second"]): part
        for levels, part in groups(records, ["first", "second"])
    }
    found = {}
    for title, pair in PAIRS.items():
        parts = groups(by_pair[pair], ["dataset"])
        fewest = min(len(part) for _, part in parts)  # a run may have been interrupted
        each = [
            judged(
                part.sort_by("replicate").slice(0, fewest),
                int(part.column("rows")[0].as_py()),
                NAMES,
            )
            for _, part in parts
        ]
        outcomes = {name: tuple(np.stack([one[name] for one in each], axis=1)) for name in NAMES}
        found[title] = Outcomes(tuple(str(levels["dataset"]) for levels, _ in parts), outcomes)
    return found


def summarise_uci(study: Study, read: Mapping[str, Outcomes]) -> Summary:
    """Return consistency and replicability over the datasets, for the three pairs of learners."""
    first = {
        name: [read[title].agreement(name, reruns=slice(AS_PAPER)) for title in PAIRS]
        for name in NAMES
    }
    rows = tuple(
        (WAYS[name].title, *(f"{r.consistent} / {r.almost_consistent} / {r.r2:.3f}" for r in each))
        for name, each in first.items()
    )
    numbers = tuple(
        _numbers(each, [read[title].agreement(name).r2 for title in PAIRS])
        for name, each in first.items()
    )
    count, reruns = len(read["NB vs C4.5"].datasets), read["NB vs C4.5"].reruns
    used = f"the first ten of {reruns} reruns" if reruns > AS_PAPER else f"{reruns} reruns"
    notes = [
        f"{count} datasets; consistent / almost consistent / R for each pair, {used}. "
        "The papers have 27: the last, Hungarian heart disease, can be added as an ARFF file among the "
        "levels of `dataset`."
    ]
    return Summary(study.title, ("test", *PAIRS), rows, numbers, tuple(notes))


def _numbers(each: list[Replicability], all_reruns: list[float]) -> dict[str, Any]:
    """Return what a test shows on the three pairs of learners, as JSON."""
    return {
        "test": each[0].test,
        "consistent": [r.consistent for r in each],
        "almost_consistent": [r.almost_consistent for r in each],
        "replicability": [r.r2 for r in each],
        "replicability_all_reruns": all_reruns,
        "replicability_interval": [list(r.interval) for r in each],
        "draws": {
            title: {d: o[1] for d, o in zip(r.datasets, r.outcomes, strict=True)}
            for title, r in zip(PAIRS, each, strict=True)
        },
    }


_CELLS = (
    "Cells: paper / ours (errors apart). Ours is the mean over every ten reruns; the error is that of "
    "one ten beside it, from the chance that a rerun finds no difference on each dataset. Counts are "
    "out of 26: Hungarian heart disease is taken out of the print as a dataset on which all ten reruns "
    "agree, as they do in table 1."
)


def uci_tables(_study: Study, read: Mapping[str, Outcomes], _found: Summary) -> list[str]:
    """Return the papers' tables beside ours, if there are as many reruns as they have, or more."""
    paper, outcomes = printed("bouckaert_frank_2004"), read["NB vs C4.5"]
    if outcomes.reruns < AS_PAPER:
        return [
            f"{outcomes.reruns} reruns, the papers have ten: draws and consistency depend on their "
            "number, so that nothing is set beside the print. Run the study with `--replicates 10`.",
            "",
        ]
    tables = _tables_1_to_4(read, paper) + _table_2(read) if _is_whole(outcomes) else []
    return [*tables, *_more_reruns(read), *_draws(read, paper["table1_5x2cv"]["datasets"])]


def _is_whole(outcomes: Outcomes) -> bool:
    """Say whether counts over the datasets can stand beside those of the papers, over 27."""
    return len(outcomes.datasets) in (_PRINTED_DATASETS - 1, _PRINTED_DATASETS)


def _printed_tables(paper: Mapping[str, Any]) -> Iterator[tuple[str, str, float, Any]]:
    """Yield label, procedure, level and printed values of every row of the papers' tables 1 to 4."""
    yield "5x2cv t, table 1", "5x2cv-t", 0.05, paper["table1_5x2cv"]
    for number, key, noun, names in (
        (2, "table2_corrected_resampled_t", "splits", SPLITS),
        (3, "table3_corrected_rx10cv", "runs", RUNS),
    ):
        for place, (amount, name) in enumerate(zip(paper[key]["runs"], names, strict=True)):
            yield f"{amount} {noun}, table {number}", name, 0.05, _at(paper[key], place)
    by_level = paper["table4_corrected_10x10_alpha"]
    for place, level in enumerate(by_level["alpha"]):
        yield f"level {level:g}, table 4", "corrected-cv-10", level, _at(by_level, place)
    for name, key in (
        ("t-kfold", "text_plain_t_single_10fold_consistent"),
        ("t-all", "text_plain_t_10x10_consistent"),
    ):
        yield f"plain {WAYS[name].title}, text", name, 0.05, {"consistent": paper[key]}


def _at(theirs: Mapping[str, Any], place: int) -> dict[str, dict[str, float]]:
    return {m: {pair: theirs[m][pair][place] for pair in PAIRS} for m in _MEASURES}


def _tables_1_to_4(read: Mapping[str, Outcomes], paper: Mapping[str, Any]) -> list[str]:
    rows: list[list[object]] = []
    for label, name, level, theirs in _printed_tables(paper):
        tens = {title: read[title].tens(name, level) for title in PAIRS}
        errors = {title: read[title].errors(name, level) for title in PAIRS}
        for measure in (measure for measure in _MEASURES if measure in theirs):
            attribute = "r2" if measure == "replicability" else measure
            cells = [
                Beside(
                    _without_left_out(theirs[measure][title], measure, len(each[0].datasets)),
                    float(np.mean([getattr(ten, attribute) for ten in each])),
                    errors[title][measure],
                )
                for title, each in tens.items()
            ]
            shown = measure.replace("_", " ").replace("replicability", "R")
            rows.append([label, shown, *cells])
    lines = ["## Bouckaert and Frank (2004), tables 1 to 4", "", _CELLS, ""]
    return [*lines, *table(("test", "measure", *PAIRS), rows)]


def _without_left_out(said: float, measure: str, count: int) -> float:
    """Return a printed value over 27 datasets as it is over the 26 that come along."""
    if count == _PRINTED_DATASETS - 1:
        is_mean = measure == "replicability"
        said = (_PRINTED_DATASETS * said - 1) / count if is_mean else said - 1
    return round(said, 3)


def _table_2(read: Mapping[str, Outcomes]) -> list[str]:
    """Return Bouckaert's table 2: mean normalised R under sorted runs."""
    rows = []
    paper = printed("bouckaert_2004")["table2_mean_normalised_R2_percent"]
    for test, name in (*_SORTED.items(), ("rank", "rank-sorted" + NORMAL)):
        found = [
            Beside(
                paper[test][title],
                100 * float(np.mean([r.normalised for r in read[title].tens(name)])),
                200 * read[title].errors(name)["replicability"],
            )
            for title in PAIRS
        ]  # fmt: skip
        error = float(np.linalg.norm([one.error for one in found])) / len(found)
        mean = float(np.mean([one.ours for one in found]))
        found.append(Beside(paper[test]["all"], mean, error))
        rows.append([WAYS[name].title, *found])
    title = "## Bouckaert (2004), table 2: mean normalised R under sorted runs, percent"
    return [title, "", *table(("test", *PAIRS, "all"), rows)]


def _more_reruns(read: Mapping[str, Outcomes]) -> list[str]:
    """Return R over all reruns, where there are more than the papers had."""
    reruns = read["NB vs C4.5"].reruns
    if reruns <= AS_PAPER:
        return []
    rows = []
    for name in NAMES:
        each = [read[title].agreement(name) for title in PAIRS]
        rows.append(
            [WAYS[name].title, *(f"{r.r2:.3f} ± {np.sqrt(r.r2_variance):.3f}" for r in each)]
        )
    return [f"## R over {reruns} reruns", "", *table(("test", *PAIRS), rows)]


def _draws_beside(said: int, tens: Floats) -> Beside:
    """Return printed draws beside ours, with the error of one ten reruns against the mean of ours."""
    mean, both = float(np.mean(tens)), 1 + 1 / len(tens)
    chance = (mean + said + 0.5) / (2 * AS_PAPER + 1)
    return Beside(said, mean, float(np.sqrt(AS_PAPER * chance * (1 - chance) * both)))


def _draws(read: Mapping[str, Outcomes], theirs: list[dict[str, Any]]) -> list[str]:
    """Return table 1 and the draws of sorted runs: reruns of ten without a difference."""
    by_name = {row["name"]: row for row in theirs}
    datasets, out = read["NB vs C4.5"].datasets, by_name[_LEFT_OUT]
    shown = ", ".join(f"{out['draws'][title]}" for title in PAIRS)
    return [
        "## Draws of the 5x2cv test on each dataset (table 1)", "", _CELLS, "",
        *table(("dataset", "rows", "attributes", "classes", *PAIRS), _beside_table_1(read, by_name)),
        f"{_LEFT_OUT} ({out['instances']} rows): {shown} printed. Rows, attributes and classes "
        "are the paper's, which counts the class among the attributes of some.", "",
        "## Draws under sorted runs, first ten reruns: three pairs by each test", "",
        *table(("dataset", *_SORTED), _sorted_draws(read, datasets)),
    ]  # fmt: skip


def _beside_table_1(
    read: Mapping[str, Outcomes], by_name: Mapping[str, dict[str, Any]]
) -> list[list[object]]:
    draws = {title: outcomes.draws("5x2cv-t") for title, outcomes in read.items()}
    rows: list[list[object]] = []
    for place, dataset in enumerate(read["NB vs C4.5"].datasets):
        row = by_name.get(_PRINTED_NAMES.get(dataset, dataset))
        if row is not None:
            about = [row["instances"], row["attributes"], row["classes"]]
            said = [_draws_beside(row["draws"][title], draws[title][place]) for title in PAIRS]
            rows.append([dataset, *about, *said])
    return rows


def _sorted_draws(read: Mapping[str, Outcomes], datasets: Sequence[str]) -> list[list[str]]:
    """Return, for each dataset and test, the draws of the first ten reruns for the three pairs."""
    first = {name: [read[title].draws(name)[:, 0] for title in PAIRS] for name in _SORTED.values()}
    return [
        [dataset, *(" / ".join(f"{pair[k]:.0f}" for pair in pairs) for pairs in first.values())]
        for k, dataset in enumerate(datasets)
    ]
