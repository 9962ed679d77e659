"""Large tables are read in pieces; whatever stands in them, the answer is that of the whole."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.reading.catalogue import FORMATS, Format
from replicast.reading.syntaxes import pieces as pieces_module
from replicast.reading.syntaxes.pieces import joined
from test_collection import ENTRIES, FOLDER, name_of

OPTIONS: dict[str, Any] = {"keep_default_na": False, "na_values": [""], "low_memory": False}
TEXTS = [
    entry
    for entry in ENTRIES
    if isinstance(entry["file"], str) and ".csv" in Path(entry["file"]).suffixes
]


@pytest.mark.parametrize("entry", TEXTS, ids=name_of)
def test_a_file_read_in_pieces_gets_the_same_answer(
    entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    ask = entry["ask"][0] if isinstance(entry["ask"][0], list) else entry["ask"]
    words = [str(entry["file"]) if word == "FILE" else word for word in ask]
    whole = CliRunner().invoke(app, [*words, "--json"])
    monkeypatch.setattr(pieces_module, "LARGE", 0)
    monkeypatch.setattr(pieces_module, "PIECE", 7)
    pieces = CliRunner().invoke(app, [*words, "--json"])
    assert pieces.output == whole.output
    assert pieces.exit_code == whole.exit_code


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@pytest.mark.parametrize("said", [{}, {"greater_is_better": True}], ids=["plain", "direction"])
def test_every_format_is_read_in_pieces_as_at_once(
    form: Format, said: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = outcome(form, said)
    monkeypatch.setattr(pieces_module, "LARGE", 0)
    monkeypatch.setattr(pieces_module, "PIECE", 7)
    assert outcome(form, said) == whole


def outcome(form: Format, said: dict[str, Any]) -> object:
    folder = FOLDER.parent / "formats"
    paths = [folder / name for name in dict.fromkeys(form.golden)]
    try:
        return rc.read_scores(paths, **said)
    except rc.InvalidArgumentError as error:
        return str(error)


cells = st.sampled_from(["", "1", "2.5", "007", "-300", "70000", "True", "False", "x", "1e3"])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=12), st.integers(1, 5))
def test_pieces_give_the_cells_of_the_whole_or_nothing(
    rows: list[tuple[str, str]], size: int
) -> None:
    raw = "\n".join(["a,b,c", *(f"{a},{b},k" for a, b in rows)]).encode()
    whole = pd.read_csv(io.BytesIO(raw), **OPTIONS)
    with pd.read_csv(io.BytesIO(raw), chunksize=size, **OPTIONS) as pieces:
        found = joined(pieces)
    if found is None:  # it is read at once then
        return
    for name in "abc":
        first, second = (pd.Series(list(frame[name]), dtype=object) for frame in (whole, found))
        assert first.isna().equals(second.isna())
        assert first.dropna().map(str).map(_plain).equals(second.dropna().map(str).map(_plain))


def _plain(text: str) -> str:
    """Whole numbers beside gaps are floats in one of the two: 1.0 is 1."""
    return text.removesuffix(".0")


def test_texts_become_codes_and_whole_numbers_small() -> None:
    frames = [
        pd.DataFrame({"a": ["x", "y"], "n": [1, 2], "s": [0.5, 0.25]}),
        pd.DataFrame({"a": ["z", "x"], "n": [300, -4], "s": [1.0, np.nan]}, index=range(2, 4)),
    ]
    for frame in frames:
        frame.index = pd.RangeIndex(len(frame))
    found = joined(frames)
    assert found is not None
    assert found["a"].tolist() == ["x", "y", "z", "x"]
    assert (found["a"].cat.codes.dtype, found["n"].dtype) == (np.int8, np.int16)
    assert found["n"].tolist() == [1, 2, 300, -4]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=12), st.integers(1, 5))
@example([("", "x"), ("True", "x")], 2)
def test_names_written_as_numbers_stay_as_they_are_written(
    rows: list[tuple[str, str]], size: int
) -> None:
    raw = "\n".join(["dataset,method,accuracy", *(f"{a},{b},0.5" for a, b in rows)]).encode()
    options = OPTIONS | {"sep": ",", "dtype": {"dataset": str, "method": str}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces_module, "LARGE", 0)
        patch.setattr(pieces_module, "PIECE", size)
        patch.setattr(pieces_module, "_FIRST", 1)
        found = pieces_module.read_pieces(raw, {"encoding": "utf-8", **options})
    for at, name in enumerate(("dataset", "method")):
        assert found[name].astype(object).fillna("").tolist() == [row[at] for row in rows]
