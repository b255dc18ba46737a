# SPDX-License-Identifier: BSD-3-Clause
#
# Why a row of a study may fall short, by its name: what was found when it was looked into, with what was measured. Where
# nothing else is said, that is on a quiet virtual machine of two CPUs (Zen 5), the ways in turns, least to most of the rounds.

import re

SAME_KERNEL = ("the kernel is one source, compiled with the same options, and its instructions are the same in all programs; only their "
               "place differed: OpenMP took 225 to 239 ms and the others 188 to 206 for 288 × 288 (gauss-seidel, 8 rounds), until all "
               "functions began a cache line (apps/common/app.mk), and 196 to 204 like the others since. ")
MEMORY = ("a plate of 2048 × 2048 is as fast as memory: Sheaf 417 to 446 ms, OpenMP 427 to 457 (gauss-seidel, 8 rounds). Open MPI's has "
          "two speeds, 431 to 450 and 508 to 527, of which one is left without randomized addresses (setarch -R: 458 to 489, beside 485 to "
          "552 with them): where its arrays lie decides, for any way")



def again(figures, rounds):
    return f". Measured again on another machine (Xeon, 2.5 GHz), whose host gave it a part of its CPUs: {figures} ({rounds} rounds)"


# (expression that the row's name and its size in bytes match, what was found)
FOUND = (
    (r"latency, (average|least) (262144|1048576)$",
     "it is libc's memcpy, and takes what the same loop takes without a library: 256 KiB 2.19 to 2.49 µs, without a library 2.27 to 2.48, "
     "Open MPI's OpenSHMEM 2.43 to 3.10; 1 MiB 16.8 to 18.2, 16.5 to 17.4 and 17.0 to 23.6 µs (5 rounds)"),
    (r"latency, 99\.9 % 8$",
     "the first size measured touched the pages of its own results: every 512th trip had a page fault, 1.9 µs in a PE's static "
     "variables, 1.4 in others'. Written before (bench/trips.h) it is 70 to 135 ns, Open MPI's OpenSHMEM 95 to 225 (5 rounds)"),
    (r"latency, (99\.9 %|most) ",
     "the machine takes the CPU away: from a process that does nothing but read the clock for 10 µs and more every 2.5 to 2.8 ms, the "
     "timer's interrupts (2,866 in 8 s, beside 3,068 stops of 10 to 30 µs), for 100 µs and more every 50 to 95 ms, for 1.4 to 5.1 ms at the "
     "longest (bench/limits/stops.c). The same trips without a library are no better: 1 MiB at worst 48 to 146 µs, Open MPI's "
     "OpenSHMEM 66 µs to 6.1 ms, Sheaf 60 µs to 1.3 ms (5 rounds)"),
    (r"message to .* 4096$",
     "copies of 4 KiB into memory that a walk of 32 MiB has driven out of the caches, the same memcpy in both; measured again "
     "147 ns, Open MPI's OpenSHMEM 325 (one round)"),
    (r"(put|get), \w+ to \w+ 1048576$",
     "both are libc's memcpy of 1 MiB, source and target as large as the second-level cache: heap to heap 18.9 to 21.7 µs, Open MPI's "
     "OpenSHMEM 18.9 to 22.8, ahead in one round of five"),
    (r"heat: jacobi, 288",
     SAME_KERNEL + "Jacobi's took 190 to 195 ms then, OpenMP 185 to 217, MPI 191 to 227"),
    (r"heat: .*, 288", SAME_KERNEL + "So Sheaf 195 to 201 ms in 7 rounds of 8, OpenMP 196 to 204, MPI 195 to 220"),
    (r"heat: picture of (8192|16384)",
     "two iterations are not enough to tell: 16384 × 16384 on one PE took 1.31 s and OpenMP 1.25 to 1.29, but ten iterations took 6.29 to "
     "6.44 s and OpenMP 6.35 to 6.38 (two runs of each in turns, Zen 4). The difference is in the first iteration alone"),
    (r"heat: ", MEMORY),
    (r"fit: ", "one logarithm a point, libm's, and no exchange but four numbers: 164 to 175 ms, OpenMP 158 to 167, MPI 159 to 178 (5 rounds)" +
     again("1.07 to 1.81 s, OpenMP 1.18 to 1.92, MPICH 0.73 and 1.33", 3)),
    (r"matmul: ", "the same loops on as many rows: order 2048, 491 to 509 ms, OpenMP 475 to 493, MPI 508 to 549 (5 rounds)" +
     again("by columns, order 512, 53 and 96 ms, OpenMP 71 and 96, MPICH 72 and 73", 2)),
    (r"fft: .* transforms",
     "nothing is exchanged: FFTW's plans, which each run measured for itself, made the difference, 21 ms in four runs of five and 45 in "
     "one (a fourth of the transforms). With the same plans for all (fft --wisdom) 83 to 86 ms, OpenMP 84 to 94, MPI 83 to 93 (6 rounds)"),
    (r"fft: 2\^16",
     "of 375 µs on one PE the transforms took 179, as much as FFTW's whole 250 leave them, the factors 107 and two transposes 87 (each phase "
     "timed by itself): one number at a time, and into a place whose columns lay 4 KiB apart. Without transposes, and with two numbers at a time, "
     "the same takes 305. On two PEs 139 to 209 µs, 190 to 289 before, OpenMP 142 to 214, FFTW's threads 129 to 208; medians of 7 rounds in turns with nothing else running 140, "
     "145 and 134. Of 140 a copy into blocks takes 11.6, the columns 49, factors and the way to the other PE 22.8, waiting 0.4, the rows 57. What is left "
     "is not OpenSHMEM's: the same steps by OpenMP take as long on one thread, which exchanges nothing (268 and 273 µs, FFTW's plan 234; nothing else running 261 and FFTW 247). They execute "
     "3.82 million instructions a transform and FFTW's plan 3.12 (valgrind --tool=callgrind, 11 rounds less one); the factors between the short "
     "transforms are 0.68 of them, which FFTW multiplies within its transforms' own loops"),
    (r"fft: 2\^",
     "a third of the time went into transposes between the short transforms, and one number at a time into their factors; both are gone. With "
     "the same plans for all 2^20 numbers take 4.4 to 8.4 ms, 6.8 to 15.9 before, OpenMP 4.4 to 8.2, FFTW's threads 14.1 to 15.2 (7 rounds, others used "
     "the machine); 2^22 numbers 20 to 74 ms, 31 to 61 before (5 rounds)"),
    (r"mg: class (A|B)$",
     "the same loops and as many bytes of halo as MPI's: class A 317 to 327 ms, OpenMP 310 to 324, MPI 373 to 394 (5 rounds); class B "
     "1.48 to 1.69 s, 1.48 to 1.72 and 1.55 to 1.62 (3 rounds). On another machine (Xeon, 2.5 GHz) sends and waits that are not a slower "
     "PE's took 3 ms of 0.56 to 0.79 s, and the loops alone 0.50 to 0.77 s from one PE and round to the next, Open MPI's 0.54 to 0.77 (class "
     "A, 6 rounds): which version is ahead is which rounds met the faster state"),
    (r"nas-cg: ",
     "96 % of the time is the program's own loops, 3 % waits in its sums, 0.3 % its puts (oshrun --profile); 0.33 to 0.39 s, OpenMP 0.33 to "
     "0.63 (3 rounds), and in 7 rounds of the study 0.39 to 1.1 s, OpenMP 0.37 to 0.43, on a machine that others used at times"),
    (r"isort: ",
     "89 to 96 % of the time is the program's own loops, 1.1 to 1.6 % its puts, 2 % shmem_free, which gives memory back (oshrun --profile); in 6 "
     "rounds of the study 0.42 to 0.45 s, Open MPI's OpenSHMEM 0.40 to 0.45, and with buckets of the same width 0.79 to 0.93 and 0.78 to 0.93" +
     again("buckets of the same width 3.0 and 3.2 s, Open MPI's OpenSHMEM 3.2 and 3.8", 2)),
    (r"triangles: ",
     "a phase of puts, 5.7 % of a PE's time, and then the program's own loops (oshrun --profile); in 7 rounds of the study nonblocking 0.23 to "
     "0.35 s, Open MPI's OpenSHMEM 0.21 to 0.53, and in a session 0.21 to 0.38 and 0.21 to 0.39" +
     again("in a session 0.77 and 0.87 s, Open MPI's OpenSHMEM 1.04 and 1.51", 2)),
    (r"(put|get), streamed ",
     "libc's memcpy in all ways, source and target larger than the second-level cache; which was ahead changed from round to round (get of "
     "4 MiB, 9 rounds: 86 to 103 us, Open MPI's OpenSHMEM 87 to 107, each ahead in some)"),
    (r"ep: ",
     "nothing is exchanged, one kernel in all: 1.02 to 1.05 s, OpenMP 1.01 to 1.06, MPI 1.01 to 1.04 (5 rounds); its functions "
     "moved to the start of cache lines make no difference" +
     again("4.9 and 5.7 s, OpenMP 6.4 and 11.0, MPI 6.0 to 7.6", 2)),
)


def why(what, size):
    """Of a row, whose size is in bytes; None where nobody has looked yet."""
    name = f"{what} {size}" if size else what
    return next((found for expression, found in FOUND if re.search(expression, name)), None)
