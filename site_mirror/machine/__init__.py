"""The files that programs look for at fixed addresses, as pure functions of values."""
