"""Seeds: the design, the test, both questions about the next time, and how they are asked."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import format_design, parse_design, require_design
from replicast.kernels import seeds as kernel
from replicast.presentation.telling import tell
from replicast.replication.models import Goal
from replicast.replication.seeds import SeedsModel

OURS, BASE = [0.834, 0.831, 0.838, 0.829, 0.836], [0.826, 0.829, 0.822, 0.825, 0.827]
FAR = [value - 0.05 for value in BASE]


UNKNOWN = SeedsModel(statistic=1.0, df=8.0, design=rc.Seeds(5)).prior("unknown")


def pair(second: list[float] = BASE, **more: object) -> rc.PairedScores:
    design = rc.Seeds(5, **more)  # type: ignore[arg-type]  # whatever a test says
    return rc.PairedScores(first=OURS, second=second, design=design, names=("ours", "base"))


@pytest.mark.parametrize(
    ("design", "written", "said"),
    [
        (rc.Seeds(5), "seeds:count=5", "5 seeds on one split"),
        (rc.Seeds(5, splits=3), "seeds:count=5,splits=3", "5 seeds on each of 3 splits"),
        (rc.Seeds(4, paired=True), "seeds:count=4,paired=yes", "4 paired seeds on one split"),
        (
            rc.Seeds(5, splits=3, test_percent=10),
            "seeds:count=5,splits=3,test_percent=10",
            "5 seeds on each of 3 splits",
        ),
    ],
)
def test_the_design_in_words(design: rc.Seeds, written: str, said: str) -> None:
    assert (format_design(design), design.words) == (written, said)
    assert parse_design(written) == require_design(written) == design


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seeds", "seeds with count, got 'seeds'. Write seeds:count=5"),
        ("seeds:count=1", "`count` must be an integer of at least 2"),
        ("seeds:count=5,paired=maybe", "one of yes, no, got 'maybe'"),
        ("seeds:count=5,folds=2", "seeds with count, splits, paired"),
    ],
)
def test_a_design_that_is_none(text: str, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence):
        parse_design(text)


def test_what_five_seeds_on_one_split_say() -> None:
    found = rc.compare(pair())
    assert found.evidence.method == "seeds-ttest"
    assert (
        found.evidence.pvalue
        > 0.1
        > 0.01
        > 2 * kernel.special.stdtr(7.2, -found.evidence.statistic)
    )
    assert {"one-split"} <= {caution.code for caution in found.cautions}
    again = found.replication
    assert again is not None
    assert again.replicability is not None
    assert json.loads(json.dumps(again.to_dict()))["replicability"] == again.replicability
    assert {row.label: row.remark for row in tell(found).lines}[
        "rerun"
    ] == "new seeds on this split"


def test_order_of_seeds_matters_only_where_they_are_paired() -> None:
    shuffled = rc.PairedScores(first=OURS, second=BASE[::-1], design=rc.Seeds(5))
    assert rc.seeds_ttest(shuffled).pvalue == rc.seeds_ttest(pair()).pvalue
    one, other = (rc.effects.standardized_difference(each).estimate for each in (shuffled, pair()))
    assert one == other
    twins = [rc.PairedScores(first=OURS, second=second, design=rc.Seeds(5, paired=True))
             for second in (BASE, BASE[::-1])]  # fmt: skip
    assert rc.seeds_ttest(twins[0]).pvalue != rc.seeds_ttest(twins[1]).pvalue


def test_losses_and_swaps() -> None:
    loss = rc.PairedScores(first=OURS, second=BASE, design=rc.Seeds(5), greater_is_better=False)
    better, worse = rc.seeds_ttest(pair()), rc.seeds_ttest(loss)
    assert worse.estimate == -better.estimate
    assert worse.statistic == -better.statistic
    assert worse.pvalue == better.pvalue


def test_seeds_that_give_one_score_say_nothing() -> None:
    flat = rc.PairedScores(first=[0.9] * 5, second=[0.8] * 5, design=rc.Seeds(5))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        found = rc.compare(flat)
    assert found.evidence.pvalue == 1
    assert found.replication is None
    assert "seeds-never-vary" in {caution.code for caution in found.cautions}


def test_more_splits_find_what_more_seeds_cannot() -> None:
    at = {"method": "seeds-ttest", "significance": 0.05}
    one, many, split = (
        rc.power(2.0, design, **at).power  # type: ignore[arg-type]  # two options
        for design in (rc.Seeds(5), rc.Seeds(1000), rc.Seeds(5, splits=5))
    )
    assert one < many < 0.4 < 0.7 < split


def test_the_planner_says_when_more_seeds_cannot_help() -> None:
    near = pair([value - 0.012 for value in BASE])
    found = rc.plan(near, probability=0.7, vary="seeds")
    assert found.needed is None
    said = " ".join(str(found).split())
    assert "all seeds share a split" in said
    assert "splits with as many seeds each would do" in said
    enough = rc.plan(near, probability=0.7)
    assert (enough.vary, enough.unit) == ("splits", "splits")
    assert enough.needed is not None
    assert f"{enough.needed:g} splits with as many seeds each" in said


def test_the_planner_says_when_more_splits_cannot_help() -> None:
    """Splits of one dataset overlap; with datasets of their own every difference is found at last."""
    result = rc.replicate(t=4.65, seeds=5)
    found = rc.plan(result, vary="splits", probability=0.8)
    assert (found.needed, round(found.limit, 2)) == (None, 0.5)
    assert "since all splits are of one dataset" in " ".join(str(found).split())
    by_seeds = rc.plan(result, vary="seeds", probability=0.8)
    assert "Splits bring more, but not that: at most 50%." in " ".join(str(by_seeds).split())
    near = pair([value - 0.012 for value in BASE])
    apart = replace(near, design=rc.Seeds(5, test_percent=0))
    assert rc.plan(apart, vary="splits", probability=0.8).needed == 14


def test_a_reported_t_over_seeds() -> None:
    found = rc.replicate(t=4.1, seeds=5)
    assert (found.model, found.design) == ("seeds-alone", rc.Seeds(5))
    assert found.first_pvalue == pytest.approx(2 * kernel.special.stdtr(8, -4.1))
    assert found.replicability is not None
    assert found.probability < found.replicability < found.as_published
    assert rc.replicate(pvalue=found.first_pvalue, design=rc.Seeds(5)).probability == pytest.approx(
        found.probability
    )
    with pytest.raises(rc.InvalidArgumentError, match="seeds on one split for a reported number"):
        rc.replicate(t=4.1, design=rc.Seeds(5, splits=2))
    with pytest.raises(rc.InvalidArgumentError, match="1 for results over seeds"):
        rc.replicate(t=4.1, seeds=5, data_factor=2.0)


@pytest.mark.parametrize("test", ["fresh", "plain"])
def test_a_larger_t_never_lowers_the_chance(test: str) -> None:
    goal = Goal(rc.Seeds(5), 1.0, 0.05)
    chances = [
        SeedsModel(statistic=t, df=8.0, design=rc.Seeds(5), test=test)  # type: ignore[arg-type]  # a parameter
        .assess(UNKNOWN, goal)
        .probability
        for t in np.linspace(0, 40, 60)
    ]
    assert (np.diff(chances) >= -1e-9).all()
    close, wide = (
        rc.replicate(pair(FAR), relation=relation).probability for relation in ("close", "any")
    )
    assert close <= wide


def test_the_p_value_of_a_model_brings_it_back() -> None:
    model = SeedsModel(statistic=6.0, df=8.0, design=rc.Seeds(5))
    assert model.at(model.fresh_pvalue, model.fresh_pvalue).statistic == pytest.approx(
        6.0, rel=1e-9
    )
    found = rc.seeds_ttest(pair())
    seen = SeedsModel(statistic=found.statistic, df=float(found.df), design=rc.Seeds(5))  # type: ignore[arg-type]  # one number
    assert seen.fresh_pvalue == pytest.approx(found.pvalue, rel=1e-9)


def test_a_forecast_is_what_comes_true_in_a_world_like_the_field() -> None:
    """Worlds drawn from the prior: significant results come back as often as was said."""
    rng = np.random.default_rng(11)
    rows, told = 200_000, kernel.learned()["difference"]
    spread = rng.choice(told["components"], p=told["any"], size=rows)
    share = kernel.learned()["share"]["median"] * np.exp(
        kernel.learned()["share"]["spread"] * rng.normal(size=rows)
    )
    true = spread * rng.normal(size=rows)

    def t() -> np.ndarray:
        mean = true + np.sqrt(share + 1 / 5) * rng.normal(size=rows)
        return mean * np.sqrt(5) / np.sqrt(rng.chisquare(8, size=rows) / 8)

    critical = -kernel.special.stdtrit(8, 0.025)
    first, second = t(), t()
    near = (np.abs(first) > 3.9) & (np.abs(first) < 4.3)
    came = np.mean((second * np.sign(first))[near] > critical)
    said = rc.replicate(t=4.1, seeds=5, relation="any").probability
    assert said == pytest.approx(came, abs=0.01)


def test_gates_and_judgements_allow_for_the_split() -> None:
    gate = rc.gate(pair(FAR), margin=0.01)
    assert gate.outcome == "pass"
    narrow = rc.gate(rc.PairedScores(first=BASE, second=OURS, design=rc.Seeds(5)), margin=0.01)
    assert narrow.outcome != "pass"
    judged = rc.judge(pair(FAR), rc.PairedScores(
        first=[0.83, 0.833, 0.84, 0.835, 0.831], second=[0.78, 0.779, 0.772, 0.777, 0.775],
        design=rc.Seeds(5), names=("ours", "base")))  # fmt: skip
    assert judged.original.estimate == pytest.approx(np.mean(OURS) - np.mean(FAR))


def frame(splits: int = 1) -> pd.DataFrame:
    rows = [
        (model, split, seed, scores[seed] + split / 100)
        for model, scores in (("ours", OURS), ("base", BASE))
        for seed in range(5)
        for split in range(splits)
    ]
    return pd.DataFrame(rows, columns=["model", "split", "seed", "acc"])


def test_a_column_of_seeds_alone_is_seeds_on_one_split() -> None:
    """The careful reading: folds or splits would be significant far more often."""
    table = frame().drop(columns="split")
    found = rc.read_scores(table)
    assert "Design: 5 seeds on one split (from the table)." in found.account
    assert found.pair("ours", "base").design == rc.Seeds(5)


def test_seeds_by_splits_tell_themselves() -> None:
    found = rc.read_scores(frame(3))
    assert found.design == rc.Seeds(5, splits=3)
    scores = found.pair("ours", "base").first.reshape(3, 5)
    np.testing.assert_allclose(scores[0], OURS)
    np.testing.assert_allclose(scores[2], np.array(OURS) + 0.02)


def test_the_command_line(tmp_path) -> None:
    path = tmp_path / "seeds.csv"
    frame().drop(columns="split").to_csv(path, index=False)
    run = CliRunner().invoke
    told, found = (
        run(app, ["compare", str(path), *design, "--json"])
        for design in ((), ("--design", "seeds:count=5"))
    )
    assert json.loads(told.stdout)["evidence"] == json.loads(found.stdout)["evidence"]
    assert json.loads(found.stdout)["evidence"]["design"] == "seeds:count=5"
    said = run(app, ["replicate", "--t", "4.1", "--seeds", "5"]).stdout
    assert "new seeds on this split" in said
    planned = run(app, ["plan", "--t", "9", "--seeds", "5", "--vary", "seeds"]).stdout
    assert "More seeds will not make" in planned


def test_many_models_on_seeds() -> None:
    table = pd.concat([frame(), frame().assign(model=lambda rows: rows.model + "2")])
    found = rc.rank(rc.read_scores(table.drop(columns="split"), design=rc.Seeds(5)))
    assert found.method == "seeds-ttest"
    assert len(found.pairs) == 6
    assert "5 seeds on one split" in str(found) + found.design.words


def test_the_page_asks_and_answers() -> None:
    from replicast.web.api import paper
    from replicast.web.forms import PaperQuestion, ScoresQuestion
    from replicast.web.jobs import report_scores
    from replicast.web.mistakes import parse
    from replicast.web.pages.papers import answer_paper

    content = frame().drop(columns="split").to_csv(index=False).encode()
    unnamed = frame().drop(columns=["split", "seed"]).to_csv(index=False).encode()
    asked = report_scores({"rows.csv": unnamed}, ScoresQuestion(), "page")
    assert "seeds" in {value for one in asked.questions for value in one.choices}
    for file, question in ((unnamed, ScoresQuestion(rows="seeds")), (content, ScoresQuestion())):
        told = report_scores({"seeds.csv": file}, question, "record")
        assert not told.mistakes
    question = parse(PaperQuestion, {"t": "5.14", "seeds": "5", "setting": "seeds"})
    assert answer_paper(question).model == "seeds-alone"
    assert "t(8) = 5.14" in paper(question).quote


def test_the_file_is_what_its_maker_learns_from_tabm() -> None:
    from calibration import seeds as maker

    ranks = maker.places()
    learned = maker.learned([maker.pairs_of(cube, ranks) for cube in maker.cubes()])
    kept = kernel.learned()
    assert learned["share"]["median"] == pytest.approx(kept["share"]["median"], rel=0.01)
    assert learned["share"]["spread"] == pytest.approx(kept["share"]["spread"], rel=0.01)
    for relation in ("any", "close"):
        assert learned["difference"][relation] == pytest.approx(
            kept["difference"][relation], abs=0.005
        )


def test_forecasts_come_true_on_tabm() -> None:
    """Twelve results of every dataset; left out in turn, they fare as docs/concepts/seeds.md says."""
    from calibration import seeds as maker
    from calibration.seeds import Scored

    def error(relation: str | None) -> float:
        found = [maker.forecasts(cube, 15, "plain", relation, most=12) for cube in maker.cubes()]  # type: ignore[arg-type]  # a word
        parts = (
            np.concatenate([getattr(one, part) for one in found]) for part in ("said", "truth")
        )
        return Scored(*parts).calibration_error

    assert error("any") < 0.13
    assert error(None) > 0.2


def test_other_rooms_say_what_seeds_are_not() -> None:
    with pytest.raises(rc.errors.DesignMismatchError, match="bring no fresh evidence"):
        rc.Monitor(design=rc.Seeds(5))
    odd = rc.PairedScores(first=[0.9] * 7 + [0.2], second=[0.8] * 8, design=rc.Seeds(8))
    texts = [caution.text for caution in rc.compare(odd).cautions]
    assert any(text.endswith("Compare with more splits.") for text in texts)
    assert rc.detectable_difference(rc.Seeds(5, splits=5), method="seeds-ttest") < 2.5


def test_each_answer_says_which_test_it_counts_by() -> None:
    """t = 5.14 of five seeds: 54% by the paper's own test, 17% by the one that allows for the split."""
    found = rc.replicate(t=5.14, seeds=5)
    scores = rc.read_scores("examples/scores/seeds.csv", where={"split": 2}, design=rc.Seeds(5))
    compared = rc.compare(scores.pair("tabm", "mlp"))
    assert compared.replication is not None
    assert found.by_fresh_test == pytest.approx(compared.replication.probability, abs=0.01)
    assert compared.replication.by_fresh_test is None
    details = compared.evidence.details
    assert details["pvalue_of_seeds_alone"] == pytest.approx(
        stats.ttest_ind(compared.scores.first, compared.scores.second, equal_var=False).pvalue
    )
    told = tell(found)
    lines = {row.label: row for row in told.lines}
    assert lines["result"].remark == "t-test over seeds"
    assert lines["split"].value == "17 of 100 repeats"
    told = tell(compared)
    evidence = {row.label: row for row in told.rows}["evidence"]
    assert evidence.value.endswith(" = 5.14")
    assert evidence.remark.startswith("over seeds alone")
    assert told.lines[0].remark.endswith("p = 0.098")
    assert "t-test over seeds and splits" in told.quote
    assert compared.more().count("varies too") == 1
    assert str(compared).count("ignores the split") == 1


