# SPDX-License-Identifier: BSD-3-Clause
"""oshtop --serve: who keeps others waiting, what hangs for certain, and that it bears whoever asks."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

from common import LIMIT, PATIENCE, OshrunTest, wait_for

OSHTOP = os.environ["OSHTOP"]
MISTAKES = os.environ["MISTAKES"]
SLOW = os.environ["SLOW"]
EXAMPLES = os.environ["EXAMPLES"]
ROUNDS = int(os.environ.get("ROUNDS", "60"))
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")


class Health(OshrunTest):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "health")
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.terminate()
            server.communicate(timeout=LIMIT)
        super().tearDown()

    def serve(self, place=None, **options):
        """The process, which answers from now on, and the line that it says."""
        server = subprocess.Popen([OSHTOP, f"--serve={self.path if place is None else place}"], stdout=subprocess.PIPE, text=True, **options)
        self.servers.append(server)
        return server, server.stdout.readline()

    def connect(self, place=None):
        kind, address = (socket.AF_INET, ("127.0.0.1", place)) if place else (socket.AF_UNIX, self.path)
        connection = socket.socket(kind, socket.SOCK_STREAM)
        connection.settimeout(LIMIT)
        for _ in range(100):  # the queue of those that are to be accepted may be full
            try:
                connection.connect(address)
                break
            except BlockingIOError:
                time.sleep(0.01)
        return connection

    def send(self, request, place=None):
        """The answer, as it comes."""
        answer = b""
        with self.connect(place) as connection:
            try:
                connection.sendall(request)
                while part := connection.recv(65536):
                    answer += part
            except (BrokenPipeError, ConnectionResetError):
                pass
        return answer.decode("ascii")

    def get(self, page, place=None, host="localhost"):
        head, _, body = self.send(f"GET {page} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), place).partition("\r\n\r\n")
        self.assertRegex(head, rf"^HTTP/1.0 200 OK\r\n(.*\r\n)*Content-Length: {len(body)}\r\n")
        return body

    def job(self, of):
        """What /health says of the job; None where it is not there."""
        found = [job for job in json.loads(self.get("/health"))["jobs"] if job["launcher"] == of.pid]
        return found[0] if found else None

    def metrics(self, of):
        """Each sample of the job by its name and further labels; all lines have the format. Other jobs of the user's may run."""
        found = {}
        for line in self.get("/metrics").splitlines():
            if not line.startswith("# HELP ") and not line.startswith("# TYPE "):
                name, labels, figure = SAMPLE.match(line).groups()
                labels = dict(pair.split("=") for pair in labels.split(",")) if labels else {}
                if labels.pop("job_id", None) in (None, f'"{of}"'):
                    found[(name, *(value.strip('"') for value in labels.values()))] = float(figure)
        return found

    def end(self, job):
        job.process.terminate()
        job.finish()

    def test_straggler(self):
        """It alone is named, and a job whose PE is late does not hang."""
        self.serve()
        job = self.start("-n", 4, MISTAKES, "missing")
        self.assertTrue(wait_for(lambda: (self.job(job) or {}).get("stragglers")))
        said = self.job(job)
        self.assertEqual((said["hung"], said["why"], said["pes_of_job"], said["missing"], said["stuck"]), (False, None, 4, [], []))
        (late,) = said["stragglers"]
        self.assertEqual((late["pe"], late["awaited_by"]), (3, 3))
        self.assertRegex(late["does"], "^runs its own code; its last collective, wait or allocation was shmem_long_sum_reduce")
        (world,) = [team for team in said["teams"] if team["team"] == "world"]
        self.assertEqual((world["size"], world["calls"]), (4, {"0": 2, "1": 2, "2": 2, "3": 1}))
        self.assertRegex(said["report"][0], "^PEs 0-2 wait for PE 3 in shmem_barrier_all ")
        found = self.metrics(said["job"])
        self.assertEqual((found[("sheaf_job_pes",)], found[("sheaf_job_hung",)], found[("sheaf_jobs",)] >= 1), (4, 0, True))
        self.assertGreater(found[("sheaf_straggler_seconds", "3")], 0)
        self.assertEqual([found[("sheaf_team_calls_total", "world", str(pe))] for pe in range(4)], [2, 2, 2, 1])
        self.end(job)
        self.assertTrue(wait_for(lambda: not self.job(job)))

    def test_library_over_this_one(self):
        """A library's own collective has stragglers and counts as those of OpenSHMEM have."""
        self.serve()
        job = self.start("-n", 3, MISTAKES, "own")
        self.assertTrue(wait_for(lambda: len((self.job(job) or {}).get("stragglers", [])) == 1 and
                                 self.job(job)["stragglers"][0]["awaited_by"] == 2))
        said = self.job(job)
        self.assertEqual((said["hung"], said["stragglers"][0]["pe"]), (False, 2))
        self.assertRegex(said["stragglers"][0]["does"], "^runs its own code; its last collective, wait or allocation was HALO_EXCHANGE ")
        self.assertRegex(said["report"][0], "^PEs 0,1 wait for PE 2 in HALO_EXCHANGE ")
        self.assertEqual([team["calls"] for team in said["teams"] if team["team"] == "world"], [{"0": 2, "1": 2, "2": 1}])
        self.end(job)

    def first(self, of, has):
        """What the first answer with it says of the job; and when it was still asked in vain, and the answer's own time."""
        asked, end = 0.0, time.time() + LIMIT
        while time.time() < end:
            before, asked = asked, time.time()
            answer = json.loads(self.get("/health"))
            for said in answer["jobs"]:
                if said["launcher"] == of.pid and has(said):
                    return said, before, answer["time"]
            if of.process.poll() is not None:
                return None, before, answer["time"]
            time.sleep(0.01)
        self.fail(f"not within {LIMIT} s")

    def test_soon(self):
        """Whoever asks a second after the beginning of a wait is told, and has the answer within a second. A machine that does other
        things has longer. Seconds of this test's own clock do not count: only questions that were in vain."""
        self.serve()
        for mistake, pes, where in (("missing", 3, "stragglers"), ("locks", 2, "stuck")):
            job = self.start("-n", pes, MISTAKES, mistake, env=dict(os.environ, SHEAF_STALL="off"))
            said, in_vain, answered = self.first(job, lambda said, where=where: said[where])
            self.assertLess(in_vain - (answered - said[where][0]["seconds"]), PATIENCE, mistake)
            begun = time.monotonic()
            self.get("/health")
            self.assertLess(time.monotonic() - begun, 5 * PATIENCE)  # 0.1 s where nobody else needs the processors
            self.end(job)

    def test_hung(self):
        self.serve()
        for mistake, why, stuck in (("locks", "circle", [0, 1]), ("lock", "circle", [0, 1])):
            job = self.start("-n", 2, MISTAKES, mistake, env=dict(os.environ, SHEAF_STALL="off"))
            self.assertTrue(wait_for(lambda: (self.job(job) or {}).get("hung")), mistake)
            said = self.job(job)
            self.assertEqual((said["why"], [pe["pe"] for pe in said["stuck"]]), (why, stuck))
            self.assertLess(said["stuck"][0]["seconds"], 10 * PATIENCE)
            self.assertEqual(self.metrics(said["job"])[("sheaf_job_hung",)], 1)
            self.end(job)

    def test_all_wait(self):
        """Nobody can say that nobody will write the variable: it is said since when all wait."""
        self.serve()
        job = self.start("-n", 2, MISTAKES, "value", env=dict(os.environ, SHEAF_STALL="off"))
        self.assertTrue(wait_for(lambda: (self.job(job) or {}).get("all_wait_seconds", 0) > 0.5))
        self.assertFalse(self.job(job)["hung"])
        self.end(job)

    def test_slow(self):
        """A job whose PEs are late again and again is looked at all the time, and never said to hang."""
        self.serve()
        job = self.start("-n", 4, SLOW, ROUNDS, 100)
        looks = late = 0
        while job.process.poll() is None:
            said = self.job(job)
            if said:
                looks += 1
                late += len(said["stragglers"])
                self.assertEqual((said["hung"], said["missing"], said["stuck"]), (False, [], []), said["report"])
            time.sleep(0.01)
        self.assertEqual(job.finish().out, f"{ROUNDS} rounds\n")
        self.assertGreater(late, 3)
        print(f"{ROUNDS} rounds, {looks} looks, {late} times a straggler", file=sys.stderr)

    def test_killed(self):
        self.serve()
        job = self.start("-n", 3, MISTAKES, "missing", env=dict(os.environ, SHEAF_FAILURES="report"))
        late, *_ = self.first(job, lambda said: said["stragglers"])
        killed = time.time()
        os.kill(late["stragglers"][0]["pid"], signal.SIGKILL)
        said, in_vain, _ = self.first(job, lambda said: said["missing"])
        self.assertLess(in_vain - killed, PATIENCE)
        if said:  # the others are ended with the job, which may be by now
            self.assertIn(2, [pe["pe"] for pe in said["missing"]])
        self.end(job)

    def test_requests(self):
        """Short ones, of few pages, that change nothing."""
        self.serve()
        for request, status in ((b"GET / HTTP/1.0\r\n\r\n", "404"), (b"GET /health/../metrics HTTP/1.0\r\n\r\n", "404"),
                                (b"POST /health HTTP/1.0\r\n\r\n", "405"), (b"\r\n\r\n", "405"),
                                (b"GET " + b"a" * 5000, "400"), (b"GET /health\0 HTTP/1.0\r\n", "400"),
                                (b"GET /health?x=%s%n HTTP/1.0\r\n\r\n", "200"), (b"GET /health\n\n", "200")):
            answer = self.send(request)
            self.assertTrue(answer.startswith(f"HTTP/1.0 {status} ") or (status == "400" and not answer), (request, answer))
        self.assertIn("jobs", json.loads(self.get("/health")))

    def test_silent_clients(self):
        """They hold all connections for two seconds at most, and cost no processor."""
        server, _ = self.serve()
        silent = [self.connect() for _ in range(24)]
        begun = time.monotonic()
        wait_for(lambda: self.send(b"GET /health HTTP/1.0\r\n\r\n"))
        self.assertLess(time.monotonic() - begun, 5 * PATIENCE)
        with open(f"/proc/{server.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        self.assertLess(int(fields[11]) + int(fields[12]), 100)
        for connection in silent:
            connection.close()

    def test_place(self):
        server, line = self.serve()
        self.assertEqual(line, f"serving {self.path}\n")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        self.refused(self.path, f"--serve={self.path}: another process serves it")
        server.kill()
        server.wait()
        server, line = self.serve()  # in the place of the one that was killed
        self.assertIn("jobs", json.loads(self.get("/health")))
        server.terminate()
        self.assertEqual((server.wait(), os.path.exists(self.path)), (0, False))
        shared = os.path.join(self.folder, "shared")
        self.expected_files.add("shared")
        os.mkdir(shared)
        os.chmod(shared, 0o777)
        self.refused(f"{shared}/health", f"--serve={shared}/health: other users can write the folder {shared}: "
                                         "choose one of your own")
        self.refused(OSHTOP, f"--serve={OSHTOP}: this is there already, and is no socket of yours")
        self.refused(":x", "--serve=:x: expected a path, or : and a port from 0 to 65535", status=2, id="SH951")

    def refused(self, place, line, status=1, id="SH952"):
        result = subprocess.run([OSHTOP, f"--serve={place}"], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (status, "", f"oshtop: {line} [{id}]\n"))

    def test_own_folder(self):
        server, line = self.serve("", env=dict(os.environ, XDG_RUNTIME_DIR=self.folder))
        self.assertEqual(line, f"serving {self.folder}/oshtop.socket\n")

    def test_port(self):
        """On the loopback interface alone, and not under a name that a page of the web may have for it."""
        _, line = self.serve(":0")
        port = int(re.match(r"serving http://127\.0\.0\.1:(\d+)\n", line)[1])
        self.assertIn("jobs", json.loads(self.get("/health", port, f"127.0.0.1:{port}")))
        self.assertRegex(self.get("/metrics", port, f"localhost:{port}"), "\nsheaf_jobs [0-9]+\n")
        for host in ("evil.example", "localhost.evil.example", f"127.0.0.1.evil.example:{port}"):
            self.assertTrue(self.send(f"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), port).startswith("HTTP/1.0 421 "))

    @unittest.skipIf(os.geteuid() != 0, "only root can be somebody else")
    def test_another_user(self):
        self.serve()
        os.chmod(self.folder, 0o755)
        os.chmod(self.path, 0o666)  # as if its owner had opened it: the peer's user counts too
        ask = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b'GET /health\\n\\n'); " \
              "print(s.recv(100))"
        result = subprocess.run(["/usr/bin/python3", "-c", ask, self.path], capture_output=True, text=True, timeout=LIMIT,
                                user=65534, group=65534, extra_groups=[])
        self.assertNotIn("200", result.stdout)

    def test_watchdog(self):
        """It ends a job that hangs, and lets one go on whose PEs are late."""
        self.serve()
        words = [sys.executable, os.path.join(EXAMPLES, "watchdog.py"), self.path]
        oshrun = [os.environ["OSHRUN"], "-n", "2"]
        for limit, program, status, line in (
                ("30", [MISTAKES, "locks"], 75, "watchdog: circle: PE 0 on .* waits in shmem_set_lock"),
                ("1", [MISTAKES, "missing"], 75, r"watchdog: others have waited for 1 s: PE 1 on \S+ \(pid \d+\) runs its own code"),
                ("5", [SLOW, "20", "20"], 0, "")):
            result = subprocess.run([*words, limit, *oshrun, *program], capture_output=True, text=True, timeout=LIMIT,
                                    env=dict(os.environ, SHEAF_STALL="off"))
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, line or "^$")

    def test_textfile(self):
        server, _ = self.serve()
        self.expected_files.add("sheaf.prom")
        words = [sys.executable, os.path.join(EXAMPLES, "textfile.py"), self.path, self.folder]
        subprocess.run(words, check=True, timeout=LIMIT)
        written = os.path.join(self.folder, "sheaf.prom")
        with open(written, encoding="ascii") as file:
            self.assertRegex(file.read(), "\nsheaf_jobs [0-9]+\n")
        server.terminate()
        server.wait()
        subprocess.run(words, check=True, timeout=LIMIT, stderr=subprocess.DEVNULL)
        with open(written, encoding="ascii") as file:
            self.assertEqual(file.read(), "sheaf_up 0\n")


if __name__ == "__main__":
    unittest.main()
