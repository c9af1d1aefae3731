"""What many people wrote on one page: the posts of a thread, the comments of readers."""
