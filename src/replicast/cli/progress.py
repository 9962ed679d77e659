"""A bar for everything that takes longer than a moment: what, how far, and how long still."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from replicast.cli.terminal import console, escape, is_quiet

if TYPE_CHECKING:
    from rich.progress import Progress

_FIRST_RUN = "first run compiles, about 15 s"
_UNITS = 55


class Bar:
    """A bar on the terminal: what is being done, and how far it is."""

    def __init__(self, progress: "Progress", title: str) -> None:
        self.progress, self.title = progress, title
        # how much there is to do is not known yet
        self.task = progress.add_task(title, total=None, counted="")

    def advance(self, done: int, total: int, unit: str = "runs") -> None:
        """Move the bar."""
        self.progress.update(
            self.task,
            description=self.title,
            completed=done,
            total=total,
            counted=f"{done:,} / {total:,} {unit}",
        )

    def tell_of_compiling(self, units: int) -> None:
        """Say why nothing moves, which happens once after installing."""
        self.progress.update(
            self.task, description=_FIRST_RUN, counted=f"{units} of about {_UNITS} parts"
        )


@contextmanager
def progress(title: str) -> Iterator[Bar]:
    """Show a bar while something runs, if there is a terminal to show it on."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    screen = console(error=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[counted]}"),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal or is_quiet(),
    ) as shown:
        yield Bar(shown, escape(title))
