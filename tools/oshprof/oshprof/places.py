# SPDX-License-Identifier: BSD-3-Clause
"""Where a return address is in the source, by addr2line; without it, or without debugging data, by file and offset."""
import os
import shutil
import struct
import subprocess

OWN_HEADERS = ("shmem.h", "shmemx.h", "shmemx_inline.h", "shmemx_ft.h")


def build_id(path):
    """Of an ELF file as it is now, in hexadecimal; "" without one."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            head = file.read(64)
            if head[:5] != b"\x7fELF\x02":
                return ""
            at, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
            file.seek(at)
            table = file.read(size * min(count, 128))
            for i in range(0, len(table) - 55, size or 56):
                kind, offset, length = (struct.unpack_from("<I", table, i)[0], struct.unpack_from("<Q", table, i + 8)[0],
                                        struct.unpack_from("<Q", table, i + 32)[0])
                if kind == 4:
                    file.seek(offset)
                    found = from_notes(file.read(min(length, 1 << 16)))
                    if found:
                        return found
    except (OSError, struct.error):
        pass
    return ""


def from_notes(notes):
    at = 0
    while at + 12 <= len(notes):
        name, length, kind = struct.unpack_from("<III", notes, at)
        body = at + 12 + (name + 3) // 4 * 4
        if kind == 3 and notes[at + 12:at + 16] == b"GNU\0":
            return notes[body:body + length].hex()
        at = body + (length + 3) // 4 * 4
    return ""


def ask(path, offsets):
    """{offset: (function, file:line)} of return addresses in one file."""
    tool = shutil.which("addr2line")
    if not tool or not os.path.isfile(path) or not os.access(path, os.R_OK):
        return {}
    questions = "".join(f"{offset - 1:#x}\n" for offset in offsets)
    try:
        done = subprocess.run([tool, "-a", "-f", "-i", "-C", "-e", path], input=questions, capture_output=True,
                              text=True, timeout=60, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return {}
    answers, frames, key = {}, [], None
    for line in [*done.stdout.splitlines(), "0x0"]:
        if line.startswith("0x") and " " not in line:
            if key is not None:
                answers[key] = choose(frames)
            key, frames = int(line, 16) + 1, []
        else:
            frames.append(line)
    return {offset: answers[offset] for offset in offsets if answers.get(offset)}


def choose(frames):
    """The innermost frame that is the program's own."""
    for function, place in zip(frames[0::2], frames[1::2]):
        file, _, line = place.split(" (", 1)[0].rpartition(":")
        if line.isdigit() and line != "0" and os.path.basename(file) not in OWN_HEADERS:
            return function, f"{os.path.basename(file)}:{line}"
    function = frames[0] if frames and frames[0] != "??" else ""
    return (function, "") if function else None


def find(wanted):
    """{(path, build id, offset): (function, place)} for all of wanted, and notes about files that have changed."""
    found, notes, by_file = {}, [], {}
    for path, build, offset in wanted:
        by_file.setdefault((path, build), []).append(offset)
    for (path, build), offsets in sorted(by_file.items()):
        answers = {}
        if path and build and build_id(path) not in ("", build):
            notes.append(f"{path} is not the file that ran: its lines are not known")
        elif path:
            answers = ask(path, offsets)
        for offset in offsets:
            function, place = answers.get(offset, ("", ""))
            file = os.path.basename(path) or "?"
            found[path, build, offset] = (function, place or f"{f'{function} in ' if function else ''}{file}+{offset:#x}")
    return found, notes
