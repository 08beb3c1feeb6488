"""Requests by the bytes of their target, as the server passes them to the application."""

from urllib.parse import unquote_to_bytes

from tests.api.wsgi_client import Answer, call_application


def send_target(target: bytes, method: str = "GET", **environ: str) -> Answer:
    """Return the response of the origin, in this thread and in the transaction of the test."""
    path, _, query = target.partition(b"?")
    raw = {"PATH_INFO": unquote_to_bytes(path).decode("latin-1")}
    return call_application(method, "", QUERY_STRING=query.decode("latin-1"), **raw, **environ)
