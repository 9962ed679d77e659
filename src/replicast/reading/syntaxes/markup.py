"""Tables as papers and pages write them: LaTeX, Markdown, HTML."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

from replicast.errors import invalid
from replicast.reading.limits import HERE, Limits
from replicast.reading.sheets import Sheet
from replicast.reading.syntaxes.grids import Line, sheet_of_lines

Cell = tuple[str, int, int]  # its text, and how far it reaches across and down
Row = tuple[int, list[Cell]]  # number as an editor counts, and the cells
_TABULAR = re.compile(r"\\begin\{(?:tabular[xy*]?|longtable|array)\}")
# arguments of a command: at most one brace within braces; possessive, so that none is read twice
_INNER = r"(?:[^{}]|\{[^{}]*+\})*+"
_BRACED = rf"\{{{_INNER}\}}"
_OPTION = r"(?:\[[^\[\]]*+\])?"
_CAPTION = re.compile(rf"\\caption{_OPTION}\{{({_INNER})\}}")
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|addlinespace|cline|cmidrule|noalign|specialrule"
    r"|endhead|endfoot|endfirsthead|endlastfoot)(?:\[[^\[\]]*+\]|\([^()]*+\)|"
    rf"{_BRACED})*+"
)
_SPAN = re.compile(rf"\\multicolumn\{{(\d++)\}}{_BRACED}\{{({_INNER})\}}")
_WRAPPED = re.compile(
    r"\\(?:textbf|mathbf|bm|boldsymbol|underline|uline|emph|textit|mathit|texttt|textsc|text|mathrm|textrm|mbox"
    rf"|best|second|bold|num|(?:makecell|thead|shortstack){_OPTION}|rotatebox{_OPTION}{_BRACED}"
    rf"|cellcolor{_OPTION}{_BRACED}|multirow{_OPTION}{_BRACED}{_OPTION}{_BRACED})"
    rf"\s*+\{{({_INNER})\}}"
)
_BARE = re.compile(
    r"\\(?:(?:bfseries|bf|itshape|it|em|sl|ttfamily|tt|small|tiny|scriptsize|footnotesize)(?![A-Za-z])"
    rf"|(?:row|cell)?color{_OPTION}{_BRACED}|[hv]?phantom{_BRACED}|hspace{_BRACED})"
)
_COMMANDS = {"\\uparrow": "↑", "\\downarrow": "↓", "\\Delta": "Δ", ".\\ ": ". "}
_DOWN = re.compile(rf"\\multirow{_OPTION}\{{([1-9]\d{{0,3}})\}}")
_CELL = re.compile(rf"\\(?:makecell|thead|shortstack){_OPTION}{_BRACED}")
_ASIDE = re.compile(
    r"~?\\(?:[cC]ite[a-zA-Z]*+|footnote(?:mark|text)?|label|tnote|textsuperscript)\*?"
    r"(?:\[[^\[\]]*+\])*+(?:\{[^{}]*+\})*+|\^\{?\+?[\d.]++\}?_\{?[-−]?[\d.]++\}?"
)
# a spread in small letters: 92.3_{0.4}
_BELOW = re.compile(r"(?<=\d)(\}?)_\{\s*+\(?(±?\s*+[\d.,]++)\)?\s*+\}")
_KEPT = 0xF0000  # of the private letters of Unicode
_SIGNS = {"backslash": "\\", "asciitilde": "~", "asciicircum": "^", "bar": "|", "less": "<",
          "greater": ">"}  # fmt: skip
_ESCAPED = re.compile(rf"\\([%_&#{{}}$])|\\text({'|'.join(_SIGNS)})(?:\{{\}}| ?)")
_PLAIN = re.compile(r"\\([!-/:-@\[-`{-~])")  # Markdown: a mark that is no mark
_RULE = re.compile(r"\s*+(?:\|\s*+)?(?::?+-++:?+\s*+\|\s*+)++(?::?+-++:?+\s*+)?(?:\|\s*+)?")


def find_markup(text: str) -> Callable[[str, str, Limits], Sheet] | None:
    """Return the reader of a text that is a table in LaTeX, Markdown or HTML, None if it is none."""
    if not any(mark in text for mark in "&|<"):
        return None
    if _TABULAR.search(text) or _has_latex_rows(text):
        return read_latex
    if re.search(r"<table[\s>]", text[:200_000], re.IGNORECASE):
        return read_html
    if any(_RULE.fullmatch(line) for line in text.splitlines()[:200] if "|" in line):
        return read_markdown
    return None


def _has_latex_rows(text: str) -> bool:
    rows = [line for line in text.splitlines()[:200] if "&" in line]
    return len(rows) > 1 and sum(line.rstrip().endswith("\\\\") for line in rows) > len(rows) / 2


def read_latex(text: str, name: str, limits: Limits = HERE) -> Sheet:
    """Read the first tabular; rules, colours and bold letters are left out."""
    begun = _TABULAR.search(text)
    start = begun.end() if begun else 0
    ended = text.find("\\end{", start)
    number = text.count("\n", 0, start) + 1
    inside = text[start : ended if ended >= 0 else len(text)]
    inside = re.sub(r"(?<!\\)%.*", "", inside)
    if begun:
        inside = re.sub(r"^(?:\[[^\]]*+\])?(?:\s*+\{(?:[^{}]|\{[^{}]*+\})*+\})++", "", inside)
    rows: list[Row] = []
    inside = _CELL.sub(lambda found: found[0].replace("\\\\", " "), inside)
    for piece in re.split(r"\\\\(?:\[[^\[\]]*+\])?|\\tabularnewline", inside):
        row = _RULES.sub("", piece)
        here = number + piece[: len(piece) - len(piece.lstrip())].count("\n")
        number += piece.count("\n")
        if row.strip():
            rows.append((here, list(map(_latex_cell, re.split(r"(?<!\\)&", row)))))
    above = _CAPTION.search(text)
    lines = _laid_out(rows, name, "LaTeX", limits, held=True)
    return sheet_of_lines(
        lines, name, limits=limits, caption=clean_latex(above[1]) if above else ""
    )


def _latex_cell(cell: str) -> Cell:
    across, down = _SPAN.search(cell), _DOWN.search(cell)
    if across is not None:
        cell = cell.replace(across[0], across[2])
    text = clean_latex(cell) if cell.strip() else ""
    return text, int(across[1][:3]) if across else 1, int(down[1]) if down else 1


def clean_latex(cell: str) -> str:
    r"""Return what a cell says.

    Examples
    --------
    >>> clean_latex(r"$\mathbf{92.3} \pm 0.4$"), clean_latex(r"\textbf{J48}\_a")
    ('92.3 ± 0.4', 'J48_a')
    """
    text = _ESCAPED.sub(lambda found: _keep(found[1] or _SIGNS[found[2]]), cell)
    for command, sign in _COMMANDS.items():
        text = text.replace(command, sign)
    text = _ASIDE.sub("", text)
    text = re.sub(r"\\SI\{([^{}]*)\}\{[^{}]*\}", r"\1", text)
    text = re.sub(r"\\textsubscript\{([^{}]*)\}", r"_{\1}", text)
    for _ in range(4):
        text = _WRAPPED.sub(r"\1", text)
    text = _BARE.sub("", text).replace("\\pm", "±")
    text = _BELOW.sub(r"\1 (\2)", text.replace("$±$", "±").replace("{$", "{").replace("$}", "}"))
    text = _without_power(text)
    text = text.replace("$", "").replace("~", " ").replace("\\,", "").replace("\\;", " ")
    text = re.sub(r"\s+", " ", text.replace("{", "").replace("}", "")).strip()
    return _let_go(text)


def _without_power(text: str) -> str:
    """Leave out a mark in small letters above the end of a cell: 92.3^{*}, 92.3$^a$."""
    core = text.rstrip().removesuffix("$").removesuffix("}")
    at = core.find("^", 1 + max(core.rfind("}"), core.rfind("$")))
    return text if at < 0 else text[:at].removesuffix("$")


def _keep(mark: str) -> str:
    """Write a mark as a letter that no rule of a syntax knows, until the rules have been applied."""
    return chr(_KEPT + ord(mark))


def _let_go(text: str) -> str:
    return "".join(
        chr(ord(one) - _KEPT) if _KEPT <= ord(one) < _KEPT + 128 else one for one in text
    )


def read_markdown(text: str, name: str, limits: Limits = HERE) -> Sheet:
    """Read the first table with bars and a line of hyphens below its names."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "|" in line and _RULE.fullmatch(line))
    found: list[Line] = []
    for number in range(max(0, at - 1), len(lines)):
        if number != at:
            if "|" not in lines[number]:
                break
            found.append((number + 1, _cells(lines[number])))
    return sheet_of_lines(found, name, limits=limits)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner.removesuffix("|") if not inner.endswith("\\|") else inner
    return [_clean_markdown(cell) for cell in re.split(r"(?<!\\)\|", inner)]


