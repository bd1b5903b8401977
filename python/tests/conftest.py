"""What the tests of the package share."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("ASSAY_BIN_DIR", ROOT / "build" / "release" / "bin"))
sys.path.insert(0, os.environ.get("ASSAY_PYTHON_DIR", str(ROOT / "build" / "release" / "python")))


def without_times(text: str) -> str:
    """Without what differs from run to run (docs/output.md): the time, and which search was found to be faster."""
    return re.sub(r'("backend": )"[a-z]+"', r'\g<1>""', re.sub(r'("seconds": )[-0-9.e]+', r"\g<1>0", text))


@pytest.fixture
def score(tmp_path):
    """Runs assay-score; the JSON that it writes."""

    def run(*arguments) -> str:
        file = tmp_path / "score.json"
        command = [BIN / "assay-score", *map(str, arguments), "--json", str(file), "--quiet"]
        subprocess.run(command, check=True)
        return without_times(file.read_text())

    return run


class Blobs:
    """Small digits-like classes: points around ten centres, with pictures of 8 x 8 drawn from them."""

    def __init__(self, seed: int, rows: int, spread: float = 1.0) -> None:
        draw = numpy.random.default_rng(seed)
        centres = numpy.random.default_rng(0).normal(size=(10, 12)) * 4
        self.labels = draw.integers(0, 10, rows)
        self.values = (centres[self.labels] + draw.normal(size=(rows, 12)) * spread).astype(numpy.float32)
        shades = numpy.clip(128 + 20 * numpy.repeat(self.values[:, :8, None], 8, axis=2), 0, 255)
        self.images = shades.astype(numpy.uint8)


@pytest.fixture(scope="session")
def real():
    return Blobs(1, 600)


@pytest.fixture(scope="session")
def gan():
    return Blobs(2, 500, 1.3)


@pytest.fixture(scope="session")
def test_set():
    return Blobs(3, 300)
