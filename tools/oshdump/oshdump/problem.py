# SPDX-License-Identifier: BSD-3-Clause
"""What the user is told in one line, with exit status 1."""


def sanitize(text, kept=""):
    """Names may come from files: a terminal obeys nothing in them, and they stay on one line."""
    return "".join(letter if letter.isprintable() or letter in kept else "?" for letter in text)


class Problem(Exception):
    """oshinfo --explain knows the id: SH952 a file, SH953 what it holds, SH955 an expression, SH956 the program's debug
    information or a library."""

    def __init__(self, text, id):
        super().__init__(f"{sanitize(text)} [{id}]")
