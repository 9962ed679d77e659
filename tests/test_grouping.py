"""Columns that cases share: patients are clusters, sites are asked about, others are named."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import Cases, Holdout
from replicast.errors import InvalidContentError
from replicast.formatting import format_pvalue
from replicast.web.forms import ScoresQuestion
from replicast.web.jobs import _read

WHOLES = ["patient", "patient_id", "PatientID", "subject", "subject_id", "speaker", "Speaker ID",
          "document", "document_id", "doc"]  # fmt: skip
KINDS = ["group", "site", "site_id", "study", "category", "topic", "Category"]


def drawn(groups: int = 12, *, binary: bool = False, each: int = 5, seed: int = 0) -> pd.DataFrame:
    """Return cases in groups that differ in which model they favour: a row for each case."""
    rng = np.random.default_rng(seed)
    inside = np.repeat(np.arange(groups), each)
    leaning = rng.normal(0.1, 0.3, groups)[inside]
    old = rng.normal(0.5, 0.2, len(inside))
    frame = pd.DataFrame({
        "image": [f"im{at:03}" for at in range(len(inside))],
        "whole": [f"g{at:02}" for at in inside],
        "new": (old + leaning + rng.normal(0, 0.1, len(inside))).round(4),
        "old": old.round(4),
    })  # fmt: skip
    if binary:
        frame[["new", "old"]] = (frame[["new", "old"]] > 0.5).astype(int)
    return frame


def laid_out(frame: pd.DataFrame, layout: str, name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the same cases as a long table, a wide one, or predictions, with what must be said."""
    frame = frame.rename(columns={"whole": name})
    if layout == "long":
        measure = "correct" if set(frame.new) <= {0, 1} else "dice"
        return frame.melt(["image", name], var_name="model", value_name=measure), {}
    if layout == "wide":
        return frame, {"greater_is_better": True, "design": "cases"}
    truth = np.arange(len(frame)) % 3 % 2  # a score is 1 where the prediction is right
    said = {f"pred_{model}": np.where(frame[model], truth, 1 - truth) for model in ("new", "old")}
    return frame.drop(columns=["new", "old"]).assign(y_true=truth, **said), {}


def expected(frame: pd.DataFrame, clusters: pd.Series | None = None) -> float:
    """Return the p-value of the cases by themselves, or in clusters."""
    if clusters is None and set(frame.new) | set(frame.old) <= {0, 1}:
        return rc.compare(frame.new, frame.old, design=rc.Holdout()).evidence.pvalue
    told = None if clusters is None else clusters.tolist()
    pair = rc.PairedCases(first=frame.new, second=frame.old, clusters=told)
    return rc.compare(pair).evidence.pvalue


def pvalue(table: rc.ScoreTable) -> float:
    return rc.compare(table.pair("new", "old")).evidence.pvalue


@pytest.mark.parametrize("name", WHOLES)
@pytest.mark.parametrize("layout", ["long", "wide", "predictions"])
def test_cases_of_one_patient_are_related(name: str, layout: str) -> None:
    frame = drawn(binary=layout == "predictions")
    written, said = laid_out(frame, layout, name)
    found = rc.read_scores(written, **said)
    assert found.design == Cases(60, clusters=12)
    assert pvalue(found) == pytest.approx(expected(frame, frame.whole), rel=1e-12)
    told = f"Cases of one {name} are taken as related; say `cluster_column=none` if they are not."
    assert told in found.account
    assert not any("not used" in line and name in line for line in found.account)
    alone = rc.read_scores(written, cluster_column="none", **said)
    assert alone.design == (Holdout(60) if layout == "predictions" else Cases(60))
    assert pvalue(alone) == pytest.approx(expected(frame), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "groups"), [*((one, 12) for one in KINDS), *((one, 9) for one in WHOLES)]
)
@pytest.mark.parametrize("layout", ["long", "wide", "predictions"])
def test_few_groups_and_kinds_of_cases_are_one_question(
    name: str, groups: int, layout: str
) -> None:
    frame = drawn(groups, binary=layout == "predictions")
    written, said = laid_out(frame, layout, name)
    with pytest.raises(InvalidContentError) as asked:
        rc.read_scores(written, **said)
    sentence = str(asked.value)
    assert f"got {len(frame)} cases that share {name} ({groups} groups)" in sentence
    related, alone = (format_pvalue(expected(frame, one)) for one in (frame.whole, None))
    assert f"`cluster_column={name!r}` if cases of one {name} are related ({related})" in sentence
    assert f"`cluster_column='none'` for neither ({alone})" in sentence
    first = format_pvalue(expected(frame[frame.whole == "g00"]))
    assert f"`where={ ({name: 'g00'})!r}` ({first})" in sentence
    for answer, truth in ((name, related), ("none", alone)):
        table = rc.read_scores(written, cluster_column=answer, **said)
        assert format_pvalue(pvalue(table)) == truth
    one = rc.read_scores(written, where={name: "g00"}, **said)
    assert format_pvalue(pvalue(one)) == first


