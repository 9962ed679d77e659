"""Files of scores on the command line: the options all commands share, and what was read."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replicast.cli.bundles import Bundle, option
from replicast.cli.words import read_number, read_pairs

if TYPE_CHECKING:
    from replicast.comparison.finding import Finding
    from replicast.comparison.inquiry import Inquiry, Names
    from replicast.scores.pairs import PairedScores

Files = Annotated[
    list[Path],
    typer.Argument(
        help="One file of scores or several: CSV, Excel, JSON, Parquet, ARFF, logs and others; "
        "- is standard input."
    ),
]
RELATION = (
    "How the two are related: close (rivals, the best against the runner-up), any (two methods picked "
    "regardless of rank), or unknown."
)
UNIT = (
    "Unit of that difference: points, or fraction, where 0.02 means two points. Default: points; below "
    "0.1 you are asked."
)
LEVEL = "Level of the test."
METHOD = "Test to use. Default: the one recommended for the design."
BY = "A column of slices, such as language: all cases first, then every slice."
_FEWEST_POINTS = 0.1  # fewer were probably meant as a fraction
_COLUMNS = ("classifier", "dataset", "run", "fold", "score", "case", "answer", "cluster", "note")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The options that name two classifiers."""

    first: str | None = option("First classifier.")
    second: str | None = option("Second classifier.")

    @property
    def names(self) -> tuple[str | None, str | None]:
        """Both names, as far as they were given."""
        return self.first, self.second


@dataclass(frozen=True, kw_only=True)
class Reading(Bundle):
    """The options by which files are read: every command that reads scores has all of them."""

    design: str | None = option(
        "How the scores arose, e.g. datasets, kfold:folds=10, repeated-kfold:runs=10,folds=10, 5x2, "
        "seeds:count=5, or seeds:count=5,split=none where nothing is split into training and test "
        "data. Default: from the columns."
    )
    dataset: str | None = option("Use this dataset only.")
    metric: str | None = option("Which measure, where a file has several.")
    missing: str = option(
        "What to do about missing scores: share (compare on what is there; gate, judge and stop refuse "
        "gaps), refuse, drop-dataset, drop-classifier or drop-case.",
        "share",
    )
    columns: str | None = option(
        "What columns of other names hold, e.g. classifier=params.model,fold=params.fold."
    )
    greater_is_better: bool | None = option(
        "Which scores are better, where the measure's name does not tell.",
        None,
        "--higher-is-better/--lower-is-better",
        show_default=False,
    )
    rows: str | None = option("What a row is: datasets or classifiers.")
    where: str | None = option(
        "Keep rows with these values, or with others: split=test,dataset!=wine."
    )
    sheet: str | None = option("Which sheet of a workbook.")

    @property
    def told(self) -> dict[str, Any]:
        """What was said about a file, by option; the design may be that of a paper's number."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in given.items() if name not in ("design", "missing")}

    def inquiry(
        self, files: list[Path], names: "Names" = (None, None), *, assume: bool = True, **about: Any
    ) -> "Inquiry":
        """Return what is asked about two models of files; `about` may say by which measure."""
        from replicast.comparison.inquiry import Inquiry
        from replicast.design import parse_design
        from replicast.reading.requests import Request

        request = Request(
            **self.only("metric", "missing", "greater_is_better", "rows", "sheet", "dataset"),
            design=parse_design(self.design) if self.design else None,
            where=read_pairs(self.where, "where", "split=test"),
            assume=assume,
            **column_names(self.columns),
        )
        return Inquiry(files[0] if len(files) == 1 else files, request, names=names, **about)


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """The options by which predictions are measured."""

    measure: str | None = option(
        "Compare predictions, with the truth, by a measure: of classes (accuracy, balanced-accuracy, "
        "f1, macro-f1, mcc, kappa), of scores and probabilities (auc, auc-ovr, average-precision, "
        "brier, log-loss, ece), of numbers (mse, mae, r2), wer, c-index, pass@k; several with commas, "
        "or all."
    )
    positive: str | None = option(
        "The positive class for --measure, where classes are not 0 and 1."
    )


@dataclass(frozen=True, kw_only=True)
class Tasks:
    """The options of several tasks: a sample of others, or these very ones."""

    tasks: str | None = option(
        "Cases of several datasets or tasks: sample (others might have been chosen), fixed (these very "
        "ones, each with the same weight), or weights, e.g. maths=2,law=1. Default: sample."
    )
    scaling: str | None = option(
        "Scores of fixed tasks: range (0 is the lowest of a task, 1 the highest) or none."
    )

    def of(self, inquiry: "Inquiry") -> "Inquiry":
        """Return the question about these tasks; a word may be all that is told of them."""
        from replicast.errors import refuse_beside

        if self.tasks is not None:
            inquiry = replace(inquiry, request=replace(inquiry.request, by_dataset=True))
        if self.tasks in (None, "sample"):
            refuse_beside("tasks=sample", {"scaling": self.scaling})
            return inquiry
        scaling: Any = self.scaling  # checked where tasks are compared
        return replace(inquiry, tasks=self._weights, scaling=scaling)

    @property
    def _weights(self) -> dict[str, float]:
        """The weights of fixed tasks, by name; none where all have the same."""
        from replicast.errors import invalid

        if self.tasks == "fixed":
            return {}
        given = read_pairs(self.tasks, "tasks", "maths=2,law=1, or sample or fixed")
        try:
            return {task: read_number(value) for task, value in given.items()}
        except ValueError:
            domain = "weights that are numbers, e.g. maths=2,law=1"
            raise invalid("tasks", domain, repr(self.tasks)) from None


def in_scores(
    amount: float | None, seen: "PairedScores | Finding", argument: str, unit: str | None
) -> Any:
    """Return a difference told in points as one of scores; ask where it may be a fraction."""
    from replicast.comparison.finding import Finding
    from replicast.errors import invalid, require_choice
    from replicast.reading.vocabulary.units import point_of

    point = seen.point if isinstance(seen, Finding) else point_of(seen)
    if unit is not None:
        require_choice(unit, "unit", ("points", "fraction"))
        if point is None:
            raise invalid("unit", "left out for scores without points", repr(unit))
    if amount is None or point is None:
        return amount
    points = amount * (100 if unit == "fraction" else 1)
    if points >= 100:
        raise invalid(argument, "below 100 points", amount)
    if unit is None and 0 < amount < _FEWEST_POINTS:
        remedy = (
            f"Are {amount:g} points meant, or {100 * amount:g}? Say `--unit points` for the one, "
            "`--unit fraction` for the other"
        )
        raise invalid(argument, "a number of points, such as 2", amount, remedy)
    return points * point


def column_names(text: str | None) -> dict[str, Any]:
    """Read columns that were named by what they are for, e.g. classifier=model."""
    from replicast.errors import invalid, nearest

    named = read_pairs(text, "columns", "classifier=model")
    for word, role in (("seed", "run"), ("model", "classifier")):  # by the word in their file
        if word in named and role not in named:
            named[role] = named.pop(word)
    for role in named:
        if role not in _COLUMNS:
            domain = f"about {', '.join(_COLUMNS)}"
            raise invalid("columns", domain, repr(role), nearest(role, _COLUMNS))
    return {f"{role}_column": column for role, column in named.items()}
