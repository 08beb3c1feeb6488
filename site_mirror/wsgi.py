"""The WSGI application of the live origin; it does not start with a wrong setting."""

import logging
import os
import sys

from django.core.checks import ERROR, Tags, run_checks
from django.core.wsgi import get_wsgi_application

from site_mirror.starting import refuse_wrong_settings

os.environ["DJANGO_SETTINGS_MODULE"] = "site_mirror.settings"

log = logging.getLogger(__name__)

refuse_wrong_settings()
application = get_wsgi_application()

if faults := [message for message in run_checks() if message.level >= ERROR]:
    sys.exit("\n".join(str(fault) for fault in faults))

for warning in run_checks(tags=[Tags.staticfiles], include_deployment_checks=True):
    log.warning("%s: %s %s", warning.id, warning.msg, warning.hint)
