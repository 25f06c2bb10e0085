"""The browser fixtures themselves: a cell runs, a theme changes."""

import pytest

pytestmark = pytest.mark.browser


def test_a_notebook_runs_in_a_real_jupyterlab(lab, notebook):
    lab.write("hello.ipynb", [("markdown", "# Hello"), "6 * 7", "print('later')"])
    page = notebook("hello.ipynb")
    page.run_all()
    assert "42" in page.output(1).inner_text()
    page.set_source(page.find("later"), "print('now')")
    page.run(2)
    assert page.output(2).inner_text().strip() == "now"
    page.theme("dark")
    assert page.page.evaluate("document.body.dataset.jpThemeName") == "JupyterLab Dark"
    page.save()
    assert "now" in (lab.folder / "hello.ipynb").read_text()
    assert page.errors == []
