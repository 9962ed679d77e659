"""Whatever is written in any format comes back as it was, or is asked about; never as another table."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.golden import GOLDEN
from fuzz.targets import FORMATS, TARGETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import replicast as rc
from board_writers import BOARDS
from replicast.reading import catalogue
from writers import ROUND_TRIPS, Truth, Written

quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TRIPS = ROUND_TRIPS | BOARDS
WRITERS = [(name, writer) for name, writers in TRIPS.items() for writer in writers]
REFUSED = ("Optuna trials", "rounds of boosting", "training curves")

# the first of each are read by every format; the others are what people call things
PLAIN = ("svm", "nb", "rf", "boost"), ("iris", "vote", "wine", "glass")
LETTERS = "abcXYZ0189 .,;:-_+*/=&%$#@!?'\"()[]{}<>|\\^~`äéßøłñ中文🙂Ω²–’"
NAMES = (
    "C4.5", "1-NN", "k-NN (k=5)", "RF, tuned", 'my "own"', "O'Neil", "50%", "2019", "7", "-1", "0.5",
    "NA", "None", "nan", "accuracy", "time", "fold 1", "run 2", "true",
    "=SUM(A1)", "a|b", "a & b", "süm é", "模型", "x±y", "test", "train", "score", "id",
    "Unnamed: 0", "#1", "// x", "% x", "sep=;", "[x]", "{x}", "<b>x</b>", "*x*", "@relation", "1,5",
    "1 234", "12e3", "ours (lr=1e-3)", "GPT-4o\u00a0mini", "A/B", "C:\\x", "x_std", "x - acc", "AUC~1",
    "Fold01", "Iris", "ROCKET (x)",
)  # fmt: skip
# what a program cannot have in its own names: of folders and files, between commas, of classes
CANNOT = {
    "lm_eval": "/", "helm": "/,:", "aeon": "/", "file_per_model": "/", "tsml": ",(",
    "promptfoo_csv": "[]", "swebench": "/", "swebench_instances": "/", "tau": "/", "livecode": "/",
    "evalplus": "/", "lighteval": "/", "nnunet": "/", "trec": "/", "stable_baselines": "/", "mteb": "/",
}  # fmt: skip


@st.composite
def names(draw: Any, count: int, without: str) -> tuple[str, ...]:
    one = st.one_of(st.sampled_from(NAMES), st.text(LETTERS, min_size=1, max_size=12))
    gone = str.maketrans("", "", without)
    tidy = one.map(lambda text: " ".join(text.translate(gone).split()))
    tidy = tidy.filter(lambda text: text not in ("", ".", ".."))  # no folder can be called so
    return tuple(draw(st.lists(tidy, min_size=count, max_size=count, unique_by=str.casefold)))


WRITINGS: tuple[tuple[Callable[[float], str], int], ...] = (
    (str, 3), (str, 17), (lambda x: f"{x:.3f}", 3), (lambda x: f"{x:.3f}".lstrip("0"), 3),
    (lambda x: f"{x:.3e}", 3),
)  # fmt: skip


@st.composite
def truths(draw: Any, *, odd: bool, without: str = "") -> Truth:
    shape = draw(st.integers(2, 4)), draw(st.integers(2, 4)), draw(st.integers(3, 6))
    cell, digits = draw(st.sampled_from(WRITINGS)) if odd else (str, 3)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scores = rng.uniform(0.1 if odd else 0.3, 0.9, shape).round(digits)
    called = [
        draw(names(n, without)) if odd else plain[:n]
        for n, plain in zip(shape, PLAIN, strict=False)
    ]
    return Truth(called[0], called[1], scores, cell, draw(st.integers(0, 1000)))


def check(written: Written, table: rc.ScoreTable) -> None:
    """Compare by name: files may be in any order, and cases have names."""
    truth = without_said(written.truth, table)
    assert sorted(table.classifiers) == sorted(truth.classifiers)
    assert table.greater_is_better is written.higher
    if written.named:
        assert sorted(table.datasets) == sorted(truth.datasets)
    for i, c in enumerate(truth.classifiers):
        for j, d in enumerate(truth.datasets):
            at = table.datasets.index(d) if written.named else 0
            found = table.scores[table.classifiers.index(c), at].ravel()
            assert sorted(found.tolist()) == sorted(truth.scores[i, j].tolist())
            if not table.case_names:
                assert found.tolist() == truth.scores[i, j].tolist()


def without_said(truth: Truth, table: rc.ScoreTable) -> Truth:
    """Leave out columns and rows of which the account says that they are not used: time, x_std."""

    def kept(names: tuple[str, ...], found: tuple[str, ...], *said: str) -> list[int]:
        told = " ".join(line for line in table.account if line.startswith(said))
        return [i for i, name in enumerate(names) if name in found or name not in told]

    columns = kept(truth.classifiers, table.classifiers, "Not used, since", "Spreads were kept")
    rows = kept(truth.datasets, table.datasets, "Left out rows that are no scores")
    names = tuple(truth.classifiers[i] for i in columns)
    if any(line.startswith("Models are called by their files") for line in table.account):
        # lr_cv.csv and nb_cv.csv are lr and nb: what all share is left off, and the names are said
        assert all(short in name for short, name in zip(table.classifiers, names, strict=True))
        names = table.classifiers
    return dataclasses.replace(
        truth,
        classifiers=names,
        datasets=tuple(truth.datasets[i] for i in rows),
        scores=truth.scores[np.ix_(columns, rows)],
    )


def read(written: Written) -> rc.ScoreTable:
    return rc.read_scores(written.files, **written.said)


@pytest.mark.parametrize(("form", "writer"), WRITERS, ids=lambda one: getattr(one, "__name__", one))
@quick
@given(truth=truths(odd=False))
def test_plain_names_come_back(form: str, writer: Callable[[Truth], Written], truth: Truth) -> None:
    written = writer(truth)
    check(written, read(written))


@pytest.mark.parametrize(("form", "writer"), WRITERS, ids=lambda one: getattr(one, "__name__", one))
@settings(quick, max_examples=40)
@given(data=st.data())
def test_odd_names_come_back_or_are_asked_about(
    form: str, writer: Callable[[Truth], Written], data: st.DataObject
) -> None:
    without = CANNOT.get(writer.__name__, "")
    written = writer(data.draw(truths(odd=True, without=without)))
    try:
        table = read(written)
    except rc.ReplicastError:
        return
    check(written, table)


def test_every_syntax_of_tables_is_fuzzed() -> None:
    assert {"markdown", "latex", "html", "blanks", "xlsx", "ods", "inspect-eval"} <= set(TARGETS)


@pytest.mark.parametrize("form", catalogue.FORMATS, ids=lambda form: form.name)
def test_every_format_has_a_round_trip_and_a_fuzz_target(form: catalogue.Format) -> None:
    written = (FORMATS / GOLDEN[form.name][0]).read_bytes()
    if form.name in REFUSED:
        with pytest.raises(rc.InvalidArgumentError):
            rc.read_scores({GOLDEN[form.name][0]: written})
    else:
        assert TRIPS[form.name]
    assert any(written in seeds for _, seeds in TARGETS.values())
