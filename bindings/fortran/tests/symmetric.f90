! SPDX-License-Identifier: BSD-3-Clause
!
! What lies in the executable's writable segments is symmetric: module variables, COMMON blocks (also with initial
! values, from BLOCK DATA), SAVE variables, those of the main program too, and arrays of hundreds of megabytes.
module place
    implicit none
    integer :: in_module = -1
    real(8) :: large(40000000)
end module

block data
    integer :: first, second
    common /with_values/ first, second
    data first, second /11, 22/
end block data

program symmetric
    use shmem
    use place
    implicit none
    integer :: first, second, blank
    integer, save :: in_main(3)
    common /with_values/ first, second
    common blank
    integer :: me, next, before

    call shmem_init()
    me = shmem_my_pe()
    next = modulo(me + 1, shmem_n_pes())
    before = modulo(me - 1, shmem_n_pes())
    if (first /= 11 .or. second /= 22) error stop 'initial values'
    call shmem_barrier_all()
    call shmem_p(in_module, me, next)
    call shmem_p(second, me + 1, next)
    call shmem_p(blank, me + 2, next)
    call shmem_p(in_main(3), me + 3, next)
    call shmem_p(large(39999999), me + 4d0, next)
    call in_procedure()
    call shmem_barrier_all()
    if (in_module /= before) error stop 'module'
    if (second /= before + 1 .or. first /= 11) error stop 'common'
    if (blank /= before + 2) error stop 'blank common'
    if (in_main(3) /= before + 3) error stop 'main program'
    if (large(39999999) /= before + 4) error stop 'large array'
    call shmem_finalize()

contains

    subroutine in_procedure()
        integer, save :: kept = 5
        call shmem_p(kept, me + 6, next)
        call shmem_barrier_all()
        if (kept /= before + 6) error stop 'save'
    end subroutine
end program
