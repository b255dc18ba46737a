! SPDX-License-Identifier: BSD-3-Clause
!
! How heat spreads over a plate whose edges, and in places whose inside, are held at a fixed temperature, with coarrays of
! Fortran, to compare with: the sweeps, checks and pictures are the other versions' (simulation.c), in C. See README.md.

! What world.h asks for: who takes part, and the small collectives.
module world
    use, intrinsic :: iso_c_binding
    implicit none
    character(kind=c_char), bind(C, name='app_unit') :: app_unit(7) = ['i', 'm', 'a', 'g', 'e', 's', c_null_char]

contains

    integer(c_int) function app_rank() bind(C)
        app_rank = this_image() - 1
    end function

    integer(c_int) function app_workers() bind(C)
        app_workers = num_images()
    end function

    subroutine app_barrier() bind(C)
        sync all
    end subroutine

    integer(c_int) function app_agree(status) bind(C)
        integer(c_int), value :: status
        app_agree = status
        call co_max(app_agree)
    end function

    integer(c_long) function app_sum_long(mine) bind(C)
        integer(c_long), value :: mine
        app_sum_long = mine
        call co_sum(app_sum_long)
    end function

    integer(c_int64_t) function app_sum_uint64(mine) bind(C)
        integer(c_int64_t), value :: mine
        app_sum_uint64 = mine
        call co_sum(app_sum_uint64)
    end function

    real(c_double) function app_sum_double(mine) bind(C)
        real(c_double), value :: mine
        app_sum_double = mine
        call co_sum(app_sum_double)
    end function

    real(c_double) function app_max_double(mine) bind(C)
        real(c_double), value :: mine
        app_max_double = mine
        call co_max(app_max_double)
    end function
end module

! What plate.h asks for: rows at the edge of a block are assigned to the neighbour's halo, and an event tells of each.
module plate_of_coarrays
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: event_type
    implicit none
    private
    public :: plate_create, plate_destroy, plate_hand_out, plate_collect, plate_begin, plate_step, plate_end

    integer, parameter :: above = 0, below = 1

    type, bind(C) :: plate
        integer(c_long) :: width, height
        integer(c_int) :: part, parts
        integer(c_long) :: first, rows
        integer(c_int) :: neighbour(above:below) ! counted from 0; -1: none
        type(c_ptr) :: grid(2), halo, arrived, relax
    end type

    abstract interface
        real(c_double) function plate_update(p, step, row) bind(C)
            import
            type(plate), intent(in) :: p
            integer(c_int64_t), value :: step
            integer(c_long), value :: row
        end function
    end interface

    interface
        type(plate) function plate_shape(width, height, part, parts) bind(C)
            import
            integer(c_long), value :: width, height
            integer(c_int), value :: part, parts
        end function
        integer(c_long) function plate_rows_most(p) bind(C)
            import
            type(plate), intent(in) :: p
        end function
        integer(c_int) function plate_owner(p, row) bind(C)
            import
            type(plate), intent(in) :: p
            integer(c_long), value :: row
        end function
    end interface

    real(c_double), allocatable, target :: grid(:, :, :)[:] ! column, row of mine, one of two
    real(c_double), allocatable, target :: halo(:, :, :)[:] ! column, side, parity of the step
    real(c_double), allocatable, target :: relax(:)
    type(event_type), allocatable :: arrived(:)[:]          ! by side and parity
    integer(c_int64_t) :: last_step

