"""Setting a forgotten password: by a link that is mailed, or that an administrator hands out."""

from collections.abc import Iterator
from typing import Any

from axes.utils import reset
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from catalogue.admin.base import themed

PAUSE = 300
"""Seconds for which an account gets one message only."""


def password_link(user: User) -> str:
    """The address at which the user can set a password once, within `PASSWORD_RESET_TIMEOUT`."""
    place = {
        "uidb64": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
    }
    return f"{settings.SITE_ROOT}{reverse('password_reset_confirm', kwargs=place)}"


def may_get_mail(user: User) -> bool:
    """Whether the account got no link in the last `PAUSE`; also while the cache does not answer."""
    try:
        return cache.add(f"password-reset-{user.pk}", 1, PAUSE)
    except RedisError:
        return True


class EditorsResetForm(PasswordResetForm):
    """Sends a link to accounts of the admin with this address, each at most every five minutes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        themed(self)

    def get_users(self, email: str) -> Iterator[User]:
        for user in super().get_users(email):
            if user.is_staff and may_get_mail(user):
                yield user


class EditorsSetPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        themed(self)


class InTheAdmin:
    """A view with what the admin's pages show around their content."""

    request: HttpRequest

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**options)  # type: ignore[misc]
        return admin.site.each_context(self.request) | context


class Reset(InTheAdmin, views.PasswordResetView):
    """Asks for the address of the account, or says who hands out links where no mail is sent."""

    title = _("Set a new password")
    form_class = EditorsResetForm
    template_name = "catalogue/password_reset.html"
    email_template_name = "catalogue/password_reset_mail.txt"
    subject_template_name = "catalogue/password_reset_subject.txt"

    @property
    def extra_context(self) -> dict[str, Any]:  # type: ignore[override]
        return {"mail_is_sent": settings.MAIL_IS_SENT}

    @property
    def extra_email_context(self) -> dict[str, str]:  # type: ignore[override]
        """The published origin: the request's `Host` enters no link."""
        return {"site_root": settings.SITE_ROOT, "site_host": settings.SITE_HOST}

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        answer = super().post if settings.MAIL_IS_SENT else super().get
        return answer(request, *args, **options)


class Sent(InTheAdmin, views.PasswordResetDoneView):
    title = _("The link is on its way")
    template_name = "catalogue/password_reset_sent.html"


class SetPassword(InTheAdmin, views.PasswordResetConfirmView):
    """Sets the password of the account that the link names, and ends its lock."""

    title = _("Set a new password")
    form_class = EditorsSetPasswordForm
    template_name = "catalogue/password_set.html"
    success_url = reverse_lazy("password_reset_complete")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        reset(username=form.user.get_username())
        return response


class Done(InTheAdmin, views.PasswordResetCompleteView):
    title = _("The password is set")
    template_name = "catalogue/password_set_done.html"


urlpatterns = [
    path("password-reset/", never_cache(Reset.as_view()), name="admin_password_reset"),
    path("password-reset/sent/", never_cache(Sent.as_view()), name="password_reset_done"),
    path("set-password/done/", never_cache(Done.as_view()), name="password_reset_complete"),
    path(
        "set-password/<uidb64>/<token>/",
        never_cache(SetPassword.as_view()),
        name="password_reset_confirm",
    ),
]
