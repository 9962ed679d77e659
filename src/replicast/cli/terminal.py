"""What every command shares: the app, the console, error sentences, narratives and plots."""

import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from replicast.cli.asking import ask, is_asked_here, option_of, with_answers, written
from replicast.cli.help import SECTIONS, print_command, print_group, purpose_and_examples
from replicast.cli.standard_input import DASH, read_dashes
from replicast.cli.words import UsageError, plain_reading, usage_sentence

if TYPE_CHECKING:
    from rich.console import Console

    from replicast.errors import Question, ReplicastError

Function = TypeVar("Function", bound=Callable[..., Any])
_OPTIONS = {
    "data_factor": "data", "first_only": "discordant", "n_jobs": "jobs", "target_design": "target",
    "name": "data", "first": "candidate", "second": "baseline", "weights": "tasks",
}  # fmt: skip
_COMPLETION = ("install_completion", "show_completion")  # options that typer adds
_MAX_WIDTH = 100
_BLANKS = re.compile(r"(?<! ) ++((?:\x1b\[[0-9;]*+m)*+)$")
_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)
_RUNNING: ContextVar["_Command | None"] = ContextVar("command", default=None)


def console(*, error: bool = False) -> "Console":
    """Return a console on the terminal, at most 100 columns wide."""
    from rich.console import Console

    probe = Console(stderr=error)
    return Console(stderr=error, width=min(probe.width, _MAX_WIDTH), highlight=False)


