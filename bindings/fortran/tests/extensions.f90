! SPDX-License-Identifier: BSD-3-Clause
!
! The extensions, with the module that MODULE names; -DTYPED where that is shmem_f08. Each value depends on its PE.
#ifdef TYPED
#define HANDLE(NAME) type(NAME)
#else
#define HANDLE(NAME) integer(c_intptr_t)
#endif
program extensions
    use MODULE
    implicit none
    integer :: me, pes, next, before, provided
    integer, save :: table(4, 3) = 0
    integer(8), save, target :: counter = 0
    integer, save :: numbers(3) = 1
    integer(8), save :: long_numbers(3) = 1
    real(4), save :: singles(3) = 1
    real(8), save :: doubles(2, 3) = 1
    complex(4), save :: small_complex(3) = 1
    complex(8), save :: large_complex(3) = 1

    call shmemx_heap_preinit()
    me = shmem_my_pe()
    call shmemx_heap_postinit()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    next = modulo(me + 1, pes)
    before = modulo(me - 1, pes)
    call shmem_query_thread(provided)
    call check(provided == SHMEM_THREAD_SINGLE, 'level of threads')
    call check_teams()
    call check_strided()
    call check_vectors()
    call check_accumulate()
    call check_atomics()
    call check_counters()
    call check_spaces()
    call check_events()
    call check_identifiers()
    call shmem_finalize()

