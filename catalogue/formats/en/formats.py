"""Dates of the admin that nobody can read as another day."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i"
