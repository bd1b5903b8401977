"""The page to explore from Python, in a file and in a cell of a notebook."""

import html
import sys

import assay
import pytest
from assay._explore import Explorer, explorer
from conftest import ROOT


@pytest.fixture(scope="module")
def audit(real, gan):
    return assay.audit(real.values, {"gan": gan.values}, progress=False, quick=True)


def test_page_is_one_file(audit, tmp_path):
    file = tmp_path / "page.html"
    audit.page(file, samples=200)
    text = file.read_text()
    assert text.startswith("<!DOCTYPE html>") and "default-src 'none'" in text and "200 of 1,100 samples" in text


def test_refuses_no_samples(audit, tmp_path):
    with pytest.raises(assay.Error, match="samples: expected a number from 1 on, found 0"):
        audit.page(tmp_path / "page.html", samples=0)


def test_cell_holds_the_page_in_a_sandbox():
    cell = Explorer('<p title="a">&</p>', 500)._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in cell and html.escape('<p title="a">&</p>') in cell


def test_widget_hands_back_rows_that_keep_takes(audit):
    pytest.importorskip("anywidget")
    widget = audit.explore(samples=100)
    widget.selection = list(range(200))
    assert explorer("", 10).selection == []
    assert audit.keep("gan", widget.selection, progress=False).metrics


def test_model_shows_its_examples(audit, real, gan):
    pictured = assay.audit(
        assay.Set(real.values, images=real.images),
        {"gan": assay.Set(gan.values * 3, images=gan.images)},
        progress=False,
    )
    shown = pictured["gan"]._repr_html_()
    assert "data:image/png;base64," in shown
    assert "audit.explore()" in pictured._repr_html_()


def test_notebook_shows_the_page(tmp_path):
    """A notebook is run, and its cell's output opened in Chromium."""
    nbformat = pytest.importorskip("nbformat")
    preprocessors = pytest.importorskip("nbconvert.preprocessors")
    pytest.importorskip("ipykernel")
    sys.path.insert(0, str(ROOT / "tests" / "page"))
    import browser

    if not browser.PROGRAM:
        pytest.skip("Chromium is not installed")
    lines = [
        f"import sys; sys.path[:0] = {sys.path!r}",
        "import assay, numpy",
        "draw = numpy.random.default_rng(0)",
        "sets = [draw.normal(size=(300, 8)).astype('float32') for _ in range(2)]",
        "audit = assay.audit(sets[0], {'gan': sets[1]}, progress=False)",
        "assay._explore.Explorer(audit.explore(samples=200, progress=False).page, 700)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join(lines))])
    preprocessors.ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {})
    file = tmp_path / "cell.html"
    shown = notebook.cells[0].outputs[-1]["data"]["text/html"]
    heard = "<script>addEventListener('message', (e) => { window.heard = e.data; });</script>"
    file.write_text(f"<!DOCTYPE html><meta charset=utf-8>{heard}{shown}")
    with browser.Browser() as page:
        page.open(file, ready="window.heard?.assay === 'selection'")
        assert page.run("heard.model") == "gan"
        assert page.complaints() == []
