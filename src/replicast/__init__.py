"""Compare classifiers: is A better, by how much, could the test have seen it, will it happen again?

The stub beside this file is the only list of public names. Each is imported on first use, so that
`import replicast` costs nothing.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from replicast.errors import names_extras

__version__ = "0.3.0"

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_ONE_A_LINE = _STUB.replace("(\n    ", "").splitlines()  # a long line stands in brackets
_IMPORTS = (line.split() for line in _ONE_A_LINE if line.startswith("from "))
_HOME_OF = {name: home for _, home, _, name, *_ in _IMPORTS}
_MODULES = tuple(name for name, home in _HOME_OF.items() if home == "replicast")

__all__ = ["__version__", *(name for name in _HOME_OF if name not in _MODULES)]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'replicast' has no attribute {name!r}")
    with names_extras():
        if name in _MODULES:
            return import_module(f"replicast.{name}")
        value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_MODULES]
