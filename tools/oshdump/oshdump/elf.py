# SPDX-License-Identifier: BSD-3-Clause
"""A program's file: its sections, its build-id, and where its variables begin. Little-endian, 64 bits."""
import struct
import zlib

from oshdump.problem import Problem

PT_LOAD, PT_GNU_RELRO, PF_W = 1, 0x6474E552, 2
SHF_COMPRESSED, NOTE_BUILD_ID = 0x800, 3


class Elf:
    def __init__(self, path):
        try:
            with open(path, "rb") as file:
                self.bytes = file.read()
        except OSError as error:
            raise Problem(f"{path}: {error.strerror}", "SH952") from None
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            raise Problem(f"{path}: no program of 64 bits", "SH956")
        try:
            self.read()
        except (struct.error, IndexError, ValueError, zlib.error):
            raise Problem(f"{path}: a damaged program", "SH956") from None

    def read(self):
        header = struct.unpack_from("<HHIQQQIHHHHHH", self.bytes, 16)
        _, _, _, _, program_at, section_at, _, _, size, count, section_size, sections, names = header
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.bytes, program_at + i * size) for i in range(count)]
        rows = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, section_at + i * section_size)
                for i in range(sections)]
        strings = self.bytes[rows[names][4]:rows[names][4] + rows[names][5]] if rows else b""
        self.rows = {strings[row[0]:strings.index(b"\0", row[0])].decode(): row for row in rows}

    def section(self, name):
        row = self.rows.get(name)
        if not row or row[1] == 8:
            return b""
        data = self.bytes[row[4]:row[4] + row[5]]
        return zlib.decompress(data[24:]) if row[2] & SHF_COMPRESSED else data

    def build_id(self):
        note = self.section(".note.gnu.build-id")
        if len(note) < 16:
            return ""
        name, length, _ = struct.unpack_from("<III", note)
        return note[12 + (name + 3) // 4 * 4:][:length].hex()

    def data_start(self, page):
        """The first byte of what the PEs share, as linked: the first writable page that stays writable."""
        relro = next((row for row in self.segments if row[0] == PT_GNU_RELRO), None)
        low = relro[3] // page * page if relro else 0
        high = (relro[3] + relro[6]) // page * page if relro else 0
        for kind, flags, _, address, _, _, size, _ in self.segments:
            if kind != PT_LOAD or not flags & PF_W:
                continue
            start, end = address // page * page, (address + size + page - 1) // page * page
            apart = high <= start or low >= end
            for first, last in [(start, end)] if apart else [(start, low), (high, end)]:
                if first < last:
                    return first
        raise Problem("the program has no variables", "SH956")
