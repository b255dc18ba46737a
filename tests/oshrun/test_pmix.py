# SPDX-License-Identifier: BSD-3-Clause
"""oshrun serves the PEs' MPI by PMIx: which programs it does that for, Open MPI's programs in every order and end,
who may connect, and what is left of it.

CTest gives BOTH_OPENMPI and BOTH_MPICH, one program (both.c) with each MPI, and DEEP, which needs Open MPI only by a
library of its own; "" where headers are not installed. SERVES says whether this oshrun can. ALL=1: every order, level.
"""
import os
import random
import shutil
import signal
import socket
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "common"))
import mpich # noqa: E402
from common import OSHRUN, PROBE, OshrunTest, not_sanitized, program_of, wait_for

BOTH = os.environ.get("BOTH_OPENMPI", "")
MPICH = os.environ.get("BOTH_MPICH", "")
DEEP = os.environ.get("DEEP", "")
SERVES = os.environ.get("SERVES", "")
ALL = os.environ.get("ALL", "")
ORDERS = ("MM", "MSMS", "MSSM", "SMMS", "SMSM", "SSMSMS", "MSSSSM", "SMSSMS", "MMSS", "SSMM", "SMMSSS")
SOME = ("MSMS", "SMMSSS", "SSMSMS")
FUZZ = int(os.environ.get("FUZZ", "40"))
SHOW = "echo ${PMIX_RANK-none} ${PMI_RANK-none}"
NEVER_CAME = "has exited, while others wait for it in MPI_Init or MPI_Finalize"
LEFT = "exited with status 0 between MPI_Init and MPI_Finalize"

serving = unittest.skipUnless(SERVES, "oshrun was built without libpmix's headers: Debian's libpmix-dev")
with_open_mpi = unittest.skipUnless(BOTH, "Open MPI's headers are not installed: Debian's libopenmpi-dev")


class PmixTest(OshrunTest):
    def setUp(self):
        super().setUp()
        os.environ["OMPI_MCA_btl_vader_backing_directory"] = self.folder # else its files are in /dev/shm

    def tearDown(self):
        for name in os.listdir(self.folder):
            if name.startswith("ompi."): # Open MPI's own, where each PE was alone
                shutil.rmtree(os.path.join(self.folder, name))
            elif name.startswith("pmix-gds-"): # likewise, of PMIx 5
                os.remove(os.path.join(self.folder, name))
        super().tearDown()

    def ends(self, result, status, message):
        """Beside oshrun's line Open MPI may say what it thinks."""
        self.assertEqual(result.status, status, result.err)
        lines = [line for line in result.err.splitlines() if line.startswith("oshrun:")]
        self.assertEqual(len(lines), 1, result.err)
        self.assertRegex(lines[0], message)

    def server(self, job):
        """The pid of the process that serves PMIx."""
        def find():
            for pid in job.left():
                try:
                    with open(f"/proc/{pid}/comm") as file:
                        if file.read() == "sheaf-pmix\n":
                            return pid
                except OSError: # it has ended since it was listed
                    pass
            return 0
        return wait_for(find)


