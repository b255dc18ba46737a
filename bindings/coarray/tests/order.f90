! SPDX-License-Identifier: BSD-3-Clause
! Order and exclusion: SYNC statements, CRITICAL, locks, events, atomics.
program order
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: me, all_images, next, last, i, st, old, was
  integer :: x[*], count[*]
  integer(atomic_int_kind) :: word[*], words(3)[*]
  logical(atomic_logical_kind) :: truth[*]
  type(lock_type) :: lock_here[*], many(3)[*]
  type(lock_type), allocatable :: late(:)[:]
  type(event_type) :: ready[*], room(2)[*]
  logical :: got, is
  character(60) :: text

  me = this_image()
  all_images = num_images()
  next = mod(me, all_images) + 1
  last = mod(me + all_images - 2, all_images) + 1

  ! SYNC IMAGES: a chain, each waits for the one before.
  x = 0
  count = 0
  sync all (stat=st)
  call check('sync all stat', st == 0)
  do i = 1, 20
    if (me > 1) sync images (me - 1)
    x = merge(i, x[last] + 1, me == 1)
    if (me < all_images) sync images (me + 1, stat=st, errmsg=text)
    call check('chain', x == i + me - 1)
    sync images (*)
  end do
  sync images ([integer ::])
  sync memory

  ! What image 1 writes to the last one is there once the last has met image 2, which has met image 1; so is an event.
  if (all_images > 2) then
    do i = 1, 200
      if (me == 1) then
        x[all_images] = 1000 + i
        event post (ready[all_images])
        sync images (2)
      else if (me == 2) then
        sync images (1)
        sync images (all_images)
      else if (me == all_images) then
        sync images (2)
        call event_query(ready, was)
        call check('written to a third image', x == 1000 + i)
        call check('posted to a third image', was == i)
      end if
      sync images (*)
    end do
    if (me == all_images) event wait (ready, until_count=200)
    sync all
  end if

  ! CRITICAL and locks: sums that only exclusion gets right.
  do i = 1, 50
    critical
      was = count[1] ! in an assignment to another image gfortran 15 would read this one's own
      count[1] = was + 1
    end critical
  end do
  sync all
  call check('critical', count[1] == 50*all_images)
  sync all
  if (me == 1) count = 0
  sync all
  do i = 1, 50
    lock (lock_here[all_images])
    was = count[1]
    count[1] = was + 1
    unlock (lock_here[all_images])
  end do
  sync all
  call check('lock', count[1] == 50*all_images)
  lock (many(2)[me])
  lock (many(2)[me], stat=st, errmsg=text)
  call check('locked twice', st == stat_locked .and. len_trim(text) > 0)
  unlock (many(2)[me])
  unlock (many(2)[me], stat=st)
  call check('unlocked twice', st /= 0)
  lock (many(3)[1], acquired_lock=got)
  sync all
  if (got) unlock (many(3)[1])
  count = merge(1, 0, got)
  call co_sum(count)
  call check('one has acquired it', count == 1)
  allocate (late(2)[*])
  lock (late(1)[next])
  unlock (late(1)[next])
  deallocate (late)

  ! Events.
  event post (ready[next])
  event post (ready[next])
  event wait (ready, until_count=2)
  call event_query(ready, i)
  call check('event', i == 0)
  x = me
  sync all
  if (me == 1) then
    x[next] = 42
    event post (room(2)[next])
  end if
  if (last == 1) then
    event wait (room(2))
    call check('what came before the event', x == 42)
  end if
  sync all
  do i = 1, 10
    event post (room(1)[1])
  end do
  if (me == 1) event wait (room(1), until_count=10*all_images)

  ! Atomics.
  call atomic_define(word, 5)
  call atomic_define(words(3), 0)
  call atomic_define(truth, .false.)
  sync all
  call atomic_add(word[1], me)
  call atomic_fetch_add(words(3)[1], 1, old)
  call check('fetch-add', old >= 0 .and. old < all_images)
  sync all
  call atomic_ref(i, word[1])
  call check('add', i == 5 + all_images*(all_images + 1)/2)
  call atomic_ref(i, words(3)[1])
  call check('sum of fetch-adds', i == all_images)
  sync all
  call atomic_define(word, 12)
  call atomic_fetch_and(word, 10, old)
  call check('and', old == 12)
  call atomic_fetch_or(word, 1, old)
  call atomic_fetch_xor(word, 3, old)
  call atomic_ref(i, word)
  call check('or, xor', old == 9 .and. i == 10)
  call atomic_cas(word, old, 10, 11)
  call atomic_cas(word, i, 10, 12)
  call check('cas', old == 10 .and. i == 11)
  call atomic_define(truth[next], .true.)
  sync all
  call atomic_ref(is, truth)
  call check('atomic logical', is)
  call check('nobody stopped', image_status(next) == 0 .and. size(stopped_images()) == 0)
  call check('nobody failed', size(failed_images()) == 0)
  sync all
  if (me == 1) print '(a)', 'order: good'
contains
  include 'check.inc'
end program
