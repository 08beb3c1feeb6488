"""URL patterns: the admin's, the site's, and what answers everywhere else."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from api.viewsets import UnknownAddress
from site_mirror import refusals, routes
from site_mirror.views import unknown_address

admin.autodiscover()

urlpatterns = [
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", include("catalogue.admin.passwords")),
    path("admin/", admin.site.urls),
    *routes.urlpatterns,
    re_path(r"^api(/|$)", UnknownAddress.as_view(), name="unknown-endpoint"),
    re_path(r"", unknown_address, name="unknown-address"),
]

handler400 = refusals.bad_request
handler403 = refusals.forbidden
handler404 = refusals.not_found
handler500 = refusals.server_error
