"""The design of a study, before anyone is asked: its plan, its form, and the items that it is made of."""
