"""The map of the house is drawn from the house."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location(
    "make_architecture", ROOT / "docs" / "make_architecture.py"
)
assert spec is not None
assert spec.loader is not None
make_architecture = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_architecture)


def test_the_table_of_rooms_is_that_of_the_contract() -> None:
    written = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert written == make_architecture.page(), "run docs/make_architecture.py"


def test_every_module_is_in_a_layer() -> None:
    package = ROOT / "src" / "replicast"
    rooms = {room for layer in make_architecture.contract() for room in layer}
    modules = {file.stem for file in package.glob("*.py")} - {"__init__"}
    packages = {file.parent.name for file in package.glob("*/__init__.py")}
    assert rooms == modules | packages
    assert len(modules) <= 12
