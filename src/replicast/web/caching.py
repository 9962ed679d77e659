"""Pages whose whole state is their address, so that a link brings back what was seen."""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from replicast.errors import ReplicastError, invalid, nearest
from replicast.web.fields import at_field
from replicast.web.forms import Question
from replicast.web.mistakes import Kind, Mistake, mistakes_in, parse

_LONGEST_QUERY = 4000
_REMEMBERED = 512


class NotAtOnceError(Exception):
    """An answer takes longer than a moment and must not hold up the others."""


class PageMaker(Protocol):
    """What makes a page out of a query."""

    def __call__(self, query: str, *, at_once: bool) -> tuple[int, bytes]:
        """Return status and page; with `at_once`, raise `NotAtOnceError` rather than work long."""


@dataclass(frozen=True)
class Answered:
    """A query as it was read: its fields, what is wrong with them, and the answer."""

    fields: dict[str, str]
    question: Question
    mistakes: dict[str, str]
    result: dict[str, object]

    @property
    def status(self) -> int:
        """The status of the page."""
        return 422 if self.mistakes else 200


def question_page(make: PageMaker) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of a page; the latest pages are remembered by their queries."""
    pages: OrderedDict[str, tuple[int, bytes]] = OrderedDict()

    async def handle(request: Request) -> Response:
        query = request.url.query
        page = pages.get(query)
        if page is None:
            try:
                page = make(query, at_once=True)
            except NotAtOnceError:
                page = await run_in_threadpool(make, query, at_once=False)
            pages[query] = page
            if len(pages) > _REMEMBERED:
                pages.popitem(last=False)
        return HTMLResponse(page[1], page[0])

    return handle


def ask(kind: type[Kind], query: str, answer: Callable[[Kind], dict[str, object]]) -> Answered:
    """Read a query and answer it; what is wrong with it is found at its fields."""
    fields: dict[str, str] = {}
    question = kind()
    mistakes: tuple[Mistake, ...] = ()
    result: dict[str, Any] = {}
    try:
        fields = kind.named_now(_fields(query))
        question = parse(kind, _meant(fields, tuple(kind.model_fields)))
        if not question.is_blank:
            result = answer(question)
    except ReplicastError as error:
        mistakes = mistakes_in(error, "request")
    return Answered(fields, question, {one.field: at_field(one) for one in mistakes}, result)


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
