# SPDX-License-Identifier: BSD-3-Clause
"""Every link of the pages to a part of a page ("page.md#a-part") names one of its headings. Argument: the root of the tree.
Files that links lead to are links.sh's."""
import re
import sys
from pathlib import Path

FOLDERS = "docs", "src", "apps", "tests", "bench", "tools", "addons", "bindings", "examples"


def anchor_of(heading):
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def main():
    root = Path(sys.argv[1]).resolve()
    pages = [*root.glob("*.md"), *(page for folder in FOLDERS for page in (root / folder).rglob("*.md"))]
    texts = {page: re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S) for page in pages}
    anchors = {page: {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)} for page, text in texts.items()}
    links = [(page, (page.parent / target).resolve() if target else page, anchor) for page, text in texts.items()
             for target, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", text)]
    wrong = [f"{page.relative_to(root)}: {target.name} has no heading #{anchor}"
             for page, target, anchor in links if target in anchors and anchor not in anchors[target]]
    print("\n".join(wrong) or f"{len(links)} links to parts of pages, all of them there")
    return 1 if wrong or not links else 0


if __name__ == "__main__":
    sys.exit(main())
