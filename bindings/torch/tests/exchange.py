# SPDX-License-Identifier: BSD-3-Clause
"""exchange.py PROGRAM: the program with a torch whose tensors can be described in C (DLPack 1.3), as sheaftorch.now expects. Torch has
that from 2.10 on; to an older one this gives it, in Python, as slow as that is."""
import ctypes
import runpy
import sys
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, py_object

import torch

CODES = {torch.bool: 6, torch.uint8: 1, torch.bfloat16: 4}


class Element(ctypes.Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class View(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device", c_int32), ("dimensions", c_int32), ("element", Element),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("offset", c_uint64)]


Describe = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(View))


class Table(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("others", c_void_p * 4), ("describe", Describe)]


kept, calls = [None] * 4, 0


@Describe
def describe(tensor, view):
    """Data begins before the elements, so that the offset counts."""
    global calls
    if tensor.layout is not torch.strided or tensor.is_conj():
        return -1
    numbers = c_int64 * max(1, tensor.dim())
    shape, strides = kept[calls % 4] = numbers(*tensor.shape), numbers(*tensor.stride())
    code = CODES.get(tensor.dtype, 5 if tensor.is_complex() else 2 if tensor.is_floating_point() else 0)
    first = tensor.storage_offset() * tensor.element_size()
    view[0] = View((tensor.data_ptr() - first) if tensor.is_cpu else None, 1 if tensor.is_cpu else 2, 0, tensor.dim(),
                   Element(code, 8 * tensor.element_size(), 1), shape, strides, first)
    calls += 1
    return 0


def main():
    table, has_one = Table(1, 3, (c_void_p * 4)(), describe), hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
    if not has_one:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
        torch.Tensor.__dlpack_c_exchange_api__ = make(ctypes.addressof(table), b"dlpack_exchange_api", None)
    try:
        runpy.run_path(sys.argv[1], run_name="__main__")
    finally:
        assert has_one or calls > 0, "no tensor was described"


main()
