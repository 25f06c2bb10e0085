"""The reference engine: computational graphs over an op table. Knows nothing of notebooks, widgets or grading."""
