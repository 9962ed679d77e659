"""The form that every answer has: a headline, a few lines, one caution, and the rest one step away."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from replicast.formatting import LEFT_OUT, plural

if TYPE_CHECKING:
    from replicast.presentation.pictures.figure import Figure
    from replicast.results import Record

Signal = Literal["", "pass", "fail", "cannot tell"]


@dataclass(frozen=True)
class Row:
    """One line of an answer: what, how much, and what it means."""

    label: str
    value: str
    remark: str = ""
    spare: bool = False  # may be left out where room is short, and from a table in a paper


@dataclass(frozen=True)
class Listing:
    """A table: headings and rows of text.

    A `rule` is a line of words before the row of that place. Where an answer has no room for all
    rows, it shows the `brief` ones, and says of the `rest` where they are.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rule: tuple[int, str] | None = None
    title: str = ""
    brief: tuple[int, ...] = ()
    rest: str = ": --more"

    def short(self) -> "tuple[Listing, str]":
        """Return the rows that an answer has room for, and how many others there are, in words."""
        hidden = len(self.rows) - len(self.brief)
        if not self.brief or not hidden:
            return self, ""
        rule = self.rule
        if rule is not None:
            rule = (self.brief.index(rule[0]), rule[1]) if rule[0] in self.brief else None
        rows = tuple(self.rows[place] for place in self.brief)
        return replace(self, rows=rows, rule=rule), f"{hidden} more{self.rest}"


Section = Listing | tuple[Row, ...] | tuple[str, ...]


@dataclass(frozen=True)
class Warned:
    """A caution: the whole sentence, a short form for the answer, and whether it changes the answer."""

    text: str
    brief: str
    first: bool


@dataclass(frozen=True, kw_only=True)
class Document:
    """An answer apart from where it is shown; renderers only arrange it.

    Attributes
    ----------
    headline : str
        The answer, in at most 14 words.
    result : Record
        What is told.
    signal : str
        The verdict word at the head of the headline, if it has one.
    lines, listing, notes : tuple of Row, Listing or None, and tuple of str
        What stands below the headline: lines, then a table, then sentences.
    cautions : tuple of Warned
        Those that change the answer first.
    read, assumed : str, and tuple of str
        What was read, in one clause, and what was dropped or assumed on the way.
    hints : tuple of str
        Where to go on from a terminal.
    rows : tuple of Row
        Every number, for whoever asks for more.
    tables : tuple of Listing
        Further tables.
    how : tuple of str
        How everything was computed.
    account : tuple of str
        What was read, dropped and assumed, line by line.
    quote : str
        A sentence for a paper or a review.
    """

    headline: str
    result: "Record | Any" = None
    signal: Signal = ""
    lines: tuple[Row, ...] = ()
    listing: Listing | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[Warned, ...] = ()
    read: str = ""
    assumed: tuple[str, ...] = ()
    hints: tuple[str, ...] = ("more: --more", "page: -o page.html")
    rows: tuple[Row, ...] = ()
    tables: tuple[Listing, ...] = ()
    how: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    quote: str = ""
    others: int = 1  # cautions shown that do not change the answer
    hero: "Figure | None" = None  # in place of the result's own
    further: "tuple[Figure, ...]" = ()  # pictures below it

    @cached_property
    def figures(self) -> "tuple[Figure, ...]":
        """The pictures, the one that stands for the answer first; drawn when they are asked for."""
        from replicast.presentation.pictures.gallery import figures_of

        return figures_of(self.result)

    @property
    def pictures(self) -> "tuple[tuple[str, Figure], ...]":
        """The picture of the answer, drawn for wide and for narrow screens: its text is not scaled."""
        from replicast.presentation.pictures.gallery import PHONE, figure_of

        if self.hero is not None:
            wide, narrow = (replace(self.hero, width=pixels) for pixels in (720.0, 320.0))
            return ("wide", wide), ("narrow", narrow)
        if not self.figures:
            return ()
        return ("wide", self.figures[0]), ("narrow", figure_of(self.result, width=PHONE))

    @property
    def sections(self) -> Iterator[tuple[str, Section]]:
        """Everything behind the answer: rows, tables and sentences, each with its title."""
        yield "To quote", (self.quote,)
        yield "In numbers", self.rows
        yield from ((table.title, table) for table in self.tables)
        yield "Cautions", tuple(caution.text for caution in self.cautions)
        yield "How this was computed", self.how
        yield "What was read", self.account or (self.read,)

    def shown_cautions(self, others: str = "--more") -> tuple[str, ...]:
        """Return the cautions of the answer: those that change it, or else one; where `others` are."""
        changing = [caution.brief for caution in self.cautions if caution.first]
        shown = changing or [caution.brief for caution in self.cautions[: self.others]]
        hidden = len(self.cautions) - len(shown)
        if hidden and shown:
            shown[-1] += f" ({hidden} more: {others})"
        return tuple(shown)

    def lines_within(self, words: int) -> tuple[Row, ...]:
        """Return the lines that fit with the headline into so many words; spare ones go first."""
        lines = list(self.lines)
        above = " ".join((self.headline, self.read, *self.shown_cautions()))
        for row in reversed(self.lines):
            below = " ".join(f"{line.label} {line.value} {line.remark}" for line in lines)
            if row.spare and len(f"{above} {below}".split()) > words:
                lines.remove(row)
        return tuple(lines)

    def shorter(self) -> "Iterator[Document]":
        """Yield this document, then shorter ones: what is said elsewhere goes first."""
        document = self
        yield document
        for changed in self._shortened():
            document = replace(document, **changed)
            yield document

    def _shortened(self) -> Iterator[dict[str, Any]]:
        """Yield fields that take less room, one step after the other."""
        yield {"hints": self.hints[:1]}
        if self.cautions and not any(caution.first for caution in self.cautions):
            counted = f"{plural(len(self.cautions), 'caution')}, more: --more"
            yield {"others": 0, "hints": (counted,)}
        if self.listing is not None:
            yield {"listing": replace(self.listing, rule=None)}
        if self.assumed:
            gone = [note for note in self.assumed if note.startswith(LEFT_OUT)]
            others = len(self.assumed) - len(gone)
            notes = [f"{plural(others, 'note')} on reading"] if others else []
            yield {"assumed": (*gone, *notes)}
        kept = list(self.lines)
        for row in reversed(self.lines):
            if row.spare:
                kept.remove(row)
                yield {"lines": tuple(kept)}
