"""The methods, each as its users run it; one file for each package."""
