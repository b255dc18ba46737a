! SPDX-License-Identifier: BSD-3-Clause
!
! One call that must be refused: the program's argument says which.
program refused
    use shmem
    implicit none
    character(len=20) :: which
    integer, save, target :: matrix(4, 4) = 0
    integer, save :: list(4) = 0
    real(8), save :: numbers(4) = 0
    integer, allocatable :: missing(:)
    type(c_ptr) :: address
    integer :: status = 0

    call get_command_argument(1, which)
    call shmem_init()
    address = c_loc(matrix)
    select case (which)
    case ('gaps')
        call shmem_put(matrix(2, :), list, 4, 0)
    case ('short')
        call shmem_get(list, matrix, 16, 0)
    case ('short-members')
        status = shmem_fcollect(SHMEM_TEAM_WORLD, list, matrix, 4)
    case ('missing')
        call shmem_put(list, missing, 4, 0)
    case ('address')
        call shmem_put(list, address, 1, 0)
    case ('sizes')
        call shmem_put(list, numbers, 4, 0)
    case ('negative')
        call shmem_put(list, list, -1, 0)
    case ('bits')
        status = shmem_or_reduce(SHMEM_TEAM_WORLD, numbers, numbers, 4)
    case ('target')
        call shmem_put(list, list, 4, 99)
    end select
    print *, 'not refused: ', trim(which), status
    call shmem_finalize()
end program
