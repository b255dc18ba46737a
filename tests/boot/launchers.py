# SPDX-License-Identifier: BSD-3-Clause
"""Jobs started by other launchers on this machine: Open MPI's mpirun (PMIx) and MPICH's Hydra (PMI-1,
and PMI-2 when asked), Flux's shell (a small server in its place), and by none (a rendezvous; more of it in rendezvous.py). A launcher that is not installed is skipped, with the reason. With SHEAF_HOST
one machine plays several hosts: boot/ then forms several nodes. Slurm and real hosts: tests/hosts.

ctest tells where things are: PROGRAMS (folder of the test programs), LIBRARY
(libsheaf.so), SANITIZE (empty, or the sanitizers), HAS_PMIX (whether built in)."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

PROGRAMS = os.environ["PROGRAMS"]
LIBRARY = os.environ["LIBRARY"]
SANITIZE = os.environ.get("SANITIZE", "")
LIMIT = 60
VERSION = re.compile(rb"\d\.\d\.\d(/\d+\0)")  # in the library


def program(name):
    return os.path.join(PROGRAMS, "test-" + name)


def state_of(pid):
    """The letter of its state; "" for a process that is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def is_alive(pid):
    return state_of(pid) not in ("", "Z", "X")


def processes_with(text):
    """Pids of living processes whose initial environment holds text."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if text.encode() in file.read() and is_alive(int(name)):
                    found.append(int(name))
        except OSError:
            pass
    return found


def wait_for(condition, seconds):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def __repr__(self):
        return f"status {self.status} after {self.seconds:.1f} s\n{self.out}\n{self.err}"

    def said(self):
        return [line for line in self.err.splitlines() if line.startswith("sheaf:")]


class Launched:
    """What is tried with each launcher; a class below sets command, rank and settings."""
    command = rank = why_not = None
    settings = {}
    speaks_pmix = False

    def setUp(self):
        if self.why_not:
            self.skipTest(self.why_not)
        self.marker = "SHEAF_TEST_MARKER=" + uuid.uuid4().hex
        self.folder = tempfile.mkdtemp(prefix="sheaf-boot-")

    def tearDown(self):
        left = [] if wait_for(lambda: not processes_with(self.marker), 5) else processes_with(self.marker)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.assertEqual(left, [], "processes left")

    def environment(self, variables):
        environment = dict(os.environ, **self.settings, **variables)
        name, value = self.marker.split("=")
        environment[name] = value
        environment["TMPDIR"] = self.folder
        return environment

    def start(self, *words, **variables):
        line = [*self.command, *map(str, words)]
        return subprocess.Popen(line, env=self.environment(variables), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def finish(self, job, began=None):
        began = began or time.monotonic()
        try:
            out, err = job.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            self.fail(f"{job.args} did not end within {LIMIT} s\n{out}\n{err}")
        # tests/oshinfo/messages.py looks at the ids of messages; here their words count.
        return Result(job.returncode, out, re.sub(r" \[SH\d{3}\]", "", err), time.monotonic() - began)

    def run_job(self, pes, *words, **variables):
        began = time.monotonic()
        return self.finish(self.start("-n", pes, *words, **variables), began)

    def by_rank(self, script, *words):
        """Words that run a script with the PE's number in $R, and then the program."""
        return ["sh", "-c", f'R=${self.rank}; {script}\nexec "$0" "$@"', *words]

    def ran(self, result, text=None):
        self.assertEqual((result.status, result.said()), (0, []), result)
        if text:
            self.assertIn(text, result.out, result)

    # One node

    def test_heap_and_statics(self):
        for pes in range(1, 9):
            with self.subTest(pes=pes):
                self.ran(self.run_job(pes, program("image-tiny")), f"tiny: {pes} PEs ok")

    def test_ways_of_linking(self):
        for way in ("pie", "no-pie", "norelro", "static", "static-pie"):
            path = program("image-statics-" + way)
            if not os.path.exists(path) or ("static" in way and self.speaks_pmix):
                continue
            for pes in (1, 3):
                with self.subTest(way=way, pes=pes):
                    self.ran(self.run_job(pes, path))

    def test_constructors(self):
        for name in ("image-constructors-pie", "image-constructors-cxx-no-pie"):
            self.ran(self.run_job(3, program(name)))

    def test_fork(self):
        for name in ("image-fork", "image-fork-no-pie", "image-fork-static"):
            if os.path.exists(program(name)) and not (self.speaks_pmix and "static" in name):
                with self.subTest(name=name):
                    self.ran(self.run_job(3, program(name)))

    def test_init_after_finalize(self):
        self.ran(self.run_job(3, program("boot-life"), "again"), "life: 3 PEs")

    def test_boot_alone(self):
        self.ran(self.run_job(4, program("boot-places")))

    def test_wrappers(self):
        self.ran(self.run_job(3, "sh", "-c", f"{program('image-tiny')}; exit $?"), "tiny: 3 PEs ok")
        self.ran(self.run_job(2, "nice", "env", "X=1", program("image-tiny")), "tiny: 2 PEs ok")

    def test_a_program_that_a_pe_starts_is_no_pe(self):
        result = self.run_job(2, program("image-nested"), program("image-tiny"))
        self.ran(result, "nested: 2 PEs ok")
        self.assertEqual(result.out.count("tiny: 1 PEs ok"), 2, result)

    def test_oshrun_below(self):
        oshrun = os.path.join(os.path.dirname(PROGRAMS), "bin", "oshrun")
        result = self.run_job(2, oshrun, "-n", 3, program("image-tiny"))
        self.ran(result)
        self.assertEqual(result.out.count("tiny: 3 PEs ok"), 2, result)

    # How jobs end

    def test_status_after_finalize(self):
        result = self.run_job(3, program("boot-life"), "after")
        self.assertEqual((result.status, result.said()), (6, []), result)

    def test_status_without_init(self):
        """Hydra 4.0 itself may die of SIGPIPE where PEs end at once: in 55 of 2,701 jobs of a program without
        Sheaf, beside load. That says nothing of the PEs: such a job is tried again."""
        for _ in range(10):
            result = self.run_job(2, program("boot-life"), "before")
            if result.status != -signal.SIGPIPE:
                break
        self.assertEqual(result.status, 9, result)

    def test_global_exit(self):
        result = self.run_job(3, program("boot-life"), "global-exit")
        self.assertEqual((result.status, result.said()), (42, []), result)

    def test_exit_without_finalize(self):
        for way, status, word in (("exit-0", 1, "calls exit"), ("exit-5", 5, r"exit\(5\)")):
            with self.subTest(way=way):
                result = self.run_job(3, program("boot-life"), way)
                self.assertEqual((result.status, len(result.said())), (status, 1), result)
                self.assertRegex(result.said()[0], rf"^sheaf: PE .* {word} without shmem_finalize")
        result = self.run_job(3, program("boot-life"), "exit-missed")
        self.assertEqual(result.status, 1, result)
        self.assertRegex(result.said()[0], "^sheaf: PE 2 exited without shmem_finalize, and all others wait: the job ends$")
        for way in ("exit-all", "exit-one"):
            self.ran(self.run_job(3, program("boot-life"), way))

    def test_mistake(self):
        result = self.run_job(3, program("boot-life"), "mistake")
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex("\n".join(result.said()), "PE 2: .*shmem_int_p.*out of range")

    def test_killed_pe(self):
        result = self.run_job(3, program("boot-life"), "kill")
        self.assertNotEqual(result.status, 0, result)
        self.assertLess(result.seconds, 10)

    def killed_daemon(self, name, variables):
        job = self.start("-n", 3, program(name), "compute", **variables)
        pes = []
        while len(pes) < 3:
            words = job.stdout.readline().split()
            self.assertTrue(words, "a PE has ended")
            if words[0] == "alive":
                pes.append(int(words[1]))
        os.kill(parent_of(pes[0]), signal.SIGKILL)
        self.assertTrue(wait_for(lambda: not any(map(is_alive, pes)), 5), "PEs outlive their daemon")
        self.finish(job)

    def test_killed_daemon(self):
        self.killed_daemon("boot-life", {})

    def test_killed_daemon_static(self):
        if self.speaks_pmix or not os.path.exists(program("boot-life-static")):
            self.skipTest("no such program for this launcher")
        self.killed_daemon("boot-life-static", {})

    # Several hosts, played by one machine

    def check_places(self, result, hosts):
        """hosts: of each PE. What each PE printed follows from that."""
        self.ran(result)
        order = list(dict.fromkeys(hosts))
        locations = []
        for pe, host in enumerate(hosts):
            locations.append((order.index(host), hosts[:pe].count(host)))
        everybody = "".join(f"{node}:{slot}:{order[node]}," for node, slot in locations)
        leaders = "".join(f"{hosts.index(host)}," for host in order)
        wanted = []
        for pe, host in enumerate(hosts):
            near = [other for other in range(len(hosts)) if hosts[other] == host]
            wanted.append(f"pe={pe} npes={len(hosts)} node={locations[pe][0]} nodes={len(order)} "
                          f"slot={locations[pe][1]} node_npes={len(near)} host={host} "
                          f"near={''.join(f'{other},' for other in near)} locations={everybody} "
                          f"leaders={leaders}")
        self.assertEqual(sorted(result.out.splitlines()), sorted(wanted), result)

    def test_hosts(self):
        for hosts in (["a", "b"], ["a", "a", "b", "b"], ["a", "b", "a", "b"], ["b", "a", "a", "c"],
                      ["a", "b", "b", "b"], list("abcabcab"), list("aabbbccc"), list("zyxwvuts")):
            with self.subTest(hosts=hosts):
                script = "set -- " + " ".join(hosts) + "; shift $R; SHEAF_HOST=$1; export SHEAF_HOST; set --"
                result = self.run_job(len(hosts), *self.by_rank(script, program("boot-places")))
                self.check_places(result, hosts)

    def test_namespaces_of_users(self):
        """As in containers of a plain user, one for each PE: neither opens the other's files. They meet by their network namespace,
        or are a host each."""
        if subprocess.run(["unshare", "-r", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no namespaces of users here")
        for script, nodes in ((":", 1), ("export SHEAF_FAILURES=report", 2)):
            with self.subTest(script):
                result = self.run_job(2, *self.by_rank(script, "unshare", "-r", program("boot-places")))
                self.ran(result)
                self.assertEqual(result.out.count(f" nodes={nodes} "), 2, result)

    def test_versions_must_match(self):
        if SANITIZE:
            self.skipTest("the sanitizer's run-time must be loaded before any other library")
        with open(LIBRARY, "rb") as file:
            library = file.read()
        self.assertEqual(len(VERSION.findall(library)), 1)
        other = os.path.join(self.folder, "libsheaf.so.0")
        with open(other, "wb") as file:
            file.write(VERSION.sub(rb"9.9.9\1", library))
        for hosts in ("", "SHEAF_HOST=h$R; export SHEAF_HOST;"):
            script = f"{hosts} [ $R != 2 ] || export LD_PRELOAD={other}"
            result = self.run_job(3, *self.by_rank(script, program("image-tiny")))
            self.assertNotEqual(result.status, 0, result)
            self.assertEqual(len(result.said()), 1, result)
            self.assertRegex(result.said()[0], r"PE 2 on \S+ runs Sheaf 9\.9\.9/.*PE 0 on \S+ Sheaf \d")

    def test_different_programs(self):
        result = self.run_job(2, program("image-mpmd-1"), "heap", ":", "-n", 1, program("image-mpmd-2"),
                              "heap")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(len(result.said()), 1, result)
        self.assertRegex(result.said()[0], "different programs.*heap.*static")

    # Settings

    def test_unknown_language(self):
        result = self.run_job(2, program("image-tiny"), SHEAF_BOOT="telepathy")
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex(result.said()[0], 'SHEAF_BOOT is "telepathy".*pmix, pmi1, pmi2')

    def test_bad_heap_size(self):
        result = self.run_job(3, program("image-tiny"), SHMEM_SYMMETRIC_SIZE="900t")
        self.assertNotEqual(result.status, 0, result)
        self.assertEqual(len(result.said()), 1, result)

    def test_bad_setting(self):
        result = self.run_job(3, program("image-tiny"), SHMEM_SYMMETRIC_SIZE="much")
        self.assertNotEqual(result.status, 0, result)
        self.assertEqual(len(result.said()), 1, result)
        self.assertRegex(result.said()[0], "SHMEM_SYMMETRIC_SIZE")


def missing(command, package):
    return None if shutil.which(command) else f"no command {command}: install {package}"


class Hydra(Launched, unittest.TestCase):
    command = ("mpiexec.hydra",)
    rank = "PMI_RANK"
    why_not = missing("mpiexec.hydra", "Debian's mpich")

    def test_descriptor_closed(self):
        closes = "import os, sys; os.closerange(3, 256); os.execvp(sys.argv[1], sys.argv[1:])"
        result = self.run_job(2, sys.executable, "-c", closes, program("image-tiny"))
        if result.status:
            self.assertRegex("\n".join(result.said()), "PMI_FD=.* is not open: a wrapper")

    def test_no_connection_given(self):
        result = self.run_job(2, "env", "-u", "PMI_FD", program("image-tiny"))
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex(result.said()[0], "started 2 copies.*PMI_SIZE=2.*oshrun -n 2")


class HydraPmi2(Launched, unittest.TestCase):
    """Hydra 4.0 lets PEs through the second of PMI-2's fences too early, does not know its abort, and
    loses what was printed before. Sheaf speaks PMI-1 there, and PMI-2 with Slurm; here one node."""
    command = ("mpiexec.hydra",)
    rank = "PMI_RANK"
    settings = {"SHEAF_BOOT": "pmi2"}
    why_not = Hydra.why_not

    def check_failure(self, *words):
        self.assertNotEqual(self.run_job(3, program("boot-life"), *words).status, 0)

    def test_global_exit(self):
        self.check_failure("global-exit")

    def test_exit_without_finalize(self):
        self.check_failure("exit-5")

    def test_mistake(self):
        self.check_failure("mistake")

    test_hosts = test_versions_must_match = test_unknown_language = test_bad_heap_size = test_bad_setting = None


class Flux(Launched, unittest.TestCase):
    """What Flux's shell sets and says, by a small server."""
    command = (sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common/by-flux"))
    rank = "FLUX_TASK_RANK"

    def test_pmi_off(self):
        """-o pmi=off."""
        result = self.run_job(2, "env", "-u", "PMI_FD", program("image-tiny"))
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex(result.said()[0], "Flux started rank . of 2.*flux run -o pmi=simple")


class Rendezvous(Launched, unittest.TestCase):
    command = (sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common/by-rendezvous"))
    rank = "SHEAF_RANK"

    def killed_daemon(self, name, variables):
        """There is no daemon, but any PE may be killed, also that at which all have met."""
        for victim in (0, 2):
            job = self.start("-n", 3, program(name), "compute", **variables)
            pes = {}
            while len(pes) < 3:
                words = job.stdout.readline().split()
                self.assertTrue(words, "a PE has ended")
                if words[0] == "alive":
                    pes[int(self.variable(int(words[1]), "SHEAF_RANK"))] = int(words[1])
            os.kill(pes[victim], signal.SIGKILL)
            self.assertTrue(wait_for(lambda: not any(map(is_alive, pes.values())), 5), "PEs outlive another")
            result = self.finish(job)
            self.assertEqual(len(result.said()), 1, result)
            self.assertRegex(result.said()[0], f"PE {victim} on host .* has died: the job ends")

    def variable(self, pid, name):
        with open(f"/proc/{pid}/environ", encoding="utf-8") as file:
            return dict(word.split("=", 1) for word in file.read().split("\0") if "=" in word)[name]

    def test_each_has_the_status(self):
        """Whoever has started a PE sees its status alone."""
        script = f'{program("boot-life")} $0; echo $? >>{self.folder}/statuses'
        for way, status in (("global-exit", "42"), ("kill", "1"), ("exit-5", "5")):
            self.run_job(3, "sh", "-c", script, way)
            with open(self.folder + "/statuses", encoding="utf-8") as file:
                found = sorted(file.read().split())
            os.remove(self.folder + "/statuses")
            self.assertEqual(found, sorted([status] * 3 if way != "kill" else [status] * 2 + ["137"]), way)


class OpenMpi(Launched, unittest.TestCase):
    command = ("mpirun.openmpi", "--oversubscribe", "--bind-to", "none")
    rank = "OMPI_COMM_WORLD_RANK"
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "ASAN_OPTIONS": "detect_leaks=0"}  # libpmix does not free all it has
    speaks_pmix = True
    why_not = missing("mpirun.openmpi", "Debian's openmpi-bin")
    if "thread" in SANITIZE:
        why_not = "libpmix has threads of its own, which the race checker does not see into"
    if os.environ.get("HAS_PMIX") != "ON":
        why_not = "this build has no PMIx: install libpmix-dev"

    def test_static_program(self):
        path = program("image-statics-static")
        if not os.path.exists(path):
            self.skipTest("no static programs in this build")
        result = self.run_job(2, path)
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex(result.said()[0], "PMIx.*statically linked.*mpiexec.hydra")

    def test_other_servers(self):
        """PALS (mpiexec --pmi=pmix) and LSF's jsrun serve PMIx by the same library, OpenPMIx: their variables in the place of mpirun's."""
        for launcher, variables in (
                ("PALS", "PALS_RANKID=$R PALS_LOCAL_RANKID=$R PALS_NODEID=0 PALS_APID=7 PALS_DEPTH=1 PALS_SPOOL_DIR=/var/run/palsd/7"),
                ("jsrun", "JSM_NAMESPACE_RANK=$R JSM_NAMESPACE_LOCAL_RANK=$R JSM_NAMESPACE_SIZE=3 JSM_NAMESPACE_LOCAL_SIZE=3 LSB_JOBID=7")):
            script = rf"unset $(env | sed -n 's/^\(OMPI_[A-Za-z0-9_]*\)=.*/\1/p'); export {variables}"
            with self.subTest(launcher=launcher):
                self.ran(self.run_job(3, *self.by_rank(script, program("image-tiny"))), "tiny: 3 PEs ok")
                result = self.run_job(3, *self.by_rank(script, program("boot-life"), "global-exit"))
                self.assertEqual((result.status, result.said()), (42, []), result)
                result = self.run_job(3, *self.by_rank(script + "; unset PMIX_NAMESPACE", program("boot-life")))
                self.assertRegex("\n".join(result.said()), f"{launcher} started rank .*, or", result)

    def test_no_connection_given(self):
        result = self.run_job(2, "env", "-u", "PMIX_NAMESPACE", program("image-tiny"))
        self.assertNotEqual(result.status, 0, result)
        self.assertRegex(result.said()[0], "started 2 copies.*OMPI_COMM_WORLD_SIZE=2.*oshrun -n 2")


if __name__ == "__main__":
    outcome = unittest.main(exit=False, verbosity=2).result
    if not outcome.wasSuccessful():
        sys.exit(1)
    if outcome.testsRun and len(outcome.skipped) == outcome.testsRun:
        for test, reason in outcome.skipped:
            print(f"skipped: {test}: {reason}")
        sys.exit(77)
