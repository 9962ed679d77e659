"""Pages whose whole state is their address, so that a link brings back what was seen."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from replicast.errors import ReplicastError
from replicast.web.forms import Mistake, MistakesError, Question, mistake_of, parse
from replicast.web.pages import render

_LONGEST_QUERY = 4000


class Remembered:
    """Pages by their query, the oldest forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[str, tuple[int, bytes]] = OrderedDict()

    def get(self, query: str) -> tuple[int, bytes] | None:
        """Return a page made before."""
        return self._pages.get(query)

    def put(self, query: str, page: tuple[int, bytes]) -> None:
        """Keep a page."""
        self._pages[query] = page
        if len(self._pages) > self._most:
            self._pages.popitem(last=False)


def question_page(
    kind: type[Question], template: str, content: Callable[[Any], dict[str, object]]
) -> Callable[[Request], Any]:
    """Return the handler of a page whose whole state is its address."""
    pages = Remembered(most=512)

    async def handle(request: Request) -> Response:
        query = request.url.query
        page = pages.get(query)
        if page is None:
            page = await run_in_threadpool(_fill, kind, template, content, query)
            pages.put(query, page)
        status, html = page
        return HTMLResponse(html, status)

    return handle


def _fill(
    kind: type[Question], template: str, content: Callable[[Any], dict[str, object]], query: str
) -> tuple[int, bytes]:
    """Return status and page for a query."""
    fields: dict[str, str] = {}
    mistakes: tuple[Mistake, ...] = ()
    result: dict[str, object] = {}
    question = kind()
    try:
        fields = _query_fields(query)
        question = parse(kind, fields)
        if not question.is_blank:
            result = content(question)
    except MistakesError as error:
        mistakes = error.mistakes
    except ReplicastError as error:
        mistakes = (mistake_of(error, "t"),)
    html = render(
        template,
        page=template.partition(".")[0],
        question=question,
        fields=fields,
        mistakes={one.field: one.text for one in mistakes},
        result=result,
    )
    return (422 if mistakes else 200), html.encode("utf-8")


def _query_fields(query: str) -> dict[str, str]:
    if len(query) > _LONGEST_QUERY:
        text = (
            f"`request` must be an address of at most {_LONGEST_QUERY} letters, got {len(query)}."
        )
        raise MistakesError([Mistake("request", text)])
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=100, errors="replace"))
    except ValueError:
        raise MistakesError(
            [Mistake("request", "`request` must be an address, got too many fields.")]
        ) from None
