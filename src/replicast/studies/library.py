"""The studies that come with the package."""

from replicast.errors import invalid, nearest
from replicast.studies.plan import Study

_OVER_DATASETS = "datasets-of-growing-size"

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
            title="SVM against random forest, 10-fold (Berrar 2024, study 4)",
            scenario="svm-against-forest",
            factors={"features": tuple(range(4, 31))},
            constants={"rows": 1000, "trees": 500},
            block=10,
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
