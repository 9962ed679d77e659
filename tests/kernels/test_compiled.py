"""How kernels are compiled, and that they run without numba."""

import pickle
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from replicast.kernels import compiled, ranks


def add_one(x: int) -> int:
    return x + 1


@compiled.compiled
def add_two(x: int) -> int:
    return _step(_step(x))


@compiled.inner
def _step(x: int) -> int:
    return x + 1


@compiled.bare
def _make(n: int) -> float:
    return float(np.zeros(n)[0])


@compiled.compiled
def _use(n: int) -> float:
    return _make(n)


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def njit(**given: Any) -> Any:
        seen.update(given)
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    return seen


def test_kernels_are_cached_and_free_of_the_lock(options: dict[str, Any]) -> None:
    assert compiled.compiled(add_one)(2) == 3
    assert options == {"cache": True, "nogil": True, "error_model": "numpy"}


def test_freedoms_are_passed_on(options: dict[str, Any]) -> None:
    assert compiled.compiled_with("contract", "nsz")(add_one)(2) == 3
    fastmath = {"contract", "nsz"}
    expected = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": fastmath}
    assert options == expected


def test_inner_functions_have_no_doors_to_python(options: dict[str, Any]) -> None:
    assert compiled.inner(add_one)(2) == 3
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    assert options == {"cache": True, "nogil": True, "error_model": "numpy", **without}
    assert compiled.bare(add_one)(2) == 3
    assert options == {
        "cache": True, "nogil": True, "error_model": "numpy", **without, "_nrt": False
    }  # fmt: skip


def test_kernels_call_each_other() -> None:
    assert add_two(2) == 4
    assert add_two.built.signatures


def test_a_kernel_is_built_once_and_pickled_by_its_name() -> None:
    assert (add_two.__name__, add_two.__module__) == ("add_two", __name__)
    assert add_two.built is add_two.built
    assert pickle.loads(pickle.dumps(ranks._rank_sums)) is ranks._rank_sums


def test_bare_functions_make_no_arrays() -> None:
    with pytest.raises(numba.core.errors.NumbaError, match="_make"):
        _use(3)


def test_small_jobs_are_interpreted_until_there_is_much_to_do() -> None:
    """20,000 rows of 20 stayed with NumPy for ever where nothing else had loaded numba."""
    ran: list[str] = []

    def work(values: np.ndarray) -> None:
        ran.append("interpreted")

    kernel = compiled.compiled_in_bulk(work)
    kernel.built = lambda _: ran.append("compiled")
    for _ in range(4):
        kernel(np.zeros(100_000))
    kernel(np.zeros(1))
    assert ran == ["interpreted"] * 2 + ["compiled"] * 3


def test_those_who_compile_ahead_have_nothing_interpreted() -> None:
    kernel = compiled.compiled_in_bulk(add_one)
    assert kernel.small_jobs > 0
    compiled.compile_small_jobs()
    assert kernel.small_jobs == 0


WITHOUT = """
import sys
sys.modules["numba"] = None  # as if it were not installed
import numpy as np
from replicast.kernels import bootstrap, ranks, splits, walsh
rng = np.random.default_rng(0)
rows = rng.integers(-9, 10, size=(20_000, 20)) / 4
tied = ranks.signed_rank_pvalues(rows[:300], method="exact", alternative="two-sided")[0]
print(*(each.sum() for each in ranks.signed_rank_statistics(rows)), tied.sum())
print(bootstrap.bootstrap_z(rows[0], 200, rng).sum())
print(splits.stratified_folds(np.arange(60) % 3, 10, 3, rng).tolist())
print(splits.random_splits(np.arange(60) % 3, 2, 30, 10, rng).tolist())
print(walsh.pseudomedian(rng.normal(size=1000)))
"""


def test_without_numba_the_same_source_gives_the_same_numbers() -> None:
    without, with_it = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", source],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for source in (WITHOUT, WITHOUT.replace('sys.modules["numba"] = None', "import numba"))
    )
    assert without == with_it


def test_a_cache_that_names_modules_of_another_version_is_emptied() -> None:
    class Index:
        emptied = False

        def _load_index(self) -> None:
            raise ModuleNotFoundError("replicast.gone")

        def flush(self) -> None:
            self.emptied = True

    index = Index()
    compiled._forget_unreadable(SimpleNamespace(_cache=SimpleNamespace(_cache_file=index)))
    assert index.emptied
