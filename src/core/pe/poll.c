/* SPDX-License-Identifier: BSD-3-Clause
 * See poll.h.
 */
#include "core/pe/poll.h"

#include "base/clock.h"
#include "core/pe/wait.h"

bool sheaf_poll_counts;
__thread uint32_t sheaf_poll_left;

/* The words read last, since programs poll several words in turn: pairs by a hash, the later one first. */
#define PAIR_BITS 3
struct word {
    const void *object;
    uint64_t value;
};
static __thread struct {
    uint32_t unchanged; /* looks without a new value, since the last look with one */
    uint64_t since_ns;  /* when the clock was last read */
    struct word words[1 << PAIR_BITS][2];
} looks;

void sheaf_poll_init(bool crowded)
{
    sheaf_poll_counts = crowded;
}

static struct word *pair_of(const void *object)
{
    return looks.words[((uintptr_t)object >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PAIR_BITS)];
}

static __attribute__((noinline)) void check_time(void)
{
    uint64_t now = sheaf_clock_ns();
    looks.unchanged = 0;
    if (sheaf_pace_polls_tightly(now - looks.since_ns)) {
        sheaf_wait_polls += (uint32_t)(sheaf_pace_table.poll_looks * sheaf_pace_table.poll_reads);
        sheaf_wait_polled_long();
        now = sheaf_clock_ns();
    }
    looks.since_ns = now;
}

/* A word that was not in the table may or may not be new, and cancels one look. */
uint64_t sheaf_poll_look(const void *object, uint64_t value)
{
    sheaf_poll_left = (uint32_t)sheaf_pace_table.poll_reads - 1;
    struct word *word = pair_of(object);
    word += word[0].object != object && word[1].object == object;
    if (word->object != object) {
        word[1] = word[0];
        word[0] = (struct word){object, value};
        looks.unchanged -= looks.unchanged != 0;
    } else if (word->value != value) {
        word->value = value;
        looks.unchanged = 0;
    } else if (sheaf_unlikely(++looks.unchanged == sheaf_pace_table.poll_looks)) {
        check_time();
    }
    return value;
}