class Choice(PmixTest):
    def test_who_needs_no_mpi_has_no_server(self):
        """One that can start no other program."""
        out = self.expect("-n", 2, "printenv", "PMI_RANK").lines()
        self.assertEqual(out, ["0", "1"])
        self.assertEqual(self.run_oshrun("-n", 2, "printenv", "PMIX_RANK").out, "")
        self.assertEqual(self.expect("-n", 1, "sh", "-c", SHOW).lines(), ["none none"])
        self.assertEqual(self.expect("--mpi=none", "-n", 2, "sh", "-c", SHOW).lines(), ["none none"] * 2)
        self.assertEqual(self.expect("--mpi", "pmi1", "-n", 2, "sh", "-c", SHOW).lines(), ["none 0", "none 1"])

    def test_words(self):
        result = self.run_oshrun("--mpi=openmpi", PROBE)
        self.assertEqual((result.status, result.err),
                         (2, "oshrun: --mpi openmpi: expected auto, pmix, pmi1 or none\n"))
        result = self.run_oshrun("--mpi=pmix", "--hosts", "a,b", PROBE)
        self.assertEqual((result.status, result.err),
                         (2, "oshrun: --mpi does nothing with --hosts: their launcher serves MPI; leave one out\n"))

    @serving
    def test_what_may_start_another_has_both(self):
        self.assertEqual(self.expect("-n", 2, "sh", "-c", SHOW).lines(), ["0 0", "1 1"])
        script = self.file("script", f"#!/bin/sh\n{SHOW}\n", 0o755)
        self.assertEqual(self.expect("-n", 2, script).lines(), ["0 0", "1 1"])

    @serving
    def test_asked_for(self):
        self.assertEqual(self.expect("--mpi=pmix", "-n", 2, "sh", "-c", SHOW).lines(), ["0 none", "1 none"])

    @serving
    def test_open_mpi_yields_where_pes_outnumber_processors(self):
        """A call of Open MPI that waits would keep the processor of the PE that it waits for."""
        show, cpus = "echo ${OMPI_MCA_mpi_yield_when_idle-none}", len(os.sched_getaffinity(0))
        env = {name: value for name, value in os.environ.items() if name != "OMPI_MCA_mpi_yield_when_idle"}
        start = ("--mpi=pmix", "-n")
        self.assertEqual(self.expect(*start, 1, "sh", "-c", show, env=env).out, "none\n")
        self.assertEqual(self.expect(*start, cpus + 1, "sh", "-c", show, env=env).lines(), ["1"] * (cpus + 1))
        env["OMPI_MCA_mpi_yield_when_idle"] = "0"
        self.assertEqual(self.expect(*start, cpus + 1, "sh", "-c", show, env=env).lines(), ["0"] * (cpus + 1))
        self.assertEqual(self.expect(*start, cpus + 1, "-x", "OMPI_MCA_mpi_yield_when_idle=0", "sh", "-c", show).lines(),
                         ["0"] * (cpus + 1))

    def test_an_outer_launcher_is_not_inherited(self):
        outer = dict(os.environ, PMIX_RANK="7", PMIX_NAMESPACE="outer", PMIX_MCA_x="mine")
        show = "echo ${PMIX_RANK-none} ${PMIX_NAMESPACE-none} $PMIX_MCA_x"
        self.assertEqual(self.expect("-n", 1, "sh", "-c", show, env=outer).out, "none none mine\n")
        self.assertEqual(self.expect("-n", 1, "-x", "PMIX_RANK=9", "sh", "-c", show).out, "none none\n")

    @not_sanitized
    @with_open_mpi
    def test_without_libpmix(self):
        """The loader finds a file of that name that is no library, or not this one."""
        with open(os.path.join(self.folder, "libpmix.so.2"), "w"):
            self.expected_files.add("libpmix.so.2")
        env = dict(os.environ, LD_LIBRARY_PATH=self.folder)
        result = self.run_oshrun("-n", 3, BOTH, "MSMS", env=env)
        self.assertEqual((result.status, result.out), (126, ""))
        self.assertRegex(result.err, r"^oshrun: \S+ is linked with an MPI that needs PMIx, as Open MPI does, and oshrun cannot serve it "
                                     r"here: [^\n]*; or start it with Open MPI's mpirun -n 3\n$")
        self.assertEqual(self.expect("-n", 2, "/bin/sh", "-c", SHOW, env=env).lines(), ["none 0", "none 1"])
        result = self.run_oshrun("--mpi=pmix", "-n", 2, "true", env=env)
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: --mpi=pmix: oshrun cannot serve PMIx here: [^\n]*\n$")

    def test_files_that_are_no_programs(self):
        """Whatever a program's file holds: oshrun ends in an orderly way. e_type keeps the kernel from running it."""
        with open(PROBE, "rb") as file:
            good = file.read()
        path = self.file("mutant", "", 0o755)
        parts, = struct.unpack_from("<Q", good, 32)
        count, = struct.unpack_from("<H", good, 56)
        headers = list(range(parts, parts + 56 * count))
        dynamic = [struct.unpack_from("<QQQQQ", good, at + 8) for at in headers[::56]
                   if struct.unpack_from("<I", good, at) == (2,)][0]
        places = list(range(24, 64)) + headers + list(range(dynamic[0], dynamic[0] + dynamic[3]))
        chance = random.Random(7)
        for number in range(FUZZ):
            mutant = bytearray(good)
            mutant[16:18] = b"\x77\x77"
            for _ in range(chance.choice((1, 2, 8, 30))):
                mutant[chance.choice(places)] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
            if number % 4 == 0:
                del mutant[chance.randrange(len(mutant)):]
            with open(path, "wb") as file:
                file.write(mutant)
            with self.subTest(number=number):
                result = self.run_oshrun("-n", 1, path)
                self.assertEqual((result.status, result.err.count("\n")), (126, 1), result.err)


