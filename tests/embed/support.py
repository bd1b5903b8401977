"""What the tests of assay-embed share."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "python" / "assay" / "embed"
WITH_FAKE_NETWORK = Path(__file__).resolve().parent / "with_fake_network.py"


def import_program() -> None:
    """The program's modules as `assay_embed`, as it has them itself: without the package and its compiled module."""
    spec = importlib.util.spec_from_file_location(
        "assay_embed", PROGRAM / "__init__.py", submodule_search_locations=[str(PROGRAM)]
    )
    sys.modules["assay_embed"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["assay_embed"])


import_program()


def needs(*modules: str):
    """Skips, by name, where the environment lacks one of them."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} not installed")


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def embed(self, *arguments: str, program: Path = PROGRAM, **environment: str) -> subprocess.CompletedProcess:
        """Runs the program to its end."""
        return subprocess.run([sys.executable, str(program), *arguments], capture_output=True, text=True, timeout=240,
                              env={**os.environ, **environment}, check=False)


def events(stderr: str) -> list[dict]:
    """The objects of --progress json."""
    return [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]


def write_pictures(folder: Path, count: int, side: int = 12) -> None:
    """PNG files that differ from each other, in two folders."""
    from PIL import Image

    for i in range(count):
        into = folder / ("even" if i % 2 == 0 else "odd")
        into.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (side, side), (i * 37 % 256, i * 11 % 256, i % 256)).save(into / f"{i:04d}.png")
