# SPDX-License-Identifier: BSD-3-Clause
"""Adapters: soft-RoCE (rdma_rxe) on the interfaces of hosts made of namespaces.

UCX 1.13's ud_verbs fails on soft-RoCE by itself (ucx_perftest too), so peers are met over tcp.
"""
from kind import Machine, Step

WHAT = "InfiniBand verbs by soft-RoCE between two hosts: devices, what oshinfo says"

ON = "export SHEAF_HOSTS_RDMA=1 UCX_TLS=rc_verbs,tcp,self UCX_IB_GID_INDEX=1; "
HEAD = ON + "tests/hosts/run-on-hosts --hosts 2 --head -- /bin/bash -c '%s'"
DEVICES = "rdma link; for h in h1 h2; do /run/site/enter $h ibv_devinfo -v || exit 1; done"
INFO = "/run/site/enter h1 env UCX_TLS=$UCX_TLS UCX_IB_GID_INDEX=1 $BUILD/bin/oshinfo "

MACHINES = [
    Machine("rc", modules=["veth", "bridge", "rdma_rxe", "crc32_generic"], cpus="2", memory="3G", steps=[
        Step("devices", HEAD % DEVICES, 60),
        Step("oshinfo", HEAD % (INFO + "&& " + INFO + "--amo"), 90),
    ]),
]
