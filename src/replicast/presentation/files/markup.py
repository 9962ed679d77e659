"""Results as Markdown, LaTeX and CSV, with every name escaped for its format."""

import csv
import io
import re
from collections.abc import Sequence

from replicast.presentation.words.comparison import Narrative

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$", "±": r"$\pm$", "–": "--", "−": r"$-$", "<": r"\textless{}",
    ">": r"\textgreater{}", "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$", "·": r"$\cdot$",
    "←": r"$\leftarrow$", "’": "'", "\u00a0": "~",
}  # fmt: skip
_LATIN = 0x180  # Latin letters up to here come with every LaTeX
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|]|^#)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


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


def escape_cell(text: str) -> str:
    """Keep a spreadsheet from running a name as a formula.

    Examples
    --------
    >>> escape_cell("=1+1"), escape_cell("-0.25")
    ("'=1+1", '-0.25')
    """
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.match(text) else text


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(escape_markdown(cell) for cell in cells) + " |"

    return "\n".join([line(headings), "|" + "---|" * len(headings), *map(line, rows)])


def latex_table(headings: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return a table for the package booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(escape_latex(cell) for cell in cells) + r" \\"

    columns = "l" * len(headings)
    body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", line(headings), r"\midrule"]
    body += [*map(line, rows), r"\bottomrule", r"\end{tabular}"]
    if not caption:
        return "\n".join(body)
    return "\n".join(
        [r"\begin{table}", r"\centering", *body, rf"\caption{{{escape_latex(caption)}}}",
         r"\end{table}"]
    )  # fmt: skip


def csv_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return CSV text; names that look like formulas are defused."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow([escape_cell(cell) for cell in headings])
    writer.writerows([escape_cell(cell) for cell in row] for row in rows)
    return sink.getvalue()


_HEADINGS = ("", "value", "remark")


def narrative_markdown(story: Narrative, paste: str = "") -> str:
    """Return a narrative as a Markdown document."""
    parts = [f"# {escape_markdown(story.title)}", ""]
    for paragraph in story.paragraphs:
        parts += [escape_markdown(line) + "\n" for line in paragraph.splitlines()]
    parts += [markdown_table(_HEADINGS, _cells(story)), ""]
    if story.outlook:
        parts += [escape_markdown(story.outlook), ""]
    parts += [f"> Caution: {escape_markdown(text)}\n" for text in story.cautions]
    if paste:
        parts += ["## To paste", "", escape_markdown(paste)]
    return "\n".join(parts).rstrip() + "\n"


def narrative_latex(story: Narrative, paste: str = "") -> str:
    """Return a narrative as LaTeX to include: the result sentence and a booktabs table."""
    lead = escape_latex(paste or story.verdict)
    table = latex_table(_HEADINGS, _cells(story), story.title)
    return f"% needs \\usepackage{{booktabs}}\n{lead}\n\n{table}\n"


def read_markdown(account: Sequence[str]) -> str:
    """Return what was read, assumed and dropped as the end of a Markdown document."""
    if not account:
        return ""
    return "\n".join(
        ["", "## What was read", "", *(f"- {escape_markdown(a)}" for a in account), ""]
    )


def latex_comments(cautions: Sequence[str], account: Sequence[str]) -> str:
    """Return cautions and what was read as comments at the head of a LaTeX file."""
    lines = [*(f"Caution: {text}" for text in cautions), *account]
    return "".join(f"% {' '.join(_CONTROL.sub(' ', line).split())}\n" for line in lines)


def narrative_csv(story: Narrative) -> str:
    """Return the table of a narrative as CSV."""
    return csv_table(("what", "value", "remark"), _cells(story))


def _cells(story: Narrative) -> list[tuple[str, str, str]]:
    return [(row.label, row.value, row.remark) for row in story.rows]
