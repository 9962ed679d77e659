"""The sentence for each thing that a request may not ask, at the field it belongs to."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from replicast.errors import (
    InvalidArgumentError,
    InvalidContentError,
    ReplicastError,
    invalid,
    nearest,
    shorten,
)
from replicast.formatting import EITHER
from replicast.web.forms import Question


@dataclass(frozen=True)
class Mistake:
    """A sentence, the field it belongs to and, where there is one, the error with its parts."""

    field: str
    text: str
    error: InvalidArgumentError | None = None


class MistakesError(ReplicastError):
    """A request that cannot be answered, with a sentence at every field concerned."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(" ".join(mistake.text for mistake in self.mistakes))


Kind = TypeVar("Kind", bound=Question)
_FIELDS = {
    "count": "datasets",
    "source": "table",
    "greater_is_better": "direction",
    "sds": "first_sd",
    "means": "first_mean",
    "cluster_column": "cluster",
    "rows": "layout",
    "design": "rows",
}

_INSTANCES = {
    "t": "2.9",
    "z": "2.1",
    "wins": "29",
    "pvalue": "0.03",
    "first_only": "40",
    "second_only": "20",
    "cases": "500",
    "folds": "10",
    "datasets": "20",
    "splits": "30",
    "n_train": "900",
    "n_test": "100",
    "seeds": "10",
    "points": "2.4",
    "sd": "2",
    "estimate": "3.1",
    "se": "1.2",
    "replication_estimate": "2.0",
    "replication_se": "1.0",
    "first_mean": "93.4",
    "second_mean": "92.1",
    "first_sd": "1.2",
    "second_sd": "1.0",
}


def parse(kind: type[Kind], fields: Mapping[str, str]) -> Kind:
    """Read the fields of a form; an empty one was not filled in."""
    filled = {name: text.strip() for name, text in fields.items() if text.strip()}
    try:
        return kind.model_validate(filled)
    except ValidationError as error:
        raise MistakesError(mistakes_of(kind, error.errors())) from None


def mistakes_of(kind: type[BaseModel] | None, errors: Iterable[Any]) -> list[Mistake]:
    """Put what pydantic found into the standard sentence, one for each field."""
    found: dict[str, Mistake] = {}
    for error in errors:
        path = [part for part in error["loc"] if part not in ("query", "body", "path")]
        unknown = error["type"] == "extra_forbidden"
        field = "request" if unknown or not path else str(path[0])
        told = _error(kind, str(path[0]) if path else "request", error)
        found.setdefault(field, Mistake(field, str(told), told))
    return list(found.values())


def _error(
    kind: type[BaseModel] | None, field: str, error: Mapping[str, Any]
) -> InvalidArgumentError:
    fields = {} if kind is None else kind.model_fields
    got = error.get("input")
    if error["type"] == "extra_forbidden" and fields:
        names = tuple(fields)
        domain = f"made of {', '.join(names)}"
        return invalid("request", domain, shown(field), nearest(field, names))
    if field not in fields:
        return invalid(field, "as the description of the interface says", shown(got))
    remedy = EITHER if isinstance(got, str) and re.fullmatch(r"-?\d*,\d+", got) else ""
    return invalid(field, domain_of(fields[field]), shown(got), remedy)


def shown(value: object) -> str:
    """Write what came, at most 60 letters of it."""
    return shorten(repr(value))


def domain_of(field: FieldInfo) -> str:
    """Say what a field may be, from its type and its limits.

    Examples
    --------
    >>> from replicast.web.forms import PaperQuestion
    >>> domain_of(PaperQuestion.model_fields["folds"])
    'a whole number from 2 to 1,000'
    >>> domain_of(PaperQuestion.model_fields["pvalue"])
    'a number between 0 and 1'
    """
    schema = without_null(TypeAdapter(field.rebuild_annotation()).json_schema())
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] == "string":
        return f"text of at most {schema['maxLength']} letters"
    word = "a whole number" if schema["type"] == "integer" else "a number"
    if "exclusiveMaximum" in schema:
        return f"{word} between {schema['exclusiveMinimum']:g} and {schema['exclusiveMaximum']:g}"
    if "exclusiveMinimum" in schema:
        most = _plain(schema["maximum"])
        return f"{word} above {schema['exclusiveMinimum']:g} and at most {most}"
    return f"{word} from {_plain(schema['minimum'])} to {_plain(schema['maximum'])}"


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Describe a field of a form, which is left out where it says nothing; there is no null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) != 1:
        return schema
    kept = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return {**kept, **kinds[0]}


def _plain(limit: float) -> str:
    return f"{limit:,.0f}" if limit == int(limit) else f"{limit:g}"


def name_field(argument: str, value: str | None = None) -> str:
    """Write an argument of the library as the field of the form that it came from."""
    field = _FIELDS.get(argument, argument)
    return field if value is None else f"{field} = {value}"


def mistakes_in(error: ReplicastError, fallback: str) -> tuple[Mistake, ...]:
    """Place the library's sentence at a field of the form, in the form's words."""
    if isinstance(error, MistakesError):
        return error.mistakes
    if isinstance(error, InvalidArgumentError):
        return (Mistake(name_field(error.argument), error.sentence(name_field), error),)
    return (Mistake(fallback, str(error)),)


def at_field(mistake: Mistake) -> str:
    """Say a mistake beside its field, which needs no name there.

    Examples
    --------
    >>> from replicast.errors import invalid
    >>> at_field(Mistake("datasets", "", invalid("datasets", "given", "nothing")))
    'Give a number, for instance 20.'
    >>> at_field(Mistake("folds", "", invalid("folds", "a whole number from 2 to 1,000", "'1'")))
    "This must be a whole number from 2 to 1,000, not '1'."
    """
    error = mistake.error
    if error is None or isinstance(error, InvalidContentError):
        return mistake.text.replace("`", "")
    absent, advice = error.got in ("nothing", "none"), error.advice(name_field)
    if mistake.field == "request" and error.domain.startswith("made of"):
        said = f"There is no field {error.got}."
    elif absent and mistake.field in _INSTANCES:
        said, advice = f"Give a number, for instance {_INSTANCES[mistake.field]}.", ""
    else:
        came = "" if absent else f", not {error.got.removesuffix('.0')}"
        said = f"This must be {error.domain}{came}."
    return f"{said} {advice}".strip().replace("`", "")
