"""The page for two means and their spreads: what they leave open, and what to ask the authors for."""

from replicast.presentation.words.means import tell_means
from replicast.replication.means import MeansReplication, replication_from_means
from replicast.web.caching import Page, Told
from replicast.web.forms import MeansQuestion


def answer_means(question: MeansQuestion) -> MeansReplication:
    """Return the range of chances that the means leave open."""
    return replication_from_means(**question.given)


def _tell(question: MeansQuestion) -> Told:
    return Told(tell_means(answer_means(question)))


means_page = Page(
    "means",
    "What do two means and spreads say?",
    MeansQuestion,
    _tell,
    example="first_mean=93.4&first_sd=1.2&second_mean=92.1&second_sd=1.0&folds=10",
)
