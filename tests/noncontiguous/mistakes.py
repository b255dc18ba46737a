# SPDX-License-Identifier: BSD-3-Clause
#
# Mistakes in the arguments of noncontiguous calls end the job with one line per PE that makes them,
# which names call, argument and value. Arguments: oshrun, the program.

import os
import re
import subprocess
import sys

# (mistake, what the line says), at any level.
ALWAYS = (
    ("before-init", r"shmemx_putmem_strided was called before shmem_init"),
    ("wait-before-init", r"shmemx_wait was called before shmem_init"),
    ("after-finalize", r"shmemx_double_accumulate was called after shmem_finalize"),
    ("dims-8", r"shmemx_putmem_strided: dims is 8; expected 1 to 7"),
    ("dims-0", r"shmemx_getmem_strided_nb: dims is 0; expected 1 to 7"),
    ("negative-run", r"shmemx_putmem_strided: counts\[0\] is -8; expected 0 or more"),
    ("negative-count", r"shmemx_putmem_strided: counts\[1\] is -2; expected 0 or more"),
    ("no-counts", r"shmemx_putmem_strided: counts is a null pointer"),
    ("no-strides", r"shmemx_getmem_strided: source_strides is a null pointer, and 2 dimensions"),
    ("dest-overlap", r"shmemx_putmem_strided: dest_strides\[0\] is 4, less than a run of 8 bytes"),
    ("source-overlap", r"shmemx_ctx_getmem_strided: source_strides\[0\] is -7, less than a run of 8"),
    ("third-overlap", r"shmemx_putmem_strided_nb: dest_strides\[1\] is 0, less than a run of 8 bytes"),
    ("too-many-bytes", r"shmemx_putmem_strided: the counts of 3 dimensions ask for more bytes"),
    ("pe", r"shmemx_putmem_strided: PE 2 is out of range: this job has PEs 0 to 1"),
    ("pe-nothing", r"shmemx_getmem_strided: PE -1 is out of range: this job has PEs 0 to 1"),
    ("vector-negative", r"shmemx_putmem_vector: vectors\[0\] has -3 pairs of 8 bytes; expected 0"),
    ("vector-bytes", r"shmemx_putmem_vector: vectors\[0\] has 2 pairs of -1 bytes; expected 0"),
    ("vector-null", r"shmemx_putmem_vector: vectors\[0\]\.sources is a null pointer"),
    ("vector-pe", r"shmemx_getmem_vector_nb: PE -1 is out of range"),
    ("unaligned", r"shmemx_long_accumulate: dest is 0x[0-9a-f]+; expected a multiple of 8"),
    ("unaligned-complex", r"shmemx_complexd_accumulate: dest is 0x[0-9a-f]+; expected a multiple of 8"),
    ("half-vector", r"shmemx_long_accumulate_vector: vectors\[0\]\.bytes is 12, no whole number of elements of 8"),
    ("half", r"shmemx_long_accumulate_strided: a run has 12 bytes, no whole number of elements of 8"),
    ("odd-stride", r"shmemx_long_accumulate_strided: a stride of dest is 12 bytes; expected a mult"),
    ("negative-elements", r"shmemx_long_accumulate: nelems is -4; expected 0 or more"),
    ("accumulate-pe", r"shmemx_int_accumulate_nb: PE 1000 is out of range"),
    ("context", r"shmemx_ctx_long_accumulate: the context is SHMEM_CTX_INVALID"),
)

# On near PEs these are found at debug level alone.
CHECKED = (
    ("beyond", r"shmemx_putmem_strided: 1099511627784 bytes at 0x[0-9a-f]+ reach beyond"),
    ("stack-strided", r"shmemx_putmem_strided: 0x[0-9a-f]+ is not symmetric: it is on the stack"),
    ("stack-get", r"shmemx_getmem_strided: 0x[0-9a-f]+ is not symmetric: it is on the stack"),
    ("stack-vector", r"shmemx_putmem_vector: 0x[0-9a-f]+ is not symmetric: it is on the stack"),
    ("stack-accumulate", r"shmemx_long_accumulate: 0x[0-9a-f]+ is not symmetric: it is on the stack"),
)


def run(oshrun, program, mistake, debug):
    environment = dict(os.environ, SHMEM_DEBUG="1") if debug else os.environ
    return subprocess.run([oshrun, "-n", "2", "--timeout", "30", program, mistake], env=environment,
                          capture_output=True, text=True, timeout=60)


def judge(oshrun, program, mistake, expected, debug):
    done = run(oshrun, program, mistake, debug)
    lines = [line for line in done.stderr.splitlines() if re.match(r"sheaf: PE \d+( \(and \d+ others?\))?: |sheaf: shmem", line)]
    errors = [line for line in done.stderr.splitlines() if "shmemx" in line]
    if done.returncode == 0 or not errors or not all(re.search(expected, line) for line in errors):
        return f"{mistake}: status {done.returncode}, {lines}:\n{done.stderr}"
    return None


def main():
    oshrun, program = sys.argv[1:]
    cases = [(m, e, debug) for m, e in ALWAYS for debug in (False, True)]
    cases += [(m, e, True) for m, e in CHECKED]
    failures = [said for said in (judge(oshrun, program, *case) for case in cases) if said]
    print("\n".join(failures) or f"{len(cases)} mistakes were explained")
    sys.exit(bool(failures))


main()
