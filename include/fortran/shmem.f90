! SPDX-License-Identifier: BSD-3-Clause
!
! Printed by scripts/print-fortran from src/api: change it there.
!
! OpenSHMEM 1.6 for Fortran, and Sheaf's extensions: teams and contexts are integers.
! docs/fortran.md is the newcomer's page; shmem.h and shmemx.h say what each routine does. Indices that
! routines return count from 1, and are 0 where C has none.
module shmem
    use, intrinsic :: iso_c_binding
    implicit none
    public

    type, bind(C) :: shmem_team_config_t
        integer(c_int) :: num_contexts = 0
    end type
    type, bind(C) :: shmem_ctx_session_config_t
        integer(c_size_t) :: total_ops = 0
    end type
    type, bind(C) :: shmemx_pcntr_t
        integer(c_int64_t) :: pending_put = 0
        integer(c_int64_t) :: pending_get = 0
        integer(c_int64_t) :: completed_put = 0
        integer(c_int64_t) :: completed_get = 0
        integer(c_int64_t) :: target = 0
    end type
    type, bind(C) :: shmemx_vector_t
        type(c_ptr) :: dests = c_null_ptr
        type(c_ptr) :: sources = c_null_ptr
        integer(c_size_t) :: count = 0
        integer(c_size_t) :: bytes = 0
    end type

    integer(c_int), parameter :: SHMEM_MAJOR_VERSION = 1
    integer(c_int), parameter :: SHMEM_MINOR_VERSION = 6
    integer(c_int), parameter :: SHMEM_MAX_NAME_LEN = 256
    character(len=*), parameter :: SHMEM_VENDOR_STRING = "Sheaf 0.1.0"
    integer(c_int), parameter :: SHMEM_THREAD_SINGLE = 0
    integer(c_int), parameter :: SHMEM_THREAD_FUNNELED = 1
    integer(c_int), parameter :: SHMEM_THREAD_SERIALIZED = 2
    integer(c_int), parameter :: SHMEM_THREAD_MULTIPLE = 3
    integer(c_intptr_t), parameter :: SHMEM_TEAM_INVALID = 0
    integer(c_intptr_t), parameter :: SHMEM_TEAM_WORLD = 1
    integer(c_intptr_t), parameter :: SHMEM_TEAM_SHARED = 2
    integer(c_intptr_t), parameter :: SHMEM_CTX_INVALID = 0
    integer(c_intptr_t), parameter :: SHMEM_CTX_DEFAULT = 1
    integer(c_long), parameter :: SHMEM_TEAM_NUM_CONTEXTS = 1
    integer(c_long), parameter :: SHMEM_CTX_PRIVATE = 1
    integer(c_long), parameter :: SHMEM_CTX_SERIALIZED = 2
    integer(c_long), parameter :: SHMEM_CTX_NOSTORE = 4
    integer(c_long), parameter :: SHMEM_CTX_SESSION_TOTAL_OPS = 1
    integer(c_long), parameter :: SHMEM_CTX_SESSION_BATCH = 1
    integer(c_long), parameter :: SHMEM_MALLOC_ATOMICS_REMOTE = 1
    integer(c_long), parameter :: SHMEM_MALLOC_SIGNAL_REMOTE = 2
    integer(c_int), parameter :: SHMEM_SIGNAL_SET = 1
    integer(c_int), parameter :: SHMEM_SIGNAL_ADD = 2
    integer(c_int), parameter :: SHMEM_CMP_EQ = 0
    integer(c_int), parameter :: SHMEM_CMP_NE = 1
    integer(c_int), parameter :: SHMEM_CMP_GT = 2
    integer(c_int), parameter :: SHMEM_CMP_LE = 3
    integer(c_int), parameter :: SHMEM_CMP_LT = 4
    integer(c_int), parameter :: SHMEM_CMP_GE = 5
    integer(c_long), parameter :: SHMEM_SYNC_VALUE = 0
    integer(c_int), parameter :: SHMEM_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_BARRIER_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_BCAST_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_REDUCE_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_COLLECT_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_ALLTOALL_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_ALLTOALLS_SYNC_SIZE = 8
    integer(c_int), parameter :: SHMEM_REDUCE_MIN_WRKDATA_SIZE = 8
    integer(c_intptr_t), parameter :: SHMEMX_HANDLE_COMPLETE = 0
    integer(c_intptr_t), parameter :: SHMEMX_TEAM_NODE = SHMEM_TEAM_SHARED
    integer(c_int), parameter :: SHMEMX_EXTERNAL_HEAP_ZE = 0
    integer(c_int), parameter :: SHMEMX_EXTERNAL_HEAP_CUDA = 1
    integer(c_long), parameter :: SHMEMX_CTX_BATCH = 65536
    integer(c_int), parameter :: SHMEMX_MAX_DIMS = 7
    integer(c_int), parameter :: SHMEMX_ATOMIC_NONE = 0
    integer(c_int), parameter :: SHMEMX_ATOMIC_PROCESSOR = 1
    integer(c_int), parameter :: SHMEMX_ATOMIC_MESSAGE = 2
    integer(c_int), parameter :: SHMEMX_ATOMIC_NATIVE = 3
    integer(c_int), parameter :: SHMEMX_ATOMIC_BUILT = 4
    integer(c_intptr_t), parameter :: SHMEMX_SPACE_INVALID = 0

    ! Set-up, exit and queries
    interface
        subroutine shmem_init() bind(C, name="shmem_init")
            import
        end subroutine
    end interface
    interface
        subroutine shmem_finalize() bind(C, name="shmem_finalize")
            import
        end subroutine
    end interface
    interface
        subroutine shmem_query_initialized(initialized) bind(C, name="shmem_query_initialized")
            import
            integer(c_int), intent(out) :: initialized
        end subroutine
    end interface
    interface
        subroutine shmem_global_exit(status) bind(C, name="shmem_global_exit")
            import
            integer(c_int), value :: status
        end subroutine
    end interface
    interface
        function shmem_my_pe() result(answer) bind(C, name="shmem_my_pe")
            import
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_n_pes() result(answer) bind(C, name="shmem_n_pes")
            import
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_pe_accessible(pe) result(answer) bind(C, name="shmem_pe_accessible")
            import
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_addr_accessible
        function shmem_addr_accessible_c(addr, pe) result(answer) bind(C, &
                name="sheaf_fortran_addr_accessible")
            import
            type(*), dimension(..), intent(in) :: addr
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_ptr
        function shmem_ptr_c(dest, pe) result(answer) bind(C, name="sheaf_fortran_ptr")
            import
            type(*), dimension(..), intent(in) :: dest
            integer(c_int), value :: pe
            type(c_ptr) :: answer
        end function
    end interface
    interface shmem_team_ptr
        function shmem_team_ptr_c(team, dest, pe) result(answer) bind(C, &
                name="sheaf_fortran_team_ptr")
            import
            integer(c_intptr_t), value :: team
            type(*), dimension(..), intent(in) :: dest
            integer(c_int), value :: pe
            type(c_ptr) :: answer
        end function
    end interface
    interface
        subroutine shmem_info_get_version(major, minor) bind(C, name="shmem_info_get_version")
            import
            integer(c_int), intent(out) :: major
            integer(c_int), intent(out) :: minor
        end subroutine
    end interface
    interface shmem_info_get_name
        subroutine shmem_info_get_name_c(name) bind(C, name="sheaf_fortran_info_get_name")
            import
            character(kind=c_char, len=*), intent(out) :: name
        end subroutine
    end interface
    interface shmem_pcontrol
        subroutine shmem_pcontrol_c(level) bind(C, name="sheaf_fortran_pcontrol")
            import
            integer(c_int), value :: level
        end subroutine
    end interface

    ! Threads
    interface
        function shmem_init_thread(requested, provided) result(answer) bind(C, &
                name="shmem_init_thread")
            import
            integer(c_int), value :: requested
            integer(c_int), intent(out) :: provided
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_query_thread(provided) bind(C, name="shmem_query_thread")
            import
            integer(c_int), intent(out) :: provided
        end subroutine
    end interface

    ! Memory management
    interface shmem_malloc
        function shmem_malloc(size) result(answer) bind(C, name="shmem_malloc")
            import
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmem_malloc_i(size) result(answer) bind(C, name="sheaf_fortran_malloc_i")
            import
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface
        subroutine shmem_free(ptr) bind(C, name="shmem_free")
            import
            type(c_ptr), value :: ptr
        end subroutine
    end interface
    interface shmem_realloc
        function shmem_realloc(ptr, size) result(answer) bind(C, name="shmem_realloc")
            import
            type(c_ptr), value :: ptr
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmem_realloc_i(ptr, size) result(answer) bind(C, name="sheaf_fortran_realloc_i")
            import
            type(c_ptr), value :: ptr
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmem_align
        function shmem_align(alignment, size) result(answer) bind(C, name="shmem_align")
            import
            integer(c_size_t), value :: alignment
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmem_align_i(alignment, size) result(answer) bind(C, name="sheaf_fortran_align_i")
            import
            integer(c_int), value :: alignment
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmem_malloc_with_hints
        function shmem_malloc_with_hints(size, hints) result(answer) bind(C, &
                name="shmem_malloc_with_hints")
            import
            integer(c_size_t), value :: size
            integer(c_long), value :: hints
            type(c_ptr) :: answer
        end function
        function shmem_malloc_with_hints_i(size, hints) result(answer) bind(C, &
                name="sheaf_fortran_malloc_with_hints_i")
            import
            integer(c_int), value :: size
            integer(c_long), value :: hints
            type(c_ptr) :: answer
        end function
    end interface
    interface shmem_calloc
        function shmem_calloc(count, size) result(answer) bind(C, name="shmem_calloc")
            import
            integer(c_size_t), value :: count
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmem_calloc_i(count, size) result(answer) bind(C, name="sheaf_fortran_calloc_i")
            import
            integer(c_int), value :: count
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface

    ! Teams
    interface
        function shmem_team_my_pe(team) result(answer) bind(C, name="shmem_team_my_pe")
            import
            integer(c_intptr_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_n_pes(team) result(answer) bind(C, name="shmem_team_n_pes")
            import
            integer(c_intptr_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_get_config(team, config_mask, config) result(answer) bind(C, &
                name="shmem_team_get_config")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), value :: config_mask
            type(shmem_team_config_t), intent(inout), optional :: config
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_translate_pe(src_team, src_pe, dest_team) result(answer) bind(C, &
                name="shmem_team_translate_pe")
            import
            integer(c_intptr_t), value :: src_team
            integer(c_int), value :: src_pe
            integer(c_intptr_t), value :: dest_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_split_strided(parent_team, start, stride, size, config, config_mask, &
                new_team) result(answer) bind(C, name="shmem_team_split_strided")
            import
            integer(c_intptr_t), value :: parent_team
            integer(c_int), value :: start
            integer(c_int), value :: stride
            integer(c_int), value :: size
            type(shmem_team_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
            integer(c_intptr_t), intent(out) :: new_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_split_2d(parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, &
                yaxis_config, yaxis_mask, yaxis_team) result(answer) bind(C, &
                name="shmem_team_split_2d")
            import
            integer(c_intptr_t), value :: parent_team
            integer(c_int), value :: xrange
            type(shmem_team_config_t), intent(in), optional :: xaxis_config
            integer(c_long), value :: xaxis_mask
            integer(c_intptr_t), intent(out) :: xaxis_team
            type(shmem_team_config_t), intent(in), optional :: yaxis_config
            integer(c_long), value :: yaxis_mask
            integer(c_intptr_t), intent(out) :: yaxis_team
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_team_destroy(team) bind(C, name="shmem_team_destroy")
            import
            integer(c_intptr_t), value :: team
        end subroutine
    end interface
    interface
        function shmemx_team_from_pes(parent_team, pes, npes, config, config_mask, &
                new_team) result(answer) bind(C, name="shmemx_team_from_pes")
            import
            integer(c_intptr_t), value :: parent_team
            integer(c_int), intent(in) :: pes(*)
            integer(c_int), value :: npes
            type(shmem_team_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
            integer(c_intptr_t), intent(out) :: new_team
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_team_exchange
        function shmemx_team_exchange_c(team, mine, bytes, all) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_team_exchange")
            import
            integer(c_intptr_t), value :: team
            type(*), dimension(..), intent(in) :: mine
            integer(c_size_t), value :: bytes
            type(*), dimension(..) :: all
            integer(c_int) :: answer
        end function
        function shmemx_team_exchange_i(team, mine, bytes, all) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_team_exchange_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), intent(out) :: ctx
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_team_create_ctx(team, options, ctx) result(answer) bind(C, &
                name="shmem_team_create_ctx")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), value :: options
            integer(c_intptr_t), intent(out) :: ctx
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_ctx_destroy(ctx) bind(C, name="shmem_ctx_destroy")
            import
            integer(c_intptr_t), value :: ctx
        end subroutine
    end interface
    interface
        function shmem_ctx_get_team(ctx, team) result(answer) bind(C, name="shmem_ctx_get_team")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_intptr_t), intent(out) :: team
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmem_ctx_session_start(ctx, options, config, config_mask) bind(C, &
                name="shmem_ctx_session_start")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), value :: options
            type(shmem_ctx_session_config_t), intent(in), optional :: config
            integer(c_long), value :: config_mask
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_session_stop(ctx) bind(C, name="shmem_ctx_session_stop")
            import
            integer(c_intptr_t), value :: ctx
        end subroutine
    end interface

    ! Remote memory access
    interface shmem_put
        subroutine shmem_put_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put_i")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put
        subroutine shmem_ctx_put_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put32
        subroutine shmem_put32_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put32_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put32_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put64
        subroutine shmem_put64_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put64_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put64_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put128
        subroutine shmem_put128_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put128_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put128_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_putmem
        subroutine shmem_putmem_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_putmem")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_putmem_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_putmem_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_p
        subroutine shmem_p_float(dest, value, pe) bind(C, name="shmem_float_p")
            import
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_double(dest, value, pe) bind(C, name="shmem_double_p")
            import
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_longdouble(dest, value, pe) bind(C, name="shmem_longdouble_p")
            import
            real(c_long_double), intent(inout) :: dest
            real(c_long_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_schar(dest, value, pe) bind(C, name="shmem_schar_p")
            import
            integer(c_signed_char), intent(inout) :: dest
            integer(c_signed_char), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_short(dest, value, pe) bind(C, name="shmem_short_p")
            import
            integer(c_short), intent(inout) :: dest
            integer(c_short), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_int(dest, value, pe) bind(C, name="shmem_int_p")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_p_long(dest, value, pe) bind(C, name="shmem_long_p")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_p
        subroutine shmem_ctx_p_float(ctx, dest, value, pe) bind(C, name="shmem_ctx_float_p")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_double(ctx, dest, value, pe) bind(C, name="shmem_ctx_double_p")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_longdouble(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_longdouble_p")
            import
            integer(c_intptr_t), value :: ctx
            real(c_long_double), intent(inout) :: dest
            real(c_long_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_schar(ctx, dest, value, pe) bind(C, name="shmem_ctx_schar_p")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_signed_char), intent(inout) :: dest
            integer(c_signed_char), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_short(ctx, dest, value, pe) bind(C, name="shmem_ctx_short_p")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_short), intent(inout) :: dest
            integer(c_short), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_int(ctx, dest, value, pe) bind(C, name="shmem_ctx_int_p")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_p_long(ctx, dest, value, pe) bind(C, name="shmem_ctx_long_p")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get
        subroutine shmem_get_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get_i")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_get
        subroutine shmem_ctx_get_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get32
        subroutine shmem_get32_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get32_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get32_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get32_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get64
        subroutine shmem_get64_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get64_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get64_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get64_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get128
        subroutine shmem_get128_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get128_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get128_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get128_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_getmem
        subroutine shmem_getmem_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_getmem")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_getmem_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_getmem_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_getmem_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_g
        function shmem_g_float(source, pe) result(answer) bind(C, name="shmem_float_g")
            import
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_g_double(source, pe) result(answer) bind(C, name="shmem_double_g")
            import
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_g_longdouble(source, pe) result(answer) bind(C, name="shmem_longdouble_g")
            import
            real(c_long_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_long_double) :: answer
        end function
        function shmem_g_schar(source, pe) result(answer) bind(C, name="shmem_schar_g")
            import
            integer(c_signed_char), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_signed_char) :: answer
        end function
        function shmem_g_short(source, pe) result(answer) bind(C, name="shmem_short_g")
            import
            integer(c_short), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_short) :: answer
        end function
        function shmem_g_int(source, pe) result(answer) bind(C, name="shmem_int_g")
            import
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_g_long(source, pe) result(answer) bind(C, name="shmem_long_g")
            import
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_g
        function shmem_ctx_g_float(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_float_g")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_g_double(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_double_g")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_g_longdouble(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_longdouble_g")
            import
            integer(c_intptr_t), value :: ctx
            real(c_long_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_long_double) :: answer
        end function
        function shmem_ctx_g_schar(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_schar_g")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_signed_char), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_signed_char) :: answer
        end function
        function shmem_ctx_g_short(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_short_g")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_short), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_short) :: answer
        end function
        function shmem_ctx_g_int(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_int_g")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_g_long(ctx, source, pe) result(answer) bind(C, name="shmem_ctx_long_g")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface

    ! Strided remote memory access
    interface shmem_iput
        subroutine shmem_iput_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iput_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput_i")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_iput
        subroutine shmem_ctx_iput_c(ctx, dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_iput")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iput32
        subroutine shmem_iput32_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iput32_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput32_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iput64
        subroutine shmem_iput64_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iput64_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput64_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iput128
        subroutine shmem_iput128_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iput128_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iput128_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iget
        subroutine shmem_iget_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iget_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iget32
        subroutine shmem_iget32_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iget32_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget32_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iget64
        subroutine shmem_iget64_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iget64_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget64_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_iget128
        subroutine shmem_iget128_c(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_iget128_i(dest, source, dst, sst, nelems, pe) bind(C, &
                name="sheaf_fortran_iget128_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibput
        subroutine shmem_ibput_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibput_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput_i")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_ibput
        subroutine shmem_ctx_ibput_c(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ctx_ibput")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibput32
        subroutine shmem_ibput32_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibput32_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput32_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibput64
        subroutine shmem_ibput64_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibput64_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput64_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibput128
        subroutine shmem_ibput128_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibput128_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibput128_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibget
        subroutine shmem_ibget_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibget_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibget32
        subroutine shmem_ibget32_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget32")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibget32_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget32_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibget64
        subroutine shmem_ibget64_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget64")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibget64_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget64_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: dst
            integer(c_int), value :: sst
            integer(c_int), value :: bsize
            integer(c_int), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ibget128
        subroutine shmem_ibget128_c(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget128")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: dst
            integer(c_size_t), value :: sst
            integer(c_size_t), value :: bsize
            integer(c_size_t), value :: nblocks
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ibget128_i(dest, source, dst, sst, bsize, nblocks, pe) bind(C, &
                name="sheaf_fortran_ibget128_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
    interface shmem_put_nbi
        subroutine shmem_put_nbi_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put_nbi_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_put_nbi_i")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put_nbi
        subroutine shmem_ctx_put_nbi_c(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_nbi")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put32_nbi
        subroutine shmem_put32_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put32_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put32_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put32_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put32_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put32_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put64_nbi
        subroutine shmem_put64_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put64_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put64_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put64_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put64_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put64_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put128_nbi
        subroutine shmem_put128_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put128_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put128_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_put128_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_put128_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_put128_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_putmem_nbi
        subroutine shmem_putmem_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_putmem_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_putmem_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_putmem_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_putmem_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_putmem_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get_nbi
        subroutine shmem_get_nbi_c(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get_nbi_i(dest, source, nelems, pe) bind(C, name="sheaf_fortran_get_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get32_nbi
        subroutine shmem_get32_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get32_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get32_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get32_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get32_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get32_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get64_nbi
        subroutine shmem_get64_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get64_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get64_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get64_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get64_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get64_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_get128_nbi
        subroutine shmem_get128_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get128_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_get128_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_get128_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_get128_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_get128_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_getmem_nbi
        subroutine shmem_getmem_nbi_c(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_getmem_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_getmem_nbi_i(dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_getmem_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_getmem_nbi_i(ctx, dest, source, nelems, pe) bind(C, &
                name="sheaf_fortran_ctx_getmem_nbi_i")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Atomic memory operations
    interface shmem_atomic_fetch
        function shmem_atomic_fetch_float(source, pe) result(answer) bind(C, &
                name="shmem_float_atomic_fetch")
            import
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_atomic_fetch_double(source, pe) result(answer) bind(C, &
                name="shmem_double_atomic_fetch")
            import
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_atomic_fetch_int(source, pe) result(answer) bind(C, &
                name="shmem_int_atomic_fetch")
            import
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_long(source, pe) result(answer) bind(C, &
                name="shmem_long_atomic_fetch")
            import
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch
        function shmem_ctx_atomic_fetch_float(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_float_atomic_fetch")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(in) :: source
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_atomic_fetch_double(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_double_atomic_fetch")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(in) :: source
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_atomic_fetch_int(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_long(ctx, source, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(in) :: source
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_set
        subroutine shmem_atomic_set_float(dest, value, pe) bind(C, name="shmem_float_atomic_set")
            import
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_set_double(dest, value, pe) bind(C, name="shmem_double_atomic_set")
            import
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_set_int(dest, value, pe) bind(C, name="shmem_int_atomic_set")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_set_long(dest, value, pe) bind(C, name="shmem_long_atomic_set")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_set
        subroutine shmem_ctx_atomic_set_float(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_float_atomic_set")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_double(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_double_atomic_set")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_int(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_set")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_set_long(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_set")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_compare_swap
        function shmem_atomic_compare_swap_int(dest, cond, value, pe) result(answer) bind(C, &
                name="shmem_int_atomic_compare_swap")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_compare_swap_long(dest, cond, value, pe) result(answer) bind(C, &
                name="shmem_long_atomic_compare_swap")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_compare_swap
        function shmem_ctx_atomic_compare_swap_int(ctx, dest, cond, value, &
                pe) result(answer) bind(C, name="shmem_ctx_int_atomic_compare_swap")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_compare_swap_long(ctx, dest, cond, value, &
                pe) result(answer) bind(C, name="shmem_ctx_long_atomic_compare_swap")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_swap
        function shmem_atomic_swap_float(dest, value, pe) result(answer) bind(C, &
                name="shmem_float_atomic_swap")
            import
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_atomic_swap_double(dest, value, pe) result(answer) bind(C, &
                name="shmem_double_atomic_swap")
            import
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_atomic_swap_int(dest, value, pe) result(answer) bind(C, &
                name="shmem_int_atomic_swap")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_swap_long(dest, value, pe) result(answer) bind(C, &
                name="shmem_long_atomic_swap")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_swap
        function shmem_ctx_atomic_swap_float(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_float_atomic_swap")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(inout) :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
            real(c_float) :: answer
        end function
        function shmem_ctx_atomic_swap_double(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_double_atomic_swap")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(inout) :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
            real(c_double) :: answer
        end function
        function shmem_ctx_atomic_swap_int(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_swap")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_swap_long(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_swap")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_fetch_inc
        function shmem_atomic_fetch_inc_int(dest, pe) result(answer) bind(C, &
                name="shmem_int_atomic_fetch_inc")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_inc_long(dest, pe) result(answer) bind(C, &
                name="shmem_long_atomic_fetch_inc")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_inc
        function shmem_ctx_atomic_fetch_inc_int(ctx, dest, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch_inc")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_inc_long(ctx, dest, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch_inc")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_inc
        subroutine shmem_atomic_inc_int(dest, pe) bind(C, name="shmem_int_atomic_inc")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_inc_long(dest, pe) bind(C, name="shmem_long_atomic_inc")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_inc
        subroutine shmem_ctx_atomic_inc_int(ctx, dest, pe) bind(C, name="shmem_ctx_int_atomic_inc")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_inc_long(ctx, dest, pe) bind(C, &
                name="shmem_ctx_long_atomic_inc")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_add
        function shmem_atomic_fetch_add_int(dest, value, pe) result(answer) bind(C, &
                name="shmem_int_atomic_fetch_add")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_add_long(dest, value, pe) result(answer) bind(C, &
                name="shmem_long_atomic_fetch_add")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_add
        function shmem_ctx_atomic_fetch_add_int(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int_atomic_fetch_add")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_add_long(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_long_atomic_fetch_add")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_add
        subroutine shmem_atomic_add_int(dest, value, pe) bind(C, name="shmem_int_atomic_add")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_add_long(dest, value, pe) bind(C, name="shmem_long_atomic_add")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_add
        subroutine shmem_ctx_atomic_add_int(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_add")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_add_long(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_add")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_and
        function shmem_atomic_fetch_and_int32(dest, value, pe) result(answer) bind(C, &
                name="shmem_int32_atomic_fetch_and")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_and_int64(dest, value, pe) result(answer) bind(C, &
                name="shmem_int64_atomic_fetch_and")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_and
        function shmem_ctx_atomic_fetch_and_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_and")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_and_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_and")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_and
        subroutine shmem_atomic_and_int32(dest, value, pe) bind(C, name="shmem_int32_atomic_and")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_and_int64(dest, value, pe) bind(C, name="shmem_int64_atomic_and")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_and
        subroutine shmem_ctx_atomic_and_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_and")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_and_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_and")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_or
        function shmem_atomic_fetch_or_int32(dest, value, pe) result(answer) bind(C, &
                name="shmem_int32_atomic_fetch_or")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_or_int64(dest, value, pe) result(answer) bind(C, &
                name="shmem_int64_atomic_fetch_or")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_or
        function shmem_ctx_atomic_fetch_or_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_or")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_or_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_or")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_or
        subroutine shmem_atomic_or_int32(dest, value, pe) bind(C, name="shmem_int32_atomic_or")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_or_int64(dest, value, pe) bind(C, name="shmem_int64_atomic_or")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_or
        subroutine shmem_ctx_atomic_or_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_or")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_or_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_or")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_xor
        function shmem_atomic_fetch_xor_int32(dest, value, pe) result(answer) bind(C, &
                name="shmem_int32_atomic_fetch_xor")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_atomic_fetch_xor_int64(dest, value, pe) result(answer) bind(C, &
                name="shmem_int64_atomic_fetch_xor")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_ctx_atomic_fetch_xor
        function shmem_ctx_atomic_fetch_xor_int32(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int32_atomic_fetch_xor")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmem_ctx_atomic_fetch_xor_int64(ctx, dest, value, pe) result(answer) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_xor")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
            integer(c_long) :: answer
        end function
    end interface
    interface shmem_atomic_xor
        subroutine shmem_atomic_xor_int32(dest, value, pe) bind(C, name="shmem_int32_atomic_xor")
            import
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_xor_int64(dest, value, pe) bind(C, name="shmem_int64_atomic_xor")
            import
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_xor
        subroutine shmem_ctx_atomic_xor_int32(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int32_atomic_xor")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_xor_int64(ctx, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_xor")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout) :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Nonblocking atomic memory operations
    interface shmem_atomic_fetch_nbi
        subroutine shmem_atomic_fetch_nbi_float(fetch, source, pe) bind(C, &
                name="shmem_float_atomic_fetch_nbi")
            import
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_nbi_double(fetch, source, pe) bind(C, &
                name="shmem_double_atomic_fetch_nbi")
            import
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_nbi_int(fetch, source, pe) bind(C, &
                name="shmem_int_atomic_fetch_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_nbi_long(fetch, source, pe) bind(C, &
                name="shmem_long_atomic_fetch_nbi")
            import
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_nbi
        subroutine shmem_ctx_atomic_fetch_nbi_float(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_float_atomic_fetch_nbi")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_double(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_double_atomic_fetch_nbi")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_int(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_nbi_long(ctx, fetch, source, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(in), asynchronous :: source
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_compare_swap_nbi
        subroutine shmem_atomic_compare_swap_nbi_int(fetch, dest, cond, value, pe) bind(C, &
                name="shmem_int_atomic_compare_swap_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_compare_swap_nbi_long(fetch, dest, cond, value, pe) bind(C, &
                name="shmem_long_atomic_compare_swap_nbi")
            import
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_compare_swap_nbi
        subroutine shmem_ctx_atomic_compare_swap_nbi_int(ctx, fetch, dest, cond, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_compare_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: cond
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_compare_swap_nbi_long(ctx, fetch, dest, cond, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_compare_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: cond
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_swap_nbi
        subroutine shmem_atomic_swap_nbi_float(fetch, dest, value, pe) bind(C, &
                name="shmem_float_atomic_swap_nbi")
            import
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(inout), asynchronous :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_swap_nbi_double(fetch, dest, value, pe) bind(C, &
                name="shmem_double_atomic_swap_nbi")
            import
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(inout), asynchronous :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_swap_nbi_int(fetch, dest, value, pe) bind(C, &
                name="shmem_int_atomic_swap_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_swap_nbi_long(fetch, dest, value, pe) bind(C, &
                name="shmem_long_atomic_swap_nbi")
            import
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_swap_nbi
        subroutine shmem_ctx_atomic_swap_nbi_float(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_float_atomic_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), intent(inout), asynchronous :: fetch
            real(c_float), intent(inout), asynchronous :: dest
            real(c_float), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_double(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_double_atomic_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), intent(inout), asynchronous :: fetch
            real(c_double), intent(inout), asynchronous :: dest
            real(c_double), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_int(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_swap_nbi_long(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_swap_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_inc_nbi
        subroutine shmem_atomic_fetch_inc_nbi_int(fetch, dest, pe) bind(C, &
                name="shmem_int_atomic_fetch_inc_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_inc_nbi_long(fetch, dest, pe) bind(C, &
                name="shmem_long_atomic_fetch_inc_nbi")
            import
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_inc_nbi
        subroutine shmem_ctx_atomic_fetch_inc_nbi_int(ctx, fetch, dest, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_inc_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_inc_nbi_long(ctx, fetch, dest, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_inc_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_add_nbi
        subroutine shmem_atomic_fetch_add_nbi_int(fetch, dest, value, pe) bind(C, &
                name="shmem_int_atomic_fetch_add_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_add_nbi_long(fetch, dest, value, pe) bind(C, &
                name="shmem_long_atomic_fetch_add_nbi")
            import
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_atomic_fetch_add_nbi
        subroutine shmem_ctx_atomic_fetch_add_nbi_int(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int_atomic_fetch_add_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_add_nbi_long(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_long_atomic_fetch_add_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_and_nbi
        subroutine shmem_atomic_fetch_and_nbi_int32(fetch, dest, value, pe) bind(C, &
                name="shmem_int32_atomic_fetch_and_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_and_nbi_int64(fetch, dest, value, pe) bind(C, &
                name="shmem_int64_atomic_fetch_and_nbi")
            import
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
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_and_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_and_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_or_nbi
        subroutine shmem_atomic_fetch_or_nbi_int32(fetch, dest, value, pe) bind(C, &
                name="shmem_int32_atomic_fetch_or_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_or_nbi_int64(fetch, dest, value, pe) bind(C, &
                name="shmem_int64_atomic_fetch_or_nbi")
            import
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
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_or_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_or_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_atomic_fetch_xor_nbi
        subroutine shmem_atomic_fetch_xor_nbi_int32(fetch, dest, value, pe) bind(C, &
                name="shmem_int32_atomic_fetch_xor_nbi")
            import
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_atomic_fetch_xor_nbi_int64(fetch, dest, value, pe) bind(C, &
                name="shmem_int64_atomic_fetch_xor_nbi")
            import
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
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(inout), asynchronous :: fetch
            integer(c_int), intent(inout), asynchronous :: dest
            integer(c_int), value :: value
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_ctx_atomic_fetch_xor_nbi_int64(ctx, fetch, dest, value, pe) bind(C, &
                name="shmem_ctx_int64_atomic_fetch_xor_nbi")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), intent(inout), asynchronous :: fetch
            integer(c_long), intent(inout), asynchronous :: dest
            integer(c_long), value :: value
            integer(c_int), value :: pe
        end subroutine
    end interface

    ! Signals
    interface shmem_put_signal
        subroutine shmem_put_signal_c(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put_signal")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put_signal_i(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put_signal_i")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_ctx_put_signal
        subroutine shmem_ctx_put_signal_c(ctx, dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_ctx_put_signal")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put32_signal
        subroutine shmem_put32_signal_c(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put32_signal")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put32_signal_i(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put32_signal_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put64_signal
        subroutine shmem_put64_signal_c(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put64_signal")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put64_signal_i(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put64_signal_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put128_signal
        subroutine shmem_put128_signal_c(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put128_signal")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put128_signal_i(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_put128_signal_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_putmem_signal
        subroutine shmem_putmem_signal_c(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_putmem_signal")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_putmem_signal_i(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C, &
                name="sheaf_fortran_putmem_signal_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put_signal_nbi
        subroutine shmem_put_signal_nbi_c(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put_signal_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put_signal_nbi_i(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put_signal_nbi_i")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put32_signal_nbi
        subroutine shmem_put32_signal_nbi_c(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put32_signal_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put32_signal_nbi_i(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put32_signal_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put64_signal_nbi
        subroutine shmem_put64_signal_nbi_c(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put64_signal_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put64_signal_nbi_i(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put64_signal_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_put128_signal_nbi
        subroutine shmem_put128_signal_nbi_c(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put128_signal_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_put128_signal_nbi_i(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_put128_signal_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmem_putmem_signal_nbi
        subroutine shmem_putmem_signal_nbi_c(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_putmem_signal_nbi")
            import
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_size_t), value :: nelems
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: sig_op
            integer(c_int), value :: pe
        end subroutine
        subroutine shmem_putmem_signal_nbi_i(dest, source, nelems, sig_addr, signal, sig_op, &
                pe) bind(C, name="sheaf_fortran_putmem_signal_nbi_i")
            import
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_signal_set(ctx, sig_addr, signal, pe) bind(C, &
                name="shmem_ctx_signal_set")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int64_t), value :: signal
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface
        function shmem_signal_fetch(sig_addr) result(answer) bind(C, name="shmem_signal_fetch")
            import
            integer(c_int64_t), intent(in) :: sig_addr
            integer(c_int64_t) :: answer
        end function
    end interface

    ! Collectives over teams
    interface
        subroutine shmem_barrier_all() bind(C, name="shmem_barrier_all")
            import
        end subroutine
    end interface
    interface
        subroutine shmem_sync_all() bind(C, name="shmem_sync_all")
            import
        end subroutine
    end interface
    interface
        function shmem_team_sync(team) result(answer) bind(C, name="shmem_team_sync")
            import
            integer(c_intptr_t), value :: team
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_alltoall
        function shmem_alltoall_c(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoall")
            import
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoall_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoall_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_alltoallmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_alltoallmem_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
        function shmem_broadcast_i(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcast_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int), value :: PE_root
            integer(c_int) :: answer
        end function
        function shmem_broadcastmem_i(team, dest, source, nelems, PE_root) result(answer) bind(C, &
                name="sheaf_fortran_broadcastmem_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_collect_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collect_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_collectmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_collectmem_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_fcollect_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollect_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_fcollectmem_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_fcollectmem_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_and_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_and_reduce_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_or_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_or_reduce_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_xor_reduce_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_xor_reduce_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_max_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_max_reduce_long_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_min_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_min_reduce_long_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_long_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexf(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexf")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexf_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexf_i")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexd(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexd")
            import
            integer(c_intptr_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_sum_reduce_complexd_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_sum_reduce_complexd_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_float_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_double(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_double_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_longdouble(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_longdouble_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_schar(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_schar_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_short(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_short_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_int(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_int_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_long(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_long_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_long_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexf(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexf")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexf_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexf_i")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexd(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexd")
            import
            integer(c_intptr_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nreduce
            integer(c_int) :: answer
        end function
        function shmem_prod_reduce_complexd_i(team, dest, source, nreduce) result(answer) bind(C, &
                name="sheaf_fortran_prod_reduce_complexd_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_float_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_double(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_double_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_longdouble(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_longdouble_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_schar(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_schar_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_short(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_short_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_int(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_int_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_long(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_long_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_long_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexf(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexf")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexf_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexf_i")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexd(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexd")
            import
            integer(c_intptr_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_inscan_complexd_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_inscan_complexd_i")
            import
            integer(c_intptr_t), value :: team
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
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_float_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_float_i")
            import
            integer(c_intptr_t), value :: team
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_double(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_double")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_double_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_double_i")
            import
            integer(c_intptr_t), value :: team
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_longdouble(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_longdouble")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_longdouble_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_longdouble_i")
            import
            integer(c_intptr_t), value :: team
            real(c_long_double), dimension(..) :: dest
            real(c_long_double), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_schar(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_schar")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_schar_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_schar_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_signed_char), dimension(..) :: dest
            integer(c_signed_char), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_short(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_short")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_short_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_short_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_short), dimension(..) :: dest
            integer(c_short), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_int(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_int")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_int_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_int_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_long(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_long")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_long_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_long_i")
            import
            integer(c_intptr_t), value :: team
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexf(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexf")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexf_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexf_i")
            import
            integer(c_intptr_t), value :: team
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexd(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexd")
            import
            integer(c_intptr_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_size_t), value :: nelems
            integer(c_int) :: answer
        end function
        function shmem_sum_exscan_complexd_i(team, dest, source, nelems) result(answer) bind(C, &
                name="sheaf_fortran_sum_exscan_complexd_i")
            import
            integer(c_intptr_t), value :: team
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            integer(c_int), value :: nelems
            integer(c_int) :: answer
        end function
    end interface

    ! Point-to-point synchronization
    interface shmem_wait_until
        subroutine shmem_wait_until_int(ivar, cmp, cmp_value) bind(C, name="shmem_int_wait_until")
            import
            integer(c_int), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_long(ivar, cmp, cmp_value) bind(C, name="shmem_long_wait_until")
            import
            integer(c_long), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_short(ivar, cmp, cmp_value) bind(C, &
                name="shmem_short_wait_until")
            import
            integer(c_short), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
        end subroutine
    end interface
    interface shmem_test
        function shmem_test_int(ivar, cmp, cmp_value) result(answer) bind(C, name="shmem_int_test")
            import
            integer(c_int), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_long(ivar, cmp, cmp_value) result(answer) bind(C, &
                name="shmem_long_test")
            import
            integer(c_long), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_short(ivar, cmp, cmp_value) result(answer) bind(C, &
                name="shmem_short_test")
            import
            integer(c_short), intent(inout) :: ivar
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_int) :: answer
        end function
    end interface
    interface
        function shmem_signal_wait_until(sig_addr, cmp, cmp_value) result(answer) bind(C, &
                name="shmem_signal_wait_until")
            import
            integer(c_int64_t), intent(inout) :: sig_addr
            integer(c_int), value :: cmp
            integer(c_int64_t), value :: cmp_value
            integer(c_int64_t) :: answer
        end function
    end interface

    ! Point-to-point synchronization on sets of variables
    interface shmem_wait_until_all
        subroutine shmem_wait_until_all_int(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_all_int_i(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_all_long(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_all_long_i(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_all_short(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
        end subroutine
        subroutine shmem_wait_until_all_short_i(ivars, nelems, status, cmp, cmp_value) bind(C, &
                name="sheaf_fortran_wait_until_all_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
        end subroutine
    end interface
    interface shmem_wait_until_any
        function shmem_wait_until_any_int(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_int_i(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_long(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_long_i(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_short(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_short_i(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_any_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_wait_until_some
        function shmem_wait_until_some_int(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_int_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_long(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_long_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_short(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_short_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_wait_until_some_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_wait_until_all_vector
        subroutine shmem_wait_until_all_vector_int(ivars, nelems, status, cmp, cmp_values) bind(C, &
                name="sheaf_fortran_wait_until_all_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
        end subroutine
        subroutine shmem_wait_until_all_vector_int_i(ivars, nelems, status, cmp, cmp_values) bind(C, &
                name="sheaf_fortran_wait_until_all_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
        end subroutine
        subroutine shmem_wait_until_all_vector_long(ivars, nelems, status, cmp, cmp_values) bind(C, &
                name="sheaf_fortran_wait_until_all_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
        end subroutine
        subroutine shmem_wait_until_all_vector_long_i(ivars, nelems, status, cmp, &
                cmp_values) bind(C, name="sheaf_fortran_wait_until_all_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
        end subroutine
        subroutine shmem_wait_until_all_vector_short(ivars, nelems, status, cmp, cmp_values) bind(C, &
                name="sheaf_fortran_wait_until_all_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
        end subroutine
        subroutine shmem_wait_until_all_vector_short_i(ivars, nelems, status, cmp, &
                cmp_values) bind(C, name="sheaf_fortran_wait_until_all_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
        end subroutine
    end interface
    interface shmem_wait_until_any_vector
        function shmem_wait_until_any_vector_int(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_any_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_vector_int_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_any_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_vector_long(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_any_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_vector_long_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_any_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_vector_short(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_any_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_any_vector_short_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_any_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_wait_until_some_vector
        function shmem_wait_until_some_vector_int(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_some_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_vector_int_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_some_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_vector_long(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_wait_until_some_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_vector_long_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_some_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_vector_short(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_some_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_wait_until_some_vector_short_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, &
                name="sheaf_fortran_wait_until_some_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_test_all
        function shmem_test_all_int(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_all_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_all_int_i(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_all_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_all_long(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_all_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_all_long_i(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_all_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_all_short(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_all_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_int) :: answer
        end function
        function shmem_test_all_short_i(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_all_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_test_any
        function shmem_test_any_int(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_any_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_int_i(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_any_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_long(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_any_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_long_i(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_any_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_short(ivars, nelems, status, cmp, cmp_value) result(answer) bind(C, &
                name="sheaf_fortran_test_any_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_short_i(ivars, nelems, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_any_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_test_some
        function shmem_test_some_int(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_int_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_long(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_long_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_short(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_short_i(ivars, nelems, indices, status, cmp, &
                cmp_value) result(answer) bind(C, name="sheaf_fortran_test_some_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), value :: cmp_value
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_test_all_vector
        function shmem_test_all_vector_int(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
        function shmem_test_all_vector_int_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
        function shmem_test_all_vector_long(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
        function shmem_test_all_vector_long_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
        function shmem_test_all_vector_short(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
        function shmem_test_all_vector_short_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_all_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_int) :: answer
        end function
    end interface
    interface shmem_test_any_vector
        function shmem_test_any_vector_int(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_vector_int_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_vector_long(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_vector_long_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_vector_short(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_any_vector_short_i(ivars, nelems, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_any_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
    end interface
    interface shmem_test_some_vector
        function shmem_test_some_vector_int(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_int")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_vector_int_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_int_i")
            import
            integer(c_int), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_int), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_vector_long(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_long")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_vector_long_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_long_i")
            import
            integer(c_long), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_long), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_vector_short(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_short")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_size_t), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
        function shmem_test_some_vector_short_i(ivars, nelems, indices, status, cmp, &
                cmp_values) result(answer) bind(C, name="sheaf_fortran_test_some_vector_short_i")
            import
            integer(c_short), dimension(..) :: ivars
            integer(c_int), value :: nelems
            integer(c_size_t), intent(inout) :: indices(*)
            integer(c_int), intent(in), optional :: status(*)
            integer(c_int), value :: cmp
            integer(c_short), dimension(..), intent(in) :: cmp_values
            integer(c_size_t) :: answer
        end function
    end interface

    ! Memory ordering
    interface
        subroutine shmem_fence() bind(C, name="shmem_fence")
            import
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_fence(ctx) bind(C, name="shmem_ctx_fence")
            import
            integer(c_intptr_t), value :: ctx
        end subroutine
    end interface
    interface
        subroutine shmem_quiet() bind(C, name="shmem_quiet")
            import
        end subroutine
    end interface
    interface
        subroutine shmem_ctx_quiet(ctx) bind(C, name="shmem_ctx_quiet")
            import
            integer(c_intptr_t), value :: ctx
        end subroutine
    end interface
    interface shmem_pe_quiet
        subroutine shmem_pe_quiet(target_pes, npes) bind(C, name="shmem_pe_quiet")
            import
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_size_t), value :: npes
        end subroutine
        subroutine shmem_pe_quiet_i(target_pes, npes) bind(C, name="sheaf_fortran_pe_quiet_i")
            import
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_int), value :: npes
        end subroutine
    end interface
    interface shmem_ctx_pe_quiet
        subroutine shmem_ctx_pe_quiet(ctx, target_pes, npes) bind(C, name="shmem_ctx_pe_quiet")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_size_t), value :: npes
        end subroutine
        subroutine shmem_ctx_pe_quiet_i(ctx, target_pes, npes) bind(C, &
                name="sheaf_fortran_ctx_pe_quiet_i")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), intent(in) :: target_pes(*)
            integer(c_int), value :: npes
        end subroutine
    end interface

    ! Distributed locks
    interface
        subroutine shmem_set_lock(lock) bind(C, name="shmem_set_lock")
            import
            integer(c_long), intent(inout) :: lock
        end subroutine
    end interface
    interface
        subroutine shmem_clear_lock(lock) bind(C, name="shmem_clear_lock")
            import
            integer(c_long), intent(inout) :: lock
        end subroutine
    end interface
    interface
        function shmem_test_lock(lock) result(answer) bind(C, name="shmem_test_lock")
            import
            integer(c_long), intent(inout) :: lock
            integer(c_int) :: answer
        end function
    end interface

    ! Noncontiguous remote memory access: extensions
    interface shmemx_putmem_strided
        subroutine shmemx_putmem_strided_c(dest, source, dest_strides, source_strides, counts, dims, &
                pe) bind(C, name="sheaf_fortran_shmemx_putmem_strided")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_ctx_putmem_strided
        subroutine shmemx_ctx_putmem_strided_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_ctx_putmem_strided")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_putmem_strided_nb
        subroutine shmemx_ctx_putmem_strided_nb_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_ctx_putmem_strided_nb")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_getmem_strided
        subroutine shmemx_getmem_strided_c(dest, source, dest_strides, source_strides, counts, dims, &
                pe) bind(C, name="sheaf_fortran_shmemx_getmem_strided")
            import
            type(*), dimension(..) :: dest
            type(*), dimension(..), intent(in) :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_ctx_getmem_strided
        subroutine shmemx_ctx_getmem_strided_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_ctx_getmem_strided")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_strided_nb
        subroutine shmemx_ctx_getmem_strided_nb_c(ctx, dest, source, dest_strides, source_strides, &
                counts, dims, pe, handle) bind(C, name="sheaf_fortran_shmemx_ctx_getmem_strided_nb")
            import
            integer(c_intptr_t), value :: ctx
            type(*), dimension(..), asynchronous :: dest
            type(*), dimension(..), intent(in), asynchronous :: source
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_putmem_vector
        subroutine shmemx_putmem_vector(vectors, nvectors, pe) bind(C, name="shmemx_putmem_vector")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_putmem_vector_i(vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_putmem_vector_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_ctx_putmem_vector
        subroutine shmemx_ctx_putmem_vector(ctx, vectors, nvectors, pe) bind(C, &
                name="shmemx_ctx_putmem_vector")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_putmem_vector_i(ctx, vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_putmem_vector_i")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_putmem_vector_nb_i(vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_putmem_vector_nb_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_putmem_vector_nb
        subroutine shmemx_ctx_putmem_vector_nb(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_ctx_putmem_vector_nb")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_putmem_vector_nb_i(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_putmem_vector_nb_i")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_getmem_vector
        subroutine shmemx_getmem_vector(vectors, nvectors, pe) bind(C, name="shmemx_getmem_vector")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_getmem_vector_i(vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_getmem_vector_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_ctx_getmem_vector
        subroutine shmemx_ctx_getmem_vector(ctx, vectors, nvectors, pe) bind(C, &
                name="shmemx_ctx_getmem_vector")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_getmem_vector_i(ctx, vectors, nvectors, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_getmem_vector_i")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_getmem_vector_nb_i(vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_getmem_vector_nb_i")
            import
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_getmem_vector_nb
        subroutine shmemx_ctx_getmem_vector_nb(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="shmemx_ctx_getmem_vector_nb")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_size_t), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_getmem_vector_nb_i(ctx, vectors, nvectors, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_getmem_vector_nb_i")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_vector_t), intent(in) :: vectors(*)
            integer(c_int), value :: nvectors
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface
        function shmemx_test(handle) result(answer) bind(C, name="shmemx_test")
            import
            integer(c_intptr_t), intent(inout) :: handle
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmemx_wait(handle) bind(C, name="shmemx_wait")
            import
            integer(c_intptr_t), intent(inout) :: handle
        end subroutine
    end interface

    ! Accumulate: extensions
    interface shmemx_accumulate
        subroutine shmemx_accumulate_int(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_int")
            import
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_int_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_int_i")
            import
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_long(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_long")
            import
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_long_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_long_i")
            import
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_float(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_float")
            import
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_float_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_float_i")
            import
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_double(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_double")
            import
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_double_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_double_i")
            import
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_complexf(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_complexf")
            import
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_complexf_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_complexf_i")
            import
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_complexd(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_complexd")
            import
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_complexd_i(dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_complexd_i")
            import
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
    interface shmemx_ctx_accumulate
        subroutine shmemx_ctx_accumulate_int(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_int")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_int_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_int_i")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_long(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_long")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_long_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_long_i")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_float(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_float")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_float_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_float_i")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_double(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_double")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_double_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_double_i")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexf(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexf")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexf_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexf_i")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexd(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexd")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_double_complex), dimension(..) :: dest
            complex(c_double_complex), dimension(..), intent(in) :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_ctx_accumulate_complexd_i(ctx, dest, source, alpha, nelems, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_complexd_i")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_int_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_int_i")
            import
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_long(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_long")
            import
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_long_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_long_i")
            import
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_float(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_float")
            import
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_float_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_float_i")
            import
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_double(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_double")
            import
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_double_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_double_i")
            import
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexf(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexf")
            import
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexf_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexf_i")
            import
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexd(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexd")
            import
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_accumulate_nb_complexd_i(dest, source, alpha, nelems, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_nb_complexd_i")
            import
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_accumulate_nb
        subroutine shmemx_ctx_accumulate_nb_int(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_int")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_int_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_int_i")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_long(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_long")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_long_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_long_i")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_float(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_float")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_float_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_float_i")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_double(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_double")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_double_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_double_i")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexf(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexf")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexf_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexf_i")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexd(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexd")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_nb_complexd_i(ctx, dest, source, alpha, nelems, pe, &
                handle) bind(C, name="sheaf_fortran_shmemx_ctx_accumulate_nb_complexd_i")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_int), value :: nelems
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_accumulate_strided
        subroutine shmemx_accumulate_strided_int(dest, source, alpha, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_accumulate_strided_int")
            import
            integer(c_int), dimension(..) :: dest
            integer(c_int), dimension(..), intent(in) :: source
            integer(c_int), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_strided_long(dest, source, alpha, dest_strides, source_strides, &
                counts, dims, pe) bind(C, name="sheaf_fortran_shmemx_accumulate_strided_long")
            import
            integer(c_long), dimension(..) :: dest
            integer(c_long), dimension(..), intent(in) :: source
            integer(c_long), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_strided_float(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_float")
            import
            real(c_float), dimension(..) :: dest
            real(c_float), dimension(..), intent(in) :: source
            real(c_float), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_strided_double(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_double")
            import
            real(c_double), dimension(..) :: dest
            real(c_double), dimension(..), intent(in) :: source
            real(c_double), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_strided_complexf(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_complexf")
            import
            complex(c_float_complex), dimension(..) :: dest
            complex(c_float_complex), dimension(..), intent(in) :: source
            complex(c_float_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
        end subroutine
        subroutine shmemx_accumulate_strided_complexd(dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_accumulate_strided_complexd")
            import
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
    interface shmemx_ctx_accumulate_strided
        subroutine shmemx_ctx_accumulate_strided_int(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_int")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), intent(inout), optional :: handle
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
            integer(c_intptr_t), intent(inout), optional :: handle
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
            integer(c_intptr_t), intent(inout), optional :: handle
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
            integer(c_intptr_t), intent(inout), optional :: handle
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
            integer(c_intptr_t), intent(inout), optional :: handle
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
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface
    interface shmemx_ctx_accumulate_strided_nb
        subroutine shmemx_ctx_accumulate_strided_nb_int(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_int")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int), dimension(..), asynchronous :: dest
            integer(c_int), dimension(..), intent(in), asynchronous :: source
            integer(c_int), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_long(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_long")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_long), dimension(..), asynchronous :: dest
            integer(c_long), dimension(..), intent(in), asynchronous :: source
            integer(c_long), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_float(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_float")
            import
            integer(c_intptr_t), value :: ctx
            real(c_float), dimension(..), asynchronous :: dest
            real(c_float), dimension(..), intent(in), asynchronous :: source
            real(c_float), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_double(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_double")
            import
            integer(c_intptr_t), value :: ctx
            real(c_double), dimension(..), asynchronous :: dest
            real(c_double), dimension(..), intent(in), asynchronous :: source
            real(c_double), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_complexf(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_complexf")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_float_complex), dimension(..), asynchronous :: dest
            complex(c_float_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_float_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
        subroutine shmemx_ctx_accumulate_strided_nb_complexd(ctx, dest, source, alpha, dest_strides, &
                source_strides, counts, dims, pe, handle) bind(C, &
                name="sheaf_fortran_shmemx_ctx_accumulate_strided_nb_complexd")
            import
            integer(c_intptr_t), value :: ctx
            complex(c_double_complex), dimension(..), asynchronous :: dest
            complex(c_double_complex), dimension(..), intent(in), asynchronous :: source
            complex(c_double_complex), value :: alpha
            integer(c_ptrdiff_t), intent(in) :: dest_strides(*)
            integer(c_ptrdiff_t), intent(in) :: source_strides(*)
            integer(c_size_t), intent(in) :: counts(*)
            integer(c_int), value :: dims
            integer(c_int), value :: pe
            integer(c_intptr_t), intent(inout), optional :: handle
        end subroutine
    end interface

    ! Providers of atomic operations: extensions
    interface shmemx_atomics_declare
        function shmemx_atomics_declare_c(operations) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_atomics_declare")
            import
            character(kind=c_char, len=*), intent(in) :: operations
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_atomic_provider
        function shmemx_atomic_provider_c(operation, bytes, object, pe) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_atomic_provider")
            import
            character(kind=c_char, len=*), intent(in) :: operation
            integer(c_size_t), value :: bytes
            type(*), dimension(..), intent(in), optional :: object
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmemx_atomic_provider_i(operation, bytes, object, pe) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_atomic_provider_i")
            import
            character(kind=c_char, len=*), intent(in) :: operation
            integer(c_int), value :: bytes
            type(*), dimension(..), intent(in), optional :: object
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_ctx_atomic_provider
        function shmemx_ctx_atomic_provider_c(ctx, operation, bytes, object, &
                pe) result(answer) bind(C, name="sheaf_fortran_shmemx_ctx_atomic_provider")
            import
            integer(c_intptr_t), value :: ctx
            character(kind=c_char, len=*), intent(in) :: operation
            integer(c_size_t), value :: bytes
            type(*), dimension(..), intent(in), optional :: object
            integer(c_int), value :: pe
            integer(c_int) :: answer
        end function
        function shmemx_ctx_atomic_provider_i(ctx, operation, bytes, object, &
                pe) result(answer) bind(C, name="sheaf_fortran_shmemx_ctx_atomic_provider_i")
            import
            integer(c_intptr_t), value :: ctx
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
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_issued_read(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_issued_read")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_completed_write(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_completed_write")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_completed_read(ctx, cntr_value) bind(C, &
                name="shmemx_pcntr_get_completed_read")
            import
            integer(c_intptr_t), value :: ctx
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_completed_target(cntr_value) bind(C, &
                name="shmemx_pcntr_get_completed_target")
            import
            integer(c_int64_t), intent(out) :: cntr_value
        end subroutine
    end interface
    interface
        subroutine shmemx_pcntr_get_all(ctx, pcntr) bind(C, name="shmemx_pcntr_get_all")
            import
            integer(c_intptr_t), value :: ctx
            type(shmemx_pcntr_t), intent(out) :: pcntr
        end subroutine
    end interface

    ! External heap
    interface
        subroutine shmemx_heap_preinit() bind(C, name="shmemx_heap_preinit")
            import
        end subroutine
    end interface
    interface
        function shmemx_heap_preinit_thread(requested, provided) result(answer) bind(C, &
                name="shmemx_heap_preinit_thread")
            import
            integer(c_int), value :: requested
            integer(c_int), intent(out) :: provided
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_heap_create
        subroutine shmemx_heap_create(base, size, device_type, device_index) bind(C, &
                name="shmemx_heap_create")
            import
            type(c_ptr), value :: base
            integer(c_size_t), value :: size
            integer(c_int), value :: device_type
            integer(c_int), value :: device_index
        end subroutine
        subroutine shmemx_heap_create_i(base, size, device_type, device_index) bind(C, &
                name="sheaf_fortran_shmemx_heap_create_i")
            import
            type(c_ptr), value :: base
            integer(c_int), value :: size
            integer(c_int), value :: device_type
            integer(c_int), value :: device_index
        end subroutine
    end interface
    interface
        subroutine shmemx_heap_postinit() bind(C, name="shmemx_heap_postinit")
            import
        end subroutine
    end interface

    ! Memory spaces: extensions
    interface shmemx_space_create
        function shmemx_space_create_c(team, kind, size, space) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_create")
            import
            integer(c_intptr_t), value :: team
            character(kind=c_char, len=*), intent(in) :: kind
            integer(c_size_t), value :: size
            integer(c_intptr_t), intent(out) :: space
            integer(c_int) :: answer
        end function
        function shmemx_space_create_i(team, kind, size, space) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_create_i")
            import
            integer(c_intptr_t), value :: team
            character(kind=c_char, len=*), intent(in) :: kind
            integer(c_int), value :: size
            integer(c_intptr_t), intent(out) :: space
            integer(c_int) :: answer
        end function
    end interface
    interface
        subroutine shmemx_space_destroy(space) bind(C, name="shmemx_space_destroy")
            import
            integer(c_intptr_t), value :: space
        end subroutine
    end interface
    interface shmemx_space_malloc
        function shmemx_space_malloc(space, size) result(answer) bind(C, name="shmemx_space_malloc")
            import
            integer(c_intptr_t), value :: space
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_malloc_i(space, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_malloc_i")
            import
            integer(c_intptr_t), value :: space
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmemx_space_calloc
        function shmemx_space_calloc(space, count, size) result(answer) bind(C, &
                name="shmemx_space_calloc")
            import
            integer(c_intptr_t), value :: space
            integer(c_size_t), value :: count
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_calloc_i(space, count, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_calloc_i")
            import
            integer(c_intptr_t), value :: space
            integer(c_int), value :: count
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface shmemx_space_align
        function shmemx_space_align(space, alignment, size) result(answer) bind(C, &
                name="shmemx_space_align")
            import
            integer(c_intptr_t), value :: space
            integer(c_size_t), value :: alignment
            integer(c_size_t), value :: size
            type(c_ptr) :: answer
        end function
        function shmemx_space_align_i(space, alignment, size) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_space_align_i")
            import
            integer(c_intptr_t), value :: space
            integer(c_int), value :: alignment
            integer(c_int), value :: size
            type(c_ptr) :: answer
        end function
    end interface
    interface
        subroutine shmemx_space_free(space, ptr) bind(C, name="shmemx_space_free")
            import
            integer(c_intptr_t), value :: space
            type(c_ptr), value :: ptr
        end subroutine
    end interface

    ! Snapshots: extensions
    interface shmemx_snapshot
        function shmemx_snapshot_c(team, dir, tag) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_snapshot")
            import
            integer(c_intptr_t), value :: team
            character(kind=c_char, len=*), intent(in), optional :: dir
            character(kind=c_char, len=*), intent(in) :: tag
            integer(c_int) :: answer
        end function
    end interface
    interface shmemx_restore
        function shmemx_restore_c(team, dir, tag) result(answer) bind(C, &
                name="sheaf_fortran_shmemx_restore")
            import
            integer(c_intptr_t), value :: team
            character(kind=c_char, len=*), intent(in), optional :: dir
            character(kind=c_char, len=*), intent(in), optional :: tag
            integer(c_int) :: answer
        end function
    end interface

    ! Events and counters of the program: extensions
    interface shmemx_event_begin
        subroutine shmemx_event_begin_c(name) bind(C, name="sheaf_fortran_shmemx_event_begin")
            import
            character(kind=c_char, len=*), intent(in) :: name
        end subroutine
    end interface
    interface shmemx_event_end
        subroutine shmemx_event_end_c(name) bind(C, name="sheaf_fortran_shmemx_event_end")
            import
            character(kind=c_char, len=*), intent(in) :: name
        end subroutine
    end interface
    interface shmemx_event_counter
        subroutine shmemx_event_counter_c(name, value) bind(C, &
                name="sheaf_fortran_shmemx_event_counter")
            import
            character(kind=c_char, len=*), intent(in) :: name
            real(c_double), value :: value
        end subroutine
    end interface
end module shmem
