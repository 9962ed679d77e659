"""The page for two means and their spreads: what they leave open, and what to ask the authors for."""

from replicast.presentation.words.means import tell_means
from replicast.presentation.words.scales import hundred
from replicast.replication.means import MeansReplication, replication_from_means
from replicast.web.caching import ask
from replicast.web.forms import MeansQuestion
from replicast.web.templating import render

_SETTINGS = ("datasets", "seeds", "cases")


def answer_means(question: MeansQuestion) -> MeansReplication:
    """Return the range of chances that the means leave open."""
    return replication_from_means(**question.given)


def means_page(query: str, *, at_once: bool) -> tuple[int, bytes]:  # noqa: ARG001  # always a moment
    """Return status and page for a query."""
    asked = ask(MeansQuestion, query, _content)
    html = render(
        "means.html.j2",
        page="paper",
        fields=asked.fields,
        mistakes=asked.mistakes,
        result=asked.result,
        setting=asked.fields.get("setting")
        or next((one for one in _SETTINGS if asked.fields.get(one)), "folds"),
    )
    return asked.status, html.encode("utf-8")


def _content(question: MeansQuestion) -> dict[str, object]:
    found = answer_means(question)
    document = tell_means(found)
    chances = " to ".join(dict.fromkeys((hundred(found.low), hundred(found.high))))
    return {
        "document": document,
        "headline": document.headline,
        "brief": f"{chances} of 100 significant",
        "quote": document.quote,
        "link": question.link("/means"),
    }