def _clean_markdown(cell: str) -> str:
    text = _PLAIN.sub(lambda found: _keep(found[1]), cell.strip())
    text = re.sub(r"(?<!\s)\s*+\[\^[^\[\]]*+\]", "", text)  # a footnote
    text = re.sub(r"!?\[([^\[\]]*+)\]\([^)\[]*+\)", r"\1", text)
    text = re.sub(r"<[^<>]*+>", " ", text)
    text = re.sub(r"^(\*\*|__|\*|_|`|~~)(.*)\1$", r"\2", text.strip())
    text = re.sub(r"^(\*\*|__|\*|_|`)(.*)\1$", r"\2", text.strip())
    return _let_go(text).strip()


_HIDDEN = ("script", "style")
_FARTHEST = 1000  # rows or columns that one cell may reach


class _Tables(HTMLParser):
    """Collects the rows of the first table that has two; scripts and styles are passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        # for each row its line, and the texts of its cells with how far each reaches across and down
        self.rows: list[tuple[int, list[tuple[list[str], int, int]]]] = []
        self._cell: list[str] | None = None
        self._hidden = self._depth = 0
        self._done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        self._depth += tag == "table"
        if self._done or not self._depth:
            return
        if tag == "tr":
            self.rows.append((self.getpos()[0], []))
            self._cell = None
        elif tag in ("td", "th") and self.rows:
            told = dict(attrs)
            across, down = (
                min(int(span), _FARTHEST) if (span := told.get(key) or "1").isdecimal() else 1
                for key in ("colspan", "rowspan")
            )
            self._cell = []
            self.rows[-1][1].append((self._cell, across, down))
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        if tag in ("td", "th", "tr", "table"):
            self._cell = None
        if tag == "table" and self._depth:
            self._depth -= 1
            filled = sum(bool(cells) for _, cells in self.rows)
            self._done = self._done or (not self._depth and filled > 1)

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._hidden:
            self._cell.append(data)


def read_html(text: str, name: str, limits: Limits = HERE) -> Sheet:
    """Read the first table of a page."""
    parser = _Tables()
    parser.feed(text)
    parser.close()
    rows = [
        (
            number,
            [(" ".join("".join(texts).split()), across, down) for texts, across, down in cells],
        )
        for number, cells in parser.rows
    ]
    return sheet_of_lines(_laid_out(rows, name, "HTML", limits), name, limits=limits)


def _laid_out(
    rows: list[Row], name: str, kind: str, limits: Limits, *, held: bool = False
) -> list[Line]:
    """Put cells where they belong; what reaches down stands in every row that it reaches.

    In LaTeX an empty cell holds each such place, in HTML there is none.
    """
    lines: list[Line] = []
    above: dict[int, tuple[str, int]] = {}  # cells that reach down into a row, and how far yet
    taken = 0
    for number, cells in rows:
        line: list[str] = []
        below: dict[int, tuple[str, int]] = {}
        for text, across, down in cells:
            while not held and len(line) in above:
                _put(line, below, *above[len(line)])
            limits.require("texts", taken + len(line) + across, name)
            if held and not text and len(line) in above:
                text, down = above[len(line)]
            _put(line, below, text, down)
            for _ in range(across - 1):
                _put(line, below, "", down)
        while not held and len(line) in above:
            _put(line, below, *above[len(line)])
        above = below
        taken += len(line)
        limits.require("texts", taken, name)
        if line:
            lines.append((number, line))
    if len(lines) < 2:
        raise invalid("source", f"a table in {kind} with at least one row", f"{name} with none")
    return lines


def _put(line: list[str], below: dict[int, tuple[str, int]], text: str, down: int) -> None:
    """Put a cell at the end of a line, and note whether it reaches into the next."""
    if down > 1:
        below[len(line)] = text, down - 1
    line.append(text)
