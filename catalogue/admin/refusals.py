"""Refusals inside the admin, as pages of the admin."""

from http import HTTPStatus

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

WITH_SIDEBAR = "admin/base_site.html"
ALONE = "unfold/layouts/unauthenticated.html"


def forbidden(request: HttpRequest) -> HttpResponse:
    """The 403 of an editor who lacks a permission."""
    return refused(request, "catalogue/forbidden.html")


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 of a form whose token is missing or out of date (`CSRF_FAILURE_VIEW`)."""
    return refused(request, "catalogue/form_expired.html")


def refused(request: HttpRequest, template: str) -> HttpResponse:
    layout = WITH_SIDEBAR if admin.site.has_permission(request) else ALONE
    context = admin.site.each_context(request) | {"layout": layout}
    return render(request, template, context, status=HTTPStatus.FORBIDDEN)
