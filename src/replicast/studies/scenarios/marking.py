"""Scenarios of one's own: code that says so by a mark, looked for before anything of it runs.

A study file is data. It may name a function of its reader's Python path, but to import a module is to
run it, so the mark is looked for in the source, and a module without it is never imported.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, TypeVar

from replicast.errors import invalid

F = TypeVar("F", bound=Callable[..., Any])
_MARK = "__replicast_scenario__"
_REMEDY = "If it is yours, put @replicast.scenario above it"


def scenario(function: F) -> F:
    """Mark a function as a scenario, so that study files may name it.

    Functions without the mark are neither imported nor called, whatever a study file says: who
    receives one need not fear it. With the mark, `module:function` is code of yours that the file
    only names.

    Parameters
    ----------
    function : callable
        A function `(levels, replicates, rng)` at the top of a module; it returns columns of equal
        length, one record a replicate, and draws all its randomness from `rng`.

    Returns
    -------
    callable
        The same function.

    Examples
    --------
    >>> from replicast import scenario
    >>> @scenario
    ... def shifted(levels, replicates, rng):
    ...     return {"differences": list(rng.normal(levels["shift"], 1, (len(replicates), 8)))}
    """
    if not inspect.isfunction(function):
        raise invalid("function", "a function written in Python", type(function).__name__)
    setattr(function, _MARK, True)
    return function


def marked_function(name: str) -> Callable[..., Any]:
    """Return the function `module:function` names; run nothing of a module without its mark."""
    module, _, function = name.partition(":")
    if module not in sys.modules and not _is_marked(module, function, name):
        raise invalid("scenario", "a function that is marked as a scenario", repr(name), _REMEDY)
    try:
        found = vars(import_module(module)).get(function)
    except Exception as error:  # whatever the user's own module may raise
        domain = "one that can be imported"
        raise invalid("scenario", domain, f"{name!r}: {type(error).__name__}: {error}") from None
    if not inspect.isfunction(found) or vars(found).get(_MARK) is not True:
        raise invalid("scenario", "a function that is marked as a scenario", repr(name), _REMEDY)
    return found


def _is_marked(module: str, function: str, name: str) -> bool:
    """Say whether the source of a module marks a function of this name."""
    spec = _find_spec(module)
    if spec is None:
        remedy = "Is its folder on the Python path?"
        raise invalid("scenario", "one of a module that is there", repr(name), remedy)
    try:
        tree = ast.parse(Path(spec.origin or "").read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False  # no source, or no Python
    marks = set(_names_of_the_mark(tree))
    return any(
        isinstance(part, ast.FunctionDef)
        and part.name == function
        and any(ast.unparse(decorator) in marks for decorator in part.decorator_list)
        for part in tree.body
    )


def _find_spec(module: str) -> ModuleSpec | None:
    """Find a module on the path; `importlib.util.find_spec` would import its packages for that."""
    path = None
    spec = None
    parts = module.split(".")
    for depth, part in enumerate(parts, start=1):
        if not part.isidentifier():
            return None
        spec = PathFinder.find_spec(".".join(parts[:depth]), path)
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or ())
    return spec


def _names_of_the_mark(tree: ast.Module) -> Iterator[str]:
    """Yield what the mark is called in a module that imports it."""
    for part in tree.body:
        origin = (part.module or "").split(".")[0] if isinstance(part, ast.ImportFrom) else ""
        for each in part.names if isinstance(part, ast.Import | ast.ImportFrom) else ():
            name = each.asname or each.name
            if isinstance(part, ast.Import) and each.name == "replicast":
                yield f"{name}.scenario"
            elif origin == "replicast" and each.name == "scenario":
                yield name
