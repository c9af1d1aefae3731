"""The content written out: Markdown, XML, HTML, offline copies, parts of a page."""
