"""From whatever a user has to the model of replication it calls for."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from replicast.design import Design, KFold
from replicast.errors import (
    DesignMismatchError,
    InvalidArgumentError,
    invalid,
    require_choice,
    require_positive,
)
from replicast.inference.counts import MCNEMAR
from replicast.inference.methods import METHODS, Evidence, Method, default_method
from replicast.kernels.bootstrap import bootstrap_z
from replicast.kernels.student import correlated_t, t_critical
from replicast.randomness import RandomSource, generator
from replicast.replication.cases import case_model
from replicast.replication.counts import CountModel, DiscordanceModel
from replicast.replication.models import Model
from replicast.replication.rank_sums import RankModel
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


@dataclass(frozen=True, kw_only=True)
class FirstResult:
    """The first experiment, as replication sees it."""

    model: Model
    pvalue: float
    design: Design
    names: tuple[str, str] = ("first", "second")
    first_better: bool = True
    spread: Spread | None = None
    reading: tuple[Caution, ...] = ()  # what may be wrong about how a paper's number was read
    test: str | None = None  # which t-test a paper used, where that is a question
    reported_pvalue: float | None = None  # the paper's own, where `pvalue` corrects it
    if_ordinary: "FirstResult | None" = None  # the other reading, where nobody said
    # what a paper told of it, by the fields of `REPORTED`; None for scores
    reported: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", parse_names(self.names))

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What to be careful about."""
        return (*self.model.cautions, *self.reading)

    @property
    def instance_data(self) -> bool:
        """Whether the cases of cross-validation were seen."""
        return isinstance(self.model, StudentModel) and (
            self.model.signal is not None and self.model.signal.known == "cases"
        )


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
    name = _model_name(evidence, model)
    result = _seen_by(name, evidence)
    found = _READERS[name](result, scores)
    used: Spread | None = None
    if isinstance(found, RankModel):
        used = spread_of(_resampled_spread(scores, rng) if spread is None else spread)
        found = replace(found, spread=used.value)
    return FirstResult(
        model=found,
        pvalue=result.pvalue,
        design=result.design,
        names=result.names,
        first_better=result.lead >= 0,
        spread=used,
    )


def first_if_any(
    evidence: Observed, *, scores: PairedScores | None = None, spread: float | None = None
) -> FirstResult | None:
    """Return a first result; None where there is no model of its replication."""
    try:
        return read_first_result(evidence, scores=scores, spread=spread)
    except InvalidArgumentError:
        return None


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


def _seen_by(name: str, result: SignificanceResult) -> SignificanceResult:
    """Return a result as a model sees it; refuse what the model cannot be about."""
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
    return replace(result, design=KFold(result.n)) if result.scheme == "first-run" else result


def _count_model(
    result: SignificanceResult, scores: PairedScores | None, *, bayesian: bool = False
) -> CountModel:
    wins, losses, ties = (int(result.details[key]) for key in ("wins", "losses", "ties"))
    return CountModel(
        won=max(wins, losses),
        lost=min(wins, losses),
        ties=ties,
        rule="half" if result.details.get("trials", result.n) == result.n else "drop",
        bayesian=bayesian,
        means=_mean_difference(result, scores),
    )


def _discordance_model(result: SignificanceResult, _: PairedScores | None) -> DiscordanceModel:
    first, second = (int(result.details[key]) for key in ("first_only", "second_only"))
    won, lost = max(first, second), min(first, second)
    return DiscordanceModel(won=won, lost=lost, cases=result.n, rule=result.exactness)


def _mean_difference(
    result: SignificanceResult, scores: PairedScores | None
) -> StudentModel | None:
    """Return the model of the mean difference over datasets, as the better in ranks or wins has it."""
    if scores is None or len(scores.differences) < 2 or result.design != scores.design:
        return None
    _, error, t = (float(part) for part in correlated_t(scores.differences, test_train_ratio=0.0))
    if error == 0:
        return None
    signed = t if result.lead >= 0 else -t
    return StudentModel(statistic=signed, design=result.design, corrected=False, error=error)


def _rank_model(result: SignificanceResult, scores: PairedScores | None) -> RankModel:
    n = int(result.details["nonzero"])
    larger = max(result.details["w_plus"], result.details["w_minus"])
    return RankModel(
        share=larger / (n * (n + 1) / 2) if n else 0.5,
        nonzero=n,
        z=abs(result.statistic),
        datasets=result.n,
        means=_mean_difference(result, scores),
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


def _seeds_model(result: SignificanceResult, _: PairedScores | None) -> SeedsModel:
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
    result: SignificanceResult, scores: PairedScores | None, *, corrected: bool
) -> StudentModel:
    design = result.design
    design.t_layout(corrected=corrected)  # refuses designs without a model
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
        return model.with_cases(cases[:runs] if result.lead >= 0 else -cases[:runs])
    if corrected and scores.accuracies is not None and len(scores.differences) == result.n:
        sized = model.with_sizes(*scores.accuracies)
        return replace(sized, error=(sized.error or 0.0) * scores.whole)
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
    constant = 0 < posterior.equivalent < 1
    size = np.inf if constant else t_critical(df, posterior.pvalue / 2)
    return SignificanceResult(
        method=twin.name,
        names=posterior.names,
        n=posterior.n,
        estimand="mean difference",
        estimate=posterior.estimate,
        standard_error=None,
        statistic=math.copysign(size, posterior.lead),
        df=df,
        pvalue=posterior.pvalue,
        alternative="two-sided",
        exactness="student",
        design=posterior.design,
        lead=posterior.lead,
    )


_READERS: Mapping[str, Callable[[SignificanceResult, PairedScores | None], Model]] = {
    "sign": _count_model,
    "bayesian": partial(_count_model, bayesian=True),
    "wilcoxon": _rank_model,
    MCNEMAR.name: _discordance_model,
    "cases": case_model,
    "cross-validated-cases": partial(case_model, corrected=True),
    "paired-t": partial(_student_model, corrected=False),
    "corrected-t": partial(_student_model, corrected=True),
    "seeds": _seeds_model,
}
