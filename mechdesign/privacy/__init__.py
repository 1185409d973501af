"""What privacy requires of released distributions, and how far two of them are apart; all exact."""
