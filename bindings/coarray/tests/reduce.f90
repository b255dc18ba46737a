! SPDX-License-Identifier: BSD-3-Clause
! CO_REDUCE, with functions of all kinds; coarrays within CHANGE TEAM.
module functions
  use, intrinsic :: iso_fortran_env
  implicit none
  type four
    real(real64) :: a(4)
  end type
contains
  pure integer function product_of(a, b)
    integer, intent(in) :: a, b
    product_of = a*b
  end function
  pure real(real64) function larger(a, b)
    real(real64), intent(in) :: a, b
    larger = max(a, b)
  end function
  pure type(four) function sum_of(a, b)
    type(four), intent(in) :: a, b
    sum_of%a = a%a + b%a
  end function
  pure character(3) function later(a, b)
    character(3), intent(in) :: a, b
    later = max(a, b)
  end function
  pure logical function both(a, b)
    logical, intent(in) :: a, b
    both = a .and. b
  end function
  pure integer(int8) function by_value(a, b)
    integer(int8), value, intent(in) :: a, b
    by_value = max(a, b)
  end function
end module

program reduce
  use functions
  implicit none
  integer :: me, n, i
  real(real64) :: x(3), many(40000)
  integer(int8) :: small
  character(3) :: three
  logical :: yes
  type(four) :: f
  type(team_type) :: half
  integer :: mine[*]
  integer, allocatable :: inner(:)[:]

  me = this_image()
  n = num_images()
  i = me
  call co_reduce(i, product_of)
  call check('co_reduce', i == product([(i, i = 1, n)]))
  x = real(me, real64)
  call co_reduce(x, larger)
  call check('co_reduce of an array', all(x == n))
  yes = me /= 1
  call co_reduce(yes, both)
  call check('co_reduce of logicals', .not. yes)
  small = int(me, int8)
  call co_reduce(small, by_value)
  call check('co_reduce by value', small == n)

  f%a = [1, 2, 3, 4]*me
  call co_reduce(f, sum_of)
  call check('co_reduce of a structure', all(f%a == [1, 2, 3, 4]*(n*(n + 1)/2)))
  three = achar(iachar('a') + me)//'zz'
  call co_reduce(three, later)
  call check('co_reduce of characters', three == achar(iachar('a') + n)//'zz')

  many = [(real(i*me, real64), i = 1, size(many))]
  call co_reduce(many, larger)
  call check('co_reduce of many', all(many == [(real(i*n, real64), i = 1, size(many))]))
  do i = 1, 100
    x = me*i
    call co_reduce(x, larger, result_image=1 + mod(i, n))
    if (me == 1 + mod(i, n)) call check('co_reduce to one', all(x == n*i))
  end do

  ! Teams: odd and even images.
  mine = 10*me
  sync all
  form team (2 - mod(me, 2), half)
  change team (half)
    i = this_image()
    call co_reduce(i, product_of)
    call check('co_reduce in a team', i == product([(i, i = 1, num_images())]))
    call check('image 1 of the team', mine[1] == 10*(2 - mod(me, 2)))
    allocate (inner(2*team_number())[*])
    inner = this_image()
    sync all
    call check('allocated in the team', inner(1)[num_images()] == num_images())
  end team
  i = me
  call co_reduce(i, product_of)
  call check('co_reduce after a team', i == product([(i, i = 1, n)]))
  sync all
  if (me == 1) print '(a)', 'reduce: good'
contains
  include 'check.inc'
end program
