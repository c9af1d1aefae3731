"""The file `collection.db`: its tables, its format, opening, migrating and checking it."""
