"""Days in texts: the names of months, other calendars, and the words beside a date."""
