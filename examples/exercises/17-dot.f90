! SPDX-License-Identifier: BSD-3-Clause
program dot
    use shmem
    implicit none
    integer, parameter :: n = 100
    real(8), save, asynchronous :: part(1), whole(1)
    real(8) :: a(n), b(n)
    integer :: pes, i

    call shmem_init()
    pes = shmem_n_pes()
    a = [(n * shmem_my_pe() + i - 1, i = 1, n)]
    b = 2
    part = dot_product(a, b)
    if (shmem_sum_reduce(SHMEM_TEAM_WORLD, whole, part, 1) /= 0) call shmem_global_exit(1)
    if (nint(whole(1)) /= n * pes * (n * pes - 1)) call shmem_global_exit(1)
    call shmem_finalize()
end program
