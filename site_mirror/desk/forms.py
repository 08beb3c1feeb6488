"""The admin's own forms, bound to data that a request posted or that a draft has stored."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import flatten_fieldsets
from django.forms import BoundField, CheckboxInput, MultiWidget
from django.forms.formsets import all_valid
from django.forms.utils import ErrorList
from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from msgspec import Struct

Data = Mapping[str, Sequence[str]]
"""What a form posts: the values of each input by its name."""


def data_of(posted: QueryDict) -> dict[str, list[str]]:
    """Return the data of a posted form, without tokens and the names of buttons.

    PostgreSQL keeps no NUL character in JSON; a form drops it, too, when its row is saved.
    """
    return {
        name: [value.replace("\0", "") for value in values]
        for name, values in posted.lists()
        if not name.startswith("_") and name != "csrfmiddlewaretoken" and "-__prefix__-" not in name
    }


def with_data(request: HttpRequest, data: Data, method: str = "POST") -> HttpRequest:
    """Return a copy of a request with other data, without files."""
    posted = QueryDict(mutable=True)
    for name, values in data.items():
        posted.setlist(name, list(values))
    bound: Any = copy(request)
    bound.method, bound.POST, bound._files = method, posted, MultiValueDict()
    return bound  # type: ignore[no-any-return]


class BoundForms(Struct):
    """The form of a row and those of its inlines, as the admin makes, checks and saves them."""

    admin: Any
    request: HttpRequest
    form: Any
    formsets: list[Any]
    change: bool = True

    def are_valid(self) -> bool:
        # In the order of the admin, because inlines are checked beside their unsaved parent.
        is_valid = self.form.is_valid()
        if is_valid:
            self.admin.save_form(self.request, self.form, change=self.change)
        return all_valid(self.formsets) and is_valid

    def invalid_parts(self) -> list[str]:
        """Return the names of the fields, and of the inlines, that are not valid."""
        return [*self.form.errors, *(each.prefix for each in self.formsets if not each.is_valid())]

    def save(self) -> Any:
        row = self.form.instance
        self.admin.save_model(self.request, row, self.form, self.change)
        self.admin.save_related(self.request, self.form, self.formsets, self.change)
        return row

    def data(self) -> dict[str, list[str]]:
        """Return what these forms post if nobody types anything."""
        return {
            name: value
            for form in (*self.row_forms(), *(each.management_form for each in self.formsets))
            for bound in form
            for name, value in inputs_of(bound)
        }

    def show_faults(self, faults: Sequence[Mapping[str, Any]]) -> None:
        """Show these faults at their fields in place of those that were found."""
        for form in self.row_forms():
            form.errors.clear()
            names = {form.add_prefix(name): name for name in form.fields}
            for fault in faults:
                if fault["name"] in names:
                    form.add_error(names[fault["name"]], fault["text"])
        for formset in self.formsets:
            formset._non_form_errors = ErrorList()

    def row_forms(self) -> Iterator[Any]:
        """Yield the form of the row, and those of the rows of its inlines."""
        yield self.form
        for formset in self.formsets:
            yield from formset.forms


def bind_forms(admin: "ModelAdmin[Any]", request: HttpRequest, row: Any) -> BoundForms:
    """Bind the forms of a row, or of a new row, to what the request posts."""
    change, row = row is not None, copy(row)  # A form writes into its row.
    fields = flatten_fieldsets(admin.get_fieldsets(request, row))
    form_class = admin.get_form(request, row, change=change, fields=fields)
    is_posted = request.method == "POST"
    data, files = (request.POST, request.FILES) if is_posted else (None, None)
    form = form_class(data, files, instance=row)
    formsets, _ = admin._create_formsets(request, form.instance, change=change)  # type: ignore[attr-defined]
    return BoundForms(admin, request, form, list(formsets), change)


def inputs_of(bound: BoundField) -> Iterator[tuple[str, list[str]]]:
    """Yield the inputs of a field with the values that a browser sends."""
    widget: Any = bound.field.widget
    value: Any = bound.value()
    if isinstance(widget, MultiWidget):
        for number, part in enumerate(widget.decompress(value) or ()):
            shown = widget.widgets[number].format_value(part)
            yield f"{bound.html_name}_{number}", ["" if shown is None else str(shown)]
    elif isinstance(widget, CheckboxInput):
        yield bound.html_name, ["on"] if value else []
    elif isinstance(value, list | tuple):
        yield bound.html_name, [str(getattr(each, "pk", each)) for each in value]
    else:
        shown = widget.format_value(value)
        single = shown[0] if isinstance(shown, list) and shown else shown
        text = "" if single is None or single == [] else str(single)
        yield bound.html_name, [text.replace("\r\n", "\n").replace("\n", "\r\n")]
