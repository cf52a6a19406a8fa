"""Data that ships with the code: only the generator of sample reports."""
