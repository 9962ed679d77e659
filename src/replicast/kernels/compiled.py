"""The one place where numba is configured."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on first use, cache it on disk and let it run without the GIL."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that only kernels call, without the doors that Python would need.

    That saves a fifth of the time it takes to compile; called from Python, it would crash.
    """
    without: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    build = numba.njit(cache=True, nogil=True, error_model="numpy", **without)
    return cast(Callable[P, R], build(function))


def compiled_with(*freedoms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile like `compiled`, and let the compiler treat floats more freely.

    "contract" fuses products into sums; "reassoc" with "nsz" sums in any order, so that sums use the
    vector units. Only for numbers whose last digits decide nothing, or are checked where they might.
    """

    def compile_freely(function: Callable[P, R]) -> Callable[P, R]:
        build = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=set(freedoms))
        return cast(Callable[P, R], build(function))

    return compile_freely


@contextmanager
def told_of_compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Call `tell` with the number of units compiled so far, each time another begins.

    Nothing is told where every kernel is found in the cache on disk.
    """
    begun = 0

    class _Listener(event.Listener):
        def on_start(self, event: object) -> None:  # noqa: ARG002  # what begins does not matter
            nonlocal begun
            begun += 1
            tell(begun)

        def on_end(self, event: object) -> None:
            """Nothing is told of an end."""

    with event.install_listener("numba:compile", _Listener()):
        yield
