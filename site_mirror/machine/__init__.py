"""Files for programs at fixed addresses, such as `robots.txt`, as pure functions of values."""
