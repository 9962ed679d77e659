"""What a request may ask, and the sentence for each thing it may not."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlencode

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WrapValidator,
    model_validator,
)

from replicast.design import Datasets, Design, cross_validation
from replicast.errors import invalid
from replicast.formatting import AtMost, typed_number, typed_pvalue
from replicast.replication import reported
from replicast.replication.priors import Relation
from replicast.web.pilot import EffectSize, read_pasted_means, read_pilot

Vary = Literal["cases", "runs", "folds", "datasets"]


def _typed(value: Any, *, whole: bool = False) -> Any:
    return typed_number(value, whole=whole) if isinstance(value, str) else value


def _typed_pvalue(value: Any, read: Callable[[Any], float]) -> float:
    if not isinstance(value, str):
        return read(value)
    plain, limited = typed_pvalue(value)
    return AtMost(read(plain)) if limited else read(plain)


_TYPED = BeforeValidator(_typed)  # after the limits, which then stand in the description too
_WHOLE = BeforeValidator(partial(_typed, whole=True))
_Statistic = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False), _TYPED]
_Count = Annotated[int, Field(ge=0, le=1_000_000), _WHOLE]
_Cases = Annotated[int, Field(ge=1, le=1_000_000), _WHOLE]
_Folds = Annotated[int, Field(ge=2, le=1000), _WHOLE]
_Runs = Annotated[int, Field(ge=1, le=1000), _WHOLE]
_DatasetCount = Annotated[int, Field(ge=2, le=10_000), _WHOLE]
_Level = Annotated[float, Field(gt=0, lt=1), _TYPED]
_Relation = Annotated[
    Relation, Field(description="how the two are related: close rivals, any two, or unknown")
]
_Name = Annotated[str, Field(min_length=1, max_length=80)]
_Words = Annotated[str, Field(max_length=500)]


class Question(BaseModel):
    """Fields of a request; a field nobody knows is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _read_old_links(cls, fields: Any) -> Any:
        return cls.named_now(fields) if isinstance(fields, Mapping) else fields

    @classmethod
    def named_now(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a link by the names they have now."""
        return dict(fields)

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to answer yet."""
        return False

    def link(self, page: str) -> str:
        """Return the address of a page with this state, as short as it can be."""
        return self._address(page)

    def _address(self, page: str, kept: set[str] | None = None) -> str:
        said = self.model_dump(include=kept, exclude_defaults=True, exclude_none=True)
        return f"{page}?{urlencode(said)}"


_LEADING = {kind: row.fields[0] for kind, row in reported.REPORTED.items()}
_RENAMED = {"p": "pvalue", "sd": "spread"}
_RENAMED_REPORTS = {"p": "pvalue", "cases": "discordant"}


class PaperQuestion(Question):
    """A result as a paper reports it: one statistic, and the design it comes from."""

    t: _Statistic | None = Field(None, description="t statistic")
    z: _Statistic | None = Field(
        None, description="Wilcoxon's Z over datasets, with continuity correction or without"
    )
    wins: Annotated[float, Field(ge=0, le=10_000), _TYPED] | None = Field(
        None, description="datasets won; half a win is half a tie"
    )
    ties: _Count | None = Field(None, description="datasets with equal scores; 0 says none")
    pvalue: Annotated[_Level, WrapValidator(_typed_pvalue)] | None = Field(
        None, description="two-sided p-value; `<0.001` where no more is told"
    )
    first_only: _Count | None = Field(None, description="cases only the first gets right")
    second_only: _Count | None = Field(None, description="cases only the second gets right")
    cases: _Cases | None = Field(None, description="cases of the test set")
    folds: _Folds | None = Field(None, description="folds of the cross-validation")
    runs: _Runs = Field(1, description="runs of the cross-validation")
    datasets: _DatasetCount | None = Field(
        None, description="number of datasets, also of those the wins are out of"
    )
    splits: _Folds | None = Field(None, description="random splits of one dataset")
    n_train: _Cases | None = Field(None, description="training cases of a split")
    n_test: _Cases | None = Field(None, description="test cases of a split")
    seeds: _Folds | None = Field(None, description="seeds of each model on one split")
    spread: Annotated[float, Field(gt=0, le=100), _TYPED] | None = Field(
        None, description="standard deviation s* of Z, for the formula of Berrar (2024)"
    )
    test: reported.TTest = Field(
        "unknown",
        description="the t-test used on folds or splits of one dataset: corrected for the overlap of "
        "training sets, ordinary, or unknown",
    )
    relation: _Relation = "unknown"
    significance: _Level = Field(0.05, description="level of the test")
    first: _Name = Field("the new method", description="name of the first classifier")
    second: _Name = Field("the other", description="name of the second classifier")
    report: reported.Kind | None = Field(
        None, description="which number counts, where several are given"
    )
    setting: Literal["folds", "datasets", "splits", "seeds"] | None = Field(
        None, description="which design counts, where several are given"
    )

    @classmethod
    def named_now(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a link by the names they have now; version 0.1 had others."""
        read = {_RENAMED.get(name, name): value for name, value in fields.items() if name != "of"}
        if fields.get("of") and (fields.get("wins") or not fields.get("datasets")):
            read["datasets"] = fields["of"]  # what the wins were out of had a field of its own
        if "report" in read:
            read["report"] = _RENAMED_REPORTS.get(read["report"], read["report"])
        return read

    @property
    def given(self) -> dict[str, Any]:
        """The fields that count: those of other numbers and designs may be left over in a form."""
        fields = self.model_dump()
        if self.report is not None:
            _choose(_LEADING[self.report], [*_LEADING.values()], fields)
        row = reported.REPORTED[reported.kind_of(fields)]
        if self.setting is not None and row.needs_design:
            _choose(self.setting, [*reported.SETTINGS], fields)
            if self.setting == "datasets":  # a question not asked there, left over in a form
                fields["test"] = "unknown"
        return fields

    @property
    def is_blank(self) -> bool:
        """Whether nothing was reported yet, nor asked for by a form."""
        return self.report is None and all(getattr(self, one) is None for one in _LEADING.values())

    def link(self, page: str) -> str:
        """Return the address with the number that counts, and nothing left over from others."""
        given = self.given
        row = reported.REPORTED[reported.kind_of(given)]
        kept = {*row.fields, *row.options, "relation", "significance", "first", "second"}
        if row.needs_design:
            kept |= {*reported.SETTINGS[reported.setting_of(given)]}
        return self.model_copy(update=given)._address(page, kept)


def _choose(field: str, among: list[str], fields: dict[str, Any]) -> None:
    """Leave the field that was chosen, and none of its rivals."""
    if fields[field] is None:
        raise invalid(field, "given", "nothing")
    fields |= {name: None for name in among if name != field}


_Size = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False), _TYPED]


class PlanQuestion(Question):
    """An experiment to come: the effect hoped for and the size that can be paid for."""

    effect: Annotated[float, Field(ge=0.05, le=3), _TYPED] = Field(
        1.2, description="mean difference over its standard deviation"
    )
    by: Literal["effect", "points", "pilot"] | None = Field(
        None, description="how the effect is told, where it is told in several ways"
    )
    points: _Size | None = Field(None, description="difference hoped for, in points or scores")
    sd: _Size | None = Field(None, description="standard deviation of the differences, as `points`")
    pilot: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="a pilot: one difference per line, or two scores per line"
    )
    setting: Literal["folds", "datasets"] = Field("folds", description="one dataset, or several")
    folds: Annotated[int, Field(ge=2, le=50), _WHOLE] = Field(10, description="folds")
    runs: Annotated[int, Field(ge=1, le=100), _WHOLE] = Field(1, description="runs")
    datasets: Annotated[int, Field(ge=3, le=500), _WHOLE] = Field(20, description="datasets")
    probability: Annotated[float, Field(ge=0.5, le=0.99), _TYPED] = Field(
        0.8, description="wanted chance of replication"
    )
    relation: _Relation = "unknown"
    significance: _Level = Field(0.05, description="level of the test")
    vary: Vary | None = Field(None, description="what may grow: cases, runs, folds or datasets")

    @property
    def design(self) -> Design:
        """The design of the experiment to come."""
        if self.setting == "datasets":
            return Datasets(self.datasets)
        return cross_validation(self.folds, runs=self.runs)

    @property
    def told_by(self) -> str:
        """How the effect is told: what was chosen, or what was filled in."""
        filled = "pilot" if self.pilot else "points" if self.points is not None else "effect"
        return self.by or filled

    @property
    def size(self) -> EffectSize:
        """The effect, from points and their spread or from a pilot where those are told."""
        if self.told_by == "points":
            return EffectSize(_given(self, "points"), _given(self, "sd"), 0)
        return (
            read_pilot(self.pilot or "")
            if self.told_by == "pilot"
            else EffectSize(self.effect, 1.0, 0)
        )

    @property
    def meant(self) -> Self:
        """The same question with the effect as it is told."""
        size = self.size
        if not 0.05 <= size.effect <= 3:
            domain = "a difference of 0.05 to 3 standard deviations"
            raise invalid(self.told_by, domain, f"{size.effect:.3g}")
        return self.model_copy(update={"effect": size.effect})


_Estimate = Annotated[float, Field(ge=-1_000_000, le=1_000_000, allow_inf_nan=False), _TYPED]
_Error = Annotated[float, Field(ge=1e-6, le=1_000_000, allow_inf_nan=False), _TYPED]


class JudgeQuestion(Question):
    """A replication beside its original: two estimates with their standard errors."""

    estimate: _Estimate | None = Field(None, description="difference found by the original")
    se: _Error | None = Field(None, description="its standard error")
    replication_estimate: _Estimate | None = Field(
        None, description="difference found by the replication"
    )
    replication_se: _Error | None = Field(None, description="its standard error")
    significance: _Level = Field(0.05, description="level of the tests")

    @property
    def is_blank(self) -> bool:
        """Whether nothing was filled in yet."""
        return not self.model_dump(exclude_none=True, exclude={"significance"})

    @property
    def sides(self) -> tuple[tuple[float, float], ...]:
        """Both experiments, whole."""
        named = (("estimate", "se"), ("replication_estimate", "replication_se"))
        return tuple((_given(self, estimate), _given(self, error)) for estimate, error in named)


_Spread = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False), _TYPED]


class MeansQuestion(Question):
    """Two means and their spreads, where a paper reports no more."""

    first_mean: _Estimate | None = Field(None, description="mean of the first")
    second_mean: _Estimate | None = Field(None, description="mean of the second")
    first_sd: _Spread | None = Field(
        None, description="standard deviation of its scores; accuracies on one test set need none"
    )
    second_sd: _Spread | None = Field(None, description="standard deviation of the second")
    direction: Literal["higher", "lower"] = Field("higher", description="which means are better")
    folds: _Folds | None = Field(None, description="folds of the cross-validation")
    runs: _Runs = Field(1, description="runs of the cross-validation")
    datasets: _DatasetCount | None = Field(None, description="number of datasets")
    seeds: _Folds | None = Field(None, description="seeds of each model on one split")
    cases: _Cases | None = Field(None, description="cases of the test set")
    relation: _Relation = "unknown"
    significance: _Level = Field(0.05, description="level of the test")
    setting: Literal["folds", "datasets", "seeds", "cases"] | None = Field(
        None, description="which design counts, where several are given"
    )

    @classmethod
    def named_now(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields; means as a paper writes them may stand in the first, with their design.

        Examples
        --------
        >>> read = MeansQuestion.named_now({"first_mean": "93.4 ± 1.2 vs 92.1 ± 1.0 (10-fold CV)"})
        >>> read["second_mean"], read["second_sd"], read["folds"]
        ('92.1', '1.0', '10')
        """
        return {**fields, **read_pasted_means(str(fields.get("first_mean", "")).strip())}

    @property
    def is_blank(self) -> bool:
        """Whether no mean was filled in yet."""
        return self.first_mean is None and self.second_mean is None

    @property
    def given(self) -> dict[str, Any]:
        """What the library is asked; other designs may be left over in a form."""
        fields = self.model_dump(include={"folds", "runs", "datasets", "seeds", "cases"})
        if self.setting is not None:
            _choose(self.setting, ["folds", "datasets", "seeds", "cases"], fields)
        spreads = None
        if self.first_sd is not None or self.second_sd is not None:
            spreads = _given(self, "first_sd"), _given(self, "second_sd")
        return fields | {
            "means": (_given(self, "first_mean"), _given(self, "second_mean")),
            "sds": spreads,
            "greater_is_better": self.direction == "higher",
            "relation": self.relation,
            "significance": self.significance,
        }


def _given(question: Question, field: str, domain: str = "given") -> float:
    value: float | None = getattr(question, field)
    if value is None:
        raise invalid(field, domain, "nothing")
    return value


_Rows = Literal["datasets", "folds", "runs", "splits", "seeds", "seeds-unsplit", "cases"]
_SPELT: dict[_Rows, str] = {
    "datasets": "datasets",
    "folds": "kfold:folds={scores}",
    "runs": "repeated-kfold:runs={runs},folds={folds}",
    "splits": "random-splits:splits={scores},n_train={n_train},n_test={n_test}",
    "seeds": "seeds:count={scores},split=shared",
    "seeds-unsplit": "seeds:count={scores},split=none",
    "cases": "holdout",
}


EVERY = "*"  # answers "which?" with "all of them"; no name of a form's choice can be it


class ScoresQuestion(Question):
    """What was said about a table of scores; everything may be left out."""

    rows: _Rows | None = Field(
        None, description="what the scores of a classifier are, where the table does not tell"
    )
    layout: Literal["datasets", "classifiers"] | None = Field(
        None, description="what a row is, where names do not tell"
    )
    folds: _Folds | None = Field(None, description="folds of a run, for rows = runs")
    n_train: _Cases | None = Field(None, description="training cases, for rows = splits")
    n_test: _Cases | None = Field(None, description="test cases, for rows = splits")
    direction: Literal["higher", "lower"] | None = Field(None, description="which is better")
    first: _Words | None = Field(None, description="the new method; `*` ranks all")
    second: _Words | None = Field(None, description="compare it with this one; `*` with all others")
    dataset: _Words | None = Field(None, description="use this dataset only")
    metric: _Words | None = Field(None, description="which score, where there are several")
    cluster: _Words | None = Field(
        None, description="column that says which cases hang together, as those of one patient"
    )
    by: _Words | None = Field(
        None, description="column of slices: all cases are compared, then those of each value"
    )
    missing: Literal["refuse", "drop-dataset", "drop-classifier", "drop-case"] = Field(
        "refuse", description="what to do about missing scores"
    )
    relation: Relation = Field(
        "unknown",
        description="how the two are related: close rivals, any two, or unknown; in a ranking, "
        "neighbours then count as close",
    )
    significance: _Level = Field(0.05, description="level of the test")

    @property
    def pair(self) -> tuple[str | None, str | None]:
        """Both models, as far as they were named."""
        first, second = (None if name == EVERY else name for name in (self.first, self.second))
        return first, second

    def design(self, scores: int) -> str:
        """Spell the design that was said, for `scores` scores a classifier."""
        runs = 1
        if self.rows == "runs":
            if self.folds is None or scores % self.folds:
                domain = f"a number that divides the {scores} scores of a classifier into runs"
                raise invalid("folds", domain, "nothing" if self.folds is None else self.folds)
            runs = scores // self.folds
        if self.rows == "splits":
            for name in ("n_train", "n_test"):
                _given(self, name, "given with random splits")
        spelt = _SPELT[self.rows or "folds"]
        return spelt.format(scores=scores, runs=runs, **self.model_dump())
