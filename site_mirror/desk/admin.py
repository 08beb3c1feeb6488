"""Bring the forms of the catalogue to the desk: each is registered again, as one of the desk."""

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

import catalogue.admin  # noqa: F401 (it registers the forms)
from catalogue.models import Image
from site_mirror.desk.images import ImageAdmin
from site_mirror.desk.lists import AlwaysPublic, DraftListAdmin
from site_mirror.desk.recorded import RecordedAdmin
from site_mirror.desk.search import SearchedAdmin

DESK = (RecordedAdmin, SearchedAdmin, DraftListAdmin)

for model, plain in [*admin.site._registry.items()]:
    if model._meta.app_label == "catalogue":
        admin.site.unregister(model)
        bases = (*DESK, type(plain), AlwaysPublic)
        admin.site.register(model, type(type(plain).__name__, bases, {}))

admin.site.register(Image, ImageAdmin)
# Their forms show secret keys; people use the page of the second step.
admin.site.unregister([TOTPDevice, StaticDevice])
