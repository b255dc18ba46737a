# SPDX-License-Identifier: BSD-3-Clause
"""A queue from one process to many of the same host, which need not have been started together (shmemx_ring.h).

    ring = sheafring.create(blocks=64, message_most=1 << 20)    # the writer
    hand_on(ring.name)                                          # any way: an argument, a file, a socket
    ring.wait_readers(2)
    ring.write(b"...")

    with sheafring.open(name) as ring:                          # each reader
        for message in ring:
            ...
"""
import ctypes
import os
from ctypes import c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p

__all__ = ["create", "open", "Writer", "Reader", "Error", "Timeout", "Ended", "WriterDied", "Lost", "TooLong", "Full",
           "Absent", "Broken"]


class Error(Exception):
    """What a ring refuses. Each reason has a class of its own."""


class Timeout(Error, TimeoutError):
    """Nothing came, or there was no room, within the time."""


class Ended(Error, EOFError):
    """The writer has closed the ring, and all is read."""


class WriterDied(Error, ConnectionError):
    """The writer has ended without closing the ring, and all is read."""


class Lost(Error):
    """overwrite=True: the reader was too slow. lost: how many messages, in all. The next read goes on."""


class TooLong(Error, ValueError):
    """The message does not fit into a block."""


class Full(Error):
    """The ring has no place for another reader."""


class Absent(Error, FileNotFoundError):
    """There is no ring of this name, or none of this user."""


class Broken(Error):
    """This is no ring, or it has been damaged."""


_TIMEOUT, _LOST, _TOO_LONG, _SYSTEM = -1, -4, -5, -10
_CLASSES = {-1: Timeout, -2: Ended, -3: WriterDied, -4: Lost, -5: TooLong, -6: Full, -7: Absent, -8: Broken, -9: ValueError}


def _load():
    """The library of the wheel, of the build tree or the installation, or of the system."""
    here = os.path.dirname(os.path.abspath(__file__))
    for place in (here, os.path.join(here, "../../lib"), os.path.join(here, "../../..")):
        path = os.path.join(place, "libsheaf-ring.so")
        if os.path.exists(path):
            return ctypes.CDLL(path, use_errno=True)
    return ctypes.CDLL("libsheaf-ring.so", use_errno=True)


_library = _load()


def _function(name, result, *arguments):
    function = getattr(_library, "shmemx_ring_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_create = _function("create", c_int, c_size_t, c_size_t, c_int, c_int, c_void_p)
_open = _function("open", c_int, c_char_p, c_void_p)
_open_descriptor = _function("open_descriptor", c_int, c_int, c_void_p)
_name = _function("name", c_char_p, c_void_p)
_descriptor = _function("descriptor", c_int, c_void_p)
_write = _function("write", c_int, c_void_p, c_void_p, c_size_t, c_double)
_read = _function("read", c_int, c_void_p, c_void_p, c_size_t, c_void_p, c_double)
_wait_readers = _function("wait_readers", c_int, c_void_p, c_int, c_double)
_readers = _function("readers", c_int, c_void_p)
_died = _function("died", c_uint64, c_void_p)
_written = _function("written", c_uint64, c_void_p)
_lost = _function("lost", c_uint64, c_void_p)
_message_most = _function("message_most", c_size_t, c_void_p)
_text = _function("text", c_char_p, c_int)
_close = _function("close", None, c_void_p)

_FIRST_BUFFER = 4096  # of a reader; longer messages have one of their own


def _error(result):
    if result == _SYSTEM:
        return OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return _CLASSES.get(result, Error)(_text(result).decode())


def _check(result):
    if result < 0:
        raise _error(result)
    return result


def _seconds(timeout):
    """None is no limit."""
    return -1.0 if timeout is None else max(0.0, float(timeout))


def _address(message):
    """What to keep while the library reads it, its address, and its length."""
    if isinstance(message, bytes):
        return message, ctypes.cast(c_char_p(message), c_void_p), len(message)
    view = memoryview(message).cast("B")
    if view.readonly:
        return _address(bytes(view))
    return view, (ctypes.c_char * len(view)).from_buffer(view) if len(view) else None, len(view)


class _Ring:
    """A handle. Its pieces of memory go when it is closed, or with the process."""

    def __init__(self, handle):
        self._handle = handle

    @property
    def message_most(self):
        return _message_most(self._handle)

    def close(self):
        handle, self._handle = self._handle, None
        if _close is not None:
            _close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.close()


class Writer(_Ring):
    @property
    def name(self):
        """Opens the ring in any process of this user on this host. Who knows it may read."""
        return _name(self._handle).decode() if self._handle else None

    def fileno(self):
        """A descriptor that opens the ring in a child process (pass_fds) or behind a socket."""
        return _check(_descriptor(self._handle))

    def write(self, message, timeout=None):
        """message: bytes, or an object with a contiguous buffer."""
        kept, address, length = _address(message)
        _check(_write(self._handle, address, length, _seconds(timeout)))

    def wait_readers(self, readers, timeout=None):
        _check(_wait_readers(self._handle, readers, _seconds(timeout)))

    @property
    def readers(self):
        return _check(_readers(self._handle))

    @property
    def died(self):
        """How many readers have ended without closing the ring."""
        return _died(self._handle)

    @property
    def written(self):
        return _written(self._handle)


class Reader(_Ring):
    def __init__(self, handle):
        super().__init__(handle)
        self._buffer = ctypes.create_string_buffer(min(_FIRST_BUFFER, max(1, self.message_most)))
        self._length = c_size_t()

    def read(self, timeout=None):
        """The next message, as bytes."""
        buffer = self._buffer
        while True:
            result = _read(self._handle, buffer, len(buffer), ctypes.byref(self._length), _seconds(timeout))
            if result == 0:
                return ctypes.string_at(buffer, self._length.value)
            if result != _TOO_LONG:
                raise self._why(result)
            buffer = ctypes.create_string_buffer(self._length.value)

    def read_into(self, buffer, timeout=None):
        """The next message, into a writable buffer; returns its length."""
        view = memoryview(buffer).cast("B")
        place = (ctypes.c_char * len(view)).from_buffer(view) if len(view) else None
        result = _read(self._handle, place, len(view), ctypes.byref(self._length), _seconds(timeout))
        if result == _TOO_LONG:
            raise TooLong(f"the next message has {self._length.value} bytes, the buffer {len(view)}")
        if result != 0:
            raise self._why(result)
        return self._length.value

    def _why(self, result):
        error = _error(result)
        if result == _LOST:
            error.lost = self.lost
        return error

    @property
    def lost(self):
        return _lost(self._handle)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self.read()
        except Ended:
            raise StopIteration from None


def create(blocks=64, message_most=65536, readers_most=64, overwrite=False):
    """A ring, whose writer the caller is. overwrite: what is not read in time is lost; otherwise writes wait."""
    handle = c_void_p()
    _check(_create(blocks, message_most, readers_most, int(bool(overwrite)), ctypes.byref(handle)))
    return Writer(handle)


def open(ring):  # noqa: A001: beside create
    """A reader: ring is a name, or a descriptor."""
    handle = c_void_p()
    if isinstance(ring, int):
        _check(_open_descriptor(ring, ctypes.byref(handle)))
    else:
        _check(_open(os.fsencode(ring), ctypes.byref(handle)))
    return Reader(handle)
