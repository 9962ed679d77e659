"""Every result tells itself: one document for each kind, rendered for wherever it is shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicast.errors import invalid, nearest, require_path
from replicast.formatting import format_number
from replicast.presentation.document import Document, Row
from replicast.presentation.renderers.text import Text, answer_text, more_text
from replicast.results import Record

if TYPE_CHECKING:
    from replicast.scores.tables import ScoreTable

# by the name of the record: what tells it is loaded when it is asked for
TELLERS: Mapping[str, str] = {
    "Audit": "audit.tell_audit",
    "Calibration": "judging.tell_calibration",
    "Comparison": "comparison.tell_comparison",
    "Gate": "gating.tell_gate",
    "Judgement": "judging.tell_judgement",
    "Look": "watching.tell_look",
    "ManyComparison": "standings.tell_many",
    "MeansReplication": "means.tell_means",
    "Finding": "comparison.tell_finding",
    "Parts": "parts.tell_parts",
    "Plan": "planning.tell_plan",
    "Replication": "replication.tell_replication",
    "ScoreTable": "scores.tell_table",
}
# by the ending of a file: what makes text of a document, loaded when it is asked for
RENDERERS: Mapping[str, str] = {
    ".html": "html.page",
    ".md": "markup.markdown",
    ".tex": "markup.latex",
    ".txt": "text.more_text",
    ".csv": "numbers.numbers",
    ".json": "numbers.as_json",
}
PICTURES = (".svg", ".png", ".pdf")  # one picture, and no words
FORMATS = (*RENDERERS, *PICTURES)
_MOST_PARTS = 8
_USUAL = 3  # lines of an account that every table has: what it is, its design, its scores


def tell(result: "Record | ScoreTable", account: Sequence[str] = (), **options: Any) -> Document:
    """Return a result as a document; `account` says what was read."""
    teller = TELLERS.get(type(result).__name__)
    if teller is None and isinstance(result, Record):
        return replace(_plain(result), result=result)
    document: Document = _loaded(f"words.{teller}")(result, **options)
    account = tuple(account or getattr(result, "account", ()))
    return replace(document, result=result, account=account, assumed=account[_USUAL:])


def _loaded(path: str) -> Callable[..., Any]:
    """Return a function of presentation by its path."""
    module, _, name = path.rpartition(".")
    function: Callable[..., Any] = getattr(import_module(f"replicast.presentation.{module}"), name)
    return function


def answer(result: Record) -> str:
    """Return the lines that are the answer, as a terminal shows them."""
    return answer_text(tell(result))


def more(result: Record) -> str:
    """Return everything there is to say about a result, as text."""
    return Text(more_text(tell(result)))


def notebook_view(result: "Record | ScoreTable") -> str:
    """Return a result, or a table of scores, as HTML for a notebook."""
    from replicast.presentation.renderers.html import notebook_part

    return notebook_part(tell(result))


def write(result: Record, path: str | Path, **options: Any) -> None:
    """Write a result to a file; its ending says in which form."""
    from replicast.presentation.writing import write_whole

    target = require_path(path, "path")
    write_whole(target, rendered(result, ending_of(target, "path"), **options))


def ending_of(path: Path, argument: str = "output") -> str:
    """Return the ending of a file that can be written."""
    ending = path.suffix.lower()
    if ending not in FORMATS:
        domain = f"a file ending in {', '.join(FORMATS)}"
        raise invalid(argument, domain, path.name, nearest(ending, FORMATS))
    return ending


def rendered(
    result: Record,
    ending: str,
    account: Sequence[str] = (),
    *,
    figure: str | None = None,
    width: str | float | None = None,
    bare: bool = False,
    **options: Any,
) -> bytes:
    """Return a result as the bytes of a file of one of `FORMATS`.

    Pictures take a `figure` by name, a `width` (`column`, `text`, or inches) and may be `bare`, without
    title and note.
    """
    if ending in PICTURES:
        from replicast.presentation.pictures.gallery import picture

        return picture(result, ending, figure=figure, width=width, bare=bare)
    text: str = _loaded(f"renderers.{RENDERERS[ending]}")(tell(result, account, **options))
    return (text.rstrip("\n") + "\n").encode()


def _plain(record: Record) -> Document:
    """Return a record that is no answer by itself: its sentence and its fields."""
    fields = record.to_dict()
    fields.pop("cautions", None)
    has_sentence = type(record).__str__ is not object.__str__
    said = str(record) if has_sentence else type(record).__name__
    rows = (Row(name.replace("_", " "), _in_short(value)) for name, value in fields.items())
    return Document(headline=said, rows=tuple(row for row in rows if row.value))


def _in_short(value: Any) -> str:
    """Write a field as people read it; long lists by their number, parts of parts by their names."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return format_number(value, 4)
        case dict():
            return ", ".join(
                f"{key} {_in_short(part)}".replace("_", " ") for key, part in value.items()
            )
        case list() if len(value) > _MOST_PARTS:
            return f"{len(value)} values"
        case list():
            return ", ".join(map(_in_short, value))
    return str(value)
