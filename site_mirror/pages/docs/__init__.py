"""Pages about the API: the editors' texts, and tables from the OpenAPI document."""
