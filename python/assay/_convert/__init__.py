"""Files that Python's libraries read and the engine does not, as files that it does.

``python -m assay convert IN OUT``, or this folder by itself, writes an archive (``.npz``) of embeddings with classes and ids,
or a table (``.csv``). Pictures that are stored as bytes go to a folder beside it. Pickles are never read: opening one runs
what is in it.
"""

from .command import convert
from .readers import reader_of

__all__ = ["convert", "reader_of"]
