# SPDX-License-Identifier: BSD-3-Clause
"""Symmetric arrays: NumPy arrays whose memory is a block of the symmetric heap."""
import math
import operator
import weakref

import numpy as np

from sheafshmem import _core


class Array(np.ndarray):
    """A NumPy array that every PE has, with the same shape and dtype; a view of one is one too.

    Its methods put, get, p, g, atomic_... reach the same array on another PE, on(pe) is it. What NumPy computes from
    it is an ordinary array. Made by zeros, empty, full and array; freed by free(), or at the end of a with block.
    """

    def __array_wrap__(self, result, context=None, return_scalar=False):
        if result is self or _core.is_symmetric(result):
            return result
        return result[()] if return_scalar or result.ndim == 0 else result.view(np.ndarray)

    def copy(self, order="C"):
        """An ordinary array with the same elements."""
        return np.array(self, order=order, subok=False)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce_ex__(self, protocol):
        return self.copy().__reduce_ex__(protocol)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:  # a PE that failed does not wait for the others
            self.free()

    def on(self, pe, team=None):
        """This array on PE pe (of team): an ordinary array that is its memory, where loads and stores reach it, else a
        Far."""
        pe = pe if team is None else team.translate(pe)
        near = self._near(pe)
        return Far(self, pe) if near is None else near


_core.attach(Array)


class Far:
    """A symmetric array on a PE of another host: get() and put(), and whole or sliced assignment."""

    def __init__(self, array, pe):
        self.array, self.pe = array, pe
        self.shape, self.dtype, self.size, self.ndim = array.shape, array.dtype, array.size, array.ndim

    def __repr__(self):
        return f"<array of {self.dtype} {self.shape} on PE {self.pe}: use get() and put()>"

    def __len__(self):
        return len(self.array)

    def _part(self, key):
        key = key if isinstance(key, tuple) else (key,)
        # With "..." one element is a view of no dimension, not a number.
        part = self.array[key if any(each is ... for each in key) else (*key, ...)]
        if not _core.is_symmetric(part):
            raise TypeError("an array on another host takes integers and slices as indices")
        return part

    def get(self, out=None):
        """The elements, as an ordinary array, or written to out."""
        return self.array.get(self.pe, out)

    def put(self, source):
        """Writes source; the target has it after quiet or barrier."""
        self.array.put(np.broadcast_to(np.asarray(source, self.dtype), self.shape), self.pe)

    def __getitem__(self, key):
        result = self._part(key).get(self.pe)
        return result[()] if result.ndim == 0 else result

    def __setitem__(self, key, value):
        Far(self._part(key), self.pe).put(value)

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("an array on another host is always copied")
        return self.get().astype(dtype, copy=False) if dtype is not None else self.get()


_made = {}  # the arrays that were allocated, by id, weakly: those whose memory goes lose their elements


def _forget_gone():
    """An array without memory has no elements: an index is out of range, not a wild access."""
    for key, reference in list(_made.items()):
        array = reference()
        if array is None or not _core.is_symmetric(array):
            _made.pop(key, None)
            if array is not None:
                _core.empty_out(array)


def finalize():
    """Takes the library down. Collective. Arrays have no elements from here on."""
    _core.finalize()
    _forget_gone()


def _shape(shape):
    return tuple(int(n) for n in shape) if np.iterable(shape) else (int(shape),)


def _make(call, shape, dtype, zeroed, space=None):
    shape, dtype = _shape(shape), np.dtype(dtype)
    if dtype.hasobject:
        raise _wrong(call, "dtype", f"{dtype} holds Python objects, whose addresses mean nothing on another PE")
    if not dtype.isnative:
        raise _wrong(call, "dtype", f"{dtype.str} is not in this processor's order of bytes")
    if dtype.itemsize == 0:
        raise _wrong(call, "dtype", f"{dtype.char} says no number of bytes: one such as {dtype.char}8 does")
    if any(n < 0 for n in shape):
        raise _wrong(call, "shape", f"{shape} has a negative size")
    block = _core.allocate(call, math.prod(shape) * dtype.itemsize, zeroed, space)
    result = _core.over(Array, block, shape, dtype)
    key = id(result)
    _made[key] = weakref.ref(result, lambda reference: _made.pop(key, None))
    return result


def _wrong(call, argument, text):
    """The exception of a call whose argument does not fit."""
    error = _core.ArgumentError(f"PE {_core.my_pe()}: {call}: argument {argument}: {text} [SH151]")
    error.pe, error.call, error.argument = _core.my_pe(), call, argument
    return error


def zeros(shape, dtype=float):
    """A symmetric array of zeros. Collective: all PEs pass the same shape and dtype."""
    return _make("zeros", shape, dtype, True)


def empty(shape, dtype=float):
    """A symmetric array whose elements hold anything. Collective: all PEs pass the same shape and dtype."""
    return _make("empty", shape, dtype, False)


def full(shape, value, dtype=None):
    """A symmetric array of one value, which may differ from PE to PE. Collective; ends with a barrier."""
    result = _make("full", shape, np.asarray(value).dtype if dtype is None else dtype, False)
    result.fill(value)
    _core.barrier()
    return result


def array(values, dtype=None):
    """A symmetric array with these values: the same shape and dtype on all PEs. Collective; ends with a barrier."""
    values = np.asarray(values, dtype)
    result = _make("array", values.shape, values.dtype, False)
    result[...] = values
    _core.barrier()
    return result


def asarray(values):
    """The symmetric array whose memory values is: a torch tensor or another package's array that was made over one."""
    from sheafshmem import _foreign

    return _core.adopt(Array, values if isinstance(values, np.ndarray) else _foreign.view_of("asarray", "values", values))


class Space:
    """A memory space: size bytes of symmetric memory on each PE of team (all PEs), beside the heap. Collective.

    kind: "default"; "huge", pages of 2 MiB; "numa:N", pages of NUMA node N; "interleave", of all nodes by turns;
    "file:PATH", a file PATH.R of each PE with its number R in the team, whose content outlives the job: empty() finds
    what an earlier job left there; "atomics:network", memory whose atomic operations are the network's. A with block destroys it at its end. docs/do/spaces.md has more.
    """

    def __init__(self, size, kind="default", team=None):
        self.size, self.kind = operator.index(size), kind
        self._space = _core.create_space(kind, self.size, team)

    def __repr__(self):
        return f"<space of {self.size} bytes, {self.kind}>"

    def zeros(self, shape, dtype=float):
        """An array of zeros in the space. Collective over its PEs."""
        return _make("zeros", shape, dtype, True, self._space)

    def empty(self, shape, dtype=float):
        """An array in the space whose elements hold anything, or what the file has. Collective over its PEs."""
        return _make("empty", shape, dtype, False, self._space)

    def destroy(self):
        """Gives the memory back, and all arrays in it. Collective over its PEs."""
        self._space.destroy()
        _forget_gone()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.destroy()
