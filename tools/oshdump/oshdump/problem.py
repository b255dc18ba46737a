# SPDX-License-Identifier: BSD-3-Clause
"""What the user is told in one line, with exit status 1."""


class Problem(Exception):
    pass
