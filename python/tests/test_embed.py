"""assay-embed is part of the package; its own tests are in tests/embed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BIN

import assay
from assay.__main__ import main


def test_runs_as_a_command_of_the_package():
    environment = {**os.environ, "PYTHONPATH": str(Path(assay.__file__).parents[1])}
    command = [sys.executable, "-m", "assay", "embed", "--check", "--model", "dinov2-vits14"]
    told = json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False).stdout)
    assert told["python"] == sys.executable and "dinov2-vits14" in told["models"]


def test_its_options_are_its_own(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["embed", "--help"])
    assert ended.value.code == 0 and "usage: assay-embed" in capsys.readouterr().out


@pytest.mark.parametrize("program", ["assay-embed", "assay-convert"])
def test_programs_need_no_package(program, tmp_path):
    """Neither this package nor NumPy: -S leaves out what is installed."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    python.chmod(0o755)
    done = subprocess.run(
        [BIN / program, "--help"], env={**os.environ, "ASSAY_PYTHON": str(python)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and f"usage: {program}" in done.stdout, done.stderr
