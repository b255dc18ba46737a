! SPDX-License-Identifier: BSD-3-Clause
!
! The command line, the same on all PEs: what is wrong with it is said once, by PE 0, and all end with status 1.
module options
    use shmem
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    private
    public :: number_of, refuse

contains

    ! All PEs call it.
    subroutine refuse(text)
        character(len=*), intent(in) :: text
        if (shmem_my_pe() == 0) then
            write (error_unit, '(a)') text
            call shmem_global_exit(1)
        end if
        call shmem_barrier_all()
    end subroutine

    ! The argument in a place, which is least or more; otherwise where there is none.
    integer function number_of(place, otherwise, name, least) result(number)
        integer, intent(in) :: place, otherwise, least
        character(len=*), intent(in) :: name
        character(len=32) :: text
        integer :: status
        number = otherwise
        if (command_argument_count() < place) return
        call get_command_argument(place, text)
        read (text, '(i32)', iostat=status) number
        if (status /= 0 .or. verify(trim(text), '0123456789') /= 0 .or. number < least) then
            write (text(25:), '(i0)') least
            call refuse(name // ' is ' // trim(text(:24)) // ': expected a number from ' // trim(text(25:)) // ' on')
        end if
    end function
end module
