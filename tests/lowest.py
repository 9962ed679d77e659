"""Print the lowest versions that pyproject.toml allows, as constraints for pip: `make test-lowest`."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lowest(requirements: list[str]) -> list[str]:
    """Return `name==version` for every requirement with a lower bound."""
    found = []
    for requirement in requirements:
        parts = re.match(
            r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*>=\s*([0-9][0-9A-Za-z.]*)", requirement
        )
        if parts:
            found.append(f"{parts[1]}=={parts[2]}")
    return found


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    used = [one for extra in ("run", "files", "web", "cluster") for one in extras[extra]]
    for line in sorted(set(lowest([*project["dependencies"], *used]))):
        print(line)
