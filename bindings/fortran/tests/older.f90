! SPDX-License-Identifier: BSD-3-Clause
!
! The older interface as the manuals of 1.0 to 1.4 show it, in free form: functions declared by the program, in
! either of two ways, whatever the header has of them.
program older
    implicit none
    include "shmem.fh"
    integer :: shmem_my_pe, shmem_n_pes, me, all
    integer, external :: num_pes
    integer(kind=8) :: shmem_int8_fadd
    real(kind=8) :: shmem_real8_swap
    external shmem_ptr
    integer, save :: from_left, psync(SHMEM_BCAST_SYNC_SIZE) = SHMEM_SYNC_VALUE
    integer(kind=8), save :: count = 0
    real(kind=8), save :: number = 1.5d0
    character(len=8), save :: text
    integer :: theirs(*)
    pointer (address, theirs)

    call shmem_init()
    me = shmem_my_pe()
    all = shmem_n_pes()
    from_left = -1
    call shmem_barrier_all()
    call shmem_integer_put(from_left, me, 1, mod(me + 1, all))
    call shmem_barrier_all()
    if (from_left /= mod(me + all - 1, all) .or. num_pes() /= all) call wrong('put')
    address = shmem_ptr(from_left, mod(me + 1, all))
    if (address /= 0) then
        if (theirs(1) /= me) call wrong('ptr')
    end if
    if (shmem_int8_fadd(count, 1_8, 0) >= all) call wrong('fadd')
    if (shmem_real8_swap(number, 2.5d0, me) /= 1.5d0) call wrong('swap')
    if (.not. shmem_addr_accessible(count, 0) .or. shmem_pe_accessible(all)) call wrong('accessible')
    if (me == 0) text = 'from 0'
    call shmem_broadcast8(text, text, 1, 0, 0, 0, all, psync)
    call shmem_barrier_all()
    if (me == 0 .and. count /= all) call wrong('count')
    call shmem_finalize()
contains
    subroutine wrong(what)
        character(len=*), intent(in) :: what
        print *, 'PE ', me, ': wrong: ', what
        call shmem_global_exit(1)
    end subroutine
end program
