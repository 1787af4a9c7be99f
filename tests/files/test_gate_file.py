"""The config: what it says, and everything that can be wrong with it."""

from pathlib import Path
from typing import Final

import pytest

from rankgate.core.catalog import Measure, Scale
from rankgate.core.judgments import GoldenSet, Place
from rankgate.core.limits import Gate, Limit
from rankgate.errors import ConfigError, Problem
from rankgate.files.gate_file import Config, find, load
from rankgate.files.gate_fit import coarse, fit
from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.files.variables import Expanded
from tests.support import golden, query

SERVICE: Final = "{url: http://x/search, hits: hits, id: id}"
GATE: Final = "{P@1: {floor: 0.5}}"
SECRET: Final = "hunter2"

P1: Final = Measure("P", 1, 1)
P3: Final = Measure("P", 3, 1)
NDCG: Final = Measure("nDCG", 10, dcg="exp-log2")
R50: Final = Measure("R", 50, 1)
ZERO: Final = Measure("ZeroResults")


def text(service: str = SERVICE, gate: str = GATE, rest: str = "") -> str:
    """A config of three lines and *rest*, which begins in line 4."""
    return f"version: 1\nservice: {service}\ngate: {gate}\n{rest}\n"


def config(folder: Path, content: str, environ: dict[str, str] | None = None) -> Config:
    path = folder / "g.yaml"
    path.write_text(content, encoding="utf-8")
    return load(path, environ)


