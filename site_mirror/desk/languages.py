"""The choice of the language in which the desk speaks to a user."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from catalogue.accounts.languages import LANGUAGE_KEY
from site_mirror.desk.models import Language


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember a language for the user and go back to the page on which it was chosen."""
    user: Any = request.user
    code, page = request.POST.get("language"), request.headers.get("Referer")
    if code in dict(settings.LANGUAGES):
        request.session[LANGUAGE_KEY] = code
        Language.objects.update_or_create(user=user, defaults={"code": code})
    is_own = url_has_allowed_host_and_scheme(page, request.get_host())
    return HttpResponseRedirect(page if page and is_own else "/admin/")
