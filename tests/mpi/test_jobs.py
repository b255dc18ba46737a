# SPDX-License-Identifier: BSD-3-Clause
"""One program as jobs of an MPI's launcher: the MPI, the program, then "PES argument..." for each job, where NAME=VALUE
is a variable of its environment. Each must end with 0 and without a line of Sheaf's."""
import sys

import jobs


def main():
    mpi, program, cases = sys.argv[1], sys.argv[2], sys.argv[3:]
    jobs.need(mpi, program)
    for case in cases:
        pes, *words = case.split()
        arguments = [word for word in words if "=" not in word]
        variables = [word for word in words if "=" in word]
        status, out, errors = jobs.run(mpi, pes, ["env", *variables, program, *arguments] if variables
                                       else [program, *arguments])
        print(f"{pes} PEs, {arguments}: status {status}\n{out}{errors}", flush=True)
        if "windows" in arguments:
            jobs.need_windows(mpi, program, errors)
        if status != 0 or "sheaf:" in errors:
            sys.exit(1)


if __name__ == "__main__":
    main()
