"""The metadata of a page: title, author, date, meta elements, structured data."""
