"""The config that one answer suggests: it reads what the gate reads, and holds no secret."""

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from rankgate.errors import ServiceError, UsageError
from rankgate.service import starter

if TYPE_CHECKING:
    from tests.service.conftest import Service

ANSWER: Final = {"hits": [{"id": "d1", "title": "caf\u00e9"}, {"id": "d2", "title": "1234"}], "n": 1234}


def proposed(service: "Service", url: str = "/search?q=boots") -> dict[str, Any]:
    """The ``service`` block that the answer suggests."""
    found: dict[str, Any] = yaml.safe_load(starter.propose(f"http://{service.address}{url}", "test"))["service"]
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_whatever_the_gate_reads_is_learned_from(service: "Service", encoding: str) -> None:
    """JSON in any of its encodings, with a byte order mark or without."""
    service.always(service.plain(json.dumps(ANSWER, ensure_ascii=False).encode(encoding)))

    assert {
        "url": f"http://{service.address}/search",
        "params": {"q": "{query}"},
        "hits": "hits",
        "id": "id",
        "title": "title",
    } == proposed(service)


@pytest.mark.parametrize(("count", "hits"), [(1, "1 hit"), (2, "2 hits")])
def test_the_config_says_what_it_was_made_of(service: "Service", count: int, hits: str) -> None:
    """One answer, how many hits, and the first of them."""
    service.always(service.hits(*(f"d{number}" for number in range(count))))

    assert starter.propose(f"http://{service.address}/?q=a", "").startswith(
        f"# Proposed from one answer with {hits}, the first with the id 'd0'.\n"
    )


def test_a_declared_charset_is_learned_from(service: "Service") -> None:
    """As the gate reads it."""
    body = json.dumps(ANSWER, ensure_ascii=False).encode("latin-1")
    service.always(service.plain(body, Content_Type="application/json; charset=latin-1"))

    assert "hits" == proposed(service)["hits"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "the answer is empty"),
        ("<html>", "the answer is HTML, not JSON"),
        ('{"hits": NaN}', "the answer is no JSON"),
        ('{"timed_out": true}', "the answer says of itself that it is incomplete"),
    ],
)
def test_what_the_gate_does_not_read_is_no_answer(service: "Service", body: str, reason: str) -> None:
    """The reason is the gate's own."""
    service.always(service.plain(body))

    with pytest.raises(ServiceError, match=f"no answer to learn from: .*{reason}"):
        proposed(service)


def test_keys_that_yaml_would_take_for_values(service: "Service") -> None:
    """Every text comes back as the text it was, whatever reads the file."""
    service.always(service.json({"NO": [{"True_id": 1}], "\ud800": [], "\u202e": 1}))
    found = proposed(service, "/search?Yes=Null&No=on&q=x&%F0%9F%98%80=\u202e")

    assert {"Yes": "Null", "No": "on", "q": "{query}", "\U0001f600": "\u202e"} == found["params"]
    assert ("NO", "True_id") == (found["hits"], found["id"])


@pytest.mark.parametrize("userinfo", ["u:s3cret@", "s3cret@", "u:s3%40cret@", ":s3cret@"])
@pytest.mark.parametrize("way", ["propose", "at_address"])
def test_credentials_in_an_address_are_refused(service: "Service", userinfo: str, way: str) -> None:
    """They would be committed with the config; what to write there instead is said, and nothing is asked."""
    url = f"http://{userinfo}{service.address}/search?q=boots"
    with pytest.raises(UsageError) as caught:
        starter.propose(url, "") if way == "propose" else starter.at_address(starter.preset_text("http"), url)

    assert "the address holds credentials, which would stand in the config" == str(caught.value)
    assert 'service.basic_auth: {user: "${SEARCH_USER}", password: "${SEARCH_PASSWORD}"}' in caught.value.hint
    assert [] == service.requests


@pytest.mark.parametrize("name", ["api_key", "apikey", "X-API-Key", "token", "access_token", "auth", "secret"])
def test_credentials_in_a_query_string_are_refused(service: "Service", name: str) -> None:
    """By the names that credentials have; the value is not said."""
    with pytest.raises(UsageError) as caught:
        proposed(service, f"/search?q=boots&{name}=s3cret")

    assert f"the parameter {name!r} holds credentials, which would stand in the config" == str(caught.value)
    assert f'service.params: {{{name}: "${{SEARCH_KEY}}"}}' in caught.value.hint
    assert [] == service.requests


@pytest.mark.parametrize("url", ["/search?q=boots&author=x&key=1", "/search?token={query}", "/search?q=a&token="])
def test_what_only_looks_a_little_like_credentials(service: "Service", url: str) -> None:
    """Other names, the place of the query, and an empty value are none."""
    service.always(service.json(ANSWER))

    assert "hits" == proposed(service, url)["hits"]


def test_a_preset_takes_its_address_without_a_query_string() -> None:
    """The preset has the parameters, so no credentials get into the config with them."""
    found = starter.at_address(starter.preset_text("http"), "http://h:1/s?q=x&token=s3cret")

    assert "http://h:1/s" == yaml.safe_load(found)["service"]["url"]
    assert "s3cret" not in found


@pytest.mark.parametrize("url", ["http://[::1/?q=a", "ftp://h/?q=a", "nonsense"])
def test_what_is_no_address_is_a_mistake_of_the_command_line(url: str) -> None:
    """Never an unexpected error."""
    with pytest.raises(UsageError, match="--url takes an address"):
        starter.propose(url, "test")
