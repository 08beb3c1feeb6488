"""Links to set a forgotten password, which are mailed or printed by a command."""

from collections.abc import Iterator
from typing import Any

from axes.utils import reset
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from redis.exceptions import RedisError

from catalogue.accounts.languages import language_of
from catalogue.admin.base import apply_theme

MAIL_INTERVAL_SECONDS = 300
"""The minimum time between two messages to one account."""


def password_link(user: User) -> str:
    """Return a link with which the user sets a password once, within `PASSWORD_RESET_TIMEOUT`."""
    place = {
        "uidb64": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
    }
    return f"{settings.SITE_ROOT}{reverse('password_reset_confirm', kwargs=place)}"


def may_get_mail(user: User) -> bool:
    """Whether the account got no message in `MAIL_INTERVAL_SECONDS`; true if the cache is gone."""
    try:
        return cache.add(f"password-reset-{user.pk}", 1, MAIL_INTERVAL_SECONDS)
    except RedisError:
        return True


class EditorsResetForm(PasswordResetForm):
    """A form that mails a link to staff accounts, at most every `MAIL_INTERVAL_SECONDS`."""

    def get_users(self, email: str) -> Iterator[User]:
        for user in super().get_users(email):
            if user.is_staff and may_get_mail(user):
                yield user

    def send_mail(self, *args: Any, **options: Any) -> None:
        """Send a message in the language of its reader."""
        _subject, _text, context, *_addresses = args
        with override(language_of(context["user"]) or get_language()):
            super().send_mail(*args, **options)


class AdminContextMixin:
    """A view with the context and the inputs of the admin's pages."""

    request: HttpRequest

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**options)  # type: ignore[misc]
        if form := context.get("form"):  # A link that has expired has none.
            apply_theme(form)
        mail = {"mail_is_sent": settings.MAIL_IS_SENT}
        return admin.site.each_context(self.request) | mail | context


class ResetView(AdminContextMixin, views.PasswordResetView):
    """The form for the address of an account, or an explanation if the site sends no mail."""

    title = _("Set a new password")
    form_class = EditorsResetForm
    template_name = "catalogue/password_reset.html"
    email_template_name = "catalogue/password_reset_mail.txt"
    subject_template_name = "catalogue/password_reset_subject.txt"

    @property
    def extra_email_context(self) -> dict[str, str]:  # type: ignore[override]
        """The published origin, because `Host` of a request must not be part of a link."""
        return {"site_root": settings.SITE_ROOT, "site_host": settings.SITE_HOST}

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        respond = super().post if settings.MAIL_IS_SENT else super().get
        return respond(request, *args, **options)


class ResetSentView(AdminContextMixin, views.PasswordResetDoneView):
    title = _("The link is on its way")
    template_name = "catalogue/password_reset_sent.html"


class SetPasswordView(AdminContextMixin, views.PasswordResetConfirmView):
    """A form that sets the password of the link's account and ends the lock of the account."""

    title = _("Set a new password")
    template_name = "catalogue/password_set.html"
    success_url = reverse_lazy("password_reset_complete")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        reset(username=form.user.get_username())
        return response


class PasswordSetView(AdminContextMixin, views.PasswordResetCompleteView):
    title = _("The password is set")
    template_name = "catalogue/password_set_done.html"


urlpatterns = [
    path("password-reset/", ResetView.as_view(), name="admin_password_reset"),
    path("password-reset/sent/", ResetSentView.as_view(), name="password_reset_done"),
    path("set-password/done/", PasswordSetView.as_view(), name="password_reset_complete"),
    path(
        "set-password/<uidb64>/<token>/", SetPasswordView.as_view(), name="password_reset_confirm"
    ),
]
