"""What CONTRIBUTING says it takes to add a thing: each is added in a copy of the source, and used."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "replicast"


class Addition(NamedTuple):
    """New files, lines that go behind others in old files, and a script that uses what was added."""

    new: dict[str, str]
    behind: dict[str, list[tuple[str, str]]]
    used: str


ADDED = {
    "test": Addition(
        new={},
        behind={
            "inference/student.py": [
                (
                    "TESTS = (PAIRED_TTEST, CORRECTED_TTEST, TRIMMED_TTEST)\n",
                    '''

def cut_ttest(scores, second=None, *, design=None):
    """Test by the trimmed mean, under another name."""
    found = trimmed_ttest(scores, second, design=design)
    return replace(found, method=CUT_TTEST.name)


CUT_TTEST = replace(TRIMMED_TTEST, name="cut-ttest", title="cut t-test", test=cut_ttest)
TESTS = (*TESTS, CUT_TTEST)
''',
                ),
                ("import numpy as np\n", "from dataclasses import replace\n"),
            ],
            "__init__.pyi": [
                (
                    "from replicast.inference.student import paired_ttest as paired_ttest\n",
                    "from replicast.inference.student import cut_ttest as cut_ttest\n",
                )
            ],
        },
        used="""
            first, second = [.9, .8, .7, .6, .9], [.8, .7, .5, .5, .6]
            assert rc.cut_ttest(first, second).pvalue == rc.trimmed_ttest(first, second).pvalue
            found = rc.compare(first, second, design="datasets", method="cut-ttest")
            assert "cut t-test" in found.more()
        """,
    ),
    "design": Addition(
        new={},
        behind={
            "design/kinds.py": [
                (
                    "        return split_layout(self.splits, share, corrected=corrected)\n",
                    '''

@dataclass(frozen=True, repr=False, kw_only=True)
class Bootstraps(RandomSplits):
    """Training on a bootstrap sample, tests on the cases it leaves out."""

    unit = "sample"
    repeated = "samples"
    names = ("bootstraps",)
''',
                )
            ],
            "design/spelling.py": [
                (
                    "DESIGNS: dict[str, Spelling] = {\n",
                    '    "bootstraps": Spelling(Bootstraps, ("splits", "n_train", "n_test")),\n',
                ),
                ("from replicast.design.kinds import (\n", "    Bootstraps,\n"),
            ],
            "inference/traits.py": [
                (
                    'CROSS_VALIDATION: DesignNames = ("kfold", "repeated-kfold", "random-splits")\n',
                    'CROSS_VALIDATION = (*CROSS_VALIDATION, "bootstraps")\n',
                )
            ],
        },
        used="""
            design = "bootstraps:splits=10,n_train=90,n_test=10"
            rng = np.random.default_rng(0)
            second = rng.random(10)
            found = rc.compare(second + rng.random(10) / 5, second, design=design)
            assert found.evidence.method == "corrected-ttest"
            assert rc.plan(found.evidence).design == found.evidence.design
            assert rc.replicate(t=2.9, design=design).probability > 0
            assert rc.gate(found.scores, margin=0.02).outcome == "pass"
            found.report("page.html")
        """,
    ),
    "format": Addition(
        new={
            "reading/formats/two_columns.py": '''"""A log: the name of a run, and its accuracy."""

from collections.abc import Sequence
from dataclasses import replace

from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, rows_of
from replicast.scores.tables import ScoreTable


def read_two_columns(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a log of two columns."""
    [document] = documents
    sheet = document.sheet
    frame = sheet.frame
    told = frame["run_name"].str.extract(r"(?P<model>\\w+)-(?P<fold>\\d+)")
    long = replace(sheet, frame=frame.assign(model=told["model"], fold=told["fold"]))
    rows = rows_of(long, Columns(classifier="model", score="final_accuracy", fold="fold"))
    return tabulate(rows, Manner(kind="a log of two columns", metric="accuracy"), request)
'''
        },
        behind={
            "reading/catalogue.py": [
                (
                    "FORMATS = (\n",
                    '    Format("log of two columns", "logs.md", read_two_columns,\n'
                    '           columns=("run_name", "final_accuracy")),\n',
                ),
                (
                    "from replicast.reading.documents import Document\n",
                    "from replicast.reading.formats.two_columns import read_two_columns\n",
                ),
            ]
        },
        used="""
            lines = [f"{name}-{fold},{score + fold / 100}" for name, score in (("svm", .9), ("nb", .8))
                     for fold in range(5)]
            text = "\\n".join(["run_name,final_accuracy", *lines])
            table = rc.read_scores({"log.csv": text.encode()})
            assert table.classifiers == ("svm", "nb")
            assert str(table.design) == "KFold(folds=5)"
        """,
    ),
    "verb": Addition(
        new={
            "cli/effect.py": '''"""replicast effect: how large a difference is."""

