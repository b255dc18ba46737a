! SPDX-License-Identifier: BSD-3-Clause
!
! Grids of 2**level points in each direction, with a shell of the neighbours' points around them, in the symmetric heap;
! and what MG does with them. Indices are 1 to n within, 0 and n + 1 in the shell.
module grids
    use shmem
    use options, only: refuse
    implicit none

    type grid
        integer :: n = 0                  ! points in each direction
        integer :: planes = 0             ! of which this PE has so many planes,
        integer :: first = 0              ! those behind the first ones
        logical :: is_spread = .false.    ! or else all, as every other PE does
        real(8), pointer :: at(:, :, :) => null()
    end type

    real(8), parameter :: a(0:3) = [-8d0 / 3, 0d0, 1d0 / 6, 1d0 / 12]
    real(8), parameter :: c(0:2) = [-3d0 / 8, 1d0 / 32, -1d0 / 64]
    integer, parameter :: charges = 10    ! of each sign

contains

    subroutine make_grid(g, level)
        type(grid), intent(out) :: g
        integer, intent(in) :: level
        type(c_ptr) :: memory
        real(8), pointer :: from_1(:, :, :)
        g%n = 2**level
        g%is_spread = g%n >= 2 * shmem_n_pes()
        g%planes = g%n
        if (g%is_spread) g%planes = g%n / shmem_n_pes()
        if (g%is_spread) g%first = g%planes * shmem_my_pe()
        memory = shmem_calloc(int(g%n + 2, c_size_t)**2 * (g%planes + 2), 8_c_size_t)
        if (.not. c_associated(memory)) call refuse('no memory for the grids')
        call c_f_pointer(memory, from_1, [g%n + 2, g%n + 2, g%planes + 2])
        g%at(0:, 0:, 0:) => from_1
    end subroutine

    ! The shell is what lies on the other side, or in the next PE's planes.
    subroutine fill_shell(g)
        type(grid), intent(inout) :: g
        integer :: me, pes, n, words
        n = g%n
        g%at(0, :, :) = g%at(n, :, :)
        g%at(n + 1, :, :) = g%at(1, :, :)
        g%at(:, 0, :) = g%at(:, n, :)
        g%at(:, n + 1, :) = g%at(:, 1, :)
        if (.not. g%is_spread) then
            g%at(:, :, 0) = g%at(:, :, n)
            g%at(:, :, n + 1) = g%at(:, :, 1)
            return
        end if
        me = shmem_my_pe()
        pes = shmem_n_pes()
        words = (n + 2)**2
        call shmem_barrier_all()          ! all have read what the shell held
        call shmem_put(g%at(:, :, g%planes + 1), g%at(:, :, 1), words, modulo(me - 1, pes))
        call shmem_put(g%at(:, :, 0), g%at(:, :, g%planes), words, modulo(me + 1, pes))
        call shmem_barrier_all()
    end subroutine

    ! r = v - A u
    subroutine subtract(u, v, r)
        type(grid), intent(in) :: u, v
        type(grid), intent(inout) :: r
        real(8) :: edges(0:u%n + 1), corners(0:u%n + 1)
        integer :: i, j, k
        do k = 1, u%planes
            do j = 1, u%n
                call gather(u, j, k, edges, corners)
                do i = 1, u%n
                    r%at(i, j, k) = v%at(i, j, k) - a(0) * u%at(i, j, k) &
                        - a(2) * (corners(i) + edges(i - 1) + edges(i + 1)) - a(3) * (corners(i - 1) + corners(i + 1))
                end do
            end do
        end do
        call fill_shell(r)
    end subroutine

    ! u = u + C r
    subroutine smooth(r, u)
        type(grid), intent(in) :: r
        type(grid), intent(inout) :: u
        real(8) :: edges(0:r%n + 1), corners(0:r%n + 1)
        integer :: i, j, k
        do k = 1, r%planes
            do j = 1, r%n
                call gather(r, j, k, edges, corners)
                do i = 1, r%n
                    u%at(i, j, k) = u%at(i, j, k) + c(0) * r%at(i, j, k) &
                        + c(1) * (r%at(i - 1, j, k) + r%at(i + 1, j, k) + edges(i)) &
                        + c(2) * (corners(i) + edges(i - 1) + edges(i + 1))
                end do
            end do
        end do
        call fill_shell(u)
    end subroutine

    ! Sums over the four neighbours of a row that share a face with it, and over the four that share an edge.
    pure subroutine gather(g, j, k, edges, corners)
        type(grid), intent(in) :: g
        integer, intent(in) :: j, k
        real(8), intent(out) :: edges(0:g%n + 1), corners(0:g%n + 1)
        edges = g%at(:, j - 1, k) + g%at(:, j + 1, k) + g%at(:, j, k - 1) + g%at(:, j, k + 1)
        corners = g%at(:, j - 1, k - 1) + g%at(:, j + 1, k - 1) + g%at(:, j - 1, k + 1) + g%at(:, j + 1, k + 1)
    end subroutine

    ! A point of the coarse grid is the weighted mean of 27 around the second, fourth, ... of the fine one.
    subroutine restrict(fine, coarse)
        type(grid), intent(in) :: fine
        type(grid), intent(inout) :: coarse
        type(grid) :: whole
        if (fine%is_spread .and. .not. coarse%is_spread) then
            call collect(fine, whole)
            call take_means(whole, coarse)
            deallocate (whole%at)
        else
            call take_means(fine, coarse)
        end if
        call fill_shell(coarse)
    end subroutine

    subroutine take_means(fine, coarse)
        type(grid), intent(in) :: fine
        type(grid), intent(inout) :: coarse
        real(8) :: edges(0:fine%n + 1), corners(0:fine%n + 1)
        integer :: i, j, k, f
        do k = 1, coarse%planes
            do j = 1, coarse%n
                call gather(fine, 2 * j, 2 * k, edges, corners)
                do i = 1, coarse%n
                    f = 2 * i
                    coarse%at(i, j, k) = 0.5d0 * fine%at(f, 2 * j, 2 * k) &
                        + 0.25d0 * (fine%at(f - 1, 2 * j, 2 * k) + fine%at(f + 1, 2 * j, 2 * k) + edges(f)) &
                        + 0.125d0 * (edges(f - 1) + edges(f + 1) + corners(f)) &
                        + 0.0625d0 * (corners(f - 1) + corners(f + 1))
                end do
            end do
        end do
    end subroutine

    ! Every PE's planes on every PE, in private memory.
    subroutine collect(part, whole)
        type(grid), intent(in) :: part
        type(grid), intent(out) :: whole
        integer :: pe
        whole%n = part%n
        whole%planes = part%n
        allocate (whole%at(0:part%n + 1, 0:part%n + 1, 0:part%n + 1))
        do pe = 0, shmem_n_pes() - 1
            call shmem_get(whole%at(:, :, pe * part%planes + 1:(pe + 1) * part%planes), part%at(:, :, 1:part%planes), &
                (part%n + 2)**2 * part%planes, pe)
        end do
        whole%at(:, :, 0) = whole%at(:, :, part%n)
        whole%at(:, :, part%n + 1) = whole%at(:, :, 1)
    end subroutine

    ! A fine point gets the mean of the coarse ones at its two, four or eight corners, or the one it lies on.
    subroutine prolong(coarse, fine)
        type(grid), intent(in) :: coarse
        type(grid), intent(inout) :: fine
        integer :: j, k, from, low_j, low_k
        integer, allocatable :: low(:), high(:)
        integer :: i
        allocate (low(fine%n), high(fine%n))
        low = [(i / 2, i = 1, fine%n)]
        high = [((i + 1) / 2, i = 1, fine%n)]
        from = 0
        if (.not. coarse%is_spread) from = fine%first
        do k = 1, fine%planes
            low_k = (from + k) / 2
            do j = 1, fine%n
                low_j = j / 2
                fine%at(1:fine%n, j, k) = fine%at(1:fine%n, j, k) + 0.125d0 * ( &
                    coarse%at(low, low_j, low_k) + coarse%at(high, low_j, low_k) &
                    + coarse%at(low, high(j), low_k) + coarse%at(high, high(j), low_k) &
                    + coarse%at(low, low_j, (from + k + 1) / 2) + coarse%at(high, low_j, (from + k + 1) / 2) &
                    + coarse%at(low, high(j), (from + k + 1) / 2) + coarse%at(high, high(j), (from + k + 1) / 2))
            end do
        end do
        call fill_shell(fine)
    end subroutine

    real(8) function norm_of(g)
        type(grid), intent(in) :: g
        real(8), save :: mine, total
        integer :: status
        mine = sum(g%at(1:g%n, 1:g%n, 1:g%planes)**2)
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, total, mine, 1)
        norm_of = sqrt(total / real(g%n, 8)**3)
    end function

    ! Charges of 1 and -1 where the benchmark's random numbers are largest and smallest.
    subroutine charge(v)
        type(grid), intent(inout) :: v
        integer(8) :: highest(charges), lowest(charges), seed, place
        real(8) :: most(charges), least(charges), number
        seed = 314159265
        most = -1
        least = 2
        highest = 0
        lowest = 0
        do place = 0, int(v%n, 8)**3 - 1
            seed = next_of(seed)
            number = seed * 2d0**(-46)
            if (number > most(charges)) call insert(most, highest, number, place, 1)
            if (number < least(charges)) call insert(least, lowest, number, place, -1)
        end do
        call set_all(v, highest, 1d0)
        call set_all(v, lowest, -1d0)
        call fill_shell(v)
    end subroutine

    ! 5**13 times seed, modulo 2**46, in halves of 23 bits.
    pure integer(8) function next_of(seed)
        integer(8), intent(in) :: seed
        integer(8), parameter :: half = 2_8**23, factor = 5_8**13
        integer(8) :: middle
        middle = modulo((factor / half) * modulo(seed, half) + modulo(factor, half) * (seed / half), half)
        next_of = modulo(middle * half + modulo(factor, half) * modulo(seed, half), half * half)
    end function

    ! Into a list that begins with the largest (sign 1) or the smallest (-1).
    pure subroutine insert(numbers, places, number, place, sign)
        real(8), intent(inout) :: numbers(charges)
        integer(8), intent(inout) :: places(charges)
        real(8), intent(in) :: number
        integer(8), intent(in) :: place
        integer, intent(in) :: sign
        integer :: i
        i = charges
        do while (i > 1)
            if (sign * numbers(i - 1) >= sign * number) exit
            numbers(i) = numbers(i - 1)
            places(i) = places(i - 1)
            i = i - 1
        end do
        numbers(i) = number
        places(i) = place
    end subroutine

    subroutine set_all(v, places, value)
        type(grid), intent(inout) :: v
        integer(8), intent(in) :: places(charges)
        real(8), intent(in) :: value
        integer :: i, k
        do i = 1, charges
            k = int(places(i) / int(v%n, 8)**2) + 1 - v%first
            if (k >= 1 .and. k <= v%planes) &
                v%at(int(modulo(places(i), int(v%n, 8))) + 1, int(modulo(places(i) / v%n, int(v%n, 8))) + 1, k) = value
        end do
    end subroutine
end module
