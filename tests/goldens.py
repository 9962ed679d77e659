"""Golden files: numbers made by other programs, each with its birth certificate."""

import json
from pathlib import Path
from typing import Any

from replicast.studies.published import printed

FOLDER = Path(__file__).parent / "golden"


def golden(name: str) -> tuple[list[dict[str, Any]], float]:
    """Return the cases of a golden file and their relative tolerance."""
    content = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content["cases"], content["rtol"]


def published(name: str) -> dict[str, Any]:
    """Return the numbers printed in a paper."""
    return printed(name)
