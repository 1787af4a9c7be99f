"""The measures as a reader sees them, all made from one registry."""

import pytest

from rankgate.core.catalog import Scale, parse_measure
from rankgate.core.families import FAMILIES, PARAMETERS, Family
from rankgate.errors import UnknownMeasureError
from rankgate.reports import catalogue

by_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def words(text: str) -> str:
    """A text without its line breaks and indents."""
    return " ".join(text.split())


def test_the_listing_has_every_measure_with_its_blind_spot_in_the_registrys_order() -> None:
    """A line for the name, indented ones for what it cannot see, and where to read more."""
    lines = catalogue.listing(100).splitlines()

    heads = [line for line in lines[:-2] if not line.startswith(" ")]
    assert [f"{catalogue.spelling(family):<16}{family.title}" for family in FAMILIES] == [
        head.removesuffix(" (lower is better)") for head in heads
    ]
    assert {family.name for family in FAMILIES if not family.higher_is_better} == {
        head.split("@")[0].split("[")[0].split()[0] for head in heads if head.endswith(" (lower is better)")
    }
    assert ["", "rankgate measures NAME says more about one of them."] == lines[-2:]


def test_the_listing_of_a_measure_in_full() -> None:
    """Name, title, and its blind spot wrapped under it."""
    assert (
        "RR[@k]          Reciprocal rank\n"
        "                blind to: everything behind the first relevant document; and a\n"
        "                step from rank 1 to 2 costs as much as from 2 to none\n"
    ) in catalogue.listing(80)


@pytest.mark.parametrize("width", [32, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Where a name and its title leave room for it; a long word is broken before it runs out."""
    longest = max(len(f"{catalogue.spelling(family):<16}{family.title} (lower is better)") for family in FAMILIES)

    texts = [catalogue.listing(width), *(catalogue.page(family.name, width) for family in FAMILIES)]

    assert max(len(line) for text in texts for line in text.splitlines()) <= max(width, longest)


@pytest.mark.parametrize("width", [0, 1, 31])
def test_a_terminal_of_no_width_still_shows_a_page(width: int) -> None:
    """Some report a width of 0."""
    assert catalogue.page("P", 32) == catalogue.page("P", width)


def test_the_page_of_a_measure_in_full() -> None:
    """All facts, each under its label, then its parameters."""
    assert (
        "RBPResidual[@k]  Residual of rank-biased precision\n"
        "\n"
        "definition      what RBP could still gain: (1 - p) * sum over unjudged i of p^(i - 1), and p^n for all\n"
        "                behind the n returned\n"
        "direction       lower is better\n"
        "range           0 to 1\n"
        "unit            points of RBP that are not known\n"
        "undefined       never\n"
        "blind to        relevance: it says how much of RBP is not known, not how good the ranking is\n"
        "long name       rbp_residual\n"
        "source          A. Moffat and J. Zobel, ACM TOIS 27(1), 2008, doi:10.1145/1416950.1416952\n"
        "(p=)            the persistence of the searcher: the chance of looking at one more result, between 0\n"
        "                and 1; else 0.8\n"
    ) == catalogue.page("RBPResidual", 102)


@by_family
def test_a_page_shows_all_that_the_registry_knows(family: Family) -> None:
    """Nothing is cut: definition, direction, range, unit, when undefined, blind spot, source, parameters."""
    page = words(catalogue.page(family.name, 80))

    facts = [
        family.title,
        family.formula,
        "higher is better" if family.higher_is_better else "lower is better",
        "range 0 to 1" if family.high else "range 0 to the depth of the run",
        family.unit,
        family.undefined,
        family.blind_to[1:-1],
        family.aliases[0],
        family.citation,
        *(PARAMETERS[parameter] for parameter in family.parameters),
    ]
    assert [] == [fact for fact in facts if words(fact) not in page]


@by_family
def test_a_page_is_found_by_every_way_to_write_the_measure(family: Family) -> None:
    """Name and long names, in any case, with cutoff and parameters."""
    expected = catalogue.page(family.name, 80)

    for spelling in (family.name, *family.aliases):
        for written in (spelling, spelling.upper(), f" {spelling}@10 ", f"{spelling}(rel=2)@3"):
            assert expected == catalogue.page(written, 80)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("ndgc@10", "nDCG"),
        ("precison", "precision"),
        ("recip_rank", "reciprocal_rank"),
        ("zero_result", "zero_results"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_name_or_long_name(name: str, nearest: str) -> None:
    """In the same words as where a name is read from a config."""
    with pytest.raises(UnknownMeasureError) as from_page:
        catalogue.page(name, 80)
    with pytest.raises(UnknownMeasureError) as from_config:
        parse_measure(name, Scale())

    assert f"unknown measure {name!r}; did you mean {nearest!r}?" == str(from_page.value)
    assert str(from_config.value) == str(from_page.value)


def test_the_tables_of_the_documentation_have_a_row_for_every_measure_and_parameter() -> None:
    """And as many cells in each row as the head has: a bar in a text is escaped."""
    tables = [table.splitlines() for table in catalogue.markdown().split("\n\n")]

    assert [len(FAMILIES) + 2, len(PARAMETERS) + 2, len(FAMILIES) + 2] == [len(table) for table in tables]
    for table in tables:
        assert {table[0].replace("\\|", "").count("|")} == {row.replace("\\|", "").count("|") for row in table}


def test_a_row_of_each_table_of_the_documentation() -> None:
    """Measure, parameter, blind spot."""
    lines = catalogue.markdown().splitlines()

    expected = {
        "Rprec": "| `Rprec` | `r_precision` | relevant documents among the first R, divided by R | higher | 0 to 1 "
        "| no judged document is relevant |",
        "NumRet": "| `NumRet` | `num_ret` | how many documents were returned, at most the depth asked for | higher "
        "| 0 to depth | never |",
        "beta": "| `beta` | F | how much recall weighs against precision, more than 0; else 1 |",
        "blind": "| `Rprec` | The order within the first R, and everything behind them. "
        "| C. Buckley and E. M. Voorhees, SIGIR 2000, doi:10.1145/345508.345543 |",
    }
    assert list(expected.values()) == [line for line in lines if line in expected.values()]
