"""replicast judge and replicast ledger: a replication that was made, and how forecasts fared."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicast.cli.bundles import argument, option
from replicast.cli.options import METHOD, Pair, Reading
from replicast.cli.output import Output, show
from replicast.cli.terminal import app
from replicast.cli.words import read_number, read_pairs, read_pvalue, read_two

if TYPE_CHECKING:
    from replicast.judging.experiments import Experiment


@dataclass(frozen=True, kw_only=True)
class Judging:
    """The options of a judgement."""

    original: str | None = option(
        "Numbers instead: estimate and standard error as 3.1,1.2; or t=2.9,folds=10."
    )
    replication: str | None = option("The same of the replication, e.g. 2.0,1.0.")
    method: str | None = option(METHOD)
    significance: float = option("Level of the tests.", 0.05)
    data: str = option(
        "fresh: the second table holds other data, whatever the names say.", "unknown"
    )
    data_factor: float = option(
        "Times the data of the original, for cross-validation.", 1.0, "--times"
    )

    @property
    def options(self) -> dict[str, Any]:
        """What the library takes under the same names."""
        names = ("method", "significance", "data", "data_factor")
        return {name: getattr(self, name) for name in names}


@app.command()
def judge(
    tables: list[Path] | None = argument("Scores of the original, then of the replication.", None),
    *,
    models: Pair,
    judging: Judging,
    reading: Reading,
    ledger: Path | None = option("File that collects forecasts and outcomes."),
    output: Output,
) -> None:
    """Judge a replication that was made: did it happen again, and was that to be expected?

    Examples
    --------
      replicast judge original.csv replication.csv --first new --second old

      replicast judge --original 3.1,1.2 --replication 2.0,1.0

      replicast judge --original t=2.9,folds=10 --replication t=2.1,folds=10 --ledger forecasts.jsonl
    """
    from replicast.errors import invalid
    from replicast.judging.judge import judge as judge_pair
    from replicast.judging.ledger import Ledger

    account: tuple[str, ...] = ()
    first, second = models.names
    told = [(name, getattr(judging, name)) for name in ("original", "replication")]
    numbers = [_numbers(text, name) for name, text in told if text is not None]
    sides: list[Any] = numbers
    if not numbers and len(tables or ()) == 2:
        inquiries = [reading.inquiry([one], models.names, assume=False) for one in tables or ()]
        sides = [inquiry.table() for inquiry in inquiries]
        account = (*sides[0].account, *sides[1].account)
        first, second = inquiries[0].choose(sides[0].classifiers)
    elif len(numbers) != 2 or tables:
        got = f"{len(tables or ())} tables" + (" and numbers" if numbers else "")
        raise invalid("tables", "two files, or `original` and `replication`", got)
    found = judge_pair(
        *sides, first=first, second=second, dataset=reading.dataset, **judging.options
    )
    if ledger is not None:
        found = Ledger(ledger).record(found)
    show(found, output, account)


def _numbers(text: str, argument: str) -> "Experiment":
    """Read an estimate with its standard error, or a statistic with its design."""
    from replicast.errors import invalid, require_choice
    from replicast.replication.reported import REPORTED, SETTINGS, read_reported

    if "=" not in text:
        domain = (
            "estimate and standard error such as 3.1,1.2, or a statistic such as t=2.9,folds=10"
        )
        return read_two(text, argument, domain)
    known = {name for row in REPORTED.values() for name in (*row.fields, *row.options)}
    known |= {name for names in SETTINGS.values() for name in names} - {"design"}
    given: dict[str, Any] = {**dict.fromkeys(known), "runs": 1, "test": "unknown"}
    for name, value in read_pairs(text, argument, "t=2.9,folds=10").items():
        require_choice(name, argument, tuple(sorted(known)))
        try:
            given[name] = _READERS.get(name, _read_plain)(value)
        except ValueError:
            raise invalid(argument, f"a statistic such as {name}=2", repr(value)) from None
    return read_reported(given)


def _read_plain(text: str) -> float | int:
    """Read a number, whole where it is."""
    number = read_number(text)
    return int(number) if number.is_integer() else number


_READERS: dict[str, Callable[[str], Any]] = {
    "test": str.strip,
    "model": str.strip,
    "pvalue": read_pvalue,
}


@app.command()
def ledger(
    file: Path = argument("Ledger that `judge --ledger` writes."),
    *,
    output: Output,
) -> None:
    """How well calibrated were the forecasts of a ledger?

    Examples
    --------
      replicast ledger forecasts.jsonl
    """
    from replicast.errors import invalid
    from replicast.judging.ledger import Ledger

    if not file.exists():
        raise invalid("file", "a ledger", f"{file}, which is not there")
    show(Ledger(file).calibration(), output)
