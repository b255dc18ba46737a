# SPDX-License-Identifier: BSD-3-Clause
"""What the user is told in one line, with exit status 1."""


def tame(text, kept=""):
    """Names may come from files: a terminal obeys nothing in them, and they stay on one line."""
    return "".join(letter if letter.isprintable() or letter in kept else "?" for letter in text)


class Problem(Exception):
    def __init__(self, text):
        super().__init__(tame(text))
