"""How kernels are compiled."""

import sys
from typing import Any

import numba
import numpy as np
import pytest

from replicast.kernels import compiled, ranks, rounding, splits


def add_one(x: int) -> int:
    return x + 1


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def njit(**given: Any) -> Any:
        seen.update(given)
        return lambda function: ("compiled", function)

    compiled._put_in_place()  # those that wait are built as they should be
    monkeypatch.setattr(numba, "njit", njit)
    return seen


def test_kernels_are_cached_and_free_of_the_lock(options: dict[str, Any]) -> None:
    assert compiled.compiled(add_one) == ("compiled", add_one)
    assert options == {"cache": True, "nogil": True, "error_model": "numpy"}


def test_freedoms_are_passed_on(options: dict[str, Any]) -> None:
    assert compiled.compiled_with("contract", "nsz")(add_one) == ("compiled", add_one)
    fastmath = {"contract", "nsz"}
    expected = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": fastmath}
    assert options == expected


def test_inner_functions_have_no_doors_to_python(options: dict[str, Any]) -> None:
    assert compiled.inner(add_one) == ("compiled", add_one)
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    assert options == {"cache": True, "nogil": True, "error_model": "numpy", **without}
    assert compiled.bare(add_one) == ("compiled", add_one)
    assert options == {
        "cache": True, "nogil": True, "error_model": "numpy", **without, "_nrt": False
    }  # fmt: skip


def test_compiled_functions_compute() -> None:
    assert compiled.compiled(add_one)(2) == 3
    assert compiled.compiled_with("contract")(add_one)(2) == 3
    step = compiled.inner(add_one)

    def add_two(x: int) -> int:
        return step(step(x))

    assert compiled.compiled(add_two)(2) == 4


def test_a_kernel_that_waits_is_compiled_when_it_is_called() -> None:
    waiting = compiled._Kernel(add_one, {"nogil": True})
    assert (waiting.__name__, waiting(2), waiting(3)) == ("add_one", 3, 4)
    assert waiting.build() is waiting.build()


def test_what_waits_is_put_in_place_wherever_it_was_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting = compiled._Kernel(add_one, {"nogil": True})
    monkeypatch.setattr(rounding, "add_one", waiting, raising=False)
    monkeypatch.setattr(compiled, "_WAITING", [waiting])
    assert waiting(2) == 3
    assert rounding.add_one is waiting.build()
    assert compiled._WAITING == []


def test_bare_functions_make_no_arrays() -> None:
    @compiled.bare
    def make(n: int) -> float:
        return float(np.zeros(n)[0])

    with pytest.raises(numba.core.errors.NumbaError, match="NRT required"):
        compiled.compiled(lambda n: make(n))(3)


def test_small_jobs_add_up_until_a_kernel_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    assert [compiled.pays(4_000_000) for _ in range(4)] == [False, False, True, True]
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    compiled.expect(10**9)
    assert compiled.pays(1)


def test_a_small_first_job_does_not_load_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    assert not compiled.pays(1_000_000)
    assert compiled.pays(10**9)


def test_small_jobs_add_up_before_the_compiler_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    assert [compiled.pays(40_000_000) for _ in range(4)] == [False, False, True, True]


def test_a_loop_of_small_jobs_goes_over_to_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 rows of 20 stayed with NumPy for ever where nothing else had loaded numba."""
    ran: list[str] = []

    def recorded(name: str) -> Any:
        def fill(rows: np.ndarray, *out: np.ndarray) -> None:
            ran.append(name)
            for one in out:
                one[:] = len(rows)

        return fill

    monkeypatch.setattr(ranks, "_plain_statistics", recorded("numpy"))
    monkeypatch.setattr(ranks, "_statistics_by_counting", recorded("kernel"))
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    rows = np.zeros((20_000, 20))
    for _ in range(10):
        ranks.signed_rank_statistics(rows)
    assert ran == ["numpy"] * 3 + ["kernel"] * 7


def test_folds_are_dealt_by_the_kernel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy took longer to deal folds than naive Bayes to predict them."""
    ran: list[str] = []
    monkeypatch.setattr(compiled._Asked, "operations", 0)
    for name in ("_deal_folds", "_draw_splits"):
        monkeypatch.setattr(splits, name, lambda *_, name=name: ran.append(name))
    splits.stratified_folds(np.zeros(6, int), 2, 1, np.random.default_rng(0))
    splits.random_splits(np.zeros(6, int), 1, 3, 3, np.random.default_rng(0))
    assert ran == ["_deal_folds", "_draw_splits"]
