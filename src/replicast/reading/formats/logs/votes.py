"""Votes between two models: AlpacaEval, MT-bench pairs, arenas."""

from collections import Counter
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.samples import Sample, records
from replicast.reading.requests import Request
from replicast.reading.sheets import listing

_SHARES = {
    **dict.fromkeys(("model_a", "model_1", "a", "left", "first", "output_1", "[[a]]"), 1.0),
    **dict.fromkeys(("model_b", "model_2", "b", "right", "second", "output_2", "[[b]]"), 0.0),
    **dict.fromkeys(("tie", "draw", "both", "bothbad", "tie (bothbad)", "tie (both bad)"), 0.5),
    **dict.fromkeys(("equal", "none"), 0.5),
    **dict.fromkeys(("error", "nan", ""), None),
}
# both models, the share of the first, case, place, answer
Vote = tuple[str, str, float | None, str, str, str]


def _samples(votes: list[Vote], document: Document) -> list[Sample]:
    """Return votes as the scores of both models."""
    models = list(dict.fromkeys(name for first, second, *_ in votes for name in (first, second)))
    if len(models) > 2:
        domain = "votes between two models"
        got = f"votes between {len(models)}: {listing(models, 4)}"
        remedy = "Keep those of one pair with `where=...`; places of many are for a rating model"
        raise InvalidContentError(document.path.name, domain, got, remedy)
    return [
        Sample(model, "votes", case, {"won": won}, place, answer=answer)
        for first, second, share, case, place, answer in votes
        for model, won in ((first, share), (second, None if share is None else 1 - share))
    ]


def _share(word: Any, first: str, second: str, place: str) -> float | None:
    """Return 1 if the first model won, 0 if the second did, and half for a draw."""
    text = str(word).strip()
    known = _SHARES | {second: 0.0} | {first: 1.0}
    for name in (text, text.casefold()):
        if name in known:
            return known[name]
    raise InvalidContentError(place, "model_a, model_b or tie", repr(text))


def alpaca(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return a vote for each instruction: preferences go from 1, the first output, to 2."""
    votes: list[Vote] = []
    for place, one in records(document, document.tree, "annotation"):
        told = one.get("preference")
        share = None if told is None or told in (0, "") or told != told else told
        if share is not None and not (isinstance(share, int | float) and 1 <= share <= 2):
            raise InvalidContentError(place, "a preference from 1 to 2", told)
        first, second = str(one.get("generator_1")), str(one.get("generator_2"))
        case = place.rpartition(" ")[2]
        votes.append((first, second, None if share is None else 2 - share, case, place, "1"))
    return _samples(votes, document)


def pairs(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return a vote for each question, turn and order."""
    votes: list[Vote] = []
    for place, one in records(document, document.tree, "judgement"):
        first, second = str(one.get("model_1")), str(one.get("model_2"))
        case = str(one.get("question_id", place))
        for game in ("g1_winner", "g2_winner"):
            share = _share(one.get(game), first, second, place)
            votes.append((first, second, share, case, place, f"{game} {one.get('turn', 1)}"))
    return _samples(votes, document)


def is_arena(document: Document) -> bool:
    """Tell votes by both models, or by the questions that one of two won."""
    return {"model_a", "model_b"} <= {*document.columns} or "question_id" in document.columns


def arena(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return a vote for each row; rows of one question are several votes on it."""
    frame = document.sheet.frame
    for column in sorted({"model_a", "model_b"} & {*frame.columns}):
        if frame[column].dtype.kind in "bf":  # true and 12e3 were read as values
            place = f"{document.path.name}, column {column}"
            got, remedy = f"values like {frame[column].iloc[0]}", "Put a letter before each name"
            raise InvalidContentError(place, "names of models", got, remedy)
    votes: list[Vote] = []
    seen: Counter[str] = Counter()
    for at, one in enumerate(frame.to_dict("records")):
        first, second = str(one.get("model_a", "A")), str(one.get("model_b", "B"))
        case, place = str(one.get("question_id", at + 1)), document.sheet.place(at)
        seen[case] += 1
        share = _share(one["winner"], first, second, place)
        votes.append((first, second, share, case, place, str(seen[case])))
    return _samples(votes, document)
