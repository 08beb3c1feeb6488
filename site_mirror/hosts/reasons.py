"""Reasons for missing capabilities that several hosts share."""

ONLY_FILES = "it has no rules, only files"
ANY_FILE = "it sends every file of the folder"
OWN_VALIDATORS = "its tags and dates are those of the upload"
OWN_COMPRESSION = "it compresses documents by itself"
RANGES = "it answers a request for a range with 206"
NO_BUDGET = "it does not count requests"
MOVED_PAGES = "only former pages redirect, by an HTML page"
