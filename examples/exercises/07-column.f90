! SPDX-License-Identifier: BSD-3-Clause
! Fortran stores columns together, so its row is C's column.
program column
    use shmem
    implicit none
    integer, parameter :: n = 5
    integer, save, asynchronous :: column_there(n) ! other PEs write to it
    integer :: matrix(n, n)
    integer :: me, pes, before, i, j

    call shmem_init()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    before = modulo(me - 1, pes)
    do j = 1, n
        do i = 1, n
            matrix(i, j) = 100 * me + 10 * i + j
        end do
    end do
    call shmem_iput(column_there, matrix(3, 1), 1, n, n, modulo(me + 1, pes))
    call shmem_barrier_all()
    if (any(column_there /= [(100 * before + 30 + j, j = 1, n)])) call shmem_global_exit(1)
    call shmem_finalize()
end program
