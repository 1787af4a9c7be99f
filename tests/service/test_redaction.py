"""No secret is readable in a message, however it is spelled."""

import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgate.files.service_spec import Secret, ServiceSpec
from rankgate.service.redaction import Redactor

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "percent-encoded": lambda text: quote(text, safe=""),
    "percent-encoded in part": lambda text: quote(text, safe="/:@&=+$,"),
    "lower-case percent-encoded": lambda text: quote(text, safe="").replace("%2F", "%2f").replace("%26", "%26"),
    "form-encoded": quote_plus,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON, not ASCII": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "a template": lambda text: text.replace("{", "{{").replace("}", "}}"),
    "HTML": lambda text: text.replace("&", "&amp;").replace('"', "&quot;"),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 after a user name": lambda text: base64.b64encode(f"user:{text}".encode()).decode(),
    "base64 after another": lambda text: base64.b64encode(f"ab:{text}".encode()).decode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_replaced(spelling: str) -> None:
    """A secret with all the awkward characters is found in each way of writing it."""
    secret = 's3 cr/et&"=ü+%{}'
    text = f"before {SPELLINGS[spelling](secret)} after"
    redacted = Redactor((Secret("KEY", secret),)).redact(text)
    assert redacted.startswith("before ")
    assert redacted.endswith(" after")
    assert "[KEY]" in redacted
    assert "cr" not in redacted


@given(st.text(min_size=4, max_size=40), st.text(max_size=20), st.sampled_from(["plain", "form-encoded", "JSON"]))
def test_no_secret_survives(secret: str, around: str, spelling: str) -> None:
    """Whatever the secret, its spelling is not left in a text that held it."""
    if not secret.isprintable() and spelling != "JSON":
        spelling = "plain"
    written = SPELLINGS[spelling](secret.encode(errors="replace").decode())
    text = f"{around}{written}{around}"
    redacted = Redactor((Secret("", secret.encode(errors="replace").decode()),)).redact(text)
    assert len(redacted) < len(text)


def test_the_longest_goes_first() -> None:
    """A secret inside another does not leave the rest of the longer one."""
    redactor = Redactor((Secret("SHORT", "abcd"), Secret("LONG", "abcdefgh")))
    assert "[LONG] [SHORT]" == redactor.redact("abcdefgh abcd")


def test_short_values_stay() -> None:
    """A value under four characters would be found by chance."""
    assert "an answer" == Redactor((Secret("A", "an"), Secret("EMPTY", ""))).redact("an answer")


def test_names_are_not_redacted_again() -> None:
    """A replacement is not searched for other secrets."""
    assert "[A_TOKEN]" == Redactor((Secret("A_TOKEN", "hunter22"), Secret("B", "TOKEN"))).redact("hunter22")


def test_nothing_to_hide() -> None:
    """Without secrets a text stays as it is."""
    assert "any text" == Redactor().redact("any text")


@pytest.mark.parametrize(
    ("url", "text", "expected"),
    [
        ("http://elastic:hunter22@h/x", "user elastic, hunter22", "user elastic, [password]"),
        ("http://elastic:p%40ss%2Fw@h/x", "p@ss/w and p%40ss%2Fw", "[password] and [password]"),
        ("http://tokentoken@h/x", "tokentoken", "[password]"),
        ("http://h/x", "h", "h"),
        ("http://[bad", "bad", "bad"),
    ],
)
def test_the_password_of_an_address_is_a_secret(url: str, text: str, expected: str) -> None:
    """A password written in the URL, or a token in the place of the user, is redacted too."""
    assert expected == Redactor.of(ServiceSpec(url=url, hits="h", id="i")).redact(text)


def test_the_password_inside_a_secret_address() -> None:
    """The variable may hold the whole address; its password alone is hidden under the same name."""
    redactor = Redactor((Secret("SEARCH_URL", "http://u:hunter22@h:9200"),))
    assert "[SEARCH_URL]/x says [SEARCH_URL]" == redactor.redact("http://u:hunter22@h:9200/x says hunter22")


def test_values_are_not_in_the_repr() -> None:
    """Printing the objects in a traceback shows no secret."""
    assert "hunter22" not in repr(Redactor((Secret("KEY", "hunter22"),)))


def test_a_secret_that_a_service_misreads_is_found() -> None:
    """UTF-8 taken for Latin-1, as many servers echo a header."""
    secret = "clé-7c0f"

    assert "key [KEY]" == Redactor((Secret("KEY", secret),)).redact("key " + secret.encode().decode("latin-1"))


def basic(pair: str) -> str:
    """The header that says who asks."""
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


@pytest.mark.parametrize(
    ("spec", "text", "expected"),
    [
        ({"headers": {"Authorization": "Bearer hunter22"}}, "Bearer hunter22", "Bearer [Authorization]"),
        ({"headers": {"authorization": "hunter22"}}, "hunter22", "[authorization]"),
        ({"headers": {"X-Api-Key": "a {{hunter}} 22"}}, "key a {hunter} 22", "key [X-Api-Key]"),
        ({"headers": {"Authorization": basic("me:hunter22")}}, basic("me:hunter22"), "Basic [Authorization]"),
        ({"headers": {"Authorization": basic("me:hunter22")}}, "me, hunter22", "me, [Authorization]"),
        ({"headers": {"Authorization": "Basic hunter22:"}}, "hunter22: hunter22", "[Authorization] hunter22"),
        ({"params": {"api_key": "hunter22", "size": "1000"}}, "1000?k=hunter22", "1000?k=[api_key]"),
        ({"form": {"token": "hunter22"}}, "hunter22", "[token]"),
        ({"body": {"a": [{"secret": "hunter22"}], "b": "hunter23"}}, "hunter22 hunter23", "[secret] hunter23"),
        ({"url": "http://h/x?a=1000&api_key=hunter%2F22"}, "1000 hunter/22", "1000 [api_key]"),
        ({"params": {"token": "{user_token}"}}, "{user_token}", "{user_token}"),
        ({"headers": {"Authorization": "Bearer ${KEY}"}}, "Bearer ${KEY}", "Bearer ${KEY}"),
        ({"params": {"max_token": "1000"}, "body": {"tokenizer": "standard"}}, "1000 standard", "1000 standard"),
    ],
)
def test_a_credential_that_is_written_out_is_a_secret(spec: dict[str, Any], text: str, expected: str) -> None:
    """In the template of a header, a parameter, a body or an address; not what a query or the environment gives."""
    assert expected == Redactor.of(ServiceSpec(**{"url": "http://h/x", "hits": "h", "id": "i"} | spec)).redact(text)


def test_a_variable_keeps_its_name() -> None:
    """Also where it is the whole of a header, so that a reader knows which one it is."""
    spec = ServiceSpec("u", "h", "i", headers={"X-Api-Key": "hunter22"}, secrets=(Secret("KEY", "hunter22"),))
    assert "[KEY]" == Redactor.of(spec).redact("hunter22")
