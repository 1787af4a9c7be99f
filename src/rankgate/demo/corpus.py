"""The demo's documents: docstrings of the standard library, read from the running interpreter."""

import enum
import functools
import importlib
import inspect
import re
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

MODULES: Final = tuple(
    """
    builtins abc argparse array ast asyncio atexit base64 bdb binascii bisect calendar cmath cmd code codecs codeop
    collections collections.abc colorsys compileall concurrent.futures configparser contextlib contextvars copy copyreg
    csv dataclasses datetime decimal difflib dis doctest email email.contentmanager email.generator email.header
    email.headerregistry email.message email.mime.multipart email.mime.text email.parser email.policy email.utils enum
    errno faulthandler filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib gzip
    hashlib heapq hmac html html.parser http http.client http.cookiejar http.cookies http.server imaplib importlib
    importlib.machinery importlib.metadata importlib.resources importlib.util inspect io ipaddress
    itertools json keyword linecache locale logging logging.config logging.handlers mailbox marshal math mimetypes mmap
    modulefinder multiprocessing multiprocessing.managers multiprocessing.pool multiprocessing.shared_memory netrc
    numbers operator optparse os os.path pathlib pickle pickletools pkgutil platform plistlib poplib pprint pstats
    py_compile pyclbr pydoc queue quopri random re reprlib runpy sched secrets selectors shelve shlex shutil signal
    smtplib socket socketserver sqlite3 stat statistics string stringprep struct subprocess symtable sys
    tabnanny tarfile tempfile textwrap threading time timeit token tokenize tomllib trace traceback tracemalloc types
    typing unicodedata unittest unittest.mock urllib.error urllib.parse urllib.request urllib.response
    urllib.robotparser uuid venv warnings wave weakref webbrowser wsgiref.headers wsgiref.simple_server wsgiref.util
    wsgiref.validate xml.dom xml.dom.minidom xml.dom.pulldom xml.etree.ElementTree xml.sax xml.sax.handler
    xml.sax.saxutils xml.sax.xmlreader xmlrpc.client xmlrpc.server zipapp zipfile zipimport zlib zoneinfo
    """.split()  # noqa: SIM905 - easier to read and to change than 150 quoted names
)

_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")
_ROUTINES: Final = (
    types.FunctionType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
    staticmethod,
    classmethod,
)
_PROPERTIES: Final = (property, functools.cached_property, types.GetSetDescriptorType, types.MemberDescriptorType)


@dataclass(frozen=True, slots=True)
class Document:
    """One searchable page: a module, class, function, method or property.

    Attributes:
        id: Dotted name, such as ``heapq.merge``; builtins have no prefix, such as ``str.split``.
        title: The id and, for what can be called, its signature.
        text: The object's own docstring, cleaned of indentation.
    """

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A public class or function and the module that shows it."""

    module: str
    name: str
    value: Any


def documents() -> Iterator[Document]:
    """Read every documented public object of :data:`MODULES`.

    Yields:
        Documents sorted by id; each id once.
    """
    with warnings.catch_warnings():
        # Looking at a deprecated name warns, and nobody here is using it.
        warnings.simplefilter("ignore")
        modules = {name: importlib.import_module(name) for name in MODULES}
        found = [item for name, module in modules.items() for item in _public(name, module)]
        pages = [_page(name, name, module) for name, module in modules.items()]
        pages += [page for item in _at_home(found) for page in _pages(item)]
    yield from sorted((page for page in pages if page.text), key=lambda page: page.id)


def _public(module_name: str, module: types.ModuleType) -> Iterator[_Found]:
    """Yield the classes and functions that a module offers as its own."""
    exported = getattr(module, "__all__", None)
    for name in sorted(vars(module) if exported is None else exported):
        value = getattr(module, name, None)
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        own = exported is not None or module_name == "builtins" or _is_from(value, module_name)
        if own and not name.startswith("_"):
            yield _Found(module_name, name, value)


def _is_from(value: Any, module_name: str) -> bool:
    """Whether *value* was defined in the module or in the private C module behind it."""
    return getattr(value, "__module__", None) in {module_name, f"_{module_name}"}


def _at_home(found: list[_Found]) -> list[_Found]:
    """Keep each object in one place: builtins, else where it says it is from, else the first module that shows it."""
    order = {name: position for position, name in enumerate(MODULES)}

    def distance(item: _Found) -> tuple[bool, bool, int, bool, str]:
        return (
            item.module != "builtins",
            getattr(item.value, "__module__", None) != item.module,
            order[item.module],
            getattr(item.value, "__name__", None) != item.name,
            item.name,
        )

    homes: dict[int, _Found] = {}
    for item in sorted(found, key=distance):
        homes.setdefault(id(item.value), item)
    return list(homes.values())


def _pages(item: _Found) -> Iterator[Document]:
    """Yield the page of a function, or those of a class and its members."""
    name = item.name if item.module == "builtins" else f"{item.module}.{item.name}"
    yield _page(name, name + _signature(item.value), item.value)
    if inspect.isclass(item.value):
        yield from _members(name, item.value)


def _members(class_name: str, owner: type) -> Iterator[Document]:
    """Yield the pages of the public methods and properties that a class defines itself."""
    for name, member in vars(owner).items():
        full_name = f"{class_name}.{name}"
        if name.startswith("_"):
            continue
        if isinstance(member, _ROUTINES):
            bound = isinstance(member, (staticmethod, classmethod, types.ClassMethodDescriptorType))
            signature = _signature(getattr(owner, name), skip_first=not bound)
            # The wrapper of a method written in C has the docstring of staticmethod itself.
            yield _page(full_name, full_name + signature, getattr(member, "__func__", member))
        elif isinstance(member, _PROPERTIES):
            yield _page(full_name, full_name, member)


def _page(name: str, title: str, value: Any) -> Document:
    """Build the document of one object; its text is empty when it has no docstring of its own."""
    # Not inspect.getdoc, which would borrow the docstring of a base class.
    docstring = getattr(value, "__doc__", None)
    text = inspect.cleandoc(docstring) if isinstance(docstring, str) else ""
    return Document(name, _ADDRESS.sub("", title), _ADDRESS.sub("", text).strip())


def _signature(value: Callable[..., Any], *, skip_first: bool = False) -> str:
    """Write a callable's parameters, or nothing where Python cannot tell them."""
    if isinstance(value, enum.EnumType):
        return ""  # how to make an enumeration, not how to use this one
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError, NameError):
        return ""
    return str(inspect.Signature([_plain(parameter) for parameter in parameters[skip_first:]]))


def _plain(parameter: inspect.Parameter) -> inspect.Parameter:
    """Drop the annotation, and any default whose text depends on the machine or the run."""
    default = parameter.default
    if default is not inspect.Parameter.empty and not _is_literal(default):
        default = _Unwritten()
    return parameter.replace(default=default, annotation=inspect.Parameter.empty)


def _is_literal(value: object) -> bool:
    """Whether ``repr`` of *value* is the same everywhere."""
    if type(value) is tuple:
        return all(map(_is_literal, value))
    if isinstance(value, str):
        return type(value) is str and not (len(value) > 1 and Path(value).is_absolute())
    return value is None or type(value) in {bool, int, float, bytes}


class _Unwritten:
    """A default that is shown as three dots."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "..."
