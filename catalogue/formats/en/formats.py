"""Dates of the admin, with the name of the month: 3/4 is another day in other countries."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i"
