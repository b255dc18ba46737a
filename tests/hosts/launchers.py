# SPDX-License-Identifier: BSD-3-Clause
"""The launchers, each really started across the hosts of a site (hosts.py).

    with Site(2) as site, launcher_of("slurm", site) as launcher:
        site.run(launcher.command(Layout([2, 2]), ["./program"]))

A launcher knows whether this machine has it (missing), the daemons it needs (start), and the
command line for a layout of PEs over hosts. It runs on the site's head, which has no PEs, and
reaches the hosts through the site's agent as it would with ssh. Nothing is bound to cores: the
hosts share this machine's, and every launcher would count each host's from 0.
"""
import os
import shutil
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "common"))
import pmix # noqa: E402
from hosts import HEAD, NETWORK, SHARED, SUBNET, Unavailable

AGENT = f"{SHARED}/agent"
PLUGINS = ("/usr/lib/x86_64-linux-gnu/slurm-wlm", "/usr/lib/aarch64-linux-gnu/slurm-wlm",
           "/usr/lib64/slurm", "/usr/lib/slurm")

# Variables of the user's that PEs get whatever the launcher passes on by itself.
PASSED_ON = ("SHEAF_", "SHMEM_", "SMA_", "UCX_", "FI_", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")


class Layout:
    """How many PEs each host has, and in which order PE numbers go round: block fills a host
    before the next, cyclic deals them out one by one."""

    def __init__(self, pes, cyclic=False, names=None):
        self.pes = list(pes)
        self.cyclic = cyclic
        self.names = names or [f"h{number}" for number in range(1, len(self.pes) + 1)]

    @property
    def total(self):
        return sum(self.pes)

    def __str__(self):
        return "+".join(map(str, self.pes)) + (" cyclic" if self.cyclic else "")

    def host_of_each(self):
        """The hosts' names in the order of PE numbers."""
        if not self.cyclic:
            return [name for name, pes in zip(self.names, self.pes) for _ in range(pes)]
        left, order = list(self.pes), []
        while any(left):
            for index, name in enumerate(self.names):
                if left[index]:
                    left[index] -= 1
                    order.append(name)
        return order


def passed_on(environment):
    return sorted(name for name in environment if name.startswith(PASSED_ON))


class Launcher:
    name = None
    commands = ()  # what must be there
    package = ""   # Debian's, which brings it
    daemon = None  # its process on each host
    noise = ()     # what it may write although nothing is wrong

    def __init__(self, site):
        self.site = site

    @classmethod
    def missing(cls):
        """Why it cannot be used here, or None."""
        for command in cls.commands:
            if not shutil.which(command):
                return f"no command {command}: install Debian's {cls.package}"
        return None

    def start(self):
        pass

    def stop(self):
        pass

    def environment(self, env=None):
        """For the launcher's process."""
        return dict(os.environ if env is None else env)

    def command(self, layout, program, env=None):
        """The command line; env is what environment() gives."""
        raise NotImplementedError

    def run(self, layout, program, timeout=60, env=None):
        """(exit status, output) of a whole job; see Site.run."""
        env = self.environment(env)
        program = self.site.at_adapter(program)
        status, out = self.site.run(self.command(layout, program, env), timeout, env)
        lines = [line for line in out.splitlines(keepends=True)
                 if not any(text in line for text in self.noise)]
        return status, "".join(lines)

    def popen(self, layout, program, env=None, **options):
        env = self.environment(env)
        program = self.site.at_adapter(program)
        return self.site.popen(self.command(layout, program, env), env=env, **options)

    def __enter__(self):
        why = self.missing()
        if why:
            raise Unavailable(why)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()


class OpenMpi(Launcher):
    """Open MPI's mpirun: PMIx."""
    name = "openmpi"
    commands = ("mpirun.openmpi",)
    package = "openmpi-bin"
    daemon = "orted"
    noise = ("plm:rsh: Warning: setpgid",) # parent and child race to do the same

    def environment(self, env=None):
        env = super().environment(env)
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return env

    def command(self, layout, program, env=None):
        settings = {"plm": "rsh", "plm_rsh_agent": AGENT, "plm_rsh_no_tree_spawn": "1",
                    "oob_tcp_if_include": SUBNET, "btl_tcp_if_include": SUBNET,
                    # A host that is gone is noticed by mpirun too, and not in 7 minutes.
                    "oob_tcp_keepalive_time": "1", "oob_tcp_keepalive_intvl": "1",
                    "oob_tcp_keepalive_probes": "3"}
        line = ["mpirun.openmpi", "-n", str(layout.total), "--bind-to", "none",
                "--map-by", "node" if layout.cyclic else "slot",
                "-H", ",".join(f"{name}:{pes}" for name, pes in zip(layout.names, layout.pes))]
        for key, value in settings.items():
            line += ["--mca", key, value]
        for variable in passed_on(env or {}):
            line += ["-x", variable]
        if pmix.mixes_keys() and any("openmpi" in os.path.basename(word) for word in program):
            line += ["-x", "PMIX_MCA_gds=hash"] # for programs in which MPI begins
        return [*line, *program]


class Prte(Launcher):
    """PRRTE's prterun: PMIx. Debian 12 has no package of it."""
    name = "prte"
    commands = ("prterun",)
    package = "prrte (not in Debian 12)"
    daemon = "prted"

    def environment(self, env=None):
        env = super().environment(env)
        env.update(PRTE_ALLOW_RUN_AS_ROOT="1", PRTE_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return env

    def command(self, layout, program, env=None):
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("prterun")))) # its daemons' on the hosts, too
        line = ["prterun", "--prefix", prefix, "-n", str(layout.total), "--bind-to", "none",
                "--map-by", "node" if layout.cyclic else "slot",
                "--host", ",".join(f"{name}:{pes}" for name, pes in zip(layout.names, layout.pes)),
                "--prtemca", "plm_ssh_agent", AGENT, "--prtemca", "plm_ssh_no_tree_spawn", "1",
                "--prtemca", "prte_if_include", SUBNET]
        for variable in passed_on(env or {}):
            line += ["-x", variable]
        return [*line, *program]


