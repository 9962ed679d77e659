"""Options are declared in one line each, and shared in bundles: dataclasses that commands take whole."""

import inspect
from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass
from dataclasses import field as dataclass_field
from functools import wraps
from typing import Annotated, Any

import typer

REQUIRED = dataclass_field().default


def option(meaning: str, default: Any = None, *names: str, **settings: Any) -> Any:
    """Declare an option: what it means, its default, and its names if it is not called as the field."""
    told = typer.Option(*names, help=meaning, **settings)
    return dataclass_field(default=default, metadata={"typer": told})


def argument(meaning: str, default: Any = REQUIRED) -> Any:
    """Declare an argument: what it means, and its default if it may be left out."""
    return dataclass_field(default=default, metadata={"typer": typer.Argument(help=meaning)})


class Bundle:
    """Options that commands take whole."""

    def only(self, *names: str) -> dict[str, Any]:
        """Return options by name, as the library takes them."""
        return {name: getattr(self, name) for name in names}


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of every bundle among its parameters."""
    whole = inspect.signature(command)
    bundles: dict[str, Any] = {}
    shown = []
    for one in whole.parameters.values():
        if is_dataclass(one.annotation):
            bundles[one.name] = one.annotation
            shown += [_parameter(part.name, part.type, part) for part in fields(one.annotation)]
        else:
            shown.append(_parameter(one.name, one.annotation, one.default))

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


def _parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    """Return a parameter as typer understands it."""
    if isinstance(default, Field):
        kind = Annotated[kind, default.metadata["typer"]]
        default = inspect.Parameter.empty if default.default is REQUIRED else default.default
    by_name = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, by_name, default=default, annotation=kind)
