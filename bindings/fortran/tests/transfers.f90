! SPDX-License-Identifier: BSD-3-Clause
!
! put, get and their like of every type, kind and rank, from static memory of every kind and the heap; each value
! depends on its PE. Takes the module by its name: -DMODULE=shmem or shmem_f08.
program transfers
    use MODULE
    implicit none
    type point
        integer :: number
        real(8) :: place(3)
        character(len=5) :: word
        logical(1) :: flag
    end type
    ! The widest reals that the compiler has.
    integer, parameter :: quad = merge(selected_real_kind(33), c_long_double, selected_real_kind(33) > 0)
    integer :: me, pes, next, before
    integer, save :: saved(4, 3) = -1
    integer(1), save :: tiny_numbers(7) = 0
    integer(2), save :: short_numbers(7) = 0
    integer(8), save :: long_numbers(2, 2, 2) = 0
    real(4), save :: singles(5) = 0
    real(8), save :: doubles(3, 3) = 0
    real(quad), save :: quads(2) = 0
    complex(4), save :: small_complex(3) = 0
    complex(8), save :: large_complex(3) = 0
    logical(1), save :: logicals1(3) = .false.
    logical(2), save :: logicals2(3) = .false.
    logical(4), save :: logicals4(3) = .false.
    logical(8), save :: logicals8(3) = .false.
    character(len=6), save :: words(2) = ' '
    type(point), save :: points(2)
    integer :: scalar_in_common, list_in_common(3)
    common /shared_names/ scalar_in_common, list_in_common

    call shmem_init()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    next = modulo(me + 1, pes)
    before = modulo(me - 1, pes)
    call check_types()
    call check_points()
    call check_elements()
    call check_heap()
    call check_strided()
    call check_signal()
    call shmem_finalize()

