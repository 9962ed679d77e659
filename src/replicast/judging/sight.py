"""What a gate can see: how often good candidates pass and bad ones fail, and what size it takes."""

import math
from collections.abc import Callable
from typing import NamedTuple

from scipy import special

from replicast.design import Design
from replicast.judging.records import Goal, Sight
from replicast.judging.rulers import ClusterRuler, Ruler

OFTEN = 0.8
_STEPS = 12  # of a bisection for the smallest visible difference
_MOST = 10_000_000  # scores that a gate is planned for


class Aim(NamedTuple):
    """What has to be shown to pass and to fail, as bounds of the difference."""

    goal: Goal
    width: float
    passing: dict[str, float]
    failing: dict[str, float]
    reference: float  # a good candidate, one margin inside
    bad: float  # a bad one, one margin outside


def aim_of(goal: Goal, width: float) -> Aim:
    """Return the bounds of a goal."""
    up, down = {"above": -width}, {"below": -width}
    match goal:
        case "not-worse":
            return Aim(goal, width, up, down, 0.0, -2 * width)
        case "better":
            return Aim(goal, width, {"above": width}, {"below": width}, 2 * width, 0.0)
        case _:  # failing is either side at half the level, and mirrors
            return Aim(goal, width, up | {"below": width}, down, 0.0, -2 * width)


def see(ruler: Ruler, aim: Aim, level: float, design: Design, often: float) -> Sight:
    """Say how often data of this size and spread let good candidates pass and bad ones fail."""
    limit = 1.0 if design.binary else math.inf
    failing_level = level / 2 if aim.goal == "equivalent" else level

    def passes(true: float, seen: Ruler = ruler) -> float:
        return seen.chance(_within(true, limit), level, **aim.passing)

    def fails(true: float) -> float:
        return ruler.chance(_within(true, limit), failing_level, **aim.failing)

    if aim.goal == "better":
        visible = _first(passes, aim.width, ruler.error, limit)
    else:
        visible = _first(fails, -aim.width, -ruler.error, limit)
    chance = passes(aim.reference)
    needed = None
    if chance < often and aim.width > 0 and _can_grow(ruler, design):
        needed = _needed(
            lambda size: passes(aim.reference, ruler.grown(size)) >= often,
            ruler.size,
            _guess(ruler, aim, level, often),
        )
    clusters = needed if isinstance(ruler, ClusterRuler) else None
    if needed is not None and isinstance(ruler, ClusterRuler):
        needed = math.ceil(needed * float(ruler.sizes.mean()))
    return Sight(
        reference=aim.reference,
        pass_chance=chance,
        bad=aim.bad,
        fail_chance=fails(aim.bad),
        visible=visible,
        needed=needed,
        needed_clusters=clusters,
    )


def _can_grow(ruler: Ruler, design: Design) -> bool:
    """Say whether more scores of this kind have the spread of these: folds only if they have none."""
    return design.independent or (design.folds is not None and design.runs == 1 and not ruler.error)


def _guess(ruler: Ruler, aim: Aim, level: float, often: float) -> int:
    """Return how many scores a normal estimate would need."""
    both = (1 + often) / 2 if aim.goal == "equivalent" else often
    reach = float(special.ndtri(1 - level) + special.ndtri(both))
    return min(_MOST, math.ceil(ruler.size * (reach * ruler.error / aim.width) ** 2))


def _needed(enough: Callable[[int], bool], size: int, guess: int) -> int | None:
    """Return a size that is enough, while one at most 1% smaller is not; none up to the largest."""
    low, high = size, 0
    probe = max(size + 1, guess)
    step = max(1, probe // 50)
    while not high or high - low > max(1, high // 100):
        if enough(probe):
            high = probe
            probe = max((low + high) // 2, high - step)
        elif high:
            low = probe
            probe = (low + high) // 2
        elif probe >= _MOST:
            return None
        else:
            low = probe
            probe = min(_MOST, probe + step)
        step *= 2
    return high


def _first(chance: Callable[[float], float], bound: float, step: float, limit: float) -> float:
    """Return the true difference, going from the bound, from which `chance` reaches 80%."""
    if step == 0:  # then it is never reached, or just beyond the bound
        far = bound + math.copysign(1.0, step)
        return bound if chance(far) >= OFTEN else math.copysign(math.inf, step)
    reach = step
    while chance(bound + reach) < OFTEN:
        if abs(bound + reach) >= limit or abs(reach) > 1e6 * abs(step):
            return math.copysign(math.inf, step)
        reach *= 2
    low, high = 0.0, reach
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if chance(bound + middle) >= OFTEN else (middle, high)
    return _within(bound + high, limit)


def _within(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