class Hydra(Launcher):
    """MPICH's Hydra: PMI-1."""
    name = "hydra"
    commands = ("mpiexec.hydra",)
    package = "mpich"
    daemon = "hydra_pmi_proxy"

    def command(self, layout, program, env=None):
        if layout.cyclic: # goes round the hosts until all PEs are dealt out
            hosts = ",".join(f"{name}:1" for name in layout.host_of_each())
        else:
            hosts = ",".join(f"{name}:{pes}" for name, pes in zip(layout.names, layout.pes))
        return ["mpiexec.hydra", "-launcher", "rsh", "-launcher-exec", AGENT, "-iface", "switch",
                "-hosts", hosts, "-n", str(layout.total), *program]


class Rendezvous(Launcher):
    """None: processes that meet at a port of the first one's host."""
    name = "rendezvous"
    commands = ("python3",)
    package = "python3"
    daemon = "none"

    def environment(self, env=None):
        return dict(super().environment(env), SHEAF_SECRET="one-secret-for-all-hosts")

    def command(self, layout, program, env=None):
        hosts = layout.host_of_each()
        start = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common/by-rendezvous")
        return ["env", f"SHEAF_RENDEZVOUS={hosts[0]}:7117", sys.executable, start, "--on", ",".join(hosts), *program]


USER_NAMESPACE = ["unshare", "--user", "--map-root-user"] # of its own, for the process behind it


class Containers(Rendezvous):
    """The same, and the hosts are containers of one machine: each process is in a user namespace of its own, and they have a
    folder in common."""
    name = "containers"
    commands = ("python3", "unshare")

    def environment(self, env=None):
        return dict(super().environment(env), SHEAF_NODE_DIR=SHARED)

    def command(self, layout, program, env=None):
        return super().command(layout, [*USER_NAMESPACE, *program], env)


SLURM_CONF = """\
ClusterName=site
SlurmctldHost={head}({network}.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={shared}/munge/socket
CredType=cred/munge
CryptoType=crypto/munge
StateSaveLocation={shared}/slurm/state
SlurmdSpoolDir={shared}/slurm/spool-%n
SlurmctldPidFile={shared}/slurm/slurmctld.pid
SlurmdPidFile={shared}/slurm/slurmd-%n.pid
SlurmctldLogFile={shared}/slurm/slurmctld.log
SlurmdLogFile={shared}/slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmctldTimeout=30
SlurmdTimeout=300
KillWait=2
NodeName=DEFAULT CPUs=64 State=UNKNOWN
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
"""


