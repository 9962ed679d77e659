"""A paper's t over folds: of the corrected t-test, of the ordinary one, or nobody knows."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import Design
from replicast.presentation.telling import tell
from replicast.presentation.words.scales import hundred

DESIGNS = [
    rc.KFold(10),
    rc.RepeatedKFold(runs=10, folds=10),
    rc.RandomSplits(splits=30, n_train=90, n_test=10),
]

ROUGH = "only a statistic is known, so the chance is rough"


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_an_ordinary_t_becomes_the_corrected_one_of_the_same_scores(design: Design) -> None:
    """SciPy's paired t of real scores, read as ordinary, is the package's own corrected test."""
    rng = np.random.default_rng(5)
    second = rng.normal(0.8, 0.03, design.n_scores)
    first = second + rng.normal(0.02, 0.03, design.n_scores)
    plain = stats.ttest_rel(first, second)
    corrected = rc.corrected_ttest(rc.PairedScores(first=first, second=second, design=design))
    known = rc.replicate(t=corrected.statistic, design=design, test="corrected")
    by_t = rc.replicate(t=plain.statistic, design=design, test="ordinary")
    by_p = rc.replicate(pvalue=plain.pvalue, design=design, test="ordinary")
    for found in (by_t, by_p):
        assert found.first_pvalue == pytest.approx(corrected.pvalue, rel=1e-9)
        assert found.probability == pytest.approx(known.probability, rel=1e-9)
        assert found.interval == pytest.approx(known.interval, rel=1e-6)
        assert [caution.code for caution in found.cautions] == ["ordinary-t"]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_if_nobody_says_both_are_shown(design: Design) -> None:
    unknown = rc.replicate(t=2.9, design=design)
    corrected = rc.replicate(t=2.9, design=design, test="corrected")
    ordinary = rc.replicate(t=2.9, design=design, test="ordinary")
    assert (corrected.by_test, ordinary.by_test) == (None, None)
    assert unknown.probability == unknown.by_test.corrected == corrected.probability
    assert unknown.by_test.ordinary == pytest.approx(ordinary.probability)
    assert unknown.by_test.ordinary_pvalue == ordinary.first_pvalue
    assert ordinary.probability < corrected.probability
    assert (unknown.test, corrected.test, ordinary.test) == ("unknown", "corrected", "ordinary")


def test_the_sentence_has_both_chances() -> None:
    told = tell(rc.replicate(t=2.9, folds=10))
    assert told.headline == "46 or 25 of 100 repeats would be significant"
    assert [(row.label, row.remark) for row in told.lines[:2]] == [
        ("46", "p = 0.018"), ("25", "p = 0.077 once corrected"),
    ]  # fmt: skip
    known = tell(rc.replicate(t=2.9, folds=10, test="corrected"))
    assert [one.brief for one in known.cautions] == [ROUGH]
    assert known.headline == "46 of 100 repeats would be significant again"


def test_datasets_have_nothing_to_correct() -> None:
    for test in ("unknown", "ordinary"):
        found = rc.replicate(t=2.9, datasets=20, test=test)
        assert (found.test, found.by_test, found.cautions) == (None, None, ())
    with pytest.raises(rc.InvalidArgumentError, match="`test` must be ordinary or unknown"):
        rc.replicate(t=2.9, datasets=20, test="corrected")
    with pytest.raises(rc.InvalidArgumentError, match="`test` must be one of"):
        rc.replicate(t=2.9, folds=10, test="plain")


@pytest.mark.parametrize("command", ["replicate", "plan"])
def test_the_command_asks(command: str) -> None:
    def run(*words: str) -> dict[str, object]:
        done = CliRunner().invoke(app, [command, "--t", "4.9", "--folds", "10", *words, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    unknown, corrected, ordinary = run(), run("--test", "corrected"), run("--test", "ordinary")
    assert [c["code"] for c in unknown["cautions"]][:1] == ["which-t"]
    assert "which-t" not in [c["code"] for c in corrected["cautions"]]
    chance = "probability" if command == "replicate" else "now"
    assert unknown[chance] == corrected[chance] > ordinary[chance]


def test_judge_takes_the_word_too() -> None:
    words = ["judge", "--original", "t=2.9,folds=10,test=ordinary", "--replication",
             "t=3.1,folds=10,test=corrected", "--json"]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["original"]["pvalue"] == pytest.approx(0.0771, abs=1e-4)


# --------------------------------------------------------------------------- other doubts
def test_direction_is_conditional_and_hidden_below_six_datasets() -> None:
    for datasets in (2, 5, 6, 20):
        found = rc.replicate(t=1.5, datasets=datasets)
        rows = {row.label: row.remark for row in tell(found).rows}
        assert ("direction" in rows) == (datasets >= 6)
        assert rows.get("direction", "by the same prior").endswith("by the same prior")


def test_what_cannot_be_significant_did_not_happen_and_cannot() -> None:
    told = tell(rc.replicate(wins=4, datasets=4))
    assert told.headline == "No repeat of this size can be significant"
    so = {row.label: row.value for row in told.lines}["so"]
    assert so == "4 datasets can never be significant at 0.05, whatever the scores."
    assert told.cautions == ()
    assert told.rows == ()


def test_how_rough_a_chance_from_scores_is_said_as_it_was_measured() -> None:
    """The sentence of a paper's number against the table of the calibration page."""
    page = (Path(__file__).parents[1] / "docs" / "calibration.md").read_text(encoding="utf-8")
    cells = [
        [float(cell) for cell in line.split("|")[7:9]]
        for line in page.split("## ")[1].splitlines()
        if line.startswith(
            ("| 10-fold, scores alone", "| 5-fold, scores alone", "| 10x10, scores al")
        )
    ]
    near_null, others = np.array(cells).T
    assert len(cells) == 3
    (rough,) = tell(rc.replicate(t=2.9, folds=10, test="corrected")).cautions
    assert "by about 14 points on average" in rough.text
    assert 0.12 <= others.mean() <= 0.16
    assert "by 25 or more where the two hardly differed" in rough.text
    assert (near_null >= 0.25).all()


