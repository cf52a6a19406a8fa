"""One script a change of the schema, in order."""
