"""Refusals inside the admin, as pages of the admin."""

from http import HTTPStatus

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

WITH_SIDEBAR = "admin/base_site.html"
ALONE = "unfold/layouts/unauthenticated.html"


def forbidden(request: HttpRequest) -> HttpResponse:
    """The 403 of an editor who lacks a permission."""
    return refused(request, "catalogue/forbidden.html", _("Not allowed"))


def not_found(request: HttpRequest) -> HttpResponse:
    """The 404 of an address of the admin at which there is nothing."""
    return refused(request, "catalogue/not_found.html", _("Not found"), HTTPStatus.NOT_FOUND)


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 of a form whose token is missing or out of date (`CSRF_FAILURE_VIEW`)."""
    return refused(request, "catalogue/form_expired.html", _("The form has expired"))


def refused(
    request: HttpRequest, template: str, title: str, status: HTTPStatus = HTTPStatus.FORBIDDEN
) -> HttpResponse:
    """The page with the sidebar, or alone for one who is not logged in."""
    alone = not admin.site.has_permission(request)
    context = admin.site.each_context(request) | {
        "layout": ALONE if alone else WITH_SIDEBAR,
        "alone": alone,
        "title": title,
    }
    return render(request, template, context, status=status)
