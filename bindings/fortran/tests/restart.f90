! SPDX-License-Identifier: BSD-3-Clause
!
! Steps with a snapshot in their midst: restart FOLDER [restore]. Goes on where a snapshot is named: by oshrun
! --restart, or by the two texts with "restore".
#ifdef TYPED
#define HANDLE(NAME) type(NAME)
#else
#define HANDLE(NAME) integer(c_intptr_t)
#endif
module state
    use, intrinsic :: iso_c_binding
    implicit none
    integer :: step = 0
    type(c_ptr) :: memory
end module

program restart
    use MODULE
    use state
    implicit none
    integer, parameter :: last = 10, n = 1000
    integer(8) :: sums(2)
    common /totals/ sums
    HANDLE(shmem_team_t) :: team
    character(len=300) :: folder, how
    integer(8), pointer :: field(:)
    integer :: me, found

    call get_command_argument(1, folder)
    call get_command_argument(2, how)
    call shmem_init()
    me = shmem_my_pe()
    team = SHMEM_TEAM_WORLD
    if (how == 'restore') then
        found = shmemx_restore(team, folder, 'half-way  ')
        call check(found == 0, 'restore by its texts')
    else
        found = shmemx_restore(team)
    end if
    if (found /= 0) memory = shmem_calloc(int(n, c_size_t), 8_c_size_t)
    call c_f_pointer(memory, field, [n])
    if (found == 0 .and. me == 0) print '(a, i0)', 'goes on at step ', step
    do while (step < last)
        call advance()
        if (step == last / 2 .and. found /= 0) then
            call check(shmemx_snapshot(team, folder, tag='half-way') == 0, 'snapshot')
        end if
    end do
    print '(a, i0, a, i0, 1x, i0)', 'PE ', me, ': ', sums
    if (how == 'badly') call check(shmemx_snapshot(team, folder, 'a/b') /= 0, 'a tag with a slash')
    call shmem_finalize()

contains

    include 'check.inc'

    subroutine advance()
        integer :: next
        next = modulo(me + 1, shmem_n_pes())
        call shmem_atomic_add(field(1 + step), int(me + step, 8), next)
        call shmem_barrier_all()
        sums(1) = sums(1) + field(1 + step)
        sums(2) = 3 * sums(2) + sums(1) + sum(field)
        step = step + 1
        call shmem_barrier_all()
    end subroutine
end program
