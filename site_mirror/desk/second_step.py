"""The second step of a log-in: a code of an app (TOTP, RFC 6238), or a recovery code.

A person with an app must give a code after the password. With the setting
`REQUIRE_SECOND_STEP`, people who may publish can do nothing before they have one.
"""

from base64 import b32encode
from functools import wraps
from typing import Any, cast

import segno
from axes.decorators import axes_dispatch
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import BACKEND_SESSION_KEY, login
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.views import LoginView

from catalogue.transactions import View
from site_mirror.desk.roles import MAY_PUBLISH

DIGITS = 6
RECOVERY_CODES = 10
WRONG = gettext_lazy(
    "The code is wrong, was used before, or came too soon after a wrong one: try the next one."
)


def find_app(user: Any, **conditions: Any) -> Any:
    """Return the app of a user, or the one that is being set up: no code of it was right yet."""
    found = TOTPDevice.objects.filter(user=user, **conditions)
    return found.order_by("-confirmed", "pk").first()


def count_recovery_codes(user: Any) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def has_app(request: HttpRequest) -> bool:
    """Whether the user has an app for codes; the database is asked once for a request."""
    if not hasattr(request, "desk_has_app"):
        request.desk_has_app = find_app(request.user, confirmed=True) is not None  # type: ignore[attr-defined]
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
        allowed = (page, *map(reverse, ("admin:logout", "admin:language", "admin:jsi18n")))
        if request.path not in allowed and is_required(request.user) and not has_app(request):
            return HttpResponseRedirect(page)
        return view(request, *args, **parameters)

    return lead


class CodeForm(forms.Form):
    """A form that asks for a code of the app of a user, or for a recovery code.

    A wrong code counts as a failed log-in, so it may lock the name for the network.
    """

    otp_token = forms.CharField()

    def __init__(self, user: Any, request: HttpRequest, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user, self.request = user, request

    def clean_otp_token(self) -> None:
        """Verify the code with the one device that gives such codes, and confirm a new app."""
        code = "".join(filter(str.isalnum, self.cleaned_data["otp_token"])).lower()
        is_of_app = code.isdecimal() and len(code) == DIGITS
        recovery = StaticDevice.objects.filter(user=self.user).first()
        device = find_app(self.user) if is_of_app else recovery
        verified = device and verify_token(self.user, device.persistent_id, code)
        if not verified:
            credentials = {"username": self.user.get_username()}
            user_login_failed.send(__name__, credentials=credentials, request=self.request)
            raise ValidationError(WRONG)
        verified.confirmed = True
        verified.save(update_fields=["confirmed"])
        self.user.otp_device = verified  # The log-in that follows keeps it in the session.

    def get_user(self) -> Any:
        return self.user


class LogInByCode(LoginView):  # type: ignore[misc]
    """The page that asks for a code after the password."""

    otp_token_form = CodeForm
    template_name = "desk/code.html"

    def form_valid(self, form: CodeForm) -> HttpResponse:
        if isinstance(form.user.otp_device, StaticDevice):
            left = _("Recovery codes left: %(left)s.") % {"left": count_recovery_codes(form.user)}
            messages.warning(self.request, left)
        return cast("HttpResponse", super().form_valid(form))


@axes_dispatch  # type: ignore[untyped-decorator]
def second_step_page(request: HttpRequest) -> HttpResponse:
    """Set the second step up, make new recovery codes, or remove it; each needs a code."""
    user: Any = request.user
    app = find_app(user) or TOTPDevice.objects.create(user=user, confirmed=False, name="App")
    codes: list[str] = []
    form = CodeForm(user, request, request.POST or None)
    if form.is_valid():
        if "_remove" in request.POST and not is_required(user):
            remove_second_step(user)
            messages.success(request, _("You log in with the password alone now."))
            return HttpResponseRedirect(reverse("admin:index"))
        login(request, user, request.session[BACKEND_SESSION_KEY])
        codes, app = make_recovery_codes(user), find_app(user)
    context = {
        **admin.site.each_context(request),
        "title": _("Second step of log-in"),
        "app": app,
        "key": b32encode(app.bin_key).decode(),
        "picture": segno.make(app.config_url, micro=False).svg_data_uri(scale=4),
        "codes": codes,
        "left": count_recovery_codes(user),
        "is_required": is_required(user),
        "form": form,
    }
    return render(request, "desk/second_step.html", context)


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
    StaticDevice.objects.filter(user=user).delete()
    apps, _ = TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    return bool(apps)
