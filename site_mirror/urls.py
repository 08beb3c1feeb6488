"""URL patterns of the admin, of the site and of unknown addresses."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from api.views import UnknownAddress
from site_mirror.checks import load_admin
from site_mirror.live import errors, routes
from site_mirror.live.views import unknown_address

load_admin()

urlpatterns = [
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", include("catalogue.admin.passwords")),
    path("admin/", admin.site.urls),
    *routes.urlpatterns,
    re_path(r"^api(/|$)", UnknownAddress.as_view(), name="unknown-endpoint"),
    re_path(r"", unknown_address, name="unknown-address"),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.not_found
handler500 = errors.server_error
