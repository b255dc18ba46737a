! SPDX-License-Identifier: BSD-3-Clause
! Reads and writes of coarrays: scalars, sections, strides, vector subscripts, kinds, characters, types.
program transfers
  use, intrinsic :: iso_fortran_env
  implicit none
  type point
    integer :: n
    real(real64) :: at(3)
  end type
  integer :: me, next, last, i, v(3)
  integer :: scalar[*], row(10)[*], plane(0:3, 2:5)[*]
  integer(int8) :: tiny(4)[*]
  real(real64) :: wide(4)[*]
  complex(real32) :: z(1)[*]
  logical(1) :: flag[*]
  character(6) :: word[*], words(3)[*]
  type(point) :: p[*], ps(4)[*]
  real, allocatable :: a(:,:)[:]
  integer, allocatable :: n[:]
  integer :: got(10), grid(2, 2), few(2)
  complex(real64) :: zz(1)
  character(3) :: short
  character(9) :: long
  type(point) :: q

  me = this_image()
  next = mod(me, num_images()) + 1
  last = mod(me + num_images() - 2, num_images()) + 1
  scalar = me
  row = [(me*100 + i, i = 1, 10)]
  plane = reshape([(me*1000 + i, i = 0, 15)], [4, 4])
  sync all

  call check('scalar', scalar[next] == next)
  got = row(:)[next]
  call check('whole', all(got == [(next*100 + i, i = 1, 10)]))
  got(1:5) = row(10:2:-2)[next]
  call check('backwards', all(got(1:5) == next*100 + [10, 8, 6, 4, 2]))
  got(1:9:4) = row(2:4)[next]
  call check('strided here', all(got(1:9:4) == next*100 + [2, 3, 4]))
  v = [7, 1, 7]
  got(1:3) = row(v)[next]
  call check('vector', all(got(1:3) == next*100 + v))
  grid = plane(1:3:2, 3:5:2)[next]
  call check('plane', all(grid == next*1000 + reshape([5, 7, 13, 15], [2, 2])))
  few = [0, 3]
  got(1:2) = plane(few, 4)[next]
  call check('vector of a plane', all(got(1:2) == next*1000 + [8, 11]))
  got(1:4) = plane(2, :)[next]
  call check('row of a plane', all(got(1:4) == next*1000 + [2, 6, 10, 14]))
  call check('an expression', sum(row(1:3)[next]) == 300*next + 6)
  got(1:0) = row(1:0)[next]
  got(1:0) = row(v(1:0))[next]
  sync all

  ! Writes to the next image.
  scalar[next] = me
  row(3)[next] = -me
  row(5:9:2)[next] = [1, 2, 3]
  few = [10, 1] ! gfortran 15 and 16 cannot compile a vector subscript that is a constructor
  row(few)[next] = [4, 5]
  row(few(1:0))[next] = got(1:0)
  plane(0, :)[next] = me
  plane(1:2, 2:3)[next] = reshape([1, 2, 3, 4], [2, 2])
  sync all
  call check('written scalar', scalar == last)
  call check('written elements', all(row == [5, me*100 + 2, -last, me*100 + 4, 1, me*100 + 6, 2, me*100 + 8, 3, 4]))
  call check('written row', all(plane(0, :) == last))
  call check('written block', all(plane(1:2, 2:3) == reshape([1, 2, 3, 4], [2, 2])))
  call check('not written', plane(3, 5) == me*1000 + 15)
  sync all
  scalar[next] = 1
  i = scalar[next] ! in an assignment to another image gfortran 15 would read this one's own
  scalar[next] = i + 1
  call check('a write is read', scalar[next] == 2)
  sync all
  row(2:10)[me] = row(1:9)
  sync all
  call check('to itself, with overlap', all(row == [5, 5, me*100 + 2, -last, me*100 + 4, 1, me*100 + 6, 2, me*100 + 8, 3]))
  sync all
  if (me == 1) row(1:2)[num_images()] = row(9:10)[num_images()]
  sync all
  if (me == num_images()) call check('from one image to another', all(row(1:2) == [me*100 + 8, 3]))

  ! Kinds and types.
  tiny = 0
  wide = 0
  z = (0, 0)
  flag = .false.
  sync all
  tiny(:)[next] = [1_int64, -2_int64, 3_int64, 100_int64]
  wide(2:3)[next] = [7, 8]
  wide(1)[next] = 0.5
  z(1:1)[next] = me
  flag[next] = .true.
  sync all
  call check('to int8', all(tiny == [1, -2, 3, 100]))
  call check('integers to real64', all(wide == [0.5d0, 7d0, 8d0, 0d0]))
  call check('integer to complex', z(1) == cmplx(last))
  call check('logical', logical(flag))
  got(1:4) = tiny(:)[next]
  call check('from int8', all(got(1:4) == [1, -2, 3, 100]))
  i = wide(3)[next]
  call check('real64 to integer', i == 8)
  zz = z(1:1)[next]
  call check('complex to wider', zz(1) == cmplx(me, kind=real64))

  word = 'start'
  words = 'none'
  sync all
  word[next] = 'abcdefgh'
  words(2:3)[next] = ['xy', 'zz']
  words(1)[next] = achar(64 + size(words))
  sync all
  call check('characters', word == 'abcdef')
  call check('arrays of characters', all(words == ['C     ', 'xy    ', 'zz    ']))
  short = word[next]
  long = word[next]
  call check('cut', short == 'abc')
  call check('blanks', long == 'abcdef   ')

  p = point(me, [1d0, 2d0, 3d0]*me)
  do i = 1, 4
    ps(i) = point(i*me, real(i, real64))
  end do
  sync all
  q = p[next]
  call check('structure', q%n == next .and. all(q%at == [1d0, 2d0, 3d0]*next))
  call check('component', p[next]%n == next)
  call check('component of an element', ps(3)[next]%n == 3*next)
  call check('array component', all(p[next]%at == [1d0, 2d0, 3d0]*next))
  call check('section of a component', all(p[next]%at(3:1:-2) == [3d0, 1d0]*next))
  got(1:4) = ps(:)[next]%n
  call check('component of all elements', all(got(1:4) == next*[1, 2, 3, 4]))
  sync all
  p[next]%n = -1
  p[next]%at(2) = 8
  ps(1:3:2)[next]%n = [5, 6]
  ps(4)[next] = point(9, 9d0)
  sync all
  call check('written components', p%n == -1 .and. p%at(2) == 8 .and. p%at(1) == me)
  call check('written component of a section', all(ps%n == [5, 2*me, 6, 9]))

  ! Allocated ones.
  allocate (a(5, -1:2)[*], n[*])
  n = me
  a = me
  a(5, 2) = 0.25
  sync all
  call check('allocated scalar', n[next] == next)
  call check('allocated element', a(5, 2)[next] == 0.25)
  a(2:3, 0)[next] = [1, 2]
  sync all
  call check('written to allocated', all(a(:, 0) == [real(me), 1., 2., real(me), real(me)]))
  deallocate (a, n)
  allocate (a(2, 2)[*])
  a = 1
  deallocate (a)
  sync all
  if (me == 1) print '(a)', 'transfers: good'
contains
  include 'check.inc'
end program
