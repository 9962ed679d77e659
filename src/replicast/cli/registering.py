"""Plans registered beforehand: written by `plan`, checked and quoted by the commands that judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replicast.cli.terminal import note

if TYPE_CHECKING:
    from replicast.design import Design
    from replicast.judging.registered import RegisteredPlan
    from replicast.replication.records import Plan
    from replicast.results import Caution
    from replicast.scores.pairs import PairedScores

PlanFile = Annotated[
    Path | None, typer.Option("--plan", help="Plan registered with `plan --register`.")
]


def read_plan(path: Path | None) -> "RegisteredPlan | None":
    """Read the plan, if there is one, and quote it."""
    if path is None:
        return None
    from replicast.judging.registered import RegisteredPlan

    found = RegisteredPlan.read(path)
    note(str(found))
    return found


def settle(plan: "RegisteredPlan | None", option: str, given: Any, default: Any = None) -> Any:
    """Return an option as given or as planned; a value that is the default was not given."""
    if plan is None:
        return default if given is None else given
    return plan.settle(option, None if given == default else given)


def departures(plan: "RegisteredPlan | None", scores: "PairedScores") -> "tuple[Caution, ...]":
    """Say where the data are not those of the plan."""
    return () if plan is None else plan.departures(scores)


def register(path: Path, planned: "Design | Plan", **content: Any) -> None:
    """Write a plan to a new file, and quote it."""
    from replicast.errors import invalid
    from replicast.judging.registered import RegisteredPlan
    from replicast.replication.records import Plan

    for option in ("first", "second"):
        if content[option] is None:
            raise invalid(option, "given with `register`", "nothing", "Say which pair is planned")
    if isinstance(planned, Plan):
        del content["significance"]  # the plan has it
        plan = RegisteredPlan.of(planned, **content)
    else:
        plan = RegisteredPlan(design=planned, **content)
    plan.write(path)
    note(f"{plan} Written to {path}; it is not to be changed.")
