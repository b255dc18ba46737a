# SPDX-License-Identifier: BSD-3-Clause
"""The module sheafring: readers that are programs of their own, exceptions, buffers, messages of many sizes."""
import array
import subprocess
import sys

import sheafring

LIMIT = 50  # seconds; nothing here takes as many


def expect(kind, call):
    try:
        call()
    except kind as error:
        assert str(error), kind
        return error
    raise AssertionError(f"no {kind.__name__}")


def message(n):
    return bytes([n % 251]) * (n * n % 9000)


def read_all(ring):
    """A reader's program: all messages, in order, and how many."""
    with sheafring.open(ring) as reader:
        for n, found in enumerate(reader):
            assert found == message(n), n
    print(n + 1)


def readers():
    with sheafring.create(blocks=8, message_most=9000) as ring:
        start = [sys.executable, __file__]
        children = [subprocess.Popen([*start, ring.name], stdout=subprocess.PIPE),
                    subprocess.Popen([*start, str(ring.fileno())], stdout=subprocess.PIPE, pass_fds=[ring.fileno()])]
        ring.wait_readers(2, LIMIT)
        for n in range(300):
            ring.write(message(n), LIMIT)
        assert (ring.readers, ring.died, ring.written) == (2, 0, 300)
    for child in children:
        assert child.communicate()[0] == b"300\n" and child.returncode == 0


def deaths():
    writer = subprocess.Popen([sys.executable, __file__, "writer"], stdout=subprocess.PIPE, text=True)
    name = writer.stdout.readline().strip()
    with sheafring.open(name) as reader:
        expect(sheafring.Full, lambda: sheafring.open(name))
        assert reader.read(LIMIT) == b"one"
        writer.kill()
        expect(sheafring.WriterDied, lambda: reader.read(LIMIT))
    writer.communicate()
    expect(FileNotFoundError, lambda: sheafring.open(name))


def one_process():
    with sheafring.create(2, 64, 2) as ring, sheafring.open(ring.name) as reader:
        numbers = array.array("d", [1.5, 2.5])
        ring.write(numbers)
        into = array.array("d", [0, 0])
        assert reader.read_into(into, LIMIT) == 16 and into == numbers
        ring.write(memoryview(b"x" * 64))
        error = expect(sheafring.TooLong, lambda: reader.read_into(bytearray(8), LIMIT))
        assert "64 bytes, the buffer 8" in str(error)
        assert reader.read(LIMIT) == b"x" * 64
        ring.write(b"")
        ring.write(bytearray())
        assert reader.read() == reader.read() == b""
        expect(TimeoutError, lambda: reader.read(0.01))
        expect(sheafring.TooLong, lambda: ring.write(bytes(65)))
        expect(ValueError, lambda: sheafring.create(0))
        expect(ValueError, lambda: sheafring.open("a file"))
        expect(sheafring.Broken, lambda: sheafring.open(0))
        for _ in range(2):
            ring.write(b"full")
        expect(sheafring.Timeout, lambda: ring.write(b"no room", 0))
    expect(ValueError, lambda: ring.write(b"closed"))
    with sheafring.create(2, 64, 2, overwrite=True) as ring, sheafring.open(ring.name) as reader:
        for n in range(6):
            ring.write(b"%d" % n)
        assert expect(sheafring.Lost, reader.read).lost == reader.lost == 5
        assert reader.read() == b"5"


if len(sys.argv) == 1:
    readers()
    deaths()
    one_process()
    print("a ring from Python: passed")
elif sys.argv[1] == "writer":
    made = sheafring.create(readers_most=1)
    print(made.name, flush=True)
    made.wait_readers(1, LIMIT)
    made.write(b"one")
    sys.stdin.read()
    made.wait_readers(2)
else:
    read_all(int(sys.argv[1]) if sys.argv[1].isdigit() else sys.argv[1])
