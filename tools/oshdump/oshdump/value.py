# SPDX-License-Identifier: BSD-3-Clause
"""Bytes of a type as a value: numbers, lists, objects, texts, of which JSON and the printed form are made."""
import json

from oshdump import dwarf as D

MOST = 200  # elements of an array that are printed


def read(memory, place, most=None):
    if place.bits:
        first, count = place.bits
        data = memory.read(place.address + first // 8, (first % 8 + count + 7) // 8)
        number = int.from_bytes(data, "little") >> first % 8 & (1 << count) - 1
        return place.kind.plain(number.to_bytes((count + 7) // 8, "little"), count)
    size = place.kind.size()
    if place.count is None:
        return value(place.kind, memory.read(place.address, shown(place.kind, most)), most)
    data = memory.read(place.address, size * place.count)
    return [value(place.kind, data[i * size:(i + 1) * size], most) for i in range(place.count)]


def shown(kind, most):
    """Bytes that are needed: of a long array its first elements."""
    if kind.tag == D.ARRAY and most and kind.dimensions and kind.dimensions[0] > most:
        return kind.element().size() * (most + 1)
    return kind.size()


def value(kind, data, most):
    if kind.tag == D.ARRAY:
        return array(kind, data, most)
    if not kind.is_structure():
        return kind.plain(data[:kind.size()])
    result = {}
    for name, inner, offset, bits in kind.members():
        if bits:
            number = int.from_bytes(data, "little") >> bits[0] & (1 << bits[1]) - 1
            result[name or ""] = inner.plain(number.to_bytes((bits[1] + 7) // 8, "little"), bits[1])
        else:
            part = value(inner, data[offset:offset + inner.size()], most)
            result.update(part) if name is None and isinstance(part, dict) else result.update({name or "": part})
    return result


def array(kind, data, most):
    element = kind.element()
    size = element.size()
    if element.is_character():
        text = data.split(b"\0")[0].decode(errors="replace")
        if (text or not any(data)) and text.isprintable():
            return text
    count = len(data) // size if size else 0
    values = [value(element, data[i * size:(i + 1) * size], most) for i in range(count)]
    return values[:most] + ["..."] if most and count > most else values


def text(data):
    """As C writes it."""
    if isinstance(data, dict):
        return "{" + ", ".join(f".{name} = {text(part)}" for name, part in data.items()) + "}"
    if isinstance(data, list):
        return "{" + ", ".join("..." if part == "..." else text(part) for part in data) + "}"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, float):
        return f"{data:.17g}"
    if isinstance(data, str) and not data.startswith("0x") and not data.isidentifier() or data == "":
        return json.dumps(data, ensure_ascii=False)
    return str(data)
