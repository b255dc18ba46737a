! SPDX-License-Identifier: BSD-3-Clause
! How images end, by the first argument; and mistakes.
program ends
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: status, i
  integer :: row(4)[*]
  type(lock_type) :: door[*]
  type(event_type) :: bell[*]
  character(20) :: how
  integer, allocatable :: a(:)[:], b(:)[:]

  call get_command_argument(1, how)
  select case (how)
  case ('end')
    print '(a)', 'held back until the end'
  case ('stop')
    if (this_image() == 2) stop 7
  case ('stopped') ! the others go on, and are told
    if (this_image() == 2) stop
    do i = 1, 3
      sync all (stat=status)
      if (status /= stat_stopped_image) error stop 'no stat_stopped_image'
    end do
    if (this_image() == 1) sync images (2, stat=status)
    if (status /= stat_stopped_image) error stop 'nor from sync images'
    if (image_status(2) /= stat_stopped_image) error stop 'image_status'
    if (all(stopped_images() /= 2)) error stop 'stopped_images'
    if (this_image() == 1) print '(a)', 'told'
  case ('not-asked')
    if (this_image() == 2) stop
    sync all
  case ('error')
    print '(a)', 'written before'
    if (this_image() == 2) error stop 9
    sync all
  case ('text')
    if (this_image() == 1) error stop 'the grid is too small'
    sync all
  case ('fail')
    if (this_image() == 2) fail image
    sync all
  case ('image')
    call write_to(num_images() + 1, 1)
  case ('zero')
    call write_to(-1, 1)
  case ('bounds')
    if (this_image() == 1) call write_to(1, 5)
    sync all
  case ('twice')
    if (this_image() == 1) sync images ([2, 2])
    sync all
  case ('lock')
    lock (door[1])
    lock (door[1])
  case ('unlock')
    if (this_image() == 1) lock (door[1])
    sync all
    if (this_image() == 2) unlock (door[1])
    sync all
  case ('order')
    allocate (a(3)[*], b(4)[*])
    if (this_image() == 1) then
      deallocate (a)
    else
      deallocate (b)
    end if
  case ('source')
    i = 1
    call co_broadcast(i, num_images() + 1)
  case ('waits')
    if (this_image() > 1) sync images (1)
    if (this_image() == 1) event wait (bell)
  case default
    error stop 'which?'
  end select
contains
  subroutine write_to(image, at)
    integer, intent(in) :: image, at
    row(at)[image] = 1
  end subroutine
end program
