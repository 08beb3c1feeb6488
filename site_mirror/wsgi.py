"""The WSGI application of the live origin; it does not start with a wrong setting."""

import logging
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.checks import ERROR, Tags, run_checks
from django.core.wsgi import get_wsgi_application

from site_mirror.starting import refuse_wrong_settings

os.environ["DJANGO_SETTINGS_MODULE"] = "site_mirror.settings"

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MAX_CONTENT_TYPE_CHARACTERS = 256

log = logging.getLogger(__name__)

refuse_wrong_settings()
django = get_wsgi_application()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """Call Django without a long `Content-Type`, whose parameters it reads in quadratic time."""
    if len(environ.get("CONTENT_TYPE", "")) > MAX_CONTENT_TYPE_CHARACTERS:
        del environ["CONTENT_TYPE"]
    return django(environ, start_response)


if faults := [message for message in run_checks() if message.level >= ERROR]:
    sys.exit("\n".join(str(fault) for fault in faults))

for warning in run_checks(tags=[Tags.staticfiles], include_deployment_checks=True):
    log.warning("%s: %s %s", warning.id, warning.msg, warning.hint)
