"""Which released probabilities a problem cannot tell apart; the problem with one variable for each class of them."""
