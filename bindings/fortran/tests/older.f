C SPDX-License-Identifier: BSD-3-Clause
C
C     The older interface, in fixed form: include 'shmem.fh', functions
C     declared by the program and some by their first letter, Cray
C     pointers, COMMON blocks, active sets.
      program older
      include 'mpp/shmem.fh'
      integer my_pe, num_pes, all
      integer*4 shmem_int4_fetch, shmem_int4_fadd
      integer*8 shmem_int8_finc
      integer shmem_swap, shmem_finc, shmem_test_lock
      integer word, list(4), lock, psync(SHMEM_REDUCE_SYNC_SIZE)
      integer*8 long
      real*8 numbers(10), work(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      common /area/ long, numbers, work, word, list, lock, psync
      real*8 total(2), theirs(1)
      save total
      pointer (near, theirs)
      integer*2 halves(2), both(2), room(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      common /short/ halves, both, room
      character*4 text
      save text
      integer heap(100), errcode
      pointer (address, heap)

      lock = 0
      word = 0
      long = 0
      call start_pes(0)
      me = my_pe()
      all = num_pes()
      next = mod(me + 1, all)
      do i = 1, SHMEM_REDUCE_SYNC_SIZE
         psync(i) = SHMEM_SYNC_VALUE
      end do
      numbers(1) = me
      numbers(2) = 1
      call shmem_barrier_all()

      call shmem_put8(numbers(5), numbers(1), 2, next)
      call shmem_integer_put(list, (/ me, me + 1, me + 2, 4 /), 4, next)
      call shmem_character_put(text, 'abcd', 4, next)
      call shmem_barrier_all()
      if (numbers(5) .ne. mod(me + all - 1, all)) call wrong('put8')
      if (list(2) .ne. mod(me + all - 1, all) + 1) call wrong('integer')
      if (text .ne. 'abcd') call wrong('character')

      call shmem_int4_add(word, me + 1, 0)
      if (shmem_int8_finc(long, 0) .ge. all) call wrong('finc')
      call shmem_real8_sum_to_all(total, numbers, 2, 0, 0, all, work,
     &     psync)
      if (total(1) .ne. all * (all - 1) / 2) call wrong('sum')
      if (total(2) .ne. all) call wrong('sum of ones')
      call shmem_barrier_all()
      if (me .eq. 0 .and. word .ne. all * (all + 1) / 2)
     &     call wrong('add')

      call shmem_put(numbers(7), numbers(1), 2, next)
      call shmem_set_cache_line_inv(numbers(7))
      call shmem_udcflush_line(numbers(7))
      call shmem_clear_cache_line_inv(numbers(7))
      call shmem_barrier_all()
      if (numbers(7) .ne. mod(me + all - 1, all)) call wrong('put')
      call shmem_get(numbers(9), numbers(7), 1, next)
      if (numbers(9) .ne. me) call wrong('get')
      near = shmem_ptr(numbers, me)
      if (theirs(1) .ne. me) call wrong('ptr')
      if (iand(X'0F', 5) .ne. 5) call wrong('a constant of old')
      halves(1) = 3
      halves(2) = me
      call shmem_int2_max_to_all(both, halves, 2, 0, 0, all, room,
     &     psync)
      if (both(1) .ne. 3 .or. both(2) .ne. all - 1) call wrong('int2')
      i = shmem_swap(word, 5, me)
      if (shmem_finc(word, me) .ne. 5) call wrong('swap')
      if (shmem_int4_fadd(word, 2, me) .ne. 6) call wrong('fadd')
      call shmem_barrier_all()

      if (shmem_test_lock(lock) .ne. 0) call shmem_set_lock(lock)
      i = shmem_int4_fetch(list(4), 0)
      call shmem_int4_set(list(4), i + 1, 0)
      call shmem_clear_lock(lock)
      call shmem_barrier_all()
      if (me .eq. 0 .and. list(4) .ne. 4 + all) call wrong('lock')

      call shpalloc(address, 100, errcode, 1)
      if (errcode .ne. 0) call wrong('shpalloc')
      heap(7) = -1
      call shmem_barrier_all()
      call shmem_put32(heap(7), me, 1, next)
      call shmem_int4_wait(heap(7), -1)
      if (heap(7) .ne. mod(me + all - 1, all)) call wrong('heap')
      call shpdeallc(address, errcode, 1)
      call shpalloc(address, -5, errcode, 0)
      if (errcode .ne. -1) call wrong('a length below 0')
      if (.not. shmem_pe_accessible(next)) call wrong('accessible')
      call shmem_barrier_all()
      end

      subroutine wrong(what)
      character*(*) what
      include 'shmem.fh'
      integer shmem_my_pe
      print *, 'PE ', shmem_my_pe(), ': wrong: ', what
      call shmem_global_exit(1)
      end
