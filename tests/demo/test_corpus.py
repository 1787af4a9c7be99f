"""The demo's documents and the index over them."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from rankgate.demo import corpus
from rankgate.demo.corpus import Document, documents
from rankgate.demo.index import build


@pytest.fixture(scope="module")
def pages() -> dict[str, Document]:
    """All documents by id."""
    return {page.id: page for page in documents()}


def test_there_are_enough_documents(pages: dict[str, Document]) -> None:
    """A search over them is not trivial."""
    assert len(pages) >= 3_000


def test_ids_are_unique_and_sorted() -> None:
    """Two builds give the same documents, in order of an id that each has alone."""
    first, second = list(documents()), list(documents())

    assert first == second
    assert sorted({page.id for page in first}) == [page.id for page in first]


@pytest.mark.parametrize(
    "document_id",
    [
        "heapq",
        "heapq.merge",
        "collections.OrderedDict.move_to_end",
        "collections.abc.Mapping",
        "threading.Thread.daemon",
        "json.loads",
        "math.sqrt",
        "os.path.join",
        "pathlib.Path.read_text",
        "random.randint",
        "str.split",
        "list.sort",
        "dict.get",
        "sorted",
        "KeyError",
        "open",
    ],
)
def test_what_people_search_for_is_there(pages: dict[str, Document], document_id: str) -> None:
    """Modules, classes, functions, methods, properties and builtins have pages."""
    assert document_id in pages


@pytest.mark.parametrize(
    "document_id", ["builtins.str", "io.open", "os.error", "collections.OrderedDict.__len__", "heapq._siftdown"]
)
def test_no_second_names_and_no_private_ones(pages: dict[str, Document], document_id: str) -> None:
    """An object has one page, and only under a public name."""
    assert document_id not in pages


def test_a_page_is_name_signature_and_docstring(pages: dict[str, Document]) -> None:
    """A method's title has its parameters without ``self``; its text is its docstring."""
    page = pages["str.split"]

    assert "str.split(sep=None, maxsplit=-1)" == page.title
    assert page.text.startswith("Return a list of the substrings in the string")


def test_class_and_static_methods_have_their_own_docstring(pages: dict[str, Document]) -> None:
    """The wrapper's docstring is not theirs."""
    assert "translation table" in pages["str.maketrans"].text
    assert "Create a new dictionary" in pages["dict.fromkeys"].text


def test_inherited_docstrings_make_no_page(pages: dict[str, Document]) -> None:
    """A method that a class only inherits is found under the class that defines it."""
    assert "dict.update" in pages
    assert "collections.defaultdict.update" not in pages


def test_nothing_depends_on_the_run(pages: dict[str, Document]) -> None:
    """No page shows a memory address or the place where Python is installed."""
    found = [page.id for page in pages.values() if " at 0x" in page.title + page.text or sys.prefix in page.title]

    assert [] == found


def test_every_page_has_text(pages: dict[str, Document]) -> None:
    """What has no docstring is left out."""
    assert [] == [page.id for page in pages.values() if not page.text.strip()]


def test_every_module_has_a_place_in_the_list_once() -> None:
    """The list of modules repeats none."""
    assert len(set(corpus.MODULES)) == len(corpus.MODULES)


def test_index_finds_by_stem_and_by_exact_word(tmp_path: Path) -> None:
    """One full-text table knows that merging is merge, the other does not."""
    path = tmp_path / "docs.db"
    build(path, [Document("a", "a()", "merging lists"), Document("b", "b()", "nothing")])

    with closing(sqlite3.connect(path)) as connection:
        stemmed = connection.execute("select title from stemmed where stemmed match 'merge'").fetchall()
        unstemmed = connection.execute("select title from unstemmed where unstemmed match 'merge'").fetchall()

    assert [("a()",)] == stemmed
    assert [] == unstemmed


def test_a_failed_build_leaves_the_old_index(tmp_path: Path) -> None:
    """The file is replaced whole or not at all, and no other file stays."""
    path = tmp_path / "docs.db"
    page = Document("a", "a()", "text")
    build(path, [page])
    before = path.read_bytes()

    with pytest.raises(sqlite3.IntegrityError):
        build(path, [page, page])

    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())