contains

    include 'check.inc'

    subroutine check_types()
        integer :: i
        call shmem_put(saved, reshape([(100 * me + i, i = 1, 12)], [4, 3]), 12, next)
        call shmem_put(tiny_numbers, [(int(me + i, 1), i = 1, 7)], 7_8, next)
        call shmem_put(short_numbers, [(int(me - i, 2), i = 1, 7)], 7, next)
        call shmem_put(long_numbers, reshape([(1000000000000_8 * me + i, i = 1, 8)], [2, 2, 2]), 8, next)
        call shmem_put(singles, [(me + 0.5 * i, i = 1, 5)], 5, next)
        call shmem_put_nbi(doubles, reshape([(me + 0.25d0 * i, i = 1, 9)], [3, 3]), 9, next)
        call shmem_put(quads, [real(me, quad) / 3, -1.0_quad], 2, next)
        call shmem_put(small_complex, [(cmplx(me, i), i = 1, 3)], 3, next)
        call shmem_put(large_complex, [(cmplx(me, -i, 8), i = 1, 3)], 3, next)
        call shmem_put(logicals1, [(logical(mod(me + i, 2) == 0, 1), i = 1, 3)], 3, next)
        call shmem_put(logicals2, [(logical(mod(me + i, 2) == 1, 2), i = 1, 3)], 3, next)
        call shmem_put(logicals4, [(mod(me + i, 2) == 0, i = 1, 3)], 3, next)
        call shmem_put(logicals8, [(logical(mod(me + i, 2) == 1, 8), i = 1, 3)], 3, next)
        call shmem_put(words, [word_of(me), 'second'], 2, next)
        call shmem_barrier_all()
        call check(all(saved == reshape([(100 * before + i, i = 1, 12)], [4, 3])), 'integer')
        call check(all(tiny_numbers == [(int(before + i, 1), i = 1, 7)]), 'integer(1)')
        call check(all(short_numbers == [(int(before - i, 2), i = 1, 7)]), 'integer(2)')
        call check(long_numbers(2, 2, 2) == 1000000000000_8 * before + 8, 'integer(8)')
        call check(all(singles == [(before + 0.5 * i, i = 1, 5)]), 'real')
        call check(all(doubles == reshape([(before + 0.25d0 * i, i = 1, 9)], [3, 3])), 'real(8)')
        call check(all(quads == [real(before, quad) / 3, -1.0_quad]), 'the widest real')
        call check(all(small_complex == [(cmplx(before, i), i = 1, 3)]), 'complex')
        call check(all(large_complex == [(cmplx(before, -i, 8), i = 1, 3)]), 'complex(8)')
        call check(all(logicals1 .eqv. [(mod(before + i, 2) == 0, i = 1, 3)]), 'logical(1)')
        call check(all(logicals2 .eqv. [(mod(before + i, 2) == 1, i = 1, 3)]), 'logical(2)')
        call check(all(logicals4 .eqv. [(mod(before + i, 2) == 0, i = 1, 3)]), 'logical(4)')
        call check(all(logical(logicals8) .eqv. [(mod(before + i, 2) == 1, i = 1, 3)]), 'logical(8)')
        call check(all(words == [word_of(before), 'second']), 'character')
    end subroutine

    function word_of(pe) result(word)
        integer, intent(in) :: pe
        character(len=6) :: word
        write (word, '(a, i3.3)') 'pe-', pe
    end function

    subroutine check_points()
        type(point) :: mine(2)
        mine(1) = point(me, [1d0, 2d0, 3d0] * me, 'here!', .true.)
        mine(2) = point(-me, [0d0, 0d0, 1d0], 'there', .false.)
        call shmem_put(points, mine, 2, next)
        call shmem_barrier_all()
        call check(points(1)%number == before .and. all(points(1)%place == [1d0, 2d0, 3d0] * before), 'derived type')
        call check(points(1)%word == 'here!' .and. points(2)%word == 'there' .and. points(1)%flag, 'components')
        mine%number = 0
        call shmem_get(mine(2), points(1), 1, next)
        call check(mine(2)%number == me, 'get of one element')
    end subroutine

    ! An element stands for what follows it; scalars in a common block; contiguous sections.
    subroutine check_elements()
        integer :: block(3)
        scalar_in_common = 7 * me
        list_in_common = [1, 2, 3] + me
        call shmem_barrier_all()
        call shmem_get(block, list_in_common(1), 3, next)
        call check(all(block == [1, 2, 3] + next), 'an element and what follows')
        call shmem_get(block(2:2), scalar_in_common, 1, next)
        call check(block(2) == 7 * next, 'common block')
        call shmem_barrier_all()
        call shmem_put(saved(:, 2:3), saved(:, 1:2), 8, me)
        call check(all(saved(:, 2) == saved(:, 1)), 'sections without gaps')
        call shmem_barrier_all()
        call shmem_p(saved(2, 2), 1000 + me, next)
        call shmem_barrier_all()
        call check(saved(2, 2) == 1000 + before .and. shmem_g(saved(2, 2), next) == 1000 + me, 'p and g')
        call check(shmem_g(doubles(1, 1), me) == doubles(1, 1), 'g of real(8)')
    end subroutine

    subroutine check_heap()
        type(c_ptr) :: memory, theirs
        real(8), pointer :: matrix(:, :), remote(:, :)
        memory = shmem_malloc(8 * 6)
        call check(c_associated(memory), 'shmem_malloc')
        call c_f_pointer(memory, matrix, [2, 3])
        matrix = me
        call shmem_barrier_all()
        theirs = shmem_ptr(matrix, next)
        if (c_associated(theirs)) then
            call c_f_pointer(theirs, remote, [2, 3])
            call check(all(remote == next), 'shmem_ptr')
        end if
        call shmem_barrier_all()
        call shmem_put(matrix(:, 2), [10d0, 20d0] * me, 2, next)
        call shmem_putmem(matrix(1, 3), [real(me, 8)], 8, next)
        call shmem_barrier_all()
        call check(all(matrix(:, 2) == [10d0, 20d0] * before) .and. matrix(1, 3) == before, 'heap')
        call check(shmem_addr_accessible(matrix, next) == 1, 'shmem_addr_accessible')
        call shmem_free(memory)
    end subroutine

    subroutine check_strided()
        type(point) :: mine(2)
        call shmem_iput(saved, [1, 2, 3] + me, 4, 1, 3, next)
        call shmem_barrier_all()
        call check(all(saved(1, :) == [1, 2, 3] + before), 'iput of a row')
        call shmem_put(saved(1:3, 3), (saved(1, :)), 3, me)
        call check(all(saved(1:3, 3) == [1, 2, 3] + before), 'a copy of a section with gaps')
        mine(1)%number = 40 + me
        mine(2)%number = 50 + me
        call shmem_iput(points, mine, 1, 1, 2, next)
        call shmem_barrier_all()
        call check(all(points%number == [40, 50] + before), 'iput of a derived type')
        call shmem_ibget(saved, saved, 4_8, 4_8, 2_8, 2_8, me)
    end subroutine

    subroutine check_signal()
        integer(8), save :: signal = 0
        integer(8) :: seen
        call shmem_put_signal(saved, [5, 6] * me, 2, signal, 3_8, SHMEM_SIGNAL_ADD, next)
        seen = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 3_8)
        call check(seen == 3 .and. all(saved(1:2, 1) == [5, 6] * before), 'put with signal')
        call shmem_barrier_all()
        call shmem_ctx_signal_set(SHMEM_CTX_DEFAULT, signal, 9_8, next)
        seen = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 9_8)
        call check(shmem_signal_fetch(signal) == 9, 'signal')
    end subroutine
end program
