"""The shell of every page: one file that needs no network.

The policy in it allows the page's own style and script by their hashes and nothing else, so that even a text that got
past the escaping could do nothing.
"""

import base64
import hashlib
from importlib import resources
from string import Template

from rankgate.reports.html.markup import escape


def asset(name: str) -> str:
    """A file beside this one, its line breaks as a browser reads them."""
    return resources.files(__name__.rpartition(".")[0]).joinpath(name).read_text(encoding="utf-8")


def page(title: str, body: str, *, style: str, script: str = "") -> str:
    """The document; *script* runs after *body* is there."""
    last = f"<script>{script}</script>\n" if script else ""
    return Template(asset("page.html")).substitute(
        title=escape(title), policy=_policy(style, script), style=style, body=body + last
    )


def _policy(style: str, script: str) -> str:
    """Nothing from anywhere, but for this style and this script; and no text may become markup or a script."""
    rules = ["default-src 'none'", f"style-src {_source(style)}"]
    rules += [f"script-src {_source(script)}"] if script else []
    rules += ["base-uri 'none'", "form-action 'none'"]
    rules += ["require-trusted-types-for 'script'"] if script else []
    return "; ".join(rules)


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
