! SPDX-License-Identifier: BSD-3-Clause
! CO_SUM, CO_MIN, CO_MAX, CO_BROADCAST; FORM TEAM, CHANGE TEAM and what they change; STAT= of them.
program collectives
  use, intrinsic :: iso_fortran_env
  implicit none
  type pair
    integer :: a
    real(real64) :: b
    character(5) :: c
  end type
  integer :: me, n, i, st
  integer :: whole(100000), part(6, 6)
  real(real64) :: x(3)
  real(real32) :: single
  complex(real64) :: z
  integer(int8) :: small
  integer(int64) :: large
  character(4) :: word, list(2)
  type(pair) :: p
  type(team_type) :: half, lonely

  me = this_image()
  n = num_images()
  i = me
  call co_sum(i)
  call check('co_sum', i == n*(n + 1)/2)
  i = me
  call co_sum(i, result_image=n, stat=st)
  call check('co_sum to one', st == 0 .and. (me /= n .or. i == n*(n + 1)/2))
  whole = [(me*i, i = 1, size(whole))]
  call co_sum(whole)
  call check('co_sum of many', all(whole == [(i*n*(n + 1)/2, i = 1, size(whole))]))
  part = me
  call co_sum(part(2:6:2, 1:5:4))
  call check('co_sum of a section', part(2, 1) == n*(n + 1)/2 .and. part(6, 5) == part(2, 1))
  call check('what is beside it', part(1, 1) == me .and. part(2, 2) == me)
  x = [1d0, 2d0, 3d0]*me
  call co_max(x)
  call check('co_max', all(x == [1d0, 2d0, 3d0]*n))
  single = -me
  call co_min(single)
  call check('co_min', single == -n)
  z = (1d0, 2d0)*me
  call co_sum(z)
  call check('co_sum complex', z == (1d0, 2d0)*(n*(n + 1)/2))
  small = int(me, int8)
  call co_sum(small)
  call check('co_sum int8', small == n*(n + 1)/2)
  large = 2_int64**40*me
  call co_max(large)
  call check('co_max int64', large == 2_int64**40*n)
  word = achar(iachar('z') - me)//'ab'
  call co_min(word)
  call check('co_min of characters', word == achar(iachar('z') - n)//'ab')
  list = [achar(iachar('a') + me), 'b   ']
  call co_max(list)
  call check('co_max of characters', list(1) == achar(iachar('a') + n) .and. list(2) == 'b')

  p = pair(me, me*0.5d0, 'image')
  if (me == n) p%c = 'root'
  call co_broadcast(p, source_image=n)
  call check('co_broadcast of a structure', p%a == n .and. p%b == n*0.5d0 .and. p%c == 'root')
  whole = me
  call co_broadcast(whole, 1)
  call check('co_broadcast of many', all(whole == 1))

  ! Teams: odd and even images.
  form team (2 - mod(me, 2), half)
  call check('before change', team_number() == -1)
  change team (half)
    call check('number', team_number() == 2 - mod(me, 2) .and. team_number(half) == 2 - mod(me, 2))
    call check('image in team', this_image() == (me + 1)/2)
    call check('images in team', num_images() == (n + mod(me, 2))/2)
    i = me
    call co_sum(i)
    call check('sum in team', i == sum([(st, st = 2 - mod(me, 2), n, 2)]))
    form team (this_image(), lonely)
    change team (lonely)
      call check('team of one', num_images() == 1 .and. this_image() == 1)
    end team
    sync team (half)
  end team
  call check('after END TEAM', team_number() == -1 .and. this_image() == me)
  sync all (stat=st)
  call check('stat of sync all', st == 0)
  if (me > 1) sync images (1, stat=st)
  if (me == 1) sync images ([(i, i = 2, n)])
  call check('stat of sync images', st == 0)
  sync images (*)
  sync memory
  if (me == 1) print '(a)', 'collectives: good'
contains
  include 'check.inc'
end program
