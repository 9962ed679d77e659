"""The one place where numba is configured: kernels are compiled with it, interpreted without it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
_SMALL_JOBS = 300_000  # elements that are interpreted about as fast as numba is loaded
_IN_BULK: "list[Kernel[Any, Any]]" = []


class Kernel(Generic[P, R]):
    """One function, compiled when it is first called; interpreted where numba is not installed.

    Attributes
    ----------
    small_jobs : int
        Array elements that are interpreted first, all calls together, before numba is loaded for the
        rest. Of one source, so both give the same.
    """

    small_jobs = 0

    def __init__(self, function: Callable[P, R], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options = function, options

    @cached_property
    def built(self) -> Callable[P, R]:
        """What numba makes of the function, or the function itself."""
        try:
            import numba
        except ImportError:
            return self._interpreted
        built = numba.njit(**self._options)(self._function)
        _forget_unreadable(built)
        return cast(Callable[P, R], built)

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba knows what one kernel calls another for."""
        return self.built._numba_type_  # type: ignore[attr-defined]  # of a function that is built

    def _interpreted(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the source; like compiled code it overflows and divides by zero without a word."""
        with np.errstate(all="ignore"):
            return self._function(*args, **kwargs)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel, compiled unless the job is small or numba is missing."""
        if self.small_jobs > 0:
            self.small_jobs -= sum(value.size for value in args if isinstance(value, np.ndarray))
            if self.small_jobs > 0:
                return self._interpreted(*args, **kwargs)
        return self.built(*args, **kwargs)

    def __reduce__(self) -> str:
        return self._function.__qualname__


def _forget_unreadable(built: Any) -> None:
    """Empty a cache on disk that names modules of another version, which numba would stumble over."""
    cache = getattr(built, "_cache", None)  # none where numba is told to compile nothing
    if cache is None:
        return
    index = cache._cache_file
    try:
        index._load_index()
    except (ImportError, AttributeError):
        index.flush()


def _kernel(function: Callable[P, R], **options: Any) -> Kernel[P, R]:
    return Kernel(function, {"cache": True, "nogil": True, "error_model": "numpy", **options})


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on first use, cache it on disk and let it run without the GIL."""
    return _kernel(function)


def compiled_in_bulk(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel like `compiled`, once it has had much to do: small answers come at once.

    For kernels that call no others and whose source is quick enough for one answer: to load numba
    takes longer.
    """
    kernel = _kernel(function)
    kernel.small_jobs = _SMALL_JOBS
    _IN_BULK.append(kernel)
    return kernel


def compile_small_jobs() -> None:
    """Have no job interpreted from here on: for those who compile ahead."""
    for kernel in _IN_BULK:
        kernel.small_jobs = 0


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that only kernels call, without the doors that Python would need.

    That saves a fifth of the time it takes to compile; called from Python, it would crash.
    """
    return _kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def bare(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an inner function that makes no arrays, so need not count who holds one.

    That saves another fifth. Numba refuses a function that makes an array, if only in passing.
    """
    return _kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


def compiled_with(*freedoms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile like `compiled`, and let the compiler treat floats more freely.

    "contract" fuses products into sums; "reassoc" with "nsz" sums in any order, so that sums use the
    vector units. Only for numbers whose last digits decide nothing, or are checked where they might.
    """

    def compile_freely(function: Callable[P, R]) -> Callable[P, R]:
        return _kernel(function, fastmath=set(freedoms))

    return compile_freely


@contextmanager
def told_of_compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Call `tell` with the number of units compiled so far, each time another begins.

    Nothing is told where every kernel is found in the cache on disk.
    """
    from numba.core import event

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