def test_the_question_knows_answers_and_several_models() -> None:
    frame = drawn(4)
    long, _ = laid_out(frame, "long", "site")
    several = pd.concat([long.assign(answer=at, dice=long.dice + at * (long.model == "new") / 50)
                         for at in (1, 2)])  # fmt: skip
    with pytest.raises(InvalidContentError) as asked:
        rc.read_scores(several)
    for answer in ("site", "none"):
        p = format_pvalue(pvalue(rc.read_scores(several, cluster_column=answer)))
        assert re.search(rf"cluster_column='{answer}'`[^;]*\({re.escape(p)}\)", str(asked.value))
    three = pd.concat(
        [long, long[long.model == "old"].assign(model="low", dice=lambda one: one.dice / 2)]
    )
    with pytest.raises(
        InvalidContentError, match=r"P-values are those of new against old\.$"
    ) as asked:
        rc.read_scores(three)
    assert format_pvalue(expected(frame)) in str(asked.value)
    with pytest.raises(InvalidContentError, match=r"P-values are those of low against old\.$"):
        rc.read_scores(three, classifiers=["low", "old"])


def test_other_columns_that_cases_share_are_named() -> None:
    frame, _ = laid_out(drawn(), "long", "hospital")
    frame["text"] = frame.image + " seen"
    frame["said"] = frame.model + frame.hospital  # the same for no two scores of a case
    frame["constant"] = "x"
    found = rc.read_scores(frame)
    told = ("Cases share hospital, which is not used: if those of one hang together, say "
            "`cluster_column=hospital`.")  # fmt: skip
    assert told in found.account
    assert "Scores are those in dice; not used: text, said." in found.account
    assert found.design == Cases(60)
    assert rc.read_scores(frame, cluster_column="hospital").design == Cases(60, clusters=12)
    both = frame.assign(language=np.where(frame.hospital < "g06", "de", "en"))
    assert any("share hospital, language, which are not" in line
               for line in rc.read_scores(both).account)  # fmt: skip
    patients = both.rename(columns={"hospital": "patient"})  # which answers the question of others
    account = rc.read_scores(patients.assign(site=both.language)).account
    assert any("Cases of one patient are taken as related" in line for line in account)
    assert any("Cases share language, site, which are not used" in line for line in account)


