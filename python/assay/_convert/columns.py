"""What readers give, and what they need."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

try:
    import numpy
except ImportError:
    if __package__ == "assay._convert":
        raise
    numpy = None  # type: ignore[assignment]  # alone it still says what it does, and what it needs

try:
    from .._errors import Error
except ImportError:  # run by its folder, as assay-score does, in a Python without the package

    class Error(RuntimeError):  # type: ignore[no-redef]
        def __init__(self, message: str, kind: str = "invalid_argument") -> None:
            super().__init__(message)

#: Packages that formats need beside NumPy.
PACKAGES = {".parquet": "pyarrow", ".arrow": "pyarrow", ".feather": "pyarrow", ".mat": "scipy", ".h5ad": "h5py"}


class Pictures:
    """A column of encoded pictures, which is read in parts.

    :param paths: what the file calls each picture; empty texts where it says nothing
    :param read: yields the bytes of each picture, None where there is none
    """

    def __init__(self, name: str, paths: List[str], read: Callable[[], Iterator[Optional[bytes]]]) -> None:
        self.name = name
        self.paths = paths
        self.read = read


class Columns:
    """Columns of a file by name: each a list or an array with an entry a sample; vectors are arrays [N, d]."""

    def __init__(
        self,
        columns: Dict[str, Any],
        labels: Optional[str] = None,
        ids: Optional[str] = None,
        pictures: Optional[Pictures] = None,
    ) -> None:
        self.columns = columns
        self.labels = labels  #: names of the columns that the format itself calls so
        self.ids = ids
        self.pictures = pictures  #: beside the columns


def needed(name: str, file: Path, package: Optional[str] = None) -> Any:
    """A library, or what is missing and how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(
            f"{file}: reading it needs {package or name}, which {sys.executable} does not have. "
            f"Install it: {sys.executable} -m pip install {package or name.partition('.')[0]}"
        ) from None


def require_numpy(file: Path) -> None:
    if numpy is not None:
        return
    package = "pyarrow" if file.is_dir() else PACKAGES.get(file.suffix.lower())
    lacking = ["numpy"] + ([package] if package and importlib.util.find_spec(package) is None else [])
    raise Error(
        f"{file}: reading it needs {' and '.join(lacking)}, which {sys.executable} does not have. "
        f"Install {'it' if len(lacking) == 1 else 'them'}: {sys.executable} -m pip install {' '.join(lacking)}"
    )


def is_matrix(value: Any) -> bool:
    return isinstance(value, numpy.ndarray) and value.ndim == 2 and value.dtype.kind in "fiub"
