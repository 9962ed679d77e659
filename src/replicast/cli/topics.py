"""replicast help: a command, or a topic that is a table of the library."""

from collections.abc import Callable
from typing import Any

import typer

from replicast.cli.bundles import argument
from replicast.cli.output import Rows, print_rows
from replicast.cli.terminal import app

_EXIT_CODES = {
    "0": "The answer was given; `gate` passes, `stop` is decided.",
    "1": "`gate` fails.",
    "2": "A mistake in the call or in a file; one sentence says which, and how to go on.",
    "3": "`gate` cannot tell; `stop` is still open.",
    "130": "Ctrl-C.",
}
_LOG = "Read a log, or several: the answers of models, case by case."
_FOR = {
    "run": "audit, study, evaluate, and large batches of tests",
    "files": "Parquet, spreadsheets, data frames of other libraries",
    "web": "serve: the page in a browser",
    "cluster": "studies on several machines",
}


def _designs() -> Rows:
    from replicast.design.spelling import DESIGNS

    def spelt(name: str) -> str:
        return ":".join(filter(None, (name, ",".join(f"{key}=..." for key in DESIGNS[name].keys))))

    return [(spelt(name), str(DESIGNS[name].build.__doc__).splitlines()[0]) for name in DESIGNS]


def _tests() -> Rows:
    from replicast.inference.methods import METHODS

    return [
        (name, f"{method.title}, for {', '.join(method.designs)}. {method.reference}.")
        for name, method in METHODS.items()
    ]


def _measures() -> Rows:
    from replicast.comparison.measure_rows import MEASURES

    better = {True: "higher is better", False: "lower is better"}
    return [
        (name, f"of {row.needs}; {better[row.greater_is_better]}.")
        for name, row in MEASURES.items()
    ]


def _files() -> Rows:
    from replicast.reading.catalogue import FORMATS

    return [(one.name, (one.read.__doc__ or _LOG).splitlines()[0]) for one in FORMATS]


def _extras() -> Rows:
    from replicast.errors import install_line

    return [(extra, f"{use}: {install_line(extra)}") for extra, use in _FOR.items()]


def _exit_codes() -> Rows:
    return list(_EXIT_CODES.items())


TOPICS: dict[str, tuple[str, Callable[[], Rows]]] = {
    "designs": ("How scores arose, for --design", _designs),
    "tests": ("Tests, for --method", _tests),
    "measures": ("Measures of predictions, for compare --measure", _measures),
    "files": ("Files that are read", _files),
    "extras": ("What is installed beside the core", _extras),
    "exit-codes": ("Exit codes", _exit_codes),
}


_FORMER = {"formats": "files"}
_TOPIC = f"A command, or one of {', '.join(TOPICS)}."


@app.command("help")
def print_help(
    context: typer.Context,
    topic: list[str] | None = argument(_TOPIC, None),
) -> None:
    """Explain a command or a topic.

    Examples
    --------
      replicast help gate

      replicast help designs
    """
    from replicast.errors import invalid, nearest

    inside: Any = context.find_root()
    named = _FORMER.get(topic[0], topic[0]) if topic and len(topic) == 1 else None
    if named in TOPICS:
        title, rows = TOPICS[named]
        print_rows(inside, title, rows())
        return
    for word in topic or ():
        known = getattr(inside.command, "commands", {})
        if word not in known:
            remedy = nearest(word, [*known, *TOPICS]) or "`replicast help` lists them"
            raise invalid("topic", "a command or a topic", repr(word), remedy)
        inside = type(inside)(known[word], info_name=word, parent=inside)
    typer.echo(inside.command.get_help(inside))
    if not topic:
        typer.echo()
        print_rows(inside, "Topics", [(name, title) for name, (title, _) in TOPICS.items()])
