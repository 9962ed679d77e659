"""The page for a replication that was made: did it happen again, and was that to be expected?"""

from replicast.judging.judge import judge
from replicast.judging.records import Judgement
from replicast.presentation.words.judging import tell_judgement
from replicast.web.caching import Page, Told
from replicast.web.forms import JudgeQuestion


def answer_judge(question: JudgeQuestion) -> Judgement:
    """Judge the replication that was filled in."""
    return judge(*question.sides, significance=question.significance)


def _tell(question: JudgeQuestion) -> Told:
    return Told(tell_judgement(answer_judge(question)))


judge_page = Page(
    "judge",
    "Was it replicated?",
    JudgeQuestion,
    _tell,
    example="estimate=3.1&se=1.2&replication_estimate=2.0&replication_se=1.0",
)
