"""Are the numbers believable? Controls on anyone's predictions, each with a verdict and its evidence."""
