# SPDX-License-Identifier: BSD-3-Clause
"""Packs a command into one file that Python runs: pack.py FOLDER FILE VERSION, FOLDER having __main__.py and a folder
of its own name. The same sources give the same bytes."""
import io
import os
import sys
import zipfile
from pathlib import Path

folder, target, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in [folder / "__main__.py", *sorted((folder / folder.name).iterdir())]:
        if path.suffix in (".py", ".html", ".css", ".js"):
            entry = zipfile.ZipInfo(str(path.relative_to(folder)), (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    archive.writestr(zipfile.ZipInfo(f"{folder.name}/version.py", (1980, 1, 1, 0, 0, 0)), f'VERSION = "{version}"\n')
target.parent.mkdir(parents=True, exist_ok=True)
target.write_bytes(b"#!/usr/bin/env python3\n" + packed.getvalue())
os.chmod(target, 0o755)
