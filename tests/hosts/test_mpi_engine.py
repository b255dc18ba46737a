# SPDX-License-Identifier: BSD-3-Clause
"""The engine over MPI, across hosts: starts that cannot succeed."""
import common
from two_hosts import TwoHosts, on_first_host


class MpiEngine(TwoHosts):
    settings = {"SHEAF_ENGINE": "mpi"}

    def test_by_its_name(self):
        self.succeed({})

    def test_unknown_mpi(self):
        self.refuse({"SHEAF_MPI": "nonsense"}, "SHEAF_MPI is \"nonsense\"", "openmpi, mpich")

    def test_another_mpi_than_the_launchers(self):
        other = "openmpi" if common.launchers_here()[0] == "hydra" else "mpich"
        self.refuse({"SHEAF_MPI": other}, "engine mpi: host h", "has 1 process", "OpenSHMEM has 2 PEs", "SHEAF_MPI")

    def test_other_mpis_here_and_there(self):
        """Both launchers' processes may be served by both: nobody may wait in one for a PE that uses the other."""
        self.refuse({}, "on host h1", "on host h2", "Open MPI v", "MPICH ", "the same MPI", "SHEAF_MPI",
                    command=on_first_host("mpich", "openmpi", "SHEAF_MPI"))

    def test_no_mpi(self):
        mpi, file, package = ("mpich", "libmpich.so.12", "libmpich12") if common.launchers_here()[0] == "hydra" else \
                             ("openmpi", "libmpi.so.40", "libopenmpi3")
        self.hide(file)
        self.refuse({"SHEAF_MPI": mpi}, "engine mpi: host h", "cannot be loaded", package, "SHEAF_MPI=")

    def test_mpich_under_slurm(self):
        """Both speak to the launcher on one descriptor, which takes one greeting. Where MPICH may not speak it ends the
        process within MPI_Init."""
        if common.launchers_here()[0] != "slurm-pmi2":
            self.skipTest("not that launcher")
        self.succeed({"SHEAF_MPI": "mpich"})
        self.refuse({"SHEAF_MPI": "mpich", "SHEAF_BOOT": "pmi2"}, "PE ", "host h",
                    "MPICH has ended this process in MPI_Init", "SHEAF_MPI")

    def test_windows_when_asked_for(self):
        """MPICH makes some between these hosts; Open MPI makes none where several threads call it, and says so once."""
        status, out = self.run_barriers({"SHEAF_RMA": "native", "SHMEM_DEBUG": "1"})
        self.assertEqual(status, 0, out)
        if common.launchers_here()[0] == "hydra":
            self.assertIn("puts and gets are MPI's", out)
        else:
            self.assertEqual(out.count("makes no windows between these hosts"), 1, out)

    def test_messages_where_a_window_waits_for_the_target(self):
        status, out = self.run_barriers({"SHMEM_DEBUG": "1"})
        self.assertEqual(status, 0, out)
        self.assertRegex(out, "puts and gets are messages: (in them an access waits|MPI_ERR_WIN)")

    def test_messages_where_a_host_wants_messages(self):
        self.succeed({}, command=on_first_host("native", "message", "SHEAF_RMA"))

    def test_other_engines_here_and_there(self):
        self.refuse({}, "another engine", "SHEAF_ENGINE", command=on_first_host("mpi", "ucx"))

    def test_without_other_networks_it_is_chosen(self):
        if common.launchers_here()[0] != "openmpi":
            self.skipTest("MPICH needs one of these itself")
        self.hide("libucp.so.0")
        self.hide("libfabric.so.1")
        self.succeed({"SHEAF_ENGINE": "auto"}, command=on_first_host("mpi", "auto"))


if __name__ == "__main__":
    common.main()
