"""Images at the desk: their list, the form with a file, and where each is used.

An image is public only with a text that shows it, so writers of texts may upload images.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct

from catalogue import addresses
from catalogue.admin.base import localized_columns
from catalogue.admin.lists import RowList
from catalogue.admin.workflow import state_cell
from catalogue.content.reading import load
from catalogue.models import Format, Image, Page, Post, State
from catalogue.pictures import write_anew
from catalogue.questions import TEXTS
from catalogue.transactions import lock_content
from site_mirror.desk import history
from site_mirror.desk.checked import CheckedAdmin
from site_mirror.desk.drafted import DraftedAdmin
from site_mirror.desk.faults import form_address
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.readers import is_public
from site_mirror.desk.recorded import RecordedAdmin
from site_mirror.desk.search import SearchedAdmin
from site_mirror.documents.headers import IMAGE_SECURITY_POLICY, MEDIA_TYPES

ACCEPTED = "image/png,image/jpeg,image/webp,image/avif,image/gif"
"""The formats of uploads, into which a phone converts photographs in another."""


class Use(Struct, frozen=True):
    """A text or a draft that names an image, with its form."""

    title: str
    form: str
    is_public: bool


def attach_uses(images: Collection[Any]) -> None:
    """Give each image the texts, in any state, and the drafts that name it as its `uses`."""
    found: dict[str, list[Use]] = {image.slug: [] for image in images}
    for texts, use in find_uses():
        for name in addresses.names_of_images("\n".join(texts)) & found.keys():
            found[name].append(use)
    for image in images:
        image.uses = found[image.slug]


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
        widget=forms.FileInput({"class": "desk-input", "accept": ACCEPTED}),
        help_text=gettext_lazy(
            "PNG, JPEG, WebP, AVIF or GIF without motion, at most 20 MB and 60 million pixels."
        ),
    )

    field_order = ("upload",)

    class Meta:
        model = Image
        fields = ("alt_en", "alt_vi", "slug")
        widgets = {
            "alt_en": forms.TextInput({"class": "desk-input", "lang": "en"}),
            "alt_vi": forms.TextInput({"class": "desk-input", "lang": "vi"}),
            "slug": forms.TextInput({"class": "desk-input"}),
        }

    def clean_upload(self) -> None:
        upload, image = self.cleaned_data["upload"], self.instance
        image.file, image.small = write_anew(upload, upload.size)
        image.format = Format.WEBP
        image.measure()


class ImageList(RowList):
    """A page of the list, whose images know where they are used."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        attach_uses(self.result_list)


