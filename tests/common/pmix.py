# SPDX-License-Identifier: BSD-3-Clause
"""The PMIx of this machine."""
import ctypes
import functools


@functools.lru_cache
def mixes_keys():
    """Ubuntu 24.04's 5.0.1, as src/base/pmix_version.h says. A program that begins with MPI needs PMIX_MCA_gds=hash there."""
    try:
        version = ctypes.CDLL("libpmix.so.2").PMIx_Get_version
    except (OSError, AttributeError):
        return False
    version.restype = ctypes.c_char_p
    return any(known in version().decode() for known in ("PMIx 5.0.0", "PMIx 5.0.1", "PMIx 5.0.2"))
