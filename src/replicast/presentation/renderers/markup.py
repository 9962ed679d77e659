"""A document as Markdown and as LaTeX, with every name escaped for its format."""

import re
from collections.abc import Sequence

from replicast.presentation.document import Document, Listing, Row, Section

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$", "±": r"$\pm$", "–": "--", "−": r"$-$", "<": r"\textless{}",
    ">": r"\textgreater{}", "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$", "·": r"$\cdot$",
    "←": r"$\leftarrow$", "’": "'", "\u00a0": "~",
}  # fmt: skip
_LATEX_ROWS = 10  # of a table that a paper has room for
_LATIN = 0x180  # Latin letters up to here come with every LaTeX
_NUMERIC = re.compile(r"^[<>−+-]?[\d.,:]+[%*]?\s?\*?$")
_MARKDOWN = re.compile(r"([\\`*_<>|]|^#|\](?=[(\[:]))")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escape_latex(text: str) -> str:
    r"""Escape text for LaTeX.

    Examples
    --------
    >>> print(escape_latex("95% of a_b & c"))
    95\% of a\_b \& c
    """
    return "".join(_latex_letter(letter) for letter in _CONTROL.sub(" ", text))


def _latex_letter(letter: str) -> str:
    """Escape one letter; what plain LaTeX has no glyph for is written as its code point."""
    if letter in _LATEX:
        return _LATEX[letter]
    return letter if ord(letter) < _LATIN else rf"\texttt{{U+{ord(letter):04X}}}"


def escape_markdown(text: str) -> str:
    r"""Escape text for Markdown.

    Examples
    --------
    >>> print(escape_markdown("<b>my_model</b>"))
    \<b\>my\_model\</b\>
    """
    plain = _CONTROL.sub(" ", text).replace("\n", " ")
    return _MARKDOWN.sub(r"\\\1", plain)


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(escape_markdown(cell) for cell in cells) + " |"

    return "\n".join([line(headings), "|" + "---|" * len(headings), *map(line, rows)])


# a statistic with its value, or a negative number: what papers set in math
_MATH = re.compile(
    r"(?<![\w\\])(?P<symbol>[A-Za-zα-ω]'?)(?P<df>\(\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*\))? "
    r"(?P<relation>[=<>]) (?P<value>[-−]?\d+(?:\.\d+)?)(?![\w%])"
    r"|(?<![\w.)\]-])(?P<negative>[-−]\d+(?:\.\d+)?)"
)


def latex_text(text: str) -> str:
    r"""Escape text for LaTeX, with statistics and negative numbers in math.

    Examples
    --------
    >>> print(latex_text("t(9) = 2.45, p < 0.001, −1.5 points of a_b"))
    $t(9) = 2.45$, $p < 0.001$, $-1.5$ points of a\_b
    """
    parts, last = [], 0
    for match in _MATH.finditer(text):
        parts += [escape_latex(text[last : match.start()]), f"${match.group().replace('−', '-')}$"]
        last = match.end()
    return "".join([*parts, escape_latex(text[last:])])


def latex_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    label: str = "",
) -> str:
    """Return a table for the package booktabs; numbers are set to the right."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(latex_text(cell) for cell in cells) + r" \\"

    columns = "".join(
        "r" if _is_numeric([row[k] for row in rows]) else "l" for k in range(len(headings))
    )
    head = [line(headings), r"\midrule"] if any(headings) else []
    body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *head]
    body += [*map(line, rows), r"\bottomrule", r"\end{tabular}"]
    if not caption:
        return "\n".join(body)
    below = [rf"\caption{{{latex_text(caption)}}}", rf"\label{{{label}}}"]
    return "\n".join(
        [r"\begin{table}", r"\centering", r"\footnotesize", *body, *below, r"\end{table}"]
    )


def _is_numeric(cells: Sequence[str]) -> bool:
    """Say whether a column holds numbers, which are set to the right."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(_NUMERIC.match(cell) for cell in filled)


def label_of(*names: str) -> str:
    """Return a label of a table from names: letters and digits of any, joined by hyphens."""
    plain = "-".join(re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() for name in names)
    return f"tab:{plain.strip('-') or 'result'}"


def markdown(document: Document) -> str:
    """Return a document as Markdown: the answer, then everything behind it."""
    parts = [f"# {escape_markdown(document.headline)}"]
    parts += [f"> Caution: {escape_markdown(text)}" for text in document.shown_cautions("below")]
    parts += [_markdown_rows(document.lines), _markdown_listing(document.listing)]
    parts += map(escape_markdown, document.notes)
    for title, section in document.sections:
        part = _markdown_section(section)
        parts += [f"## {title}", part] if part else []
    return "\n\n".join(filter(None, parts)) + "\n"


def _markdown_section(section: Section) -> str:
    if isinstance(section, Listing):
        return _markdown_listing(section)
    rows = _markdown_rows([part for part in section if isinstance(part, Row)])
    texts = [escape_markdown(text) for text in section if isinstance(text, str) and text]
    return rows or (texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts))


def _markdown_rows(rows: Sequence[Row]) -> str:
    cells = [(row.label, row.value, row.remark) for row in rows]
    return markdown_table(("", "", ""), cells) if cells else ""


def _markdown_listing(table: Listing | None) -> str:
    if table is None:
        return ""
    lines = markdown_table(table.headings, table.rows).splitlines()
    if table.rule is not None:
        place, words = table.rule
        empty = " | ".join([f"*{escape_markdown(words)}*", *[""] * (len(table.headings) - 1)])
        lines.insert(2 + place, f"| {empty} |")
    return "\n".join(lines)


def latex(document: Document) -> str:
    """Return a document as LaTeX to include: the sentence to quote, and a table that fits a column.

    Rows that may be left out of an answer have no place in a paper either.
    """
    comments = [*(f"Caution: {one.text}" for one in document.cautions), *document.account]
    head = "".join(f"% {' '.join(_CONTROL.sub(' ', line).split())}\n" for line in comments)
    rows: Sequence[Sequence[str]] = [
        (row.label, row.value) for row in (*document.lines, *document.rows) if not row.spare
    ]
    headings: Sequence[str] = ("", "")
    if document.listing is not None:
        headings, rows = document.listing.headings, document.listing.rows
    if len(rows) > _LATEX_ROWS:
        head += f"% the first {_LATEX_ROWS} of {len(rows)} rows\n"
    caption, label = document.headline, label_of(document.headline)
    table = latex_table(headings, rows[:_LATEX_ROWS], caption, label)
    lead = latex_text(document.quote or document.headline)
    return f"{head}% needs \\usepackage{{booktabs}}\n{lead}\n\n{table}\n"
