# SPDX-License-Identifier: BSD-3-Clause
"""Rendezvous that go wrong, and the variables by which processes find theirs. Jobs that go well: launchers.py. Hosts that are
really apart: tests/hosts/test_rendezvous.py.

Arguments: the program boot-life, and how many random starts; then names of tests. IDENTIFIER is the program boot-identifier."""
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "common"))
import mpich # noqa: E402

PROGRAM, STARTS = sys.argv[1], int(sys.argv[2])
IDENTIFIER = os.environ["IDENTIFIER"]
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/launch")
SECRET, OTHER = "3c1f0a9d5e7b2846", "84615e2c7d90ab3f"
LIMIT = 30
CONNECTED, LISTENS = "01", "0A"  # as /proc/net/tcp has them
SETS = re.compile("^(SHEAF_|SLURM_|FLUX_|PALS_|JSM_|LSB_|PMI|RANK$|WORLD_SIZE$|MASTER_|JOB_COMPLETION)")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listener_before_a_free_port():
    """Other tests have ports of their own at the same time."""
    while True:
        one = socket.socket()
        one.bind(("127.0.0.1", 0))
        one.listen()
        with socket.socket() as next_one:
            try:
                next_one.bind(("127.0.0.1", one.getsockname()[1] + 1))
                return one
            except OSError:
                one.close()


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::1", 0))
            return True
    except OSError:
        return False


