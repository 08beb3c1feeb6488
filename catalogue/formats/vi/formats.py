"""Dates and numbers of the admin in Vietnamese."""

DATE_FORMAT = r"j \t\h\g n, Y"
DATETIME_FORMAT = r"H:i, j \t\h\g n, Y"
NUMBER_GROUPING = 3
