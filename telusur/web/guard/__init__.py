"""Access control: keys, passwords, rate limits, connection limits, headers."""