class Process:
    """One that is to meet others; variables on top of an environment without any launcher's."""

    def __init__(self, *words, program=PROGRAM, **variables):
        environment = {name: value for name, value in os.environ.items() if not SETS.match(name)}
        self.process = subprocess.Popen([program, *words], env=dict(environment, **variables), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.began = time.monotonic()

    def finish(self):
        """Its status, what it printed, and its lines of errors without their ids."""
        try:
            out, err = self.process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            raise AssertionError(f"rank did not end within {LIMIT} s\n{out}\n{err}") from None
        self.seconds = time.monotonic() - self.began
        self.status, self.out, self.said = self.process.returncode, out, re.sub(r" \[SH\d{3}\]", "", err).splitlines()
        return self

    def __repr__(self):
        return f"status {self.status} after {self.seconds:.1f} s\n{self.out}\n" + "\n".join(self.said)


class Meeting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sheaf-meet-")
        self.where = f"127.0.0.1:{free_port()}"

    def tearDown(self):
        shutil.rmtree(self.folder)

    def start(self, rank, size, way="", **variables):
        return Process(way, **dict({"SHEAF_RANK": str(rank), "SHEAF_SIZE": str(size), "SHEAF_RENDEZVOUS": self.where}, **variables))

    def run_all(self, *processes):
        return [process.finish() for process in processes]

    def met(self, *processes):
        done = self.run_all(*processes)
        self.assertEqual([process.status for process in done], [0] * len(done), done)
        self.assertIn(f"life: {len(done)} PEs", "".join(process.out for process in done))
        self.assertEqual([process.said for process in done], [[]] * len(done))

    def failed(self, process, line):
        """Ended with status 1, and one line."""
        self.assertEqual((process.status, len(process.said)), (1, 1), process)
        self.assertRegex(process.said[0], line)


class Ways(Meeting):
    """Where processes meet."""

    def both(self, where, **variables):
        self.where = where
        self.met(self.start(1, 2, **variables), self.start(0, 2, **variables))

    def test_port(self):
        for host in ("127.0.0.1", "localhost", *(["[::1]"] if has_ipv6() else [])):
            with self.subTest(host=host):
                self.both(f"{host}:{free_port()}")
                self.both(f"{host}:{free_port()}", SHEAF_SECRET=SECRET)

    def test_port_again(self):
        """The port of a job that has just ended."""
        for _ in range(3):
            self.both(self.where, SHEAF_SECRET=SECRET)

    def test_port_of_its_own(self):
        self.where = "127.0.0.1"
        port = str(free_port())
        self.met(*(self.start(rank, 2, SHEAF_RENDEZVOUS_PORT=port) for rank in range(2)))

    def test_file(self):
        self.both(self.folder + "/meet")
        self.assertEqual(os.listdir(self.folder), [])
        with open(self.folder + "/meet", "w", encoding="ascii") as stale:
            stale.write(f"sheaf1 {32 * '0'} {32 * '1'} 127.0.0.1 {free_port()}")
        os.chmod(self.folder + "/meet", 0o600)
        self.both(self.folder + "/meet")
        self.assertEqual(os.listdir(self.folder), [])

    def test_file_is_private(self):
        root = self.start(0, 2, SHEAF_RENDEZVOUS=self.folder + "/meet")
        while not os.path.exists(self.folder + "/meet"):
            time.sleep(0.01)
        self.assertEqual(os.stat(self.folder + "/meet").st_mode & 0o777, 0o600)
        os.chmod(self.folder + "/meet", 0o644)
        self.failed(self.start(1, 2, SHEAF_RENDEZVOUS=self.folder + "/meet", SHEAF_RENDEZVOUS_TIMEOUT="1").finish(),
                    "others may use it")
        os.chmod(self.folder + "/meet", 0o600)
        self.met(root, self.start(1, 2, SHEAF_RENDEZVOUS=self.folder + "/meet"))

    def test_secret_file(self):
        path = self.folder + "/secret"
        with open(path, "w", encoding="ascii") as file:
            file.write(SECRET + "\n")
        os.chmod(path, 0o600)
        self.met(self.start(0, 2, SHEAF_SECRET_FILE=path), self.start(1, 2, SHEAF_SECRET=SECRET))
        os.chmod(path, 0o622)
        self.failed(self.start(1, 2, SHEAF_SECRET_FILE=path).finish(), f"{path}, which cannot be used: other users can write it")

    def test_secret_is_not_shown(self):
        for process in self.run_all(*(self.start(rank, 2, SHEAF_SECRET=SECRET, SHMEM_INFO="1") for rank in range(2))):
            self.assertNotIn(SECRET, process.out)
            self.assertEqual(process.status, 0)

    def test_alone(self):
        self.met(self.start(0, 1))


class Variables(Meeting):
    """By whom processes were started."""

    def those(self, size, **shared):
        """Processes of these variables: {} is the rank."""
        return [Process("", **{name: value.format(rank) for name, value in shared.items()}) for rank in range(size)]

    def test_torchrun(self):
        port = free_port()
        shared = {"RANK": "{}", "WORLD_SIZE": "3", "LOCAL_RANK": "{}", "MASTER_ADDR": "localhost"}
        with listener_before_a_free_port() as torch:  # its port is its own
            self.met(*self.those(3, MASTER_PORT=str(torch.getsockname()[1]), **shared))
        self.met(*self.those(3, MASTER_PORT="1", SHEAF_RENDEZVOUS_PORT=str(port), **shared))
        self.met(*self.those(3, SHEAF_RENDEZVOUS=self.folder + "/meet", **shared))

    def test_kubernetes(self):
        self.met(*self.those(2, JOB_COMPLETION_INDEX="{}", SHEAF_SIZE="2", SHEAF_RENDEZVOUS=self.where))

    def test_slurm(self):
        shared = {"SLURM_PROCID": "{}", "SLURM_STEP_NUM_TASKS": "2", "SLURM_NPROCS": "2", "SLURM_STEP_NODELIST": "127.0.0.[1-2,7]"}
        self.met(*self.those(2, SLURM_JOB_ID=str(random.randrange(10**6)), SLURM_STEP_ID="0", **shared))
        self.met(*self.those(2, SHEAF_RENDEZVOUS=self.folder + "/meet", **shared))

    def test_without_pmi(self):
        """Flux (-o pmi=off), PALS and jsrun number their processes also where they give them no PMI that Sheaf speaks."""
        for variables in ({"FLUX_TASK_RANK": "{}", "FLUX_TASK_LOCAL_ID": "{}", "FLUX_JOB_SIZE": "2", "FLUX_JOB_NNODES": "1", "FLUX_JOB_ID": "f7"},
                          {"PALS_RANKID": "{}", "PALS_LOCAL_RANKID": "{}", "PALS_NODEID": "0", "PALS_APID": "7", "PMI_RANK": "{}",
                           "PMI_SIZE": "2", "PMI_CONTROL_PORT": "20011"},
                          {"JSM_NAMESPACE_RANK": "{}", "JSM_NAMESPACE_LOCAL_RANK": "{}", "JSM_NAMESPACE_SIZE": "2", "LSB_JOBID": "7"}):
            with self.subTest(variables=variables):
                self.met(*self.those(2, SHEAF_RENDEZVOUS=self.folder + "/meet", **variables))

    def test_never_a_job_of_one(self):
        for variables, line in (
                ({"RANK": "0", "WORLD_SIZE": "4"}, "torchrun started rank 0 of 4, and SHEAF_RENDEZVOUS is not set"),
                ({"RANK": "4", "WORLD_SIZE": "4", "MASTER_ADDR": "localhost"}, 'RANK is "4", and must be a whole number from 0 to 3'),
                ({"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "localhost"}, "no port .* set SHEAF_RENDEZVOUS_PORT"),
                ({"FLUX_TASK_RANK": "1", "FLUX_JOB_SIZE": "2"}, "Flux started rank 1 of 2, .* start them with flux run -o pmi=simple, or set"),
                ({"PALS_RANKID": "0", "PMI_RANK": "0", "PMI_SIZE": "2"}, "PALS started rank 0 of 2, .* start them with mpiexec --pmi=pmix, or"),
                ({"PALS_RANKID": "1"}, "PALS started rank 1, and does not say of how many: start them with mpiexec --pmi=pmix, or"),
                ({"FLUX_TASK_RANK": "0"}, "Flux started rank 0, and does not say of how many: start them with flux run -o pmi=simple, or"),
                ({"JSM_NAMESPACE_RANK": "1"}, "LSF's jsrun started rank 1, and does not say of how many: start them with a jsrun that"),
                ({"JSM_NAMESPACE_RANK": "0", "JSM_NAMESPACE_SIZE": "2"}, "LSF's jsrun started rank 0 of 2, .*PMIX_NAMESPACE, or set"),
                ({"JOB_COMPLETION_INDEX": "0"}, "SHEAF_SIZE is not set: set it to the number of all processes"),
                ({"JOB_COMPLETION_INDEX": "0", "SHEAF_SIZE": "2"}, "SHEAF_RENDEZVOUS is not set"),
                ({"SHEAF_RANK": "0"}, "SHEAF_SIZE is not set"),
                ({"SHEAF_RENDEZVOUS": self.where}, "SHEAF_RANK is not set"),
                ({"SHEAF_BOOT": "rendezvous"}, "SHEAF_RANK is not set"),
                ({"SHEAF_RANK": "0", "SHEAF_SIZE": "2", "SHEAF_RENDEZVOUS": ":7"}, 'SHEAF_RENDEZVOUS is ":7", and must be'),
                ({"SHEAF_RANK": "0", "SHEAF_SIZE": "2", "SHEAF_RENDEZVOUS": "localhost:0"}, "port in SHEAF_RENDEZVOUS"),
                ({"SHEAF_RANK": "0", "SHEAF_SIZE": "2", "SHEAF_RENDEZVOUS": self.where, "SHEAF_SECRET": "short"}, "a secret of 5 letters"),
                ({"SHEAF_RANK": "0", "SHEAF_SIZE": "2", "SHEAF_RENDEZVOUS": self.folder + "/no/meet"}, "cannot write .*/no/meet.*No such")):
            with self.subTest(variables=variables):
                self.failed(Process("", **variables).finish(), line)

    def test_single(self):
        for variables in ({"RANK": "0", "WORLD_SIZE": "4"}, {"JOB_COMPLETION_INDEX": "3"}, {"SLURM_STEP_NUM_TASKS": "3"}):
            self.met(Process("", SHEAF_BOOT="single", **variables))
        self.met(Process("", RANK="0", WORLD_SIZE="1"))

    def test_launchers_go_first(self):
        if not shutil.which("mpiexec.hydra"):
            self.skipTest("no command mpiexec.hydra: install Debian's mpich")
        line = ["mpiexec.hydra", "-n", "2", "-env", "RANK", "0", "-env", "WORLD_SIZE", "4", PROGRAM]
        done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "life: 2 PEs\n"), done)


class ById(Meeting):
    def by_id(self, size, maker=0, way="", ranks=None, program=IDENTIFIER, **variables):
        """Processes that a file tells the identifier, one for each of these ranks: all by default."""
        words = [str(size), self.folder + "/id", str(maker), *([way] if way else [])]
        return [Process(str(rank), *words, program=program, **variables) for rank in (range(size) if ranks is None else ranks)]

    def were_a_job(self, processes):
        done = self.run_all(*processes)
        self.assertEqual([(process.status, process.out) for process in done],
                         [(0, f"identifier: {rank} of {len(done)}\n") for rank in range(len(done))], done)
        return [line for process in done for line in process.said]


class Identifiers(ById):
    """shmemx_get_uniqueid and shmemx_init_uid: no variables at all."""

    def test_maker(self):
        for program in (IDENTIFIER, IDENTIFIER + "-static"):
            for maker in range(3):
                if os.path.exists(program):
                    with self.subTest(maker=maker, program=program):
                        self.assertEqual(self.were_a_job(self.by_id(3, maker, program=program)), [])
                        os.remove(self.folder + "/id")

    def test_over_variables(self):
        """Of launchers, also of such that Sheaf cannot talk to."""
        self.assertEqual(self.were_a_job(self.by_id(2, RANK="5", WORLD_SIZE="7", PMI_SIZE="3", SHEAF_BOOT="single")), [])

    def test_again(self):
        said = self.were_a_job(self.by_id(2, way="again"))
        self.assertEqual(len(said), 2)
        for line in said:
            self.assertRegex(line, r"shmemx_init_uid: this process was in a job already, as PE \d of 2: shmem_init joins that job")

    def test_children(self):
        """Of one process, with its variables."""
        done, = self.run_all(*self.by_id(3, way="fork", ranks=[0]))
        self.assertEqual((done.status, done.said), (0, []), done)

    def test_mistakes(self):
        done, = self.run_all(*self.by_id(1, way="mistakes", ranks=[0]))
        self.assertEqual(done.status, 0, done)
        for line in ("size is 0; expected the number of processes", "rank is 2; expected 0 to 1", "rank is -1; expected 0 to 1", "id is NULL", "it is empty",
                     "it has no end", "its end is missing", "part of it is missing or was changed", "another version of Sheaf made it",
                     "requested is 17", "initialized already", "in a job already, as PE 0 of 1"):
            self.assertTrue(any(line in one for one in done.said), line)
        self.assertNotRegex("\n".join(done.said), "[0-9a-f]{32}")  # its secret is shown nowhere

    def test_under_oshrun(self):
        """The job that oshrun has started is the one that there is."""
        line = [os.path.join(os.path.dirname(PROGRAM), "../bin/oshrun"), "-n", "2", IDENTIFIER, "0", "1", self.folder + "/id", "0"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertRegex(done.stderr, r"shmemx_init_uid: oshrun has started this process, as PE \d of 2: shmem_init joins that job")

    def test_mpi(self):
        """examples/launch/identifier.c."""
        for command, program in (("mpiexec.hydra", "IDENTIFIER_MPICH"), ("mpirun.openmpi", "IDENTIFIER_OPENMPI")):
            if not os.environ.get(program) or not shutil.which(command) or (command == "mpiexec.hydra" and mpich.speaks_pmix()):
                continue
            with self.subTest(command=command):
                options = ["--oversubscribe", "--allow-run-as-root"] if "openmpi" in command else []
                done = subprocess.run([command, *options, "-n", "3", os.environ[program]], capture_output=True, text=True, timeout=LIMIT,
                                      check=False)
                wanted = sorted(f"PE {rank} of 3: PE {(rank + 2) % 3} wrote here" for rank in range(3))
                self.assertEqual((done.returncode, sorted(done.stdout.splitlines())), (0, wanted), done)

    def test_python(self):
        """examples/launch/identifier.py."""
        python = os.environ.get("NUMPY_PYTHON")
        if not python:
            self.skipTest("this build has no Python module")
        port = str(free_port())
        done = self.run_all(*(Process(EXAMPLES + "/identifier.py", str(rank), "3", "127.0.0.1", port, program=python) for rank in range(3)))
        self.assertEqual("".join(process.out for process in done),
                         "".join(f"PE {rank} of 3: PE {(rank + 2) % 3} wrote here\n" for rank in range(3)), done)


class IdentifierMistakes(ById):
    def test_missing(self):
        first, = self.run_all(*self.by_id(3, ranks=[0], SHEAF_RENDEZVOUS_TIMEOUT="1"))
        self.assertEqual((first.status, len(first.said)), (2, 1), first)
        self.assertRegex(first.said[0], r"2 of 3 processes have not come to the identifier's maker, process \d+, on host .* within 1 s: rank 1-2 "
                                        "is missing. Start them with the same identifier")

    def test_maker_is_none_of_them(self):
        """It lives, and listens to nobody."""
        maker, other = self.by_id(2, way="silent", SHEAF_RENDEZVOUS_TIMEOUT="3")
        other.finish()
        maker.process.kill()
        maker.finish()
        self.assertEqual((other.status, len(other.said)), (2, 1), other)
        self.assertRegex(other.said[0], rf"rank 1 of 2 on host .* has not found the identifier's maker, process {maker.process.pid} on host .*, "
                                        "within 3 s: .*has not called shmemx_init_uid, as one of the ranks")
        self.assertLess(other.seconds, 8)

    def test_used_before(self):
        """By a job that runs."""
        words = [self.folder + "/id", "0"]
        job = [Process(str(rank), "2", *words, "stay", program=IDENTIFIER) for rank in range(2)]
        for process in job:
            self.assertEqual(process.process.stdout.readline(), "stays\n")
        late, = self.run_all(*self.by_id(2, ranks=[1]))
        self.assertEqual((late.status, len(late.said)), (2, 1), late)
        self.assertRegex(late.said[0], "rank 1 on host .* has come too late to the identifier's maker, .* each job another identifier")
        self.assertLess(late.seconds, 3)
        for process in job:
            process.process.kill()
            process.finish()

    def test_maker_is_gone(self):
        maker, = self.by_id(2, way="silent", ranks=[0])
        while not os.path.exists(self.folder + "/id"):
            time.sleep(0.01)
        maker.process.kill()
        maker.finish()
        other, = self.run_all(*self.by_id(2, ranks=[1], SHEAF_RENDEZVOUS_TIMEOUT="1"))
        self.assertEqual((other.status, len(other.said)), (2, 1), other)
        self.assertRegex(other.said[0], "has not found the identifier's maker.*Connection refused")

    def test_same_rank(self):
        done = self.run_all(*self.by_id(3, ranks=[0, 1, 1]))
        self.assertEqual([process.status for process in done], [2, 2, 2], done)
        self.assertRegex(done[0].said[0], "two processes are rank 1: .* give each a rank of its own, from 0 to 2")

    def test_two_sizes(self):
        done = self.run_all(*self.by_id(3, ranks=[0]), *self.by_id(4, ranks=[1]))
        for process in done:
            self.assertEqual((process.status, len(process.said)), (2, 1), process)
            self.assertRegex(process.said[0], "is one of 4 processes, .* waits for 3: give all the same size$")


class Mistakes(Meeting):
    """One line each, in bounded time."""

    def test_missing(self):
        first, third = self.run_all(*(self.start(rank, 6, SHEAF_RENDEZVOUS_TIMEOUT="1") for rank in (0, 2)))
        self.failed(first, f"4 of 6 processes have not come to {self.where} on host .* within 1 s: rank 1, 3-5 is missing")
        self.assertEqual((third.status, third.said), (1, []), third)  # of the same host
        self.assertLess(first.seconds, 8)

    def test_no_root(self):
        alone = self.start(1, 2, SHEAF_RENDEZVOUS_TIMEOUT="1").finish()
        self.failed(alone, f"rank 1 of 2 on host .* has not found rank 0 at {self.where} within 1 s: Connection refused")
        self.assertLess(alone.seconds, 8)

    def test_static_name(self):
        """A statically linked program cannot look a name up, and does not wait to say so."""
        if not os.path.exists(PROGRAM + "-static"):
            self.skipTest("this build links no static programs")
        variables = {"SHEAF_SIZE": "2", "SHEAF_SECRET": SECRET}
        named = Process("", program=PROGRAM + "-static", SHEAF_RANK="1", SHEAF_RENDEZVOUS="node1:7117", **variables).finish()
        self.failed(named, "rank 0 is at node1:7117, .* linked statically, .*: give an address in SHEAF_RENDEZVOUS, as 10.0.0.1:7117")
        self.assertLess(named.seconds, 5)
        self.met(*(Process("", program=PROGRAM + "-static", SHEAF_RANK=str(rank), SHEAF_RENDEZVOUS=f"localhost:{port}", **variables)
                   for port in [free_port()] for rank in range(2)))

    def test_late(self):
        self.met(self.start(0, 2), self.start(1, 2))
        self.failed(self.start(1, 2, SHEAF_RENDEZVOUS_TIMEOUT="1").finish(), "its job was complete or has ended")

    def test_late_while_it_runs(self):
        """Told at once; the same after a stranger's rubbish, and not with another secret."""
        for secret in ({}, {"SHEAF_SECRET": SECRET}):
            with self.subTest(secret=secret):
                self.where = f"127.0.0.1:{free_port()}"
                job = [self.start(rank, 2, "compute", **secret) for rank in range(2)]
                for process in job:
                    self.assertRegex(process.process.stdout.readline(), "^alive")
                for rubbish in (b"", b"GET / HTTP/1.0\r\n\r\n", 16 * b"\xff", b"\x30\0\0\0\1\0\0\0" + 56 * b"s"):
                    with socket.create_connection(self.where.split(":"), 1) as one:
                        one.sendall(rubbish)
                late = self.start(1, 2, **secret).finish()
                self.failed(late, rf"rank 1 on host .* \(process {late.process.pid}\) has come too late to rank 0 at {self.where}: all processes of that job are connected")
                self.assertLess(late.seconds, 3)
                if secret:
                    self.failed(self.start(1, 2, SHEAF_SECRET=OTHER, SHEAF_RENDEZVOUS_TIMEOUT="1").finish(), "has not found|was refused")
                for process in job:
                    process.process.kill()
                    process.finish()
        self.met(self.start(0, 2), self.start(1, 2))  # the port is free

    def test_same_rank(self):
        first = self.start(0, 3)
        one, other = self.start(1, 3), self.start(1, 3)
        done = self.run_all(first, one, other)
        self.failed(done[0], rf"two processes are rank 1: process \d+ on host .*, and process \d+ on host .* from 0 to 2")
        self.assertEqual(sorted(process.status for process in done[1:]), [1, 1])
        self.assertTrue(any("two processes are rank 1" in line for process in done[1:] for line in process.said), done)
        for process in (one, other):
            self.assertIn(str(process.process.pid), done[0].said[0])

    def test_two_roots(self):
        first = self.start(0, 2)
        time.sleep(0.3)
        self.failed(self.start(0, 2).finish(), f"cannot listen at {self.where}.*another process listens there")
        self.met(first, self.start(1, 2))

    def test_port_of_another(self):
        """A job without a secret needs no port. One with a secret waits for a port that another program's connection has."""
        port = int(self.where.split(":")[1])
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", port))
            listener.listen()
            self.failed(self.start(0, 2, SHEAF_SECRET=SECRET).finish(), f"cannot listen at {self.where}.*another process listens there")
            self.met(self.start(0, 2), self.start(1, 2))
        with socket.socket() as listener, socket.socket() as caller:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # its port is free at its end
            caller.bind(("127.0.0.1", port))
            caller.connect(listener.getsockname())
            self.failed(self.start(0, 2, SHEAF_SECRET=SECRET, SHEAF_RENDEZVOUS_TIMEOUT="1").finish(),
                        f"cannot listen at {self.where}.*a connection of another process has the port: choose another")
            first, second = (self.start(rank, 2, SHEAF_SECRET=SECRET) for rank in range(2))
            time.sleep(0.5)
            self.assertIsNone(first.process.poll())
            caller.close()
            self.met(first, second)

    def test_two_sizes(self):
        done = self.run_all(self.start(0, 3), self.start(1, 4))
        for process in done:
            self.failed(process, r"rank 1 on host .* is one of 4 processes, and rank 0 on host .* waits for 3: .*SHEAF_SIZE")

    def test_secrets(self):
        for own, others, line in ((SECRET, OTHER, "its secret is another one"), (SECRET, None, "it has a secret and this process has none"),
                                  (None, SECRET, "it has no secret and this process has one")):
            with self.subTest(own=own, others=others):
                self.where = f"127.0.0.1:{free_port()}"
                first = self.start(0, 2, SHEAF_RENDEZVOUS_TIMEOUT="2", **({"SHEAF_SECRET": own} if own else {}))
                second = self.start(1, 2, **({"SHEAF_SECRET": others} if others else {})).finish()
                first.finish()
                self.failed(second, rf"rank 1 of 2 on host .* was refused by rank 0 at .*: {line}.*SHEAF_SECRET")
                self.assertLess(second.seconds, 4)
                self.assertEqual((first.status, len(first.said)), (1, 2), first)
                self.assertRegex(first.said[0], "warning: a process on .* was refused")
                self.assertRegex(first.said[1], r"rank 1 is missing \(1 without the right secret were refused")

    def test_wrong_secret_ends_no_job(self):
        first = self.start(0, 2, SHEAF_SECRET=SECRET)
        self.failed(self.start(1, 2, SHEAF_SECRET=OTHER).finish(), "its secret is another one")
        done = self.run_all(first, self.start(1, 2, SHEAF_SECRET=SECRET))
        self.assertEqual([process.status for process in done], [0, 0], done)

    def test_killed(self):
        """While others are missing."""
        first, second = self.start(0, 3), self.start(1, 3)
        time.sleep(0.5)
        second.process.kill()
        self.failed(first.finish(), rf"rank 1 on host .* \(process {second.process.pid}\) has died before all 3 processes were connected")
        second.finish()
        first, second = self.start(0, 3), self.start(1, 3)
        time.sleep(0.5)
        first.process.kill()
        self.failed(second.finish(), f"rank 0 at {self.where} has died, or its host is gone, before all 3 processes were connected")
        first.finish()

    def test_other_user(self):
        """Another user's process has taken the local socket's name."""
        if os.geteuid() != 0:
            self.skipTest("needs root")
        port = int(self.where.split(":")[1])
        listener = subprocess.Popen([sys.executable, "-c", "import os, socket, sys, time; os.setuid(65534)\n"
                                     f"s = socket.socket(socket.AF_UNIX); s.bind('\\0sheaf-{os.geteuid()}-{port}'); s.listen()\n"
                                     "print('ready', flush=True); time.sleep(60)"], stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(listener.stdout.readline(), "ready\n")
            self.failed(self.start(0, 2).finish(), "another process listens there")
            self.failed(self.start(1, 2, SHEAF_RENDEZVOUS_TIMEOUT="1").finish(), "has not found rank 0")
        finally:
            listener.kill()
            listener.communicate()

    def test_strangers(self):
        """Rubbish, silence, and a great many of both: the job starts all the same."""
        first = self.start(0, 2, SHEAF_SECRET=SECRET)
        host, port = self.where.split(":")
        strangers = []
        dice = random.Random(1)
        until = time.monotonic() + 10
        while len(strangers) < 60:
            try:
                one = socket.create_connection((host, int(port)), 1)
            except OSError:
                self.assertLess(time.monotonic(), until)
                continue
            one.setblocking(False)
            strangers.append(one)
            one.send(dice.choice((b"", b"GET / HTTP/1.0\r\n\r\n", dice.randbytes(300), 48 * b"\0", b"\x30\0\0\0\1\0\0\0" + 48 * b"s")))
        self.met(first, self.start(1, 2, SHEAF_SECRET=SECRET))
        for one in strangers:
            one.close()


class Branches(Meeting):
    """Two hosts: processes that call the place of meeting otherwise than the root does have a local socket of their own, as those of
    another host have. Ranks 2 and above are there."""

    def start(self, rank, size, way="", there=None, **variables):
        host = "localhost" if (rank > 1 if there is None else there) else "127.0.0.1"
        where = f"{host}:{self.where.split(':')[1]}"
        return super().start(rank, size, way, **dict({"SHEAF_SECRET": SECRET, "SHEAF_RENDEZVOUS": where}, **variables))

    def begin(self, size, way, **variables):
        """All of a job, which has begun. variables: those of a rank, by {}. The root comes first: of its host another one would be
        a branch."""
        def start(rank):
            return self.start(rank, size, way, **{name: value.format(rank) for name, value in variables.items()})
        root = start(0)
        self.until(lambda: self.sockets(root, LISTENS) == 1)
        job = [root, *map(start, range(1, size))]
        for process in job:
            self.addCleanup(process.process.communicate)
            self.addCleanup(process.process.kill)
            self.assertRegex(process.process.stdout.readline(), "^alive")
        return job

    def branch(self, size):
        """The root, and a branch that has reached it."""
        first, branch = self.start(0, size), self.start(2, size)
        self.until(lambda: self.reached(first) == 1)
        return first, branch

    def until(self, condition):
        until = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def reached(self, process):
        """How many connections its port has."""
        return self.sockets(process, CONNECTED)

    def sockets(self, process, state):
        """How many of its port are in this state."""
        inodes = set()
        for name in os.listdir(f"/proc/{process.process.pid}/fd"):
            try:
                inodes.add(os.readlink(f"/proc/{process.process.pid}/fd/{name}"))
            except OSError:
                continue
        port = f":{int(self.where.split(':')[1]):04X}"
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table]
        return sum(row[1].endswith(port) and row[3] == state and f"socket:[{row[9]}]" in inodes for row in rows[1:])

    def test_one_connection(self):
        """For all processes of another host; and they come in any order."""
        self.assertEqual(self.reached(self.begin(7, "compute")[0]), 1)
        self.where = f"127.0.0.1:{free_port()}"
        dice = random.Random(7)
        for _ in range(5):
            self.met(*(self.start(rank, 8) for rank in dice.sample(range(8), 8)))

    def test_status(self):
        done = self.run_all(*(self.start(rank, 5, "global-exit") for rank in range(5)))
        self.assertEqual([process.status for process in done], [42] * 5, done)

    def test_same_rank(self):
        for one, other in ((True, True), (True, False), (False, True)):
            with self.subTest(one=one, other=other):
                self.where = f"127.0.0.1:{free_port()}"
                first, branch = self.branch(5)
                done = self.run_all(first, branch, self.start(3, 5, there=one), self.start(3, 5, there=other))
                self.assertEqual([process.status for process in done], [1] * 4, done)
                self.failed(done[0], r"two processes are rank 3: process \d+ on host .*, and process \d+ on host .* from 0 to 4")
                self.assertTrue(any("two processes are rank 3" in line for process in done[2:] for line in process.said), done)

    def test_two_sizes(self):
        first, branch = self.branch(4)
        done = self.run_all(first, branch, self.start(3, 5))
        for process in (done[0], done[2]):
            self.failed(process, "rank 3 on host .* is one of 5 processes, and rank 0 on host .* waits for 4")
        self.assertEqual([process.status for process in done], [1] * 3, done)

    def test_wrong_secret(self):
        """At the branch, and the job goes on."""
        first, branch = self.branch(4)
        self.failed(self.start(3, 4, SHEAF_SECRET=OTHER).finish(), "rank 3 of 4 .* was refused .*its secret is another one")
        done = self.run_all(first, branch, self.start(1, 4), self.start(3, 4))
        self.assertEqual([process.status for process in done], [0] * 4, done)
        self.assertRegex("".join(done[1].said), "warning: a process on this host was refused .*: it has another secret; rank 2 waits")

    def test_wrong_secret_comes_first(self):
        """And would be the branch."""
        wrong = self.start(2, 4, SHEAF_SECRET=OTHER)
        time.sleep(0.3)
        rest = [self.start(rank, 4) for rank in range(4)]
        self.failed(wrong.finish(), "rank 2 of 4 .* was refused .*its secret is another one")
        done = self.run_all(*rest)
        self.assertEqual([process.status for process in done], [0] * 4, done)

    def test_missing(self):
        done = self.run_all(*(self.start(rank, 6, SHEAF_RENDEZVOUS_TIMEOUT="1") for rank in (0, 2, 3)))
        self.failed(done[0], "3 of 6 processes have not come to .* within 1 s: rank 1, 4-5 is missing")
        self.assertEqual([(process.status, process.said) for process in done[1:]], [(1, [])] * 2, done)

    def test_no_root(self):
        done = self.run_all(*(self.start(rank, 4, SHEAF_RENDEZVOUS_TIMEOUT="1") for rank in (2, 3)))
        for process in done:
            self.failed(process, f"rank {process in done[1:] and 3 or 2} of 4 .* has not found rank 0 at")
            self.assertLess(process.seconds, 8)

    def test_killed(self):
        """While others are missing: a leaf, the branch."""
        first, branch = self.branch(5)
        leaf = self.start(3, 5)
        time.sleep(0.5)
        leaf.process.kill()
        self.failed(first.finish(), rf"rank 3 on host .* \(process {leaf.process.pid}\) has died before all 5 processes were connected")
        self.assertEqual([process.status for process in self.run_all(branch, leaf)], [1, -signal.SIGKILL])
        self.where = f"127.0.0.1:{free_port()}"
        first, branch = self.branch(5)
        leaf = self.start(3, 5)
        time.sleep(0.5)
        branch.process.kill()
        self.failed(first.finish(), rf"rank 2 on host .* \(process {branch.process.pid}\) has died before all 5 processes were connected")
        self.failed(leaf.finish(), "rank 2 of this host, through which others connect, has died, .* before all 5 processes were connected")
        branch.finish()

    def test_late(self):
        job = self.begin(4, "compute")
        for there in (True, False):
            late = self.start(3, 4, there=there).finish()
            self.failed(late, rf"rank 3 on host .* \(process {late.process.pid}\) has come too late to rank 0 at")
            self.assertLess(late.seconds, 3)
        self.assertEqual([process.process.poll() for process in job], [None] * 4)

    def test_dies(self):
        """A leaf, the branch, the root: each on a host of its own, whose ring says nothing."""
        for victim in (3, 2, 0):
            with self.subTest(victim=victim):
                self.where = f"127.0.0.1:{free_port()}"
                job = self.begin(4, "compute", SHEAF_HOST="host{}", SHEAF_FAILURE_DETECTOR="off", UCX_NET_DEVICES="lo")
                job[victim].process.kill()
                done = self.run_all(*job)
                self.assertEqual(sorted(process.status for process in done), [-signal.SIGKILL, 1, 1, 1], done)
                said = [line for process in done for line in process.said]
                self.assertTrue(said, done)
                for line in said:
                    self.assertRegex(line, rf"PE {victim} on host host{victim} has died: the job ends")
                self.assertLess(max(process.seconds for process in done), 12)


class Examples(Meeting):
    """What examples/launch has, with what each launcher sets."""

    def test_by_hand(self):
        done = subprocess.run([EXAMPLES + "/by-hand.sh", "3", PROGRAM, ""], capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "life: 3 PEs\n"), done)
        done = subprocess.run([EXAMPLES + "/by-hand.sh", "3", PROGRAM, "global-exit"], capture_output=True, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 42, done)

    def check_manifest(self, name, first):
        """Its variables; the first pod's name is this host, and the Secret a file of root's that all can read."""
        with open(f"{EXAMPLES}/{name}", encoding="utf-8") as file:
            text = file.read()
        variables = dict(re.findall(r'- \{name: (\w+), value: "?([^"}]+)"?\}', text))
        self.assertEqual(sorted(variables), ["SHEAF_RENDEZVOUS", "SHEAF_SECRET_FILE", "SHEAF_SIZE"])
        pods = int(variables["SHEAF_SIZE"])
        self.assertIn(f"completions: {pods}\n", text)
        self.assertIn(f"parallelism: {pods}\n", text)
        self.assertRegex(variables["SHEAF_RENDEZVOUS"], rf"^{re.escape(first)}:\d+$")
        variables["SHEAF_SECRET_FILE"] = self.folder + "/key"
        with open(self.folder + "/key", "w", encoding="ascii") as file:
            file.write(SECRET)
        os.chmod(self.folder + "/key", 0o644 if os.geteuid() == 0 else 0o600)
        variables["SHEAF_RENDEZVOUS"] = f"localhost:{free_port()}"
        self.met(*(Process("", JOB_COMPLETION_INDEX=str(index), **variables) for index in range(pods)))

    def test_kubernetes(self):
        self.check_manifest("kubernetes.yaml", "heat-0.heat")

    def test_jobset(self):
        self.check_manifest("jobset.yaml", "heat-pes-0-0.heat")

    def test_compose(self):
        """Each service's variables, with a folder in the volume's place. tests/hosts has it with two hosts."""
        with open(EXAMPLES + "/compose.yaml", encoding="utf-8") as file:
            services = [dict(re.findall(r'(\w+): "?([^,"}]+)"?', line)) for line in re.findall(r"environment: \{(.*)\}", file.read())]
        self.assertEqual([service["SHEAF_RANK"] for service in services], [str(rank) for rank in range(int(services[0]["SHEAF_SIZE"]))])
        os.mkdir(self.folder + "/meet")
        for service in services:
            service["SHEAF_RENDEZVOUS"] = self.folder + service["SHEAF_RENDEZVOUS"]
        self.met(*(Process("", **service) for service in services))

    def test_ray(self):
        python = os.environ.get("NUMPY_PYTHON")
        if not python:
            self.skipTest("this build has no Python module")
        path = [os.environ.get("PYTHONPATH", "")]
        if subprocess.run([python, "-c", "import ray"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand-in"))
        done = Process(EXAMPLES + "/ray_actors.py", "3", program=python, PYTHONPATH=":".join(path)).finish()
        self.assertEqual((done.status, done.out), (0, "".join(f"PE {rank} of 3: PE {(rank + 2) % 3} wrote here\n" for rank in range(3))), done)

    def test_torchrun(self):
        python = os.environ.get("NUMPY_PYTHON")
        if not python:
            self.skipTest("this build has no Python module")
        shared = {"WORLD_SIZE": "3", "MASTER_ADDR": "localhost", "MASTER_PORT": str(free_port())}
        done = self.run_all(*(Process(EXAMPLES + "/torchrun.py", program=python, RANK=str(rank), LOCAL_RANK=str(rank), **shared)
                              for rank in range(3)))
        self.assertEqual("".join(process.out for process in done),
                         "".join(f"PE {rank} of 3: PE {(rank + 2) % 3} wrote here\n" for rank in range(3)), done)

    def test_torchrun_itself(self):
        """PyTorch's own, where the module's interpreter has it. That of PyTorch 1.13 does not run on Python 3.11, which Debian 12 has."""
        python = os.environ.get("NUMPY_PYTHON")
        asks = "import sys, torch.distributed.run; sys.exit(torch.__version__ < '2' and sys.version_info >= (3, 11))"
        if not python or subprocess.run([python, "-c", asks], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no torchrun that runs with this build's Python module")
        words = ["-m", "torch.distributed.run", "--nproc_per_node=3", f"--master_port={free_port()}"]
        place = {"program": python, "TMPDIR": self.folder}  # torchrun leaves a folder for its log
        done = Process(*words, EXAMPLES + "/torchrun.py", **place).finish()
        self.assertEqual((done.status, sorted(done.out.splitlines())),
                         (0, [f"PE {rank} of 3: PE {(rank + 2) % 3} wrote here" for rank in range(3)]), done)
        with open(self.folder + "/ends.py", "w", encoding="utf-8") as file:
            file.write("import sheafshmem as shmem\nif shmem.my_pe() == 1:\n    shmem.global_exit(7)\nshmem.barrier()\n")
        done = Process(*words, self.folder + "/ends.py", **place).finish()
        self.assertEqual(done.status, 1, done)  # torchrun's own, and it tells those of its processes
        self.assertIn("exitcode  : 7", "\n".join(done.said))


class Starts(Meeting):
    """Random ones, with a rank killed, late, doubled or with another secret: every one ends in time, with a line."""

    def start_some(self, dice):
        size, what = dice.randrange(2, 5), dice.choice(("nothing", "kill", "late", "double", "secret"))
        secret = dice.choice((SECRET, ""))
        victim = dice.randrange(1 if what in ("double", "secret") else 0, size)
        variables = {"SHEAF_RENDEZVOUS_TIMEOUT": "2" if what == "late" else "3", "SHEAF_SECRET": secret,
                     "SHEAF_RENDEZVOUS": dice.choice((f"127.0.0.1:{free_port()}", self.folder + "/meet"))}
        processes = []
        for rank in dice.sample(range(size), size):
            own = dict(variables, SHEAF_SECRET=OTHER) if what == "secret" and rank == victim else dict(variables)
            if secret and dice.random() < 0.5:  # it is on another host, as it were: Branches
                own["SHEAF_RENDEZVOUS"] = own["SHEAF_RENDEZVOUS"].replace("127.0.0.1", "localhost")
            if not (what == "late" and rank == victim):
                processes.append(self.start(rank, size, "", **own))
            if what == "double" and rank == victim:
                processes.append(self.start(rank, size, "", **own))
            if what == "kill" and rank == victim:
                time.sleep(dice.random() / 5)
                processes[-1].process.send_signal(signal.SIGKILL)
        done = self.run_all(*processes)
        return what, victim, variables, done

    def test_random(self):
        first = int(os.environ.get("SHEAF_TEST_SEED", "1"))
        for seed in range(first, first + STARTS):
            what, victim, variables, done = self.start_some(random.Random(seed))
            statuses = [process.status for process in done]
            said = [line for process in done for line in process.said]
            where = f"seed {seed}: {what}, rank {victim}, {variables}\n{done}"
            by_file = "/" in variables["SHEAF_RENDEZVOUS"]  # whose secret counts alone
            if what == "nothing" or (what == "secret" and by_file):
                self.assertEqual((set(statuses), said), ({0}, []), where)
            elif what == "kill" and (-signal.SIGKILL not in statuses or not said):
                # It was over before, or the killed one came out of shmem_finalize first: else nobody would.
                self.assertEqual(set(statuses) - {-signal.SIGKILL}, {0}, where)
            else:
                self.assertTrue(said, where)
                good = statuses.count(0)  # the second of a doubled rank may come when the job is complete
                self.assertTrue(good == 0 or what == "kill" or (what == "double" and good == len(done) - 1), where)
            self.assertLess(max(process.seconds for process in done), 15, where)
            if os.path.exists(self.folder + "/meet"):  # a root that was killed
                self.assertEqual(what, "kill", where)
                os.remove(self.folder + "/meet")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
