"""Templates of the pages, filled and escaped."""

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from replicast.presentation.renderers.html import environment, page_style

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    found = environment("replicast.web")
    content = b"".join(raw for raw, _ in assets().values())
    found.globals["stamp"] = hashlib.sha256(content).hexdigest()[:12]  # a new file, a new address
    return found


def render(template: str, **content: Any) -> str:
    """Fill a template; everything in it is escaped."""
    return _environment().get_template(template).render(**content)


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