class Slurm(Launcher):
    """Slurm's srun; munge, slurmctld on the head and a slurmd per host. PMI is chosen by --mpi."""
    name = "slurm"
    commands = ("srun", "slurmctld", "slurmd", "munged")
    package = "slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge"
    daemon = "slurmstepd"
    mpi = "pmix"

    @classmethod
    def plugin(cls):
        """The file of the plugin that --mpi loads, or None."""
        for folder in PLUGINS:
            path = f"{folder}/mpi_{cls.mpi}.so"
            if os.path.exists(path):
                return path
        return None

    @classmethod
    def missing(cls):
        why = super().missing()
        if not why and not cls.plugin():
            why = f"Slurm's package here has no plugin mpi_{cls.mpi}.so, so no srun --mpi={cls.mpi}"
        return why

    def environment(self, env=None):
        env = super().environment(env)
        env["SLURM_CONF"] = f"{SHARED}/slurm.conf"
        return env

    def start(self):
        site = self.site
        nodes = "\n".join(f"NodeName={host.name} NodeAddr={host.address} NodeHostname={host.name}"
                          for host in site.hosts)
        site.write("slurm.conf", SLURM_CONF.format(head=HEAD, network=NETWORK, shared=SHARED,
                                                   nodes=nodes))
        os.makedirs(f"{site.shared}/slurm/state")
        os.makedirs(f"{site.shared}/munge", 0o755)
        with open(f"{site.shared}/munge/key", "wb", opener=lambda path, flags:
                  os.open(path, flags, 0o600)) as key:
            key.write(os.urandom(128))
        munge = f"{SHARED}/munge"
        self._daemon(site, "munged", "--key-file", f"{munge}/key", "--socket", f"{munge}/socket",
                     "--pid-file", f"{munge}/pid", "--log-file", f"{munge}/log",
                     "--seed-file", f"{munge}/seed", "--force")
        self._daemon(site, "slurmctld", "-c")
        for host in site.hosts:
            self._daemon(host, "slurmd", "-N", host.name)
        self._wait_for_nodes()
        site.settle()

    def _daemon(self, machine, *command):
        done = subprocess.run(machine.inside(*command), env=self.environment(), timeout=20,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Unavailable(f"{command[0]} on {machine.name} does not start: "
                              f"{done.stdout.strip() or self._log(machine)}")

    def _log(self, machine):
        """The last lines of what a daemon wrote."""
        name = "slurmctld" if machine is self.site else f"slurmd-{machine.name}"
        try:
            with open(f"{self.site.shared}/slurm/{name}.log", encoding="utf-8") as file:
                return "".join(file.readlines()[-5:]).strip()
        except OSError:
            return "and has written no log"

    def _wait_for_nodes(self):
        until = time.monotonic() + 20
        states = ""
        while time.monotonic() < until:
            states = self.site.run(["sinfo", "-h", "-N", "-o", "%T"], 10, self.environment())[1]
            if states.split() == ["idle"] * len(self.site.hosts):
                return
            time.sleep(0.1)
        raise Unavailable(f"Slurm's nodes are not ready: {states.strip()}\n" +
                          "\n".join(map(self._log, (self.site, *self.site.hosts))))

    def command(self, layout, program, env=None):
        line = ["srun", f"--mpi={self.mpi}", "-K", "-N", str(len(layout.names)),
                "-n", str(layout.total), "-w", ",".join(layout.names), "--overcommit"]
        if len(set(layout.pes)) == 1:
            line += ["--distribution", "cyclic" if layout.cyclic else "block"]
        else: # PE by PE, from a file
            order = self.site.write("order", "\n".join(layout.host_of_each()) + "\n")
            line += ["--distribution", "arbitrary"]
            line[line.index("-w") + 1] = order
            at = line.index("-N") # from 23.11 on srun takes either; the file has the hosts
            del line[at:at + 2]
        return [*line, *program]


class SlurmPmi2(Slurm):
    name = "slurm-pmi2"
    mpi = "pmi2"


class OneByOne(Launcher):
    """No launcher that is in use anywhere: it has no daemons, and outlives hosts. Tests name it."""
    name = "one-by-one"

    def command(self, layout, program, env=None):
        script = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "common", "one-by-one")
        return [script, ",".join(layout.host_of_each()), *program]


LAUNCHERS = {launcher.name: launcher for launcher in (OpenMpi, Prte, Hydra, Slurm, SlurmPmi2, Rendezvous, Containers)}


def launcher_of(name, site):
    return LAUNCHERS[name](site)


def oshrun_on_head(site, words, settings):
    """(status, what it said) of oshrun with --hosts among its words, on the head of a site without a launcher's daemons."""
    kind = "mpiexec.hydra" if shutil.which("mpiexec.hydra") else "mpirun"
    env = {**os.environ, "UCX_TLS": "tcp,self", "HYDRA_LAUNCHER": "rsh", "HYDRA_LAUNCHER_EXEC": AGENT,
           "HYDRA_IFACE": "switch", "OMPI_MCA_plm_rsh_agent": AGENT, "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **settings}
    return site.run([f"{os.environ['BUILD']}/bin/oshrun", "--launcher", kind, *map(str, words)], 30, env)
