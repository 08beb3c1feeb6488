"""The path and the query of a request, as the client sent them."""

from django.http import HttpRequest


def target(request: HttpRequest) -> tuple[str, str]:
    """Path and query, with the percent-encoding of the client.

    `manage.py serve` has the request target in `REQUEST_URI`. A server without it has the decoded
    path alone.
    """
    raw = request.META.get("REQUEST_URI")
    if raw is None:
        return request.path_info, request.META.get("QUERY_STRING", "")
    path, _, query = raw.partition("?")
    return path, query
