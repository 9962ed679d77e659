"""Reports as PDF: the words, tables and pictures of the page, set on sheets of paper."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from replicast.comparison.records import Comparison, ManyComparison
from replicast.judging.records import Judgement
from replicast.presentation.files.page import comparison_content
from replicast.presentation.files.standings_page import Table, many_content
from replicast.presentation.pictures import layout
from replicast.presentation.pictures.canvas import Page, new_page, place
from replicast.presentation.pictures.figure import TEXT, Figure
from replicast.presentation.pictures.judging import judgement_figure
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.words.judging import narrate_judgement
from replicast.presentation.words.standings import short_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet

_WIDTH, _HEIGHT = 794.0, 1123.0  # A4
_MARGIN = 64.0
_ROOM = _WIDTH - 2 * _MARGIN
_WIDER = 1.03  # letters on paper, against the estimate of their width
_LETTERS = 26  # of a name in a table


class Paper:
    """Sheets that are filled from the top; what does not fit goes to the next one."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.pages: list[Page] = []
        self.y = _HEIGHT

    def _room(self, pixels: float) -> Page:
        if self.y + pixels > _HEIGHT - _MARGIN:
            self.pages.append(new_page(_WIDTH, _HEIGHT))
            self.y = _MARGIN
        return self.pages[-1]

    def text(
        self, words: str, tone: Tone = "ink", *, size: float = TEXT, strong: bool = False,
        after: float = 8.0,
    ) -> None:  # fmt: skip
        """Set a paragraph."""
        leading = size * 1.45
        for line in layout.wrapped(words, _ROOM, size * (1.1 if strong else _WIDER)):
            self._room(leading).write(
                _MARGIN, self.y + leading / 2, line, tone, size=size, strong=strong
            )
            self.y += leading
        self.y += after

    def heading(self, words: str) -> None:
        """Set a heading, not alone at the foot of a page."""
        self._room(120)
        self.y += 10
        self.text(words, size=TEXT + 2, strong=True, after=4)

    def figure(self, figure: Figure) -> None:
        """Set a picture with its title and its note."""
        height = place(new_page(_WIDTH, _HEIGHT), figure)
        place(self._room(height + 14), figure, _MARGIN - 5, self.y)
        self.y += height + 14

    def table(self, rows: Sequence[Sequence[str]], *, headed: bool = False) -> None:
        """Set rows in columns, smaller where they are wide; headings and last cells are broken."""
        cells = [[shortened(row[0]), *row[1:]] for row in rows]
        body = cells[1:] if headed else cells
        widths = [
            max(layout.text_width(row[k], _WIDER) for row in body) for k in range(len(body[0]))
        ]
        if headed:  # of a heading, each word
            words = [
                max(layout.text_width(w, _WIDER) for w in (*head.split(), "")) for head in cells[0]
            ]
            widths = [max(pair) for pair in zip(widths, words, strict=True)]
        else:
            widths[-1] = min(widths[-1], 32.0)
        gaps = 14.0 * len(widths)
        size = min(TEXT - 1.0, (_ROOM - gaps) / sum(widths))
        wide = [width * size + 14 for width in widths]
        starts = [_MARGIN + sum(wide[:k]) for k in range(len(wide))]
        if not headed:
            wide[-1] = _MARGIN + _ROOM - starts[-1]
        for at, row in enumerate(cells):
            tone: Tone = "soft" if headed and at == 0 else "ink"
            self._row([(starts[k], wide[k] - 8, row[k], tone if k else "soft")
                       for k in range(len(row))], size)  # fmt: skip
        self.y += 8

    def _row(self, cells: Sequence[tuple[float, float, str, Tone]], size: float) -> None:
        leading = size * 1.45
        lines = [layout.wrapped(words, width, size) for _, width, words, _ in cells]
        tall = max(len(part) for part in lines) * leading + 4
        page = self._room(tall)
        for part, (x, _, _, tone) in zip(lines, cells, strict=True):
            for k, line in enumerate(part):
                page.write(x, self.y + leading * (k + 0.5), line, tone, size=size)
        self.y += tall

    def bytes(self) -> bytes:
        """Return the sheets as a PDF; the same report is the same file."""
        from matplotlib import rc_context
        from matplotlib.backends.backend_pdf import PdfPages

        sink = io.BytesIO()
        about = {"Title": self.title, "Creator": "replicast", "CreationDate": None}
        with rc_context({"pdf.fonttype": 42}), PdfPages(sink, metadata=about) as book:
            for page in self.pages:
                sheet: Sheet = page.sheet
                book.savefig(sheet)
        return sink.getvalue()


