# SPDX-License-Identifier: BSD-3-Clause
"""What the user is told in one line, with exit status 1."""


class Problem(Exception):
    def __init__(self, text):
        """Names may come from files: whatever they hold, it stays one line."""
        super().__init__("".join(letter if letter.isprintable() else "?" for letter in text))
