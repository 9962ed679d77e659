"""The page for a paper's number: the answer, its picture, and a sentence to quote."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from markupsafe import Markup

from replicast.design import describe_repeat
from replicast.formatting import brief_percent
from replicast.presentation.document import Document
from replicast.presentation.pictures.repeats import described
from replicast.presentation.pictures.replication import chance_figure, curve_figure, curve_mark
from replicast.presentation.pictures.svg import Drawing
from replicast.presentation.words.chances import can_be_significant
from replicast.presentation.words.replication import tell_replication
from replicast.replication.curves import curve_like, required_pvalues, typical
from replicast.replication.first_result import FirstResult
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.reported import REPORTED, read_reported
from replicast.web.caching import Answered, NotAtOnceError, ask
from replicast.web.forms import PaperQuestion
from replicast.web.templating import Stencil, render

Required = tuple[tuple[float, float | None], ...]
_REMEMBERED = 256  # kinds of experiment and of forms


@dataclass(frozen=True)
class PaperAnswer:
    """What replicast says about a reported result."""

    replication: Replication
    kind: "Kind"
    document: Document


def answer_paper(question: PaperQuestion, *, at_once: bool = False) -> PaperAnswer:
    """Return the chance of replication of a reported result, with what results like it share.

    With `at_once`, raise `NotAtOnceError` where that takes longer than a moment.
    """
    given = question.given
    first = read_reported(given, names=(question.first, question.second))
    found = report_replication(
        first, relation=question.relation, significance=question.significance
    )
    kind = _kind_of(first, question.significance, question.relation, at_once=at_once)
    return PaperAnswer(
        replication=found,
        kind=kind,
        document=tell_replication(found, given=given),
    )


@dataclass(frozen=True)
class Kind:
    """What all results of one kind of experiment share: the curve, its picture, p-values needed."""

    curve: ReplicationCurve
    required: Required
    drawing: Drawing | None


_KINDS: dict[tuple[FirstResult, float, Relation], Kind] = {}
_FORGETTING = Lock()  # kinds are made in threads


def _kind_of(first: FirstResult, significance: float, relation: Relation, *, at_once: bool) -> Kind:
    """Return what is shared with results like this one, found again or made anew.

    Making it takes a few dozen evaluations of the model: with `at_once` it is not waited for.
    """
    key = typical(first), significance, relation
    known = _KINDS.get(key)
    if known is not None:
        return known
    if at_once:
        raise NotAtOnceError
    curve = curve_like(*key)
    alike = report_replication(key[0], relation=relation, significance=significance)
    drawing = Drawing(curve_figure(curve)) if len(curve.pvalues) > 1 else None
    kind = Kind(curve, tuple(required_pvalues(alike)), drawing)
    with _FORGETTING:
        while len(_KINDS) >= _REMEMBERED:
            del _KINDS[next(iter(_KINDS))]
        _KINDS[key] = kind
    return kind


def _card(found: Replication) -> dict[str, object] | None:
    """Return what the card with the big number shows."""
    if not can_be_significant(found):
        return None
    again = " again" if found.first_significant else ""
    repeats, drawable = described(found)
    return {
        "percent": brief_percent(found.probability),
        "what": f"chance that a repeat {describe_repeat(found.design)} finds {found.better} "
        f"significantly better{again}",
        "figure": chance_figure(found),
        "repeats": repeats,
        "drawable": drawable,
    }


def _brief(found: Replication) -> str:
    """Say the answer in the few words that a phone has room for beside its keyboard."""
    chances = [found.probability]
    if found.by_test is not None:
        chances = [found.by_test.corrected, found.by_test.ordinary]
    shown = " or ".join(brief_percent(p) for p in chances)
    return f"{shown} {'again' if found.first_significant else 'significant'}"


def paper_page(query: str, *, at_once: bool) -> tuple[int, bytes]:
    """Return status and page for a query; with `at_once`, only if it takes no more than a moment."""
    asked = ask(PaperQuestion, query, lambda question: _content(question, at_once))
    html = render(
        "paper.html.j2",
        page="paper",
        form=Markup(_form(asked)),  # escaped by its own template
        mistakes=asked.mistakes,
        result=asked.result,
    )
    return asked.status, html.encode("utf-8")


def _content(question: PaperQuestion, at_once: bool) -> dict[str, object]:
    answer = answer_paper(question, at_once=at_once)
    found = answer.replication
    drawing = answer.kind.drawing
    return {
        "answer": answer,
        "brief": _brief(found),
        "link": question.link("/paper"),
        "chance": _card(found),
        "figure": drawing and drawing.figure,
        "drawn": drawing and Markup(drawing.svg(curve_mark(answer.kind.curve, found))),
    }


_CHOICES = ("report", "setting", "relation", "test")


def _form(asked: Answered) -> str:
    """Return the form with what was typed in it.

    Most of it is the same whatever the numbers are, so it is kept with gaps in their place.
    """
    if asked.mistakes:
        return _render_form(asked.fields, asked.mistakes)
    typed = {name: text for name, text in asked.fields.items() if name not in _CHOICES and text}
    choices = {name: asked.fields[name] for name in _CHOICES if asked.fields.get(name)}
    return _blank_form(tuple(sorted(typed)), tuple(sorted(choices.items()))).fill(typed)


@lru_cache(maxsize=_REMEMBERED)
def _blank_form(typed: tuple[str, ...], choices: tuple[tuple[str, str], ...]) -> Stencil:
    fields = {**{name: Stencil.gap(name) for name in typed}, **dict(choices)}
    return Stencil(_render_form(fields, {}))


def _render_form(fields: Mapping[str, str], mistakes: Mapping[str, str]) -> str:
    kinds = (kind for kind, row in REPORTED.items() if fields.get(row.fields[0]))
    settings = (setting for setting in ("datasets", "splits", "seeds") if fields.get(setting))
    return render(
        "_paper_form.html.j2",
        fields=fields,
        mistakes=mistakes,
        report=fields.get("report") or next(kinds, "t"),
        setting=fields.get("setting") or next(settings, "folds"),
    )
