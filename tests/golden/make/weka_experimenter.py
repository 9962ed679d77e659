"""Write what Weka's Experimenter measured and decided, from the folder of its result files.

Run from the project root:
python tests/golden/make/weka_experimenter.py FOLDER > tests/golden/weka_experimenter.json
"""

import csv
import gzip
import json
import sys
from pathlib import Path

SCHEMES = {"NaiveBayes": "nb", "J48": "j48", "IBk": "ibk"}
MEANS = {  # printed by the Experimenter, in the order of SCHEMES
    "pima_diabetes": [75.75, 74.49, 70.62],
    "iris": [95.53, 94.73, 95.40],
    "Glass": [49.45, 67.63, 69.95],
}
MARKS = {  # against NaiveBayes at 0.05
    "pima_diabetes": {"J48": "no difference", "IBk": "worse"},
    "iris": {"J48": "no difference", "IBk": "no difference"},
    "Glass": {"J48": "better", "IBk": "better"},
}


def rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of an ARFF file by attribute name, in the order of run and fold."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    names = [line.split()[1] for line in lines if line.startswith("@attribute")]
    data = [line for line in lines[lines.index("@data") + 1 :] if line]
    fields = csv.reader(data, quotechar="'", escapechar="\\")
    found = [dict(zip(names, values, strict=True)) for values in fields]
    return sorted(found, key=lambda row: (int(row["Key_Run"]), int(row["Key_Fold"])))


def main() -> None:
    """Write the scores and the marks."""
    folder = Path(sys.argv[1])
    cases = []
    for position, (scheme, stem) in enumerate(SCHEMES.items()):
        found = rows(folder / f"{stem}.arff.gz")
        for dataset, means in MEANS.items():
            mine = [row for row in found if row["Key_Dataset"] == dataset]
            case = {
                "dataset": dataset,
                "scheme": scheme,
                "options": mine[0]["Key_Scheme_options"],
                "runs": 10,
                "folds": 10,
                "percent_correct": [float(row["Percent_correct"]) for row in mine],
                "training": [int(row["Number_of_training_instances"]) for row in mine],
                "testing": [int(row["Number_of_testing_instances"]) for row in mine],
                "mean": means[position],
                "mark": MARKS[dataset].get(scheme, "base"),
            }
            cases.append(case)
    head = {
        "source": "Weka 3.6.14",
        "command": "Experimenter, 10 x 10-fold cross-validation, Percent_correct; "
        "PairedCorrectedTTester at 0.05, base NaiveBayes",
        "script": "make/weka_experimenter.py",
        "rtol": 1e-6,
    }
    lines = ",\n  ".join(json.dumps(case) for case in cases)
    sys.stdout.write(json.dumps(head)[:-1] + ',\n "cases": [\n  ' + lines + "\n ]}\n")


if __name__ == "__main__":
    main()
