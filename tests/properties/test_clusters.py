"""Clusters of cases as a column: whatever it is called, and however rows are ordered and written."""

import json

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc

NAMES = st.sampled_from(["ward", "passage", "my clusters", "Gruppe é"])


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=8).filter(lambda sizes: max(sizes) > 1),
    st.integers(1, 3),
    NAMES,
    st.integers(0, 2**32),
    st.sampled_from(["csv", "semicolons", "json lines", "wide"]),
)
def test_a_column_of_clusters_is_read_as_it_was_written(
    sizes: list[int], answers: int, name: str, seed: int, written: str
) -> None:
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    answers = 1 if written == "wide" else answers
    given_ = rng.random((2, len(clusters), answers)).round(4)
    given_[0, 0, 0] = 0.5  # graded, whatever was drawn
    frame = pd.DataFrame(
        [
            (model, f"q{case}", f"c{clusters[case]}", answer + 1, given_[side, case, answer])
            for side, model in enumerate(("new", "old"))
            for case in range(len(clusters))
            for answer in range(answers)
        ],
        columns=["model", "case", name, "answer", "score"],
    )
    if answers == 1:
        frame = frame.drop(columns="answer")
    if written == "wide":
        frame = frame.pivot(index=["case", name], columns="model", values="score").reset_index()
    frame = frame.sample(frac=1, random_state=seed % 2**31)
    if written == "json lines":
        raw = "\n".join(json.dumps(row) for row in frame.to_dict("records"))
    else:
        raw = frame.to_csv(index=False, sep=";" if written == "semicolons" else ",")
    table = rc.read_scores(
        {"cases.txt": raw.encode()},
        cluster_column=name,
        greater_is_better=True,
        design=rc.Cases() if written == "wide" else None,
    )
    found = table.pair("new", "old")
    assert found.design == rc.Cases(len(clusters), clusters=len(sizes), answers=answers)
    truth = rc.PairedCases(
        first=given_[0], second=given_[1], clusters=clusters.tolist(), names=("new", "old")
    )
    place = [int(case.removeprefix("q")) for case in found.case_names]
    expected = given_.mean(axis=2)[:, place]
    np.testing.assert_allclose(np.stack([found.first, found.second]), expected, atol=1e-12)
    assert found.clusters is not None
    same = found.clusters[:, None] == found.clusters
    np.testing.assert_array_equal(same, clusters[place][:, None] == clusters[place])
    ours, theirs = rc.case_ttest(found), rc.case_ttest(truth)
    np.testing.assert_allclose(ours.standard_error, theirs.standard_error, rtol=1e-9)
    np.testing.assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-9)
