"""Requests to a server on this machine with the host name of the site."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection

from tests.site.published.release import ROOT

HOST = ROOT.removeprefix("http://")


@dataclass(frozen=True)
class Response:
    status: int
    headers: Message
    body: bytes

    @property
    def type(self) -> str | None:
        return self.headers["Content-Type"]


def send_request(
    port: int, address: str, headers: Mapping[str, str] | None = None, method: str = "GET"
) -> Response:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request(method, address, headers={"Host": HOST, **(headers or {})})
    response = connection.getresponse()
    result = Response(response.status, response.headers, response.read())
    connection.close()
    return result
