! SPDX-License-Identifier: BSD-3-Clause
!
! The program of docs/do/fortran.md, in the words that tests/install looks for.
program hello
    use shmem
    implicit none
    integer, save :: from_neighbour = -1
    integer, save :: mine, total
    integer :: me, all, status

    call shmem_init()
    me = shmem_my_pe()
    all = shmem_n_pes()
    call shmem_p(from_neighbour, 10 * me, modulo(me + 1, all))
    mine = me
    status = shmem_sum_reduce(SHMEM_TEAM_WORLD, total, mine, 1)
    call shmem_barrier_all()
    if (from_neighbour /= 10 * modulo(me - 1, all) .or. total /= all * (all - 1) / 2) error stop 'wrong'
    print '(4(a, i0))', 'PE ', me, ' of ', all, ': static ', from_neighbour, ', sum ', total
    call shmem_finalize()
end program
