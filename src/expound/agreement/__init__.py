"""How far people agree, with each other and with metrics, and what they prefer."""
