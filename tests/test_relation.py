"""How the two are related: `close` is never above `any`, and whoever does not know lies between."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.presentation.words.scales import hundred
from replicast.replication.priors import RELATIONS
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.replication.reported import read_reported

COUNTS = st.integers(0, 120)
STATISTICS = st.floats(0, 12)
REPORTS = st.one_of(
    st.builds(lambda t, k, r: {"t": t, "folds": k, "runs": r}, STATISTICS, st.integers(2, 20),
              st.sampled_from((1, 3, 10))),
    st.builds(lambda t, n: {"t": t, "datasets": n}, STATISTICS, st.integers(2, 80)),
    st.builds(lambda p, n: {"pvalue": max(p, 2.0 ** (1 - n)), "datasets": n},
              st.floats(1e-9, 0.999), st.integers(6, 80)),
    st.builds(lambda w, n: {"wins": w % (n + 1), "datasets": n}, COUNTS, st.integers(2, 80)),
    st.builds(lambda a, b, n: {"first_only": a, "second_only": b, "cases": a + b + n},
              COUNTS, COUNTS, st.integers(1, 3000)),
)  # fmt: skip


def _each(report: dict[str, float], **options: float) -> dict[str, Replication]:
    first = read_reported(report)
    return {
        relation: report_replication(first, relation=relation, **options)  # type: ignore[arg-type]  # words of a list
        for relation in RELATIONS
    }


@settings(max_examples=150, deadline=None)
@given(REPORTS, st.sampled_from((0.05, 0.01)))
def test_close_is_never_above_any_and_unknown_lies_between(
    report: dict[str, float], significance: float
) -> None:
    found = _each(report, significance=significance)
    close, unknown, wide = (found[name].probability for name in ("close", "unknown", "any"))
    assert close <= unknown + 1e-7
    assert unknown <= wide + 1e-7
    assert found["unknown"].by_relation.close == pytest.approx(close, abs=1e-12)
    assert found["unknown"].by_relation.any == pytest.approx(wide, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(REPORTS)
def test_only_the_calibrated_chance_depends_on_the_relation(report: dict[str, float]) -> None:
    found = _each(report)
    for name in ("sceptic", "flat", "as_published", "as_published_interval", "by_relation"):
        assert len({str(getattr(each, name)) for each in found.values()}) == 1
    for relation, each in found.items():
        assert each.relation == relation
        assert each.probability == each.calibrated
        assert sum(each.prior.weights) == pytest.approx(1)
        assert len(each.prior.weights) == len(each.prior.components)


def test_with_cases_too() -> None:
    rng = np.random.default_rng(1)
    for gain in (0.0, 0.02, 0.1):
        right = rng.random((2, 300)) < np.array([[0.7 + gain], [0.7]])
        cases = right[0].astype(float) - right[1]
        folds = cases.reshape(10, 30).mean(axis=1).round(12)
        pair = rc.PairedScores(
            first=folds, second=np.zeros(10), design=rc.KFold(10), case_differences=cases[None]
        )
        found = [rc.replicate(pair, relation=r) for r in ("close", "unknown", "any")]
        chances = [each.probability for each in found]
        assert chances == sorted(chances)
        assert {each.prior.unit for each in found} == {"signal"}
        compared = rc.compare(pair, relation="close").replication
        assert compared is not None
        assert compared.probability == chances[0]


def test_the_record_holds_both_ends() -> None:
    record = rc.replicate(discordant=(40, 20), cases=500, relation="any").to_dict()
    assert record["relation"] == "any"
    assert record["by_relation"]["close"] < record["probability"] == record["by_relation"]["any"]
    assert {"sceptic", "flat", "as_published", "calibrated"} <= set(record)
    assert record["prior"]["unit"] == "signal"
    json.dumps(record)


def test_close_rivals_need_more() -> None:
    needed, pvalues = [], []
    for relation in ("any", "unknown", "close"):
        found = rc.replicate(z=2.4, datasets=20, relation=relation)  # type: ignore[arg-type]  # words of a list
        needed.append(rc.plan(found, probability=0.7).needed)
        assert rc.plan(found, probability=0.7).relation == relation
        pvalues.append(rc.required_pvalue(0.8, design=rc.Datasets(20), relation=relation))  # type: ignore[arg-type]  # words of a list
    assert needed == sorted(needed)  # type: ignore[type-var]  # all are reached
    assert pvalues == sorted(pvalues, reverse=True)
    said = rc.plan(rc.replicate(z=2.4, datasets=20), relation="close", probability=0.7)
    assert said.needed == needed[-1]


def test_curves_follow_the_relation() -> None:
    close, wide = (
        rc.replication_curve(rc.replicate(t=2.9, folds=10, relation=relation))
        for relation in ("close", "any")
    )
    assert (np.array(close.calibrated) < np.array(wide.calibrated)).all()
    assert close.as_published == wide.as_published
    assert close.relation == "close"


def test_a_relation_nobody_knows_is_refused() -> None:
    for call in (
        lambda: rc.replicate(t=2.9, folds=10, relation="rivals"),  # type: ignore[arg-type]  # refused
        lambda: rc.plan(rc.replicate(t=2.9, folds=10), relation="rivals"),  # type: ignore[arg-type]  # refused
        lambda: rc.required_pvalue(0.8, design=rc.KFold(10), relation="rivals"),  # type: ignore[arg-type]  # refused
    ):
        with pytest.raises(rc.InvalidArgumentError, match="`relation` must be one of"):
            call()


# --------------------------------------------------------------------------- words
def test_both_ends_stand_beside_the_number() -> None:
    found = rc.replicate(z=2.437, datasets=20)
    close, wide = (hundred(p) for p in (found.by_relation.close, found.by_relation.any))
    assert f"{close} if close rivals, {wide} if any two" in str(found)


def test_the_command_line_takes_a_relation() -> None:
    asked = ["replicate", "--z", "2.437", "--datasets", "20"]
    shown = CliRunner().invoke(app, asked).output
    assert "if close rivals, " in shown
    assert "Berrar 2024: " in shown
    for relation in RELATIONS:
        printed = CliRunner().invoke(app, [*asked, "--relation", relation, "--json"]).output
        expected = rc.replicate(z=2.437, datasets=20, relation=relation)  # type: ignore[arg-type]  # words of a list
        assert json.loads(printed)["probability"] == expected.probability
    refused = CliRunner().invoke(app, [*asked, "--relation", "rivals"])
    assert refused.exit_code != 0


def test_neighbours_in_the_ranking_are_close_rivals() -> None:
    rng = np.random.default_rng(2)
    base = rng.uniform(0.6, 0.9, size=20)
    scores = np.stack([base + lead + rng.normal(0, 0.02, 20) for lead in (0.03, 0.02, 0.01, 0.0)])
    table = rc.ScoreTable(
        classifiers=("a", "b", "c", "d"), datasets=tuple(map(str, range(20))),
        scores=scores[:, :, None, None], design=rc.Datasets(),
    )  # fmt: skip
    found = rc.rank(table)
    for cell in found.pairs:
        apart = found.classifiers.index(cell.second) - found.classifiers.index(cell.first)
        assert cell.relation == ("close" if apart == 1 else "unknown")
        alone = rc.compare(table.pair(cell.first, cell.second), relation=cell.relation).replication
        assert alone is not None
        assert cell.replication == pytest.approx(alone.probability)
    assert {cell.relation for cell in rc.rank(table, relation="any").pairs} == {"any"}
