"""A plan written down before the data are seen, and held against them afterwards."""

import json
import tomllib
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from replicast.design import (
    Design,
    describe_design,
    parse_design,
    require_design,
)
from replicast.errors import (
    InvalidArgumentError,
    InvalidContentError,
    invalid,
    require_choice,
    require_instance,
    require_path,
    require_positive,
    require_probability,
)
from replicast.inference.methods import METHODS, default_method
from replicast.judging.journal import digest
from replicast.judging.records import GOALS
from replicast.replication.records import Plan
from replicast.results import Caution, Record
from replicast.scores.pairs import PairedScores

_HASH_LENGTH = 16
_NOTE = "# Registered before the data were seen. Do not edit: the hash would no longer fit.\n"


@dataclass(frozen=True, kw_only=True)
class RegisteredPlan(Record):
    """What will be compared, how, and with how much data.

    Attributes
    ----------
    first, second : str
        The pair; for a gate, candidate and baseline.
    design : Design
        The experiment, with its size.
    method : str
        Key of the test in `METHODS`; by default the one recommended for the design.
    goal, margin : str and float, optional
        Of a gate; the margin in points where scores are fractions or percent.
    chance, data_factor : float, optional
        Chance of replication the size was planned for, and how many times the first one's data that
        takes, where one dataset is to be larger.
    registered : str
        When.
    """

    first: str
    second: str
    design: Design
    method: str = ""
    significance: float = 0.05
    goal: str | None = None
    margin: float | None = None
    chance: float | None = None
    data_factor: float | None = None
    registered: str = ""

    def __post_init__(self) -> None:
        for name in ("first", "second", "method", "registered"):
            object.__setattr__(self, name, require_instance(getattr(self, name), str, name))
        if self.first == self.second:
            raise invalid("second", "another classifier than `first`", repr(self.second))
        object.__setattr__(self, "design", require_design(self.design))
        if self.design.n_scores is None:
            remedy = "Say how many, for instance datasets:count=20 or holdout:cases=500"
            raise invalid("design", "a design with its size", str(self.design), remedy)
        object.__setattr__(self, "method", self.method or default_method(self.design))
        require_choice(self.method, "method", tuple(METHODS))
        require_probability(self.significance, "significance")
        if self.chance is not None:
            require_probability(self.chance, "chance")
        if self.margin is not None:
            require_positive(self.margin, "margin", "a positive difference of scores")
            object.__setattr__(self, "goal", self.goal or "not-worse")
        if self.goal is not None:
            require_choice(self.goal, "goal", GOALS)
        if not self.registered:
            object.__setattr__(self, "registered", datetime.now(UTC).isoformat(timespec="seconds"))

    @classmethod
    def of(cls, plan: Plan, **content: Any) -> Self:
        """Register the size that a plan came to; one that cannot be reached is refused."""
        require_instance(plan, Plan, "plan", "Make one with plan")
        if plan.needed is None:
            raise invalid("register", "left out where no size is enough", str(plan))
        design, factor = plan.design.grow(plan.vary, plan.needed)
        return cls(
            design=design,
            significance=plan.significance,
            chance=plan.probability,
            data_factor=None if factor == 1 else factor,
            **content,
        )

    @property
    def hash(self) -> str:
        """Fingerprint of everything the plan says."""
        return digest(self.to_dict(), _HASH_LENGTH)

    def to_toml(self) -> str:
        """Write the plan as a file."""
        lines = [f"{name} = {json.dumps(value)}" for name, value in self._told().items()]
        return f"{_NOTE}[plan]\n" + "\n".join(lines) + f'\nhash = "{self.hash}"\n'

    def _told(self) -> dict[str, Any]:
        return {name: value for name, value in self.to_dict().items() if value is not None}

    def write(self, path: str | Path) -> None:
        """Write the plan to a new file; one that is there is not replaced."""
        path = require_path(path, "register")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(self.to_toml())
        except FileExistsError:
            remedy = "A registered plan is not replaced; choose another name"
            raise invalid("register", "a new file", path.name, remedy) from None
        except OSError as error:
            raise invalid(
                "register", "a file that can be written", f"{path}: {error.strerror}"
            ) from None

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a plan; one that was edited is refused."""
        path = require_path(path, "plan")
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))["plan"]
            told = {f.name: content[f.name] for f in fields(cls) if f.name in content}
            plan = cls(**{**told, "design": parse_design(told["design"])})
        except OSError as error:
            raise invalid("plan", "a file that can be read", f"{path}: {error.strerror}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InvalidArgumentError):
                raise
            raise InvalidContentError(path.name, "a plan registered by replicast", "something else",
                                      argument="plan") from None  # fmt: skip
        if content.get("hash") != plan.hash or set(content) - set(told) != {"hash"}:
            raise InvalidContentError(
                path.name, f"the hash {plan.hash}", content.get("hash"),
                "The plan was edited after it was registered", "plan",
            )  # fmt: skip
        return plan

    def departures(self, scores: PairedScores) -> tuple[Caution, ...]:
        """Say where data are not those of the plan; another pair is refused."""
        require_instance(scores, PairedScores, "scores")
        if scores.names != (self.first, self.second):
            pair = " against ".join(scores.names)
            raise invalid("plan", f"about {pair}", f"one about {self.first} against {self.second}")
        if scores.design == self.design:
            return ()
        planned, made = describe_design(self.design), describe_design(scores.design)
        return (Caution("departs-from-plan", f"The plan was {planned}; the data are {made}."),)

    def settle(self, option: str, given: object) -> Any:
        """Return what the plan says about an option; one that says otherwise is refused."""
        planned = getattr(self, require_choice(option, "option", [f.name for f in fields(self)]))
        same = not getattr(given, "ndim", 0) and given == planned
        if given is not None and planned is not None and not same:
            domain = f"{planned}, as registered on {self.registered[:10]}"
            raise invalid(option, domain, given, "Leave it out, or leave out `plan`")
        return given if planned is None else planned

    def __str__(self) -> str:
        aim = "" if self.margin is None else f", {self.goal} at a margin of {self.margin:g}"
        times = "" if self.data_factor in (None, 1) else f" on {self.data_factor:g} times the data"
        return (
            f"Registered on {self.registered[:10]} (plan {self.hash}): {self.first} against "
            f"{self.second}, {describe_design(self.design)}{times}, "
            f"{METHODS[self.method].titled(self.design)} at {self.significance:g}{aim}."
        )
