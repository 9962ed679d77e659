"""Write the table of rooms in docs/architecture.md from the import contract and the docstrings.

    python docs/make_architecture.py

The layers are those of `[tool.importlinter]` in pyproject.toml; what a room is for is the first line of
its docstring. A test checks that the page is up to date.
"""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "replicast"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms: made by docs/make_architecture.py -->", "<!-- end of rooms -->"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page with its table made anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END, 1)[1]}"


def table() -> str:
    """Return one row for each room, the highest layer first."""
    lines = ["| layer | room | what for |", "|---|---|---|"]
    layers = contract()
    for number, rooms in zip(range(len(layers) - 1, -1, -1), layers, strict=True):
        lines += [f"| {number} | {_name(room)} | {_reason(room)} |" for room in rooms]
    return "\n".join(lines)


def contract() -> list[list[str]]:
    """Return the rooms of each layer, the highest layer first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers")
    return [[room.strip() for room in layer.split("|")] for layer in layers]


def _name(room: str) -> str:
    return f"`{room}/`" if (PACKAGE / room).is_dir() else f"`{room}`"


def _reason(room: str) -> str:
    folder = PACKAGE / room
    if not folder.is_dir():
        return _first_line(folder.with_suffix(".py"))
    inside = sorted(
        f"`{item.stem}`" if item.is_file() else f"`{item.name}/`"
        for item in folder.iterdir()
        if (item.suffix == ".py" and item.stem != "__init__") or (item / "__init__.py").exists()
    )
    return f"{_first_line(folder / '__init__.py')} Inside: {', '.join(inside)}"


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.splitlines()[0].replace("|", "\\|")


if __name__ == "__main__":
    main()
