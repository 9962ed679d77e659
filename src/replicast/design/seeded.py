"""Seeds of two models, on one or several splits of the data."""

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal

from replicast.design.axes import (
    SEEDS,
    SEPARATE_SPLITS,
    SPLITS,
    UNSPLIT_SEEDS,
    Axis,
)
from replicast.design.base import Design, by_name, require_count
from replicast.errors import invalid, require_choice, require_flag

if TYPE_CHECKING:
    from replicast.kernels.seeds import Layout as SeedLayout

TESTED_PERCENT = 20  # of the rows, by a split of which nobody says more
SPLIT_WORDS = ("assumed", "shared", "none")


@by_name
@dataclass(frozen=True)
class Seeds(Design):
    """Several seeds of each model on one split, or on some; scores split after split.

    Seeds vary the training alone: they share the training and the test set of their split. `paired`
    seeds belong together, for instance by the order of the data; others are drawn for each model.
    Splits are of one dataset, so they overlap: `test_percent` is how much of it a split tests on
    (0 if each is a dataset of its own).

    Where nothing is split into training and test data, as in reinforcement learning and simulation,
    `split` is "none", or None: a repeat then differs in its seeds alone. "shared" says that all seeds
    share a split, which is "assumed" where nobody says so.
    """

    count: int = field()
    _: KW_ONLY
    splits: int = 1
    paired: bool = False
    test_percent: int = TESTED_PERCENT
    split: Literal["assumed", "shared", "none"] | None = "assumed"

    unit = "seed"
    names = ("seeds",)

    def __post_init__(self) -> None:
        self._settle_count("count", 2)
        self._settle_count("splits", 1)
        tested = require_count(self.test_percent, "test_percent", 0, 90)
        object.__setattr__(self, "test_percent", tested)
        object.__setattr__(self, "paired", require_flag(self.paired, "paired"))
        split = "none" if self.split is None else require_choice(self.split, "split", SPLIT_WORDS)
        object.__setattr__(self, "split", split)
        if split == "none" and self.splits > 1:
            raise invalid("splits", "1 where there is no split", self.splits)

    @property
    def has_split(self) -> bool:
        """Whether there is a split into training and test data, which fresh data would change."""
        return self.split != "none"

    @property
    def seeds(self) -> int:
        """Seeds of a model on a split."""
        return self.count

    @property
    def repeated(self) -> str:  # type: ignore[override]  # depends on the split
        """Splits; where nothing is split, seeds."""
        return "splits" if self.has_split else "seeds"

    @property
    def written(self) -> dict[str, object]:
        """The count; one split and seeds of their own are not worth a word."""
        return {
            "count": self.count,
            "splits": None if self.splits == 1 else self.splits,
            "paired": "yes" if self.paired else None,
            "test_percent": None if self.test_percent == TESTED_PERCENT else self.test_percent,
            "split": None if self.split == "assumed" else self.split,
        }

    @property
    def words(self) -> str:
        """How many seeds, and on how many splits."""
        where = "on one split" if self.splits == 1 else f"on each of {self.splits} splits"
        where = where if self.has_split else "without a split"
        return f"{self.count} {'paired ' if self.paired else ''}seeds {where}"

    @property
    def n_scores(self) -> int:
        """Number of scores of a model: seeds times splits."""
        return self.count * self.splits

    @property
    def shape(self) -> tuple[int, int]:
        """Splits and the seeds on each."""
        return self.splits, self.count

    @property
    def layout(self) -> "SeedLayout":
        """Seeds, splits and what splits have in common, as the kernels take them."""
        from replicast.kernels.seeds import Layout as SeedLayout

        return SeedLayout(self.count, self.splits, self.test_percent / 100, self.has_split)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Splits before seeds; where nothing is split, seeds alone."""
        if not self.has_split:
            return (UNSPLIT_SEEDS,)
        return (SPLITS if self.test_percent else SEPARATE_SPLITS, SEEDS)

    @property
    def outlook(self) -> tuple[tuple[str, int], ...]:  # type: ignore[override]  # likewise
        """More seeds, and more splits."""
        if not self.has_split:
            return ("seeds", 2), ("seeds", 4)
        return ("seeds", 4), ("splits", 2), ("splits", 5)
