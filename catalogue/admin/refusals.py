"""Pages of the admin for errors."""

from http import HTTPStatus

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

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


def refusal_page(
    request: HttpRequest, status: HTTPStatus, title: str, sentence: str
) -> HttpResponse:
    """Return an error page, without the sidebar for a client that is not logged in."""
    alone = not admin.site.has_permission(request)
    context = admin.site.each_context(request) | {
        "layout": WITHOUT_SIDEBAR if alone else WITH_SIDEBAR,
        "alone": alone,
        "title": title,
        "sentence": sentence,
    }
    return render(request, "catalogue/refusal.html", context, status=status)
