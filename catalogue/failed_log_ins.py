"""Log messages about failed log-ins, with the user name and without the client's address."""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

logger = logging.getLogger(__name__)


def log_failure(
    sender: Any, credentials: Mapping[str, Any], request: HttpRequest | None = None, **options: Any
) -> None:
    """Log a failed log-in (a receiver of `user_login_failed`).

    It is connected after the receiver of django-axes, which counts the failures of a user from one
    network and stores the number on the request. An attempt during a lock is not counted.
    """
    name, failures = (
        credentials.get("username"),
        getattr(request, "axes_failures_since_start", None),
    )
    if failures is None:
        logger.warning("Log-in of user %r refused: too many failures before.", name)
    else:
        limit = settings.AXES_FAILURE_LIMIT
        logger.warning("Log-in of user %r failed: failure %d of %d.", name, failures, limit)
