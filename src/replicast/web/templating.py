"""Templates of the pages, filled and escaped."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import escape

from replicast.presentation.renderers.rendering import environment, page_style

if TYPE_CHECKING:
    from jinja2 import Environment

_GAP = "\ue000"


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    return environment("replicast.web")


def render(template: str, **content: Any) -> str:
    """Fill a template; everything in it is escaped."""
    return _environment().get_template(template).render(**content)


class Stencil:
    """A filled template with gaps, for pages that differ in a few numbers only.

    Gaps are made by rendering with `Stencil.gap(name)` in place of a value.
    """

    def __init__(self, html: str) -> None:
        self._parts = html.split(_GAP)

    @staticmethod
    def gap(name: str) -> str:
        """Return what marks a gap: letters of private use, which escaping leaves alone."""
        return f"{_GAP}{name}{_GAP}"

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the page with its gaps filled; values are escaped."""
        parts = list(self._parts)
        for place in range(1, len(parts), 2):
            parts[place] = str(escape(values[parts[place]]))
        return "".join(parts)


@lru_cache(maxsize=1)
def assets() -> dict[str, tuple[bytes, str]]:
    """Return the files a page loads, by name: no path is made from a request."""
    ours = files("replicast.web").joinpath("static")
    return {
        "page.css": (page_style().encode(), "text/css; charset=utf-8"),
        "web.css": (ours.joinpath("web.css").read_bytes(), "text/css; charset=utf-8"),
        "live.js": (ours.joinpath("live.js").read_bytes(), "text/javascript; charset=utf-8"),
        "icon.svg": (ours.joinpath("icon.svg").read_bytes(), "image/svg+xml"),
    }


class Example(NamedTuple):
    """Scores that come with replicast, and what has to be said about them."""

    file: str
    said: dict[str, str]
    words: str

    def table(self) -> bytes:
        """Return the scores."""
        return files("replicast").joinpath("data", self.file).read_bytes()


EXAMPLES = {
    "folds": Example(
        "breast-cancer-10x10.csv",
        {"first": "svm", "second": "naive-bayes"},
        "two classifiers, ten runs of 10-fold cross-validation",
    ),
    "datasets": Example(
        "example-datasets.csv",
        {"rows": "datasets", "metric": "accuracy", "first": "*"},
        "three classifiers on 26 datasets",
    ),
    "cases": Example("example-cases.csv", {}, "two classifiers on one test set, case by case"),
}
