! SPDX-License-Identifier: BSD-3-Clause
!
! Every PE puts its number into a static variable of the next one. Stops with an error where a wrong one arrived.
program neighbours
    use shmem
    implicit none
    integer, save :: from_neighbour = -1
    integer :: me, all

    call shmem_init()
    me = shmem_my_pe()
    all = shmem_n_pes()
    call shmem_p(from_neighbour, me, modulo(me + 1, all))
    call shmem_barrier_all()
    print '(3(a, i0))', 'PE ', me, ' of ', all, ': static ', from_neighbour
    if (from_neighbour /= modulo(me + all - 1, all)) error stop 'a wrong number arrived'
    call shmem_finalize()
end program
