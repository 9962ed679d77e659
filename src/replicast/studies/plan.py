"""A study is a value: a scenario, its factors, and how often each cell is repeated."""

import hashlib
import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Self

import numpy as np

from replicast.errors import InvalidContentError, invalid

Level = int | float | str
_KEY_LENGTH = 12


@dataclass(frozen=True)
class Cell:
    """One combination of levels. Its key depends on the levels alone, so adding some renames none."""

    levels: Mapping[str, Level]

    @property
    def key(self) -> str:
        """Short name made from the levels."""
        return _digest(dict(self.levels))[:_KEY_LENGTH]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.levels.items()) or "all"


@dataclass(frozen=True)
class Block:
    """Consecutive replicates of a cell: the unit that is computed, stored and resumed."""

    cell: Cell
    start: int
    stop: int

    @property
    def key(self) -> str:
        """Name of the block in a store."""
        return f"{self.cell.key}-{self.start:08d}-{self.stop:08d}"

    @property
    def replicates(self) -> range:
        """Numbers of its replicates."""
        return range(self.start, self.stop)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A Monte Carlo study.

    Attributes
    ----------
    name : str
        Name for people.
    scenario : str
        Key of a built-in scenario, or `module:function` of one's own, marked with `scenario`.
    factors : mapping of names to levels
        The study visits every combination.
    constants : mapping
        Further arguments of the scenario, the same everywhere.
    replicates, block : int
        Experiments in each cell, and in each block.
    seed : int
        Everything random is a function of the seed, the cell and the block.
    seconds : float
        What one replicate of a cell takes on one core, about; 0 where nobody has measured it.
    """

    name: str
    scenario: str
    factors: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    constants: Mapping[str, Level] = field(default_factory=dict)
    replicates: int = 1000
    block: int = 50
    seed: int = 1
    title: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        for argument, (is_right, domain) in _DOMAINS.items():
            value = getattr(self, argument)
            if not is_right(value):
                raise invalid(argument, domain, value)
        if self.replicates % self.block:
            raise invalid("replicates", f"a multiple of the block of {self.block}", self.replicates)
        for name, levels in self.factors.items():
            _require_levels(name, levels)
        for name, value in self.constants.items():
            if not isinstance(value, Level):
                raise invalid("constants", "numbers or text", f"{name} = {value!r}")

    def cells(self) -> Iterator[Cell]:
        """Yield every combination of levels."""
        for levels in product(*self.factors.values()):
            yield Cell(dict(zip(self.factors, levels, strict=True)))

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks; early ones of every cell come first, so that all cells grow together."""
        for start in range(0, self.replicates, self.block):
            for cell in self.cells():
                yield Block(cell, start, start + self.block)

    @property
    def experiments(self) -> str:
        """How many cells there are, and replicates in each."""
        return f"{sum(1 for _ in self.cells())} x {self.replicates:,}"

    @property
    def minutes(self) -> int | None:
        """About how long it takes on one core, where that is known."""
        minutes = self.seconds * sum(1 for _ in self.cells()) * self.replicates / 60
        return max(1, round(minutes)) if minutes else None

    def rng(self, block: Block) -> np.random.Generator:
        """Return the block's own generator, whoever runs it and whenever."""
        words = [int(block.cell.key[i : i + 4], 16) for i in range(0, _KEY_LENGTH, 4)]
        sequence = np.random.SeedSequence(self.seed, spawn_key=(*words, block.start))
        return np.random.default_rng(sequence)

    @property
    def fingerprint(self) -> str:
        """Digest of what decides the numbers of a block; more levels or replicates leave it alone."""
        names = sorted(self.factors)
        return _digest([self.scenario, names, dict(self.constants), self.block, self.seed])

    def to_toml(self) -> str:
        """Write the study as TOML."""
        lines = [
            f"{name} = {_toml(getattr(self, name))}"
            for name in ("name", "title", "scenario", "replicates", "block", "seed", "seconds")
            if name != "seconds" or self.seconds
        ]
        lines += ["", "[factors]"]
        lines += [
            f"{_key(name)} = [{', '.join(map(_toml, levels))}]"
            for name, levels in self.factors.items()
        ]
        lines += ["", "[constants]"]
        lines += [f"{_key(name)} = {_toml(value)}" for name, value in self.constants.items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str, name: str = "study") -> Self:
        """Read a study from TOML; `name` is for error sentences."""
        try:
            content: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidContentError(name, "valid TOML", f"{error}") from None
        return cls.from_dict({"name": name, **content}, name)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], name: str = "study") -> Self:
        """Read a study from what its TOML says; `name` is for error sentences."""
        unknown = sorted(set(content) - {field.name for field in fields(cls)})
        if unknown:
            known = ", ".join(sorted(field.name for field in fields(cls)))
            raise InvalidContentError(name, known, repr(unknown[0]))
        if "scenario" not in content:
            raise InvalidContentError(name, "a scenario", "none")
        told = content.get("factors", {})
        if not isinstance(told, Mapping):
            raise InvalidContentError(name, "a table of factors", repr(told))
        factors = {
            key: tuple(levels) if isinstance(levels, list) else (levels,)
            for key, levels in told.items()
        }
        return cls(**{**content, "factors": factors})

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a study from a TOML file."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidContentError(path.name, "a file that can be read", f"{error}") from None
        return cls.from_toml(text, path.name)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_count(value: object, least: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


_DOMAINS: dict[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(("name", "scenario", "title"), (_is_text, "text")),
    **dict.fromkeys(("factors", "constants"), (_is_table, "a table of names and values")),
    "seed": (partial(_is_count, least=0), "an integer of at least 0"),
    **dict.fromkeys(("replicates", "block"), (_is_count, "an integer of at least 1")),
}


def _require_levels(name: str, levels: tuple[Level, ...]) -> None:
    if not all(isinstance(level, Level) for level in levels):
        raise invalid("factors", "levels that are numbers or text", f"others for {name}")
    if not levels:
        raise invalid("factors", "levels for every factor", f"none for {name}")
    if len(set(levels)) != len(levels):
        raise invalid("factors", "different levels", f"one of {name} twice")


def _key(name: str) -> str:
    """Write a name as TOML does: bare where it can be, else in quotation marks."""
    plain = bool(name) and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else _toml(name)


def _toml(value: Level) -> str:
    """Write a value as TOML does, which knows nan and inf by these names."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(float(value))
    return json.dumps(value).replace("\x7f", "\\u007f")


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
