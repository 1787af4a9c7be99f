"""HTML built from elements, so that no text of the data can be anything but text.

Everything that is not ``Markup`` already is escaped, and what cannot be seen in it is written out.
"""

import html
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from rankgate.reports.visible import middle, visible

#: An id or a text can be as long as it likes; a reader of a table needs its ends.
DATA_LENGTH: Final = 240


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | None
Attribute = str | int | float | bool | None


def escape(text: str) -> Markup:
    """*text* as it shows, in an element or in a quoted attribute; number signs are kept apart as ``inert_xml`` does."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(visible(text)).replace("##", "#&#35;"))


def element(tag: str, *children: Child, **attributes: Attribute) -> Markup:
    """One element, never one of those without an end.

    Args:
        children: Texts and elements; None is left out.
        attributes: ``class_`` is ``class`` and ``aria_label`` is ``aria-label``; None and False are left out, True has
            no value.
    """
    opened = "".join(
        f" {_name(name)}" if value is True else f' {_name(name)}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    return Markup(f"<{tag}{opened}>{together(children)}</{tag}>")


def _name(attribute: str) -> str:
    return attribute.rstrip("_").replace("_", "-")


def together(children: Iterable[Child]) -> Markup:
    """Texts and elements one after the other."""
    return Markup("".join(escape(child) for child in children if child is not None))


def code(text: str, length: int = DATA_LENGTH) -> Markup:
    """Data that can be copied, such as an id."""
    return element("code", middle(visible(text), length))


def query_link(query_id: str) -> Markup:
    """An id that opens its query."""
    return element("a", code(query_id), href=fragment(query_id), class_="query-link")


def fragment(query_id: str) -> str:
    """The part of an address that opens a query in this file."""
    return f"#query={quote(visible(query_id), safe='')}"


def columns(*heads: tuple[str, str]) -> Markup:
    """The head of a table: each column's name and class."""
    cells = (element("th", name, scope="col", class_=class_ or None) for name, class_ in heads)
    return element("thead", element("tr", *cells))


def table(label: str, head: Markup, rows: Iterable[Markup], class_: str = "") -> Markup:
    """A table in a box of its own, which scrolls where it is wider than the page."""
    inner = element("table", element("caption", label, class_="unseen"), head, element("tbody", *rows))
    return element("div", inner, class_=f"scroll {class_}".strip(), tabindex=0, role="region", aria_label=label)


def section(ident: str, title: str, *children: Child, count: str = "") -> Markup:
    """A part of the page with its heading; empty where it has nothing to say."""
    if not any(children):
        return Markup()
    number = element("span", count, class_="count") if count else None
    heading = element("h2", title, number, id=f"{ident}-title")
    return element("section", heading, *children, id=ident, aria_labelledby=f"{ident}-title")
