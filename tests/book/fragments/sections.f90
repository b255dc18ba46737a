! SPDX-License-Identifier: BSD-3-Clause
!
! The fragments of docs/do/fortran.md: a row of an array by strides, by iput, and by a copy.
program sections
    use shmem
    use iso_c_binding
    implicit none
    real(8) :: row(3) = [1, 2, 3]
    integer :: pe

    call shmem_init()
    pe = modulo(shmem_my_pe() + 1, shmem_n_pes())
    call strides()
    call sections_of(3)
    call shmem_finalize()

contains

    subroutine strides()
        real(8), save :: a(4, 3)
        call shmemx_putmem_strided(a(2, 1), row, [32_c_ptrdiff_t], [8_c_ptrdiff_t], [8_c_size_t, 3_c_size_t], 2, pe)
        call shmem_barrier_all()
        if (any(a(2, :) /= row) .or. sum(a) /= 6) error stop 'a row by strides'
    end subroutine

    subroutine sections_of(n)
        integer, intent(in) :: n
        real(8), save :: a(4, 3) = 0, column(4) = [4, 5, 6, 7]
        call shmem_iput(a, row, 4, 1, n, pe)          ! to a(1, :) of an array with 4 rows
        call shmem_put(a(1, 2), column, n, pe)        ! an element stands for all that follows it
        call shmem_put(column, (a(2, :)), n, pe)      ! parentheses make a copy: for a source, in a call that is not nonblocking
        call shmem_barrier_all()
        if (a(1, 1) /= 1 .or. a(1, 3) /= 3) error stop 'a row by iput'
    end subroutine
end program
