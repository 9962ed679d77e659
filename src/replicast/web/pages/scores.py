"""The page for a table of scores, and the same as an interface: posted, answered, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from secrets import token_urlsafe
from time import monotonic

from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from replicast.errors import ReplicastError, invalid
from replicast.web import api
from replicast.web.caching import refuse_twice
from replicast.web.forms import EVERY, ScoresQuestion
from replicast.web.jobs import FILES, Outcome, file_of, keep, report_scores
from replicast.web.mistakes import Mistake, at_field, mistakes_in, parse, shown
from replicast.web.templating import EXAMPLES, render
from replicast.web.uploads import (
    PASTED,
    TooLargeError,
    pack_form,
    read_form,
    read_tables,
    unpack_form,
)
from replicast.web.workers import BUSY, BusyError, Workers

_LONGEST_TABLE = 200_000  # bytes of a table that an address could ever carry
_KEPT = 32  # answers, for files to keep
_SECONDS = 600.0  # that an answer is kept
_CARRIED = ("answer", "table", "files", "kept", "kept_name", "as", "asked")


class Answers:
    """The latest answers, so that a file of one is not computed again; forgotten after ten minutes."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, Outcome]] = {}

    def keep(self, outcome: Outcome) -> str:
        """Keep an answer, and return the word that brings it back."""
        self._forget()
        word = token_urlsafe(16)
        self._known[word] = monotonic(), replace(outcome, html="", kept=())
        return word

    def find(self, word: str) -> Outcome | None:
        """Return an answer, if it is still known."""
        self._forget()
        return self._known[word][1] if word in self._known else None

    def _forget(self) -> None:
        recent = monotonic() - _SECONDS
        kept = [pair for pair in self._known.items() if pair[1][0] > recent]
        self._known = dict(kept[-_KEPT:])


@dataclass
class Posted:
    """What a form brought: the tables, what was said about them, and in which form to answer."""

    wanted: str
    said: dict[str, str] = field(default_factory=dict)
    tables: dict[str, bytes] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    answer: str = ""  # the word for an answer that a file is wanted of

    @property
    def pasted(self) -> str:
        """The table that was typed or pasted, to be shown again."""
        return self.tables.get(PASTED, b"").decode("utf-8", "replace")


async def _take(posted: Posted, form: FormData) -> None:
    """Read a table and what was said about it from a form."""
    try:
        said = [
            (name, value)
            for name, value in form.multi_items()
            if name not in _CARRIED and isinstance(value, str)
        ]
        refuse_twice(name for name, _ in said)
        posted.said = dict(said)
        posted.asked = tuple(str(name) for name in form.getlist("asked"))
        posted.answer = str(form.get("answer") or "")
        posted.tables = await read_tables(form)
        posted.wanted = str(form.get("as") or posted.wanted)
    finally:
        await form.close()
    if posted.wanted not in (*FILES, "page", "record"):
        raise invalid("as", f"one of {', '.join(FILES)}", shown(posted.wanted))


async def _report(request: Request, posted: Posted) -> Outcome:
    """Have a worker report on a table, or write a file of the answer that is known."""
    known = request.app.state.answers.find(posted.answer) if posted.wanted in FILES else None
    if known is not None:
        account = known.record["account"]
        return await _workers(request).run(file_of, known.found, account, posted.wanted)
    question = parse(ScoresQuestion, posted.said)
    return await _workers(request).run(report_scores, posted.tables, question, posted.wanted)


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.workers
    return workers


