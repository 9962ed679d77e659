"""Pages whose whole state is their address, so that a link brings back what was seen."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from replicast.errors import ReplicastError, invalid, nearest
from replicast.presentation.document import Document
from replicast.web.forms import Question
from replicast.web.mistakes import Mistake, at_field, mistakes_in, parse
from replicast.web.templating import render

_LONGEST_QUERY = 4000
_REMEMBERED = 512
PART = "x-part"  # the header of a script that needs the answer alone, not the page around it


@dataclass(frozen=True, eq=False)
class Page:
    """A page that answers the question in its address; an empty one shows an example, greyed."""

    name: str
    asks: str
    kind: type[Any]
    tell: Callable[[Any], Document]
    example: str = ""

    async def handle(self, request: Request) -> Response:
        """Answer a request; the latest pages are remembered."""
        status, page = await run_in_threadpool(self, request.url.query, PART in request.headers)
        return HTMLResponse(page, status, {"Vary": PART})

    def __call__(self, query: str, part: bool = False) -> tuple[int, bytes]:
        """Return status and page for a query, or the part of it that a new answer changes."""
        return _answered(self, query, part)

    def answer(self, query: str, part: bool) -> tuple[int, bytes]:
        """Return the same, computed anew."""
        fields: dict[str, str] = {}
        question: Question = self.kind()
        mistakes: tuple[Mistake, ...] = ()
        document = None
        try:
            fields = self.kind.named_now(_fields(query))
            question = parse(self.kind, _meant(fields, tuple(self.kind.model_fields)))
            document = None if question.is_blank else self.tell(question)
        except ReplicastError as error:
            mistakes = mistakes_in(error, "request")
        blank = document is None and not mistakes
        if blank:
            document = self.tell(parse(self.kind, _fields(self.example)))
        html = render(
            "_part.html.j2" if part else f"{self.name}.html.j2",
            page=self.name,
            asks=self.asks,
            fields=fields,
            question=question,
            mistakes={one.field: at_field(one) for one in mistakes},
            document=document,
            blank=blank,
            link="" if document is None or blank else question.link(f"/{self.name}"),
        )
        return 422 if mistakes else 200, html.encode("utf-8")


@lru_cache(maxsize=_REMEMBERED)
def _answered(page: Page, query: str, part: bool) -> tuple[int, bytes]:
    return page.answer(query, part)


def _meant(fields: dict[str, str], known: tuple[str, ...]) -> dict[str, str]:
    """Leave out what others add to a link; a name close to one of ours is a slip, and is told."""
    return {n: text for n, text in fields.items() if n in known or nearest(n, known)}


def _fields(query: str) -> dict[str, str]:
    if len(query) > _LONGEST_QUERY:
        raise invalid("request", f"an address of at most {_LONGEST_QUERY} letters", len(query))
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=100, errors="replace")
    except ValueError:
        raise invalid("request", "an address of at most 100 fields", "more") from None
    refuse_twice(name for name, _ in pairs)
    return dict(pairs)


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse a field that is given twice: nobody knows which one counts."""
    name, often = (Counter(names).most_common(1) or [("", 0)])[0]
    if often > 1:
        raise invalid("request", "an address or a form with each field once", f"{name} twice")
