"""The lists of the admin: their columns, filters and pages, and the order of rows."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from catalogue.texts.fields import Prose

ROWS_PER_PAGE = 50


def format_moment(moment: datetime | None) -> str:
    """Return a moment in the time zone of the studio, on one line."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}">{}</time>', local.isoformat(), date_format(local, "DATETIME_FORMAT")
    )


class RowList(ChangeList):
    """A page of a list, which reads no long texts."""

    def get_queryset(self, *args: Any, **options: Any) -> QuerySet[Any]:
        shown = {*self.list_display, getattr(self.model_admin, "translation", "")}
        columns = (field for field in self.opts.concrete_fields if isinstance(field, Prose))
        queryset: QuerySet[Any] = super().get_queryset(*args, **options)
        return queryset.defer(*(column.name for column in columns if column.name not in shown))

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list: Any = list(self.result_list)

    def page(self) -> Any:
        return self.paginator.page(self.page_num)

    def shown_filters(self) -> Iterator[Mapping[str, Any]]:
        for each in self.filter_specs:
            choices = list(each.choices(self))
            yield {
                "title": each.title,
                "tabs": hasattr(each, "conditions"),
                "choices": choices,
                "chosen": next((choice for choice in choices if choice["selected"]), None),
            }


class ListedAdmin:
    """A list of the desk."""

    empty_value_display = ""
    list_per_page = ROWS_PER_PAGE
    list_max_show_all = 0
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return RowList

    @admin.display(description="")
    def action_checkbox(self, obj: Model) -> str:
        return format_html(
            '<input type="checkbox" name="{}" value="{}" class="action-select" aria-label="{}">',
            ACTION_CHECKBOX_NAME,
            obj.pk,
            gettext("Choose “%(row)s”") % {"row": obj},
        )


def title_cell(english: str, vietnamese: str) -> str:
    return format_html('{} <span lang="vi">{}</span>', english, vietnamese)


def languages_cell(codes: Collection[str]) -> str:
    shown = " ".join(code.upper() for code in codes)
    return format_html('<span class="desk-codes">{}</span>', shown)


def change_cell(user: Any, moment: datetime | None) -> str:
    name = (user.get_short_name() or user.get_username()) if user else ""
    return format_html("{} {}", name, format_moment(moment))


class OrderedAdmin:
    """A list whose rows editors put in order: by buttons, or by dragging them."""

    model: Any
    opts: Any
    admin_site: Any
    ordered = False

    def has_order_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_change_permission(request))  # type: ignore[attr-defined]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.move_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_move"
        return [path("move/", view, name=name), *super().get_urls()]  # type: ignore[misc]

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Add the buttons to the whole list in its own order, not to a part of it."""
        columns = tuple(super().get_list_display(request))  # type: ignore[misc]
        movable = self.ordered and self.has_order_permission(request)
        return (*columns, "order") if movable and not request.GET.keys() - {"p"} else columns

    @admin.display(description=_("Order"))
    def order(self, obj: Model) -> str:
        return format_html_join(
            "",
            '<button formaction="move/" name="{0}" value="{1}" id="{0}-{1}"'
            ' aria-describedby="messages"><span aria-hidden="true">{2}</span>'
            '<span class="desk-hidden">{3}</span></button>',
            [
                ("up", obj.pk, "↑", gettext("Move “%(row)s” up") % {"row": obj}),
                ("down", obj.pk, "↓", gettext("Move “%(row)s” down") % {"row": obj}),
            ],
        )

    def log_move(self, request: HttpRequest, row: Any, old: int) -> None:
        """Note that a row has left its old place."""

    def move_view(self, request: HttpRequest) -> HttpResponse:
        """Move the row `up` or `down` by one place, or the row `dragged` to that of `onto`.

        The fragment of the new address is the button, which browsers give the focus.
        """
        if not (self.ordered and self.has_order_permission(request)):
            raise PermissionDenied
        way = next((each for each in ("up", "down", "dragged") if each in request.POST), "")
        rows = list(self.model._default_manager.all())
        places = {str(row.pk): place for place, row in enumerate(rows)}
        old = places.get(request.POST.get(way, ""))
        if old is None:
            raise Http404
        onto = places.get(request.POST.get("onto", ""), old)
        new = {"up": max(old - 1, 0), "down": min(old + 1, len(rows) - 1)}.get(way, onto)
        row = rows.pop(old)
        rows.insert(new, row)
        for place, each in enumerate(rows):
            if each.position != place:
                each.position = place
                each.save(update_fields=["position"])
        if new != old:
            self.log_move(request, row, old)
        done = gettext("“%(row)s” is now %(place)s of %(count)s.")
        found = {"row": row, "place": new + 1, "count": len(rows)}
        self.message_user(request, done % found)  # type: ignore[attr-defined]
        page = new // ROWS_PER_PAGE + 1
        button = way if way in ("up", "down") else "up"
        return HttpResponseRedirect(f"../{f'?p={page}' if page > 1 else ''}#{button}-{row.pk}")
