"""Frozen records of what was found. They compute nothing but their own intervals."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, overload

from replicast.arrays import Bools, Floats
from replicast.design import Design, format_design
from replicast.errors import invalid, require_probability
from replicast.formatting import format_df, format_number, format_percent, format_pvalue

if TYPE_CHECKING:
    from pandas import DataFrame

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[str, ...] = ("two-sided", "greater", "less")


@overload
def is_significant(pvalue: float, significance: float) -> bool: ...
@overload
def is_significant(pvalue: Floats, significance: float) -> Bools: ...
def is_significant(pvalue: float | Floats, significance: float) -> bool | Bools:
    """Say whether a p-value, or each of many, is significant: who is no kernel asks here."""
    return pvalue < significance


class Interval(NamedTuple):
    """Lower and upper limit; an infinite limit says that the data do not bound that side."""

    low: float
    high: float


IntervalRule = Callable[[float], tuple[float, float]]
BoundRule = Callable[[float], tuple[float, float]]


def _plain(value: object) -> Any:
    """Turn a field into JSON: non-finite numbers become null, designs their written form."""
    match value:
        case bool() | str() | int() | None:
            return value
        case float():
            return value if math.isfinite(value) else None
        case Record():
            return value.to_dict()
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case _:
            return format_design(value)  # type: ignore[arg-type]  # the only other kind of field


def _short(value: object) -> str:
    return format_number(value) if isinstance(value, float) else str(value)


class Record:
    """What every result offers: `to_dict()`, a sentence, and a report in notebooks."""

    __slots__ = ()
    _private: ClassVar[frozenset[str]] = frozenset(
        {"interval_rule", "bound_rule", "first_result", "learned", "lead"}
    )

    def __init_subclass__(cls) -> None:
        """Give every record the short form; a dataclass would list every field with all digits."""
        cls.__repr__ = Record.__repr__  # type: ignore[method-assign]  # what dataclass leaves alone

    def __repr__(self) -> str:
        if type(self).__str__ is not object.__str__:
            return f"<{type(self).__name__}: {self}>"
        shown = (f"{key}={_short(value)}" for key, value in self.to_dict().items())
        return f"<{type(self).__name__}: {', '.join(shown)}>"

    def to_frame(self) -> "DataFrame":
        """Return the record as a data frame of one row; parts of a part are `part.name`."""
        from pandas import json_normalize

        return json_normalize(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON; what is not finite becomes null and is said so."""
        shown = [f.name for f in fields(self) if f.name not in self._private]  # type: ignore[arg-type]  # every Record is a dataclass
        record = {name: _plain(getattr(self, name)) for name in shown}
        lost = [
            name
            for name in shown
            if isinstance(value := getattr(self, name), float) and not math.isfinite(value)
        ]
        if lost:
            note = f"{', '.join(lost)} not finite, written as null."
            record["cautions"] = [*record.get("cautions", []), {"code": "not-finite", "text": note}]
        return record

    def _repr_html_(self) -> str:
        part: str = _presentation("telling").notebook_view(self)
        return part


@dataclass(frozen=True)
class Caution(Record):
    """A warning that travels with the numbers: a code for programs, a sentence for people."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


class Estimated(Record):
    """A record of something that was estimated, with an interval at any level."""

    __slots__ = ()
    interval_rule: IntervalRule | None

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Return the two-sided interval of the estimate."""
        level = require_probability(confidence_level, "confidence_level")
        if self.interval_rule is None:
            method = getattr(self, "method", type(self).__name__)
            raise invalid("result", "a result with an interval", method)
        low, high = self.interval_rule(level)
        return Interval(float(low), float(high))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON, with the 95% interval."""
        record = super().to_dict()
        if self.interval_rule is not None:
            record["confidence_interval"] = _plain(self.confidence_interval())
        return record


def _presentation(module: str) -> Any:
    """Return a module of presentation, which stands above the records and is looked up when asked."""
    return import_module(f"replicast.presentation.{module}")


def _headline(answer: Record) -> str:
    return f"<{type(answer).__name__}: {_presentation('telling').tell(answer).headline}>"


class Answer(Record):
    """A record that answers a question: it prints, explains, draws and writes itself."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Give every answer its headline as short form."""
        cls.__repr__ = _headline  # type: ignore[method-assign]  # what dataclass leaves alone

    def __str__(self) -> str:
        return str(_presentation("telling").answer(self))

    def more(self) -> str:
        """Return everything there is to say, as text: all numbers, cautions and how they were made."""
        text: str = _presentation("telling").more(self)
        return text

    def plot(self, ax: Any = None, *, figure: str | None = None) -> Any:
        """Draw the picture of this result, or another `figure` of it, and return the axes."""
        return _presentation("pictures.gallery").plot(self, ax, figure=figure)

    def report(self, path: Any, **options: Any) -> None:
        """Write this result to a file; the ending says what: html, md, tex, csv, json, svg, png, pdf."""
        _presentation("telling").write(self, path, **options)


