! SPDX-License-Identifier: BSD-3-Clause
!
! Heat on a square plate whose edges are kept at 0, by columns spread over the PEs: each puts its first and last column
! into its neighbours. Checked against the exact solution of the difference equation.
!   heat [SIZE [STEPS]]
program heat
    use shmem_f08
    use, intrinsic :: iso_c_binding
    use options, only: number_of, refuse
    implicit none
    real(8), parameter :: pi = acos(-1d0), speed = 0.2d0
    real(8), pointer :: now(:, :), then(:, :), spare(:, :)
    type(c_ptr) :: memory(2)
    real(8), save :: wrong, most_wrong
    integer :: me, pes, size, steps, step, first, columns, most, status

    call shmem_init()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    size = number_of(1, 100, 'SIZE', 1)
    steps = number_of(2, 200, 'STEPS', 0)
    first = 1 + int(int(me, 8) * size / pes)
    columns = int(int(me + 1, 8) * size / pes) + 1 - first
    most = (size + pes - 1) / pes
    memory(1) = shmem_calloc(int(size + 2, c_size_t) * (most + 2), 8_c_size_t)
    memory(2) = shmem_calloc(int(size + 2, c_size_t) * (most + 2), 8_c_size_t)
    if (.not. c_associated(memory(2))) call refuse('no memory for a plate of this SIZE')
    call c_f_pointer(memory(1), now, [size + 2, most + 2])
    call c_f_pointer(memory(2), then, [size + 2, most + 2])

    call begin()
    do step = 1, steps
        call exchange()
        call sweep()
        spare => now
        now => then
        then => spare
    end do
    wrong = difference()
    status = shmem_max_reduce(SHMEM_TEAM_WORLD, most_wrong, wrong, 1)
    if (.not. most_wrong < 1d-12) call refuse('the plate differs from the exact solution')
    if (me == 0) print '(a, i0, a, i0, a, es8.1)', 'plate of ', size, ', ', steps, ' steps: right within ', most_wrong
    call shmem_barrier_all()
    call shmem_free(memory(2))
    call shmem_free(memory(1))
    call shmem_finalize()

contains

    pure real(8) function start(i, j)
        integer, intent(in) :: i, j
        start = sin(pi * i / (size + 1)) * sin(pi * (first + j - 1) / (size + 1))
    end function

    ! Every step multiplies the start, an eigenvector, by the same factor.
    pure real(8) function exact(i, j)
        integer, intent(in) :: i, j
        exact = start(i, j) * (1 - 4 * speed * (1 - cos(pi / (size + 1))))**steps
    end function

    real(8) function difference()
        integer :: i, j
        difference = 0
        do j = 1, columns
            do i = 1, size
                difference = max(difference, abs(now(i + 1, j + 1) - exact(i, j)))
            end do
        end do
    end function

    subroutine begin()
        integer :: i, j
        do j = 1, columns
            do i = 1, size
                now(i + 1, j + 1) = start(i, j)
            end do
        end do
    end subroutine

    ! PEs without a column, where there are more PEs than columns, lie between others: those are skipped.
    integer function neighbour(direction)
        integer, intent(in) :: direction
        neighbour = me + direction
        do while (neighbour >= 0 .and. neighbour < pes)
            if (int(int(neighbour + 1, 8) * size / pes) > int(int(neighbour, 8) * size / pes)) return
            neighbour = neighbour + direction
        end do
        neighbour = -1
    end function

    subroutine exchange()
        integer :: left, right, theirs
        left = neighbour(-1)
        right = neighbour(1)
        if (columns > 0 .and. left >= 0) then
            theirs = int(int(left + 1, 8) * size / pes) - int(int(left, 8) * size / pes)
            call shmem_put(now(1, theirs + 2), now(1, 2), size + 2, left)
        end if
        if (columns > 0 .and. right >= 0) call shmem_put(now(1, 1), now(1, columns + 1), size + 2, right)
        call shmem_barrier_all()
    end subroutine

    subroutine sweep()
        integer :: i, j
        do j = 2, columns + 1
            do i = 2, size + 1
                then(i, j) = now(i, j) + speed * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) &
                    - 4 * now(i, j))
            end do
        end do
        ! Nobody puts the next step's columns before all have read these.
    end subroutine
end program
