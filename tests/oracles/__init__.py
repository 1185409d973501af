"""What answers are held against: definitions in exact arithmetic, that use no arithmetic of the package."""
