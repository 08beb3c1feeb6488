"""Images at the desk: their list, the form with a file, and where each is used.

An image is public only with a text that shows it, so whoever writes texts may upload images.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct

from catalogue import addresses
from catalogue.admin.base import CatalogueAdmin, localized_columns
from catalogue.admin.lists import RowList
from catalogue.admin.workflow import state_cell
from catalogue.models import Format, Image, Page, Post, State
from catalogue.pictures import write_anew
from catalogue.questions import TEXTS
from catalogue.transactions import lock_content
from site_mirror.desk.faults import form_address
from site_mirror.desk.models import Draft
from site_mirror.desk.readers import is_public
from site_mirror.desk.search import SearchedAdmin
from site_mirror.documents.headers import IMAGE_SECURITY_POLICY, MEDIA_TYPES

CHOICES = 24
"""Images among which a form lets choose, the newest or those that are searched."""


class Use(Struct, frozen=True):
    """A text or a draft that names an image, with its form."""

    title: str
    form: str
    is_public: bool


def uses_of(images: Collection[Image]) -> Mapping[str, list[Use]]:
    """Return the texts, in any state, and the drafts that name each image, by its name."""
    found: dict[str, list[Use]] = {image.slug: [] for image in images}
    for texts, use in find_uses():
        for name in addresses.names_of_images("\n".join(texts)) & found.keys():
            found[name].append(use)
    return found


def find_uses() -> Iterator[tuple[Iterable[str], Use]]:
    """Yield the texts of rows that name an image, and those of drafts, each with its use."""
    part = addresses.IMAGES
    rows: Iterable[Any]
    for rows in (Page.objects.all(), Post.objects.all()):
        for row in rows.filter(Q(body_en__contains=part) | Q(body_vi__contains=part)):
            yield attrgetter(*TEXTS)(row), Use(str(row), form_address(row), is_public(row))
    for draft in Draft.objects.filter(is_open=True):
        use = Use(_("the draft “%s”") % draft, draft.form, is_public=False)
        yield chain.from_iterable(draft.data.values()), use


class UploadForm(forms.ModelForm[Image]):
    """The form of a new image; its file is decoded when the form is validated."""

    upload = forms.FileField(
        label=gettext_lazy("File"),
        widget=forms.FileInput({"class": "desk-input"}),
        help_text=gettext_lazy("PNG, JPEG, WebP, AVIF or GIF without motion, at most 20 MB."),
    )

    class Meta:
        model = Image
        fields = ("slug", "alt_en", "alt_vi")

    def clean_upload(self) -> None:
        upload = self.cleaned_data["upload"]
        self.instance.format = Format.WEBP
        self.instance.set_picture(*write_anew(upload, upload.size))


class ImageList(RowList):
    """A page of the list, whose images know where they are used."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        uses = uses_of(self.result_list)
        for image in self.result_list:
            image.uses = uses[image.slug]


