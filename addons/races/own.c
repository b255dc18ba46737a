/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads and stores of whole words by the one thread of a PE that has a page of its memory: bits of the
 * page's generations, which plain.c sets where it can. The thread alone moves generations; others look,
 * and look again where they have moved meanwhile.
 */
#include "races/internal.h"

#include <string.h>

#define MOST_LOOKS 1000
#define OLDEST     (RACES_GENERATIONS - 1)
#define MASKS      (UINT64_C(0xff) << RACES_MASK_SHIFT) /* of whole words */

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static uint64_t word_of(uint64_t stamp, uint64_t clock, bool is_write)
{
    unsigned strand = (unsigned)(is_write ? stamp >> 32 & 0xffff : stamp >> 48);
    return races_word(strand, (uint32_t)clock, MASKS | (is_write ? RACES_WRITE : 0));
}

/* Of the words from first on, those of its row that are before end. */
static uint64_t bits_of_row(size_t first, size_t end)
{
    uint64_t bits = UINT64_MAX << first % 64;
    return end < (first / 64 + 1) * 64 ? bits & ~(UINT64_MAX << end % 64) : bits;
}

/* Into the cell: the place of an older one of its kind, a free one, or any. */
static void spill(struct races_cell *cell, uint64_t word, uint32_t site)
{
    static _Thread_local unsigned turn __attribute__((tls_model("initial-exec")));
    int place = -1;
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_RELAXED);
        if (old == 0 || (races_strand_of(old) == races_strand_of(word) &&
                         (old & (RACES_WRITE | RACES_ATOMIC)) == (word & RACES_WRITE))) {
            place = i;
            break;
        }
    }
    if (place < 0)
        place = (int)(turn++ % RACES_SLOTS);
    cell->more.site[place] = site;
    __atomic_store_n(&cell->slot[place], word, __ATOMIC_RELEASE);
}

static void spill_row(struct races_own *own, struct races_cell *cells, size_t row, uint64_t bits,
                      bool is_write)
{
    for (; bits; bits &= bits - 1) {
        size_t cell = row * 64 + (size_t)__builtin_ctzll(bits);
        spill(&cells[cell],
              word_of(atomic_load_explicit(&own->stamp, memory_order_relaxed),
                      own->clock[OLDEST], is_write),
              own->site[is_write][cell]);
    }
}

/* What the oldest generation has alone. */
static void give_up_oldest(struct races_own *own, struct races_cell *cells)
{
    for (size_t row = 0; own->clock[OLDEST] && row < RACES_ROWS; row++) {
        uint64_t(*all)[2] = own->bits[row];
        uint64_t loaded = all[OLDEST][RACES_LOADED], stored = all[OLDEST][RACES_STORED];
        for (int i = 0; i < OLDEST; i++) {
            loaded &= ~all[i][RACES_LOADED];
            stored &= ~all[i][RACES_STORED];
        }
        spill_row(own, cells, row, stored, true);
        spill_row(own, cells, row, loaded & ~stored, false);
    }
}