@serving
@with_open_mpi
@not_sanitized
class OpenMpi(PmixTest):
    def test_orders(self):
        for order in ORDERS if ALL else SOME:
            with self.subTest(order=order):
                self.expect("-n", 3, BOTH, order)

    def test_thread_levels(self):
        for level in range(4) if ALL else (3,):
            with self.subTest(level=level):
                self.expect("-n", 2, BOTH, "SMMS", level)

    def test_sizes(self):
        self.expect("-n", 1, BOTH, "MSMS")
        self.expect("-n", 32 if ALL else 8, BOTH, "MSMS")

    def test_everybody_is_on_one_host(self):
        self.expect("-n", 2, BOTH, "MSSM", "shared", ":", "-n", 2, BOTH, "MSSM", "shared")

    def test_a_library_that_needs_it(self):
        self.expect("-n", 2, DEEP, "MM")

    def test_beside_each_other(self):
        jobs = [self.start("-n", 2, BOTH, "MSMS") for _ in range(2)]
        for job in jobs:
            result = job.finish()
            self.assertEqual((result.status, result.err, result.out), (0, "", ""))

    def test_behind_a_wrapper(self):
        for order in ORDERS if ALL else ("SMMS",):
            with self.subTest(order=order):
                self.expect("-n", 3, "sh", "-c", f"{BOTH} {order}")

    def test_as_processes_of_their_own(self):
        """The library refuses that in every order in which both are up at a time."""
        for order in ("MSMS", "MSSM", "SMSM", "SSMSMS", "SMMS") if ALL else ("SMSM", "SMMS"):
            with self.subTest(order=order):
                # Open MPI's processes, each a job of its own, may fail over the folder that all of them make at once.
                for _ in range(3):
                    result = self.run_oshrun("--mpi=pmi1", "-n", 3, "sh", "-c", f"{BOTH} {order}")
                    if "unable to create the desired directory" not in result.err:
                        break
                self.assertEqual((result.status, result.out), (1, ""))
                # What follows may hold words of a helper that each MPI has started for itself.
                self.assertRegex(result.err, r"^sheaf: PE \d.*: MPI_COMM_WORLD of Open MPI has 1 process, and OpenSHMEM "
                                             r"has 3 PEs: the launcher started them for one of the two alone; start the "
                                             r"program with oshrun --mpi=pmix, Open MPI's mpirun or srun --mpi=pmix"
                                             r"(; called at .*)?\n")

    @unittest.skipUnless(MPICH, "MPICH's headers are not installed: Debian's libmpich-dev")
    def test_the_other_mpi_is_refused(self):
        if mpich.speaks_pmix():
            self.skipTest("this MPICH speaks PMIx, too")
        result = self.run_oshrun("--mpi=pmix", "-n", 2, MPICH, "MSMS")
        self.assertEqual((result.status, result.out), (1, ""))
        self.assertIn("MPI_COMM_WORLD of MPICH has 1 process, and OpenSHMEM has 2 PEs", result.err)

    def test_abort(self):
        self.ends(self.run_oshrun("-n", 3, BOTH, "SMMS", "abort"), 7, r"PE 2 \(.*\) called MPI_Abort with 7$")

    def test_leave(self):
        self.ends(self.run_oshrun("-n", 3, BOTH, "MM", "leave"), 1, rf"PE 2 \(.*\) {LEFT}$")
        early = f"test $PMIX_RANK = 1 || exec {BOTH} MM"
        self.ends(self.run_oshrun("--mpi=pmix", "-n", 3, "sh", "-c", early), 1, rf"PE 1 \(.*\) {NEVER_CAME}$")

    def test_killed(self):
        self.ends(self.run_oshrun("-n", 3, BOTH, "MM", "lose"), 137, r"PE 2 \(.*\) was killed by signal 9 \(Killed\)$")

    def test_spawn(self):
        result = self.run_oshrun("-n", 2, BOTH, "MM", "spawn")
        self.ends(result, 0, r"called MPI_Comm_spawn, for which oshrun starts no processes: the call fails; Open MPI's "
                             r"mpirun does$")
        self.assertEqual(result.out, "spawn: refused\n")


