# SPDX-License-Identifier: BSD-3-Clause
"""The example's notebook runs, and its two ranks end with the same weights."""
import sys
from pathlib import Path

import run

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "python" / "torch.ipynb"


def main():
    try:
        import cloudpickle  # noqa: F401
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError as missing:
        print(f"{sys.executable}: {missing}")
        return 77
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        return 77
    notebook = nbformat.read(NOTEBOOK, 4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    text = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    print(text)
    return "weights [1.0, 1.0, 1.0, 1.0], equal on both ranks: True" not in text


if __name__ == "__main__":
    sys.exit(main())
