"""The page for a replication that was made: did it happen again, and was that to be expected?"""

from replicast.judging.judge import judge
from replicast.judging.records import Judgement
from replicast.presentation.words.judging import tell_judgement
from replicast.web.caching import ask
from replicast.web.forms import JudgeQuestion
from replicast.web.templating import render


def answer_judge(question: JudgeQuestion) -> Judgement:
    """Judge the replication that was filled in."""
    return judge(*question.sides, significance=question.significance)


def judge_page(query: str, *, at_once: bool) -> tuple[int, bytes]:  # noqa: ARG001  # always a moment
    """Return status and page for a query."""
    asked = ask(JudgeQuestion, query, judge_content)
    html = render(
        "judge.html.j2",
        page="judge",
        fields=asked.fields,
        mistakes=asked.mistakes,
        result=asked.result,
    )
    return asked.status, html.encode("utf-8")


def judge_content(question: JudgeQuestion) -> dict[str, object]:
    """Return what the template of the page shows."""
    found = answer_judge(question)
    document = tell_judgement(found)
    return {
        "document": document,
        "headline": document.headline,
        "link": question.link("/judge"),
    }
