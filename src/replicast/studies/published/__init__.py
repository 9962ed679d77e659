"""The papers' tables as data, and studies beside them."""

import json
from importlib.resources import files
from typing import Any


def printed(paper: str) -> dict[str, Any]:
    """Return the numbers printed in a paper: berrar_2024, bouckaert_2004, and so on."""
    path = files("replicast.studies.published").joinpath(f"{paper}.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
