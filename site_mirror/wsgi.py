"""The WSGI application of the live origin; it does not start with a wrong setting."""

import logging
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.checks import ERROR, Tags, run_checks
from django.core.wsgi import get_wsgi_application

from site_mirror.starting import refuse_wrong_settings

os.environ["DJANGO_SETTINGS_MODULE"] = "site_mirror.settings"

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from site_mirror.live.response_cache import ResponseCache

MAX_CONTENT_TYPE_CHARACTERS = 256

log = logging.getLogger(__name__)

refuse_wrong_settings()
django = get_wsgi_application()


def limit_content_type(
    environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Call Django without a long `Content-Type`, whose parameters it reads in quadratic time."""
    if len(environ.get("CONTENT_TYPE", "")) > MAX_CONTENT_TYPE_CHARACTERS:
        del environ["CONTENT_TYPE"]
    return django(environ, start_response)


def build_application() -> tuple["WSGIApplication", "ResponseCache | None"]:
    """Return the log of requests, around the cache of responses, around Django; and the cache."""
    from api.throttling import allows_request  # noqa: PLC0415  (needs Django's start)
    from site_mirror.live.content_state import read_state  # noqa: PLC0415
    from site_mirror.live.logs import AccessLog, RequestId  # noqa: PLC0415
    from site_mirror.live.response_cache import ResponseCache  # noqa: PLC0415

    cache = None
    # Without a log, a kept response needs no id.
    inner: WSGIApplication = limit_content_type
    if not settings.ACCESS_LOG:
        inner = RequestId(inner)
    if settings.RESPONSE_CACHE_BYTES:
        admit = allows_request if settings.RATE_LIMIT else None
        cache = inner = ResponseCache(inner, read_state, admit, settings.RESPONSE_CACHE_BYTES)
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from site_mirror.live.metrics import Metrics  # noqa: PLC0415  (writes to that folder)

        inner = Metrics(inner)
    return AccessLog(inner) if settings.ACCESS_LOG else inner, cache


application, response_cache = build_application()

if faults := [message for message in run_checks() if message.level >= ERROR]:
    sys.exit("\n".join(str(fault) for fault in faults))

for warning in run_checks(tags=[Tags.staticfiles], include_deployment_checks=True):
    log.warning("%s: %s %s", warning.id, warning.msg, warning.hint)
