"""replicast judge and replicast ledger: a replication that was made, and how forecasts fared."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicast.cli.bundles import Bundle, argument, option
from replicast.cli.options import METHOD, Pair, Reading
from replicast.cli.output import Output, show
from replicast.cli.terminal import app
from replicast.cli.words import read_number, read_pairs, read_pvalue, read_two

if TYPE_CHECKING:
    from replicast.judging.experiments import Experiment


@dataclass(frozen=True, kw_only=True)
class Judging(Bundle):
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
    def numbers(self) -> list[Any]:
        """The experiments that are given as numbers."""
        given = self.only("original", "replication")
        return [_numbers(text, name) for name, text in given.items() if text is not None]


@app.command()
def judge(
    tables: list[Path] = argument("Scores of the original, then of the replication.", ()),
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

    given, account = judging.numbers, ()
    first, second = models.names
    if len(given) + len(tables) != 2 or (given and tables):
        got = f"{len(tables)} tables" + (" and numbers" if given else "")
        raise invalid("tables", "two files, or `original` and `replication`", got)
    if tables:
        inquiries = [reading.inquiry([one], models.names, assume=False) for one in tables]
        given = [inquiry.table() for inquiry in inquiries]
        account = (*given[0].account, *given[1].account)
        first, second = inquiries[0].choose(given[0].classifiers)
    judgement = judge_pair(
        *given,
        first=first,
        second=second,
        dataset=reading.dataset,
        **judging.only("method", "significance", "data", "data_factor"),
    )
    if ledger is not None:
        judgement = Ledger(ledger).record(judgement)
    show(judgement, output, account)


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
