! SPDX-License-Identifier: BSD-3-Clause
! What statements of coarrays take, between images 1 and 2. The argument is the largest halo, in bytes.
program accesses
  use, intrinsic :: iso_fortran_env
  implicit none
  integer, parameter :: most = 512*1024, apart = 16 ! elements; those of the halo lie so many apart
  integer, parameter :: sizes(7) = [1, 8, 64, 512, 4096, 32768, most]
  real(real64), allocatable :: a(:)[:], halo(:, :)[:], mine(:)
  type(event_type), allocatable :: there[:]
  integer(int64) :: rate
  integer :: me

  call system_clock(count_rate=rate)
  me = this_image()
  allocate (a(most)[*], halo(apart, most)[*], mine(most), there[*])
  a = me
  halo = me
  mine = 0
  call rows()
contains
  include 'rows.inc'

  subroutine meet()
    sync all
  end subroutine

  subroutine agree(number)
    real(real64), intent(inout) :: number
    call co_broadcast(number, 1)
  end subroutine

  real(real64) function time_of(name, n, count)
    character(*), intent(in) :: name
    integer, intent(in) :: n, count
    integer(int64) :: begin, end
    integer :: k
    logical :: is_first
    is_first = me == 1
    call system_clock(begin)
    select case (name)
    case ('put')
      if (n == 1 .and. is_first) then
        do k = 1, count
          a(1)[2] = mine(1)
        end do
      else if (is_first) then
        do k = 1, count
          a(1:n)[2] = mine(1:n)
        end do
      end if
    case ('get')
      if (n == 1 .and. is_first) then
        do k = 1, count
          mine(1) = a(1)[2]
        end do
      else if (is_first) then
        do k = 1, count
          mine(1:n) = a(1:n)[2]
        end do
      end if
    case ('halo-put')
      do k = 1, merge(count, 0, is_first)
        halo(1, 1:n)[2] = mine(1:n)
      end do
    case ('halo-get')
      do k = 1, merge(count, 0, is_first)
        mine(1:n) = halo(1, 1:n)[2]
      end do
    case ('sync-all')
      do k = 1, count
        sync all
      end do
    case ('sync-images')
      do k = 1, count
        sync images (3 - me)
      end do
    case ('event')
      do k = 1, count
        if (is_first) event post (there[2])
        event wait (there)
        if (.not. is_first) event post (there[1])
      end do
    case ('co_sum')
      do k = 1, count
        call co_sum(mine(1:n))
      end do
    end select
    sync memory
    call system_clock(end)
    time_of = real(end - begin, real64)/rate
  end function
end program
