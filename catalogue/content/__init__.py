"""The content of the catalogue as files, which people read and Git compares."""