async def scores_page(request: Request) -> Response:
    """Show the form for a table, or the report on the one posted."""
    posted, outcome, status = Posted("page"), Outcome(), 200
    try:
        asked = await _asked(request, posted)
        by_post = request.method == "POST" and posted.wanted == "page"
        link = _link(posted, posted.asked) if by_post else ""
        if link:  # what has an address of its own can be left and come back to
            return RedirectResponse(f"/scores?packed={link}", 303, {"Cache-Control": "no-store"})
        if asked:
            outcome = await _report(request, posted)
        if outcome.file:
            return api.file_answer(posted.wanted, outcome)
        status = 422 if outcome.mistakes else 200
    except ReplicastError as error:
        outcome = Outcome(mistakes=mistakes_in(error, "table"))
        status = 413 if isinstance(error, TooLargeError) else 422
    except BusyError:
        outcome, status = Outcome(mistakes=(Mistake("table", BUSY),)), 429
    return await _shown(request, posted, outcome, status)


async def _asked(request: Request, posted: Posted) -> bool:
    """Take what was posted, what an address carries, or an example; say whether there is any."""
    query = request.query_params
    example = EXAMPLES.get(query.get("example") or "folds") if "example" in query else None
    if request.method == "POST":
        async with _workers(request).place():
            await _take(posted, await read_form(request))
    elif "packed" in query:
        await _take(posted, unpack_form(query["packed"]))
    elif example is not None:
        posted.tables, posted.said = {PASTED: example.table()}, dict(example.said)
    else:
        return False
    return True


async def _shown(request: Request, posted: Posted, outcome: Outcome, status: int) -> Response:
    """Return the page with the report, the questions, or the empty form with an example."""
    blank = not (posted.tables or outcome.mistakes)
    html = render(
        "scores.html.j2",
        page="scores",
        example=await _example(request) if blank else "",
        outcome=outcome,
        posted=posted,
        link=_link(posted) if outcome.html else "",
        answer=request.app.state.answers.keep(outcome) if outcome.html else "",
        answers_a_post=request.method == "POST",
        kept=[(name, text) for name, text in outcome.kept if name != PASTED],
        mistakes={
            **_unanswered(posted, outcome),
            **{m.field: at_field(m) for m in outcome.mistakes},
        },
        asked={one.field: one for one in outcome.questions},
        every=EVERY,
        downloads=FILES,
        examples={name: example.words for name, example in EXAMPLES.items()},
    )
    # an empty form may be kept, so that the way back to it finds what was typed
    kept = None if blank else {"Cache-Control": "no-store"}
    return HTMLResponse(html, status, kept)


async def _example(request: Request) -> str:
    """Return the report that stands greyed below an empty form; it is made once."""
    state = request.app.state
    if not hasattr(state, "example"):
        shown = EXAMPLES["folds"]
        question = parse(ScoresQuestion, shown.said)
        tables = {PASTED: shown.table()}
        outcome = await _workers(request).run(report_scores, tables, question, "example")
        state.example = outcome.html
    example: str = state.example
    return example


def _link(posted: Posted, asked: Sequence[str] = ()) -> str:
    """Return the part of an address that carries a table and what was said about it."""
    if sum(map(len, posted.tables.values())) > _LONGEST_TABLE:
        return ""
    pasted = [("table", posted.pasted)] if PASTED in posted.tables else []
    files = {name: raw for name, raw in posted.tables.items() if name != PASTED}
    kept = [pair for name, text in keep(files) for pair in (("kept_name", name), ("kept", text))]
    named = [("asked", name) for name in asked]
    return pack_form([*posted.said.items(), *named, *pasted, *kept])


def _unanswered(posted: Posted, outcome: Outcome) -> dict[str, str]:
    """Return a word for each question that came back without an answer."""
    open_ones = {question.field for question in outcome.questions if question.choices}
    return {name: "Choose one of these first." for name in posted.asked if name in open_ones}


async def api_scores(request: Request) -> Response:
    """Compare the classifiers of a table of scores in any format replicast reads."""
    posted = Posted("record")
    async with _workers(request).place():
        await _take(posted, await read_form(request))
    outcome = await _report(request, posted)
    if outcome.questions or outcome.mistakes:
        return api.refusal(422, outcome)
    if posted.wanted in FILES:
        return api.file_answer(posted.wanted, outcome)
    return JSONResponse(outcome.record)
