# SPDX-License-Identifier: BSD-3-Clause
"""A machine whose own name no file and no name server knows: `oshinfo --doctor` and `oshrun`, where it hands over to Open MPI's
mpirun, say so in a line, and nothing where the name is known. In mounts and a network of the test's own, as root.
Arguments: oshinfo, oshrun."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

OSHINFO, OSHRUN = sys.argv[1:3]
LINE = "add a line \"127.0.1.1 {}\" to /etc/hosts".format(socket.gethostname())

# A name server that never answers.
SILENT = """
import socket, subprocess, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
sys.exit(subprocess.run(sys.argv[1:], timeout=30).returncode)
"""
SCRIPT = """
ip link set lo up
mount --bind "$0/hosts" /etc/hosts
mount --bind "$0/resolv.conf" /etc/resolv.conf
exec "$@"
"""


class OwnName(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
            self.skipTest("needs root, unshare (util-linux) and ip (iproute2)")
        if not os.path.exists("/etc/hosts") or not os.path.exists("/etc/resolv.conf"):
            self.skipTest("no /etc/hosts or no /etc/resolv.conf here to put others in the place of")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.write("resolv.conf", "nameserver 127.0.0.1\n")
        self.write("mpirun", "#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4'\n", 0o755)

    def write(self, name, text, mode=0o644):
        with open(f"{self.folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(file.name, mode)

    def both(self, hosts):
        """What oshinfo and oshrun say where /etc/hosts is this."""
        self.write("hosts", hosts)
        said = []
        for command in ((OSHINFO, "--doctor"), (OSHRUN, "--mpi=pmix", "-n", "1", "true"),
                        (OSHRUN, "--hosts", "localhost", "--launcher", f"{self.folder}/mpirun", "-n", "1", "true")):
            done = subprocess.run(("unshare", "-m", "-n", "--propagation", "private", "sh", "-ec", SCRIPT, self.folder, sys.executable, "-c", SILENT,
                                   *command), capture_output=True, text=True, timeout=60, check=False,
                                  # The suite has the resolver give up after a second, the time from which it is told.
                                  env={name: value for name, value in os.environ.items() if name != "RES_OPTIONS"})
            if "unshare:" in done.stderr or "mount:" in done.stderr:
                self.skipTest(f"no mounts or no network of its own here: {done.stderr}")
            said.append(done.stdout + done.stderr)
        return said

    def test_unknown(self):
        doctor, pmix, oshrun = self.both("127.0.0.1 localhost\n")
        self.assertIn("note: host name: ", doctor)
        self.assertIn(LINE, doctor)
        self.assertIn(LINE, oshrun)
        if "PMIx" not in pmix: # of no use here
            self.assertIn(LINE, pmix)

    def test_known(self):
        doctor, pmix, oshrun = self.both(f"127.0.0.1 localhost {socket.gethostname()}\n")
        self.assertNotIn("host name", doctor)
        self.assertNotIn("/etc/hosts", oshrun + pmix)
        self.assertIn("started by", oshrun)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