def wrong(folder: Path, content: str, environ: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        config(folder, content, environ)
    return [str(problem).removeprefix(f"{folder}/g.yaml:") for problem in caught.value.problems]


def complaints(folder: Path, problems: object) -> list[str]:
    assert isinstance(problems, list | tuple)
    return [str(problem).removeprefix(f"{folder}/g.yaml:") for problem in problems]


# What a config says.


def test_a_short_config_has_the_defaults(tmp_path: Path) -> None:
    """Three keys are enough; paths are relative to the config."""
    short = config(tmp_path, text())

    assert {
        "path": tmp_path / "g.yaml",
        "service": ServiceSpec("http://x/search", "hits", "id", folder=tmp_path),
        "queries": (tmp_path / "queries",),
        "baseline": tmp_path / "baseline.jsonl",
        "scale": Scale(),
        "measures": (P1, P3, NDCG, R50, ZERO),
        "gate": Gate((Limit("floor", P1, 0.5, place=Place(f"{tmp_path}/g.yaml", 3, 21)),), confirm=2),
        "depth": 50,
        "slices": {},
        "slice_by": {},
        "refresh_after": 90,
        "targets": {},
        "warnings": (),
        "not_asked": (),
    } == {name: getattr(short, name) for name in Config.__slots__ if name not in {"source", "request", "recorded"}}


LONG: Final = """\
version: 1
service:
  url: http://x/${INDEX:-products}/_search
  method: PUT
  headers: {Authorization: "ApiKey ${KEY}"}
  params: {lang: "{locale}"}
  body: {query: {match: {title: "{query}"}}, size: "{depth}", exact: true, boost: 1.5, none: null}
  hits: hits.hits
  id: _id
  partial: [timed_out]
  defaults: {locale: en}
  page_size: 10
  first_page: 0
  max_pages: 3
  concurrency: 2
  timeout: {connect: 1, read: 2.5, run: 60}
  retries: 0
queries: [queries, more.yaml]
baseline: accepted/run.jsonl
judgments: {grades: [0, 10], relevant_from: 5, gain: linear, refresh_after: 30}
measures: [nDCG@10, precision@1, RR]
depth: 20
gate:
  nDCG@10: {floor: 0.6, max_drop: 1e-2, max_drop_rel: "5%", warn_drop: 0.005}
  ZeroResults: {ceiling: 0.05, max_rise_rel: 10 %}
  lost_queries: {max: 3}
  max_errors: 2
slices:
  jargon:
    min_queries: 10
    gate: {P@1: {max_drop: 0.1}}
slice_by: [locale, shop]
"""


def test_a_long_config_with_everything(tmp_path: Path) -> None:
    """Every key arrives; what the measures leave out comes from the scale."""
    long = config(tmp_path, LONG, {"KEY": SECRET})
    ndcg, p1, rr = Measure("nDCG", 10, dcg="log2"), Measure("P", 1, 5), Measure("RR", rel=5)

    def place(line: int, column: int) -> Place:
        return Place(f"{tmp_path}/g.yaml", line, column)

    assert {
        "path": tmp_path / "g.yaml",
        "service": ServiceSpec(
            "http://x/products/_search",
            "hits.hits",
            "_id",
            method="PUT",
            headers={"Authorization": f"ApiKey {SECRET}"},
            params={"lang": "{locale}"},
            body={
                "query": {"match": {"title": "{query}"}},
                "size": "{depth}",
                "exact": True,
                "boost": 1.5,
                "none": None,
            },
            partial=("timed_out",),
            defaults={"locale": "en"},
            page_size=10,
            first_page=0,
            max_pages=3,
            concurrency=2,
            connect_timeout=1.0,
            read_timeout=2.5,
            run_timeout=60.0,
            retries=0,
            folder=tmp_path,
            secrets=(Secret("KEY", SECRET),),
        ),
        "queries": (tmp_path / "queries", tmp_path / "more.yaml"),
        "baseline": tmp_path / "accepted" / "run.jsonl",
        "scale": Scale(0, 10, 5, "linear"),
        "measures": (ndcg, ZERO, p1, rr),
        "gate": Gate(
            (
                Limit("floor", ndcg, 0.6, place=place(24, 20)),
                Limit("max_drop", ndcg, 0.01, 0.05, place=place(24, 35)),
                Limit("warn_drop", ndcg, 0.005, place=place(24, 72)),
                Limit("ceiling", ZERO, 0.05, place=place(25, 26)),
                Limit("max_rise", ZERO, None, 0.1, place=place(25, 46)),
                Limit("max_drop", p1, 0.1, None, "jargon", 10, place=place(31, 28)),
            ),
            lost_queries=3,
            max_errors=2,
            confirm=2,
            lost_queries_place=place(26, 17),
        ),
        "depth": 20,
        "slices": {"jargon": place(30, 5)},
        "slice_by": {"locale": place(32, 12), "shop": place(32, 20)},
        "refresh_after": 30,
        "targets": {},
        "warnings": (),
        "not_asked": (),
    } == {name: getattr(long, name) for name in Config.__slots__ if name not in {"source", "request", "recorded"}}
    assert place(22, 8) == long.place("depth")


def test_a_body_or_a_form_makes_the_request_a_post(tmp_path: Path) -> None:
    """Unless the method is given."""
    services = [
        SERVICE,
        "{url: u, hits: h, id: i, body: {}}",
        "{url: u, hits: h, id: i, form: {q: '{query}'}}",
        "{url: u, hits: h, id: i, method: POST}",
    ]

    assert ["GET", "POST", "POST", "POST"] == [config(tmp_path, text(each)).service.method for each in services]


def test_lost_queries_alone_are_a_gate(tmp_path: Path) -> None:
    """No measure need be limited."""
    assert (0, ()) == (
        (gate := config(tmp_path, text(gate="{lost_queries: {max: 0}}")).gate).lost_queries,
        gate.limits,
    )


@pytest.mark.parametrize("present", ["rankgate.yaml", "golden/rankgate.yaml"])
def test_a_config_is_found_under_its_usual_names(present: str, tmp_path: Path) -> None:
    """In the folder, else below golden; the one that is named wins unseen."""
    path = tmp_path / present
    path.parent.mkdir(exist_ok=True)
    path.touch()

    assert path == find(None, folder=tmp_path)
    assert Path("other.yaml") == find(Path("other.yaml"), folder=tmp_path)


def test_no_config_says_where_it_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And how one is made; without a folder it is looked for where the command runs."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigError) as caught:
        find(None)

    assert ("no config: looked for rankgate.yaml and golden/rankgate.yaml", 2) == (
        str(caught.value),
        caught.value.exit_code,
    )
    assert "rankgate init writes one; --config PATH names another." == caught.value.hint


# What is wrong with a config.


def gate(entry: str) -> str:
    return text(gate=f"{{P@1: {{floor: 0.5}}, {entry}}}")


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        pytest.param("", ["1:1: expected a mapping with the keys version, service and gate"], id="empty"),
        pytest.param("- a", ["1:1: expected a mapping with the keys version, service and gate"], id="a list"),
        pytest.param(
            "version: 1\n",
            [
                "1:1: the key 'service' is missing from the mapping that starts here",
                "1:1: the key 'gate' is missing from the mapping that starts here",
            ],
            id="nothing but the version",
        ),
        pytest.param(
            text().replace("version: 1", "version: 2"), ["1:10: version: expected at most 1, found '2'"], id="version 2"
        ),
        pytest.param(
            text(rest="slcies: {}"), ["4:1: unknown key 'slcies'; did you mean 'slices'?"], id="unknown top-level key"
        ),
        pytest.param(
            text("{url: u, hits: h, id: i, header: {}}"),
            ["2:35: service: unknown key 'header'; did you mean 'headers'?"],
            id="unknown key of the service",
        ),
        pytest.param(
            text("{url: u, hits: h}"),
            ["2:10: service: the key 'id' is missing from the mapping that starts here"],
            id="no id path",
        ),
        pytest.param(
            text("{url: u, hits: h, id: i, body: {}, form: {}}"),
            ["2:51: service: a request has one of body and form, not both"],
            id="a body and a form",
        ),
        pytest.param(
            text("{url: u, hits: h, id: i, retries: 11, concurrency: 0, timeout: {read: 0}}"),
            [
                "2:44: service.retries: expected at most 10, found '11'",
                "2:61: service.concurrency: expected at least 1, found '0'",
                "2:80: service.timeout.read: expected more than 0, found '0'",
            ],
            id="numbers of the service",
        ),
        pytest.param(
            gate("nDGC@10: {floor: 0.5}"),
            ["3:27: unknown measure 'nDGC@10'; did you mean 'nDCG'?"],
            id="unknown measure",
        ),
        pytest.param(gate("P: {floor: 0.5}"), ["3:27: measure 'P' needs a cutoff, for example P@10"], id="no cutoff"),
        pytest.param(
            gate("precision@1: {floor: 0.5}"),
            ["3:40: 'precision@1' and 'P@1' are the same measure"],
            id="a measure twice",
        ),
        pytest.param(
            gate("P@3: {}"),
            [
                (
                    "3:32: P@3 has no limit; expected one of floor, ceiling, max_drop, max_rise, max_drop_rel, "
                    "max_rise_rel, warn_drop, warn_rise"
                )
            ],
            id="a measure without a limit",
        ),
        pytest.param(
            text(rest="slices: {s: {gate: {P@3: {flor: 0.5}}}}"),
            ["4:27: slices.s.gate.P@3: unknown key 'flor'; did you mean 'floor'?"],
            id="unknown limit",
        ),
        pytest.param(
            gate("P@3: {floor: }"), ["3:40: gate.P@3.floor: expected a number, found nothing"], id="a limit left empty"
        ),
        pytest.param(
            gate("ZeroResults: {floor: 0.1, max_drop: 0.1, max_drop_rel: 5%, warn_drop: 0.1}"),
            [
                "3:48: ZeroResults is better when lower: 'floor' has no meaning; did you mean 'ceiling'?",
                "3:63: ZeroResults is better when lower: 'max_drop' has no meaning; did you mean 'max_rise'?",
                "3:82: ZeroResults is better when lower: 'max_drop_rel' has no meaning; did you mean 'max_rise_rel'?",
                "3:97: ZeroResults is better when lower: 'warn_drop' has no meaning; did you mean 'warn_rise'?",
            ],
            id="B06 directions, lower is better",
        ),
        pytest.param(
            gate("P@3: {ceiling: 0.1, warn_rise: 0.1}"),
            [
                "3:42: P@3 is better when higher: 'ceiling' has no meaning; did you mean 'floor'?",
                "3:58: P@3 is better when higher: 'warn_rise' has no meaning; did you mean 'warn_drop'?",
            ],
            id="B06 directions, higher is better",
        ),
        pytest.param(
            gate("P@3: {max_drop: 5, floor: 70}"),
            [
                '3:43: max_drop is in points of the measure, from 0 to 1, found 5; for a relative limit write max_drop_rel: "5%"',
                "3:53: floor is in points of the measure, from 0 to 1, found 70",
            ],
            id="B07 limits above 1",
        ),
        pytest.param(
            gate(
                "P@3: {max_drop: -0.1}, nDCG@10: {max_drop: .nan}, R@50: {floor: .inf}, ZeroResults: {ceiling: 1e999}"
            ),
            [
                "3:70: gate.nDCG@10.max_drop: expected a number, found '.nan'",
                "3:91: gate.R@50.floor: expected a number, found '.inf'",
                "3:121: gate.ZeroResults.ceiling: expected a number, found '1e999'",
            ],
            id="B01 nan and inf",
        ),
        pytest.param(
            gate("P@3: {max_drop: -0.1}"),
            ["3:43: max_drop is in points of the measure, from 0 to 1, found -0.1"],
            id="B01 negative",
        ),
        pytest.param(
            gate('P@3: {max_drop: "0.1"}'),
            ["3:43: gate.P@3.max_drop: expected a number without quotes, found '0.1'"],
            id="a number in quotes",
        ),
        pytest.param(
            gate("P@3: {max_drop_rel: 0.05}"),
            ["3:47: gate.P@3.max_drop_rel: expected a percentage above 0% and up to 100%, such as 5%, found '0.05'"],
            id="a share without a percent sign",
        ),
        pytest.param(
            gate("lost_querys: {max: 3}, max_error: 2"),
            [
                "3:27: gate: unknown key 'lost_querys'; did you mean 'lost_queries'?",
                "3:50: gate: unknown key 'max_error'; did you mean 'max_errors'?",
            ],
            id="rules misspelt",
        ),
        pytest.param(
            gate("lost_querys: {max: 3}, P@3: {floor: one}"),
            [
                "3:27: gate: unknown key 'lost_querys'; did you mean 'lost_queries'?",
                "3:63: gate.P@3.floor: expected a number, found 'one'",
            ],
            id="a rule misspelt, and a limit",
        ),
        pytest.param(
            gate("lost_queries: {max: -1}, max_errors: -1"),
            [
                "3:47: gate.lost_queries.max: expected at least 0, found '-1'",
                "3:64: gate.max_errors: expected at least 0, found '-1'",
            ],
            id="counts below 0",
        ),
        pytest.param(
            text(gate="{}"),
            ["3:7: the gate has no rule, so nothing could ever fail; expected limits of a measure"],
            id="an empty gate",
        ),
        pytest.param(
            text(gate="{max_errors: 3}"),
            ["3:7: the gate has no rule, so nothing could ever fail; expected limits of a measure"],
            id="a gate that only allows errors",
        ),
        pytest.param(text(gate="[]"), ["3:7: gate: expected a mapping, found a list"], id="a list of rules"),
        pytest.param(
            text(rest="slices:\n  jargon: {gate: {}}\n  all: {gate: {P@1: {floor: 0.5}}}"),
            ["5:18: slice 'jargon' has no rule", "6:8: the rules of slice 'all' stand under 'gate'"],
            id="slices without rules, and of all",
        ),
        pytest.param(
            text(rest="slices: {jargon: {min_querys: 3, gate: {P@1: {floor: 0.5}}}}"),
            ["4:19: slices.jargon: unknown key 'min_querys'; did you mean 'min_queries'?"],
            id="unknown key of a slice",
        ),
        pytest.param(
            text(rest="slices: {jargon: {gate: {P@2: {floor: 2}, ZeroResults: {floor: 0.1}, X: {floor: 0}}}}"),
            [
                "4:39: floor is in points of the measure, from 0 to 1, found 2",
                "4:64: ZeroResults is better when lower: 'floor' has no meaning; did you mean 'ceiling'?",
                "4:70: unknown measure 'X'",
            ],
            id="limits of a slice",
        ),
        pytest.param(
            text(rest="depth: 10"),
            ["4:8: depth 10 is less than R@50 looks at; expected 50 or more"],
            id="too shallow for what is shown",
        ),
        pytest.param(
            text(rest="measures: [P@1, nDCG@1.5]"),
            ["4:17: the cutoff of 'nDCG@1.5' must be a whole number of 1 or more, found '1.5'"],
            id="a measure to show",
        ),
        pytest.param(
            text(rest="judgments: {grades: [3, 0]}"),
            ["4:21: grades must be [smallest, largest] with 0 <= smallest < largest <= 100, found [3, 0]"],
            id="a scale the wrong way round",
        ),
        pytest.param(
            text(rest="judgments: {grades: [0, 255]}"),
            ["4:21: grades must be [smallest, largest] with 0 <= smallest < largest <= 100, found [0, 255]"],
            id="a scale too wide",
        ),
        pytest.param(
            text(rest="judgments: {relevant_from: 4}"),
            ["4:28: relevant_from must be a grade of the scale, at most 3, found 4"],
            id="nothing can be relevant",
        ),
        pytest.param(
            text(rest="judgments: {relevant_from: 0, gain: cubic, grades: [1]}"),
            [
                "4:28: judgments.relevant_from: expected at least 1, found '0'",
                "4:37: judgments.gain: expected 'exponential', 'linear' or 'binary', found 'cubic'",
                "4:52: judgments.grades: needs 2 or more entries, has 1",
            ],
            id="judgments of the wrong shape",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_was_meant(
    content: str, problems: list[str], tmp_path: Path
) -> None:
    """The whole message; all mistakes in one go, in the order of the lines."""
    found = [problem.partition("; known: ")[0] for problem in wrong(tmp_path, content)]

    assert problems == found


def test_an_unknown_limit_of_the_whole_set_is_refused_with_its_place(tmp_path: Path) -> None:
    """At the key itself."""
    (problem,) = wrong(tmp_path, gate("P@3: {flor: 0.5}"))

    assert problem.startswith("3:33: gate.P@3: unknown key 'flor'")


# Variables.


def service(value: str) -> str:
    return text(f"\n  url: {value}\n  hits: h\n  id: i")


@pytest.mark.parametrize(
    ("value", "environ", "url"),
    [
        pytest.param("a${X}b", {"X": "1"}, "a1b", id="within a text"),
        pytest.param("${X}${Y}", {"X": "1", "Y": "2"}, "12", id="two"),
        pytest.param("${X:-d}", {"X": "1"}, "1", id="set, with a default"),
        pytest.param("${X:-d}", {}, "d", id="not set, with a default"),
        pytest.param("${X:-d}", {"X": ""}, "d", id="empty, with a default"),
        pytest.param("'a${X:-}'", {}, "a", id="an empty default"),
        pytest.param("${X}", {"X": "1\r\n\n"}, "1", id="line breaks at the end"),
        pytest.param("$${X}", {"X": "1"}, "${{X}}", id="escaped: the braces stand for themselves"),
        pytest.param("${X}", {"X": "a{b}"}, "a{{b}}", id="braces in a value open no placeholder"),
        pytest.param("$X ${", {"X": "1"}, "$X ${", id="no variable"),
    ],
)
def test_variables_are_expanded_in_the_service(value: str, environ: dict[str, str], url: str, tmp_path: Path) -> None:
    """Only there, and once: what a variable holds is not looked through again."""
    assert url == config(tmp_path, service(value), environ).service.url


@pytest.mark.parametrize("key", ["fingerprint", "exists"])
def test_braces_in_a_value_open_no_placeholder_of_another_address(key: str, tmp_path: Path) -> None:
    """Addresses beside the search are templates too; a path is none."""
    lookups = f'a\n  {key}: {{url: "http://h/{{id}}${{X}}", path: "a.${{X}}"}}'
    found = getattr(config(tmp_path, service(lookups), {"X": "{b}"}).service, key)

    assert ("http://h/{id}{{b}}", "a.{b}") == (found.url, found.path)


def test_an_expanded_value_is_expanded_once(tmp_path: Path) -> None:
    """What looks like a variable in a secret is none."""
    found = config(tmp_path, service("${X}"), {"X": "$" + "{Y}", "Y": "no"}).service

    assert (("X", "$" + "{Y}"),) == tuple((secret.name, secret.value) for secret in found.secrets)
    assert "no" not in found.url


def test_variables_are_left_alone_by_commands_that_ask_no_service(tmp_path: Path) -> None:
    """As written, or the default; none is missing."""
    found = config(tmp_path, service("${X}/${Y:-d}"), None).service

    assert ("${X}/d", ()) == (found.url, found.secrets)


def test_variables_outside_the_service_are_text(tmp_path: Path) -> None:
    """A path is a path."""
    assert tmp_path / "${X}" == config(tmp_path, text(rest="baseline: ${X}"), {"X": "y"}).baseline


@pytest.mark.parametrize(
    ("value", "environ", "message"),
    [
        pytest.param("${SEARCH_URL}", {}, "the environment variable SEARCH_URL is not set", id="not set"),
        pytest.param(
            "${SEARCH_URL}",
            {"SERCH_URL": "x"},
            "the environment variable SEARCH_URL is not set; did you mean 'SERCH_URL'?",
            id="set under another name",
        ),
        pytest.param("${X}", {"Y": "x"}, "the environment variable X is not set", id="one letter is near to any other"),
        pytest.param("${X}", {"X": ""}, "the environment variable X is empty", id="empty"),
        pytest.param("${X}", {"X": "\r\n"}, "the environment variable X is empty", id="a line break only"),
        *(
            pytest.param(
                f"${{{wrong}}}",
                {"A": "x"},
                f"'${{{wrong}}}' names no variable; expected ${{NAME}} or ${{NAME:-default}}",
                id=wrong,
            )
            for wrong in ("A:http", "A-http://x")
        ),
        pytest.param("${}", {}, "'${}' names no variable; expected ${NAME} or ${NAME:-default}", id="no name"),
        pytest.param("${1A}", {}, "'${1A}' names no variable; expected ${NAME} or ${NAME:-default}", id="no such name"),
        pytest.param(
            "${A B:-c}", {}, "'${A B:-c}' names no variable; expected ${NAME} or ${NAME:-default}", id="a blank"
        ),
    ],
)
def test_a_variable_that_is_missing_is_named(value: str, environ: dict[str, str], message: str, tmp_path: Path) -> None:
    """Never an empty text in its place."""
    assert [f"3:8: {message}"] == wrong(tmp_path, service(value), environ)


def test_missing_variables_are_named_with_the_other_mistakes_in_the_order_of_lines(tmp_path: Path) -> None:
    """Also those within lists and mappings, and when the shape is wrong."""
    content = (
        "version: 1\ngat: {}\nservice:\n  url: u\n  hits: h\n  id: i\n  body: {list: [x, '${A}'], text: '${B}'}\n"
        "  retries: many\ngate: {P@1: {floor: 0.5}}\n"
    )

    assert [
        "2:1: unknown key 'gat'; did you mean 'gate'?",
        "7:20: the environment variable A is not set",
        "7:35: the environment variable B is not set",
        "8:12: service.retries: expected a whole number, found 'many'",
    ] == wrong(tmp_path, content, {})


@pytest.mark.parametrize(
    "broken",
    [
        "url: ['${SECRET}']",
        "url: {a: '${SECRET}'}",
        "method: ${SECRET}",
        "page_size: ${SECRET}",
        "page_size: '${SECRET}'",
        "concurrency: x${SECRET}",
        "timeout: {read: '${SECRET}'}",
        "timeout: ${SECRET}",
        "headers: ${SECRET}",
        "headers: ['${SECRET}']",
        "params: {a: ['${SECRET}']}",
        "partial: ${SECRET}",
        "defaults: ${SECRET}",
        "form: ${SECRET}",
        "unknown: ${SECRET}",
        "body: {a: .nan, b: '${SECRET}'}",
        "body: ${SECRET}\n  form: {a: '${SECRET}'}",
        "method: G T\n  body: ${SECRET}",
        "url: ${SECRET}${MISSING}",
    ],
)
@pytest.mark.parametrize("secret", [SECRET, "1e999", "7" * 5000, "hunter2" * 20], ids=["word", "inf", "digits", "long"])
def test_no_message_quotes_a_secret(broken: str, secret: str, tmp_path: Path) -> None:
    """Whatever is wrong with the value or around it: the message shows what is written in the file."""
    url = "" if broken.startswith("url") else "url: u"
    content = text(f"\n  hits: h\n  id: i\n  {broken}\n  {url}", gate="{P: 1}")

    with pytest.raises(ConfigError) as caught:
        config(tmp_path, content, {"SECRET": secret})
    error: BaseException | None = caught.value

    assert secret[:20] not in str(error)


def test_a_secret_is_not_in_its_own_repr() -> None:
    """A traceback may show it; so may a message that quotes an expanded text, or a part of it."""
    expanded = Expanded(f"a {SECRET}", "a ${KEY}")

    assert ["Secret(name='KEY')", "'a ${KEY}'", "a ${"] == [
        repr(Secret("KEY", SECRET)),
        repr(expanded),
        expanded[:4],
    ]
    assert f"a {SECRET}" == str(expanded)


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        pytest.param(
            "headers: {Authorization: Bearer abc, X-Api-Key: abc, Accept: text/html}",
            ["2:60: service.headers.Authorization", "2:83: service.headers.X-Api-Key"],
            id="headers",
        ),
        pytest.param("headers: {Authorization: 'Bearer ${KEY}', Cookie: '${KEY}'}", [], id="from the environment"),
        pytest.param("headers: {Accept: text/html}", [], id="no secret"),
        pytest.param(
            "basic_auth: {user: me, password: abc}", ["2:68: service.basic_auth.password"], id="a user's password"
        ),
        pytest.param("tls: {password: abc}", ["2:51: service.tls.password"], id="a certificate's password"),
        pytest.param("params: {api_key: abc, size: '9'}", ["2:53: service.params.api_key"], id="a parameter"),
        pytest.param(
            "params: {token: '{query}', max_tokens: 100, secret: '{{abc'}",
            ["2:87: service.params.secret"],
            id="a value",
        ),
        pytest.param("form: {access_token: abc}", ["2:56: service.form.access_token"], id="a field of a form"),
        pytest.param(
            "targets: {staging: {headers: {Cookie: abc}, basic_auth: {user: me, password: '${KEY}'}}, plain: {url: v}}",
            ["2:73: service.targets.staging.headers.Cookie"],
            id="a target",
        ),
        pytest.param("params: {drop_tokens_mode: both_sides, tokenizer: standard}", [], id="words of the text"),
    ],
)
def test_a_literal_secret_is_a_warning(keys: str, names: list[str], tmp_path: Path) -> None:
    """It loads, whichever place is asked; the value is not repeated."""
    found = config(tmp_path, text(f"{{url: u, hits: h, id: i, {keys}}}"), {"KEY": SECRET}).warnings

    assert [
        f"{name} holds a literal value; expected ${{NAME}}: a secret does not belong in a file" for name in names
    ] == complaints(tmp_path, found)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("url: 'http://me:abc@h/x'", ["2:16: service.url holds literal credentials before the host"]),
        ("url: 'http://abc@h/x?api_key=abc'", 2 * ["2:16: service.url holds "]),
        ("url: 'http://h/x?api_key=abc&q={query}'", ["2:16: service.url holds the literal value of 'api_key'"]),
        ("url: 'http://${KEY}@h/x?api_key=${KEY}&token={query}&max_tokens=5'", []),
        (
            "url: u, targets: {a: {url: 'http://h/x?token=abc'}}, exists: {url: 'http://h/{id}?key=a&access_token=abc'}",
            [
                "2:78: service.exists.url holds the literal value of 'access_token'",
                "2:38: service.targets.a.url holds the literal value of 'token'",
            ],
        ),
    ],
)
def test_a_literal_secret_in_an_address_is_a_warning(keys: str, expected: list[str], tmp_path: Path) -> None:
    """Before the host or among the parameters, of whichever address."""
    found = complaints(tmp_path, config(tmp_path, text(f"{{{keys}, hits: h, id: i}}"), {"KEY": SECRET}).warnings)

    assert len(expected) == len(found)
    assert all(each.startswith(begin) for each, begin in zip(found, expected, strict=True)), found


