"""Pages of the admin for errors."""

from http import HTTPStatus

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.contrib.humanize.templatetags.humanize import intcomma
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from catalogue.transactions import is_conflict
from site_mirror.live.admin_middleware import length_of, most_bytes

WITH_SIDEBAR = "admin/base_site.html"
WITHOUT_SIDEBAR = "unfold/layouts/unauthenticated.html"


def forbidden_page(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "Your account does not have the permission for this page or this change. "
        "Nothing was changed. An administrator can give it to you."
    )
    return refusal_page(request, HTTPStatus.FORBIDDEN, _("Not allowed"), sentence)


def not_found_page(request: HttpRequest) -> HttpResponse:
    sentence = _("There is nothing at this address. The row may have been deleted.")
    return refusal_page(request, HTTPStatus.NOT_FOUND, _("Not found"), sentence)


def form_expired_page(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the 403 for a form with a missing or old CSRF token (`CSRF_FAILURE_VIEW`)."""
    sentence = _(
        "The form was opened before your last log-in, or the browser sent it without its cookie. "
        "Nothing was changed. Go back, copy what you have typed, and load the page again."
    )
    return refusal_page(request, HTTPStatus.FORBIDDEN, _("The form has expired"), sentence)


def unreadable_page(request: HttpRequest, fault: Exception) -> HttpResponse:
    """Return the page for what is beyond a limit, which it names, or is not a form."""
    status, sentence = HTTPStatus.BAD_REQUEST, _("What was sent is not a form of this site.")
    if isinstance(fault, RequestDataTooBig):
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        sentence = _("What was sent has %(found)s; at most %(most)s are allowed here.") % {
            "found": filesizeformat(length_of(request)),
            "most": filesizeformat(most_bytes(request)),
        }
    elif isinstance(fault, TooManyFieldsSent):
        most = intcomma(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS)
        sentence = _("The form has more than %(most)s inputs.") % {"most": most}
    advice = _("Nothing was changed. Go back, and send a part of it first, or a smaller file.")
    return refusal_page(request, status, _("The form cannot be read"), f"{sentence} {advice}")


def failure_page(request: HttpRequest, fault: BaseException | None) -> HttpResponse:
    """Return the page for an error of the database or the program, with what the editor typed.

    It asks the database for nothing, neither for the session nor for messages.
    """
    request.user = AnonymousUser()
    request.__dict__.pop("_messages", None)
    status, title, sentence = failure_texts(fault)
    page = refusal_page(request, status, title, sentence)
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        page["Retry-After"] = "30"
    return page


def failure_texts(fault: BaseException | None) -> tuple[HTTPStatus, str, str]:
    not_saved = _("What you did may not have been saved.")
    if not isinstance(fault, DatabaseError | InterfaceError | SessionInterrupted):
        sentence = _("The fault is in the program, and it is in its log.")
        return HTTPStatus.INTERNAL_SERVER_ERROR, _("An error"), f"{sentence} {not_saved}"
    if is_conflict(fault):
        sentence = _("Somebody else saved something at the same time.")
        return HTTPStatus.CONFLICT, _("Not saved"), f"{sentence} {not_saved}"
    sentence = _("The database does not answer, or it refused the request.")
    return HTTPStatus.SERVICE_UNAVAILABLE, _("Try again in a moment"), f"{sentence} {not_saved}"


def refusal_page(
    request: HttpRequest, status: HTTPStatus, title: str, sentence: str
) -> HttpResponse:
    """Return an error page with what was typed, and with the sidebar for people of the desk."""
    alone = not admin.site.has_permission(request)
    typed = [
        (name, value, any(map(str.isalpha, value)) and value != "on")
        for name, values in request.POST.lists()
        if "password" not in name
        for value in values
    ]
    context = admin.site.each_context(request) | {
        "layout": WITHOUT_SIDEBAR if alone else WITH_SIDEBAR,
        "alone": alone,
        "title": title,
        "sentence": sentence,
        "typed": typed,
        # A form without the permission, or with an old token, would be refused again.
        "may_be_sent": status is not HTTPStatus.FORBIDDEN,
    }
    return render(request, "catalogue/refusal.html", context, status=status)
