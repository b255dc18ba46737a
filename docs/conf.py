# SPDX-License-Identifier: BSD-3-Clause
"""The book's settings for Sphinx: `make docs` (scripts/book) builds it from a copy of docs with the generated pages in it."""
import os
import re

project = "Sheaf"
author = copyright = "the Sheaf authors"
version = release = os.environ["SHEAF_VERSION"]

extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
exclude_patterns = ["man"]
suppress_warnings = ["misc.highlighting_failure"]
numfig = False

html_theme = "furo"
html_title = f"Sheaf {version}"
html_static_path = ["theme"]
html_css_files = ["book.css"]
html_show_sourcelink = html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "monokai"
copybutton_exclude = ".linenos, .gp, .go"

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


def name_source_files(app, docname, source):
    """A link that leaves the book leads to a file of the source tree: the book shows its path."""
    folder = os.path.dirname(docname)

    def path_for(match):
        text, target = match[1], match[2]
        path = os.path.normpath(os.path.join("docs", folder, target))
        if ":" in target or path.startswith("docs/"):
            return match[0]
        return f"`{path}`" if text.strip("`") in path else f"{text} (`{path}`)"

    source[0] = LINK.sub(path_for, source[0])


def setup(app):
    app.connect("source-read", name_source_files)
