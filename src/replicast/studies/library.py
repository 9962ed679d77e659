"""The studies that come with the package."""

from replicast import datasets
from replicast.errors import invalid, nearest
from replicast.studies.plan import Level, Study

_OVER_DATASETS = "datasets-of-growing-size"
_NETWORK: dict[str, Level] = {
    "pair": "c45 against naive-bayes", "rows": 300, "repetitions": 10, "runs": 10,
    "splits": 100, "class_probability": 0.5,
}  # fmt: skip
_LARGER_SETS = (  # those with at least 300 rows
    "anneal", "arrhythmia", "balance-scale", "breast-w", "credit-a", "credit-g", "diabetes", "ecoli",
    "horse-colic", "ionosphere", "primary-tumor", "soybean", "vehicle", "vote", "vowel",
)  # fmt: skip

STUDIES = {
    study.name: study
    for study in (
        Study(
            name="berrar-1",
            title="Naive Bayes against SVM over 20 datasets (Berrar 2024, study 1)",
            scenario=_OVER_DATASETS,
            factors={"a": tuple(range(290, 1291, 50))},
            constants={"datasets": 20, "bootstrapped": 1, "resamples": 300},
            block=25,
        ),
        Study(
            name="berrar-2",
            title="Naive Bayes against SVM over 44 datasets (Berrar 2024, study 2)",
            scenario=_OVER_DATASETS,
            factors={"a": (70, 100, 140, 190, 200, 240, 260, 360, 460, 560)},
            constants={"datasets": 44, "bootstrapped": 1, "resamples": 300},
            block=25,
        ),
        Study(
            name="berrar-3",
            title="SVM against SVM with an oracle, 10-fold (Berrar 2024, study 3)",
            scenario="oracle",
            factors={"q": tuple(range(1, 21))},
            constants={"rows": 1000, "features": 20},
            block=50,
        ),
        Study(
            name="berrar-3-shared",
            title="The same, all q on the same folds",
            scenario="oracle-shared",
            constants={"rows": 1000, "features": 20},
            block=50,
        ),
        Study(
            name="berrar-4",
            title="SVM against a forest of 10 trees, 10-fold (Berrar 2024, study 4, as inferred)",
            scenario="svm-against-forest",
            factors={"features": tuple(range(4, 31))},
            constants={"rows": 1000, "trees": 10},
            block=50,
        ),
        Study(
            name="berrar-4-as-described",
            title="SVM against a forest of 500 trees, 10-fold (Berrar 2024, study 4, as described)",
            scenario="svm-against-forest",
            factors={"features": tuple(range(4, 31))},
            constants={"rows": 1000, "trees": 500},
            block=10,
        ),
        Study(
            name="bouckaert-simulation",
            title="Type I error, power and replicability on four Bayesian networks (Bouckaert 2004)",
            scenario="bayesian-network",
            factors={"source": (1, 2, 3, 4)},
            constants=_NETWORK,
            block=20,
        ),
        Study(
            name="bouckaert-variations",
            title="The same for other learners and class probabilities",
            scenario="bayesian-network",
            factors={
                "source": (1, 4),
                "class_probability": (0.1, 0.2, 0.3, 0.4, 0.5),
                "pair": (
                    "c45 against naive-bayes",
                    "c45 against nearest",
                    "naive-bayes against nearest",
                ),
            },
            constants={k: v for k, v in _NETWORK.items() if k not in ("class_probability", "pair")},
            block=20,
        ),
        Study(
            name="bouckaert-runs",
            title="The same with 100 runs of cross-validation",
            scenario="bayesian-network",
            factors={"source": (1, 4)},
            constants={**_NETWORK, "runs": 100, "splits": 10},
            block=10,
        ),
        Study(
            name="uci-replicability",
            title="Replicability of tests on UCI datasets (Bouckaert and Frank 2004)",
            scenario="uci-replicability",
            factors={"dataset": datasets.names()},
            constants={"runs": 10, "splits": 100},
            replicates=10,
            block=5,
        ),
        Study(
            name="special-cases",
            title="Where p-value, effect size and power disagree (Neumann et al. 2021)",
            scenario="special-cases",
            factors={"dataset": _LARGER_SETS, "folds": (10, 20, 30)},
            replicates=1,
            block=1,
        ),
    )
}


def find_study(name: str) -> Study:
    """Return a study by its name."""
    if name in STUDIES:
        return STUDIES[name]
    names = tuple(STUDIES)
    raise invalid(
        "study", f"one of {', '.join(names)}, or a .toml file", repr(name), nearest(name, names)
    )
