# SPDX-License-Identifier: BSD-3-Clause
"""Compressed bytes, by libzstd where it is installed."""
import ctypes

from oshdump.problem import Problem


def decompress(data, length):
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        raise Problem("the snapshot is compressed, and libzstd.so.1 is not installed", "SH956") from None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    result = ctypes.create_string_buffer(length)
    if library.ZSTD_decompress(result, ctypes.c_size_t(length), data, ctypes.c_size_t(len(data))) != length:
        raise Problem("the snapshot is damaged: its compressed bytes", "SH953")
    return result.raw
