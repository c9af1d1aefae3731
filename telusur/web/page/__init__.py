"""Everything about one page: its document, blocks, links, record, stored copy."""
