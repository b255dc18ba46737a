# SPDX-License-Identifier: BSD-3-Clause
#
# What a study has measured so far, a line for each run, kept on disk as it comes: a study that was stopped goes on
# from there. A line says what was run, and either its time or why there is none.

import json
import os
import pathlib


class Stale(Exception):
    """The journal is of another study: another machine, other programs, or other rows."""


class Journal:
    def __init__(self, path, about):
        """about: what must be the same for its figures to belong together."""
        self.path, self.runs = pathlib.Path(path), {}
        about = json.loads(json.dumps(about))
        if self.path.exists():
            self._read(about)
        else:
            self._write({"about": about})

    def _read(self, about):
        # The last line may lack its end where the study was killed while it wrote.
        lines = self.path.read_text().split("\n")
        self.path.write_text("".join(line + "\n" for line in lines[:-1]))
        found = [json.loads(line) for line in lines[:-1]]
        if not found or found[0].get("about") != about:
            was = found[0].get("about") if found else {}
            differs = ", ".join(sorted(key for key in {*about, *was} if about.get(key) != was.get(key)))
            raise Stale(f"{self.path} is of another study ({differs or 'it is empty'}): give another STUDY, or remove it")
        for run in found[1:]:
            self.runs[self._key(run)] = run

    @staticmethod
    def _key(run):
        return run["row"], run["way"], run["pes"], run["round"]

    def _write(self, line):
        with open(self.path, "a") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def has(self, *key):
        return key in self.runs

    def add(self, row, way, pes, number, **said):
        run = {"row": row, "way": way, "pes": pes, "round": number, **said}
        self.runs[self._key(run)] = run
        self._write(run)

    def failed(self, row, way, pes):
        """Whether a run of it failed: it is not tried again."""
        return any("why" in run for key, run in self.runs.items() if key[:3] == (row, way, pes))
