"""A document as a page, and as a part of a notebook: one template, no network, no script."""

from replicast.presentation.document import Document
from replicast.presentation.renderers.rendering import notebook_style, render


def page(document: Document) -> str:
    """Return a document as a whole page, one sheet of paper when printed."""
    return render("document.html.j2", title=document.headline, document=document)


def notebook_part(document: Document) -> str:
    """Return a document as a part of a notebook: headline, picture and lines, the rest folded."""
    part = render("_document.html.j2", document=document, heading="h3")
    return f'<div class="replicast"><style>{notebook_style()}</style>{part}</div>'