static void begin_generation(struct races_own *own, struct races_cell *cells, uint64_t stamp)
{
    uint32_t turn = atomic_load_explicit(&own->turn, memory_order_relaxed);
    give_up_oldest(own, cells);
    atomic_store_explicit(&own->turn, turn + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    memmove(own->clock + 1, own->clock, OLDEST * sizeof *own->clock);
    own->clock[0] = (uint32_t)stamp;
    for (size_t row = 0; row < RACES_ROWS; row++) {
        memmove(own->bits[row][1], own->bits[row][0], OLDEST * sizeof own->bits[row][0]);
        memset(own->bits[row][0], 0, sizeof own->bits[row][0]);
    }
    atomic_store_explicit(&own->stamp, stamp, memory_order_relaxed);
    atomic_store_explicit(&own->turn, turn + 2, memory_order_release);
}

/* Whether the page is the thread's; its first generation is then that of now. */
static bool enter(struct races_thread *thread, struct races_own *own, struct races_cell *cells)
{
    uint64_t stamp = 0;
    if (atomic_load_explicit(&own->stamp, memory_order_relaxed) == thread->stamp)
        return true;
    if (!atomic_compare_exchange_strong(&own->stamp, &stamp, thread->stamp) &&
        stamp >> 32 != thread->stamp >> 32)
        return false;
    begin_generation(own, cells, thread->stamp);
    return true;
}

bool races_own_record(struct races_thread *thread, struct races_cell *cells, uintptr_t local, bool is_write,
                      const struct races_access *access)
{
    struct races_own *own = races_own(cells);
    size_t cell = (local & (RACES_PAGE - 1)) / 8, row = cell / 64;
    uint64_t bit = UINT64_C(1) << cell % 64;
    if (!enter(thread, own, cells))
        return false;
    uint64_t *now = own->bits[row][0];
    if (now[is_write] & bit)
        return true;
    own->site[is_write][cell] = access->site;
    if (is_write)
        __atomic_store_n(&now[RACES_STORED], now[RACES_STORED] | bit, __ATOMIC_RELEASE);
    __atomic_store_n(&now[RACES_LOADED], now[RACES_LOADED] | bit, __ATOMIC_RELEASE);
    if (!(atomic_load_explicit(&own->foreign[row], memory_order_acquire) & bit))
        return true;
    struct races_access check = *access;
    check.is_check = true;
    atomic_fetch_and(&own->foreign[row], ~bit);
    races_look(thread, &cells[cell], 0xff, local, &check);
    if (!races_is_settled(thread, &cells[cell], &check))
        atomic_fetch_or(&own->foreign[row], bit);
    return true;
}

/* Youngest first: an older store of a word is behind it. */
static void settle_row(struct races_own *own, struct races_cell *cells, size_t row, uint64_t words,
                       const struct races_thread *thread)
{
    for (int i = 0; i < RACES_GENERATIONS; i++) {
        uint64_t stored = own->bits[row][i][RACES_STORED] & words;
        words &= ~stored;
        for (uint64_t rest = stored; rest; rest &= rest - 1) {
            size_t cell = row * 64 + (size_t)__builtin_ctzll(rest);
            spill(&cells[cell], races_word(thread->program, own->clock[i], MASKS | RACES_WRITE),
                  own->site[RACES_STORED][cell]);
        }
        for (int older = i; older < RACES_GENERATIONS; older++)
            for (int kind = RACES_LOADED; kind <= RACES_STORED; kind++)
                own->bits[row][older][kind] &= ~stored;
    }
}

void races_own_settle(const struct races_thread *thread, struct races_cell *cells, size_t first,
                      size_t count)
{
    struct races_own *own = races_own(cells);
    uint32_t turn = atomic_load_explicit(&own->turn, memory_order_relaxed);
    atomic_store_explicit(&own->turn, turn + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    for (size_t end = first + count; first < end; first = (first / 64 + 1) * 64)
        settle_row(own, cells, first / 64, bits_of_row(first, end), thread);
    atomic_store_explicit(&own->turn, turn + 2, memory_order_release);
}

/* The thread may have looked here just before, and set its bit just behind: it is waited for. */
void races_own_mark(struct races_cell *cells, size_t first, size_t count)
{
    struct races_own *own = races_own(cells);
    bool is_new = false;
    for (size_t end = first + count; first < end; first = (first / 64 + 1) * 64) {
        uint64_t bits = bits_of_row(first, end);
        _Atomic uint64_t *foreign = &own->foreign[first / 64];
        if ((atomic_load_explicit(foreign, memory_order_relaxed) & bits) != bits) {
            atomic_fetch_or(foreign, bits);
            is_new = true;
        }
    }
    if (is_new)
        relax();
}

/* Clocks of the youngest generations that have the word loaded and stored; 0: none. */
static void find_youngest(const struct races_own *own, size_t cell, uint64_t clock[2])
{
    size_t row = cell / 64;
    for (int kind = RACES_LOADED; kind <= RACES_STORED; kind++) {
        clock[kind] = 0;
        for (int i = 0; i < RACES_GENERATIONS && clock[kind] == 0; i++)
            if (__atomic_load_n(&own->bits[row][i][kind], __ATOMIC_RELAXED) >> cell % 64 & 1)
                clock[kind] = __atomic_load_n(&own->clock[i], __ATOMIC_RELAXED);
    }
}

void races_own_look(struct races_thread *thread, const struct races_cell *cells, uintptr_t local,
                    uint64_t word, const struct races_access *access)
{
    struct races_own *own = races_own(cells);
    size_t cell = (local & (RACES_PAGE - 1)) / 8;
    uint64_t clock[2], stamp;
    uint32_t turn;
    bool is_whole = false;
    for (int tries = 0; tries < MOST_LOOKS && !is_whole; tries++) {
        turn = atomic_load_explicit(&own->turn, memory_order_acquire);
        find_youngest(own, cell, clock);
        stamp = atomic_load_explicit(&own->stamp, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        is_whole = turn % 2 == 0 && atomic_load_explicit(&own->turn, memory_order_relaxed) == turn;
        if (!is_whole)
            relax();
    }
    if (!is_whole || stamp == 0)
        return;
    if (clock[RACES_STORED])
        races_compare(thread, word_of(stamp, clock[RACES_STORED], true), own->site[RACES_STORED][cell],
                      word, local, access);
    if (clock[RACES_LOADED] > clock[RACES_STORED])
        races_compare(thread, word_of(stamp, clock[RACES_LOADED], false), own->site[RACES_LOADED][cell],
                      word, local, access);
}

void races_own_forget(struct races_cell *cells, size_t first, size_t count)
{
    struct races_own *own = races_own(cells);
    for (size_t cell = first; cell < first + count; cell++) {
        uint64_t kept = ~(UINT64_C(1) << cell % 64);
        atomic_fetch_and_explicit(&own->foreign[cell / 64], kept, memory_order_relaxed);
        for (int i = 0; i < RACES_GENERATIONS; i++)
            for (int kind = RACES_LOADED; kind <= RACES_STORED; kind++)
                own->bits[cell / 64][i][kind] &= kept;
    }
}
