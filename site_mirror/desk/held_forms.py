"""Forms that are shown again instead of being saved, with the faults that only a save finds."""

from typing import Any

from django.forms.utils import ErrorDict, ErrorList
from django.http import HttpRequest
from msgspec import Struct, field

from site_mirror.desk.breaking import breaking_summary
from site_mirror.desk.links import DeadLink


class Hold(Struct):
    """Why the forms of a request are not saved: dead links, links of others that break, and texts
    at fields. The forms of a draft that is only opened are `quiet`: they show no faults.
    """

    dead: list[DeadLink] = field(default_factory=list)
    broken: list[DeadLink] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    quiet: bool = False


def hold_of(request: HttpRequest) -> Hold | None:
    return getattr(request, "desk_hold", None)


def hold_forms(request: HttpRequest, hold: Hold) -> HttpRequest:
    """Let the admin show the posted forms of a request again, whether they are valid or not."""
    request.desk_hold = hold  # type: ignore[attr-defined]
    return request


class HeldForm:
    """A form that is never valid and shows dead links at their fields."""

    hold: Hold

    def is_valid(self) -> bool:
        super().is_valid()  # type: ignore[misc]
        if self.hold.quiet:
            self._errors = ErrorDict()
        return False

    def full_clean(self) -> None:
        super().full_clean()  # type: ignore[misc]
        form: Any = self
        if not form.is_bound:
            return
        # Not in `clean`, because the rules of the model are not asked for fields with an error.
        for dead in self.hold.dead:
            if dead.link.field.model is form._meta.model:
                name = dead.link.field.name
                form.add_error(name if name in form.fields else None, str(dead))
        for name, text in self.hold.texts.items():
            form.add_error(name, text)
        if self.hold.broken:
            summary = breaking_summary(self.hold.broken)
            form.add_error(None, f"Nothing has been saved. {summary}")


class HeldFormSet:
    """Inlines that show dead links at their fields; a row is found by the typed address."""

    hold: Hold

    def is_valid(self) -> bool:
        is_valid: bool = super().is_valid()  # type: ignore[misc]
        if self.hold.quiet:
            forms: Any = self.forms  # type: ignore[attr-defined]
            for form in forms:
                form._errors = ErrorDict()
            self._errors: Any = [form._errors for form in forms]
            self._non_form_errors: Any = ErrorList()
        return is_valid

    def clean(self) -> None:
        super().clean()  # type: ignore[misc]
        for form in self.forms:  # type: ignore[attr-defined]
            for dead in self.hold.dead:
                link, typed = dead.link, getattr(form, "cleaned_data", {})
                if link.field.model is form._meta.model and link.target in str(
                    typed.get(link.field.name)
                ):
                    form.add_error(link.field.name, str(dead))


def with_hold(base: type[Any], mixin: type[Any], request: HttpRequest) -> type[Any]:
    """Return a class of forms or inlines that holds those of a request, if they are held."""
    hold = hold_of(request)
    return type(base.__name__, (mixin, base), {"hold": hold}) if hold else base
