"""Sample grant reports of invented projects, in Catalan, Spanish and English.

    text/*.toml -> Project -> Document(sections of blocks)  -> .docx and .facts.json
    (banks)        project    composition, long_report,        word, word_styles,
                              facts, template, tables          word_footnotes, writing

``write_samples`` is the whole road. See README.md in this folder for what is in the reports.
"""

from data.sample.writing import generator_digest, write_samples

__all__ = ["generator_digest", "write_samples"]