def shortened(name: str) -> str:
    """Shorten a name that would leave its table no room; of a pair, both names."""
    return " − ".join(short_name(part, _LETTERS) for part in name.split(" − "))


def comparison_pdf(found: Comparison, account: Sequence[str] = ()) -> bytes:
    """Return the report of one comparison."""
    content = comparison_content(found)
    story, chance, plan = content["story"], content["chance"], content["plan"]
    paper = Paper(content["title"])
    paper.text(story.title, "soft")
    paper.text(content["headline"], size=TEXT + 7, strong=True)
    for words in (story.verdict, story.replication, story.reason):
        paper.text(words)
    if chance:
        paper.figure(chance["figure"])
        paper.figure(chance["repeats"])
    paper.heading("Evidence")
    paper.table([(row.label, row.value, row.remark) for row in story.rows])
    paper.figure(content["scores"]["figure"])
    if plan:
        paper.heading(plan["title"])
        paper.table([(step["label"], step["percent"]) for step in plan["steps"]])
        paper.text(plan["note"], "soft")
    _close(paper, story.cautions, content["methods"], account, content["paste"])
    return paper.bytes()


def standings_pdf(found: ManyComparison, account: Sequence[str] = ()) -> bytes:
    """Return the report of many classifiers."""
    content = many_content(found)
    story = content["story"]
    paper = Paper(content["title"])
    paper.text(story.title, "soft")
    paper.text(content["headline"], size=TEXT + 7, strong=True)
    for words in filter(None, (content["lead"], *content["texts"], story.outlook)):
        paper.text(words)
    paper.heading("Standing")
    _listed(paper, content["standing"])
    paper.figure(content["diagram"])
    paper.heading(f"Pairs with {content['first']}")
    _listed(paper, content["pairs"])
    if content["matrix"] is not None and content["matrix"].width <= _ROOM:
        paper.figure(content["matrix"])
    _close(paper, story.cautions, content["methods"], account)
    return paper.bytes()


def judgement_pdf(found: Judgement, account: Sequence[str] = ()) -> bytes:
    """Return the report of a judged replication."""
    story = narrate_judgement(found)
    paper = Paper(story.title)
    paper.text(story.title, size=TEXT + 7, strong=True)
    for paragraph in story.paragraphs:
        for line in paragraph.splitlines():
            paper.text(line)
    paper.figure(judgement_figure(found))
    paper.heading("In numbers")
    paper.table([(row.label, row.value, row.remark) for row in story.rows])
    _close(paper, story.cautions, (f"Forecast: {found.forecast.basis}.",), account)
    return paper.bytes()


def _listed(paper: Paper, table: Table) -> None:
    paper.table([table.headings, *table.rows], headed=True)


def _close(
    paper: Paper, cautions: Sequence[str], methods: Sequence[str], account: Sequence[str],
    paste: str = "",
) -> None:  # fmt: skip
    if cautions:
        paper.heading("Cautions")
    for text in cautions:
        paper.text(text)
    if paste:
        paper.heading("To paste")
        paper.text(paste)
    paper.heading("How this was computed")
    for text in (*methods, *account):
        paper.text(text, "soft", size=TEXT - 1, after=3)
