! SPDX-License-Identifier: BSD-3-Clause
! Image 2 reads what image 1 writes, and only with an argument is a SYNC between the two.
program unordered
  implicit none
  integer :: x(10)[*], i, j
  x = 0
  sync all
  do j = 1, 100
    if (this_image() == 1) x(3)[2] = j
    if (command_argument_count() > 0) sync all
    if (this_image() == 2) i = x(3)
    sync all
    if (this_image() == 2) i = i + x(4)[1]
    sync all
  end do
  if (this_image() == 2) print '(i0, a)', i, ': good'
end program
