! SPDX-License-Identifier: BSD-3-Clause
! Coarrays and OpenSHMEM in one program: image i is PE i - 1.
program both
  use shmem
  implicit none
  integer :: image[*]
  integer, save :: from_before = -1
  image = 10*this_image()
  if (shmem_my_pe() /= this_image() - 1 .or. shmem_n_pes() /= num_images()) error stop 'numbers'
  sync all
  call shmem_p(from_before, image, modulo(this_image(), num_images()))
  call shmem_barrier_all()
  if (from_before /= image[modulo(this_image() - 2, num_images()) + 1]) error stop 'value'
  if (this_image() == 1) print '(a)', 'both: good'
end program
