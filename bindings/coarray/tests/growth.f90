! SPDX-License-Identifier: BSD-3-Clause
! Coarrays of 4 to 132 MiB, two at a time, allocated and deallocated 1,000 times: the memory that this image has stays.
program growth
  use, intrinsic :: iso_fortran_env
  implicit none
  integer, parameter :: page = 4096
  integer :: i, next, j
  integer(int64) :: size_of, before, after, total
  integer(int8), allocatable :: a(:)[:], b(:)[:]

  next = mod(this_image(), num_images()) + 1
  total = 0
  before = 0
  do i = 1, 1000
    size_of = 1048576_int64*(4 + modulo(37*i, 129))
    allocate (a(size_of)[*], b(size_of/2)[*])
    total = total + size_of + size_of/2
    do j = 1, 32 ! a page each, over all of the array
      a(1 + (size_of - page)/32*j) = int(j, int8)
    end do
    b(size_of/2)[next] = int(modulo(i, 100), int8)
    sync all
    if (b(size_of/2) /= modulo(i, 100)) error stop 'value'
    if (modulo(i, 2) == 0) then
      deallocate (a, b)
    else
      deallocate (b)
      deallocate (a)
    end if
    if (i == 200) before = resident()
  end do
  after = resident()
  if (after > before + 4096) then
    print '(2(a, i0), a)', 'wrong: ', before, ' KiB after 200 times, ', after, ' after 1,000'
    error stop 2
  end if
  sync all
  if (this_image() == 1) print '(a, i0, a)', 'growth of ', total/1048576/1024, ' GiB: good'
contains
  integer(int64) function resident() ! KiB
    character(80) :: line
    integer :: unit, status
    resident = -1
    open (newunit=unit, file='/proc/self/status', action='read')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (line(1:6) == 'VmRSS:') read (line(7:index(line, 'kB') - 1), *) resident
    end do
    close (unit)
    if (resident < 0) error stop 'no VmRSS'
  end function
end program
