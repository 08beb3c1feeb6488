"""Pages: what each says, composed from rows, and how it is written as HTML and as Markdown."""
