"""The studies that come with the package, as `library.toml` has them."""

import tomllib
from importlib.resources import files

from replicast.errors import invalid, nearest
from replicast.studies.plan import Study

_TEXT = files("replicast.studies").joinpath("library.toml").read_text(encoding="utf-8")
STUDIES = {
    name: Study.from_dict({"name": name, **content})
    for name, content in tomllib.loads(_TEXT).items()
}


def find_study(name: str) -> Study:
    """Return a study by its name."""
    if name in STUDIES:
        return STUDIES[name]
    names = tuple(STUDIES)
    raise invalid(
        "study", f"one of {', '.join(names)}, or a .toml file", repr(name), nearest(name, names)
    )
