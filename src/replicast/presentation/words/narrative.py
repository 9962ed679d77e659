"""The form that every answer in words has: verdict, number, reason, table, what to do."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the evidence table: what, how much, and what it means."""

    label: str
    value: str
    remark: str = ""


@dataclass(frozen=True)
class Narrative:
    """A comparison in words; the command line, reports and pages only arrange it."""

    title: str
    verdict: str
    replication: str
    reason: str
    rows: tuple[Row, ...]
    outlook: str
    cautions: tuple[str, ...]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """What comes before the table: verdict, replication and reason, where there are any."""
        lead = f"{self.verdict}\n{self.replication}".strip()
        return tuple(text for text in (lead, self.reason) if text)

    def __str__(self) -> str:
        from textwrap import fill

        parts = [self.title]
        for paragraph in self.paragraphs:
            parts += ["", *(fill(line, 80) for line in paragraph.splitlines())]
        parts.append("")
        wide = max(13, *(len(row.label) + 1 for row in self.rows)) if self.rows else 13
        parts += [f"  {row.label:<{wide}}{row.value:<32}{row.remark}".rstrip() for row in self.rows]
        if self.outlook:
            parts += ["", fill(self.outlook, 80)]
        parts += ["", *(fill(f"Caution: {text}", 80) for text in self.cautions)]
        return "\n".join(parts).rstrip()
