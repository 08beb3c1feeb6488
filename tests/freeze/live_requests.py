"""Requests to the live origin, and a comparison of live and frozen headers."""

import hashlib
from typing import Any

from django.http import HttpResponse
from django.test import Client

ENCODINGS = {"identity": "", "gzip": "gzip", "br": "br"}
ORIGIN = Client(raise_request_exception=False)
Headers = dict[str, str]


def ask(address: str, method: str = "GET", encoding: str = "", **environ: Any) -> HttpResponse:
    """Send a request as over TLS, from an address of its own: no budget of requests is spent."""
    number = int(hashlib.sha256(f"{method}{encoding}{address}".encode()).hexdigest()[:6], 16)
    client = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    accept = {"HTTP_ACCEPT_ENCODING": ENCODINGS[encoding]} if ENCODINGS.get(encoding) else {}
    request = {"secure": True, "REMOTE_ADDR": client} | accept | environ
    return ORIGIN.generic(method, address, **request)


def compare_headers(live: Headers, frozen: Headers) -> dict[str, tuple[str | None, str | None]]:
    """Return the live and the frozen value of each header that differs."""
    return {
        name: (live.get(name), frozen.get(name))
        for name in sorted(live.keys() | frozen.keys())
        if live.get(name) != frozen.get(name)
    }
