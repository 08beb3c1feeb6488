"""Bring the forms of the catalogue to the desk."""

from importlib import import_module

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from catalogue.models import Publishable
from site_mirror.desk.lists import DraftListAdmin
from site_mirror.desk.recorded import RecordedAdmin
from site_mirror.desk.review import ReviewedAdmin
from site_mirror.desk.search import SearchedAdmin
from site_mirror.desk.state_actions import StateActions


class PublishableDeskAdmin(ReviewedAdmin, StateActions):
    """A form of rows with a state."""


def bring_to_the_desk() -> None:
    """Register each form of the catalogue again, as one of the desk."""
    import_module("catalogue.admin")  # It registers the forms.
    for model, plain in [*admin.site._registry.items()]:
        if model._meta.app_label == "catalogue":
            desk = PublishableDeskAdmin if issubclass(model, Publishable) else ReviewedAdmin
            admin.site.unregister(model)
            bases = (RecordedAdmin, desk, SearchedAdmin, DraftListAdmin, type(plain))
            admin.site.register(model, type(type(plain).__name__, bases, {}))


bring_to_the_desk()
# Their forms show secret keys; people use the page of the second step.
admin.site.unregister([TOTPDevice, StaticDevice])