# A config and its golden set.


def set_of(size: int, *slices: str) -> GoldenSet:
    return golden(*(query(f"q{n}", slices=slices) for n in range(size)))


def test_rules_of_a_slice_that_no_query_is_in_are_wrong(tmp_path: Path) -> None:
    """With the nearest slice that there is (G19)."""
    content = text(
        rest="slices:\n  jargn: {gate: {P@1: {floor: 0.5}}}\n  x: {gate: {P@1: {floor: 0.5}}}\n  head: {gate: {P@1: {floor: 0.5}}}"
    )

    assert [
        "5:10: slice 'jargn' holds no query; did you mean 'jargon'?",
        "6:6: slice 'x' holds no query; known: head, jargon",
    ] == complaints(tmp_path, fit(config(tmp_path, content), set_of(1, "jargon", "head")))


def test_pins_that_look_deeper_than_is_asked_for_are_wrong(tmp_path: Path) -> None:
    """A document at rank 80 would never be seen at depth 50, and the pin would hold."""
    place = Place("q.yaml", 3, 5)
    queries = golden(
        query(
            "deep",
            must={Measure("P", 51, 1): 1.0, Measure("RR", rel=1): 1.0},
            never=("x",),
            never_within=60,
            place=place,
        ),
        query("fits", must={R50: 1.0}, never=("x",), never_within=50),
        query("elsewhere", must={Measure("P", 60, 1): 1.0}),
    )

    assert [
        Problem("query 'deep': depth 50 is less than its 'must' of P@51 looks at; expected 51 or more", "q.yaml", 3, 5),
        Problem("query 'deep': depth 50 is less than its 'never' looks at; expected 60 or more", "q.yaml", 3, 5),
        Problem("query 'elsewhere': depth 50 is less than its 'must' of P@60 looks at; expected 60 or more"),
    ] == fit(config(tmp_path, text()), queries)


