"""Authors where no word announces them: beside a day, above a thread."""