def test_wholes_within_wholes_and_across() -> None:
    frame, _ = laid_out(drawn(30, each=4), "long", "document")
    nested = frame.assign(speaker=frame.document.str[1:].astype(int) // 2)
    found = rc.read_scores(nested)
    assert found.design == Cases(120, clusters=15)
    assert any("Cases of one speaker are taken as related" in line for line in found.account)
    crossed = frame.assign(speaker="s" + (frame.image.str[2:].astype(int) % 13).astype(str))
    with pytest.raises(
        InvalidContentError, match=r"document \(30 groups\) and speaker \(13 groups\)"
    ):
        rc.read_scores(crossed)


@pytest.mark.parametrize("column", ["image", "slice", "scan_id"])
def test_cases_that_are_counted_within_patients(column: str) -> None:
    frame = drawn()
    counted = frame.assign(image=np.tile(range(5), 12))
    written, _ = laid_out(counted, "long", "patient")
    found = rc.read_scores(written.rename(columns={"image": column}))
    assert found.design == Cases(60, clusters=12)
    assert found.case_names[:2] == ("g00 0", "g00 1")
    assert pvalue(found) == pytest.approx(expected(frame, frame.whole), rel=1e-12)


def test_patients_with_one_case_each_are_the_cases() -> None:
    frame = drawn(12, each=1)
    long, _ = laid_out(frame, "long", "patient")
    for table in (long, long.drop(columns="image")):
        found = rc.read_scores(table)
        assert found.design == Cases(12)
        assert not any("patient" in line for line in found.account if "related" in line)


def test_groups_matter_on_one_test_set_alone() -> None:
    frame, _ = laid_out(drawn(4), "long", "site")
    tasks = pd.concat([frame.assign(task=task) for task in ("law", "maths")])
    told = rc.read_scores(tasks, design="datasets")
    assert told.design.over_datasets  # a score for each, whatever cases share
    with pytest.raises(InvalidContentError):
        rc.read_scores(tasks, dataset="law")
    gaps = frame.copy()
    gaps.loc[gaps.image == "im003", "site"] = None  # a case of no site is a group of its own
    with pytest.raises(InvalidContentError, match=r"site \(5 groups\)"):
        rc.read_scores(gaps)
    patients, _ = laid_out(drawn(), "long", "patient")
    patients.loc[patients.image == "im003", "patient"] = None
    with pytest.raises(
        rc.InvalidArgumentError, match="the patient of every case, got an empty cell"
    ):
        rc.read_scores(patients)
    remarks = patients.rename(columns={"patient": "hospital"})
    assert rc.read_scores(remarks).design == Cases(60)  # what is not used may have gaps


def test_every_command_says_so(tmp_path: Path) -> None:
    path = tmp_path / "scans.csv"
    laid_out(drawn(), "long", "patient_id")[0].to_csv(path, index=False)
    gate = ["gate", "--candidate", "new", "--baseline", "old", "--margin", "1"]
    for words in (["compare"], ["rank"], ["plan"], gate):
        done = CliRunner().invoke(app, [words[0], str(path), *words[1:]], env={"COLUMNS": "300"})
        said = " ".join(done.output.split())
        assert "60 cases in 12 clusters" in said, said
        assert re.search(r"in 12 clusters; \d notes? on reading|taken as related", said), said
        every = [words[0], str(path), *words[1:], "--more"]
        said = " ".join(CliRunner().invoke(app, every, env={"COLUMNS": "300"}).output.split())
        assert "taken as related; say `--columns cluster=none` if they are not." in said
    done = CliRunner().invoke(app, ["stop", str(path), "--bounds", "-2,3"], env={"COLUMNS": "300"})
    assert (
        "watch the mean of every cluster" in done.output
    )  # which a look cannot take as independent
    done = CliRunner().invoke(
        app, ["stop", str(path), "--bounds", "-2,3", "--columns", "cluster=none"]
    )
    assert done.exit_code in (0, 3), done.output


def test_the_page_asks_with_buttons() -> None:
    text = laid_out(drawn(4), "long", "site")[0].to_csv(index=False).encode()
    files = {"scans.csv": text}
    _, asked = _read(files, ScoresQuestion())
    [question] = asked
    assert question.field == "cluster"
    assert list(question.choices) == ["none", "site"]
    assert all("(p " in label for label in question.choices.values())
    for answer, design in (("site", Cases(20, clusters=4)), ("none", Cases(20))):
        table, _ = _read(files, ScoresQuestion(cluster=answer))
        assert table is not None
        assert table.design == design


def test_the_level_is_kept_where_patients_differ() -> None:
    """Two equally good models, 60 patients with two to six images each, which differ by patient."""
    rng = np.random.default_rng(5)
    wrong = {"default": 0, "none": 0}
    for _ in range(150):
        sizes = rng.integers(2, 7, 60)
        patient = np.repeat(np.arange(60), sizes)
        old = rng.normal(0.84, 0.06, len(patient))
        new = old + rng.normal(0, 0.012, 60)[patient] + rng.normal(0, 0.017, len(patient))
        frame = pd.DataFrame(
            {"image": range(len(patient)), "patient_id": patient, "new": new, "old": old}
        )
        long = frame.melt(["image", "patient_id"], var_name="model", value_name="dice")
        for answer in wrong:
            said = {} if answer == "default" else {"cluster_column": answer}
            pair = rc.read_scores(long, **said).pair("new", "old")
            wrong[answer] += rc.case_ttest(pair).pvalue < 0.05
    assert wrong["default"] <= 0.05 * 150 + 2.6 * np.sqrt(0.05 * 0.95 * 150)
    assert wrong["none"] > 0.1 * 150


def test_what_tells_the_rows_of_a_document_apart_is_not_guessed() -> None:
    """Two ways to read an answer are no two cases: rows of a document need a column that names them."""
    frame, _ = laid_out(drawn(12, each=1), "long", "doc_id")
    both = pd.concat([frame.assign(filter=way) for way in ("strict", "flexible")])
    with pytest.raises(rc.InvalidArgumentError, match="one row for each case"):
        rc.read_scores(both.drop(columns="image"))