def test_pins_that_ask_for_more_documents_than_the_depth_are_wrong(tmp_path: Path) -> None:
    """They could never be met; of a measure that ends at 1 the golden file says so."""
    count = Measure("NumRet")
    queries = golden(
        query("more", must={count: 51.0}, place=Place("q.yaml", 3, 5)), query("all", must={count: 50.0, R50: 1.0})
    )

    assert [Problem("query 'more': 'must' of NumRet is 51, more than the depth, 50, allows", "q.yaml", 3, 5)] == fit(
        config(tmp_path, text()), queries
    )


def test_slicing_by_a_param_that_no_query_has_is_wrong(tmp_path: Path) -> None:
    """With the nearest of those that there are; one query that has it is enough."""
    queries = golden(query("a", params={"locale": "de"}), query("b", params={"shop": 1}))

    assert ["4:12: slice_by: no query has a param 'local'; did you mean 'locale'?"] == complaints(
        tmp_path, fit(config(tmp_path, text(rest="slice_by: [local, shop]")), queries)
    )


def test_a_never_without_a_depth_of_its_own_fits_any_depth(tmp_path: Path) -> None:
    """Nobody wrote a rank, so none can be too deep."""
    shallow = config(tmp_path, text(rest="depth: 5\nmeasures: [P@1]"))

    assert [] == fit(shallow, golden(query("q", never=("x",))))