# ---------------------------------------------------------------- evaluate
def test_evaluate_refits_every_seed_on_its_split() -> None:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 5)), np.arange(100) % 2
    X[:, 0] += y
    models = {"tree": DecisionTreeClassifier(max_features=1), "bayes": GaussianNB()}
    design = rc.Seeds(4, splits=3)
    table = rc.evaluate(models, X, y, design=design, rng=1)
    assert table.design == design
    assert table.scores.shape == (2, 1, 3, 4)
    assert (table.n_train == 80).all()
    assert (table.n_test == 20).all()
    tree, bayes = table.scores[:, 0]
    assert (bayes == bayes[:, :1]).all()  # no seed in it: the split alone varies
    assert len({*bayes[:, 0]}) > 1
    assert (tree.std(axis=1) > 0).all()  # new seeds on the same rows
    again = rc.evaluate(models, X, y, design="seeds:count=4,splits=3", rng=1, n_jobs=2)
    np.testing.assert_array_equal(again.scores, table.scores)
    losses = rc.evaluate(models, X, y, design=design, rng=1, scoring=["accuracy", "neg_log_loss"])
    np.testing.assert_array_equal(losses["accuracy"].scores, table.scores)
    pair = table.pair("tree", "bayes")
    np.testing.assert_array_equal(pair.first, tree.ravel())  # split after split
    assert rc.compare(pair).evidence.method == "seeds-ttest"
    models["tree"] = DecisionTreeClassifier(max_features=1, random_state=3)
    with pytest.raises(
        rc.InvalidArgumentError, match="random_state is None, for seeds, got tree with"
    ):
        rc.evaluate(models, X, y, design=design)
    with pytest.raises(rc.errors.DesignMismatchError, match="folds, for groups"):
        rc.evaluate([GaussianNB()], X, y, design=design, groups=y)


