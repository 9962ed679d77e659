"""A result as the bytes of a file: page, paragraph, table, record or picture."""

import io
import json
from collections.abc import Sequence

from replicast.comparison.records import Comparison, ManyComparison
from replicast.judging.records import Judgement
from replicast.presentation.files import markup
from replicast.presentation.files.numbers import comparison_numbers, judgement_numbers
from replicast.presentation.files.page import comparison_page
from replicast.presentation.files.pdf import comparison_pdf, judgement_pdf, standings_pdf
from replicast.presentation.files.rendering import render
from replicast.presentation.files.standings_page import many_page, pair_table, standing_table
from replicast.presentation.pictures.behind import as_csv
from replicast.presentation.pictures.canvas import draw_sheet
from replicast.presentation.pictures.comparison import comparison_figure
from replicast.presentation.pictures.figure import Figure
from replicast.presentation.pictures.judging import judgement_figure
from replicast.presentation.pictures.standings import pairs_data, standing_figure
from replicast.presentation.words.comparison import narrate
from replicast.presentation.words.judging import narrate_judgement
from replicast.presentation.words.standings import narrate_many
from replicast.presentation.words.statements import result_line

PICTURES = (".svg", ".png")  # one picture, and no words
FORMATS = (".html", ".md", ".tex", ".csv", ".json", ".svg", ".png", ".pdf")


def comparison_file(found: Comparison, ending: str, account: Sequence[str] = ()) -> bytes:
    """Return a comparison as a file of one of `FORMATS`."""
    story, paste = narrate(found), result_line(found)
    match ending:
        case ".html":
            text = comparison_page(found, account=account)
        case ".md":
            text = markup.narrative_markdown(story, paste) + markup.read_markdown(account)
        case ".tex":
            told = markup.latex_comments(story.cautions, account)
            text = told + markup.narrative_latex(story, paste)
        case ".csv":
            text = as_csv(comparison_numbers(found))
        case ".json":
            text = json.dumps({**found.to_dict(), "account": list(account)}, indent=2) + "\n"
        case ".pdf":
            return comparison_pdf(found, account)
        case _:
            return _picture(comparison_figure(found), ending)
    return text.encode("utf-8")


def judgement_file(found: Judgement, ending: str, account: Sequence[str] = ()) -> bytes:
    """Return a judged replication as a file of one of `FORMATS`."""
    story = narrate_judgement(found)
    match ending:
        case ".html":
            figure = judgement_figure(found)
            content = {"title": story.title, "story": story, "figure": figure,
                       "basis": found.forecast.basis}  # fmt: skip
            text = render("judgement.html.j2", **content, account=account)
        case ".md":
            text = markup.narrative_markdown(story) + markup.read_markdown(account)
        case ".tex":
            told = markup.latex_comments(story.cautions, account)
            text = told + markup.narrative_latex(story)
        case ".csv":
            text = as_csv(judgement_numbers(found))
        case ".json":
            text = json.dumps({**found.to_dict(), "account": list(account)}, indent=2) + "\n"
        case ".pdf":
            return judgement_pdf(found, account)
        case _:
            return _picture(judgement_figure(found), ending)
    return text.encode("utf-8")


def standings_file(found: ManyComparison, ending: str, account: Sequence[str] = ()) -> bytes:
    """Return a comparison of many classifiers as a file of one of `FORMATS`."""
    story = narrate_many(found)
    standing, pairs = standing_table(found), pair_table(found)
    match ending:
        case ".html":
            text = many_page(found, account=account)
        case ".md":
            lead = "\n\n".join(map(markup.escape_markdown, story.paragraphs))
            cautions = "".join(
                f"\n> Caution: {markup.escape_markdown(c)}\n" for c in story.cautions
            )
            title = f"# {markup.escape_markdown(story.title)}"
            both = "\n\n".join(markup.markdown_table(*part[:2]) for part in (standing, pairs))
            text = f"{title}\n\n{lead}\n\n{both}\n{cautions}{markup.read_markdown(account)}"
        case ".tex":
            lead = markup.latex_text(story.verdict)
            tables = [
                markup.latex_table(*part[:2], caption=f"{story.title}: {what}", label=f"tab:{what}")
                for part, what in ((standing, "standing"), (pairs, "pairs"))
            ]
            told = markup.latex_comments(story.cautions, account)
            needs = "% needs \\usepackage{booktabs, longtable}"
            text = told + "\n\n".join([needs, lead, *tables]) + "\n"
        case ".csv":
            text = as_csv(pairs_data(found))
        case ".json":
            text = json.dumps({**found.to_dict(), "account": list(account)}, indent=2) + "\n"
        case ".pdf":
            return standings_pdf(found, account)
        case _:
            return _picture(standing_figure(found), ending)
    return text.encode("utf-8")


def _picture(figure: Figure, ending: str) -> bytes:
    sink = io.BytesIO()
    draw_sheet(figure).savefig(sink, format=ending[1:], dpi=160)
    return sink.getvalue()
