"""Forms that are shown and never saved: those of a draft, or of a change that is refused."""

from collections.abc import Sequence
from typing import Any

from django.forms.utils import ErrorDict, ErrorList
from django.http import HttpRequest

from site_mirror.desk.faults import Fault


def hold_forms(request: HttpRequest, faults: Sequence[Fault] = ()) -> HttpRequest:
    """Let the admin show the posted forms of a request, with these faults and no others."""
    request.desk_faults = faults  # type: ignore[attr-defined]
    return request


def with_hold(base: type[Any], mixin: type[Any], request: HttpRequest) -> type[Any]:
    """Return a class of forms or inlines that are held if the request holds them."""
    faults = getattr(request, "desk_faults", None)
    if faults is None:
        return base
    inline = {"form": with_hold(base.form, HeldForm, request)} if mixin is HeldFormSet else {}
    return type(base.__name__, (mixin, base), {"faults": faults, **inline})


class HeldForm:
    """A form that is never valid, with the faults that it is given."""

    faults: Sequence[Fault]

    def is_valid(self) -> bool:
        super().is_valid()  # type: ignore[misc]
        return False

    def full_clean(self) -> None:
        super().full_clean()  # type: ignore[misc]
        form: Any = self
        if not form.is_bound:
            return
        form._errors = ErrorDict()
        names = {form.add_prefix(name): name for name in form.fields}
        for fault in self.faults:
            if fault["name"] in names:
                form.add_error(names[fault["name"]], fault["text"])


class HeldFormSet:
    """Inlines whose forms are held."""

    def clean(self) -> None:
        pass

    def full_clean(self) -> None:
        super().full_clean()  # type: ignore[misc]
        self._non_form_errors = ErrorList()
