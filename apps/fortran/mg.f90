! SPDX-License-Identifier: BSD-3-Clause
!
! NAS MG: Poisson's equation in a periodic cube by multigrid. Planes are spread over the PEs, which put their outer ones
! into their neighbours; a level with fewer planes than two for each PE is computed by all of them. The residual's norm
! is checked against the published one.
!   mg [CLASS]     S, W or A: a power of two of PEs
program mg
    use grids
    use options, only: refuse
    implicit none
    character(len=*), parameter :: classes = 'SWA'
    integer, parameter :: tops(3) = [5, 7, 8], iterations = 4
    real(8), parameter :: published(3) = [0.5307707005734d-04, 0.6467329375339d-05, 0.2433365309069d-05]
    type(grid), allocatable :: u(:), r(:)
    type(grid) :: v
    character(len=8) :: class
    real(8) :: norm
    integer :: chosen, top, k, iteration

    call shmem_init()
    class = 'S'
    if (command_argument_count() > 0) call get_command_argument(1, class)
    chosen = index(classes, trim(class))
    if (chosen == 0 .or. len_trim(class) /= 1) call refuse('CLASS is ' // trim(class) // ': expected S, W or A')
    top = tops(chosen)
    if (popcnt(shmem_n_pes()) /= 1 .or. shmem_n_pes() > 2**(top - 1)) &
        call refuse('mg wants a power of two of PEs, at most half as many as planes')

    allocate (u(top), r(top))
    do k = 1, top
        call make_grid(u(k), k)
        call make_grid(r(k), k)
    end do
    call make_grid(v, top)
    call charge(v)
    call subtract(u(top), v, r(top))
    do iteration = 1, iterations
        call cycle_once()
        call subtract(u(top), v, r(top))
    end do
    norm = norm_of(r(top))
    if (.not. abs(norm - published(chosen)) <= 1d-8 * published(chosen)) call refuse('the norm is not the published one')
    if (shmem_my_pe() == 0) print '(3a, es20.13, a)', 'class ', trim(class), ': norm', norm, ', as published'
    call shmem_finalize()

contains

    ! One V cycle: the residual is carried down, the correction up.
    subroutine cycle_once()
        integer :: level
        do level = top, 2, -1
            call restrict(r(level), r(level - 1))
        end do
        u(1)%at = 0
        call smooth(r(1), u(1))
        do level = 2, top
            if (level < top) u(level)%at = 0
            call prolong(u(level - 1), u(level))
            if (level < top) then
                call subtract(u(level), r(level), r(level))
            else
                call subtract(u(level), v, r(level))
            end if
            call smooth(r(level), u(level))
        end do
    end subroutine
end program