@pytest.mark.parametrize(("design", "rough"), [(rc.KFold(10), True), (rc.Datasets(20), False)])
def test_only_scores_of_one_dataset_are_rough(design: Design, rough: bool) -> None:
    cautions = tell(rc.replicate(t=2.9, design=design)).cautions
    assert (ROUGH in [one.brief for one in cautions]) == rough


# --------------------------------------------------------------------------- the page
def test_the_page_and_its_interface_ask_too() -> None:
    pytest.importorskip("fastapi", reason="the page is an extra")
    from replicast.web.api import paper
    from replicast.web.forms import PaperQuestion
    from replicast.web.pages.papers import paper_page

    status, html = paper_page("t=2.9&folds=10")
    page = html.decode("utf-8")
    assert status == 200
    assert "Which t-test the paper used" in page
    assert '<option value="unknown" selected>not named' in page
    found = rc.replicate(t=2.9, folds=10)
    assert found.by_test is not None
    both = (hundred(p) for p in (found.by_test.corrected, found.by_test.ordinary))
    assert f"{' or '.join(both)} of 100 repeats" in page
    known = paper(PaperQuestion(t=2.9, folds=10, test="ordinary"))
    assert known.replication["test"] == "ordinary"
    alone = hundred(found.by_test.ordinary)
    assert known.headline.startswith(f"{alone} of 100 repeats would be significant")
    assert (
        "ordinary paired t-test; corrected for the overlap of training sets p = 0.077"
        in known.quote
    )
    over_datasets = PaperQuestion(t=2.9, datasets=20, test="corrected", setting="datasets")
    assert paper(over_datasets).replication["test"] is None  # left over in the form


def test_a_link_keeps_the_answer() -> None:
    pytest.importorskip("fastapi", reason="the page is an extra")
    from replicast.web.forms import PaperQuestion

    assert PaperQuestion(t=2.9, folds=10).link("/paper") == "/paper?t=2.9&folds=10"
    asked = PaperQuestion(t=2.9, folds=10, test="ordinary")
    assert asked.link("/paper") == "/paper?t=2.9&folds=10&test=ordinary"


