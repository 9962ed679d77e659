"""The one place where numba is configured, and loaded when the first kernel is called."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
_WAITING: "list[_Kernel[Any, Any]]" = []
_LOCK = RLock()
_WORTH_LOADING = 100_000_000  # element operations of NumPy that take about half as long
_WORTH_COMPILING = 10_000_000  # where numba is there, but perhaps not yet the kernel


class _Kernel(Generic[P, R]):
    """A kernel before the first call of any; numba takes longer to load than many answers take."""

    def __init__(self, function: Callable[P, R], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options = function, options
        self._built: Callable[P, R] | None = None

    def build(self) -> Callable[P, R]:
        """Return what numba makes of the function."""
        if self._built is None:
            import numba

            self._built = cast(Callable[P, R], numba.njit(**self._options)(self._function))
        return self._built

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        _put_in_place()
        return self.build()(*args, **kwargs)

    def __reduce__(self) -> Any:
        return getattr, (sys.modules[self._function.__module__], self._function.__name__)


def _put_in_place() -> None:
    """Put compiled kernels where they were waiting: kernels call each other by these names."""
    with _LOCK:
        if not _WAITING:
            return
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == "replicast":
                for label, value in list(vars(module).items()):
                    if isinstance(value, _Kernel):
                        setattr(module, label, value.build())
        _WAITING.clear()


class _Asked:
    operations = 0  # of all small jobs so far


def pays(operations: int) -> bool:
    """Say whether a kernel is worth its while where NumPy can do the same: not for a first small job.

    To load numba and a kernel from the cache takes half a second, to compile a kernel about as long;
    small jobs are added up until they are worth that.
    """
    _Asked.operations += operations
    worth = _WORTH_COMPILING if "numba" in sys.modules else _WORTH_LOADING
    return _Asked.operations > worth


def expect(operations: int) -> None:
    """Load numba where small jobs to come are worth its while together."""
    if operations > _WORTH_LOADING:
        import numba  # noqa: F401  # `pays` asks whether it is there

        _Asked.operations += operations


def _to_compile(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    options = {"cache": True, "nogil": True, "error_model": "numpy", **options}
    kernel = _Kernel(function, options)
    if "numba" not in sys.modules:
        _WAITING.append(kernel)
        return kernel
    _put_in_place()  # it may call those that wait
    return kernel.build()


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on first use, cache it on disk and let it run without the GIL."""
    return _to_compile(function)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that only kernels call, without the doors that Python would need.

    That saves a fifth of the time it takes to compile; called from Python, it would crash.
    """
    return _to_compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def bare(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an inner function that makes no arrays, so need not count who holds one.

    That saves another fifth. Numba refuses a function that makes an array, if only in passing.
    """
    return _to_compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


def compiled_with(*freedoms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile like `compiled`, and let the compiler treat floats more freely.

    "contract" fuses products into sums; "reassoc" with "nsz" sums in any order, so that sums use the
    vector units. Only for numbers whose last digits decide nothing, or are checked where they might.
    """

    def compile_freely(function: Callable[P, R]) -> Callable[P, R]:
        return _to_compile(function, fastmath=set(freedoms))

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