class _Command(TyperCommand):
    """A command that shows a user's mistake as one sentence with exit code 2, and no warnings.

    What warnings say stands among the cautions of the result.
    """

    def get_params(self, ctx: Any) -> Any:
        """Return the options, which read plain words by themselves."""
        return plain_reading(super().get_params(ctx), self.callback)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        from replicast.errors import DegenerateScoresWarning, ReplicastError, names_extras

        _RUNNING.set(self)
        try:
            with warnings.catch_warnings(), names_extras():
                warnings.simplefilter("ignore", DegenerateScoresWarning)
                return super().invoke(ctx)
        except ReplicastError as error:
            return self._told(ctx, error)
        except MemoryError:
            _print_mistake("This takes more memory than there is. Leave columns or rows out.")
            raise typer.Exit(2) from None

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Keep the words of the command, to which answers may be added; read standard input for -."""
        ctx.meta["words"] = list(args)
        left = super().parse_args(ctx, args)
        if DASH in ctx.meta["words"] and not ctx.resilient_parsing:
            arguments = [one for one in self.params if one.param_type_name == "argument"]
            read_dashes(ctx, arguments)
        return left

    def _told(self, ctx: Any, error: "ReplicastError") -> Any:
        """Ask what the files leave open and run again; or tell what is wrong, and how to go on."""
        questions: Sequence[Question] = getattr(error, "questions", ())
        flags = (
            self.name_option("greater_is_better", "True"),
            self.name_option("greater_is_better", "False"),
        )
        if questions and is_asked_here():
            answers = ask(
                questions,
                lambda text: _say(in_options(text)),
                lambda choice: " ".join(option_of(choice, flags)),
            )
            if answers is not None:
                words = with_answers(ctx.meta["words"], [option_of(one, flags) for one in answers])
                with self.make_context(ctx.info_name, list(words), parent=ctx.parent) as again:
                    ended = self.invoke(again)
                _say_command("Without questions", written(ctx.command_path, words))
                return ended
        _print_mistake(error.sentence(self.name_option))
        if questions:
            likeliest = [option_of(one.choices[0], flags) for one in questions]
            words = with_answers(ctx.meta["words"], likeliest)
            _say_command("For instance", written(ctx.command_path, words))
        raise typer.Exit(2) from None

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # click hands it in
        """Print purpose, examples and options."""
        assert self.callback is not None
        print_command(ctx.command_path, self.callback, console())

    def name_option(self, argument: str, value: str | None = None) -> str:
        """Write an argument of the library as the option of this command that it came from."""
        role, column, _ = argument.partition("_column")
        if column:
            told = f"{role}={value or '...'}"
            return f"--columns '{told}'" if " " in told else f"--columns {told}"
        options = {one.name: one for one in self.params}
        if argument == "classifiers":
            both = [options.get(one) or options.get(_OPTIONS[one]) for one in ("first", "second")]
            named = "` and `".join(one.opts[0] for one in both if one is not None)
            return named or "compare --first ... --second ..."
        if argument == "source":  # the files of a command have a name of their own
            given = [one for one in self.params if one.param_type_name == "argument"]
            return str(given[0].name).upper() if given else "the file"
        found = options.get(argument) or options.get(_OPTIONS.get(argument, ""))
        if found is not None and found.secondary_opts:  # a flag that has a word for both answers
            if value in ("True", "False"):
                return str((found.opts if value == "True" else found.secondary_opts)[0])
            return "` or `".join((found.opts[0], found.secondary_opts[0]))
        shown = argument if found is None else found.opts[0]
        if found is not None and found.param_type_name == "argument":
            shown = shown.upper()
        if value is None:
            return shown
        return f"{shown} '{value}'" if " " in value else f"{shown} {value}"


def _print_mistake(sentence: str) -> None:
    screen = console(error=True)
    with _without_trailing_blanks(screen):
        screen.print(f"[bold red]Error:[/] {escape(sentence)}")


def _say(text: str) -> None:
    """Write a line on the error stream."""
    screen = console(error=True)
    with _without_trailing_blanks(screen):
        screen.print(escape(text))


def _say_command(label: str, command: str) -> None:
    """Write a command on one line, however long, so that it can be copied."""
    console(error=True).print(f"{label}: {escape(command)}", soft_wrap=True)


class App(typer.Typer):
    """An application all of whose commands speak so."""

    def command(  # type: ignore[override]  # commands here need no more than a name
        self, name: str | None = None
    ) -> Callable[[Function], Function]:
        """Register a function as a command."""
        return super().command(name, cls=_Command)


class Group(TyperGroup):
    """A group that lists its commands in the order people need them."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command; a mistake in its words is told as any other."""
        from replicast.errors import ReplicastError

        # `replicast completion` prints it, and asks before it writes
        self.params = [one for one in self.params if one.name not in _COMPLETION]
        try:
            ended = super().main(*args, **options | {"standalone_mode": False})
        except ReplicastError as error:  # of words that are no numbers
            _print_mistake(str(error))
            ended = 2
        except UsageError as error:
            ended = error.exit_code
            if type(error).__name__ != "NoArgsIsHelpError":  # that one has shown the help
                _print_mistake(usage_sentence(error))
        if not options.get("standalone_mode", True):
            return ended
        sys.exit(ended if isinstance(ended, int) else 0)

    def get_params(self, ctx: Any) -> Any:
        """Return the options, which read plain words by themselves."""
        return plain_reading(super().get_params(ctx), self.callback)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, by section where there are any."""
        named = [name for names in SECTIONS.values() for name in names if name in self.commands]
        return [*named, *(name for name in super().list_commands(ctx) if name not in named)]

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # click hands it in
        """Print the commands by section."""
        sections = SECTIONS if self.name == "replicast" else {"Commands": tuple(self.commands)}
        rows = {
            title: [(name, self._purpose(name)) for name in names]
            for title, names in sections.items()
        }
        print_group(ctx.command_path, str(self.help), rows, self.callback, console())

    def _purpose(self, name: str) -> str:
        command = self.commands[name]
        if isinstance(command, TyperGroup) or command.callback is None:
            return str(command.help)
        return purpose_and_examples(command.callback)[0][0]


app = App(
    name="replicast",
    cls=Group,
    help="Compare classifiers: is A better, by how much, could the test have seen it, "
    "and what are the chances that it happens again?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def is_quiet() -> bool:
    """Say whether --quiet was given."""
    return _QUIET.get()


def note(text: str) -> None:
    """Tell the user what was done, on the error stream, unless --quiet was given."""
    if not is_quiet():
        screen = console(error=True)
        with _without_trailing_blanks(screen):
            screen.print(f"[dim]{escape(text)}[/]")


def in_options(text: str) -> str:
    """Write the arguments a sentence names as options of the command that runs."""
    from replicast.errors import name_arguments

    command = _RUNNING.get()
    return text if command is None else name_arguments(text, command.name_option)


def escape(text: str) -> str:
    """Keep names from being read as markup or as commands to the terminal."""
    from rich.markup import escape as escape_markup

    plain = "".join(letter if letter == "\n" or letter.isprintable() else " " for letter in text)
    return escape_markup(plain)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress bars and no notes, only answers.")
    ] = False,
) -> None:
    """Print the version when asked, and remember whether to be quiet."""
    _QUIET.set(quiet)
    if show:
        from replicast import __version__

        typer.echo(f"replicast {__version__}")
        raise typer.Exit


@contextmanager
def _without_trailing_blanks(console: "Console") -> Iterator[None]:
    """Print at the end what was printed inside, without the blanks that fill up lines."""
    with console.capture() as captured:
        yield
    lines = (_BLANKS.sub(r"\1", line) for line in captured.get().split("\n"))
    console.file.write("\n".join(lines))
    console.file.flush()
