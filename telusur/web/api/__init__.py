"""The JSON API, `/search.json` and all others, and its description."""