@serving
class Server(PmixTest):
    """A job whose PEs print the server's port and wait."""
    def begin(self, program="echo ${PMIX_SERVER_URI4##*:} $PMIX_SERVER_TMPDIR; exec sleep 20"):
        job = self.start("--mpi=pmix", "-n", 1, "sh", "-c", program)
        port, folder = job.read_line().split()
        return job, int(port), folder

    def end(self, job):
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_its_folder_is_private(self):
        job, _, folder = self.begin()
        status = os.stat(folder)
        self.assertEqual((status.st_mode & 0o7777, status.st_uid), (0o700, os.getuid()))
        self.end(job)
        self.assertFalse(os.path.exists(folder))

    @unittest.skipIf(os.getuid(), "only root can be somebody else")
    def test_another_user_is_not_read(self):
        """He finds his connection closed, at once, each time; this user's is open behind that. It comes last: libpmix 5
        hears nobody else until it has read from one that it has accepted."""
        job, port, _ = self.begin()
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            for _ in range(3):
                stranger = socket.socket()
                stranger.settimeout(10)
                try:
                    stranger.connect(("127.0.0.1", port))
                    if stranger.recv(1) != b"":
                        os._exit(1)
                except ConnectionResetError:
                    pass
                except OSError:
                    os._exit(2)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        with socket.create_connection(("127.0.0.1", port)) as mine:
            mine.settimeout(0.2)
            self.assertRaises(TimeoutError, mine.recv, 1)
        self.end(job)

    def test_it_is_killed(self):
        job, _, folder = self.begin()
        os.kill(self.server(job), signal.SIGKILL)
        result = job.finish()
        self.assertEqual((result.status, result.err),
                         (1, "oshrun: the process that serves PMIx to the PEs' MPI has ended\n"))
        self.assertFalse(os.path.exists(folder))

    def test_oshrun_is_killed(self):
        job, _, folder = self.begin()
        job.process.kill()
        job.finish()
        self.assertTrue(wait_for(lambda: not os.path.exists(folder)))

    def test_both_are_killed(self):
        """Then the folder stays, until the next server is started; another job's, which runs, is left alone."""
        other, _, used = self.begin()
        job, _, folder = self.begin()
        server = self.server(job)
        job.process.send_signal(signal.SIGSTOP) # it would clear up
        os.kill(server, signal.SIGKILL)
        job.process.kill()
        job.finish()
        self.assertTrue(os.path.exists(folder))

        def is_cleared():
            """The killed one has its lock until all its threads have ended."""
            self.expect("--mpi=pmix", "-n", 1, "true")
            return not os.path.exists(folder)
        self.assertTrue(wait_for(is_cleared))
        self.assertTrue(os.path.exists(used))
        self.end(other)

    def test_the_proxy_is_killed(self):
        job, _, folder = self.begin()
        proxy = [pid for pid in job.left() if os.path.realpath(program_of(pid)) == os.path.realpath(OSHRUN)
                  and pid not in (job.pid, self.server(job))]
        os.kill(proxy[0], signal.SIGKILL)
        result = job.finish()
        self.assertEqual((result.status, result.err), (137, "oshrun: the process that supervises the PEs was killed\n"))
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    unittest.main()
