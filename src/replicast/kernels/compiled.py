"""The one place where numba is configured."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on first use, cache it on disk and let it run without the GIL."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True, error_model="numpy")(function))
