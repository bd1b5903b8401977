"""The page to explore from Python, in a file and in a cell of a notebook."""

import html

import assay
import pytest
from assay._explore import Explorer, explorer


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
    widget.selection = [1, 2, 3]
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