contains

    include 'check.inc'

    subroutine check_teams()
        HANDLE(shmem_team_t) :: backwards
        integer :: i, mine(2), all_of(2, pes)
        type(c_ptr) :: there, here
        integer(8), pointer :: block(:)
        call check(shmemx_team_from_pes(SHMEM_TEAM_WORLD, [(pes - i, i = 1, pes)], pes, &
                                        config_mask=0_c_long, new_team=backwards) == 0, 'team_from_pes')
        call check(shmem_team_my_pe(backwards) == pes - 1 - me, 'the place in the team')
        mine = [me, -me]
        call check(shmemx_team_exchange(backwards, mine, 8, all_of) == 0, 'team_exchange')
        call check(all(all_of == reshape([(pes - i, i - pes, i = 1, pes)], [2, pes])), 'what was exchanged')
        there = shmemx_owner_address(counter, next)
        here = shmemx_local_address(there, next)
        call check(transfer(here, 0_c_intptr_t) == transfer(c_loc(counter), 0_c_intptr_t), 'owner_address')
        there = shmemx_team_calloc(backwards, 3, 8)
        call c_f_pointer(there, block, [3])
        call check(all(block == 0), 'team_calloc')
        call shmemx_team_free(backwards, there)
        there = shmemx_team_malloc(backwards, 24)
        call check(transfer(there, 0_c_intptr_t) /= 0, 'team_malloc')
        call shmemx_team_free(backwards, there)
        call shmem_team_destroy(backwards)
        call check(shmem_team_n_pes(SHMEMX_TEAM_NODE) == pes, 'SHMEMX_TEAM_NODE')
    end subroutine

    ! oshrun has started this process: it can make an identifier, and use none.
    subroutine check_identifiers()
        type(shmemx_uniqueid_t) :: id
        integer :: level
        call check(shmemx_get_uniqueid(id) == 0 .and. id%text(1) == 's', 'get_uniqueid')
        if (pes == 0) call check(shmemx_init_uid(0, 1, id) == 0 .and. &
                                 shmemx_init_uid_thread(0, 1, id, SHMEM_THREAD_SINGLE, level) == 0, 'init_uid')
    end subroutine

    subroutine check_strided()
        HANDLE(shmemx_handle_t) :: handle
        integer :: row(3), back(3), i
        row = [(100 * me + i, i = 1, 3)]
        call shmemx_putmem_strided(table(2, 1), row, [16_c_ptrdiff_t], [4_c_ptrdiff_t], [4_c_size_t, 3_c_size_t], 2, next)
        call shmemx_ctx_putmem_strided_nb(SHMEM_CTX_DEFAULT, table(4, 1), row, [16_c_ptrdiff_t], [4_c_ptrdiff_t], &
                                          [4_c_size_t, 3_c_size_t], 2, next, handle)
        call shmemx_wait(handle)
        call check(handle == SHMEMX_HANDLE_COMPLETE, 'a handle that was waited for')
        call shmem_barrier_all()
        call check(all(table(2, :) == [(100 * before + i, i = 1, 3)]), 'putmem_strided')
        call check(all(table(4, :) == table(2, :)) .and. all(table([1, 3], :) == 0), 'putmem_strided_nb')
        call shmemx_getmem_strided_nb(back, table(2, 1), [4_c_ptrdiff_t], [16_c_ptrdiff_t], [4_c_size_t, 3_c_size_t], &
                                      2, next)
        call shmem_quiet()
        call check(all(back == row), 'getmem_strided_nb without a handle')
        call shmem_barrier_all()
    end subroutine

    subroutine check_vectors()
        HANDLE(shmemx_handle_t) :: handle
        type(c_ptr), target :: dests(2), sources(2)
        type(shmemx_vector_t) :: vectors(1)
        integer, target :: words(2)
        integer, pointer :: places(:)
        type(c_ptr) :: memory
        memory = shmem_malloc(40)
        call c_f_pointer(memory, places, [10])
        places = 0
        words = [me + 1, me + 2]
        dests = [c_loc(places(3)), c_loc(places(9))]
        sources = [c_loc(words(1)), c_loc(words(2))]
        vectors(1) = shmemx_vector_t(c_loc(dests), c_loc(sources), 2, 4)
        call shmem_barrier_all()
        call shmemx_putmem_vector_nb(vectors, 1, next, handle)
        do while (shmemx_test(handle) == 0)
        end do
        call shmem_barrier_all()
        call check(all(places == [0, 0, before + 1, 0, 0, 0, 0, 0, before + 2, 0]), 'putmem_vector_nb')
        call shmem_barrier_all()
        call shmemx_accumulate_vector(vectors, 1, 3, next)
        call shmem_barrier_all()
        call check(all(places([3, 9]) == [4 * (before + 1), 4 * (before + 2)]), 'accumulate_vector')
        call shmem_free(memory)
    end subroutine

    subroutine check_accumulate()
        HANDLE(shmemx_handle_t) :: handle
        integer :: i
        call shmemx_accumulate(numbers, [(me + i, i = 1, 3)], 2, 3, next)
        call shmemx_accumulate(long_numbers, [(int(me + i, 8), i = 1, 3)], -1_8, 3_c_size_t, next)
        call shmemx_ctx_accumulate(SHMEM_CTX_DEFAULT, singles, [(real(me), i = 1, 3)], 0.5, 3, next)
        call shmemx_accumulate_nb(small_complex, [(cmplx(me, 1), i = 1, 3)], (0., 1.), 3, next, handle)
        call shmemx_wait(handle)
        call shmemx_accumulate_nb(large_complex, [(cmplx(1, me, 8), i = 1, 3)], (2d0, 0d0), 3, next)
        call shmemx_accumulate_strided(doubles(2, 1), [(me + 1d0, i = 1, 3)], 4d0, [16_c_ptrdiff_t], [8_c_ptrdiff_t], &
                                       [8_c_size_t, 3_c_size_t], 2, next)
        call shmem_barrier_all()
        call check(all(numbers == [(1 + 2 * (before + i), i = 1, 3)]), 'accumulate of integers')
        call check(all(long_numbers == [(1 - before - i, i = 1, 3)]), 'accumulate of integer(8)')
        call check(all(singles == 1 + 0.5 * before), 'accumulate of reals')
        call check(all(small_complex == 1 + (0., 1.) * cmplx(before, 1)), 'accumulate of complex')
        call check(all(large_complex == 1 + 2 * cmplx(1, before, 8)), 'accumulate of complex(8)')
        call check(all(doubles(1, :) == 1) .and. all(doubles(2, :) == 1 + 4 * (before + 1d0)), 'accumulate_strided')
    end subroutine

    subroutine check_atomics()
        character(len=SHMEM_MAX_NAME_LEN) :: channel
        call check(shmemx_atomics_declare('add64,fetch   ') == 0, 'atomics_declare')
        call check(shmemx_provider('add', 8, counter, next, channel) == SHMEMX_PROVIDER_PROCESSOR, 'provider')
        call check(channel == 'mapped memory', 'channel')
        call check(shmemx_provider('fetch', 8_c_size_t, pe=next, name=channel) == SHMEMX_PROVIDER_PROCESSOR, 'of any object')
        call check(shmemx_provider_ns('add', 8, counter, next) > 0, 'provider_ns')
    end subroutine

    subroutine check_counters()
        HANDLE(shmem_ctx_t) :: ctx
        integer(8) :: written
        type(shmemx_pcntr_t) :: all_of
        call check(shmem_ctx_create(0_c_long, ctx) == 0, 'ctx_create')
        call shmem_ctx_p(ctx, counter, 5_8, next)
        call shmem_ctx_p(ctx, counter, 6_8, next)
        call shmemx_pcntr_get_issued_write(ctx, written)
        call check(written == 2, 'issued_write')
        call shmemx_pcntr_get_all(ctx, all_of)
        call check(all_of%completed_put == 2 .and. all_of%pending_get == 0, 'pcntr_get_all')
        call shmem_ctx_destroy(ctx)
        call shmem_barrier_all()
    end subroutine

    subroutine check_spaces()
        HANDLE(shmemx_space_t) :: space
        type(c_ptr) :: memory
        real(8), pointer :: field(:, :)
        call check(shmemx_space_create(SHMEM_TEAM_WORLD, 'default  ', 65536, space) == 0, 'space_create')
        call check(space /= SHMEMX_SPACE_INVALID, 'the space')
        memory = shmemx_space_calloc(space, 12, 8)
        call c_f_pointer(memory, field, [4, 3])
        call shmem_put(field(:, 2), [1d0 * me, 2d0 * me, 3d0 * me, 4d0], 4, next)
        call shmem_barrier_all()
        call check(all(field(:, 2) == [1d0 * before, 2d0 * before, 3d0 * before, 4d0]), 'a put into a space')
        call check(all(field(:, [1, 3]) == 0), 'zeros of a space')
        call shmemx_space_free(space, memory)
        call shmemx_space_destroy(space)
    end subroutine

    subroutine check_events()
        call shmemx_event_begin('a phase')
        call shmemx_event_counter('residual', 0.5d0)
        call shmemx_event_end('a phase')
        call shmemx_call_line('a_script', 12)
    end subroutine
end program
