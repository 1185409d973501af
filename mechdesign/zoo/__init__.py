"""Other packages' mechanisms, certified."""
