"""Types: a strict checker accepts the guide, and a script that uses everything; it refuses wrong options."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from test_guide import GUIDE, PAGES, SNIPPET

import assay


@pytest.fixture(autouse=True)
def checker():
    # Not at the top of the file: then no test would be collected, which counts as a failure where mypy is missing.
    pytest.importorskip("mypy")


PREAMBLE = """from typing import Any
import numpy
real = gan = vae = test = features = pictures = numpy.zeros((9, 2))
classes: Any = None
"""

SCRIPT = """
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy
import numpy.typing

import assay

Array = numpy.typing.NDArray[Any]
real: Array = numpy.zeros((99, 4), dtype=numpy.float32)


def bar(fraction: float, stage: str) -> None:
    print(f"{fraction:.0%} {stage}")


audit: assay.Audit = assay.audit(
    assay.Set(real, labels=[1, 2], ids=["a", "b"], series=False),
    {"gan": real, "vae": "vae.npz"},
    labels={"real": real[:, 0]}, ids=None, images=None, held_out=real, k=5, seed=0, fdr=0.05, cover_k=3, cover_c=3,
    one_class=False, quick=False, scale="zscore", missing="drop", one_hot=True, ignore_columns=["a"], columns={"b": "number"}, backend="gemm",
    threads=2, memory_limit="4G", bad_fraction=True, sample_size=True, frontier=True, discard=["pce"],
    discard_useful=["pce"], compat="prdc", copy=True, progress=bar,
)
demo: assay.Audit = assay.demo(quick=True, progress=False)
models: Mapping[str, assay.Model] = audit
model: assay.Model = audit["gan"]
metrics: Dict[str, float] = model.metrics
interval: Tuple[float, float] = model.interval("clipped_density")
summary: str = model.summary
findings: List[Dict[str, Any]] = model.findings
samples: assay.Table = model.samples
columns: Mapping[str, Array] = samples
matrix: Array = samples.to_numpy()
rows: int = samples.rows
held_out: Optional[assay.Table] = audit.held_out
neighbors: assay.Neighbors = model.neighbors
table: assay.NeighborTable = neighbors.real_to_real
nearest: Array = table.index[:, 0] + table.distance[:, 0]
sentence: str = model.explain(3, real=True)
kept: assay.Kept = audit.keep("gan", {"good_lost": 0.01}, threads=1, progress=None)
audit.keep("gan", "copy"), audit.keep("gan", [True, False]), audit.keep("gan", samples["p_any"] > 0.1)
audit.keep("gan", [{"column": "pce", "bound": "at_most", "value": 1.5}])
random: Optional[assay.Scores] = kept.random
rate: Optional[float] = kept.false_alarm_rate
chosen: Array = real[kept.flags]
flat: Dict[str, float] = audit.flat()
text: str = audit.to_json() + str(audit.json["k"]) + repr(audit.comparisons)
audit.report("audit.html", rules="copy")
audit.save("audit.assay", pack=True)
window: "subprocess.Popen[bytes]" = audit.show()
try:
    audit.require("clipped_density.low>=0.8", "kept.pce<=1", rules="copy")
except assay.RequirementError as failed:
    reasons: List[str] = failed.failures
except assay.UnknownNameError as unknown:
    print(unknown.kind)
except assay.Error as error:
    print(error.kind)
more: assay.Audit = assay.open("audit.assay").add("more", real, labels=[1], copy=True)
more.log(object(), step=1)
metric: assay.Metric = assay.Metric(real, k=3, quick=True)
metric.update(real)
computed: Dict[str, float] = metric.compute()
metric.reset()
figures: Dict[str, float] = assay.compute_prdc(real, real, nearest_k=5)
distances: Dict[str, Any] = assay.frechet((real[0], real), real, seed=1, threads=1)
about: Dict[str, Dict[str, Any]] = assay.catalog()
assay.convert("in.parquet", "out.npz", key="x")
"""

WRONG = ["k='five'", "missing='fill'", "quick='no'", "kay=5", "discard=5", "progress=5"]


def mypy(folder, *options):
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports", *options]
    environment = {**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(assay.__file__))}
    done = subprocess.run([*command, "."], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    return done.stdout


def test_a_script_that_uses_everything(tmp_path):
    used = set(re.findall(r"assay\.(\w+)", SCRIPT))
    assert set(assay.__all__) <= used
    (tmp_path / "script.py").write_text(SCRIPT)
    said = mypy(tmp_path)
    assert said.startswith("Success"), said


def test_the_guide(tmp_path):
    pages = {page: (GUIDE / page).read_text() for page in PAGES}
    pages["readme"], pages["python_readme"] = ((ROOT / file).read_text() for file in ("README.md", "python/README.md"))
    for page, text in pages.items():
        code = "\n".join(code for language, _, code in SNIPPET.findall(text) if language == "python")
        start = PREAMBLE if "readme" in page else ""
        (tmp_path / (page.split(".")[0].replace("-", "_") + ".py")).write_text(start + code)
    # Helpers in the guide are written for readers, without annotations.
    said = mypy(tmp_path, "--allow-untyped-defs", "--allow-untyped-calls")
    assert said.startswith("Success"), said


def test_wrong_options(tmp_path):
    lines = [f"assay.audit('real.npy', 'gan.npy', {one})" for one in WRONG]
    (tmp_path / "wrong.py").write_text("\n".join(["import assay", *lines, ""]))
    said = mypy(tmp_path)
    for number in range(2, len(WRONG) + 2):
        assert f"wrong.py:{number}: error" in said, said
