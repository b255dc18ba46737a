# SPDX-License-Identifier: BSD-3-Clause
"""Calls of shmemx_mpi.h that cannot succeed: status 0, since the program goes on, and lines that say why.
Arguments: the MPI, the program, oshrun."""
import sys

import jobs

NOT_UP = "MPI is not initialized, or has been finalized"
NO_MPI = "PE 0 has not called MPI_Init"
NO_SHMEM = "rank 0 of the communicator has not called shmem_init"
SIZES = "MPI_COMM_WORLD has 1 process and the job 2 PEs"

# The word for the program, and how many lines say what.
CASES = {
    "before": {NOT_UP: 2 * 3, NO_MPI: 1},
    "after": {NOT_UP: 2 * 3, NO_MPI: 1},
    "no-shmem": {NO_SHMEM: 1, "OpenSHMEM is not initialized": 2 * 3},
    "inter": {"comm is an intercommunicator": 2},
}


def judge(name, job, wanted):
    status, out, errors = job # launchers may begin a PE's line within another PE's
    found = {text: errors.count(text) for text in wanted}
    if status == 0 and found == wanted and errors.count("sheaf:") == sum(wanted.values()) and "went on" in out:
        print(f"{name}: as it should be")
        return 0
    print(f"{name}: status {status}, wanted {wanted}, found {found}\n{out}{errors}")
    return 1


def judge_sizes(job):
    """Each call is refused, and MPI_Finalize ends the program."""
    status, out, errors = job
    wanted = {SIZES: 2 + 1, "this process is PE": 2 * 2, "MPI_COMM_WORLD of MPICH has 1 process": 1}
    found = {text: errors.count(text) for text in wanted}
    if status == 1 and found == wanted and "went on" not in out:
        print("sizes: as it should be")
        return 0
    print(f"sizes: status {status}, wanted {wanted}, found {found}\n{out}{errors}")
    return 1


def main():
    mpi, program, oshrun = sys.argv[1:]
    jobs.need(mpi, program)
    wrong = 0
    for word, wanted in CASES.items():
        wrong += judge(word, jobs.run(mpi, 2, [program, word]), wanted)
    if mpi == "openmpi": # MPICH 4.0.2 of Debian spawns nothing, for programs of MPI alone either
        wanted = {"process 2 of the communicator is not of the job": 1}
        wrong += judge("spawn", jobs.run(mpi, 2, [program, "spawn"]), wanted)
    if mpi == "mpich": # processes that find no launcher of MPI's: each is a world of its own
        alone = ["sh", "-c", 'unset PMI_FD PMI_RANK PMI_SIZE PMI_PORT; exec "$0" "$@"', program, "sizes"]
        wrong += judge_sizes(jobs.run(mpi, 2, alone, launcher=[oshrun]))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
