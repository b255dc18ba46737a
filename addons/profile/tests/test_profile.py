# SPDX-License-Identifier: BSD-3-Clause
"""SHEAF_PROFILE, oshrun --profile and --trace, and oshprof from outside: counts of a known program are exact, folders
that cannot hold a profile are refused by a line, and what a killed PE leaves, or a damaged file, is read or named.

CTest gives the programs' paths: OSHRUN, OSHPROF, OSHCC, and programs KNOWN, BUSY, and STATIC, the first of them linked
statically.
"""
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

OSHRUN, OSHPROF, KNOWN, BUSY, STATIC = (os.environ[name] for name in
                                        ("OSHRUN", "OSHPROF", "KNOWN", "BUSY", "STATIC"))


def run(*command, timeout=60, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("SHEAF_PROFILE", "SHEAF_TRACE", "SHMEM_DEBUG")}
    environment.update(variables)
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout,
                          env=environment)


ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, OSHPROF)
from oshprof import command, read # noqa: E402
sys.path[0] = str(ROOT / "tests/common")
import pages # noqa: E402
sys.path.pop(0)


def oshprof(*arguments):
    return run(sys.executable, OSHPROF, *arguments)


class Profile(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.into = self.folder / "profile"

    def collect(self, pes, *arguments, option="--profile", program=KNOWN, **variables):
        done = run(OSHRUN, "-n", pes, option, self.into, program, *arguments, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def numbers(self):
        done = oshprof("--json", self.into)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def site(self, numbers, routine):
        found = [site for site in numbers["sites"] if site["routine"] == routine]
        self.assertEqual(len(found), 1, [site["routine"] for site in numbers["sites"]])
        return found[0]

    def check_counts(self, numbers, pes):
        wanted = {"shmem_long_p": (1000, 8000), "shmem_int_p": (20 * pes, 80 * pes), "shmem_short_p": (100, 200),
                  "shmem_long_g": (11, 88), "shmem_long_put": (100, 51200),
                  "shmem_long_atomic_fetch_add": (37, 296), "shmem_getmem": (10, 240),
                  "shmem_long_put_signal": (1, 64), "shmem_signal_wait_until": (1, 0), "shmem_quiet": (1, 0),
                  "shmem_ctx_long_p": (5, 40), "shmem_int_sum_reduce": (3, 24), "shmem_barrier_all": (10, 0),
                  "shmem_team_split_strided": (1, 0), "shmem_malloc": (1, 0), "shmem_realloc": (1, 0),
                  "shmem_free": (1, 0), "shmem_finalize": (1, 0)}
        for routine, (calls, size) in wanted.items():
            site = self.site(numbers, routine)
            with self.subTest(routine=routine):
                self.assertEqual((site["calls"], site["bytes"]), (calls * pes, size * pes))
                for pe in range(pes):
                    self.assertEqual(site["by_pe"][str(pe)]["calls"], calls)
        matrix = {(row["from"], row["to"]): (row["calls"], row["bytes"]) for row in numbers["matrix"]}
        expected = {(pe, to): (20, 80) for pe in range(pes) for to in range(pes)}
        for pe in range(pes):
            for to, calls, size in ((pe + 1) % pes, 1122, 59592), (0, 37, 296), (pes - 1, 105, 240):
                before = expected.get((pe, to), (0, 0))
                expected[pe, to] = (before[0] + calls, before[1] + size)
        self.assertEqual(matrix, expected)

    def test_counts(self):
        for pes in 1, 2, 3, 8:
            with self.subTest(pes=pes):
                self.into = self.folder / str(pes)
                done = self.collect(pes)
                self.assertIn(f"oshprof {self.into}", done.stderr)
                numbers = self.numbers()
                self.check_counts(numbers, pes)
                self.check_events(numbers, pes)
                self.check_channels(numbers, pes)
                self.assertEqual(numbers["notes"], [])
                barrier = self.site(numbers, "shmem_barrier_all")
                if pes > 1:
                    self.assertEqual(sum(row["times"] for row in barrier["last"].values()), 10)
                self.assertEqual(numbers["per_pe"]["0"]["heap_peak"], 8192)
                self.assertEqual(self.site(numbers, "shmem_realloc")["heap"]["at_peak"], 8192 * pes)
                self.assertEqual(self.site(numbers, "shmem_malloc")["heap"]["at_peak"], 0)

    def check_channels(self, numbers, pes):
        channels = numbers["channels"]
        moved = [sum(row[what] for row in numbers["matrix"]) for what in ("calls", "bytes")]
        self.assertEqual([channels["near"][what] for what in ("calls", "bytes")], moved)
        self.assertEqual(channels["far"], {"calls": 0, "bytes": 0, "seconds": 0})
        self.assertEqual([channels["session"][what] for what in ("calls", "bytes")], [7 * pes, 56 * pes])
        self.assertEqual([row["bytes"] for row in numbers["copies"]], [64 << 4 * i for i in range(5)])
        self.assertTrue(all(row["bytes_a_second"] > 0 for row in numbers["copies"]))

    def check_events(self, numbers, pes):
        events = {name: (row["is_counter"], row["times"]) for name, row in numbers["events"].items()}
        self.assertEqual(events, {"outer": (False, pes), "inner": (False, 5 * pes), "level": (True, 5 * pes),
                                  "no number": (True, 5 * pes)})
        self.assertIsNone(numbers["events"]["no number"]["most"])
        level = numbers["events"]["level"]
        self.assertEqual((level["least"], level["most"], level["sum"]), (0, 4, 10 * pes))
        self.assertGreaterEqual(numbers["events"]["outer"]["seconds"], numbers["events"]["inner"]["seconds"])

    def test_each_target_is_timed(self):
        self.collect(3)
        for pe in range(3):
            for site in read.Profile(self.into / f"pe-0000{pe}.sheaf").sites:
                self.assertEqual(site.timed, len(site.cells), site.name)
        site = self.site(self.numbers(), "shmem_long_p")
        self.assertTrue(site["is_sampled"] and site["error"] > 0, site)

    def test_lines(self):
        self.collect(2)
        lines = Path(__file__).with_name("known.c").read_text().splitlines()
        for site in self.numbers()["sites"]:
            if shutil.which("addr2line") and site["place"].startswith("known.c:"):
                self.assertIn(site["routine"], lines[int(site["place"].split(":")[1]) - 1])
            else:
                self.assertRegex(site["place"], r"\+0x[0-9a-f]+$")

    def test_files_are_the_users_alone(self):
        self.collect(2)
        for path in self.into.glob("pe-*"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.into.stat().st_mode), 0o700)

    def test_variable_alone(self):
        self.into.mkdir()
        self.assertEqual(run(OSHRUN, "-n", 3, KNOWN, SHEAF_PROFILE=str(self.into)).returncode, 0)
        self.check_counts(self.numbers(), 3)

    def test_children_are_not_profiled(self):
        self.into.mkdir()
        done = run(OSHRUN, "-n", 1, "sh", "-c", f"'{KNOWN}' && env", SHEAF_PROFILE=str(self.into))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_counts(self.numbers(), 1)

    def test_path_with_spaces(self):
        tree = self.folder / "a tree"
        root = Path(OSHRUN).parent.parent
        (tree / "lib").mkdir(parents=True)
        for path in (root / "lib").glob("libsheaf*.so*"):
            shutil.copy(path, tree / "lib", follow_symlinks=True)
        self.into.mkdir()
        done = run(OSHRUN, "-n", 2, KNOWN, SHEAF_PROFILE=str(self.into), LD_LIBRARY_PATH=str(tree / "lib"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_counts(self.numbers(), 2)

    def test_more_than_is_kept(self):
        self.collect(2, program=BUSY)
        numbers = self.numbers()
        for routine, calls in (("shmem_long_p", 10000), ("shmem_barrier_all", 10000), ("shmem_long_sum_reduce", 10000),
                               ("shmem_malloc", 3000), ("shmem_free", 3000)):
            self.assertEqual(self.site(numbers, routine)["calls"], 2 * calls, routine)
        # One collective in 8 is recorded, the same ones by both PEs.
        self.assertTrue(any("one in 8 is recorded" in note for note in numbers["notes"]), numbers["notes"])
        for routine in "shmem_barrier_all", "shmem_long_sum_reduce":
            times = sum(row["times"] for row in self.site(numbers, routine)["last"].values())
            self.assertTrue(9000 <= times <= 11000, times)
        self.assertEqual(numbers["per_pe"]["1"]["heap_peak"], 64 * 3000)
        self.assertEqual(numbers["matrix"], [{"from": 0, "to": 1, "calls": 10000, "bytes": 80000},
                                             {"from": 1, "to": 0, "calls": 10000, "bytes": 80000}])

    def test_growing_heap(self):
        """A block costs the same whether few or many stand in the heap. The best of three: the machine may be busy."""
        ratios = []
        for turn in range(3):
            done = run(OSHRUN, "-n", 1, "--profile", self.folder / f"grows{turn}", KNOWN, "grows")
            self.assertEqual(done.returncode, 0, done.stderr)
            ratios.append(float(done.stdout.split()[-1]))
        self.assertLess(min(ratios), 4, ratios)

    def test_several_hosts(self):
        on_hosts = ROOT / "tests/common/on-hosts"
        self.into.mkdir()
        done = run(sys.executable, on_hosts, "aab", KNOWN, SHEAF_PROFILE=str(self.into), timeout=140)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = self.numbers()
        self.check_counts(numbers, 3)
        put = self.site(numbers, "shmem_long_put")
        self.assertEqual((put["near"]["calls"], put["far"]["calls"]), (100, 200))
        self.check_messages(numbers["messages"])

    def check_messages(self, messages):
        """Single or gathered, the puts and gets are there; what is under way as counting begins or ends is little."""
        self.assertTrue({"put", "batch"} & set(messages) and {"result", "data", "batch's data"} & set(messages), messages)
        self.assertGreater(sum(row["sent"] for row in messages.values()), 50)
        for kind, row in messages.items():
            self.assertLess(abs(row["sent"] - row["arrived"]), 64, kind)

    def refused(self, done, *texts, status=None):
        self.assertNotEqual(done.returncode, 0)
        if status is not None:
            self.assertEqual(done.returncode, status)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_bad_folders(self):
        file = self.folder / "file"
        file.write_text("")
        self.refused(run(OSHRUN, "-n", 2, "--profile", file, KNOWN), str(file), "not a directory", status=2)
        self.refused(run(OSHRUN, "-n", 2, "--profile", self.folder / "a/b", KNOWN), "No such file", status=2)
        self.refused(run(OSHRUN, "-n", 2, "--profile", "", KNOWN), "--profile needs a value", status=2)
        self.refused(run(OSHRUN, "-n", 2, KNOWN, SHEAF_PROFILE=str(file)), "profile:", str(file))
        self.refused(run(OSHRUN, "-n", 2, KNOWN, SHEAF_PROFILE=str(self.folder / "a/b")), "No such file")

    def test_second_run(self):
        self.collect(2)
        again = run(OSHRUN, "-n", 2, "--profile", self.into, KNOWN)
        self.refused(again, "another run", status=2)
        again = run(OSHRUN, "-n", 2, KNOWN, SHEAF_PROFILE=str(self.into))
        self.refused(again, "another run")
        self.assertEqual(again.stderr.count("another run"), 1)
        self.check_counts(self.numbers(), 2)

    def test_link_in_the_way(self):
        self.into.mkdir()
        victim = self.folder / "victim"
        victim.write_text("mine")
        (self.into / "pe-00000.sheaf").symlink_to(victim)
        self.refused(run(OSHRUN, "-n", 1, KNOWN, SHEAF_PROFILE=str(self.into)), "profile:")
        self.assertEqual(victim.read_text(), "mine")

    def test_link_in_the_place_of_a_page(self):
        """As another user may have put it into a folder that both can write."""
        self.collect(1, option="--trace")
        victim = self.folder / "victim"
        victim.write_text("mine")
        for option, name in ((), "profile.html"), (("--trace",), "trace.json"), (("-o", self.into / "page"), "page"):
            path = self.into / name
            path.unlink(missing_ok=True)
            path.symlink_to(victim)
            self.refused(oshprof(*option, self.into), f"{path}: it is not a regular file", status=1)
            path.unlink()
            os.link(victim, path)
            self.assertEqual(oshprof(*option, self.into).returncode, 0)
            self.assertEqual(victim.read_text(), "mine")
            self.assertGreater(path.stat().st_size, 1000)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o666 & ~self.mask())
        self.assertEqual([name for name in os.listdir(self.into) if name.startswith(".")], [])

    def test_names_that_a_terminal_would_obey(self):
        self.into = self.folder / "a\x1b[31m\nb"
        shown = f"{self.folder}/a?[31m?b"
        done = self.collect(1)
        self.assertIn(f"oshrun: the profile is in {shown}: ", done.stderr)
        for arguments in (), ("--text",):
            done = oshprof(*arguments, self.into)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.refused(oshprof(self.into / "none"), f"oshprof: {shown}/none: ", status=1)
        self.refused(run(OSHRUN, "-n", 1, KNOWN, SHEAF_PROFILE="/dev/null/a\x1b[31mb"), "profile: ", "/dev/null/a?[31mb")

    @staticmethod
    def mask():
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def test_a_profile_that_cannot_begin(self):
        """No part of it stays: it would be damaged, and keep the next run from the folder. What was there does."""
        self.into.mkdir()
        (self.into / "pe-00001.sheaf").write_text("kept")
        self.refused(run(OSHRUN, "-n", 3, KNOWN, SHEAF_PROFILE=str(self.into)), "it holds the profile of another run", status=1)
        self.assertEqual((os.listdir(self.into), (self.into / "pe-00001.sheaf").read_text()), (["pe-00001.sheaf"], "kept"))

    def test_static_programs(self):
        self.into.mkdir()
        self.refused(run(OSHRUN, "-n", 2, STATIC, SHEAF_PROFILE=str(self.into)), "libsheaf.a", "SHEAF_PROFILE")
        self.assertEqual(list(self.into.iterdir()), [])

    def test_inline_forms(self):
        program = self.folder / "inline"
        source = Path(__file__).with_name("known.c")
        made = run(os.environ["OSHCC"], "--inline", "-g", "-O2", source, "-o", program)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.collect(2, program=program)
        self.check_counts(self.numbers(), 2)

    def test_killed(self):
        done = run(OSHRUN, "-n", 2, "--profile", self.into, KNOWN, "killed")
        self.assertEqual(done.returncode, 137)
        numbers = self.numbers()
        self.assertTrue(any("did not end in order" in note for note in numbers["notes"]), numbers["notes"])
        self.assertEqual(self.site(numbers, "shmem_long_put")["by_pe"]["0"]["calls"], 100)

    def test_global_exit(self):
        self.collect(2, "exits")
        self.assertTrue(any("without shmem_finalize" in note for note in self.numbers()["notes"]))

    def damage(self, change):
        shutil.rmtree(self.into, True)
        shutil.copytree(self.folder / "whole", self.into)
        path = self.into / "pe-00001.sheaf"
        data = bytearray(path.read_bytes())
        path.write_bytes(change(data))
        done = oshprof("--text", self.into)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_damaged_files(self):
        self.into = self.folder / "whole"
        self.collect(2)
        self.into = self.folder / "damaged"

        def put(at, layout, value):
            def change(data):
                struct.pack_into(layout, data, at, value)
                return bytes(data)
            return change
        changes = {"empty": lambda data: b"", "cut": lambda data: data[:70000], "short": lambda data: data[:100],
                   "magic": put(0, "<Q", 1), "version": put(8, "<I", 77), "pe": put(16, "<I", 99),
                   "pes": put(20, "<I", 1 << 31), "job": put(32, "<Q", 5), "used": put(40, "<Q", 1 << 60),
                   "chunk": put(65536, "<I", 200), "length": put(65536 + 8, "<Q", 3),
                   "count": put(65536 + 16, "<Q", 1 << 40)}
        for name, change in changes.items():
            with self.subTest(name):
                done = self.damage(change)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("note: pe-00001.sheaf", done.stdout)
        done = self.damage(lambda data: data.replace(b"shmem_int_p", b"shmem\x1bint_p"))
        self.assertIn("shmem?int_p", done.stdout)
        self.check_pipe()
        for at in range(0, 600, 8):
            for value in (1 << 64) - 1, 1 << 63, 0:
                self.assertIn(self.damage_quickly(at, value), (0, 1))

    def check_pipe(self):
        """Nobody writes into it: it is not waited for."""
        path = self.into / "pe-00001.sheaf"
        path.unlink()
        os.mkfifo(path)
        self.assertIn("note: pe-00001.sheaf: not a file", oshprof("--text", self.into).stdout)

    def damage_quickly(self, at, value):
        """Within this process: 200 starts of Python take 10 s."""
        data = bytearray((self.folder / "whole/pe-00001.sheaf").read_bytes())
        struct.pack_into("<Q", data, at, value)
        (self.folder / "x").write_bytes(data)
        try:
            read.Profile(self.folder / "x")
            return 0
        except read.Damaged:
            return 1

    def test_nothing_to_read(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for path, text in (empty, "holds no profile"), (self.folder / "none", "No such file"), (KNOWN, "not a folder"):
            done = oshprof(path)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(text, done.stderr)

    def test_trace(self):
        self.collect(3, option="--trace")
        trace = json.loads((self.into / "trace.json").read_text())
        events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual(sum(event["name"] == "shmem_long_put" for event in events), 300)
        numbers = [[event["args"].get("number", 0) for event in events
                    if (event["pid"], event["name"]) == (pe, "shmem_barrier_all")] for pe in range(3)]
        self.assertEqual(len(numbers[0]), 10)
        self.assertEqual(numbers[1:], [numbers[0], numbers[0]]) # though PE 0 has left out a collective before
        starts = {event["id"]: event for event in trace["traceEvents"] if event["ph"] == "s"}
        ends = {event["id"]: event for event in trace["traceEvents"] if event["ph"] == "f"}
        self.assertEqual(sorted((start["pid"], ends[number]["pid"]) for number, start in starts.items()),
                         [(0, 1), (1, 2), (2, 0)])
        for number, start in starts.items():
            self.assertLessEqual(start["ts"], ends[number]["ts"])
        self.check_form(trace["traceEvents"])
        self.check_counts(self.numbers(), 3)

    @unittest.skipUnless(os.environ.get("NUMPY_PYTHON"), "this build has no Python module")
    def test_lines_of_python(self):
        program = self.folder / "sends.py"
        program.write_text("import sheafshmem as shmem\n"                         # 1
                           "a = shmem.zeros(4)\n"                                 # 2
                           "pe = (shmem.my_pe() + 1) % shmem.n_pes()\n"           # 3
                           "for i in range(300):\n"                               # 4
                           "    a.put([i], pe)\n"                                 # 5
                           "    if i % 3 == 0:\n"                                 # 6
                           "        a.put([1, 2], pe)\n"                          # 7
                           "shmem.barrier()\n")                                   # 8
        settings = {"PYTHONPATH": os.environ["PACKAGE"], "PYTHONDONTWRITEBYTECODE": "1"}
        python = os.environ["NUMPY_PYTHON"]
        self.refused(run(OSHRUN, "-n", 2, "--profile", self.into, python, program, **settings), "LD_PRELOAD=", "[SH212]")
        shutil.rmtree(self.into)
        self.collect(2, f"LD_PRELOAD={os.environ['LIBRARY']}", python, program, program="env", **settings)
        sites = {(site["routine"], site["place"]): site["calls"] for site in self.numbers()["sites"]}
        self.assertEqual(sites, {("shmem_calloc", "sends.py:2"): 2, ("shmem_ctx_putmem", "sends.py:5"): 600,
                                 ("shmem_ctx_putmem", "sends.py:7"): 200, ("shmem_barrier_all", "sends.py:8"): 2})

    def test_memory_nodes(self):
        words = {"0": "0 % of the bytes", "1": "100 % of the bytes", "4": "% of the bytes", None: "Function not implemented"}
        for remote, text in words.items():
            self.into = self.folder / f"remote {remote}"
            self.collect(2, LD_PRELOAD=os.environ["NODES"], **({"REMOTE": remote} if remote else {}))
            numbers = self.numbers()
            self.assertIn(text, numbers["memory_nodes"])
            seen = {site["routine"]: site["node_bytes"] for site in numbers["sites"] if any(site["node_bytes"].values())}
            local, remote_bytes = (sum(row[where] for row in seen.values()) for where in ("local", "remote"))
            self.assertEqual((local > 0, remote_bytes > 0), {"0": (True, False), "1": (False, True), "4": (True, True),
                                                             None: (False, False)}[remote])
            self.assertLessEqual(set(seen), {"shmem_long_p", "shmem_int_p", "shmem_short_p", "shmem_long_put", "shmem_getmem", "shmem_long_g",
                                             "shmem_long_atomic_fetch_add", "shmem_long_put_signal", "shmem_ctx_long_p"})

    def test_memory_nodes_in_turns(self):
        """Three calls of four go to the caller's node, each traced, and so timed."""
        self.collect(1, "0", "0", option="--trace", program=os.environ["MIX"], LD_PRELOAD=os.environ["NODES"], REMOTE="-1")
        sites = [site["node_bytes"] for site in self.numbers()["sites"] if site["routine"] == "shmem_putmem"]
        self.assertEqual(sorted((site["local"] > 0, site["remote"] > 0) for site in sites), [(False, True), (True, False)])
        local, remote = (sum(site[where] for site in sites) for where in ("local", "remote"))
        self.assertTrue(0.15 < remote / (local + remote) < 0.35, sites)

    def check_form(self, events):
        """As the description of Chrome's trace format asks: times in us and not back, calls that lie within one another on
        each thread, and each end of an arrow within a call, as Perfetto binds it ("bp": "e")."""
        wanted = {"M": {"name", "pid", "args"}, "X": {"name", "cat", "ts", "dur"}, "B": {"name", "ts"}, "E": {"ts"},
                  "C": {"name", "ts", "args"}, "s": {"id", "name", "cat", "ts"}, "f": {"id", "name", "cat", "ts", "bp"},
                  "i": {"name", "ts", "s"}}
        calls = {}
        for event in events:
            self.assertLessEqual(wanted[event["ph"]], set(event))
            self.assertTrue(event["ph"] == "M" or event["ts"] >= 0, event)
            if event["ph"] == "X":
                calls.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        for spans in calls.values():
            spans.sort()
            self.assertTrue(all(after[0] >= before[1] - .001 for before, after in zip(spans, spans[1:])))
        for event in events:
            if event["ph"] in "sf":
                spans = calls[event["pid"], event["tid"]]
                self.assertTrue(any(begin <= event["ts"] < end for begin, end in spans), event)
        depth = {}
        for event in events:
            if event["ph"] in "BE":
                thread = (event["pid"], event["tid"])
                depth[thread] = depth.get(thread, 0) + (1 if event["ph"] == "B" else -1)
                self.assertGreaterEqual(depth[thread], 0)

    def test_otf2(self):
        self.collect(2, option="--trace")
        python = next((python for python in (sys.executable, "/usr/bin/python3") if os.path.exists(python) and
                       run(python, "-c", "import otf2").returncode == 0), None)
        if not python:
            self.refused(run(sys.executable, OSHPROF, "--otf2", self.into), "python3-otf2", status=1)
            return
        done = run(python, OSHPROF, "--otf2", self.into)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(run(python, OSHPROF, "--otf2", self.into), "there already", status=1)
        if shutil.which("otf2-print"):
            told = run("otf2-print", self.into / "otf2/traces.otf2").stdout
            self.assertEqual(sum(line.startswith("ENTER") and "shmem_long_put\"" in line for line in told.splitlines()), 200)
            self.assertEqual(told.count("\nENTER"), told.count("\nLEAVE"))

    def test_page_whose_new_file_is_moved(self):
        """Whoever owns the folder puts a link to a file of this user in the place of the new one, before it has its name."""
        into, victim = self.folder / "other", self.folder / "victim"
        into.mkdir()
        victim.write_text("mine")
        victim.chmod(0o600)

        def moved(file, *arguments, **options):
            stream = real(file, *arguments, **options)
            for new in into.iterdir():
                new.unlink()
                new.symlink_to(victim)
            return stream
        real = open
        with unittest.mock.patch("builtins.open", moved):
            command.write(str(into / "page"), "text")
        self.assertEqual((victim.read_text(), stat.S_IMODE(victim.stat().st_mode)), ("mine", 0o600))

    def test_otf2_by_a_descriptor(self):
        """A library in OTF2's place, while which opens the archive another user moves the folder: a link is there instead."""
        self.collect(1, option="--trace")
        kept, library = self.folder / "kept", self.folder / "lib/otf2"
        library.mkdir(parents=True)
        kept.mkdir()
        (library / "__init__.py").write_text("""if True:
            import os, types
            def open(folder, timer_resolution):
                for place in next(os.walk(os.environ["INTO"]))[1]:
                    os.rename(os.path.join(os.environ["INTO"], place), os.environ["MOVED"])
                    os.symlink(os.environ["KEPT"], os.path.join(os.environ["INTO"], place))
                os.makedirs(folder + "/traces", exist_ok=True)
                with builtins.open(folder + "/traces.otf2", "w") as file:
                    file.write("trace")
                raise OSError("enough")
            import builtins
            writer = types.SimpleNamespace(open=open)
            error = types.SimpleNamespace(Error=OSError)
            """)
        done = run(sys.executable, OSHPROF, "--otf2", self.into, PYTHONPATH=str(library.parent),
                   INTO=str(self.into), KEPT=str(kept), MOVED=str(self.folder / "moved"))
        self.refused(done, "enough", status=1)
        self.assertEqual((os.listdir(kept), os.listdir(self.folder / "moved")), ([], []))
        (self.into / "otf2").unlink()
        self.refused(run(sys.executable, OSHPROF, "--otf2", self.into, PYTHONPATH=str(library.parent),
                         INTO=str(kept), KEPT="", MOVED=""), "enough", status=1)
        self.assertFalse((self.into / "otf2").exists())

    def test_who_ended_waits(self):
        self.collect(3, option="--trace")
        numbers = self.numbers()
        self.assertEqual(sorted((row["pe"], row["for"]) for row in numbers["waited_for"]), [(0, 2), (1, 0), (2, 1)])
        self.assertIn("store ended them", oshprof("--text", self.into).stdout)

    def test_events_in_the_trace(self):
        self.collect(2, option="--trace")
        trace = json.loads((self.into / "trace.json").read_text())["traceEvents"]
        for phase, count in ("B", 12), ("E", 12), ("C", 10):
            self.assertEqual(sum(event["ph"] == phase for event in trace), count)

    def test_tool_in_the_program(self):
        example = ROOT / "examples/bytes_put.c"
        program = self.folder / "with-tool"
        made = run(os.environ["OSHCC"], "-g", "-O2", "-Wall", "-Wextra", "-Werror", Path(__file__).with_name("known.c"),
                   example, "-o", program)
        self.assertEqual(made.returncode, 0, made.stderr)
        told = ["PE 0 put 59200 bytes to PE 1", "PE 1 put 59200 bytes to PE 0"]
        self.assertEqual(sorted(run(OSHRUN, "-n", 2, program).stdout.splitlines()), told)
        done = self.collect(2, program=program)
        self.assertEqual(sorted(done.stdout.splitlines()), told)
        self.assertEqual(self.site(self.numbers(), "shmem_long_put")["calls"], 200)

    def test_new_process(self):
        """One that takes a dead PE's place is not in the profile, and says so: the PE's file is the dead one's."""
        source, program = pages.keep_program(ROOT / "docs/do/failures.md", "again.c", self.folder), self.folder / "again"
        made = run(os.environ["OSHCC"], "-g", source, "-o", program)
        self.assertEqual(made.returncode, 0, made.stderr)
        done = run(OSHRUN, "--spare", 1, "-n", 3, "--profile", self.into, program, SHEAF_FAILURES="report")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("PE 1 did 5 steps", done.stdout)
        self.assertIn("PE 1: profile: this process replaces a dead one", done.stderr)
        self.assertGreaterEqual(self.site(self.numbers(), "shmem_barrier_all")["calls"], 2)

    def test_ring(self):
        self.collect(2, option="--trace", SHEAF_TRACE_EVENTS="100")
        trace = json.loads((self.into / "trace.json").read_text())
        self.assertEqual(sum(event["ph"] in "XBEC" for event in trace["traceEvents"]), 190) # 10 are no number
        self.assertGreater(trace["otherData"]["dropped"], 2000)
        self.check_counts(self.numbers(), 2)

    def test_text_and_difference(self):
        self.collect(2)
        first = self.into
        self.into = self.folder / "second"
        self.collect(2)
        text = oshprof("--text", first)
        self.assertIn("shmem_long_put at ", text.stdout)
        self.assertIn("Who came last", text.stdout)
        done = oshprof("--diff", first, self.into)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("calls before", done.stdout)
        self.assertEqual(oshprof("--diff", first).returncode, 2)


if __name__ == "__main__":
    unittest.main()
