! SPDX-License-Identifier: BSD-3-Clause
!
! As production codes have it: MPI and OpenSHMEM in one program, by a module of its own over the C interface.
module c_shmem
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        subroutine shmem_init() bind(C)
        end subroutine
        subroutine shmem_finalize() bind(C)
        end subroutine
        subroutine shmem_barrier_all() bind(C)
        end subroutine
        integer(c_int) function shmem_my_pe() bind(C)
            import
        end function
        integer(c_int) function shmem_n_pes() bind(C)
            import
        end function
        type(c_ptr) function shmem_malloc(size) bind(C)
            import
            integer(c_size_t), value :: size
        end function
        subroutine shmem_double_put(dest, source, nelems, pe) bind(C)
            import
            real(c_double) :: dest(*)
            real(c_double), intent(in) :: source(*)
            integer(c_size_t), value :: nelems
            integer(c_int), value :: pe
        end subroutine
    end interface
end module

program own_module
    use c_shmem
    use mpi
    implicit none
    real(c_double), pointer :: field(:)
    real(c_double) :: mine(4), total
    integer :: error, me, all

    call MPI_Init(error)
    call shmem_init()
    me = shmem_my_pe()
    all = shmem_n_pes()
    call c_f_pointer(shmem_malloc(32_c_size_t), field, [4])
    mine = me
    call shmem_barrier_all()
    call shmem_double_put(field, mine, 4_c_size_t, modulo(me + 1, all))
    call shmem_barrier_all()
    if (any(field /= modulo(me - 1, all))) error stop 'wrong put'
    call MPI_Allreduce(field(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (total /= all * (all - 1) / 2) error stop 'wrong sum'
    call shmem_finalize()
    call MPI_Finalize(error)
end program