@pytest.mark.parametrize(
    ("content", "size", "expected"),
    [
        pytest.param(gate("nDCG@10: {max_drop: 0.01}"), 100, [], id="exactly one query"),
        pytest.param(gate(f"nDCG@10: {{max_drop: {1 / 49!r}}}"), 49, [], id="exactly one query, in floats"),
        pytest.param(
            gate("nDCG@10: {max_drop: 0.01, warn_drop: 0.005}"),
            80,
            [
                "3:47: max_drop 0.01 of nDCG@10 is finer than one query: one of 80 is worth up to 0.0125",
                "3:64: warn_drop 0.005 of nDCG@10 is finer than one query: one of 80 is worth up to 0.0125",
            ],
            id="finer than one query",
        ),
        pytest.param(
            gate("NumRet: {max_drop: 0.5}"),
            80,
            ["3:46: max_drop 0.5 of NumRet is finer than one query: one of 80 is worth up to 0.6250"],
            id="finer than one query of up to 50 documents",
        ),
        pytest.param(text(), 1, [], id="floors are no change"),
        pytest.param(gate("nDCG@10: {max_drop_rel: 1%}"), 10, [], id="a share is no count"),
        pytest.param(
            text(rest="slices: {s: {min_queries: 11, gate: {P@1: {max_drop: 0.5}}}}"),
            10,
            ["4:54: slice 's' has 10 queries, fewer than min_queries: 11; it is shown and not gated"],
            id="a slice too small",
        ),
        pytest.param(
            text(
                rest="slices: {s: {min_queries: 2, gate: {P@1: {floor: .99}, P@3: {max_drop_rel: 5%}, ZeroResults: {ceiling: 0}}}}"
            ),
            1,
            [
                f"4:{column}: slice 's' has 1 query, fewer than min_queries: 2; it is shown and not gated"
                for column in (50, 76, 104)
            ],
            id="a slice too small for any rule",
        ),
        pytest.param(
            text(rest="slices: {s: {min_queries: 1, gate: {P@1: {floor: .99, max_drop_rel: 5%}}}}"),
            1,
            [],
            id="a slice just large enough",
        ),
        pytest.param(
            text(rest="slices: {none: {gate: {P@1: {max_drop: 0.5}}}}"),
            10,
            [],
            id="a slice of no query is wrong already",
        ),
    ],
)
def test_limits_finer_than_one_query_are_warned_of(
    content: str, size: int, expected: list[str], tmp_path: Path
) -> None:
    """A single query that flips breaks them."""
    assert expected == complaints(tmp_path, list(coarse(config(tmp_path, content), set_of(size, "s"))))


def test_a_rule_from_elsewhere_has_no_place_to_warn_of(tmp_path: Path) -> None:
    """Only what is written can be changed there."""
    from dataclasses import replace

    loaded = replace(config(tmp_path, text()), gate=Gate((Limit("max_drop", P1, 0.0),)))

    assert [] == list(coarse(loaded, set_of(10)))
