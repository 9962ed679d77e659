"""From whatever a user has to the model of replication it calls for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from replicast.design import Design, KFold
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_choice,
    require_positive,
)
from replicast.inference.methods import METHODS, Evidence, Method, default_method
from replicast.kernels.bootstrap import bootstrap_z
from replicast.kernels.layouts import case_noise, moderated_error
from replicast.kernels.student import correlated_t, t_critical
from replicast.randomness import RandomSource, generator
from replicast.replication.cases import case_model
from replicast.replication.counts import CountModel, DiscordanceModel, RankModel
from replicast.replication.models import Model
from replicast.replication.records import Spread
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import Caution, PosteriorResult, SignificanceResult
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import parse_names

# each model of replication and the test whose result it reads
MODELS: Mapping[str, Method] = {
    model: method
    for method in METHODS.values()
    if method.gives == "p-value"
    for model in method.replication
}

_RESAMPLES = 2000
_RESAMPLED = 5000  # datasets; the spread of Z is the same for more of them
_SMALL_TEST_SET = 200


@dataclass(frozen=True, kw_only=True)
class FirstResult:
    """The first experiment, as replication sees it."""

    model: Model
    pvalue: float
    design: Design
    names: tuple[str, str] = ("first", "second")
    first_better: bool = True
    spread: Spread | None = None
    cautions: tuple[Caution, ...] = ()
    test: str | None = None  # which t-test a paper used, where that is a question
    reported_pvalue: float | None = None  # the paper's own, where `pvalue` corrects it
    if_ordinary: "FirstResult | None" = None  # the other reading, where nobody said

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", parse_names(self.names))

    @property
    def instance_data(self) -> bool:
        """Whether the cases of cross-validation were seen."""
        return isinstance(self.model, StudentModel) and self.model.case_signal is not None


class Found(Protocol):
    """A result of any kind that knows how replication sees it."""

    @property
    def first_result(self) -> FirstResult | None:
        """The first experiment; None if there is nothing to be seen again."""


Observed = Evidence | PairedScores | FirstResult | Found


def read_first_result(
    evidence: Observed,
    *,
    model: str | None = None,
    scores: PairedScores | None = None,
    spread: Spread | float | None = None,
    rng: RandomSource = 0,
) -> FirstResult:
    """Recognise a result, paired scores or predictions, and choose or check the model.

    `scores` may come with a result, for what only they can tell: s* and case-by-case results.
    """
    if model is not None:
        require_choice(model, "model", tuple(MODELS))
    if isinstance(evidence, FirstResult):
        return evidence
    if hasattr(evidence, "first_result"):  # whatever was found knows how replication sees it
        return _known(evidence.first_result, type(evidence).__name__)
    if isinstance(evidence, PairedScores):
        scores = evidence
        method = METHODS[default_method(scores.design)] if model is None else MODELS[model]
        evidence = method.test(scores)
    if isinstance(evidence, PosteriorResult):
        evidence = _as_ttest(evidence)
    if not isinstance(evidence, SignificanceResult):
        raise invalid(
            "evidence",
            "a test result, or PairedScores",
            type(evidence).__name__,
            "A paper's numbers have arguments of their own: t, z, pvalue, wins, discordant, means",
        )
    return _of_result(evidence, _model_name(evidence, model), scores, spread, rng)


def _known(first: FirstResult | None, name: str) -> FirstResult:
    if first is None:
        remedy = "There is no difference to be seen again, or no model of its replication"
        raise invalid("evidence", "a result that could be replicated", name, remedy)
    return first


def _models_of(result: Evidence) -> tuple[str, ...]:
    return METHODS[result.method].replication if result.method in METHODS else ()


def _model_name(result: SignificanceResult, asked: str | None) -> str:
    known = _models_of(result)
    if asked is None and known:
        return known[0]
    if asked is not None and asked in known:
        return asked
    raise DesignMismatchError(
        "evidence",
        f"a result of {', '.join(sorted({method.name for method in MODELS.values()}))}",
        result.method,
        "There is no model of its replication"
        if asked is None
        else f"The {asked} model needs a result of {MODELS[asked].name}",
    )


def _of_result(
    result: SignificanceResult,
    name: str,
    scores: PairedScores | None,
    spread: Spread | float | None,
    rng: RandomSource,
) -> FirstResult:
    if result.alternative != "two-sided":
        raise invalid("evidence", "a two-sided result", f"alternative {result.alternative!r}")
    if result.scheme not in ("all", "first-run"):
        raise DesignMismatchError(
            "evidence",
            "from the sampling scheme all or first-run",
            repr(result.scheme),
            "No model of replication covers averaged or sorted runs",
        )
    if name in ("sign", "bayesian", "wilcoxon") and not result.design.over_datasets:
        raise DesignMismatchError(
            "design",
            f"datasets for the {name} model",
            str(result.design),
            "Use the corrected t-test for folds of one dataset",
        )
    ahead = result.lead >= 0
    used: Spread | None = None
    cautions: tuple[Caution, ...] = ()
    match name:
        case "sign" | "bayesian":
            model: Model = _count_model(result, name, _mean_difference(scores, result, ahead))
        case "wilcoxon":
            used = spread_of(_resampled_spread(scores, rng) if spread is None else spread)
            model = _rank_model(result, used.value, _mean_difference(scores, result, ahead))
        case DiscordanceModel.name:
            first, second = (int(result.details[key]) for key in ("first_only", "second_only"))
            model, cautions = discordance_model(first, second, result.n, result.exactness)
        case "cases" | "cross-validated-cases":
            model = case_model(result, scores, corrected=name != "cases")
        case "paired-t" | "corrected-t":
            model = _student_model(result, name, scores, ahead)
        case "seeds":
            model = _seeds_model(result)
        case _:
            raise LookupError(f"No reader for the model of replication {name!r}.")
    return FirstResult(
        model=model,
        pvalue=result.pvalue,
        design=KFold(result.n) if result.scheme == "first-run" else result.design,
        names=result.names,
        first_better=ahead,
        spread=used,
        cautions=cautions,
    )


def _count_model(result: SignificanceResult, name: str, means: StudentModel | None) -> CountModel:
    wins, losses, ties = (int(result.details[key]) for key in ("wins", "losses", "ties"))
    rule = "half" if result.details.get("trials", result.n) == result.n else "drop"
    model = count_model(name, max(wins, losses), min(wins, losses), ties, rule)
    return replace(model, means=means)


def count_model(name: str, won: int, lost: int, ties: int = 0, rule: str = "half") -> CountModel:
    """Return the sign or Bayesian model."""
    return CountModel(bayesian=name == "bayesian", wins=won, losses=lost, ties=ties, rule=rule)


def discordance_model(
    first: int, second: int, cases: int, rule: str = "exact"
) -> tuple[DiscordanceModel, tuple[Caution, ...]]:
    """Return the model of one test set, and its caution where it is small."""
    model = DiscordanceModel(
        won=max(first, second), lost=min(first, second), cases=cases, rule=rule
    )
    if cases > _SMALL_TEST_SET:
        return model, ()
    text = (
        f"With {cases} test cases much depends on how large the gaps between such models really are: "
        "where they hardly differ the chance is lower, where one is right far more often it is higher, "
        "often by much (docs/calibration.md)."
    )
    return model, (Caution("small-test-set", text),)


def _mean_difference(
    scores: PairedScores | None, result: SignificanceResult, ahead: bool
) -> StudentModel | None:
    """Return the model of the mean difference over datasets, as the better in ranks or wins has it."""
    if scores is None or len(scores.differences) < 2 or result.design != scores.design:
        return None
    _, error, t = (float(part) for part in correlated_t(scores.differences, test_train_ratio=0.0))
    if error == 0:
        return None
    signed = t if ahead else -t
    return StudentModel(statistic=signed, design=result.design, corrected=False, error=error)


def _rank_model(result: SignificanceResult, spread: float, means: StudentModel | None) -> RankModel:
    n = int(result.details["nonzero"])
    total = n * (n + 1) / 2
    larger = max(result.details["w_plus"], result.details["w_minus"])
    return RankModel(
        share=larger / total if n else 0.5,
        nonzero=n,
        z=abs(result.statistic),
        datasets=result.n,
        spread=spread,
        means=means,
    )


def spread_of(given: Spread | float | None) -> Spread:
    """Return s* as it was given; without it 1, the value for equal classifiers."""
    if given is None:
        return Spread(value=1.0, source="assumed")
    if isinstance(given, Spread):
        return given
    found = require_positive(given, "spread", "a positive standard deviation of Z")
    return Spread(value=found, source="given")


def _resampled_spread(scores: PairedScores | None, rng: RandomSource) -> Spread | None:
    """Return s* by a bootstrap of the differences, where there are any."""
    if scores is None or not scores.differences.any():
        return None
    source, differences = generator(rng), scores.differences
    if len(differences) > _RESAMPLED:
        differences = source.choice(differences, _RESAMPLED, replace=False)
    z = bootstrap_z(differences, _RESAMPLES, source)
    return Spread(value=float(z.std(ddof=1)), source="resampled differences", resamples=_RESAMPLES)


def _seeds_model(result: SignificanceResult) -> SeedsModel:
    if not result.design.seeds or not isinstance(result.df, float):
        raise DesignMismatchError("design", "seeds for the seeds model", str(result.design))
    if np.isinf(result.statistic):
        raise DesignMismatchError(
            "evidence",
            "seeds that vary",
            "one score for all seeds of a model",
            "They say nothing about fresh data",
        )
    return SeedsModel(
        statistic=abs(result.statistic),
        df=result.df,
        design=result.design,
        ratio=result.details.get("split_ratio", 1.0),
        error=abs(result.estimate / result.statistic) if result.statistic else None,
    )


def _student_model(
    result: SignificanceResult, name: str, scores: PairedScores | None, ahead: bool
) -> StudentModel:
    design: Design = KFold(result.n) if result.scheme == "first-run" else result.design
    corrected = name == "corrected-t"
    layout = design.t_layout(corrected=corrected)  # refuses designs without a model
    model = StudentModel(
        statistic=abs(result.statistic),
        design=design,
        corrected=corrected,
        error=result.standard_error or None,
    )
    if scores is None:
        return model
    cases = scores.case_differences
    known = cases is not None and np.isin(cases, (-1.0, 0.0, 1.0)).all()  # right and wrong
    if cases is not None and known and design.folds is not None:
        runs = design.runs
        if len(cases) < runs:
            raise DesignMismatchError(
                "case_differences",
                f"one row for each of the {runs} runs",
                f"{len(cases)} rows",
            )
        noise = case_noise(cases[:runs], layout)
        gain = float(cases[:runs].mean())
        return replace(
            model,
            case_signal=(gain if ahead else -gain) / noise,
            error=noise,
            cases=float(cases.shape[1]),
        )
    if corrected and scores.accuracies is not None and len(scores.differences) == result.n:
        first, second, size = scores.accuracies
        error = moderated_error(
            first - second, design.test_train_ratio, (first.mean(), second.mean()), size
        )
        gap = abs(float(first.mean() - second.mean()))
        cases_seen = None if design.folds is None else size * design.folds
        in_scores = error * scores.whole
        return replace(model, moderated=gap / error, error=in_scores, cases=cases_seen)
    return model


def _as_ttest(posterior: PosteriorResult) -> SignificanceResult:
    """Read the t statistic off a correlated posterior, of which it is the twin."""
    twin = MODELS["corrected-t"]
    if _models_of(posterior) != twin.replication or posterior.rope:
        raise invalid(
            "evidence",
            "a correlated posterior without a rope, or another result",
            f"{posterior.method} with rope {posterior.rope:g}",
            "Give the PairedScores themselves",
        )
    df = float(posterior.n - 1)
    lesser = min(posterior.first_better, posterior.second_better)
    if posterior.equivalent == 1:  # identical scores
        statistic = 0.0
    elif posterior.equivalent > 0 or lesser == 0:  # a constant difference
        statistic = np.inf
    else:
        statistic = t_critical(df, lesser)
    if posterior.second_better > posterior.first_better:
        statistic = -statistic
    return SignificanceResult(
        method=twin.name,
        names=posterior.names,
        n=posterior.n,
        estimand="mean difference",
        estimate=posterior.estimate,
        standard_error=None,
        statistic=statistic,
        df=df,
        pvalue=posterior.pvalue,
        alternative="two-sided",
        exactness="student",
        design=posterior.design,
        lead=posterior.lead,
    )
