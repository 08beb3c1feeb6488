"""The snapshot engine: documents in, a published release out. No framework is imported here."""
