"""Requests to the live origin in this process."""

import hashlib
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote_to_bytes

from django.http import HttpResponse
from django.test import Client

from api.throttling import BudgetThrottle
from site_mirror.hosts.http_client import HostRequest, HostResponse, HttpClient
from tests.api.wsgi_client import Answer, call_application

ENCODINGS = {"identity": "", "gzip": "gzip", "br": "br"}
ORIGIN = Client(raise_request_exception=False)


def ask(address: str, method: str = "GET", encoding: str = "", **environ: Any) -> HttpResponse:
    """Send a request as over TLS, from an address of its own: no budget of requests is spent."""
    accept = {"HTTP_ACCEPT_ENCODING": ENCODINGS[encoding]} if ENCODINGS.get(encoding) else {}
    client = client_of(f"{method}{encoding}{address}")
    request = {"secure": True, "REMOTE_ADDR": client} | accept | environ
    return ORIGIN.generic(method, address, **request)


def send_target(target: bytes, method: str = "GET", **environ: Any) -> Answer:
    """Send a request by the bytes of its target, as the server passes them to the application."""
    path, _, query = target.partition(b"?")
    raw = {"PATH_INFO": unquote_to_bytes(path).decode("latin-1")}
    return call_application(method, "", QUERY_STRING=query.decode("latin-1"), **raw, **environ)


class OriginInProcess(HttpClient):
    """The live origin, in this thread and in the transaction of the test."""

    def __init__(self) -> None:
        super().__init__("https://studio.example")

    def ask_once(self, request: HostRequest) -> HostResponse:
        named = {"Host": self.host, **request.headers}
        headers = {f"HTTP_{name.upper().replace('-', '_')}": named[name] for name in named}
        secure = {"wsgi.url_scheme": "https", "REMOTE_ADDR": client_of(str(request))}
        answer = send_target(request.address.encode(), request.method, **headers, **secure)
        return HostResponse(answer.status, answer.headers, answer.body)


def client_of(request: str) -> str:
    """Return the address from which a request comes."""
    number = int(hashlib.sha256(request.encode()).hexdigest()[:6], 16)
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def ask_over_budget(address: str, **environ: Any) -> HttpResponse:
    """Send a request after as many by the same client as the API answers in a minute."""
    with patch.object(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"}):
        ask(address)
        return ask(address, **environ)
