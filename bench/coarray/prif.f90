! SPDX-License-Identifier: BSD-3-Clause
! What procedures of PRIF take, between images 1 and 2: what a compiler would make of the statements of accesses.f90. The
! argument is the largest halo, in bytes.
program calls
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64, output_unit
  use prif
  implicit none
  integer, parameter :: most = 512*1024, apart = 16 ! elements; those of the halo lie so many apart
  integer, parameter :: sizes(7) = [1, 8, 64, 512, 4096, 32768, most]
  type(prif_coarray_handle) :: a, halo, there
  type(c_ptr) :: event, place
  real(real64), allocatable, target :: mine(:)
  integer(int64), pointer :: posts
  integer(int64) :: rate
  integer(c_int) :: me, status

  call prif_init(status)
  call prif_this_image_no_coarray(this_image=me)
  call system_clock(count_rate=rate)
  call new(8*most, a, place)
  call new(8*most*apart, halo, place)
  call new(8, there, event)
  call c_f_pointer(event, posts)
  posts = 0
  allocate (mine(most))
  mine = 0
  call meet()
  call rows()
  call prif_stop(quiet=.true._c_bool)
contains
  include 'rows.inc'

  subroutine new(bytes, handle, at)
    integer, intent(in) :: bytes
    type(prif_coarray_handle), intent(out) :: handle
    type(c_ptr), intent(out) :: at
    procedure(prif_coarray_cleanup_interface), pointer :: none
    none => null()
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], int(bytes, c_size_t), none, handle, at)
  end subroutine

  subroutine meet()
    call prif_sync_all()
  end subroutine

  subroutine agree(number)
    real(real64), intent(inout) :: number
    call prif_co_broadcast(number, 1_c_int)
  end subroutine

  real(real64) function time_of(name, n, count)
    character(*), intent(in) :: name
    integer, intent(in) :: n, count
    integer(c_ptrdiff_t), parameter :: far(1) = 8*apart, near(1) = 8
    integer(c_int), parameter :: two = 2
    integer(int64) :: begin, end
    integer(c_size_t) :: bytes, extent(1)
    type(c_ptr) :: from
    integer :: k, ahead
    bytes = 8*n
    extent = n
    from = c_loc(mine)
    ahead = merge(count, 0, me == 1) ! repetitions of what image 1 does alone
    call system_clock(begin)
    select case (name)
    case ('put')
      do k = 1, ahead
        call prif_put(two, a, 0_c_size_t, from, bytes)
      end do
    case ('get')
      do k = 1, ahead
        call prif_get(two, a, 0_c_size_t, from, bytes)
      end do
    case ('halo-put')
      do k = 1, ahead
        call prif_put_strided(two, halo, 0_c_size_t, far, from, near, 8_c_size_t, extent)
      end do
    case ('halo-get')
      do k = 1, ahead
        call prif_get_strided(two, halo, 0_c_size_t, far, from, near, 8_c_size_t, extent)
      end do
    case ('sync-all')
      do k = 1, count
        call prif_sync_all()
      end do
    case ('sync-images')
      do k = 1, count
        call prif_sync_images([3_c_int - me])
      end do
    case ('event')
      do k = 1, count
        if (me == 1) call prif_event_post(two, there, 0_c_size_t)
        call prif_event_wait(event)
        if (me == 2) call prif_event_post(1_c_int, there, 0_c_size_t)
      end do
    case ('co_sum')
      do k = 1, count
        call prif_co_sum(mine(1:n))
      end do
    end select
    call prif_sync_memory()
    call system_clock(end)
    time_of = real(end - begin, real64)/rate
  end function
end program
