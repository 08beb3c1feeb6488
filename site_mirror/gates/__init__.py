"""Gates: what must hold of a release before it is published. No framework is imported here."""