@dataclass(frozen=True, kw_only=True)
class SignificanceResult(Estimated):
    """Evidence of one test. Positive estimates and statistics favour the first classifier.

    Attributes
    ----------
    method : str
        Key of the test in `METHODS`.
    names : tuple of str
        First and second classifier.
    n : int
        Number of differences the test used.
    estimate, standard_error : float
        The difference the test is about (see `estimand`) and its standard error, if it has one.
    statistic, df : float
        Test statistic and degrees of freedom; infinite for constant differences.
    pvalue : float
        Probability, if the classifiers were equal, of a result at least as extreme.
    lead : float
        What the test saw of the difference: positive favours the first, 0 no one. Ranks and signs
        leave zeros out; the estimate does not, and may be 0 where they see a winner.
    bound_rule : callable, optional
        From a bound to the p-values of a difference of at most and of at least it, where the interval
        is not made of them.
    exactness : str
        How the p-value was made: `exact`, `student`, `normal`, `monte-carlo` or `convention`.
    """

    method: str
    names: tuple[str, str]
    n: int
    estimand: str
    estimate: float
    standard_error: float | None
    statistic: float
    df: float | tuple[float, float] | None
    pvalue: float
    alternative: Alternative
    exactness: str
    design: Design
    scheme: str = "all"
    details: Mapping[str, float] = field(default_factory=dict)
    cautions: tuple[Caution, ...] = ()
    lead: float = field(repr=False)
    interval_rule: IntervalRule | None = field(default=None, repr=False, compare=False)
    bound_rule: BoundRule | None = field(default=None, repr=False, compare=False)

    def leans(self, significance: float) -> bool:
        """Say whether a significant result says who is better: F may reject every difference."""
        if self.lead == 0 or not isinstance(self.df, tuple):
            return self.lead != 0
        return all(map(math.isfinite, self.confidence_interval(1 - significance)))

    def __str__(self) -> str:
        return self.brief

    @property
    def brief(self) -> str:
        """The result in one line."""
        df = format_df(self.df)
        inside = f"statistic {format_number(self.statistic)}" + (f", {df}" if df else "")
        if self.design.seeds and self.design.has_split:  # which only p allows for
            inside = f"which allows for the split; seeds alone: {inside}"
        return (
            f"{self.names[0]} - {self.names[1]}: {self.estimand} {format_number(self.estimate)}, "
            f"{format_pvalue(self.pvalue)} ({self.method}, {inside}, n = {self.n})"
        )


@dataclass(frozen=True, kw_only=True)
class PosteriorResult(Record):
    """Posterior probabilities that the first is better, practically equal, or the second better."""

    method: str
    names: tuple[str, str]
    n: int
    estimate: float
    rope: float
    first_better: float
    equivalent: float
    second_better: float
    exactness: str
    design: Design
    cautions: tuple[Caution, ...] = ()

    @property
    def lead(self) -> float:
        """How much more probable it is that the first is better than that the second is."""
        return self.first_better - self.second_better

    @property
    def pvalue(self) -> float:
        """Twice the posterior probability outside the better region: comparable with a p-value.

        Without a region of practical equivalence the correlated posterior gives exactly the
        two-sided p-value of the corrected t-test.
        """
        return min(1.0, 2 * (self.equivalent + min(self.first_better, self.second_better)))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON."""
        return {**super().to_dict(), "pvalue": self.pvalue}

    def __str__(self) -> str:
        return (
            f"{self.names[0]} better {format_percent(self.first_better)}, "
            f"equivalent {format_percent(self.equivalent)}, "
            f"{self.names[1]} better {format_percent(self.second_better)} "
            f"({self.method}, region ±{self.rope:g})"
        )


@dataclass(frozen=True, kw_only=True)
class Effect(Estimated):
    """How large a difference is. Positive favours the first classifier."""

    kind: str
    symbol: str
    names: tuple[str, str]
    n: int
    estimate: float
    label: str | None
    rule: str | None
    cautions: tuple[Caution, ...] = ()
    interval_rule: IntervalRule = field(repr=False, compare=False)

    def __str__(self) -> str:
        label = f", {self.label} ({self.rule})" if self.label else ""
        return f"{self.symbol} = {format_number(self.estimate)}{label}"


@dataclass(frozen=True, kw_only=True)
class Power(Record):
    """Probability that a test is significant if the true effect is the given one.

    `power` counts both directions, as is usual; `found` only that of the effect.
    """

    power: float
    found: float
    method: str
    effect: float
    design: Design
    significance: float
    approach: str
    monte_carlo_error: float = 0.0

    def __str__(self) -> str:
        error = f" ± {format_number(self.monte_carlo_error, 2)}" if self.monte_carlo_error else ""
        return (
            f"power {format_number(self.power)}{error} for d' = {format_number(self.effect)} "
            f"({self.method}, {self.approach})"
        )
