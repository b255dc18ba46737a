# SPDX-License-Identifier: BSD-3-Clause
"""The engine over libfabric, across hosts: how it is chosen, and starts that cannot succeed."""
import os
import re
import subprocess
import sys

import common
from two_hosts import TwoHosts, on_first_host

OSHINFO = os.path.join(common.BUILD, "bin", "oshinfo")


def oshinfo(**env):
    return subprocess.run([OSHINFO], capture_output=True, text=True, timeout=30, check=True,
                          env={**os.environ, **env}).stdout


def need_libfabric():
    if not re.search(r"^ofi +libfabric \d", oshinfo(), re.MULTILINE):
        print("skipped: oshinfo finds no libfabric")
        sys.exit(common.SKIPPED)


class Ofi(TwoHosts):
    settings = {"SHEAF_ENGINE": "ofi"}

    def test_by_its_name(self):
        self.succeed({})

    def test_unknown_provider(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "nonsense"}, "host h", "SHEAF_OFI_PROVIDER=nonsense", "tcp;ofi_rxm")
        self.refuse({"FI_PROVIDER": "nonsense"}, "host h", "FI_PROVIDER=nonsense", "unset it")

    def test_shared_memory(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "shm"}, "SHEAF_OFI_PROVIDER=shm", "never used", "name a network")

    def test_unknown_rule(self):
        self.refuse({"SHEAF_OFI_RULES": "busy,nonsense"}, "SHEAF_OFI_RULES=busy,nonsense", "no-order")

    def test_no_such_network(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "tcp", "FI_TCP_IFACE": "nonsense"}, "FI_TCP_IFACE=nonsense", "ip link")

    def test_no_libfabric(self):
        self.hide("libfabric.so.1")
        self.refuse({}, "engine ofi", "install libfabric")

    def test_other_engines_here_and_there(self):
        """PEs of one job over two networks: said, and ended."""
        self.refuse({}, "on host h", "its engine is ", "this PE's is ", "SHEAF_ENGINE",
                    command=on_first_host("ofi", "ucx"))

    def test_other_providers_here_and_there(self):
        self.refuse({}, "on host h", "the provider ", "this PE's ", "sockets", "tcp", "same SHEAF_OFI_PROVIDER",
                    command=on_first_host("tcp", "sockets", "SHEAF_OFI_PROVIDER"))

    def test_a_setting_of_one_host(self):
        self.refuse({}, "PE 1", 'SHEAF_RMA is "natve"', "auto, native, message", "host h2",
                    command=on_first_host("auto", "natve", "SHEAF_RMA"))

    def test_a_fabrics_own_provider_is_chosen(self):
        rule = {"SHEAF_OFI_RULES": "fabric"}
        self.assertRegex(oshinfo(**rule), r"(?m)^auto +ofi$")
        self.succeed(rule, command=on_first_host("ofi", "auto"))

    def test_without_ucx_it_is_chosen(self):
        self.hide("libucp.so.0")
        status, out = self.run_barriers({"SHEAF_ENGINE": "ucx"})
        self.assertNotEqual(status, 0, out)
        self.succeed({"SHEAF_ENGINE": "auto"})


if __name__ == "__main__":
    need_libfabric()
    common.main()
