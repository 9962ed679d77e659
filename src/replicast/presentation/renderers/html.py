"""A document as a page, and as a part of a notebook: one template, no network, no script."""

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from replicast.presentation.document import Document
from replicast.presentation.pictures.behind import csv_link
from replicast.presentation.pictures.figure import Data
from replicast.presentation.pictures.palette import style_sheet
from replicast.presentation.pictures.svg import svg

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_OWN = "replicast.presentation"
_MOST_ROWS = 60  # of the data behind a chart


def page(document: Document) -> str:
    """Return a document as a whole page, one sheet of paper when printed."""
    return _render("document.html.j2", title=document.headline, document=document)


def notebook_part(document: Document) -> str:
    """Return a document as a part of a notebook: headline, picture and lines, the rest folded."""
    part = _render("_document.html.j2", document=document, heading="h3")
    return f'<div class="replicast"><style>{notebook_style()}</style>{part}</div>'


def environment(*packages: str) -> "Environment":
    """Return the templates of packages, the first one's before ours; everything is escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from replicast import __version__

    templates = Environment(
        loader=ChoiceLoader([PackageLoader(name, "templates") for name in (*packages, _OWN)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.globals["version"] = __version__
    templates.filters["svg"] = lambda figure: Markup(svg(figure))  # escaped where it is drawn
    templates.filters["csv_link"] = csv_link
    templates.filters["rows"] = _rows
    return templates


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    return environment()


def _render(template: str, **content: Any) -> str:
    from markupsafe import Markup

    style = Markup(page_style())  # ours, not a user's
    return _environment().get_template(template).render(css=style, **content)


def style(name: str) -> str:
    """Return one of our style sheets: `content` is shared by all, `page` is for pages alone."""
    folder = files(_OWN).joinpath("templates")
    return folder.joinpath(f"{name}.css").read_text(encoding="utf-8")


def page_style() -> str:
    """Return the style sheet of a page, colours first."""
    return style_sheet() + style("page") + style("content")


def notebook_style() -> str:
    """Return the style sheet of a part of a notebook, which touches nothing around it."""
    # three times, to outweigh what notebooks say of every table and heading
    inside = f".replicast.replicast.replicast{{{style('content')}{style('notebook')}}}\n"
    return style_sheet(".replicast") + inside


@lru_cache(maxsize=64)
def _rows(data: Data) -> "Markup":
    """Return the first rows of the data behind a chart, as rows of a table."""
    from markupsafe import Markup, escape

    shown = (
        (f"{cell:.4g}" if isinstance(cell, float) else escape(cell) for cell in row)
        for row in data.rows[:_MOST_ROWS]
    )
    return Markup("".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>\n" for row in shown))
