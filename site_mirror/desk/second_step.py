"""The second step of a log-in: a code of an app (TOTP, RFC 6238), or a recovery code.

Who has an app must give a code after the password. With the setting `REQUIRE_SECOND_STEP`, people
who may publish can do nothing before they have one.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import segno
from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_credentials, get_lockout_response
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django_otp import login, verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from site_mirror.desk.roles import MAY_PUBLISH

CODE = "otp_token"
DIGITS = 6
RECOVERY_CODES = 10
WRONG = "The code is wrong, was used before, or came too soon after a wrong one: try the next one."

View = Callable[..., Any]


def find_app(user: Any, *, confirmed: bool = True) -> Any:
    """Return the app of a user, or the one that is being set up: no code of it was right yet."""
    return TOTPDevice.objects.filter(user=user, confirmed=confirmed).first()


def count_recovery_codes(user: Any) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def has_app(request: HttpRequest) -> bool:
    """Whether the user has an app for codes; the database is asked once for a request."""
    if not hasattr(request, "desk_has_app"):
        request.desk_has_app = find_app(request.user) is not None  # type: ignore[attr-defined]
    return bool(request.desk_has_app)  # type: ignore[attr-defined]


def needs_code(request: HttpRequest) -> bool:
    """Whether the user has given only the password yet."""
    return getattr(request.user, "otp_device", None) is None and has_app(request)


def is_required(user: Any) -> bool:
    return bool(settings.REQUIRE_SECOND_STEP and user.has_perm(MAY_PUBLISH))


def only_after_enrolment(view: View) -> View:
    """Wrap a view of the admin so that people who need an app are led to its page."""

    @wraps(view)
    def lead(request: HttpRequest, *args: Any, **parameters: Any) -> Any:
        page = reverse("admin:second_step")
        allowed = (page, reverse("admin:logout"), reverse("admin:jsi18n"))
        if request.path not in allowed and is_required(request.user) and not has_app(request):
            return HttpResponseRedirect(page)
        return view(request, *args, **parameters)

    return lead


def accept_code(request: HttpRequest, *, confirmed: bool = True) -> bool:
    """Verify the posted code with the one device that gives such codes, and confirm a new app.

    A wrong code counts as a failed log-in, so it may lock the name for the network.
    """
    code = "".join(filter(str.isalnum, request.POST.get(CODE, ""))).lower()
    is_of_app = not confirmed or (code.isdecimal() and len(code) == DIGITS)
    kind: Any = TOTPDevice if is_of_app else StaticDevice
    device = kind.objects.filter(user=request.user, confirmed=confirmed).first()
    verified: Any = device and verify_token(request.user, device.persistent_id, code)
    if not verified:
        credentials = get_credentials(request.user.get_username())
        user_login_failed.send(__name__, credentials=credentials, request=request)
        return False
    verified.confirmed = request.desk_has_app = True  # type: ignore[attr-defined]
    verified.save(update_fields=["confirmed"])
    login(request, verified)
    request.session.cycle_key()
    # The count of failures begins again only now.
    AxesProxyHandler.user_logged_in(__name__, request, request.user, has_given_code=True)
    return True


def find_lock(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a user whose name is locked, if it is."""
    credentials = get_credentials(request.user.get_username())
    if AxesProxyHandler.is_allowed(request, credentials):
        return None
    return cast("HttpResponse", get_lockout_response(request, credentials=credentials))


def ask_for_code(context: dict[str, Any], request: HttpRequest) -> HttpResponse:
    """Ask for a code after the password."""
    if locked := find_lock(request):
        return locked
    fault = ""
    if request.method == "POST":
        if accept_code(request):
            if isinstance(request.user.otp_device, StaticDevice):  # type: ignore[union-attr]
                left = count_recovery_codes(request.user)
                messages.warning(request, f"Recovery codes left: {left}.")
            return HttpResponseRedirect(next_page(request))
        fault = WRONG
    return render(request, "desk/code.html", context | {"title": "Log in", "fault": fault})


def next_page(request: HttpRequest) -> str:
    asked = request.POST.get("next", request.GET.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(asked, request.get_host(), request.is_secure())
    return asked if is_ours else reverse("admin:index")


def second_step_page(context: dict[str, Any], request: HttpRequest) -> HttpResponse:
    """Set the second step up, make new recovery codes, or remove it; each needs a code."""
    app = find_app(request.user)
    codes: list[str] = []
    fault = ""
    if request.method == "POST":
        if locked := find_lock(request):
            return locked
        if not accept_code(request, confirmed=app is not None):
            fault = WRONG
        elif "_remove" in request.POST and not is_required(request.user):
            remove_second_step(request.user)
            messages.success(request, "You log in with the password alone now.")
            return HttpResponseRedirect(reverse("admin:index"))
        else:
            codes = make_recovery_codes(request.user)
            app = find_app(request.user)
    if app is None:
        context |= key_for_app(request)
    context |= {
        "title": "Second step of log-in",
        "app": app,
        "codes": codes,
        "left": count_recovery_codes(request.user),
        "is_required": is_required(request.user),
        "fault": fault,
    }
    return render(request, "desk/second_step.html", context)


def key_for_app(request: HttpRequest) -> dict[str, Any]:
    app = find_app(request.user, confirmed=False) or TOTPDevice.objects.create(
        user=request.user, confirmed=False, name="App"
    )
    uri = app.config_url
    key = uri.partition("secret=")[2].partition("&")[0]
    return {"uri": uri, "key": key, "picture": segno.make(uri, micro=False).svg_data_uri(scale=4)}


@transaction.atomic
def make_recovery_codes(user: Any) -> list[str]:
    """Replace the recovery codes of a user."""
    device, _ = StaticDevice.objects.get_or_create(user=user, defaults={"name": "Recovery codes"})
    device.token_set.all().delete()
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def remove_second_step(user: Any) -> bool:
    """Remove app and recovery codes of a user; return whether there was an app."""
    had_app = find_app(user) is not None
    StaticDevice.objects.filter(user=user).delete()
    TOTPDevice.objects.filter(user=user).delete()
    return had_app
