"""The transactions of the admin: one order of locks, and one retry after a conflict."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase

from catalogue.models import Revision

View = Callable[..., HttpResponseBase]

CONFLICTS = ("40001", "40P01")
"""PostgreSQL's `serialization_failure` and `deadlock_detected`."""


def lock_content() -> None:
    """Let the other writers of content wait until the end of the transaction.

    Every write of content writes the row of the content revision at last. Two transactions that
    lock it at first do not wait for each other's rows. SQLite has one writer anyway.
    """
    Revision.objects.select_for_update().first()


def in_one_transaction(view: View) -> View:
    """Wrap a view so that all that a form writes is one transaction, which is tried twice."""

    def write(request: HttpRequest, *args: Any, **parameters: Any) -> HttpResponseBase:
        with transaction.atomic():
            lock_content()
            return view(request, *args, **parameters)

    @wraps(view)
    def run(request: HttpRequest, *args: Any, **parameters: Any) -> HttpResponseBase:
        if request.method != "POST":
            return view(request, *args, **parameters)
        try:
            return write(request, *args, **parameters)
        except DatabaseError as fault:
            if not is_deadlock(fault):
                raise
        # Commands do not lock in this order.
        return write(request, *args, **parameters)

    return run


def is_deadlock(fault: BaseException | None) -> bool:
    return getattr(getattr(fault, "__cause__", None), "sqlstate", None) in CONFLICTS


def is_conflict(fault: BaseException | None) -> bool:
    """Whether an error of the database is due to another write, such as that of an equal slug."""
    return is_deadlock(fault) or isinstance(fault, IntegrityError)
