"""Pictures, and in `page` reports."""
