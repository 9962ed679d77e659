"""A result as one row of numbers, for spreadsheets and scripts."""

from collections.abc import Mapping
from typing import Any

from replicast.comparison.records import Comparison, ManyComparison
from replicast.design import format_design
from replicast.judging.records import Judgement
from replicast.presentation.pictures.audit import audit_figure
from replicast.presentation.pictures.behind import as_csv
from replicast.presentation.pictures.figure import Data
from replicast.presentation.pictures.standings import pairs_data
from replicast.replicability.records import Audit
from replicast.results import Record, SignificanceResult


def numbers_csv(result: Record) -> str:
    """Return a result as CSV: pairs of many classifiers as rows, anything else as one row."""
    if isinstance(result, ManyComparison):
        return as_csv(pairs_data(result))
    if isinstance(result, Comparison):
        return as_csv(_comparison(result))
    if isinstance(result, Judgement):
        return as_csv(_judgement(result))
    if isinstance(result, Audit):
        return as_csv(audit_figure(result).data)
    return as_csv(_row(_flat(result.to_dict())))


def _flat(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the numbers and words of a record, those of its parts as `part_name`."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}_")
        elif not isinstance(value, list) or all(isinstance(part, int | float) for part in value):
            flat[f"{prefix}{name}"] = value
    return flat


def _comparison(found: Comparison) -> Data:
    """Return one comparison: both scores, difference, evidence, effect, power and replication."""
    scores, evidence, again = found.scores, found.evidence, found.replication
    low, high = found.difference.confidence_interval()
    columns: dict[str, Any] = {
        "first": scores.names[0],
        "second": scores.names[1],
        "dataset": scores.dataset,
        "design": format_design(scores.design),
        "n": evidence.n,
        "first_score": float(scores.first.mean()),
        "second_score": float(scores.second.mean()),
        "difference": found.difference.estimate,
        "difference_low": low,
        "difference_high": high,
        "test": evidence.method,
        "statistic": evidence.statistic if isinstance(evidence, SignificanceResult) else None,
        "p": evidence.pvalue,
        "effect": found.effect.estimate,
        "effect_kind": found.effect.kind,
        "power": found.power.power,
    }
    if again is not None:
        columns |= {
            "relation": again.relation,
            "replication": again.probability,
            "replication_opposite": again.opposite,
            "replication_close": again.by_relation.close,
            "replication_any": again.by_relation.any,
            "berrar_2024": again.as_published,
        }
    return _row(columns)


def _judgement(found: Judgement) -> Data:
    """Return a judged replication: both estimates, the verdict, and every measure of success."""
    return _row(
        {
            "first": found.names[0],
            "second": found.names[1],
            "outcome": found.outcome,
            "original": found.original.estimate,
            "original_se": found.original.standard_error,
            "original_p": found.original.pvalue,
            "replication": found.replication.estimate,
            "replication_se": found.replication.standard_error,
            "replication_p": found.replication.pvalue,
            "forecast": found.forecast.probability,
            "log_score": found.forecast.log_score,
            **found.estimates.to_dict(),
        }
    )


def _row(columns: dict[str, Any]) -> Data:
    """Return columns of one row; parts become columns of their own, what is unknown is empty."""
    flat: dict[str, str | float | int] = {}
    for name, value in columns.items():
        if isinstance(value, list | tuple):
            ends = ("low", "high") if len(value) == 2 else map(str, range(1, len(value) + 1))
            flat |= {f"{name}_{end}": part for end, part in zip(ends, value, strict=True)}
        else:
            flat[name] = "" if value is None else value
    return Data(tuple(flat), (tuple(flat.values()),))
