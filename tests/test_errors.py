"""Errors keep their parts: the sentence is made where it is shown, in the words of that place."""

import ast
import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import replicast as rc
from replicast.errors import (
    Choice,
    DesignNeededError,
    InvalidArgumentError,
    InvalidContentError,
    MissingScoresError,
    ReplicastError,
    invalid,
)

FOLDS = ("folds", "an integer of at least 2", 1, "Use 10 for ten-fold cross-validation")
MADE: dict[str, Callable[[], ReplicastError]] = {
    "`folds` must be an integer of at least 2, got 1. Use 10 for ten-fold cross-validation.": (
        lambda: InvalidArgumentError(*FOLDS)
    ),
    "`vary` must be cases, got 'runs'.": lambda: rc.errors.DesignMismatchError(
        "vary", "cases", "'runs'"
    ),
    "svm lacks 1 score on 'iris'. Say `missing='drop-dataset'`.": lambda: MissingScoresError(
        "missing", "drop-dataset", "svm lacks 1 score on 'iris'", "Say `missing=drop-dataset`"
    ),
    "`design` must be given, got none. Add `design='kfold:folds=12'`.": (
        lambda: DesignNeededError("given", "none", "Add `design=kfold:folds=12`", 12)
    ),
    "s.csv: expected a word, got 9 cases. Say `cluster_column='site'`.": (
        lambda: InvalidContentError(
            "s.csv", "a word", "9 cases", "Say `cluster_column=site`", "cluster_column"
        ).offering([Choice("cluster_column", "site", "related")])
    ),
    "s.csv, row 14: expected a number, got 'n/a'. Drop the row, or say `missing='drop-dataset'`.": (
        lambda: InvalidContentError(
            "s.csv, row 14", "a number", "'n/a'", "Drop the row, or say `missing=drop-dataset`"
        )
    ),
}


@pytest.mark.parametrize("sentence", MADE)
def test_a_sentence_survives_another_process(sentence: str) -> None:
    error = MADE[sentence]()
    assert str(error) == sentence
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == sentence
        assert vars(again) == vars(error)


def test_the_parts_are_kept() -> None:
    error = invalid(*FOLDS)
    assert (error.argument, error.domain, error.got, error.remedy) == (
        "folds",
        FOLDS[1],
        "1",
        FOLDS[3],
    )
    assert error.sentence(advice=False) == "`folds` must be an integer of at least 2, got 1."
    assert isinstance(error, ValueError)


def test_other_arguments_are_named_too() -> None:
    error = invalid(
        "second", "as long as `first`", "`first` as typed", "Say `missing=drop-dataset`"
    )

    def shout(argument: str, value: str | None) -> str:
        return argument.upper() + ("" if value is None else f"={value.upper()}")

    assert error.sentence(shout) == (
        "`SECOND` must be as long as `FIRST`, got `first` as typed. Say `MISSING=DROP-DATASET`."
    )


class _Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_whatever_came_is_shown() -> None:
    assert str(invalid("x", "a number", _Mute())).endswith("got a _Mute that cannot be shown.")
    assert len(str(invalid("x", "a number", "y" * 10_000))) < 500


def test_no_error_is_a_bare_sentence() -> None:
    """Outside the readers, whose errors name a place in a file, each error names its argument."""
    source = Path(rc.__file__).parent
    bare = [
        f"{path.relative_to(source)}:{node.lineno}"
        for path in source.rglob("*.py")
        if "reading" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("InvalidArgumentError", "DesignMismatchError")
        and len(node.args) < 3
    ]
    assert not bare
