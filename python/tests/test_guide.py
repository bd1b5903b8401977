"""Every snippet of docs/guide runs, page by page, in the order of the page."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import BIN, ROOT

GUIDE = ROOT / "docs" / "guide"
PAGES = sorted(page.name for page in GUIDE.glob("*.md") if page.name != "README.md")
SNIPPET = re.compile(r"^```(python|sh)(?: needs (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def has(program: str) -> bool:
    """Whether the program is there, and assay-score was built for it."""
    if shutil.which(program) is None:
        return False
    return program != "mpirun" or b"libmpi" in subprocess.run(["ldd", BIN / "assay-score"], stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path, monkeypatch):
    if page == "pictures.md":
        pytest.importorskip("PIL")
    monkeypatch.chdir(tmp_path)
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    text = (GUIDE / page).read_text()
    snippets = SNIPPET.findall(text)
    assert len(snippets) == text.count("\n```") / 2, "a snippet that no test runs"
    names: dict = {"__name__": page}
    for language, needs, code in snippets:
        if needs and not has(needs):
            continue
        if language == "python":
            exec(compile(code, page, "exec"), names)
        else:
            subprocess.run(["bash", "-euc", code], check=True, env={**os.environ, "PATH": path})


def test_every_page_is_listed():
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (GUIDE / "README.md").read_text())
    assert sorted(listed) == PAGES
