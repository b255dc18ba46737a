# SPDX-License-Identifier: BSD-3-Clause
"""Adapters: soft-RoCE (rdma_rxe) on the interfaces of hosts made of namespaces.

UCX 1.13's ud_verbs fails on soft-RoCE by itself (ucx_perftest too), so peers are met over tcp.
"""
from kind import Machine, Step

WHAT = "InfiniBand verbs by soft-RoCE between two hosts: registration, remote keys, RMA, atomics"

ON = ("rdma system set netns exclusive; export SHEAF_HOSTS_RDMA=1 UCX_TLS=rc_verbs,tcp,self UCX_IB_GID_INDEX=1; "
      "run() { tests/hosts/run-on-hosts --launcher hydra --timeout 200 \"$@\"; }; ")

MACHINES = [
    Machine("rc", modules=["veth", "bridge", "rdma_rxe", "crc32_generic"], cpus=2, memory="4G", steps=[
        Step("hosts", ON + "tests/hosts/run-on-hosts --hosts 2 --head -- /bin/bash -c '"
             "rdma system show; rdma link; /run/site/enter h1 ibv_devinfo -v; /run/site/enter h2 ibv_devinfo'", 60),
        Step("pingpong", ON + "tests/hosts/run-on-hosts --hosts 2 --head -- /bin/bash -c '"
             "timeout 30 /run/site/enter h1 ibv_rc_pingpong -d rxeh1 -g 1 -n 100 & sleep 3; "
             "timeout 30 /run/site/enter h2 ibv_rc_pingpong -d rxeh2 -g 1 -n 100 h1; wait'", 90),
        Step("ucx", ON + "tests/hosts/run-on-hosts --hosts 1 --head -- /bin/bash -c '"
             "UCX_TLS=rc_verbs,tcp,self /run/site/enter h1 ucx_info -d | grep -A40 rc_verbs'", 90),
        Step("oshinfo", ON + "tests/hosts/run-on-hosts --hosts 1 --head -- /bin/bash -c '"
             "/run/site/enter h1 env UCX_TLS=$UCX_TLS UCX_IB_GID_INDEX=1 $BUILD/bin/oshinfo | head -20; /run/site/enter h1 env UCX_TLS=$UCX_TLS $BUILD/bin/oshinfo --amo'", 90),
        Step("life", ON + "run --hosts 2 --pes 1 -- $BUILD/tests/test-conformance-info", 220),
        Step("typed-rma", ON + "run --hosts 2 --pes 1 -- $BUILD/tests/test-typed-rma", 220),
    ]),
]
