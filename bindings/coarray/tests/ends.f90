! SPDX-License-Identifier: BSD-3-Clause
! Mistakes with coarrays, by the first argument; IMAGE_STATUS and STOPPED_IMAGES.
program ends
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: status
  integer :: row(4)[*]
  character(8) :: names(2)[*]
  type(lock_type) :: door[*]
  type(event_type) :: bell[*]
  character(20) :: how
  integer, allocatable :: a(:)[:], b(:)[:]
  type(event_type), allocatable :: bells(:)[:]
  type(lock_type), allocatable :: doors(:)[:]
  type shape
    integer :: n
  end type
  type box
    class(shape), allocatable :: of
  end type
  type(box) :: boxes[*]

  call get_command_argument(1, how)
  select case (how)
  case ('stopped')
    if (this_image() == 2) stop
    sync all (stat=status)
    if (image_status(2) /= stat_stopped_image) error stop 'image_status'
    if (all(stopped_images() /= 2)) error stop 'stopped_images'
    if (this_image() == 1) print '(a)', 'told'
  case ('event')
    event wait (bell)
  case ('no-event')
    event post (bells(1)[1])
  case ('no-lock')
    lock (doors(1)[1])
  case ('sizes')
    allocate (a(10*this_image())[*])
  case ('calls')
    if (this_image() == 1) then
      call co_sum(status)
    else
      sync all
    end if
  case ('image')
    call write_to(num_images() + 1, 1)
  case ('zero')
    call write_to(0, 1)
  case ('negative')
    call write_to(-1, 1)
  case ('no-coarray')
    a(1)[1] = 1
  case ('bounds')
    if (this_image() == 1) call write_to(1, 5)
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
  case ('substring')
    names(1)[1](2:3) = 'ab'
  case ('expression')
    names(1)[1] = how // 'b' ! of a length that gfortran 16 knows: 16.2 ends by an error otherwise
  case ('class')
    allocate (boxes%of)
  case default
    error stop 'which?'
  end select
contains
  subroutine write_to(image, at)
    integer, intent(in) :: image, at
    row(at)[image] = 1
  end subroutine
end program
