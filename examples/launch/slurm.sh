#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#SBATCH --nodes=2 --ntasks=4
# Slurm without PMI: srun numbers the tasks, which meet on the first node. sbatch slurm.sh PROGRAM
export SHEAF_SECRET="${SHEAF_SECRET:-$(openssl rand -hex 16)}"
exec srun --mpi=none --kill-on-bad-exit=1 --export=ALL "$@"
