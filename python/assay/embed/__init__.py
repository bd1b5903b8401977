"""Embeddings of pictures and series for Assay, in a person's own Python environment."""

__version__ = "0.1.0"
