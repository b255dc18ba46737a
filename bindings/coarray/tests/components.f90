! SPDX-License-Identifier: BSD-3-Clause
! Allocatable components of coarrays: each image allocates its own, of its own size.
program components
  implicit none
  type inner
    integer :: k(4, 5)
    real(8) :: z
  end type
  type deep
    integer, allocatable :: alone(:)
  end type
  type outer
    integer :: n
    character(12) :: name
    real, allocatable :: list(:)
    integer, allocatable :: single
    type(inner), allocatable :: parts(:)
    type(inner) :: fixed(3)
    integer, allocatable :: alone(:)
    type(deep), allocatable :: nested(:)
  end type
  type plain ! its component's component has a token that gfortran 12 does not set
    integer :: n = 0
    type(deep) :: below, row(2)
  end type
  type(outer) :: c[*], many(2:4)[*]
  type(plain) :: p[*]
  type(outer), allocatable :: late(:)[:]
  integer :: me, next, i, got(4)
  real(8) :: y(3)

  me = this_image()
  next = mod(me, num_images()) + 1
  call check('not allocated yet', .not. allocated(c%list))
  sync all
  call check('nor there', .not. allocated(c[next]%list))
  sync all
  allocate (c%list(2*me), c%single, c%parts(-1:1))
  c%list = [(me*10. + i, i = 1, 2*me)]
  c%single = me
  do i = -1, 1
    c%parts(i)%z = me + i/4d0
    c%parts(i)%k = i
  end do
  do i = 1, 3
    c%fixed(i)%k = reshape([(100*i + me, me = 1, 20)], [4, 5])
  end do
  me = this_image()
  sync all
  call check('allocated there', allocated(c[next]%list) .and. allocated(c[next]%single))
  call check('element', c[next]%list(2) == next*10 + 2)
  call check('last element', c[next]%list(2*next) == next*12)
  call check('scalar', c[next]%single == next)
  y = c[next]%parts(:)%z
  call check('component of a component', all(y == next + [-0.25d0, 0d0, 0.25d0]))
  y(1:2) = c[next]%parts(0:1)%z
  call check('section of it', all(y(1:2) == next + [0d0, 0.25d0]))
  call check('deep element', c[next]%parts(1)%k(2, 3) == 1)
  got = c[next]%fixed(2)%k(:, 3)
  call check('constant bounds', all(got == 200 + [9, 10, 11, 12]))
  call check('its element', c[next]%fixed(3)%k(4, 5) == 320)
  sync all
  c[next]%list(1) = -me
  c[next]%single = 100*me
  c[next]%parts(-1)%z = 7
  sync all
  call check('written element', nint(c%list(1)) == -merge(num_images(), me - 1, me == 1))
  call check('written scalar', c%single == 100*merge(num_images(), me - 1, me == 1))
  call check('written deep', c%parts(-1)%z == 7)
  sync all
  deallocate (c%list)
  allocate (c%list(1000))
  c%list = me
  sync all
  call check('allocated again', c[next]%list(1000) == next)
  sync all
  if (me == 1) then ! an assignment allocates it, on this image alone
    c%alone = [1, 2, 3]
    c%alone = [4, 5, 6, 7]
    allocate (c%nested(2))
    c%nested(2)%alone = [8, 9]
  end if
  allocate (p%below%alone(me + 1), p%row(2)%alone(2))
  p%below%alone = me
  p%row(2)%alone = [me, -me]
  p%row(1)%alone = [7, me]
  sync all
  call check('in a plain structure', p[next]%below%alone(next + 1) == next)
  call check('in an array of them', p[next]%row(2)%alone(2) == -next .and. p[next]%row(1)%alone(2) == next)
  sync all
  deallocate (p%below%alone)
  allocate (p%below%alone(3))
  p%below%alone = -me
  sync all
  call check('in a plain structure again', p[next]%below%alone(3) == -next)
  sync all
  call check('allocated by one image', c[1]%alone(4) == 7 .and. c[1]%nested(2)%alone(2) == 9)
  sync all

  allocate (late(5)[*])
  allocate (late(2)%list(3), late(4)%single)
  late(2)%list = me
  late(4)%single = -me
  many(3)%n = me
  allocate (many(3)%list(2))
  many(3)%list = [me, -me]
  sync all
  call check('of an allocated array', all(late(2)[next]%list == next))
  call check('scalar of it', late(4)[next]%single == -next)
  call check('not allocated element', .not. allocated(late(1)[next]%list))
  call check('of an array', many(3)[next]%n == next .and. many(3)[next]%list(2) == -next)
  sync all
  deallocate (late)
  c%name = 'nobody of all'
  sync all
  c[next]%name = 'abc'
  sync all
  call check('characters, with blanks behind', c%name == 'abc')
  if (me == 1) print '(a)', 'components: good'
contains
  include 'check.inc'
end program
