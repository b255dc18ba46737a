! SPDX-License-Identifier: BSD-3-Clause
!
! What one call costs in Fortran, PE 0 to PE 1, in nanoseconds: a line for each batch.
#define MEASURE(NAME,CALL) do k = 1, batches; begun = now(); do i = 1, calls; CALL; end do; call show(NAME); end do
program main
    use shmem
    implicit none
    integer, parameter :: calls = 5000, batches = 40
    real(8), save :: target, word, targets(1), words(1)
    integer(8), save :: counter, before
    integer(8) :: begun
    integer :: i, k

    call shmem_init()
    if (shmem_my_pe() == 0) then
        MEASURE('p', call shmem_p(target, word, 1))
        MEASURE('g', word = shmem_g(target, 1))
        MEASURE('put of an element', call shmem_put(target, word, 1, 1))
        MEASURE('put of an array of one', call shmem_put(targets, words, 1, 1))
        MEASURE('get of an element', call shmem_get(word, target, 1, 1))
        MEASURE('get of an array of one', call shmem_get(words, targets, 1, 1))
        MEASURE('atomic add', call shmem_atomic_add(counter, 1_8, 1))
        MEASURE('fetch and add', before = shmem_atomic_fetch_add(counter, 1_8, 1))
    end if
    call shmem_barrier_all()
    MEASURE('barrier', call shmem_barrier_all())
    call shmem_finalize()

contains

    integer(8) function now()
        call system_clock(now)
    end function

    subroutine show(name)
        character(len=*), intent(in) :: name
        integer(8) :: ended, each_second
        ended = now()
        call system_clock(count_rate=each_second)
        if (shmem_my_pe() == 0) print '(4a, f0.2)', 'Fortran', achar(9), name, achar(9), &
            1d9 * real(ended - begun, 8) / real(each_second, 8) / calls
    end subroutine
end program