def overlapping(rng: np.random.Generator, splits: int, seeds: int) -> np.ndarray:
    """Return accuracies (2, splits, seeds) of equally good models on splits of one small dataset.

    Each model sees six features of its own; its seeds are bootstraps of the training rows.
    """
    rows, features, tested = 200, 6, 40
    y = np.arange(rows) % 2
    X = rng.normal(size=(rows, 2, features)) + 0.35 * y[:, None, None]
    found = np.empty((2, splits, seeds))
    for split in range(splits):
        order = rng.permutation(rows)
        test, train = order[:tested], order[tested:]
        for seed in range(seeds):
            drawn = [rng.choice(train[y[train] == c], 80) for c in (0, 1)]
            centres = [X[part].mean(axis=0) for part in drawn]
            far = [((X[test] - centre) ** 2).sum(axis=2) for centre in centres]
            found[:, split, seed] = ((far[1] < far[0]) == y[test, None]).mean(axis=0)
    return found


def test_splits_of_one_dataset_overlap() -> None:
    """Ten splits of one dataset are far less than ten datasets: equal models came out different."""
    rng = np.random.default_rng(1)
    design, rejected, as_datasets = rc.Seeds(3, splits=10), 0, 0
    for _ in range(150):
        first, second = overlapping(rng, 10, 3)
        pair = rc.PairedScores(first=first.ravel(), second=second.ravel(), design=design)
        rejected += rc.seeds_ttest(pair).pvalue < 0.05
        as_datasets += stats.ttest_rel(first.mean(axis=1), second.mean(axis=1)).pvalue < 0.05
    assert as_datasets / 150 > 0.2
    assert rejected / 150 < 0.16


