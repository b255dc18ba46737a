# SPDX-License-Identifier: BSD-3-Clause
#
# The papers whose studies are run again.

TSHMEM = ("B. C. Lam, A. D. George, H. Lam, TSHMEM: Shared-Memory Parallel Computing on Tilera Many-Core Processors, IPDPS "
          "Workshops 2013, and B. C. Lam and others, Benchmarking Parallel Performance on Many-Core Processors, OpenSHMEM 2014")
DIPOSH = ("C. Coti, A. D. Malony, DiPOSH: A portable OpenSHMEM implementation for short API-to-network path, Concurrency and "
          "Computation: Practice and Experience 33(11), 2021")
NAS = "D. Bailey and others, The NAS Parallel Benchmarks, RNR-94-007, 1994"
BALE = "F. M. Maley, J. G. DeVinney, Conveyors for Streaming Many-To-Many Communication, IA3 2019"
XT3 = ("R. Brightwell and others, Implementation and Performance of SHMEM on the Cray XT3, and SMARTMAP: Operating System Support for "
       "Efficient Data Sharing Among Processes on a Multi-Core Processor, SC 2008")
