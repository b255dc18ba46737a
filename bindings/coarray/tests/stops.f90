! SPDX-License-Identifier: BSD-3-Clause
! How images end, by the first argument; and mistakes in SYNC statements and collective subroutines.
program stops
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: status, i
  character(20) :: how

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
    if (this_image() == 1) print '(a)', 'told'
  case ('met') ! it came before it stopped
    if (this_image() == 2) then
      sync images (1)
      stop
    end if
    sync images (2, stat=status)
    if (status /= 0) error stop 'image 2 had come'
    print '(a)', 'met'
  case ('failed') ! statements with stat= and the end go on without the dead
    do i = 1, 50
      if (this_image() <= 2) sync images (3 - this_image())
    end do
    if (this_image() == 2) fail image
    status = stat_failed_image
    if (this_image() == 1) sync images (2, stat=status)
    if (status /= stat_failed_image) error stop 'no stat_failed_image'
    do i = 1, 2
      sync all (stat=status)
      if (status /= stat_failed_image) error stop 'nor from sync all'
    end do
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
  case ('twice')
    if (this_image() == 1) sync images ([2, 2])
    sync all
  case ('source')
    i = 1
    call co_broadcast(i, num_images() + 1)
  case ('waits')
    if (this_image() > 1) sync images (1)
    sync all
  case default
    error stop 'which?'
  end select
end program