def test_the_paper_s_own_p_stands_beside_the_corrected_one() -> None:
    found = rc.replicate(t=5.14, folds=10, test="ordinary")
    rows = {row.label: row for row in tell(found).lines}
    assert found.first_result.reported_pvalue == pytest.approx(2 * stats.t.sf(5.14, 9))
    assert (rows["result"].value, rows["so"].value) == ("p < 0.001", "p = 0.006")
    assert rows["result"].remark.startswith("in the paper")
    given = rc.replicate(pvalue=0.03, design=rc.KFold(10), test="ordinary")
    assert given.first_result.reported_pvalue == pytest.approx(0.03)
    corrected = rc.replicate(t=5.14, folds=10, test="corrected")
    assert "so" not in {row.label for row in tell(corrected).lines}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--t 5.14 --folds 10 --test ordinary",
         "To quote The first against the second: t(9) = 5.14, p < 0.001 (10-fold cross-validation, "
         "ordinary paired t-test; corrected for the overlap of training sets p = 0.006). The "
         "probability that a replication on fresh data is significant by the corrected t-test in the "
         "same direction is 60%"),
        ("--t 2.9 --folds 10 --test ordinary",
         "The probability that a replication on fresh data is significant by the corrected t-test in "
         "the same direction is 25%"),
        ("--wins 29 --of 44 --ties 11",
         "The first against the second: 29 wins, 4 losses and 11 ties on 44 datasets, p < 0.001"),
        ("--pvalue 0.03 --folds 10 --test ordinary", "the second: p = 0.030 (10-fold"),
        ("--discordant 40,20 --cases 500", "the second: 40 against 20 of 500 cases"),
        ("--t 4.2 --folds 10 --test corrected --estimator sceptic",
         "The sceptic probability that a replication on fresh data is significant in the same "
         "direction is 17%."),
        ("--t 2.92 --folds 10 --test corrected --data 4",
         "a replication on fresh data with 4 times the data is significant"),
        ("--t 4.4 --seeds 5 --target seeds:count=10",
         "a replication on fresh data with 10 seeds on one split is significant"),
    ],
)  # fmt: skip
def test_a_sentence_to_quote(options: str, sentence: str) -> None:
    told = CliRunner().invoke(app, ["replicate", *options.split(), "--more"]).stdout
    assert sentence in " ".join(told.split())


def test_a_word_that_names_no_t_test_is_explained() -> None:
    command = ["replicate", "--t", "2.9", "--folds", "10", "--test", "paired"]
    told = CliRunner().invoke(app, command).output
    assert "unknown shows the chance for both" in " ".join(told.split())


@pytest.mark.parametrize(
    "option",
    ["--test ordinary", "--data 4", "--confidence 0.9", "--t 2.9", "--ties 3"],
)
def test_two_means_refuse_what_they_have_no_use_for(option: str) -> None:
    command = f"replicate --means 93.4,92.1 --sds 1.2,1.0 --folds 10 {option}"
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 2
    refused = f"`{option.split()[0]}` must be left out with `--means`"
    if option.startswith("--t "):  # another number, of which there is to be one
        refused = "or `--means`: one of them, got t and means"
    assert refused in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("where", "test"),
    [("--folds 10", "corrected for the overlap"), ("--datasets 20", "paired t-test"),
     ("--seeds 5", "ignores the split")],
)  # fmt: skip
def test_two_means_name_the_test_of_their_p(where: str, test: str) -> None:
    command = f"replicate --means 93.4,92.1 --sds 1.2,1.0 {where} --more"
    told = " ".join(CliRunner().invoke(app, command.split()).stdout.split())
    assert "93.4 ± 1.2 against 92.1 ± 1.0" in told
    assert test in told


def test_means_that_leave_nothing_open_and_a_t_of_nothing() -> None:
    sure = tell(rc.replicate(means=(93.4, 92.1), sds=(1.2, 0.0), folds=10))
    assert re.fullmatch(r"\d+ of 100 repeats would be significant", sure.headline)
    assert "depending" not in sure.quote
    far = rc.replicate(means=(93.4, 82.1), sds=(1.2, 0.3), folds=10)
    assert tell(far).headline == "over 99 of 100 repeats would be significant"
    none = rc.replicate(t=0.0, folds=10)
    assert none.by_test is None
    assert none.cautions == ()


def test_forecast_counts_have_two_digits() -> None:
    found = rc.plan(rc.replicate(z=1.96, datasets=20), probability=0.9)
    needed = found.needed_by_relation.close
    assert needed is not None
    assert needed > 1000
    shown = re.findall(r"about ([\d,]+) datasets", str(found))[0].replace(",", "")
    assert set(shown[2:]) == {"0"}
    assert needed <= int(shown) < 1.1 * needed


def test_a_posterior_names_its_region_in_points() -> None:
    first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    second = [0.92, 0.95, 0.90, 0.96, 0.92, 0.92, 0.95, 0.92, 0.94, 0.95]
    scores = rc.PairedScores(first=first, second=second, design=rc.KFold(10))
    found = rc.compare(scores, method="correlated-posterior", rope=0.01)
    lines = {row.label: row for row in tell(found).lines}
    assert "within 1 point" in lines["scores"].remark
    assert "significant; " in lines["again"].remark
