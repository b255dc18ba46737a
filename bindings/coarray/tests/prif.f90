! SPDX-License-Identifier: BSD-3-Clause
! The procedures of the module prif, as a compiler or a library calls them; by an argument a mistake.
module called
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer :: cleanups = 0
contains
  subroutine count_cleanup(handle) bind(C)
    type(prif_coarray_handle), value, intent(in) :: handle
    integer(c_size_t) :: bytes
    call prif_size_bytes(handle, bytes)
    cleanups = cleanups + int(bytes)
  end subroutine

  ! The lesser of two numbers, and where it is
  subroutine least_place(first, second, count, nothing) bind(C)
    type(c_ptr), intent(in), value :: first, second, nothing
    integer(c_size_t), intent(in), value :: count
    real(c_double), pointer :: a(:, :), b(:, :)
    integer :: i
    call c_f_pointer(first, a, [2, int(count)])
    call c_f_pointer(second, b, [2, int(count)])
    if (c_associated(nothing)) return
    do i = 1, int(count)
      if (a(1, i) < b(1, i)) b(:, i) = a(:, i)
    end do
  end subroutine
end module

program test_prif
  use called
  implicit none
  integer(c_int) :: me, images, next, status
  character(20) :: how

  call prif_init(status)
  call check('init', status == 0)
  call prif_init(status)
  call check('init again', status == PRIF_STAT_ALREADY_INIT)
  call prif_this_image_no_coarray(this_image=me)
  call prif_num_images(images)
  next = mod(me, images) + 1
  call get_command_argument(1, how)
  if (how /= '') then
    call mistake(trim(how))
  else
    call accesses()
    call counters()
    call cosubscripts()
    call memory()
    call collectives()
    call teams()
  end if
  call prif_sync_all()
  if (me == 1) print '(a, i0, a)', 'prif on ', images, ' images: good'
  call prif_stop(quiet=.true._c_bool)
