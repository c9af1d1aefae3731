"""Scheduling by host: politeness, health, shares, and which host is next."""
