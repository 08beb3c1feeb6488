"""Images that texts show. Their files are in the database, which all machines and backups share."""

from base64 import b64decode, encodebytes
from typing import Any

from django.db import models
from django.db.models import Q

from catalogue import addresses, pictures, rules
from catalogue.models.base import Table
from catalogue.texts.fields import Line

SHOWN_HELP = "Proposed as the alternative text where a text shows the image."


class Format(models.TextChoices):
    """The formats of files, by the suffix of their addresses."""

    WEBP = "webp", "WebP"
    SVG = "svg", "SVG"


class ImageFile(models.BinaryField[bytes, bytes]):
    """A file of an image. In files of content, a drawing is text, and pixels are Base64."""

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.BinaryField", arguments, options

    def validate(self, value: Any, model_instance: Any) -> None:
        """Check the files of content. An upload is not in this field: it is encoded again."""
        if not self.blank:  # The narrower file is checked with the other.
            model_instance.measure()

    def value_to_string(self, obj: models.Model) -> str:
        file = bytes(self.value_from_object(obj))
        return file.decode() if file.startswith(b"<") else encodebytes(file).decode()

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        is_drawing = value.startswith("<")
        return f"{value.rstrip()}\n".encode() if is_drawing else b64decode(value)


class Image(Table):
    """An image. Readers see it while a text that they see names its address (`questions.images`).

    The desk never changes its file. `small` is a narrower file of a wide one. The desk makes WebP;
    drawings in SVG are loaded as content.
    """

    slug = Line(
        "name",
        max_length=80,
        unique=True,
        help_text="Part of the image's address, for example two-tones. It cannot be changed.",
    )
    alt_en = Line("what it shows, English", max_length=300, help_text=SHOWN_HELP)
    alt_vi = Line("what it shows, Vietnamese", max_length=300)
    format = models.CharField(max_length=4, choices=Format.choices, editable=False)
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    file = ImageFile(editable=False)
    small = ImageFile(editable=False, blank=True, default=b"")

    class Meta:
        ordering = ["slug"]
        constraints = [
            rules.pattern_rule("image", "slug", rules.SLUG),
            *rules.filled_rules("image", "alt_en", "alt_vi"),
            rules.choice_rule("image", "format", Format),
            rules.Rule(
                name="image_has_a_size",
                condition=Q(width__gte=1, height__gte=1),
                field="width",
                message="An image is at least one pixel wide and high.",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    def measure(self) -> None:
        """Take the size from the files, or refuse those that the desk would not have made."""
        files = bytes(self.file or b""), bytes(self.small)
        self.width, self.height = pictures.measure(self.format, *files)

    @property
    def address(self) -> str:
        return addresses.image(self.slug, self.format)
