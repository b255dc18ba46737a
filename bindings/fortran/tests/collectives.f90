! SPDX-License-Identifier: BSD-3-Clause
!
! Reductions by type and kind, logicals of every kind, collectives of any type, atomic operations, waits, teams and
! contexts with handles of their own types.
program collectives
    use shmem_f08
    implicit none
    integer :: me, pes, next, i, status
    type(shmem_team_t) :: evens
    integer, save :: word = 0
    integer(8), save :: long_word = 0

    call shmem_init()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    next = modulo(me + 1, pes)
    call check_reductions()
    call check_logicals()
    call check_moves()
    call check_atomics()
    call check_waits()
    call check_teams()
    call check_queries()
    call shmem_finalize()

contains

    include 'check.inc'

    subroutine check_reductions()
        integer(1), save :: t(2), t_all(2)
        integer(2), save :: s(2), s_all(2)
        integer, save :: n(2, 2), n_all(2, 2)
        integer(8), save :: l, l_all
        real, save :: r(3), r_all(3)
        real(8), save :: d(3), d_all(3)
        real(c_long_double), save :: q(1), q_all(1)
        complex, save :: c(2), c_all(2)
        complex(8), save :: z(2), z_all(2)
        integer :: total
        total = pes * (pes + 1) / 2
        t = int(me, 1); s = int(me, 2); n = me + 1; l = me + 1; r = me + 1; d = me + 1
        q = me + 1; c = cmplx(me + 1, -1); z = cmplx(me + 1, 2, 8)
        status = shmem_max_reduce(SHMEM_TEAM_WORLD, t_all, t, 2)
        call check(status == 0 .and. all_are(int(t_all), pes - 1), 'max 1')
        status = shmem_min_reduce(SHMEM_TEAM_WORLD, s_all, s, 2)
        call check(status == 0 .and. all_are(int(s_all), 0), 'min 2')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, n_all, n, 4)
        call check(status == 0 .and. all_are(pack(n_all, .true.), total), 'sum 4')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, l_all, l, 1_8)
        call check(status == 0 .and. l_all == total, 'sum of a scalar')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, r_all, r, 3)
        call check(status == 0 .and. all_are(int(r_all), total), 'sum real')
        status = shmem_max_reduce(SHMEM_TEAM_WORLD, d_all, d, 3)
        call check(status == 0 .and. all_are(int(d_all), pes), 'max real(8)')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, q_all, q, 1)
        call check(status == 0 .and. int(q_all(1)) == total, 'long double')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, c_all, c, 2)
        call check(status == 0 .and. c_all(2) == cmplx(total, -pes), 'complex')
        status = shmem_sum_reduce(SHMEM_TEAM_WORLD, z_all, z, 2)
        call check(status == 0 .and. z_all(1) == cmplx(total, 2 * pes, 8), &
            'complex(8)')
        status = shmem_sum_exscan(SHMEM_TEAM_WORLD, n_all, n, 4)
        call check(status == 0 .and. n_all(2, 1) == me * (me + 1) / 2, 'scan')
    end subroutine

    pure logical function all_are(values, value)
        integer, intent(in) :: values(:), value
        all_are = count(values == value) == size(values)
    end function

    ! .and., .or. and .neqv.
    subroutine check_logicals()
        logical(1), save :: a1(2), a1_all(2)
        logical(2), save :: a2(2), a2_all(2)
        logical(4), save :: a4(2), a4_all(2)
        logical(8), save :: a8(2), a8_all(2)
        integer, save :: bits, bits_all
        a1 = [.true., me == 0]; a2 = [.false., me == 0]; a4 = [.true., me /= 0]; a8 = [.true., .false.]
        status = shmem_and_reduce(SHMEM_TEAM_WORLD, a1_all, a1, 2)
        call check(status == 0, 'and')
        call check(a1_all(1) .and. (a1_all(2) .eqv. pes == 1), 'logical(1)')
        status = shmem_or_reduce(SHMEM_TEAM_WORLD, a2_all, a2, 2)
        call check(status == 0, 'or')
        call check(logical(.not. a2_all(1) .and. a2_all(2)), 'logical(2)')
        status = shmem_and_reduce(SHMEM_TEAM_WORLD, a4_all, a4, 2)
        call check(status == 0, 'and')
        call check(a4_all(1) .and. .not. a4_all(2), 'logical(4)')
        status = shmem_xor_reduce(SHMEM_TEAM_WORLD, a8_all, a8, 2_8)
        call check(status == 0, 'xor')
        call check(logical((a8_all(1) .eqv. mod(pes, 2) == 1) .and. .not. a8_all(2)), 'logical(8)')
        bits = ibset(0, me)
        status = shmem_or_reduce(SHMEM_TEAM_WORLD, bits_all, bits, 1)
        call check(status == 0 .and. popcnt(bits_all) == pes, 'bits')
    end subroutine

    subroutine check_moves()
        character(len=3), save :: mine, letters(64)
        complex(8), save :: z(2), z_all(2, 64)
        integer, save :: rows(64), columns(64)
        write (mine, '(i3.3)') me
        status = shmem_fcollect(SHMEM_TEAM_WORLD, letters, mine, 1)
        call check(status == 0, 'fcollect')
        call check(letters(next + 1)(1:1) == '0' .and. letters(me + 1) == mine, 'fcollect of characters')
        z = cmplx(me, 1, 8)
        status = shmem_collect(SHMEM_TEAM_WORLD, z_all, z, 2)
        call check(status == 0, 'collect')
        call check(z_all(2, next + 1) == cmplx(next, 1, 8), 'collect of complex(8)')
        status = shmem_broadcast(SHMEM_TEAM_WORLD, z_all, z, 2, pes - 1)
        call check(status == 0, 'broadcast')
        call check(z_all(1, 1) == cmplx(pes - 1, 1, 8), 'broadcast of complex(8)')
        rows = [(100 * me + i, i = 1, 64)]
        status = shmem_alltoall(SHMEM_TEAM_WORLD, columns, rows, 1)
        call check(status == 0, 'alltoall')
        call check(columns(next + 1) == 100 * next + me + 1, 'alltoall of integers')
        call check(shmem_team_sync(SHMEM_TEAM_WORLD) == 0, 'sync')
    end subroutine

    subroutine check_atomics()
        integer :: old
        real(8), save :: real_word = 0
        call shmem_atomic_add(word, me + 1, 0)
        call shmem_atomic_inc(long_word, 0)
        call shmem_barrier_all()
        if (me == 0) call check(word == pes * (pes + 1) / 2 .and. long_word == pes, 'add and inc')
        call shmem_barrier_all()
        old = shmem_atomic_fetch_add(word, 0, next)
        call shmem_atomic_set(real_word, 2.5d0, next)
        call shmem_barrier_all()
        call check(shmem_atomic_swap(real_word, 3.5d0, me) == 2.5d0, 'swap')
        call check(shmem_atomic_compare_swap(long_word, shmem_atomic_fetch(long_word, me), -1_8, me) /= -1, 'cswap')
        call check(long_word == -1, 'compare and swap')
        call shmem_atomic_or(word, ishft(1, 20), me)
        call check(btest(shmem_atomic_fetch(word, me), 20), 'or')
        call shmem_barrier_all()
    end subroutine

    subroutine check_waits()
        integer, save :: flags(4) = 0
        integer(c_size_t) :: indices(4), found
        call shmem_p(flags(3), 5, next)
        found = shmem_wait_until_any(flags, 4, cmp=SHMEM_CMP_EQ, cmp_value=5)
        call check(found == 3, 'an index counts from 1')
        found = shmem_test_any(flags, 4, cmp=SHMEM_CMP_EQ, cmp_value=77)
        call check(found == 0, 'none')
        found = shmem_wait_until_some(flags, 4, indices, [1, 1, 0, 1], SHMEM_CMP_EQ, 5)
        call check(found == 1 .and. indices(1) == 3, 'some')
        call shmem_wait_until(flags(3), SHMEM_CMP_GE, 5)
        call check(shmem_test(flags(1), SHMEM_CMP_NE, 0) == 0, 'test')
        call shmem_barrier_all()
    end subroutine

    subroutine check_teams()
        type(shmem_team_config_t) :: config
        type(shmem_ctx_t) :: ctx
        integer, save :: from = -1
        config%num_contexts = 1
        status = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, config, SHMEM_TEAM_NUM_CONTEXTS, evens)
        call check(status == 0 .and. ((evens == SHMEM_TEAM_INVALID) .eqv. mod(me, 2) == 1), 'split')
        if (evens /= SHMEM_TEAM_INVALID) then
            call check(shmem_team_my_pe(evens) == me / 2, 'team')
            call check(shmem_team_create_ctx(evens, SHMEM_CTX_PRIVATE, ctx) == 0, 'context')
            call shmem_put(ctx, from, [me], 1, modulo(me / 2 + 1, (pes + 1) / 2))
            call shmem_ctx_quiet(ctx)
            call shmem_ctx_destroy(ctx)
            call check(shmem_team_sync(evens) == 0, 'sync')
            call check(from == 2 * modulo(me / 2 - 1, (pes + 1) / 2), 'put by a context')
            call shmem_team_destroy(evens)
        end if
        status = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, config_mask=0_c_long, new_team=evens)
        call check(status == 0 .and. shmem_team_n_pes(evens) == pes, 'split without a configuration')
    end subroutine

    subroutine check_queries()
        character(len=40) :: name
        integer :: major, minor
        call shmem_info_get_name(name)
        call shmem_info_get_version(major, minor)
        call check(name == SHMEM_VENDOR_STRING .and. major == 1 .and. minor == 6, 'name and version')
        call shmem_pcontrol(1)
    end subroutine
end program
