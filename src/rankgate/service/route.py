"""The way to a service: directly, or through the proxy that the environment names."""

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


@dataclass(frozen=True, slots=True)
class Route:
    """Where the connections go.

    Attributes:
        address: ``host:port`` of the service.
        proxy: Address of the proxy, with its password; None without one.
        variable: The environment variable that names the proxy.
    """

    address: str
    secure: bool
    proxy: str | None = field(default=None, repr=False)
    variable: str = ""

    @classmethod
    def to(cls, url: str) -> Self:
        """Find the way to *url*; this machine itself is never asked through a proxy."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        secure = parts.scheme == "https"
        shown = f"[{host}]" if ":" in host else host
        address = f"{shown}:{parts.port or (443 if secure else 80)}"
        if is_loopback(host) or proxy_bypass(address):
            return cls(address, secure)
        known = getproxies()
        for scheme in (parts.scheme, "all"):
            if proxy := known.get(scheme):
                return cls(address, secure, proxy if "://" in proxy else f"http://{proxy}", _variable(scheme))
        return cls(address, secure)

    @property
    def host(self) -> str:
        """The address without its port."""
        return self.address.rpartition(":")[0]

    @property
    def needs_tls(self) -> bool:
        """Whether any connection on the way is encrypted."""
        return self.secure or (self.proxy or "").startswith("https:")

    @property
    def via(self) -> str:
        """The proxy in words, for the middle of a message."""
        return f" through the proxy of {self.variable}" if self.proxy else ""


def is_loopback(host: str) -> bool:
    """Say whether *host* is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _variable(scheme: str) -> str:
    names = (f"{scheme}_proxy", f"{scheme}_proxy".upper())
    return next((name for name in names if os.environ.get(name)), "the system's settings")
