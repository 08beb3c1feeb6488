"""Fields of serializers, which convert values of the catalogue to JSON."""

from collections.abc import Callable, Collection
from decimal import Decimal
from functools import cached_property
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.addresses import Site
from catalogue.moments import iso_moment
from catalogue.texts.localized import LocalizedText

EMPTY_VALUES: Collection[Any] = (None, "", [], {})

Member = tuple[str, bool, Callable[[Any], Any], Callable[[Any], Any]]
"""The name of a member, whether it is required, and functions that read and convert its value."""


class ContractSerializer(serializers.Serializer[Any]):
    """A serializer that leaves out optional members without a value."""

    @cached_property
    def members(self) -> list[Member]:
        """The members, which for speed are looked up once for all rows."""
        return [
            (str(field.field_name), field.required, field.get_attribute, field.to_representation)
            for field in self._readable_fields
        ]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        members = {}
        for name, required, read, convert in self.members:
            value = read(instance)
            if value is not None:
                value = convert(value)
            if required or value not in EMPTY_VALUES:
                members[name] = value
        return members


@extend_schema_field(OpenApiTypes.URI)
class AddressField(serializers.Field[Any, Any, str, Any]):
    """An absolute address, from a function of one attribute of the row."""

    def __init__(self, address: Callable[[str], str] = str, **options: Any) -> None:
        self.address = address
        super().__init__(**options)

    @cached_property
    def site(self) -> Site:
        """The site, which for speed is looked up once for all rows."""
        site: Site = self.context["site"]
        return site

    def to_representation(self, value: str) -> str:
        return self.site.url(self.address(value))


class FixedAddressField(AddressField):
    """An absolute address that is the same for every row."""

    def __init__(self, address: str, **options: Any) -> None:
        super().__init__(lambda row: address, source="*", **options)


class LocalizedSerializer(serializers.Serializer[Any]):
    """Localized text: `en` always, `vi` optional, and nothing else."""

    en = serializers.CharField(min_length=1, help_text="The text in English.")
    vi = serializers.CharField(
        required=False, min_length=1, help_text="The text in Vietnamese; absent if there is none."
    )

    def to_representation(self, instance: LocalizedText) -> dict[str, Any]:
        return {**instance}


@extend_schema_field({"type": "number", "minimum": 0})
class NumberField(serializers.Field[Any, Any, Any, Any]):
    """A number as JSON has it: whole where it is whole."""

    def to_representation(self, value: Decimal | int) -> int | float:
        return int(value) if value == int(value) else float(value)


@extend_schema_field(OpenApiTypes.URI)
class StoreLinkField(serializers.CharField):
    """An address in a store; null where the app is not published there."""

    def get_attribute(self, instance: Any) -> str | None:
        return super().get_attribute(instance) or None


class MomentField(serializers.DateTimeField):
    """A moment in UTC, to the second: `2027-06-30T23:59:59Z`."""

    def to_representation(self, value: Any) -> str:
        return iso_moment(value)
