"""Results as Markdown and LaTeX, with every name escaped for its format."""

import re
from collections.abc import Sequence

from replicast.presentation.words.narrative import Narrative

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$", "±": r"$\pm$", "–": "--", "−": r"$-$", "<": r"\textless{}",
    ">": r"\textgreater{}", "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$", "·": r"$\cdot$",
    "←": r"$\leftarrow$", "’": "'", "\u00a0": "~",
}  # fmt: skip
_LONGEST = 40  # rows of a table that fits a page
_LATIN = 0x180  # Latin letters up to here come with every LaTeX
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|]|^#)")
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
    for found in _MATH.finditer(text):
        parts += [escape_latex(text[last : found.start()]), f"${found.group().replace('−', '-')}$"]
        last = found.end()
    return "".join([*parts, escape_latex(text[last:])])


def latex_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    label: str = "",
) -> str:
    """Return a table for the package booktabs; one too long for a page is a longtable."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(latex_text(cell) for cell in cells) + r" \\"

    columns = "l" * len(headings)
    told = [rf"\caption{{{latex_text(caption)}}}"] if caption else []
    told += [rf"\label{{{label}}}"] if label else []
    if len(rows) > _LONGEST and caption:
        head = [*told[:-1], told[-1] + r" \\"]
        body = [rf"\begin{{longtable}}{{{columns}}}", *head, r"\toprule", line(headings)]
        body += [r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot", *map(line, rows)]
        return "\n".join([*body, r"\end{longtable}"])
    body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", line(headings), r"\midrule"]
    body += [*map(line, rows), r"\bottomrule", r"\end{tabular}"]
    if not caption:
        return "\n".join(body)
    return "\n".join([r"\begin{table}", r"\centering", *body, *told, r"\end{table}"])


def label_of(*names: str) -> str:
    """Return a label of a table from names: letters and digits of any, joined by hyphens."""
    plain = "-".join(re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() for name in names)
    return f"tab:{plain.strip('-') or 'result'}"


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
    lead = latex_text(paste or story.verdict)
    table = latex_table(
        _HEADINGS, _cells(story), story.title, label_of(story.title.partition(" (")[0])
    )
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


def _cells(story: Narrative) -> list[tuple[str, str, str]]:
    return [(row.label, row.value, row.remark) for row in story.rows]
