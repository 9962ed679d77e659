"""Votes between two models: AlpacaEval, MT-bench pairs, arenas."""

from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.boards import board, have, records
from replicast.reading.formats.logs.samples import Habits, Sample
from replicast.reading.sheets import listing

_WON = "1 is a vote won, 0.5 a draw"
_FIRST = frozenset(("model_a", "model_1", "a", "left", "first", "output_1", "[[a]]"))
_SECOND = frozenset(("model_b", "model_2", "b", "right", "second", "output_2", "[[b]]"))
_DRAW = frozenset(
    ("tie", "draw", "both", "bothbad", "tie (bothbad)", "tie (both bad)", "equal", "none")
)


def _both(
    models: tuple[str, str], share: float | None, case: str, place: str, answer: str = "1"
) -> list[Sample]:
    """Return a vote as the scores of both models; `share` is that of the first."""
    other = None if share is None else 1 - share
    return [
        Sample(model, "votes", case, {"won": value}, place, answer=answer)
        for model, value in zip(models, (share, other), strict=True)
    ]


def _require_two(samples: list[Sample], document: Document) -> list[Sample]:
    models = list(dict.fromkeys(one.model for one in samples))
    if len(models) > 2:
        domain = "votes between two models"
        got = f"votes between {len(models)}: {listing(models, 4)}"
        remedy = "Keep those of one pair with `where=...`; places of many are for a rating model"
        raise InvalidContentError(document.path.name, domain, got, remedy)
    return samples


def is_alpaca(document: Document) -> bool:
    """Tell annotations by both generators and the preference."""
    return have(document, "generator_1", "generator_2", "preference")


def parse_alpaca(document: Document, model: str) -> list[Sample]:  # noqa: ARG001  # models are named inside
    """Return a vote for each instruction: preferences go from 1, the first output, to 2."""
    found = []
    for number, one in enumerate(records(document), start=1):
        place = f"{document.path.name}, annotation {number}"
        told = one.get("preference")
        if not isinstance(told, int | float | None):
            raise InvalidContentError(place, "a preference from 1 to 2", told)
        share = None if told is None or told != told or told == 0 else 2 - told
        if share is not None and not 0 <= share <= 1:
            raise InvalidContentError(place, "a preference from 1 to 2", told)
        models = str(one.get("generator_1")), str(one.get("generator_2"))
        found += _both(models, share, str(number), place)
    return _require_two(found, document)


def _share(word: Any, models: tuple[str, str], place: str) -> float | None:
    """Return 1 if the first model won, 0 if the second did, and half for a draw."""
    text = str(word).strip()
    plain = text.casefold()
    if text == models[0] or plain in _FIRST:
        return 1.0
    if text == models[1] or plain in _SECOND:
        return 0.0
    if plain in _DRAW:
        return 0.5
    if plain in ("error", "nan", ""):
        return None
    raise InvalidContentError(place, "model_a, model_b or tie", repr(text))


def is_pairs(document: Document) -> bool:
    """Tell judgements of MT-bench by both models and the winner in either order."""
    return have(document, "model_1", "model_2", "g1_winner", "g2_winner")


def parse_pairs(document: Document, model: str) -> list[Sample]:  # noqa: ARG001  # models are named inside
    """Return a vote for each question, turn and order."""
    found = []
    for number, one in enumerate(records(document), start=1):
        models = str(one.get("model_1")), str(one.get("model_2"))
        place = f"{document.path.name}, judgement {number}"
        case = f"{one.get('question_id', number)}"
        for game in ("g1_winner", "g2_winner"):
            answer = f"{game} {one.get('turn', 1)}"
            found += _both(models, _share(one.get(game), models, place), case, place, answer)
    return _require_two(found, document)


def is_arena(document: Document) -> bool:
    """Tell a table of votes by both models and the winner, or by the winner of every question."""
    return document.has("model_a", "model_b", "winner") or document.has("question_id", "winner")


def parse_arena(document: Document, model: str) -> list[Sample]:  # noqa: ARG001  # models are named inside
    """Return a vote for each row; rows of one question are several votes on it."""
    frame = document.sheet.frame
    keys = frame["question_id"] if "question_id" in frame.columns else range(1, len(frame) + 1)
    seen: dict[str, int] = {}
    found = []
    named = {"model_a", "model_b"} <= set(frame.columns)
    pair = (
        (frame["model_a"], frame["model_b"]) if named else (["A"] * len(frame), ["B"] * len(frame))
    )
    columns = zip(keys, *pair, frame["winner"], strict=True)
    for at, (key, first, second, winner) in enumerate(columns):
        case, place = str(key), document.sheet.place(at)
        seen[case] = seen.get(case, 0) + 1
        models = str(first), str(second)
        share = _share(winner, models, place)
        found += _both(models, share, case, place, answer=str(seen[case]))
    return _require_two(found, document)


def _habits(kind: str) -> Habits:
    return Habits(kind=kind, convention=_WON)


read_alpaca = board(_habits("AlpacaEval annotations"), parse_alpaca)
read_pairs = board(_habits("MT-bench judgements"), parse_pairs)
read_arena = board(_habits("votes of an arena"), parse_arena)
