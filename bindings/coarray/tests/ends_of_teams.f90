! SPDX-License-Identifier: BSD-3-Clause
! Coarrays that a team allocates: END TEAM deallocates those that are left.
program ends_of_teams
  use, intrinsic :: iso_fortran_env
  implicit none
  type(team_type) :: half, pair
  integer, allocatable :: outer(:)[:], inner(:)[:], single[:], moved(:)[:], deep(:,:)[:]
  type(event_type), allocatable :: bells(:)[:]
  type(lock_type), allocatable :: door[:]
  integer :: me, n, turn, images

  me = this_image()
  n = num_images()
  allocate (outer(4)[*])
  outer = me
  do turn = 1, 20
    form team (2 - mod(me, 2), half)
    change team (half)
      images = num_images()
      allocate (inner(1000*turn)[*], single[*], bells(2)[*], door[*])
      inner = me
      single = -me
      event post (bells(2)[images])
      if (this_image() == images) event wait (bells(2), until_count=images)
      lock (door[1])
      unlock (door[1])
      sync all
      call check('of the team', inner(1000*turn)[1] == 2 - mod(me, 2) .and. single[1] == mod(me, 2) - 2)
      form team (this_image(), pair)
      change team (pair)
        allocate (deep(3, turn)[*])
        deep = turn
        call check('of the inner team', deep(3, turn)[1] == turn)
      end team
      call check('inner END TEAM', .not. allocated(deep) .and. allocated(inner))
      sync all
      if (mod(turn, 2) == 0) deallocate (inner)
    end team
    call check('END TEAM', .not. (allocated(inner) .or. allocated(single) .or. allocated(bells) .or. allocated(door)))
    call check('not of the team', allocated(outer) .and. outer(4) == me)
  end do
  change team (half)
    allocate (inner(5)[*])
    call move_alloc(inner, moved)
  end team
  call check('moved from', .not. allocated(inner))
  if (allocated(moved)) deallocate (moved) ! gfortran's copy of the descriptor is not known
  allocate (inner(7)[*], moved(8)[*])
  inner = me
  moved = me + 1
  sync all
  call check('allocated again', inner(7)[n] == n .and. moved(8)[1] == 2 .and. outer(1)[n] == n)
  sync all
  if (me == 1) print '(a)', 'ends_of_teams: good'
contains
  include 'check.inc'
end program
