"""How kernels are compiled."""

from typing import Any

import pytest

from replicast.kernels import compiled


def add_one(x: int) -> int:
    return x + 1


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def njit(**given: Any) -> Any:
        seen.update(given)
        return lambda function: ("compiled", function)

    monkeypatch.setattr(compiled.numba, "njit", njit)
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


def test_compiled_functions_compute() -> None:
    assert compiled.compiled(add_one)(2) == 3
    assert compiled.compiled_with("contract")(add_one)(2) == 3
    step = compiled.inner(add_one)

    def add_two(x: int) -> int:
        return step(step(x))

    assert compiled.compiled(add_two)(2) == 4
