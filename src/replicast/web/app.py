"""Routes: what is asked, who answers, and what is said when something is wrong."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, get_type_hints

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)

from replicast import __version__
from replicast.errors import ReplicastError
from replicast.web import api
from replicast.web.mistakes import Mistake, mistakes_in, mistakes_of
from replicast.web.pages.papers import judge_page, means_page, paper_page
from replicast.web.pages.planning import plan_page
from replicast.web.pages.scores import Answers, api_scores, scores_page
from replicast.web.protection import Protection
from replicast.web.templating import assets, render
from replicast.web.uploads import TooLargeError
from replicast.web.workers import BUSY, BusyError, Workers


@dataclass(frozen=True)
class Limits:
    """How long a request may take in all, and its work in a worker; and how many workers."""

    request_seconds: float = 60.0
    work_seconds: float = 20.0
    workers: int = 2
    hosts: tuple[str, ...] = ()  # names the page may be asked for by; none means any


def create_app(limits: Limits | None = None) -> FastAPI:
    """Return the application; its workers start with it and end with it."""
    limits = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.workers = Workers(limits.workers, limits.work_seconds)
        app.state.workers.warm()
        app.state.answers = Answers()
        paper_page("t=2&folds=10")  # compiles what a first visitor would wait for
        gc.freeze()  # nothing loaded so far will ever be garbage
        yield
        app.state.workers.close()

    app = FastAPI(
        title="replicast",
        version=__version__,
        summary="Is A better, by how much, could the test have seen it, and will it happen again?",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.include_router(api.router)
    app.add_api_route("/api/scores", api_scores, methods=["POST"], **api.SCORES_ROUTE)
    app.add_api_route("/health", health, methods=["GET"])
    for page in (paper_page, means_page, plan_page, judge_page):
        app.add_route(f"/{page.name}", page.handle, include_in_schema=False)
    app.add_route("/", _home, include_in_schema=False)
    app.add_route("/scores", scores_page, methods=["GET", "POST"], include_in_schema=False)
    app.add_route("/api", api_page, include_in_schema=False)
    app.add_route("/static/{name}", static, include_in_schema=False)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(ReplicastError, _refused)
    app.add_exception_handler(BusyError, _busy)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(Protection, seconds=limits.request_seconds, hosts=limits.hosts)
    return app


async def health() -> api.Health:
    """Say that the service answers, and its version."""
    return api.Health(status="ok", version=__version__)


async def _home(_request: Request) -> Response:
    return RedirectResponse("/paper")


async def api_page(request: Request) -> Response:
    """Describe the interface in words, from its own description."""
    base = str(request.base_url).rstrip("/")
    html = render("api.html.j2", page="api", base=base, paths=request.app.openapi()["paths"])
    return HTMLResponse(html)


async def static(request: Request) -> Response:
    """Return a style sheet, the script or the icon."""
    found = assets().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    content, kind = found
    return Response(content, 200, {"Cache-Control": "public, max-age=31536000, immutable"}, kind)


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/") or request.url.path == "/health"


async def _invalid_request(request: Request, error: Any) -> Response:
    kind = get_type_hints(request.scope["endpoint"]).get("question")
    return api.mistakes_answer(422, tuple(mistakes_of(kind, error.errors())))


async def _refused(_request: Request, error: Any) -> Response:
    status = 413 if isinstance(error, TooLargeError) else 422
    return api.mistakes_answer(status, mistakes_in(error, "request"))


async def _busy(_request: Request, _error: Any) -> Response:
    return api.mistakes_answer(429, (Mistake("table", BUSY),))


async def _http_error(request: Request, error: Any) -> Response:
    words = {
        404: "There is nothing at this address.",
        405: f"This address does not take {request.method[:20]}.",
    }
    text = words.get(error.status_code, "This request cannot be answered.")
    headers = getattr(error, "headers", None)
    if _is_api(request):
        content = api.ErrorAnswer(error=text).model_dump()
        return JSONResponse(content, error.status_code, headers)
    html = render("problem.html.j2", page="", text=text)
    return HTMLResponse(html, error.status_code, headers)
