"""Files in and out: JSON, text, arrays; written beside and renamed."""
