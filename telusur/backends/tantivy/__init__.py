"""The embedded index in tantivy."""