contains
  subroutine check(what, is_good)
    character(*), intent(in) :: what
    logical, intent(in) :: is_good
    if (is_good) return
    print '(a, i0, 2a)', 'image ', me, ': wrong: ', what
    call prif_error_stop(quiet=.false._c_bool, stop_code_int=2)
  end subroutine

  ! words(1:count) on each image, with two codimensions where the images fill them
  subroutine new(count, handle, words, by)
    integer, intent(in) :: count
    type(prif_coarray_handle), intent(out) :: handle
    integer(c_int64_t), pointer, intent(out) :: words(:)
    integer, intent(in), optional :: by
    procedure(prif_coarray_cleanup_interface), pointer :: cleanup
    type(c_ptr) :: place
    cleanup => count_cleanup
    if (present(by)) then
      call prif_allocate_coarray([0_c_int64_t, -1_c_int64_t], [by - 1_c_int64_t], 8_c_size_t*count, cleanup, handle, place)
    else
      call prif_allocate_coarray([1_c_int64_t], [int(images, c_int64_t)], 8_c_size_t*count, cleanup, handle, place)
    end if
    call c_f_pointer(place, words, [count])
    words = 0
    call prif_sync_all()
  end subroutine

  subroutine accesses()
    type(prif_coarray_handle) :: handle, alias
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t), target :: mine(6), got(6)
    integer(c_intptr_t), target :: place(1)
    type(c_ptr) :: there
    integer :: i, turn
    call new(20, handle, words)
    mine = [(100*me + i, i = 1, 6)]
    call prif_put(next, handle, 16_c_size_t, c_loc(mine), 24_c_size_t)
    call prif_sync_all()
    i = 100*before()
    call check('put', all(words(1:6) == [0, 0, i + 1, i + 2, i + 3, 0]))
    call prif_get(next, handle, 24_c_size_t, c_loc(got), 8_c_size_t)
    call check('get', got(1) == 100*me + 2)
    ! Two rows of three of each side, those of the other image backwards.
    call prif_sync_all()
    call prif_put_strided(next, handle, 80_c_size_t, [-8_c_ptrdiff_t, 40_c_ptrdiff_t], c_loc(mine), &
      [16_c_ptrdiff_t, 8_c_ptrdiff_t], 8_c_size_t, [3_c_size_t, 2_c_size_t])
    call prif_sync_all()
    call check('put_strided', all(words([11, 10, 9, 16, 15, 14]) == i + [1, 3, 5, 2, 4, 6]))
    got = 0
    call prif_get_strided(next, handle, 64_c_size_t, [8_c_ptrdiff_t], c_loc(got), [16_c_ptrdiff_t], 8_c_size_t, [3_c_size_t])
    call check('get_strided', all(got == [100*me + 5, 0, 100*me + 3, 0, 100*me + 1, 0]))
    ! The same by the address that the other image has, and by an alias.
    words(20) = transfer(c_loc(words), 0_c_intptr_t)
    call prif_sync_all()
    call prif_get(next, handle, 152_c_size_t, c_loc(place), 8_c_size_t)
    call prif_put_indirect(next, place(1) + 136, c_loc(mine), 8_c_size_t)
    call prif_alias_create(handle, [7_c_int64_t], [6_c_int64_t + images], 128_c_size_t, alias)
    call prif_put(next, alias, 16_c_size_t, c_loc(mine(2)), 8_c_size_t)
    call prif_local_data_pointer(alias, there)
    call check('alias', transfer(there, 0_c_intptr_t) == transfer(c_loc(words(17)), 0_c_intptr_t))
    call prif_sync_all()
    call check('put_indirect', words(18) == i + 1 .and. words(19) == i + 2)
    ! All images in turns: the library notes which one was the last.
    words(20) = me
    call prif_sync_all()
    do turn = 0, 2*images - 1
      call prif_get(mod(turn, images) + 1, handle, 152_c_size_t, c_loc(got), 8_c_size_t)
      call prif_get_strided(next, handle, 152_c_size_t, [8_c_ptrdiff_t], c_loc(got(2)), [8_c_ptrdiff_t], 8_c_size_t, [1_c_size_t])
      call check('images in turns', got(1) == mod(turn, images) + 1 .and. got(2) == next)
    end do
    call prif_sync_all()
    call prif_alias_destroy(alias)
    ! Counted up behind the bytes.
    call prif_put_with_notify(next, handle, 0_c_size_t, c_loc(mine(3)), 8_c_size_t, handle, 128_c_size_t)
    call prif_put_strided_indirect_with_notify_indirect(next, place(1) + 8, [8_c_ptrdiff_t], c_loc(mine(5)), [8_c_ptrdiff_t], &
      8_c_size_t, [2_c_size_t], place(1) + 128)
    call prif_notify_wait(c_loc(words(17)), until_count=2_c_int64_t)
    call check('notify', all(words(1:3) == i + [3, 5, 6]) .and. words(17) == 0)
    call prif_deallocate_coarray(handle)
    call check('cleanup', cleanups == 160)
  end subroutine

  subroutine counters()
    type(prif_coarray_handle) :: handle
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t) :: old
    integer(c_size_t), parameter :: at_event = 0, at_lock = 8, at_sum = 16, at_flag = 24
    integer(c_int64_t), target :: seen
    logical(PRIF_ATOMIC_LOGICAL_KIND) :: was
    logical(c_bool) :: got
    integer :: i
    character(:), allocatable :: text
    character(12) :: short
    call new(4, handle, words)
    call prif_event_post(next, handle, at_event)
    call prif_event_wait(c_loc(words(1)))
    call prif_event_query(c_loc(words(1)), old, status)
    call check('events', old == 0 .and. status == 0)
    call prif_sync_all()
    do i = 1, 50
      call prif_lock(1, handle, at_lock)
      call prif_get(1, handle, at_sum, c_loc(seen), 8_c_size_t)
      seen = seen + 1
      call prif_put(1, handle, at_sum, c_loc(seen), 8_c_size_t)
      call prif_unlock(1, handle, at_lock)
    end do
    call prif_sync_all()
    call prif_lock(me, handle, at_lock, acquired_lock=got)
    call check('lock', got .and. (me > 1 .or. words(3) == 50*images))
    call prif_lock(me, handle, at_lock, stat=status, errmsg_alloc=text)
    call check('lock twice', status == PRIF_STAT_LOCKED .and. text == 'this image has this lock already')
    call prif_sync_all()
    if (images > 1) then
      call prif_lock(next, handle, at_lock, acquired_lock=got)
      call prif_unlock(next, handle, at_lock, stat=status, errmsg=short)
      call check('another lock', .not. got .and. status == PRIF_STAT_LOCKED_OTHER_IMAGE .and. short(:3) == 'ima')
    end if
    call prif_sync_all()
    call prif_unlock(me, handle, at_lock)
    call prif_unlock(me, handle, at_lock, stat=status)
    call check('unlock twice', status == PRIF_STAT_UNLOCKED)
    do i = 1, 20
      call prif_critical(handle, stat=status) ! the word of events, 0 by now
      call prif_get(1, handle, at_flag, c_loc(seen), 8_c_size_t)
      seen = seen + 1
      call prif_put(1, handle, at_flag, c_loc(seen), 8_c_size_t)
      call prif_end_critical(handle)
    end do
    call prif_sync_all()
    call check('critical', me > 1 .or. words(4) == 20*images)
    call prif_sync_all()
    words(3:4) = 0
    call prif_sync_all()
    call prif_atomic_fetch_add(1, handle, at_sum, 2_c_int64_t**40, old)
    call check('fetch_add', modulo(old, 2_c_int64_t**40) == 0 .and. old < images*2_c_int64_t**40)
    call prif_atomic_cas_logical(me, handle, at_flag, was, .false._PRIF_ATOMIC_LOGICAL_KIND, &
      .true._PRIF_ATOMIC_LOGICAL_KIND)
    call prif_sync_all()
    call prif_atomic_ref_int(1, handle, at_sum, old)
    call check('atomic_ref', old == images*2_c_int64_t**40)
    call prif_atomic_ref_logical(next, handle, at_flag, was, status)
    call check('atomic_cas', logical(was) .and. status == 0)
    call prif_deallocate_coarrays([handle])
  end subroutine

  subroutine cosubscripts()
    type(prif_coarray_handle) :: handle
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t) :: lower(2), upper(2), here(2)
    integer(c_size_t) :: sizes(2)
    integer(c_int) :: image
    call new(1, handle, words, by=2)
    call prif_lcobound_no_dim(handle, lower)
    call prif_ucobound_no_dim(handle, upper)
    call prif_coshape(handle, sizes)
    call prif_this_image_with_coarray(handle, cosubscripts=here)
    call check('cobounds', all(lower == [0, -1]) .and. all(upper == [1, (images + 1)/2 - 2]))
    call check('coshape', all(sizes == upper - lower + 1))
    call check('this_image', all(here == [mod(me - 1, 2), (me - 1)/2 - 1]))
    call prif_image_index(handle, here, image)
    call check('image_index', image == me)
    call prif_image_index(handle, [2_c_int64_t, -1_c_int64_t], image)
    call check('image_index beyond', image == 0)
    call prif_initial_team_index(handle, here, image)
    call check('initial_team_index', image == me)
    call prif_deallocate_coarray(handle)
  end subroutine

  subroutine memory()
    type(prif_coarray_handle) :: handle
    procedure(prif_coarray_cleanup_interface), pointer :: none => null()
    type(c_ptr) :: places(3), place
    character(:), allocatable :: text
    integer :: i
    do i = 1, 3
      call prif_allocate(100_c_size_t*i, places(i))
    end do
    call prif_deallocate(places(2))
    call prif_deallocate(places(1))
    call prif_deallocate(places(3))
    call prif_allocate(2_c_size_t**60, place, stat=status)
    call check('allocate too much', status == PRIF_STAT_OUT_OF_MEMORY)
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 2_c_size_t**60, none, handle, place, status, &
      errmsg_alloc=text)
    call check('a coarray too large', status == PRIF_STAT_OUT_OF_MEMORY .and. index(text, 'out of memory') == 1)
  end subroutine

  subroutine collectives()
    type :: pair
      real(c_double) :: number, image
    end type
    type(pair) :: least(2)
    integer(c_int) :: numbers(5), states(images)
    real(c_double) :: z(3)
    character(4) :: word
    integer, allocatable :: listed(:)
    integer :: i
    procedure(prif_operation_wrapper_interface), pointer :: wrapper
    wrapper => least_place
    numbers = me
    call prif_co_sum(numbers(1::2))
    call check('co_sum of a section', all(numbers(1::2) == images*(images + 1)/2) .and. all(numbers(2::2) == me))
    z = -real(me, c_double)
    call prif_co_max(z, result_image=images)
    call check('co_max', me /= images .or. all(z == -1))
    write (word, '(i4)') me
    call prif_co_min_character(word)
    call check('co_min of characters', word == '   1')
    least = [(pair(abs(me - i), me), i = 1, 2)]
    call prif_co_reduce(least, wrapper, c_null_ptr, stat=status)
    call check('co_reduce', all(least%number == [0, merge(0, 1, images > 1)]))
    call prif_co_broadcast(word, images)
    numbers = me
    call prif_co_broadcast(numbers, source_image=images)
    call check('co_broadcast', all(numbers == images))
    call prif_failed_images(failed_images=listed)
    call check('failed_images', size(listed) == 0)
    call prif_image_status([(i, i = 1, images)], image_status=states)
    call check('image_status', all(states == 0))
  end subroutine

  subroutine teams()
    type(prif_team_type) :: half, now
    type(prif_coarray_handle) :: handle
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t), target :: mine
    integer(c_int64_t) :: number
    integer(c_int) :: image, there, whole
    call prif_form_team(1_c_int64_t + mod(me, 2), half)
    call prif_change_team(half)
    whole = images
    call prif_num_images(images)
    call prif_this_image_no_coarray(this_image=image)
    call check('change_team', image == (me + 1)/2 .and. images == merge(whole/2, (whole + 1)/2, mod(me, 2) == 0))
    call new(1, handle, words)
    call prif_initial_team_index(handle, [int(images, c_int64_t)], there)
    call check('initial_team_index in a team', there == 2*images - mod(me, 2))
    mine = me
    if (image == 1) call prif_put(there, handle, 0_c_size_t, c_loc(mine), 8_c_size_t)
    call prif_sync_team(half)
    call check('put in a team', image /= images .or. words(1) == 2 - mod(me, 2))
    call prif_num_images_with_team_number(1_c_int64_t + mod(me + merge(1, 0, whole > 1), 2), there)
    call check('the other team', there == merge(whole - images, 1, whole > 1))
    call prif_get_team(PRIF_PARENT_TEAM, now)
    call prif_team_number(now, number)
    call check('team_number', number == -1)
    cleanups = 0
    call prif_end_team()
    call check('end_team', cleanups == 8)
    images = whole
  end subroutine

  integer function before()
    before = mod(me + images - 2, images) + 1
  end function

  subroutine mistake(which)
    character(*), intent(in) :: which
    type(prif_coarray_handle) :: handle, nothing
    type(prif_team_type) :: team
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t), target :: word
    call new(4, handle, words)
    select case (which)
    case ('image')
      call prif_get(images + 1, handle, 0_c_size_t, c_loc(word), 8_c_size_t)
    case ('zero') ! the last image's memory is no place of it
      call prif_put(1, handle, 8_c_size_t, c_loc(word), 8_c_size_t)
      call prif_put(0, handle, 0_c_size_t, c_loc(word), 8_c_size_t)
    case ('bounds')
      call prif_put(1, handle, 28_c_size_t, c_loc(word), 8_c_size_t)
    case ('section')
      call prif_get_strided(1, handle, 0_c_size_t, [16_c_ptrdiff_t], c_loc(word), [8_c_ptrdiff_t], 8_c_size_t, [3_c_size_t])
    case ('handle')
      call prif_put(1, nothing, 0_c_size_t, c_loc(word), 8_c_size_t)
    case ('address')
      call prif_get_indirect(1, 4096_c_intptr_t, c_loc(word), 8_c_size_t)
    case ('team')
      call prif_change_team(team)
    case ('free')
      call prif_deallocate(c_loc(word))
    case ('lock')
      call prif_lock(1, handle, 0_c_size_t)
    case default
      call prif_error_stop(quiet=.false._c_bool, stop_code_char='which?')
    end select
  end subroutine
end program