class ImageAdmin(SearchedAdmin, CatalogueAdmin):
    """The list of images, and the form of one, whose file never changes."""

    form = UploadForm
    delete_confirmation_template = "desk/deletion.html"
    delete_selected_confirmation_template = "desk/deletion.html"
    list_display = ("icon", "title", "stage", "used_in")
    list_display_links = ("title",)
    search_fields = ("slug", *localized_columns("alt"))
    readonly_fields = ("icon", "address", "used_in")
    prepopulated_fields: ClassVar[dict[str, Sequence[str]]] = {"slug": ("alt_en",)}
    warn_unsaved_form = True

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[RowList]:
        return ImageList

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        """Leave out the files, which are large."""
        return cast("models.QuerySet[Any]", super().get_queryset(request).defer("file", "small"))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        texts = localized_columns("alt")
        if obj is None:
            return [(None, {"fields": ["upload", *texts, "slug"]})]
        return [(None, {"fields": ["icon", *texts, "address", "used_in"]})]

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> type[Any]:
        options["form"] = forms.ModelForm if obj else UploadForm
        return cast("type[Any]", super().get_form(request, obj, change, **options))

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("choices/", wrap(self.choices_view), name="catalogue_image_choices"),
            path("files/<slug:slug>/", wrap(self.file_view), name="catalogue_image_file"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the form of a new image, or save it; a script is answered in JSON.

        The file is decoded before the transaction, for which everybody else who saves waits.
        """
        is_script = request.headers.get("Accept") == "application/json"
        if request.method == "POST" and self.has_add_permission(request):
            form = UploadForm(request.POST, request.FILES)
            if form.is_valid():
                with transaction.atomic():
                    lock_content()
                    image = form.save()
                    self.log_addition(request, image, [{"added": {}}])
                if is_script:
                    return JsonResponse(describe_image(image), status=HTTPStatus.CREATED)
                self.message_user(request, _("The image is here. No text shows it yet."))
                return HttpResponseRedirect(form_address(image))
            if is_script:
                faults = [
                    f"{form.fields[name].label}: {text}"
                    for name, texts in form.errors.items()
                    for text in texts
                ]
                return JsonResponse({"faults": faults}, status=HTTPStatus.BAD_REQUEST)
        return cast("HttpResponse", super().add_view(request, form_url, extra_context))

    add_view.opens_transaction = True  # type: ignore[attr-defined]

    def choices_view(self, request: HttpRequest) -> HttpResponse:
        """Return the newest images, or those that are searched, for a form of a text."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = self.get_queryset(request).order_by("-pk")
        if typed := request.GET.get("q", ""):
            found, _is_distinct = self.get_search_results(request, found, typed)
        return JsonResponse({"found": [describe_image(image) for image in found[:CHOICES]]})

    def file_view(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Return the narrower file of an image, which readers may not see yet."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        image = get_object_or_404(Image, slug=slug)
        response = HttpResponse(
            bytes(image.small or image.file), content_type=MEDIA_TYPES[f".{image.format}"]
        )
        response["Content-Security-Policy"] = IMAGE_SECURITY_POLICY
        return response

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Refuse the deletion of an image that a text or a draft shows, and name these."""
        deleted, counts, forbidden, kept = super().get_deleted_objects(objs, request)
        for slug, uses in uses_of(list(objs)).items():
            sentence = _("“{title}” shows the image “{image}”.")
            kept += [sentence.format(title=use.title, image=slug) for use in uses]
        return deleted, counts, forbidden, kept

    @admin.display(description=gettext_lazy("Name"), ordering="slug")
    def title(self, obj: Image) -> str:
        return format_html("{} <span>{}</span>", obj.slug, Truncator(obj.alt_en).chars(70))

    @admin.display(description=gettext_lazy("Image"))
    def icon(self, obj: Image) -> str:
        return format_html('<img src="{}" alt="" loading="lazy">', file_address(obj))

    @admin.display(description=gettext_lazy("Address"))
    def address(self, obj: Image) -> str:
        words = f"{obj.address} ({obj.width} × {obj.height})"
        place = reverse("admin:content_file", args=["image", obj.slug])
        return format_html('{} · <a href="{}">{}</a>', words, place, _("Download as a file"))

    @admin.display(description=gettext_lazy("Used in"))
    def used_in(self, obj: Image) -> str:
        uses = [(use.form, use.title) for use in uses_of_image(obj)]
        return format_html_join(", ", '<a href="{}">{}</a>', uses) or _("No text shows it.")

    @admin.display(description=gettext_lazy("State"))
    def stage(self, obj: Image) -> str:
        is_shown = any(use.is_public for use in uses_of_image(obj))
        return state_cell(State.PUBLISHED if is_shown else State.DRAFT)


def uses_of_image(image: Any) -> list[Use]:
    known: list[Use] | None = getattr(image, "uses", None)
    return uses_of([image])[image.slug] if known is None else known


def file_address(image: Image) -> str:
    return reverse("admin:catalogue_image_file", args=[image.slug])


def describe_image(image: Image) -> dict[str, str]:
    """Return what a script needs to show an image, and to write it into a text."""
    return {
        "name": image.slug,
        "address": image.address,
        "file": file_address(image),
        "en": image.alt_en,
        "vi": image.alt_vi,
    }
