"""What every command shares: the app, the console, error sentences, narratives and plots."""

import inspect
import shlex
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from replicast.cli.asking import ask, is_asked_here, with_answers
from replicast.cli.bundles import bundled, option
from replicast.cli.words import read_plainly

if TYPE_CHECKING:
    from rich.console import Console

    from replicast.errors import Choice, Question, ReplicastError

Function = TypeVar("Function", bound=Callable[..., Any])
_OPTIONS = {
    "confidence_level": "confidence",
    "data_factor": "data",
    "first_only": "discordant",
    "n_jobs": "jobs",
    "target_design": "target",
    "name": "data",
    "first": "candidate",
    "second": "baseline",
    "weights": "tasks",
}
SECTIONS: Mapping[str, Sequence[str]] = {
    "You have scores": ("compare", "rank"),
    "You have a paper": ("replicate", "plan"),
    "In a browser": ("serve",),
    "After the first result": ("judge", "gate", "stop", "ledger"),
    "Run experiments": ("audit", "study", "datasets", "warm"),
    "Look around": ("demo", "help", "completion"),
}
_COMPLETION = ("install_completion", "show_completion")  # options that typer adds
_MAX_WIDTH = 100
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
        """Return arguments and options, which read plain words."""
        return [read_plainly(one) for one in super().get_params(ctx)]

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
            _say("This takes more memory than there is. Leave columns or rows out.", "Error:")
            raise typer.Exit(2) from None

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Keep the words of the command, to which answers may be added."""
        from replicast.errors import ReplicastError

        ctx.meta["words"] = list(args)
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            ctx.close()  # standard input may have been read
            if not isinstance(error, ReplicastError):
                raise
            _say(str(error), "Error:")
            raise typer.Exit(2) from None

    def _told(self, ctx: Any, error: "ReplicastError") -> Any:
        """Ask what the files leave open and run again; or tell what is wrong, and how to go on."""
        questions: Sequence[Question] = getattr(error, "questions", ())
        answers = None
        if questions and is_asked_here():
            answers = ask(questions, _say_in_options, lambda one: " ".join(self._words_of(one)))
        if answers is not None:
            words = self._with_answers(ctx, answers)
            with self.make_context(ctx.info_name, list(words), parent=ctx.parent) as again:
                ended = self.invoke(again)
            _say_command("Without questions", ctx.command_path, words)
            return ended
        _say(error.sentence(self.name_option), "Error:")
        likeliest = [one.choices[0] for one in questions]
        if (
            likeliest
            and getattr(error, "leads_on", True)
            and not any(choice.is_open for choice in likeliest)
        ):
            # a design that is guessed says what it takes for granted
            guessed = [choice.meaning for choice in likeliest if choice.argument == "design"]
            label = ", ".join(("For instance", *guessed))
            _say_command(label, ctx.command_path, self._with_answers(ctx, likeliest))
        raise typer.Exit(2) from None

    def _with_answers(self, ctx: Any, answers: "Sequence[Choice]") -> list[str]:
        return with_answers(ctx.meta["words"], [self._words_of(one) for one in answers])

    def _option_of(self, argument: str) -> Any:
        """Return the option or argument of this command that an argument of the library came from."""
        options = {one.name: one for one in self.params}
        if argument == "source":  # the files of a command have a name of their own
            return next((one for one in self.params if one.param_type_name == "argument"), None)
        return options.get(argument) or options.get(_OPTIONS.get(argument, ""))

    def _words_of(self, choice: "Choice") -> list[str]:
        """Return the words of the command line that give an answer."""
        role, column, _ = choice.argument.partition("_column")
        if column:
            return ["--columns", f"{role}={choice.value}"]
        option = self._option_of(choice.argument)
        if option is None:
            return [f"--{choice.argument.replace('_', '-')}", choice.value]
        if option.secondary_opts:  # a flag that has a word for both answers
            return [(option.opts if choice.value == "True" else option.secondary_opts)[0]]
        return [option.opts[0], choice.value]

    def name_option(self, argument: str, value: str | None = None) -> str:
        """Write an argument of the library as the option of this command that it came from."""
        from replicast.errors import Choice

        if argument == "classifiers":
            both = filter(None, map(self._option_of, ("first", "second")))
            named = "` and `".join(one.opts[0] for one in both)
            return named or "compare --first ... --second ..."
        if value is not None or argument.endswith("_column"):
            return shlex.join(self._words_of(Choice(argument, value or "...", "")))
        option = self._option_of(argument)
        if option is None:
            return argument
        shown = "` or `".join((option.opts[0], *option.secondary_opts[:1]))
        return shown.upper() if option.param_type_name == "argument" else shown


def _say(text: str, label: str = "") -> None:
    """Write a sentence on the error stream, after a label that is a warning."""
    from rich.text import Text

    start = (f"{label} ", "bold red") if label else ""
    screen = console(error=True)
    for line in Text.assemble(start, _printable(text)).wrap(screen, screen.width):
        line.rstrip()
        screen.print(line, soft_wrap=True)


def _say_command(label: str, path: str, words: Sequence[str]) -> None:
    """Write a command on one line, however long, so that it can be copied."""
    command = shlex.join([*path.split(), *words])
    console(error=True).print(f"{label}: {escape(command)}", soft_wrap=True)


class App(typer.Typer):
    """An application all of whose commands speak so."""

    def command(  # type: ignore[override]  # commands here need no more than a name
        self, name: str | None = None
    ) -> Callable[[Function], Function]:
        """Register a function as a command; its docstring is its help, examples last."""

        def register(function: Function) -> Function:
            purpose, _, lines = (inspect.getdoc(function) or "").partition("Examples\n--------\n")
            examples = "\n".join(line for line in lines.splitlines() if line)
            told = f"\b\nExamples:\n{examples}" if examples else None  # \b keeps the lines
            add = super(App, self).command(name, cls=_Command, help=purpose, epilog=told)
            add(bundled(function))
            return function

        return register


class Group(TyperGroup):
    """A group that lists its commands in the order people need them."""

    def get_params(self, ctx: Any) -> Any:
        """Return the options, without those that write completion into files: there is a command."""
        options = super().get_params(ctx)
        return [read_plainly(one) for one in options if one.name not in _COMPLETION]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, by section where there are any."""
        named = [name for names in SECTIONS.values() for name in names if name in self.commands]
        return [*named, *(name for name in super().list_commands(ctx) if name not in named)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by section, each with its whole first sentence."""
        sections = SECTIONS if self.name == "replicast" else {}
        placed = {name for listed in sections.values() for name in listed}
        others = [name for name in self.list_commands(ctx) if name not in placed]
        for title, listed in {**sections, "Commands": others}.items():
            if listed:
                rows = [(name, self.commands[name].get_short_help_str(200)) for name in listed]
                with formatter.section(title):
                    formatter.write_dl(rows)


app = App(
    name="replicast",
    cls=Group,
    help="Compare classifiers: is A better, by how much, could the test have seen it, "
    "and what are the chances that it happens again?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def is_quiet() -> bool:
    """Say whether --quiet was given."""
    return _QUIET.get()


def note(text: str) -> None:
    """Tell the user what was done, on the error stream, unless --quiet was given."""
    if not is_quiet():
        _say(text)


def in_options(text: str) -> str:
    """Write the arguments a sentence names as options of the command that runs."""
    from replicast.errors import name_arguments

    command = _RUNNING.get()
    return text if command is None else name_arguments(text, command.name_option)


def _say_in_options(text: str) -> None:
    _say(in_options(text))


def escape(text: str) -> str:
    """Keep names from being read as markup or as commands to the terminal."""
    from rich.markup import escape as escape_markup

    return escape_markup("\n".join(map(_printable, text.split("\n"))))


def _printable(text: str) -> str:
    """Return text without commands to the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


@app.callback(invoke_without_command=True)
@bundled
def version(
    show: bool = option("Print the version and exit.", False, "--version"),
    quiet: bool = option("No progress bars and no notes, only answers.", False, "--quiet", "-q"),
) -> None:
    """Print the version when asked, and remember whether to be quiet."""
    _QUIET.set(quiet)
    if show:
        from replicast import __version__

        typer.echo(f"replicast {__version__}")
        raise typer.Exit
