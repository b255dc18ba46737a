# SPDX-License-Identifier: BSD-3-Clause
"""Handing a job on several hosts over: what each launcher is asked for, and what cannot be asked.

The launchers here are scripts that print what they get; tests/hosts starts the real ones."""
import os
import unittest

from common import OshrunTest

# Prints its arguments, a line each, and the variables that matter.
FAKE = """#!/bin/sh
case "$1" in
--version) echo "%s"; exit ;;
--mpi=list) echo "MPI plugin types are..."; echo "%s"; exit ;;
esac
printf '%%s\\n' "$@"
env | grep -E '^(SHMEM_SYMMETRIC_SIZE|OMPI_ALLOW|MPIEXEC_TIMEOUT|SHEAF_TIMEOUT|ADDED)' | sort
[ -z "$SLURM_HOSTFILE" ] || tr '\\n' ' ' <"$SLURM_HOSTFILE"
exit 7
"""
TRUE = os.path.realpath("/bin/true") if not os.path.exists("/usr/bin/true") else "/usr/bin/true"


class Hosts(OshrunTest):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.folder, "bin")
        os.mkdir(self.bin)
        self.expected_files.add("bin")
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin"}

    def fake(self, name, version="", plugins=""):
        path = os.path.join(self.bin, name)
        with open(path, "w") as file:
            file.write(FAKE % (version, plugins))
        os.chmod(path, 0o755)
        return path

    def words(self, *arguments, **env):
        result = self.run_oshrun(*arguments, env={**self.env, **env})
        self.assertEqual(result.status, 7, result.err)
        self.assertRegex(result.err, r"(?m)^oshrun: \d+ PEs on \d+ hosts, started by /")
        return result.out.split("\n")[:-1] if result.out.endswith("\n") else result.out.split("\n")

    def refuse(self, *arguments, says, status=2, env=None):
        result = self.run_oshrun(*arguments, env=env or self.env)
        self.assertEqual((result.status, result.out), (status, ""), result.err)
        self.assertRegex(result.err, rf"^oshrun: [^\n]*{says}[^\n]*\n$")

    def test_open_mpi(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        words = self.words("--hosts", "a,b:3", "-n", "5", "--heap", "1m", "--tag-output", "--bind",
                           "none", "-x", "ADDED=a b", "--wdir", "/", "true", "x y", SHEAF_ENGINE="ucx")
        self.assertEqual(words[:5], ["--host", "a:2,b:3", "--bind-to", "none", "--tag-output"])
        self.assertIn("-x\nSHEAF_ENGINE\n-x\nSHMEM_SYMMETRIC_SIZE", "\n".join(words))
        self.assertIn("\n".join(["-np", "5", "--wdir", "/", "-x", "ADDED=a b", TRUE, "x y"]),
                      "\n".join(words))
        self.assertIn("SHMEM_SYMMETRIC_SIZE=1m", words)
        if os.geteuid() == 0:
            self.assertIn("OMPI_ALLOW_RUN_AS_ROOT=1", words)

    def test_several_programs(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        words = self.words("--hosts", "a:1,b:1", "-n", "1", "true", "1", ":", "-n", "1", "true", "2")
        self.assertIn("\n".join(["-np", "1", TRUE, "1", ":", "-np", "1", TRUE, "2"]), "\n".join(words))

    def test_hydra(self):
        path = self.fake("mpiexec.hydra")
        words = self.words("--hosts", "a:1,b:2", "--launcher", path, "--timeout", "1.5", "-x",
                           "ADDED=1", "true")
        self.assertEqual(words[:8], ["-hosts", "a:1,b:2", "-n", "3", "-env", "ADDED", "1", TRUE])
        self.assertIn("MPIEXEC_TIMEOUT=32", words)
        self.assertIn("SHEAF_TIMEOUT=1.5", words)

    def test_srun(self):
        self.fake("srun", plugins="none pmi2 pmix pmix_v4")
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        words = self.words("--hosts", "a:1,b:2", "-x", "ADDED=1", "true", SLURM_JOB_ID="1")
        self.assertEqual(words[:6], ["--mpi=pmix", "--kill-on-bad-exit=1", "--distribution=arbitrary",
                                     "-n", "3", TRUE])
        self.assertIn("ADDED=1", words)
        self.assertEqual(words[-1], "a b b ")
        self.fake("srun", plugins="none pmi2")
        self.assertEqual(self.words("--hosts", "a,b", "true", SLURM_JOB_ID="1")[0], "--mpi=pmi2")
        self.fake("srun", plugins="none")
        self.refuse("--hosts", "a,b", "true", says="neither the pmix nor the pmi2 plugin", status=1,
                    env={**self.env, "SLURM_JOB_ID": "1"})

    def test_going_on(self):
        """When a PE was killed: each launcher's own option."""
        reported = {**self.env, "SHEAF_FAILURES": "report"}
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        self.assertEqual(self.words("--hosts", "a,b", "true", SHEAF_FAILURES="report")[0], "--enable-recovery")
        self.fake("srun", plugins="none pmi2 pmix")
        words = self.words("--hosts", "a,b", "true", SLURM_JOB_ID="1", SHEAF_FAILURES="report")
        self.assertEqual(words[:3], ["--mpi=pmi2", "--kill-on-bad-exit=0", "--no-kill"])
        self.fake("srun", plugins="none pmix")
        self.refuse("--hosts", "a,b", "true", says="not under srun with PMIx", env={**reported, "SLURM_JOB_ID": "1"})
        self.fake("prterun", "prterun (PRRTE) 3.0.14")
        words = self.words("--hosts", "a,b", "--launcher", "prterun", "true", SHEAF_FAILURES="report")
        self.assertEqual(words[:2], ["--runtime-options", "recoverable"])
        self.fake("prterun", "prterun (PRRTE) 2.0.2")
        self.refuse("--hosts", "a,b", "--launcher", "prterun", "true", says="not under .*prterun", env=reported)
        path = self.fake("mpiexec.hydra")
        self.refuse("--hosts", "a,b", "--launcher", path, "true", says="not under mpiexec.hydra", env=reported)

    def test_hostfile(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        path = self.file("hosts", "# ours\na slots=2\n\nb:1 # small\nc\n")
        self.assertEqual(self.words("--hostfile", path, "true")[:2], ["--host", "a:2,b:1,c:1"])
        self.assertEqual(self.words("--hostfile", path, "-n", "6", "true")[1], "a:2,b:1,c:3")
        for text, says in (("a slots=0\n", "\"0\" is no number"), ("a ncpu=2\n", "expected slots=N"),
                           ("a\na\n", "is listed twice"), ("\n", "no host in it")):
            self.refuse("--hostfile", self.file("hosts", text), "true", says=says)
        self.refuse("--hostfile", self.folder + "/none", "true", says="No such file")

    def test_hostfile_that_is_no_file(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        os.mkfifo(self.folder + "/fifo")
        self.expected_files.add("fifo")
        self.refuse("--hostfile", self.folder + "/fifo", "true", says="not a regular file")
        self.refuse("--hostfile", "/dev/zero", "true", says="not a regular file")

    def test_numbers(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        for hosts, pes, given in (("a,b", 5, "a:3,b:2"), ("a:4,b:4", 5, "a:4,b:1"),
                                  ("a:2,b", 2 + 3, "a:2,b:3")):
            self.assertEqual(self.words("--hosts", hosts, "-n", pes, "true")[1], given)
        self.refuse("--hosts", "a,b", "-n", "1", "true", says="1 PEs are fewer")
        self.refuse("--hosts", "a:1,b:1", "-n", "3", "true", says="3 PEs do not fit")

    def test_dry_run(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        result = self.run_oshrun("--hosts", "a,b", "--dry-run", "true", env=self.env)
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertEqual(result.out, f"{self.bin}/mpirun --host a:1,b:1 -np 2 {TRUE}\n")

    def test_mistakes(self):
        self.fake("mpirun", "mpirun (Open MPI) 4.1.4")
        for bad, says in (("a,a", "twice"), ("a:x", "no number of PEs"), ("a:0", "no number"),
                          ("a,", "name is empty"), ("a,,b", "name is empty"), ("-x", "no host's name")):
            self.refuse("--hosts", bad, "true", says=says)
        for option in ("--gdb", "--valgrind", "--no-aslr", "--stdin=none"):
            self.refuse("--hosts", "a", option, "true", says="works on one host alone")
        self.refuse("--launcher", "mpirun", "true", says="neither is given")
        self.refuse("--dry-run", "true", says="neither is given")
        self.refuse("--hosts", "a", "--launcher", "ssh", "true", says="expected srun, prterun")
        self.refuse("--hosts", "a", "--launcher", "/none/mpirun", "true", says="not found", status=127)

    def test_no_launcher(self):
        env = {"PATH": self.bin}
        self.refuse("--hosts", "a", TRUE, status=127, env=env,
                    says="install one .Debian and Ubuntu: mpich; or openmpi-bin, where oshinfo says that PMIx is there.")


if __name__ == "__main__":
    unittest.main()
