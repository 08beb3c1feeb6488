"""The target of a request: path and query as the client sent them."""

from django.http import HttpRequest


def request_target(request: HttpRequest) -> tuple[str, str]:
    """Return path and query with the percent-encoding of the client.

    `manage.py serve` sets `REQUEST_URI`. Other servers may have only the decoded path.
    """
    raw = request.META.get("REQUEST_URI")
    if raw is None:
        return request.path_info, request.META.get("QUERY_STRING", "")
    path, _, query = raw.partition("?")
    return path, query