def test_more_splits_of_one_dataset_weigh_less_than_datasets() -> None:
    """What splits have in common limits how much a reported result over many of them weighs."""
    first = rc.replicate(t=4.0, seeds=5).first_result
    many, apart = (
        rc.judge(first, replace(first, model=replace(first.model, design=design)))
        for design in (rc.Seeds(5, splits=50), rc.Seeds(5, splits=50, test_percent=0))
    )
    each, share = 1 / 5, kernel.share_range()[1]
    overlapping = 1 / 250 + share * (0.2 + 0.8 / 50)
    assert many.replication.standard_error**2 == pytest.approx(overlapping / (each + share))
    assert apart.replication.standard_error**2 == pytest.approx(1 / 50)


def test_independent_splits_can_be_told() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.01, 0.01, (2, 20))
    apart, together = (
        rc.seeds_ttest(
            rc.PairedScores(
                first=first + 0.01,
                second=second,
                design=rc.Seeds(4, splits=5, test_percent=percent),
            )
        )
        for percent in (0, 20)
    )
    assert apart.pvalue < together.pvalue
    with pytest.raises(
        rc.InvalidArgumentError, match="`test_percent` must be an integer from 0 to 90"
    ):
        rc.Seeds(4, splits=5, test_percent=100)


def wandb_runs(ours: range, base: range, *, crashed: int = 0, step: int | None = 99) -> bytes:
    """The table of runs that Weights & Biases exports: the last values of each run, and its state."""
    head = (
        "Name,State,Notes,User,Tags,Created,Runtime,Sweep,model,seed,_step,epoch,val/acc,val/loss"
    )
    lines = [head]
    for model, seeds, lead in (("ours", ours, 0.01), ("base", base, 0.0)):
        for seed in seeds:
            lost = model == "ours" and seed - ours.start >= len(ours) - crashed
            state, acc = ("crashed", 0.41) if lost else ("finished", 0.75 + lead + seed % 5 / 500)
            last = seed + 40 if step is None else step
            made = "2024-03-01T10:00:00.000Z"
            lines.append(f"{model}-s{seed},{state},-,anna,,{made},3600,,{model},{seed},{last},{last},"
                         f"{acc:.4f},{1 - acc:.4f}")  # fmt: skip
    return "\n".join(lines).encode()


