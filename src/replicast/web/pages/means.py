"""The page for two means and their spreads: what they leave open, and what to ask the authors for."""

from replicast.design import describe_repeat
from replicast.formatting import format_percent
from replicast.presentation.words.means import means_line, narrate_means
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
    low, high = format_percent(found.low), format_percent(found.high)
    repeat = describe_repeat(found.design)
    chances = f"{low} to {high}" if len(found.correlations) > 1 else low
    return {
        "story": narrate_means(found),
        "headline": f"{chances} of repeats {repeat} would be significant".capitalize(),
        "brief": f"{chances} significant",
        "quote": means_line(found),
        "link": question.link("/means"),
    }
