! SPDX-License-Identifier: BSD-3-Clause
!
! A token travels around all PEs: each adds its number to what its neighbour put, and passes it on.
!   ring [ROUNDS]
program ring
    use shmem
    use options, only: number_of, refuse
    implicit none
    integer(8), save :: token = 0, arrived = 0
    integer(8) :: seen, expected
    integer :: me, pes, round, rounds

    call shmem_init()
    me = shmem_my_pe()
    pes = shmem_n_pes()
    rounds = number_of(1, 10, 'ROUNDS', 1)
    do round = 1, rounds
        if (me > 0 .or. round > 1) seen = shmem_signal_wait_until(arrived, SHMEM_CMP_GE, int(merge(round - 1, round, &
            me == 0), 8))
        call pass_on()
    end do
    if (me == 0) then
        seen = shmem_signal_wait_until(arrived, SHMEM_CMP_GE, int(rounds, 8))
        expected = int(rounds, 8) * pes * (pes - 1) / 2
        if (token /= expected) call refuse('the token is wrong')
        print '(a, i0, a, i0, a)', 'token ', token, ' after ', rounds, ' rounds: right'
    end if
    call shmem_finalize()

contains

    subroutine pass_on()
        integer(8) :: next_token(1)
        next_token = token + me
        call shmem_put_signal(token, next_token, 1, arrived, 1_8, SHMEM_SIGNAL_ADD, modulo(me + 1, pes))
    end subroutine
end program