@pytest.mark.parametrize("step", [99, None])
def test_runs_with_their_last_step_are_no_curve(step: int | None) -> None:
    runs = {"wandb.csv": wandb_runs(range(5), range(5), step=step)}
    found = rc.read_scores(runs, metric="val/acc", design="seeds:count=5")
    assert found.pair("ours", "base").design == rc.Seeds(5)
    twice = (
        runs["wandb.csv"] + b"\n" + runs["wandb.csv"].partition(b"\n")[2].replace(b",99,", b",50,")
    )
    if step is not None:
        with pytest.raises(rc.InvalidArgumentError, match="steps of training are no repeats"):
            rc.read_scores({"history.csv": twice}, metric="val/acc", design="seeds:count=5")


def test_a_crashed_run_is_no_seed() -> None:
    runs = {"wandb.csv": wandb_runs(range(5), range(5), crashed=1)}
    found = rc.read_scores(runs, metric="val/acc", design="seeds:count=4")
    assert "Left out 1 run that did not finish: crashed in column State." in found.account
    assert found.scores.min() > 0.7
    with pytest.raises(
        rc.InvalidArgumentError, match=r"must be seeds:count=4, the most that every"
    ):
        rc.read_scores(runs, metric="val/acc", design="seeds:count=5")


@pytest.mark.parametrize(
    ("ours", "base", "count"),
    [(range(5), range(100, 105), 5), (range(5), range(3), 3), (range(3, 8), range(4), 4)],
)
def test_seeds_that_are_not_paired_need_no_labels_in_common(ours, base, count: int) -> None:
    rows = [("a", seed, 0.8 + seed % 7 / 100) for seed in ours]
    rows += [("b", seed, 0.7 + seed % 5 / 100) for seed in base]
    table = pd.DataFrame(rows, columns=["model", "seed", "accuracy"])
    found = rc.read_scores(table, design=rc.Seeds(count))
    assert found.design == rc.Seeds(count)
    if len(ours) == len(base):
        assumed = rc.read_scores(table)
        assert assumed.design == found.design
        np.testing.assert_array_equal(assumed.scores.ravel(), found.scores.ravel())
        assert assumed.account[2:] == found.account[2:]
    else:
        with pytest.raises(
            rc.errors.DesignNeededError, match=f"{len(ours)} of a, {len(base)} of b"
        ):
            rc.read_scores(table)
    pair = found.pair("a", "b")
    for name, scores in (("a", pair.first), ("b", pair.second)):
        np.testing.assert_allclose(scores, table[table["model"] == name]["accuracy"][:count])
    assert any("seeds of each classifier" in line or "Seeds were counted" in line
               for line in found.account)  # fmt: skip
    if len(ours) != len(base):
        told = f"must be seeds:count={count}, .*, got 5 for 5 of a, {count} of b"
        with pytest.raises(rc.InvalidArgumentError, match=told):
            rc.read_scores(table, design=rc.Seeds(5))
    with pytest.raises(rc.errors.DesignMismatchError, match="lack"):
        rc.read_scores(table, design=rc.Seeds(len(set(ours) | set(base)), paired=True)).pair(
            "a", "b"
        )


@pytest.mark.parametrize("column", ["run", "trial", None])
def test_runs_may_be_seeds_and_are_asked_about_so(column: str | None) -> None:
    table = frame().drop(columns="split").rename(columns={"seed": column or "seed"})
    table = table if column else table.drop(columns="seed")
    with pytest.raises(
        rc.InvalidArgumentError, match="seeds:count=5'` for 5 seeds of each model on one"
    ):
        rc.read_scores(table)
    assert rc.read_scores(table, design="seeds:count=5").design == rc.Seeds(5)


def test_a_p_that_allows_for_the_split_does_not_stand_beside_the_t_of_seeds() -> None:
    said = str(rc.seeds_ttest(pair()))
    assert "(seeds-ttest, which allows for the split; seeds alone: statistic" in said