contains

    integer(c_int) function plate_create(width, height, p) bind(C)
        integer(c_long), value :: width, height
        type(plate), intent(out) :: p
        integer(c_long) :: most
        p = plate_shape(width, height, this_image() - 1, num_images())
        most = plate_rows_most(p)
        allocate (grid(width, most, 2)[*], halo(width, above:below, 0:1)[*], arrived(4)[*], relax(width*most))
        grid = 0
        halo = 0
        p%grid = [c_loc(grid(1, 1, 1)), c_loc(grid(1, 1, 2))]
        p%halo = c_loc(halo(1, above, 0))
        p%relax = c_loc(relax)
        sync all
        plate_create = 0
    end function

    subroutine plate_destroy(p) bind(C)
        type(plate), intent(inout) :: p
        p%grid = c_null_ptr
        deallocate (grid, halo, arrived, relax)
    end subroutine

    integer function event_of(side, step)
        integer, intent(in) :: side
        integer(c_int64_t), intent(in) :: step
        event_of = 1 + side + 2*int(modulo(step, 2_c_int64_t))
    end function

    ! A row counted in the whole, counted in its owner's block.
    integer(c_long) function row_of(p, row)
        type(plate), intent(in) :: p
        integer(c_long), intent(in) :: row
        type(plate) :: theirs
        theirs = plate_shape(p%width, p%height, plate_owner(p, row), p%parts)
        row_of = row - theirs%first + 1
    end function

    subroutine plate_hand_out(p, row, temperature) bind(C)
        type(plate), intent(in) :: p
        integer(c_long), value :: row
        real(c_double), intent(in) :: temperature(p%width)
        integer :: owner, i
        if (this_image() /= 1) return
        owner = plate_owner(p, row) + 1
        do i = 1, 2
            if (row == 0) then
                halo(:, above, i - 1)[owner] = temperature
            else if (row == p%height - 1) then
                halo(:, below, i - 1)[owner] = temperature
            else
                grid(:, row_of(p, row), i)[owner] = temperature
            end if
        end do
    end subroutine

    subroutine plate_collect(p, which, row, temperature) bind(C)
        type(plate), intent(in) :: p
        integer(c_int), value :: which
        integer(c_long), value :: row
        real(c_double), intent(inout) :: temperature(p%width)
        integer :: owner
        if (this_image() /= 1) return
        owner = plate_owner(p, row) + 1
        if (row == 0) then
            temperature = halo(:, above, 0)[owner]
        else if (row == p%height - 1) then
            temperature = halo(:, below, 0)[owner]
        else
            temperature = grid(:, row_of(p, row), which + 1)[owner]
        end if
    end subroutine

    ! My first row becomes the halo below the image above, my last the halo above the image below.
    subroutine send_edges(p, which, step)
        type(plate), intent(in) :: p
        integer, intent(in) :: which
        integer(c_int64_t), intent(in) :: step
        integer :: parity, up, down
        parity = int(modulo(step, 2_c_int64_t))
        up = p%neighbour(above) + 1
        down = p%neighbour(below) + 1
        if (up > 0) then
            halo(:, below, parity)[up] = grid(:, 1, which)
            event post (arrived(event_of(below, step))[up])
        end if
        if (down > 0) then
            halo(:, above, parity)[down] = grid(:, p%rows, which)
            event post (arrived(event_of(above, step))[down])
        end if
    end subroutine

    subroutine receive_edges(p, step)
        type(plate), intent(in) :: p
        integer(c_int64_t), intent(in) :: step
        integer :: side
        do side = above, below
            if (p%neighbour(side) >= 0) event wait (arrived(event_of(side, step)))
        end do
    end subroutine

    subroutine plate_begin(p) bind(C)
        type(plate), intent(in) :: p
        last_step = 0
        if (p%rows > 0) call send_edges(p, 1, 0_c_int64_t)
    end subroutine

    ! The rows inside come first, so that the neighbours' rows have time to arrive.
    real(c_double) function plate_step(p, update, to, step) result(largest) bind(C)
        type(plate), intent(in) :: p
        type(c_funptr), value :: update
        integer(c_int), value :: to
        integer(c_int64_t), value :: step
        procedure(plate_update), pointer :: update_row
        integer(c_long) :: row
        largest = 0
        last_step = step
        if (p%rows == 0) return
        call c_f_procpointer(update, update_row)
        do row = 1, p%rows - 2
            largest = max(largest, update_row(p, step, row))
        end do
        call receive_edges(p, step - 1)
        largest = max(largest, update_row(p, step, 0_c_long))
        if (p%rows > 1) largest = max(largest, update_row(p, step, p%rows - 1))
        call send_edges(p, to + 1, step)
    end function

    ! The last edges arrive before anything else is put in their place.
    subroutine plate_end(p) bind(C)
        type(plate), intent(in) :: p
        if (p%rows > 0) call receive_edges(p, last_step)
        sync all
    end subroutine
end module

program heat
    use, intrinsic :: iso_c_binding
    use world
    use plate_of_coarrays
    implicit none
    interface
        integer(c_int) function simulation(argc, argv) bind(C)
            import
            integer(c_int), value :: argc
            type(c_ptr), intent(inout) :: argv(*)
        end function
    end interface
    type argument
        character(kind=c_char), allocatable :: text(:)
    end type
    type(argument), allocatable, target :: arguments(:)
    type(c_ptr), allocatable :: argv(:)
    character(:), allocatable :: text
    integer :: i, j, length, status

    allocate (arguments(0:command_argument_count()), argv(0:command_argument_count() + 1))
    do i = 0, command_argument_count()
        call get_command_argument(i, length=length)
        allocate (character(length) :: text)
        call get_command_argument(i, text)
        arguments(i)%text = [(text(j:j), j = 1, length), c_null_char]
        argv(i) = c_loc(arguments(i)%text)
        deallocate (text)
    end do
    argv(command_argument_count() + 1) = c_null_ptr
    status = simulation(command_argument_count() + 1, argv)
    if (status /= 0) stop status, quiet=.true.
end program
