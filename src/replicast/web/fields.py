"""What is wrong with a field, as it is said beside the field itself."""

from replicast.errors import InvalidContentError
from replicast.web.mistakes import Mistake, name_field

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
