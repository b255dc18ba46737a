! SPDX-License-Identifier: BSD-3-Clause
! What flang has of teams and of ERRMSG=, and gfortran 12 has not.
program teams
  use, intrinsic :: iso_fortran_env
  implicit none
  type(team_type) :: half, lonely, outer, first
  integer :: me, n, st, mine
  character(40) :: text
  character(5), allocatable :: short

  me = this_image()
  n = num_images()
  mine = 2 - mod(me, 2)
  text = 'kept'
  form team (mine, half, new_index=(me + 1)/2, stat=st, errmsg=text)
  call check('form team', st == 0 .and. text == 'kept')
  call check('of a team', team_number(half) == mine .and. this_image(half) == (me + 1)/2)
  sync team (half, stat=st)
  call check('sync team', st == 0)
  change team (half, stat=st, errmsg=text)
    call check('change team', st == 0 .and. team_number() == mine)
    if (n > 1) call check('beside', num_images(team_number=3 - mine) == n - num_images())
    call check('with its own number', num_images(team_number=mine) == num_images())
    outer = get_team(parent_team)
    first = get_team(initial_team)
    form team (this_image(), lonely)
    change team (lonely)
      outer = get_team(parent_team)
      call check('parent', team_number(outer) == mine .and. this_image(outer) == (me + 1)/2)
      call check('initial', team_number(first) == -1 .and. this_image(first) == me)
      call check('current', team_number(get_team()) == (me + 1)/2)
    end team (stat=st)
    call check('end team', st == 0)
  end team
  call check('after END TEAM', num_images() == n .and. this_image() == me)

  sync all
  if (n > 1 .and. me == n) stop
  allocate (short)
  if (n > 1) then
    sync all (stat=st, errmsg=text)
    call check('text', st == stat_stopped_image .and. index(text, ' has stopped') > 0)
    sync all (stat=st, errmsg=short)
    call check('allocated text, cut', short == 'image')
  end if
  if (me == 1) print '(a)', 'teams: good'
contains
  include 'check.inc'
end program
