# SPDX-License-Identifier: BSD-3-Clause
"""Objects of the caller's that are no NumPy arrays, as such."""
import numpy as np

from sheafshmem import _core
from sheafshmem._arrays import _wrong

CPU = 1
DEVICES = {2: "CUDA", 3: "CUDA's pinned memory", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 13: "CUDA managed",
           14: "oneAPI"}


def as_array(call, argument, value, dtype):
    """value by DLPack or the buffer protocol, without a copy; numbers and lists as a new array of dtype."""
    name = _name(value)
    array = _shared(call, argument, value, name, argument == "out")
    if array is not None:
        return array
    if argument == "out":
        return _memory_of(call, argument, value, name)
    try:
        result = np.asarray(value)
        if result.dtype.kind in "iu" and np.dtype(dtype).kind in "iu":
            return _integers(result, dtype)
        fits = result.dtype == dtype or np.can_cast(result.dtype, dtype, "same_kind")
        return np.asarray(value, dtype, order="C") if fits else result
    except (TypeError, ValueError, OverflowError) as error:
        raise _wrong(call, argument, f"{name} is no array of {dtype}: {error}") from None


def view_of(call, argument, value):
    """The array whose memory value is, for calls that take symmetric arrays alone."""
    name = _name(value)
    array = _shared(call, argument, value, name, argument != "source")
    return _memory_of(call, argument, value, name) if array is None else array


def _name(value):
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _shared(call, argument, value, name, is_written):
    """value by DLPack, without a copy; None where it has no such protocol. What lies on a device is refused."""
    if hasattr(value, "__dlpack_device__"):
        device, number = value.__dlpack_device__()
        if int(device) != CPU:
            where = DEVICES.get(int(device), f"device type {int(device)}")
            raise _wrong(call, argument, f"{name} lies on {where} {number}, not in this host's memory: copy it first")
        array = np.from_dlpack(value)
        if is_written and not array.flags.writeable and not _says_read_only(value):
            _core.make_writable(array)
        return array
    if hasattr(value, "__cuda_array_interface__"):
        raise _wrong(call, argument, f"{name} lies on a CUDA device, not in this host's memory: copy it first")
    return None


def _says_read_only(value):
    """NumPy takes arrays as read-only where the protocol's version cannot say; who is to be read only refuses that one."""
    if tuple(int(part) for part in np.__version__.split(".")[:2]) < (2, 1):
        return False
    try:
        return "versioned" in repr(value.__dlpack__(max_version=(1, 0)))
    except TypeError:
        return False


def _integers(values, dtype):
    """values as dtype, where that holds all of them."""
    limits = np.iinfo(dtype)
    for value in (values.min(), values.max()) if values.size else ():
        if not limits.min <= int(value) <= limits.max:
            raise OverflowError(f"{value} is none of its values")
    return values.astype(dtype, order="C", copy=False)


def _memory_of(call, argument, value, name):
    """value's memory by the buffer protocol. What is made anew from value, as of a list, nobody but the call would see."""
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        raise _wrong(call, argument, f"{name} is no array: pass one of sheafshmem.zeros, empty, full or array, or of NumPy where the "
                                     "call takes that") from None
