! SPDX-License-Identifier: BSD-3-Clause
!
! Printed by scripts/print-fortran from src/api: change it there.
!
! The same as the module shmem with teams and contexts of types of their own, which the
! compiler tells apart; a context may come first in the names without ctx, as in C11.
module shmem_f08
    use, intrinsic :: iso_c_binding
    use shmem, only: SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION, SHMEM_MAX_NAME_LEN, &
        SHMEM_VENDOR_STRING, SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, &
        SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE, SHMEM_TEAM_NUM_CONTEXTS, &
        SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE, &
        SHMEM_CTX_SESSION_TOTAL_OPS, SHMEM_CTX_SESSION_BATCH, SHMEM_MALLOC_ATOMICS_REMOTE, &
        SHMEM_MALLOC_SIGNAL_REMOTE, SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD, SHMEM_CMP_EQ, &
        SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE, &
        SHMEM_SYNC_VALUE, SHMEM_SYNC_SIZE, SHMEM_BARRIER_SYNC_SIZE, SHMEM_BCAST_SYNC_SIZE, &
        SHMEM_REDUCE_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE, SHMEM_ALLTOALL_SYNC_SIZE, &
        SHMEM_ALLTOALLS_SYNC_SIZE, SHMEM_REDUCE_MIN_WRKDATA_SIZE, SHMEMX_EXTERNAL_HEAP_ZE, &
        SHMEMX_EXTERNAL_HEAP_CUDA, SHMEMX_CTX_BATCH, SHMEMX_MAX_DIMS, SHMEMX_ATOMIC_NONE, &
        SHMEMX_ATOMIC_PROCESSOR, SHMEMX_ATOMIC_MESSAGE, SHMEMX_ATOMIC_NATIVE, &
        SHMEMX_ATOMIC_BUILT, shmem_team_config_t, shmem_ctx_session_config_t, &
        shmemx_pcntr_t, shmemx_vector_t, shmem_init, shmem_finalize, &
        shmem_query_initialized, shmem_global_exit, shmem_my_pe, shmem_n_pes, &
        shmem_pe_accessible, shmem_addr_accessible, shmem_ptr, shmem_info_get_version, &
        shmem_info_get_name, shmem_pcontrol, shmem_init_thread, shmem_query_thread, &
        shmem_malloc, shmem_free, shmem_realloc, shmem_align, shmem_malloc_with_hints, &
        shmem_calloc, shmem_put, shmem_put32, shmem_put64, shmem_put128, shmem_putmem, &
        shmem_p, shmem_get, shmem_get32, shmem_get64, shmem_get128, shmem_getmem, shmem_g, &
        shmem_iput, shmem_iput32, shmem_iput64, shmem_iput128, shmem_iget, shmem_iget32, &
        shmem_iget64, shmem_iget128, shmem_ibput, shmem_ibput32, shmem_ibput64, &
        shmem_ibput128, shmem_ibget, shmem_ibget32, shmem_ibget64, shmem_ibget128, &
        shmem_put_nbi, shmem_put32_nbi, shmem_put64_nbi, shmem_put128_nbi, shmem_putmem_nbi, &
        shmem_get_nbi, shmem_get32_nbi, shmem_get64_nbi, shmem_get128_nbi, shmem_getmem_nbi, &
        shmem_atomic_fetch, shmem_atomic_set, shmem_atomic_compare_swap, shmem_atomic_swap, &
        shmem_atomic_fetch_inc, shmem_atomic_inc, shmem_atomic_fetch_add, shmem_atomic_add, &
        shmem_atomic_fetch_and, shmem_atomic_and, shmem_atomic_fetch_or, shmem_atomic_or, &
        shmem_atomic_fetch_xor, shmem_atomic_xor, shmem_atomic_fetch_nbi, &
        shmem_atomic_compare_swap_nbi, shmem_atomic_swap_nbi, shmem_atomic_fetch_inc_nbi, &
        shmem_atomic_fetch_add_nbi, shmem_atomic_fetch_and_nbi, shmem_atomic_fetch_or_nbi, &
        shmem_atomic_fetch_xor_nbi, shmem_put_signal, shmem_put32_signal, &
        shmem_put64_signal, shmem_put128_signal, shmem_putmem_signal, shmem_put_signal_nbi, &
        shmem_put32_signal_nbi, shmem_put64_signal_nbi, shmem_put128_signal_nbi, &
        shmem_putmem_signal_nbi, shmem_signal_fetch, shmem_barrier_all, shmem_sync_all, &
        shmem_wait_until, shmem_test, shmem_signal_wait_until, shmem_wait_until_all, &
        shmem_wait_until_any, shmem_wait_until_some, shmem_wait_until_all_vector, &
        shmem_wait_until_any_vector, shmem_wait_until_some_vector, shmem_test_all, &
        shmem_test_any, shmem_test_some, shmem_test_all_vector, shmem_test_any_vector, &
        shmem_test_some_vector, shmem_fence, shmem_quiet, shmem_pe_quiet, shmem_set_lock, &
        shmem_clear_lock, shmem_test_lock, shmemx_putmem_strided, shmemx_getmem_strided, &
        shmemx_putmem_vector, shmemx_getmem_vector, shmemx_accumulate, &
        shmemx_accumulate_strided, shmemx_atomics_declare, shmemx_atomic_provider, &
        shmemx_pcntr_get_completed_target, shmemx_heap_preinit, shmemx_heap_preinit_thread, &
        shmemx_heap_create, shmemx_heap_postinit, shmemx_event_begin, shmemx_event_end, &
        shmemx_event_counter
    implicit none
    public

    type, bind(C) :: shmem_team_t
        integer(c_intptr_t) :: handle = 0
    end type
    type, bind(C) :: shmem_ctx_t
        integer(c_intptr_t) :: handle = 0
    end type
    type, bind(C) :: shmemx_handle_t
        integer(c_intptr_t) :: handle = 0
    end type
    type, bind(C) :: shmemx_space_t
        integer(c_intptr_t) :: handle = 0
    end type

    type(shmem_team_t), parameter :: SHMEM_TEAM_INVALID = shmem_team_t(0)
    type(shmem_team_t), parameter :: SHMEM_TEAM_WORLD = shmem_team_t(1)
    type(shmem_team_t), parameter :: SHMEM_TEAM_SHARED = shmem_team_t(2)
    type(shmem_ctx_t), parameter :: SHMEM_CTX_INVALID = shmem_ctx_t(0)
    type(shmem_ctx_t), parameter :: SHMEM_CTX_DEFAULT = shmem_ctx_t(1)
    type(shmemx_handle_t), parameter :: SHMEMX_HANDLE_COMPLETE = shmemx_handle_t(0)
    type(shmem_team_t), parameter :: SHMEMX_TEAM_NODE = SHMEM_TEAM_SHARED
    type(shmemx_space_t), parameter :: SHMEMX_SPACE_INVALID = shmemx_space_t(0)

    interface operator(==)
        module procedure shmem_team_is_same, shmem_ctx_is_same, shmemx_handle_is_same, &
                shmemx_space_is_same
    end interface
    interface operator(/=)
        module procedure shmem_team_is_other, shmem_ctx_is_other, shmemx_handle_is_other, &
                shmemx_space_is_other
    end interface

    ! Set-up, exit and queries
    interface shmem_team_ptr
        function shmem_team_ptr_c(team, dest, pe) result(answer) bind(C, &
                name="sheaf_fortran_team_ptr")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..), intent(in) :: dest
            integer(c_int), value :: pe
            type(c_ptr) :: answer
        end function
    end interface

    ! Teams
    interface
        function shmem_team_my_pe(team) result(answer) bind(C, name="shmem_team_my_pe")
            import
            type(shmem_team_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_n_pes(team) result(answer) bind(C, name="shmem_team_n_pes")
            import
            type(shmem_team_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_get_config(team, config_mask, config) result(answer) bind(C, &
                name="shmem_team_get_config")
            import
            type(shmem_team_t), value :: team
            integer(c_long), value :: config_mask
            type(shmem_team_config_t), intent(inout), optional :: config
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_translate_pe(src_team, src_pe, dest_team) result(answer) bind(C, &
                name="shmem_team_translate_pe")
            import
            type(shmem_team_t), value :: src_team
            integer(c_int), value :: src_pe
            type(shmem_team_t), value :: dest_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_split_strided(parent_team, start, stride, size, config, config_mask, &
                new_team) result(answer) bind(C, name="shmem_team_split_strided")
            import
            type(shmem_team_t), value :: parent_team
            integer(c_int), value :: start
            integer(c_int), value :: stride
            integer(c_int), value :: size
            type(shmem_team_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
            type(shmem_team_t), intent(out) :: new_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_split_2d(parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, &
                yaxis_config, yaxis_mask, yaxis_team) result(answer) bind(C, &
                name="shmem_team_split_2d")
            import
            type(shmem_team_t), value :: parent_team
            integer(c_int), value :: xrange
            type(shmem_team_config_t), intent(in), optional :: xaxis_config
            integer(c_long), value :: xaxis_mask
            type(shmem_team_t), intent(out) :: xaxis_team
            type(shmem_team_config_t), intent(in), optional :: yaxis_config
            integer(c_long), value :: yaxis_mask
            type(shmem_team_t), intent(out) :: yaxis_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_team_destroy(team) bind(C, name="shmem_team_destroy")
            import
            type(shmem_team_t), value :: team
        end subroutine
    end interface
    interface
        function shmemx_team_from_pes(parent_team, pes, npes, config, config_mask, &
                new_team) result(answer) bind(C, name="shmemx_team_from_pes")
            import
            type(shmem_team_t), value :: parent_team
            integer(c_int), intent(in) :: pes(*)
            integer(c_int), value :: npes
            type(shmem_team_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
            type(shmem_team_t), intent(out) :: new_team
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_team_exchange
        function shmemx_team_exchange_c(team, mine, bytes, all) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_team_exchange")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..), intent(in) :: mine
            integer(c_size_t), value :: bytes
            type(*), dimension(..) :: all
            integer(c_int) :: answer
        end function
        function shmemx_team_exchange_i(team, mine, bytes, all) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_team_exchange_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..), intent(in) :: mine
            integer(c_int), value :: bytes
            type(*), dimension(..) :: all
            integer(c_int) :: answer
        end function
    end interface

    ! Communication contexts and sessions
    interface
        function shmem_ctx_create(options, ctx) result(answer) bind(C, name="shmem_ctx_create")
            import
            integer(c_long), value :: options
            type(shmem_ctx_t), intent(out) :: ctx
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_create_ctx(team, options, ctx) result(answer) bind(C, &
                name="shmem_team_create_ctx")
            import
            type(shmem_team_t), value :: team
            integer(c_long), value :: options
            type(shmem_ctx_t), intent(out) :: ctx
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_ctx_destroy(ctx) bind(C, name="shmem_ctx_destroy")
            import
            type(shmem_ctx_t), value :: ctx
        end subroutine
    end interface
    interface
        function shmem_ctx_get_team(ctx, team) result(answer) bind(C, name="shmem_ctx_get_team")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmem_team_t), intent(out) :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_ctx_session_start(ctx, options, config, config_mask) bind(C, &
                name="shmem_ctx_session_start")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), value :: options
            type(shmem_ctx_session_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_session_stop(ctx) bind(C, name="shmem_ctx_session_stop")
            import
            type(shmem_ctx_t), value :: ctx
        end subroutine
    end interface

    ! Remote memory access
    interface shmem_ctx_put
        subroutine shmem_ctx_put_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put32
        subroutine shmem_ctx_put32_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put64
        subroutine shmem_ctx_put64_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put128
        subroutine shmem_ctx_put128_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_putmem
        subroutine shmem_ctx_putmem_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_p
        subroutine shmem_ctx_p_float(ctx, dest, value, pe) bind(C, name="shmem_ctx_float_p")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_double(ctx, dest, value, pe) bind(C, name="shmem_ctx_double_p")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_longdouble(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_longdouble_p")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_long_double), intent(inout) :: dest
            real(c_long_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_schar(ctx, dest, value, pe) bind(C, name="shmem_ctx_schar_p")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_signed_char), intent(inout) :: dest
            integer(c_signed_char), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_short(ctx, dest, value, pe) bind(C, name="shmem_ctx_short_p")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_short), intent(inout) :: dest
            integer(c_short), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_int(ctx, dest, value, pe) bind(C, name="shmem_ctx_int_p")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_long(ctx, dest, value, pe) bind(C, name="shmem_ctx_long_p")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get
        subroutine shmem_ctx_get_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get32
        subroutine shmem_ctx_get32_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get32_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get64
        subroutine shmem_ctx_get64_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get64_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get128
        subroutine shmem_ctx_get128_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get128_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_getmem
        subroutine shmem_ctx_getmem_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_getmem_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_g
        function shmem_ctx_g_float(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_float_g")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_g_double(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_double_g")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_g_longdouble(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_longdouble_g")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_long_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_long_double) :: answer
        end function
        function shmem_ctx_g_schar(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_schar_g")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_signed_char), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_signed_char) :: answer
        end function
        function shmem_ctx_g_short(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_short_g")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_short), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_short) :: answer
        end function
        function shmem_ctx_g_int(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_int_g")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_g_long(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_long_g")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface

    ! Strided remote memory access
    interface shmem_ctx_iput
        subroutine shmem_ctx_iput_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iput_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iput32
        subroutine shmem_ctx_iput32_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iput32_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iput64
        subroutine shmem_ctx_iput64_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iput64_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iput128
        subroutine shmem_ctx_iput128_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iput128_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iget
        subroutine shmem_ctx_iget_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iget_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iget32
        subroutine shmem_ctx_iget32_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iget32_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iget64
        subroutine shmem_ctx_iget64_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iget64_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iget128
        subroutine shmem_ctx_iget128_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_iget128_i(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iget128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibput
        subroutine shmem_ctx_ibput_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibput_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibput32
        subroutine shmem_ctx_ibput32_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibput32_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibput64
        subroutine shmem_ctx_ibput64_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibput64_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibput128
        subroutine shmem_ctx_ibput128_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibput128_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibget
        subroutine shmem_ctx_ibget_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibget_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibget32
        subroutine shmem_ctx_ibget32_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget32")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibget32_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget32_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibget64
        subroutine shmem_ctx_ibget64_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget64")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibget64_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget64_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibget128
        subroutine shmem_ctx_ibget128_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget128")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_ibget128_i(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibget128_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Nonblocking remote memory access
    interface shmem_ctx_put_nbi
        subroutine shmem_ctx_put_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put32_nbi
        subroutine shmem_ctx_put32_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put64_nbi
        subroutine shmem_ctx_put64_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put128_nbi
        subroutine shmem_ctx_put128_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_putmem_nbi
        subroutine shmem_ctx_putmem_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get_nbi
        subroutine shmem_ctx_get_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get32_nbi
        subroutine shmem_ctx_get32_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get32_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get64_nbi
        subroutine shmem_ctx_get64_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get64_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get128_nbi
        subroutine shmem_ctx_get128_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get128_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_getmem_nbi
        subroutine shmem_ctx_getmem_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_getmem_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Atomic memory operations
    interface shmem_ctx_atomic_fetch
        function shmem_ctx_atomic_fetch_float(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_float_atomic_fetch")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_atomic_fetch_double(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_double_atomic_fetch")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_atomic_fetch_int(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_long(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_set
        subroutine shmem_ctx_atomic_set_float(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_float_atomic_set")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_double(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_double_atomic_set")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_int(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_set")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_long(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_set")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_compare_swap
        function shmem_ctx_atomic_compare_swap_int(ctx, dest, cond, value, &
                pe) result(answer) bind(C, name="shmem_ctx_int_atomic_compare_swap")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_compare_swap_long(ctx, dest, cond, value, &
                pe) result(answer) bind(C, name="shmem_ctx_long_atomic_compare_swap")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_swap
        function shmem_ctx_atomic_swap_float(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_float_atomic_swap")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_atomic_swap_double(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_double_atomic_swap")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_atomic_swap_int(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_swap")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_swap_long(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_swap")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_inc
        function shmem_ctx_atomic_fetch_inc_int(ctx, dest, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch_inc")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_inc_long(ctx, dest, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch_inc")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_inc
        subroutine shmem_ctx_atomic_inc_int(ctx, dest, pe) bind(C, name="shmem_ctx_int_atomic_inc")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_inc_long(ctx, dest, pe) bind(C, &
                name="shmem_ctx_long_atomic_inc")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_add
        function shmem_ctx_atomic_fetch_add_int(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch_add")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_add_long(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch_add")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_add
        subroutine shmem_ctx_atomic_add_int(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_add")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_add_long(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_add")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_and
        function shmem_ctx_atomic_fetch_and_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_and")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_and_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_and")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_and
        subroutine shmem_ctx_atomic_and_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_and")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_and_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_and")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_or
        function shmem_ctx_atomic_fetch_or_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_or")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_or_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_or")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_or
        subroutine shmem_ctx_atomic_or_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_or")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_or_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_or")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_xor
        function shmem_ctx_atomic_fetch_xor_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_xor")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_xor_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_xor")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_xor
        subroutine shmem_ctx_atomic_xor_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_xor")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_xor_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_xor")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Nonblocking atomic memory operations
    interface shmem_ctx_atomic_fetch_nbi
        subroutine shmem_ctx_atomic_fetch_nbi_float(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_float_atomic_fetch_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_double(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_double_atomic_fetch_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_int(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_long(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_compare_swap_nbi
        subroutine shmem_ctx_atomic_compare_swap_nbi_int(ctx, fetch, dest, cond, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_compare_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_compare_swap_nbi_long(ctx, fetch, dest, cond, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_compare_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_swap_nbi
        subroutine shmem_ctx_atomic_swap_nbi_float(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_float_atomic_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(inout), asynchronous :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_double(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_double_atomic_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(inout), asynchronous :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_int(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_long(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_swap_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_inc_nbi
        subroutine shmem_ctx_atomic_fetch_inc_nbi_int(ctx, fetch, dest, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_inc_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_inc_nbi_long(ctx, fetch, dest, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_inc_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_add_nbi
        subroutine shmem_ctx_atomic_fetch_add_nbi_int(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_add_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_add_nbi_long(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_add_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_and_nbi
        subroutine shmem_ctx_atomic_fetch_and_nbi_int32(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_and_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_and_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_and_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_or_nbi
        subroutine shmem_ctx_atomic_fetch_or_nbi_int32(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_or_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_or_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_or_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_xor_nbi
        subroutine shmem_ctx_atomic_fetch_xor_nbi_int32(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_xor_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_xor_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_xor_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Signals
    interface shmem_ctx_put_signal
        subroutine shmem_ctx_put_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put_signal")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_signal_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put_signal_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put32_signal
        subroutine shmem_ctx_put32_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put32_signal")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_signal_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put32_signal_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put64_signal
        subroutine shmem_ctx_put64_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put64_signal")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_signal_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put64_signal_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put128_signal
        subroutine shmem_ctx_put128_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put128_signal")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_signal_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put128_signal_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_putmem_signal
        subroutine shmem_ctx_putmem_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_putmem_signal")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_signal_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_putmem_signal_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put_signal_nbi
        subroutine shmem_ctx_put_signal_nbi_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put_signal_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_signal_nbi_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put_signal_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put32_signal_nbi
        subroutine shmem_ctx_put32_signal_nbi_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put32_signal_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_signal_nbi_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put32_signal_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put64_signal_nbi
        subroutine shmem_ctx_put64_signal_nbi_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put64_signal_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_signal_nbi_i(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put64_signal_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put128_signal_nbi
        subroutine shmem_ctx_put128_signal_nbi_c(ctx, dest, source, nelems, sig_addr, signal, &
                sig_op, pe) bind(C, name="sheaf_fortran_ctx_put128_signal_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_signal_nbi_i(ctx, dest, source, nelems, sig_addr, signal, &
                sig_op, pe) bind(C, name="sheaf_fortran_ctx_put128_signal_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_putmem_signal_nbi
        subroutine shmem_ctx_putmem_signal_nbi_c(ctx, dest, source, nelems, sig_addr, signal, &
                sig_op, pe) bind(C, name="sheaf_fortran_ctx_putmem_signal_nbi")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_signal_nbi_i(ctx, dest, source, nelems, sig_addr, signal, &
                sig_op, pe) bind(C, name="sheaf_fortran_ctx_putmem_signal_nbi_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_signal_add(ctx, sig_addr, signal, pe) bind(C, &
                name="shmem_ctx_signal_add")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_signal_set(ctx, sig_addr, signal, pe) bind(C, &
                name="shmem_ctx_signal_set")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Collectives over teams
    interface
        function shmem_team_sync(team) result(answer) bind(C, name="shmem_team_sync")
            import
            type(shmem_team_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_alltoall
        function shmem_alltoall_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoall")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoall_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoall_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_alltoallmem
        function shmem_alltoallmem_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoallmem")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoallmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoallmem_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_alltoalls
        function shmem_alltoalls_c(team, dest, source, dst, sst, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoalls")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoalls_i(team, dest, source, dst, sst, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoalls_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_alltoallsmem
        function shmem_alltoallsmem_c(team, dest, source, dst, sst, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoallsmem")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoallsmem_i(team, dest, source, dst, sst, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoallsmem_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_broadcast
        function shmem_broadcast_c(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcast")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
        function shmem_broadcast_i(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcast_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_broadcastmem
        function shmem_broadcastmem_c(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcastmem")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
        function shmem_broadcastmem_i(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcastmem_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_collect
        function shmem_collect_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collect")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_collect_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collect_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_collectmem
        function shmem_collectmem_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collectmem")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_collectmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collectmem_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_fcollect
        function shmem_fcollect_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollect")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_fcollect_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollect_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_fcollectmem
        function shmem_fcollectmem_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollectmem")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_fcollectmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollectmem_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface

    ! Reductions and scans over teams
    interface shmem_and_reduce
        function shmem_and_reduce_c(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_and_reduce")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_and_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_and_reduce_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_or_reduce
        function shmem_or_reduce_c(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_or_reduce")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_or_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_or_reduce_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_xor_reduce
        function shmem_xor_reduce_c(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_xor_reduce")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_xor_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_xor_reduce_i")
            import
            type(shmem_team_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_max_reduce
        function shmem_max_reduce_float(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_min_reduce
        function shmem_min_reduce_float(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_sum_reduce
        function shmem_sum_reduce_float(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexf(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexf")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexf_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexf_i")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexd(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexd")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexd_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexd_i")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_prod_reduce
        function shmem_prod_reduce_float(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexf(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexf")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexf_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexf_i")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexd(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexd")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexd_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexd_i")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_sum_inscan
        function shmem_sum_inscan_float(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_float_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_double(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_double_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_longdouble(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_longdouble_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_schar(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_schar_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_short(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_short_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_int(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_int_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_long(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_long_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexf(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexf")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexf_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexf_i")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexd(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexd")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexd_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexd_i")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_sum_exscan
        function shmem_sum_exscan_float(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_float")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_float_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_float_i")
            import
            type(shmem_team_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_double(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_double")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_double_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_double_i")
            import
            type(shmem_team_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_longdouble(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_longdouble")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_longdouble_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_longdouble_i")
            import
            type(shmem_team_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_schar(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_schar")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_schar_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_schar_i")
            import
            type(shmem_team_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_short(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_short")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_short_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_short_i")
            import
            type(shmem_team_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_int(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_int")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_int_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_int_i")
            import
            type(shmem_team_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_long(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_long")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_long_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_long_i")
            import
            type(shmem_team_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexf(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexf")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexf_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexf_i")
            import
            type(shmem_team_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexd(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexd")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexd_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexd_i")
            import
            type(shmem_team_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface

    ! Memory ordering
    interface
        subroutine shmem_ctx_fence(ctx) bind(C, name="shmem_ctx_fence")
            import
            type(shmem_ctx_t), value :: ctx
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_quiet(ctx) bind(C, name="shmem_ctx_quiet")
            import
            type(shmem_ctx_t), value :: ctx
        end subroutine
    end interface
    interface shmem_ctx_pe_quiet
        subroutine shmem_ctx_pe_quiet(ctx, target_pes, npes) bind(C, name="shmem_ctx_pe_quiet")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_size_t), value :: npes
        end subroutine
        subroutine shmem_ctx_pe_quiet_i(ctx, target_pes, npes) bind(C, &
                name="sheaf_fortran_ctx_pe_quiet_i")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_int), value :: npes
        end subroutine
    end interface

    ! Noncontiguous remote memory access: extensions
    interface shmemx_ctx_putmem_strided
        subroutine shmemx_ctx_putmem_strided_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_ctx_putmem_strided")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_putmem_strided_nb
        subroutine shmemx_putmem_strided_nb_c(dest, source, dest_strides, source_strides, counts, &
                dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_putmem_strided_nb")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_putmem_strided_nb
        subroutine shmemx_ctx_putmem_strided_nb_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_ctx_putmem_strided_nb")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_strided
        subroutine shmemx_ctx_getmem_strided_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_ctx_getmem_strided")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_getmem_strided_nb
        subroutine shmemx_getmem_strided_nb_c(dest, source, dest_strides, source_strides, counts, &
                dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_getmem_strided_nb")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_strided_nb
        subroutine shmemx_ctx_getmem_strided_nb_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_ctx_getmem_strided_nb")
            import
            type(shmem_ctx_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_putmem_vector
        subroutine shmemx_ctx_putmem_vector(ctx, vectors, nvectors, pe) bind(C, &
                name="shmemx_ctx_putmem_vector")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_putmem_vector_i(ctx, vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_putmem_vector_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_putmem_vector_nb
        subroutine shmemx_putmem_vector_nb(vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_putmem_vector_nb")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_putmem_vector_nb_i(vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_putmem_vector_nb_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_putmem_vector_nb
        subroutine shmemx_ctx_putmem_vector_nb(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_ctx_putmem_vector_nb")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_putmem_vector_nb_i(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_putmem_vector_nb_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_vector
        subroutine shmemx_ctx_getmem_vector(ctx, vectors, nvectors, pe) bind(C, &
                name="shmemx_ctx_getmem_vector")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_getmem_vector_i(ctx, vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_getmem_vector_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_getmem_vector_nb
        subroutine shmemx_getmem_vector_nb(vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_getmem_vector_nb")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_getmem_vector_nb_i(vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_getmem_vector_nb_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_vector_nb
        subroutine shmemx_ctx_getmem_vector_nb(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_ctx_getmem_vector_nb")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_getmem_vector_nb_i(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_getmem_vector_nb_i")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface
        function shmemx_test(handle) result(answer) bind(C, name="shmemx_test")
            import
            type(shmemx_handle_t), intent(inout) :: handle
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmemx_wait(handle) bind(C, name="shmemx_wait")
            import
            type(shmemx_handle_t), intent(inout) :: handle
        end subroutine
    end interface

    ! Accumulate: extensions
    interface shmemx_ctx_accumulate
        subroutine shmemx_ctx_accumulate_int(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_int")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_int_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_int_i")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_long(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_long")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_long_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_long_i")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_float(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_float")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_float_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_float_i")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_double(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_double")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_double_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_double_i")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexf(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexf")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexf_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexf_i")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexd(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexd")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexd_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexd_i")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_accumulate_nb
        subroutine shmemx_accumulate_nb_int(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_int")
            import
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_int_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_int_i")
            import
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_long(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_long")
            import
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_long_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_long_i")
            import
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_float(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_float")
            import
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_float_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_float_i")
            import
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_double(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_double")
            import
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_double_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_double_i")
            import
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexf(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexf")
            import
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexf_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexf_i")
            import
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexd(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexd")
            import
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexd_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexd_i")
            import
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_accumulate_nb
        subroutine shmemx_ctx_accumulate_nb_int(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_int")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_int_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_int_i")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_long(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_long")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_long_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_long_i")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_float(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_float")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_float_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_float_i")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_double(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_double")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_double_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_double_i")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexf(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexf")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexf_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexf_i")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexd(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexd")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexd_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexd_i")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_accumulate_strided
        subroutine shmemx_ctx_accumulate_strided_int(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_int")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_long(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_long")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_float(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_float")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_double(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_double")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_complexf(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_complexf")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_complexd(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_complexd")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_accumulate_strided_nb
        subroutine shmemx_accumulate_strided_nb_int(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_int")
            import
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_strided_nb_long(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_long")
            import
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_strided_nb_float(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_float")
            import
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_strided_nb_double(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_double")
            import
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_strided_nb_complexf(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_complexf")
            import
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_strided_nb_complexd(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_nb_complexd")
            import
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_accumulate_strided_nb
        subroutine shmemx_ctx_accumulate_strided_nb_int(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_int")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_long(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_long")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_float(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_float")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_double(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_double")
            import
            type(shmem_ctx_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_complexf(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_complexf")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_complexd(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_complexd")
            import
            type(shmem_ctx_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            type(shmemx_handle_t), intent(inout), optional :: handle
        end subroutine
    end interface

    ! Providers of atomic operations: extensions
    interface shmemx_ctx_atomic_provider
        function shmemx_ctx_atomic_provider_c(ctx, operation, bytes, object, &
                pe) result(answer) bind(C, name="sheaf_fortran_shmemx_ctx_atomic_provider")
            import
            type(shmem_ctx_t), value :: ctx
            character(kind=c_char, len=*), intent(in) :: operation
            integer(c_size_t), value :: bytes
            type(*), dimension(..), intent(in), optional :: object
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmemx_ctx_atomic_provider_i(ctx, operation, bytes, object, &
                pe) result(answer) bind(C, name="sheaf_fortran_shmemx_ctx_atomic_provider_i")
            import
            type(shmem_ctx_t), value :: ctx
            character(kind=c_char, len=*), intent(in) :: operation
            integer(c_int), value :: bytes
            type(*), dimension(..), intent(in), optional :: object
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
    end interface

    ! Counters: extensions
    interface
        subroutine shmemx_pcntr_get_issued_write(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_issued_write")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_issued_read(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_issued_read")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_completed_write(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_completed_write")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_completed_read(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_completed_read")
            import
            type(shmem_ctx_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_all(ctx, pcntr) bind(C, name="shmemx_pcntr_get_all")
            import
            type(shmem_ctx_t), value :: ctx
            type(shmemx_pcntr_t), intent(out) :: pcntr
        end subroutine
    end interface

    ! Memory spaces: extensions
    interface shmemx_space_create
        function shmemx_space_create_c(team, kind, size, space) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_create")
            import
            type(shmem_team_t), value :: team
            character(kind=c_char, len=*), intent(in) :: kind
            integer(c_size_t), value :: size
            type(shmemx_space_t), intent(out) :: space
            integer(c_int) :: answer
        end function
        function shmemx_space_create_i(team, kind, size, space) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_create_i")
            import
            type(shmem_team_t), value :: team
            character(kind=c_char, len=*), intent(in) :: kind
            integer(c_int), value :: size
            type(shmemx_space_t), intent(out) :: space
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmemx_space_destroy(space) bind(C, name="shmemx_space_destroy")
            import
            type(shmemx_space_t), value :: space
        end subroutine
    end interface
    interface shmemx_space_malloc
        function shmemx_space_malloc(space, size) result(answer) bind(C, name="shmemx_space_malloc")
            import
            type(shmemx_space_t), value :: space
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_malloc_i(space, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_malloc_i")
            import
            type(shmemx_space_t), value :: space
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmemx_space_calloc
        function shmemx_space_calloc(space, count, size) result(answer) bind(C, &
                name="shmemx_space_calloc")
            import
            type(shmemx_space_t), value :: space
            integer(c_size_t), value :: count
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_calloc_i(space, count, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_calloc_i")
            import
            type(shmemx_space_t), value :: space
            integer(c_int), value :: count
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmemx_space_align
        function shmemx_space_align(space, alignment, size) result(answer) bind(C, &
                name="shmemx_space_align")
            import
            type(shmemx_space_t), value :: space
            integer(c_size_t), value :: alignment
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_align_i(space, alignment, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_align_i")
            import
            type(shmemx_space_t), value :: space
            integer(c_int), value :: alignment
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface
        subroutine shmemx_space_free(space, ptr) bind(C, name="shmemx_space_free")
            import
            type(shmemx_space_t), value :: space
            type(c_ptr), value :: ptr
        end subroutine
    end interface

    ! Snapshots: extensions
    interface shmemx_snapshot
        function shmemx_snapshot_c(team, dir, tag) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_snapshot")
            import
            type(shmem_team_t), value :: team
            character(kind=c_char, len=*), intent(in), optional :: dir
            character(kind=c_char, len=*), intent(in) :: tag
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_restore
        function shmemx_restore_c(team, dir, tag) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_restore")
            import
            type(shmem_team_t), value :: team
            character(kind=c_char, len=*), intent(in), optional :: dir
            character(kind=c_char, len=*), intent(in), optional :: tag
            integer(c_int) :: answer
        end function
    end interface

    ! With a context first, as in C11.
    interface shmem_put
        procedure shmem_ctx_put_c, shmem_ctx_put_i
    end interface
    interface shmem_put32
        procedure shmem_ctx_put32_c, shmem_ctx_put32_i
    end interface
    interface shmem_put64
        procedure shmem_ctx_put64_c, shmem_ctx_put64_i
    end interface
    interface shmem_put128
        procedure shmem_ctx_put128_c, shmem_ctx_put128_i
    end interface
    interface shmem_putmem
        procedure shmem_ctx_putmem_c, shmem_ctx_putmem_i
    end interface
    interface shmem_p
        procedure shmem_ctx_p_float, shmem_ctx_p_double, shmem_ctx_p_longdouble, shmem_ctx_p_schar, &
                shmem_ctx_p_short, shmem_ctx_p_int, shmem_ctx_p_long
    end interface
    interface shmem_get
        procedure shmem_ctx_get_c, shmem_ctx_get_i
    end interface
    interface shmem_get32
        procedure shmem_ctx_get32_c, shmem_ctx_get32_i
    end interface
    interface shmem_get64
        procedure shmem_ctx_get64_c, shmem_ctx_get64_i
    end interface
    interface shmem_get128
        procedure shmem_ctx_get128_c, shmem_ctx_get128_i
    end interface
    interface shmem_getmem
        procedure shmem_ctx_getmem_c, shmem_ctx_getmem_i
    end interface
    interface shmem_g
        procedure shmem_ctx_g_float, shmem_ctx_g_double, shmem_ctx_g_longdouble, shmem_ctx_g_schar, &
                shmem_ctx_g_short, shmem_ctx_g_int, shmem_ctx_g_long
    end interface
    interface shmem_iput
        procedure shmem_ctx_iput_c, shmem_ctx_iput_i
    end interface
    interface shmem_iput32
        procedure shmem_ctx_iput32_c, shmem_ctx_iput32_i
    end interface
    interface shmem_iput64
        procedure shmem_ctx_iput64_c, shmem_ctx_iput64_i
    end interface
    interface shmem_iput128
        procedure shmem_ctx_iput128_c, shmem_ctx_iput128_i
    end interface
    interface shmem_iget
        procedure shmem_ctx_iget_c, shmem_ctx_iget_i
    end interface
    interface shmem_iget32
        procedure shmem_ctx_iget32_c, shmem_ctx_iget32_i
    end interface
    interface shmem_iget64
        procedure shmem_ctx_iget64_c, shmem_ctx_iget64_i
    end interface
    interface shmem_iget128
        procedure shmem_ctx_iget128_c, shmem_ctx_iget128_i
    end interface
    interface shmem_ibput
        procedure shmem_ctx_ibput_c, shmem_ctx_ibput_i
    end interface
    interface shmem_ibput32
        procedure shmem_ctx_ibput32_c, shmem_ctx_ibput32_i
    end interface
    interface shmem_ibput64
        procedure shmem_ctx_ibput64_c, shmem_ctx_ibput64_i
    end interface
    interface shmem_ibput128
        procedure shmem_ctx_ibput128_c, shmem_ctx_ibput128_i
    end interface
    interface shmem_ibget
        procedure shmem_ctx_ibget_c, shmem_ctx_ibget_i
    end interface
    interface shmem_ibget32
        procedure shmem_ctx_ibget32_c, shmem_ctx_ibget32_i
    end interface
    interface shmem_ibget64
        procedure shmem_ctx_ibget64_c, shmem_ctx_ibget64_i
    end interface
    interface shmem_ibget128
        procedure shmem_ctx_ibget128_c, shmem_ctx_ibget128_i
    end interface
    interface shmem_put_nbi
        procedure shmem_ctx_put_nbi_c, shmem_ctx_put_nbi_i
    end interface
    interface shmem_put32_nbi
        procedure shmem_ctx_put32_nbi_c, shmem_ctx_put32_nbi_i
    end interface
    interface shmem_put64_nbi
        procedure shmem_ctx_put64_nbi_c, shmem_ctx_put64_nbi_i
    end interface
    interface shmem_put128_nbi
        procedure shmem_ctx_put128_nbi_c, shmem_ctx_put128_nbi_i
    end interface
    interface shmem_putmem_nbi
        procedure shmem_ctx_putmem_nbi_c, shmem_ctx_putmem_nbi_i
    end interface
    interface shmem_get_nbi
        procedure shmem_ctx_get_nbi_c, shmem_ctx_get_nbi_i
    end interface
    interface shmem_get32_nbi
        procedure shmem_ctx_get32_nbi_c, shmem_ctx_get32_nbi_i
    end interface
    interface shmem_get64_nbi
        procedure shmem_ctx_get64_nbi_c, shmem_ctx_get64_nbi_i
    end interface
    interface shmem_get128_nbi
        procedure shmem_ctx_get128_nbi_c, shmem_ctx_get128_nbi_i
    end interface
    interface shmem_getmem_nbi
        procedure shmem_ctx_getmem_nbi_c, shmem_ctx_getmem_nbi_i
    end interface
    interface shmem_atomic_fetch
        procedure shmem_ctx_atomic_fetch_float, shmem_ctx_atomic_fetch_double, &
                shmem_ctx_atomic_fetch_int, shmem_ctx_atomic_fetch_long
    end interface
    interface shmem_atomic_set
        procedure shmem_ctx_atomic_set_float, shmem_ctx_atomic_set_double, shmem_ctx_atomic_set_int, &
                shmem_ctx_atomic_set_long
    end interface
    interface shmem_atomic_compare_swap
        procedure shmem_ctx_atomic_compare_swap_int, shmem_ctx_atomic_compare_swap_long
    end interface
    interface shmem_atomic_swap
        procedure shmem_ctx_atomic_swap_float, shmem_ctx_atomic_swap_double, &
                shmem_ctx_atomic_swap_int, shmem_ctx_atomic_swap_long
    end interface
    interface shmem_atomic_fetch_inc
        procedure shmem_ctx_atomic_fetch_inc_int, shmem_ctx_atomic_fetch_inc_long
    end interface
    interface shmem_atomic_inc
        procedure shmem_ctx_atomic_inc_int, shmem_ctx_atomic_inc_long
    end interface
    interface shmem_atomic_fetch_add
        procedure shmem_ctx_atomic_fetch_add_int, shmem_ctx_atomic_fetch_add_long
    end interface
    interface shmem_atomic_add
        procedure shmem_ctx_atomic_add_int, shmem_ctx_atomic_add_long
    end interface
    interface shmem_atomic_fetch_and
        procedure shmem_ctx_atomic_fetch_and_int32, shmem_ctx_atomic_fetch_and_int64
    end interface
    interface shmem_atomic_and
        procedure shmem_ctx_atomic_and_int32, shmem_ctx_atomic_and_int64
    end interface
    interface shmem_atomic_fetch_or
        procedure shmem_ctx_atomic_fetch_or_int32, shmem_ctx_atomic_fetch_or_int64
    end interface
    interface shmem_atomic_or
        procedure shmem_ctx_atomic_or_int32, shmem_ctx_atomic_or_int64
    end interface
    interface shmem_atomic_fetch_xor
        procedure shmem_ctx_atomic_fetch_xor_int32, shmem_ctx_atomic_fetch_xor_int64
    end interface
    interface shmem_atomic_xor
        procedure shmem_ctx_atomic_xor_int32, shmem_ctx_atomic_xor_int64
    end interface
    interface shmem_atomic_fetch_nbi
        procedure shmem_ctx_atomic_fetch_nbi_float, shmem_ctx_atomic_fetch_nbi_double, &
                shmem_ctx_atomic_fetch_nbi_int, shmem_ctx_atomic_fetch_nbi_long
    end interface
    interface shmem_atomic_compare_swap_nbi
        procedure shmem_ctx_atomic_compare_swap_nbi_int, shmem_ctx_atomic_compare_swap_nbi_long
    end interface
    interface shmem_atomic_swap_nbi
        procedure shmem_ctx_atomic_swap_nbi_float, shmem_ctx_atomic_swap_nbi_double, &
                shmem_ctx_atomic_swap_nbi_int, shmem_ctx_atomic_swap_nbi_long
    end interface
    interface shmem_atomic_fetch_inc_nbi
        procedure shmem_ctx_atomic_fetch_inc_nbi_int, shmem_ctx_atomic_fetch_inc_nbi_long
    end interface
    interface shmem_atomic_fetch_add_nbi
        procedure shmem_ctx_atomic_fetch_add_nbi_int, shmem_ctx_atomic_fetch_add_nbi_long
    end interface
    interface shmem_atomic_fetch_and_nbi
        procedure shmem_ctx_atomic_fetch_and_nbi_int32, shmem_ctx_atomic_fetch_and_nbi_int64
    end interface
    interface shmem_atomic_fetch_or_nbi
        procedure shmem_ctx_atomic_fetch_or_nbi_int32, shmem_ctx_atomic_fetch_or_nbi_int64
    end interface
    interface shmem_atomic_fetch_xor_nbi
        procedure shmem_ctx_atomic_fetch_xor_nbi_int32, shmem_ctx_atomic_fetch_xor_nbi_int64
    end interface
    interface shmem_put_signal
        procedure shmem_ctx_put_signal_c, shmem_ctx_put_signal_i
    end interface
    interface shmem_put32_signal
        procedure shmem_ctx_put32_signal_c, shmem_ctx_put32_signal_i
    end interface
    interface shmem_put64_signal
        procedure shmem_ctx_put64_signal_c, shmem_ctx_put64_signal_i
    end interface
    interface shmem_put128_signal
        procedure shmem_ctx_put128_signal_c, shmem_ctx_put128_signal_i
    end interface
    interface shmem_putmem_signal
        procedure shmem_ctx_putmem_signal_c, shmem_ctx_putmem_signal_i
    end interface
    interface shmem_put_signal_nbi
        procedure shmem_ctx_put_signal_nbi_c, shmem_ctx_put_signal_nbi_i
    end interface
    interface shmem_put32_signal_nbi
        procedure shmem_ctx_put32_signal_nbi_c, shmem_ctx_put32_signal_nbi_i
    end interface
    interface shmem_put64_signal_nbi
        procedure shmem_ctx_put64_signal_nbi_c, shmem_ctx_put64_signal_nbi_i
    end interface
    interface shmem_put128_signal_nbi
        procedure shmem_ctx_put128_signal_nbi_c, shmem_ctx_put128_signal_nbi_i
    end interface
    interface shmem_putmem_signal_nbi
        procedure shmem_ctx_putmem_signal_nbi_c, shmem_ctx_putmem_signal_nbi_i
    end interface
    interface shmem_pe_quiet
        procedure shmem_ctx_pe_quiet, shmem_ctx_pe_quiet_i
    end interface
contains

    elemental logical function shmem_team_is_same(a, b)
        type(shmem_team_t), intent(in) :: a, b
        shmem_team_is_same = a%handle == b%handle
    end function

    elemental logical function shmem_ctx_is_same(a, b)
        type(shmem_ctx_t), intent(in) :: a, b
        shmem_ctx_is_same = a%handle == b%handle
    end function

    elemental logical function shmemx_handle_is_same(a, b)
        type(shmemx_handle_t), intent(in) :: a, b
        shmemx_handle_is_same = a%handle == b%handle
    end function

    elemental logical function shmemx_space_is_same(a, b)
        type(shmemx_space_t), intent(in) :: a, b
        shmemx_space_is_same = a%handle == b%handle
    end function

    elemental logical function shmem_team_is_other(a, b)
        type(shmem_team_t), intent(in) :: a, b
        shmem_team_is_other = a%handle /= b%handle
    end function

    elemental logical function shmem_ctx_is_other(a, b)
        type(shmem_ctx_t), intent(in) :: a, b
        shmem_ctx_is_other = a%handle /= b%handle
    end function

    elemental logical function shmemx_handle_is_other(a, b)
        type(shmemx_handle_t), intent(in) :: a, b
        shmemx_handle_is_other = a%handle /= b%handle
    end function

    elemental logical function shmemx_space_is_other(a, b)
        type(shmemx_space_t), intent(in) :: a, b
        shmemx_space_is_other = a%handle /= b%handle
    end function
end module shmem_f08
