"""What is wrong with a field, as it is said beside the field itself."""

import re

from replicast.web.forms import Mistake

_SENTENCE = re.compile(
    r"`(?P<name>\w+)` must be (?P<domain>.*?), got (?P<got>.*?)\.(?: (?P<advice>.*))?$", re.S
)
_INSTANCES = {
    "t": "2.9", "z": "2.1", "wins": "29", "pvalue": "0.03", "first_only": "40", "second_only": "20",
    "cases": "500", "folds": "10", "datasets": "20", "splits": "30", "n_train": "900",
    "n_test": "100", "seeds": "10", "points": "2.4", "sd": "2", "estimate": "3.1", "se": "1.2",
    "replication_estimate": "2.0", "replication_se": "1.0",
}  # fmt: skip


def at_field(mistake: Mistake) -> str:
    """Say a mistake beside its field, which needs no name there.

    Examples
    --------
    >>> at_field(Mistake("datasets", "`datasets` must be given, got nothing."))
    'Give a number, for instance 20.'
    >>> at_field(Mistake("folds", "`folds` must be a whole number from 2 to 1,000, got '1'."))
    "This must be a whole number from 2 to 1,000, not '1'."
    """
    found = _SENTENCE.match(mistake.text)
    if found is None or found["name"] != mistake.field:
        return mistake.text.replace("`", "")
    domain, got, advice = (found[part] or "" for part in ("domain", "got", "advice"))
    if mistake.field == "request":
        said = f"There is no field {got}."
    elif got in ("nothing", "none") and mistake.field in _INSTANCES:
        said, advice = f"Give a number, for instance {_INSTANCES[mistake.field]}.", ""
    else:
        got = got.removesuffix(".0")
        said = f"This must be {domain}{'' if got in ('nothing', 'none') else f', not {got}'}."
    return f"{said} {advice}".strip().replace("`", "")
