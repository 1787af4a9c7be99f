"""The shared vocabulary of generated judgments and rankings."""

from hypothesis import strategies as st

DOCUMENTS = tuple(f"d{number}" for number in range(12))

documents = st.sampled_from(DOCUMENTS)
rankings = st.lists(documents, unique=True, max_size=len(DOCUMENTS)).map(tuple)
repeating_rankings = st.lists(documents, max_size=2 * len(DOCUMENTS)).map(tuple)
judgments = st.dictionaries(documents, st.integers(0, 3), min_size=1).filter(lambda grades: any(grades.values()))
names = st.sampled_from(
    [
        *(f"{name}@{cutoff}" for name in ("P", "R", "Success", "RR", "AP", "Judged") for cutoff in (1, 3, 10)),
        *(f"nDCG(dcg='{dcg}')@{cutoff}" for dcg in ("exp-log2", "log2", "binary-log2") for cutoff in (1, 3, 10)),
        "RR",
        "AP",
        "nDCG",
        "ZeroResults",
    ]
)
