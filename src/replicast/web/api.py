"""The answers as JSON, described by OpenAPI."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from replicast.presentation.telling import tell
from replicast.replication.curves import replication_curve, required_pvalues
from replicast.web.caching import refuse_twice
from replicast.web.forms import (
    JudgeQuestion,
    MeansQuestion,
    PaperQuestion,
    PlanQuestion,
    ScoresQuestion,
)
from replicast.web.jobs import FILES, Outcome
from replicast.web.mistakes import Mistake, without_null
from replicast.web.pages.papers import answer_judge, answer_means, answer_paper
from replicast.web.pages.planning import answer_plan


def _once(request: Request) -> None:
    refuse_twice(name for name, _ in request.query_params.multi_items())


router = APIRouter(prefix="/api", dependencies=[Depends(_once)])


class FieldError(BaseModel):
    """A field and what is wrong with it."""

    field: str
    text: str


class OpenQuestion(BaseModel):
    """Something a table does not tell, with the answers `field` may have."""

    field: str
    text: str
    choices: list[str]


class ErrorAnswer(BaseModel):
    """Why there is no answer, in one sentence, and in one for each field."""

    error: str
    fields: list[FieldError] = []
    questions: list[OpenQuestion] = []


class RequiredPValue(BaseModel):
    """A wanted chance of replication and the p-value that gives it, null if none does."""

    probability: float
    pvalue: float | None


class PaperReply(BaseModel):
    """What replicast says about a reported result."""

    headline: str
    quote: str = Field(description="a sentence for a review or a paper")
    replication: dict[str, Any] = Field(description="the record of the library")
    required: list[RequiredPValue]


class PlanReply(BaseModel):
    """What an experiment could see and whether it would happen again."""

    power: dict[str, Any]
    replication: dict[str, Any]
    plans: list[dict[str, Any]] = Field(description="what each way to grow takes")


class Health(BaseModel):
    """The service answers."""

    status: str
    version: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": ErrorAnswer, "description": "A field is wrong; the sentence says which and why."}
}
_SCORES_REFUSALS: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    408: {"description": "The request took too long."},
    413: {"model": ErrorAnswer, "description": "More than 10 MB."},
    429: {"model": ErrorAnswer, "description": "Too many tables are waiting."},
}


def _scores_body() -> dict[str, Any]:
    """Describe the form of a table and what may be said about it."""
    described = ScoresQuestion.model_json_schema()["properties"]
    fields = {name: without_null(field) for name, field in described.items()}
    table = {"type": "string", "description": "the table, pasted"}
    file = {"type": "string", "contentMediaType": "application/octet-stream"}  # as in OpenAPI 3.1
    files = {"type": "array", "items": file, "description": "the table, or several files of one"}
    wanted = {"type": "string", "enum": [*FILES], "description": "a file instead of the record"}
    properties = {"table": table, "files": files, "as": wanted, **fields}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }


@router.get("/paper", responses=REFUSALS)
def paper(question: Annotated[PaperQuestion, Query()]) -> PaperReply:
    """Chance that a reported result happens again on fresh data."""
    found = answer_paper(question)
    document = tell(found)
    return PaperReply(
        headline=document.headline,
        quote=document.quote,
        replication=found.to_dict(),
        required=[RequiredPValue(probability=p, pvalue=v) for p, v in required_pvalues(found)],
    )


@router.get("/curve", responses=REFUSALS)
def curve(question: Annotated[PaperQuestion, Query()]) -> dict[str, Any]:
    """Chance of replication against the p-value, for experiments like the one reported."""
    return replication_curve(answer_paper(question)).to_dict()


@router.get("/means", responses=REFUSALS)
def means(question: Annotated[MeansQuestion, Query()]) -> dict[str, Any]:
    """Range of chances that two means and spreads leave open, and what would settle it."""
    return answer_means(question).to_dict()


@router.get("/plan", responses=REFUSALS)
def plan(question: Annotated[PlanQuestion, Query()]) -> PlanReply:
    """Power and chance of replication of an experiment to come, and what more would take."""
    answer = answer_plan(question)
    return PlanReply(
        power=answer.power.to_dict(),
        replication=answer.replication.to_dict(),
        plans=[one.to_dict() for one in answer.plans],
    )


@router.get("/judge", responses=REFUSALS)
def judge(question: Annotated[JudgeQuestion, Query()]) -> dict[str, Any]:
    """Judge a replication that was made by its original."""
    return answer_judge(question).to_dict()


SCORES_ROUTE: dict[str, Any] = {
    "responses": {
        **_SCORES_REFUSALS,
        200: {
            "description": "The record of the comparison, or the file asked for.",
            "content": {file.media.partition(";")[0]: {} for file in FILES.values()},
        },
    },
    "openapi_extra": _scores_body(),
    "response_class": Response,
}


def file_answer(wanted: str, outcome: Outcome) -> Response:
    """Return a report as a file to keep."""
    file = FILES[wanted]
    headers = {
        "Content-Disposition": f'attachment; filename="replicast-report{file.ending}"',
        "Cache-Control": "no-store",
    }
    return Response(outcome.file, 200, headers, file.media)


def refusal(status: int, outcome: Outcome) -> JSONResponse:
    """Return the sentences and open questions of a request without an answer."""
    mistakes = [one.text for one in outcome.mistakes]
    content = ErrorAnswer(
        error=" ".join([*mistakes, *(one.text for one in outcome.questions)]),
        fields=[FieldError(field=one.field, text=one.text) for one in outcome.mistakes],
        questions=[
            OpenQuestion(field=q.field, text=q.text, choices=[*q.choices])
            for q in outcome.questions
        ],
    )
    return JSONResponse(content.model_dump(), status)


def mistakes_answer(status: int, mistakes: tuple[Mistake, ...]) -> JSONResponse:
    """Return sentences about fields."""
    return refusal(status, Outcome(mistakes=mistakes))