from pathlib import Path

from replicast.cli.terminal import app, note


@app.command()
def effect(file: Path) -> None:
    """Say how large the difference of two classifiers is.

    Examples
    --------
      replicast effect scores.csv
    """
    from replicast.effects import cliffs_delta
    from replicast.reading.door import read_scores

    table = read_scores(file)
    note(str(cliffs_delta(table.pair(*table.classifiers[:2]))))
'''
        },
        behind={
            "cli/__init__.py": [
                (
                    "from replicast.cli import (  # noqa: F401  # each adds its commands\n",
                    "    effect,\n",
                )
            ]
        },
        used="""
            Path("scores.csv").write_text("dataset,a,b\\nx,.9,.8\\ny,.8,.7\\nz,.7,.65\\n")
            done = subprocess.run([sys.executable, "-m", "replicast", "effect", "scores.csv"],
                                  capture_output=True, text=True)
            assert "delta" in done.stdout + done.stderr, done
            told = subprocess.run([sys.executable, "-m", "replicast", "--help"],
                                  capture_output=True, text=True)
            assert "Say how large the difference" in told.stdout
        """,
    ),
    "output": Addition(
        new={
            "presentation/renderers/restructured.py": '''"""A document as reStructuredText."""

from replicast.presentation.document import Document


def restructured(document: Document) -> str:
    """Return the headline and the lines."""
    rows = [f":{row.label}: {row.value}" for row in document.lines]
    return "\\n".join([document.headline, "=" * len(document.headline), "", *rows, ""])
'''
        },
        behind={
            "presentation/telling.py": [
                (
                    "RENDERERS: Mapping[str, str] = {\n",
                    '    ".rst": "restructured.restructured",\n',
                ),
            ]
        },
        used="""
            for result in (rc.replicate(t=2.9, folds=10), rc.plan(rc.replicate(t=2.9, folds=10))):
                result.report("page.rst")
                assert Path("page.rst").read_text().startswith(str(result).splitlines()[0])
        """,
    ),
    "measure": Addition(
        new={},
        behind={
            "comparison/measure_rows.py": [
                (
                    '            _row("accuracy", "classes", _accuracy),\n',
                    '            _row("squared-log-error", "numbers", _error,\n'
                    "                 lambda a, b: (np.log1p(a) - np.log1p(b)) ** 2, less=True),\n",
                )
            ]
        },
        used="""
            rng = np.random.default_rng(0)
            truth = rng.random(40)
            found = rc.compare_measure("squared-log-error", truth, truth + .01, truth + rng.random(40))
            assert found.estimate > 0 and found.pvalue < 0.05
            assert rc.plan(found) and rc.replicate(found).probability > 0.5
            found.report("page.html")
        """,
    ),
}
# in src, as CONTRIBUTING says; a test, a design and a format have words and golden files beside it
FILES = {"test": 2, "design": 3, "format": 2, "verb": 2, "output": 2, "measure": 1}


@pytest.mark.parametrize("what", ADDED)
def test_a_thing_is_added_where_contributing_says(what: str, tmp_path: Path) -> None:
    copy = tmp_path / "src" / "replicast"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc"))
    added = ADDED[what]
    for name, text in added.new.items():
        (copy / name).write_text(text, encoding="utf-8")
    for name, insertions in added.behind.items():
        text = (copy / name).read_text(encoding="utf-8")
        for anchor, insertion in insertions:
            assert text.count(anchor) == 1, (name, anchor)
            text = text.replace(anchor, anchor + insertion)
        (copy / name).write_text(text, encoding="utf-8")
    lines = ["import subprocess, sys", "from pathlib import Path", "import numpy as np"]
    lines += ["import replicast as rc", f"assert rc.__file__.startswith({str(tmp_path)!r})"]
    script = "\n".join([*lines, *(line[12:] for line in added.used.splitlines())])
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert len({*added.new, *added.behind}) == FILES[what]


def test_contributing_names_every_file() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for what, added in ADDED.items():
        start = text.index(f"## How to add a{'n' * (what == 'output')} {what}")
        section = text[start : text.find("\n## ", start + 1)]
        for name in added.behind:
            assert name in section, (what, name)
