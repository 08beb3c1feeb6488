"""Publication of a release in an S3-compatible bucket."""
