# SPDX-License-Identifier: BSD-3-Clause
"""The backend "sheaf" of torch.distributed: its collectives and messages for tensors of the CPU, through shared memory
within a host.

    import sheaftorch
    torch.distributed.init_process_group("sheaf")

docs/do/pytorch.md is the guide.
"""
import torch.distributed as dist

from sheaftorch import _rendezvous  # noqa: F401: init_method="sheaf://"
from sheaftorch._group import Group
from sheaftorch._work import Error

__version__ = "0.1.0"
__all__ = ["Error", "Group"]


def _register() -> None:
    if hasattr(dist.Backend, "SHEAF"):
        return
    try:
        dist.Backend.register_backend("sheaf", Group.create, extended_api=True, devices=["cpu"])
    except TypeError:  # before torch 2.0 a backend has no devices
        dist.Backend.register_backend("sheaf", Group.create, extended_api=True)


_register()