class ImageAdmin(SearchedAdmin, RecordedAdmin):
    """The list of images, and the form of one, whose file never changes.

    A text shows an image, so it has no preview of its own; nor has an upload a draft.
    """

    form = UploadForm
    routes = ("check", "draft")
    fieldsets = [(None, {"fields": ["icon", *localized_columns("alt"), "address", "used_in"]})]
    list_display = ("icon", "title", "stage", "used_in")
    list_display_links = ("title",)
    ordering = ("-pk",)
    search_fields = ("slug", *localized_columns("alt"))
    readonly_fields = ("icon", "address", "used_in")
    prepopulated_fields: ClassVar[dict[str, Sequence[str]]] = {"slug": ("alt_en",)}

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[RowList]:
        return ImageList

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        """Leave out the files, which are large."""
        return cast("models.QuerySet[Any]", super().get_queryset(request).defer("file", "small"))

    def first_results(self, request: HttpRequest, typed: str) -> list[Any]:
        images = super().first_results(request, typed)
        if images:
            attach_uses(images)
        return images

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        if obj is None:
            return [(None, {"fields": ["upload", *localized_columns("alt"), "slug"]})]
        return list(super().get_fieldsets(request, obj))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: Any = None, **options: Any
    ) -> type[Any]:
        options["form"] = forms.ModelForm if obj else UploadForm
        return cast("type[Any]", super().get_form(request, obj, change, **options))

    def get_urls(self) -> list[URLPattern]:
        files = self.admin_site.admin_view(self.file_view)
        place = path("files/<slug:slug>/", files, name="catalogue_image_file")
        return [place, *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the form of a new image, or save it.

        The file is decoded before the transaction, for which everybody else who saves waits.
        """
        if request.method == "POST" and self.has_add_permission(request):
            form = UploadForm(request.POST, request.FILES)
            if form.is_valid():
                with transaction.atomic():
                    lock_content()
                    image = form.save()
                    return self.welcome(request, image)
        return cast("HttpResponse", super().add_view(request, form_url, extra_context))

    add_view.opens_transaction = True  # type: ignore[attr-defined]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *more: Any
    ) -> HttpResponse:
        form: Any = super() if object_id else super(DraftedAdmin, self)
        return cast("HttpResponse", form.changeform_view(request, object_id, *more))

    def bring_back(self, request: HttpRequest, entry: HistoryEntry) -> HttpResponse:
        """Load a deleted image, which no reader sees before a text shows it."""
        if Image.objects.filter(slug=entry.title).exists():
            fault = _("Another image has the name “%(name)s” by now.") % {"name": entry.title}
            self.message_user(request, fault, messages.ERROR)
            return HttpResponseRedirect(request.path)
        load({entry.title: entry.file.encode()})
        Image.objects.filter(slug=entry.title).update(id=entry.row)
        return self.welcome(request, Image.objects.get(pk=entry.row))

    def welcome(self, request: HttpRequest, image: Image) -> HttpResponse:
        """Record an image that is new here, and show its form."""
        history.record(self, image, None, self.recorded_data(image), request.user)
        return self.answer(
            request, _("The image is here. No text shows it yet."), form_address(image)
        )

    def file_view(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Return the narrower file of an image, which readers may not see yet."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        image = get_object_or_404(Image, slug=slug)
        file, media_type = bytes(image.small or image.file), MEDIA_TYPES[f".{image.format}"]
        policy = {"Content-Security-Policy": IMAGE_SECURITY_POLICY}
        return HttpResponse(file, media_type, headers=policy)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Refuse the deletion of an image that a text or a draft shows, and name these."""
        plain: Any = super(CheckedAdmin, self)  # The uses name more than the links of public texts.
        deleted, counts, forbidden, kept = plain.get_deleted_objects(objs, request)
        sentence = _("“{title}” shows the image “{image}”.")
        for image in objs:
            kept += [sentence.format(title=use.title, image=image) for use in uses_of(image)]
        return deleted, counts, forbidden, kept

    @admin.display(description=gettext_lazy("Name"), ordering="slug")
    def title(self, obj: Image) -> str:
        return format_html("{} <span>{}</span>", obj.slug, Truncator(obj.alt_en).chars(70))

    @admin.display(description=gettext_lazy("Image"))
    def icon(self, obj: Image) -> str:
        """Return the image, with the data that a script writes into a text."""
        return format_html(
            '<img src="{}" data-name="{}" data-address="{}" data-en="{}" data-vi="{}"'
            ' alt="" loading="lazy">',
            reverse("admin:catalogue_image_file", args=[obj.slug]),
            *(obj.slug, obj.address, obj.alt_en, obj.alt_vi),
        )

    @admin.display(description=gettext_lazy("Address"))
    def address(self, obj: Image) -> str:
        return f"{obj.address} ({obj.width} × {obj.height})"

    @admin.display(description=gettext_lazy("Used in"))
    def used_in(self, obj: Image) -> str:
        uses = [(use.form, use.title) for use in uses_of(obj)]
        return format_html_join(", ", '<a href="{}">{}</a>', uses) or _("No text shows it.")

    @admin.display(description=gettext_lazy("State"))
    def stage(self, obj: Image) -> str:
        is_shown = any(use.is_public for use in uses_of(obj))
        return state_cell(State.PUBLISHED if is_shown else State.DRAFT)


def uses_of(image: Any) -> list[Use]:
    if not hasattr(image, "uses"):
        attach_uses([image])
    return cast("list[Use]", image.uses)
