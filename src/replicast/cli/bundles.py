"""Options that commands share: a bundle is a dataclass, which a command takes as one parameter."""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of every bundle among its parameters."""
    whole = inspect.signature(command)
    bundles: dict[str, Any] = {
        one.name: one.annotation
        for one in whole.parameters.values()
        if is_dataclass(one.annotation)
    }
    shown = []
    for one in whole.parameters.values():
        if one.name not in bundles:
            shown.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        shown += [
            inspect.Parameter(
                part.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=part.default,
                annotation=part.type,
            )
            for part in fields(bundles[one.name])
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            name: bundle(**{part.name: given.pop(part.name) for part in fields(bundle)})
            for name, bundle in bundles.items()
        }
        command(**given, **made)

    run.__signature__ = whole.replace(parameters=shown)  # type: ignore[attr-defined]  # typer reads it
    run.__annotations__ = {one.name: one.annotation for one in shown}
    return run
