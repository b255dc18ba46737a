/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs' memory, and the model of it: both shared by all processes. Each region of each PE lies between
 * pages without access, and no two regions are equally far apart on two PEs.
 */
#include "protocol.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)

static unsigned char *memory[PROTOCOL_PES][REGIONS], *model[PROTOCOL_PES][REGIONS];

#define MOST_TICKETS 4096
static struct shared {
    uint32_t lock;
    struct mark marks[PROTOCOL_PES][PROTOCOL_PES][MOST_MARKS]; /* of the target, by the origin */
    uint64_t tickets[PROTOCOL_PES];
    uint32_t taken[PROTOCOL_PES][MOST_TICKETS];
} *shared;

static uint64_t phase;
static size_t marked[PROTOCOL_PES][REGIONS]; /* in use at each target */
static unsigned marks[PROTOCOL_PES];
static bool seen[PROTOCOL_PES][MOST_MARKS];

static size_t length_of(enum region region)
{
    return region == IN_HEAP ? HEAP_BYTES : REGION;
}

static unsigned char *make_region(size_t bytes, size_t gap)
{
    unsigned char *start = share(bytes + 2 * gap);
    if (mprotect(start, gap, PROT_NONE) != 0 || mprotect(start + gap + bytes, gap, PROT_NONE) != 0) {
        perror("mprotect");
        exit(1);
    }
    return start + gap;
}

void memory_make(void)
{
    shared = share(sizeof *shared);
    for (int pe = 0; pe < PROTOCOL_PES; pe++)
        for (int region = 0; region < REGIONS; region++) {
            size_t bytes = length_of((enum region)region);
            memory[pe][region] = make_region(bytes, PAGE * (size_t)(1 + 3 * pe + region));
            model[pe][region] = share(bytes);
            fill(model[pe][region], CONSTANT, (uint64_t)(pe * REGIONS + region));
            memcpy(memory[pe][region], model[pe][region], CONSTANT);
        }
}

void memory_accept(void)
{
    shared->lock = 0;
    for (int pe = 0; pe < PROTOCOL_PES; pe++)
        for (int region = 0; region < REGIONS; region++)
            memcpy(model[pe][region], memory[pe][region], length_of((enum region)region));
}

unsigned char *memory_of(int pe, enum region region)
{
    return memory[pe][region];
}

unsigned char *model_of(int pe, enum region region)
{
    return model[pe][region];
}

bool memory_is_in_space(uintptr_t address, uint64_t bytes)
{
    uint64_t offset = address - (uintptr_t)memory[me][IN_SPACE];
    return offset < REGION && bytes <= REGION - offset;
}

uint64_t memory_space_address(int pe, const void *local)
{
    size_t offset = (size_t)((const unsigned char *)local - memory[me][IN_SPACE]);
    return (uintptr_t)memory[pe][IN_SPACE] + offset;
}

void model_lock(void)
{
    while (__atomic_exchange_n(&shared->lock, 1, __ATOMIC_ACQUIRE))
        step();
}

void model_unlock(void)
{
    __atomic_store_n(&shared->lock, 0, __ATOMIC_RELEASE);
}

#define ACCUMULATE(type)                                                                           \
    do {                                                                                           \
        type factor, term, sum;                                                                    \
        memcpy(&factor, scale->alpha, sizeof factor);                                              \
        for (size_t at = 0; at < bytes; at += sizeof term) {                                       \
            memcpy(&term, (const char *)source + at, sizeof term);                                 \
            memcpy(&sum, (const char *)dest + at, sizeof sum);                                     \
            sum += factor * term;                                                                  \
            memcpy((char *)dest + at, &sum, sizeof sum);                                           \
        }                                                                                          \
    } while (0)

void memory_accumulate(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale)
{
    REQUIRE(scale->number <= SHEAF_DOUBLE, "a number of kind %d", (int)scale->number);
    if (scale->number == SHEAF_INT)
        ACCUMULATE(int);
    else if (scale->number == SHEAF_LONG)
        ACCUMULATE(long);
    else if (scale->number == SHEAF_FLOAT)
        ACCUMULATE(float);
    else
        ACCUMULATE(double);
}

static void verify(enum region region, size_t bytes)
{
    static const char *const names[] = {"data", "heap", "space"};
    const unsigned char *is = memory[me][region], *should = model[me][region];
    size_t at = 0;
    if (memcmp(is, should, bytes) == 0)
        return;
    while (is[at] == should[at])
        at++;
    REQUIRE(false,
            "%s + %zu: %02x instead of %02x (slices from %zu, marked %zu, marks %zu, words %zu, "
            "counters %zu, sums %zu, big %zu)", names[region], at, is[at], should[at], SLICES,
            MARKED_AT, MARKS_AT, WORDS_AT, COUNTERS_AT, SUMS_AT, REGION);
}

void memory_verify(void)
{
    verify(IN_DATA, REGION);
    verify(IN_HEAP, is_big ? HEAP_BYTES : REGION);
    verify(IN_SPACE, REGION);
}

void marks_begin(uint64_t plan)
{
    phase = 1 + plan;
    memset(marked, 0, sizeof marked);
    memset(marks, 0, sizeof marks);
    memset(seen, 0, sizeof seen);
}

struct mark *marks_next(int pe, size_t bytes)
{
    enum region region = (enum region)below(&chance, REGIONS);
    unsigned number = marks[pe];
    if (number == MOST_MARKS || marked[pe][region] + bytes > MARKED)
        return NULL;
    struct mark *mark = &shared->marks[pe][me][number];
    mark->data_region = region;
    mark->mark_region = (enum region)below(&chance, REGIONS);
    mark->at = MARKED_AT + (size_t)me * MARKED + marked[pe][region];
    mark->bytes = bytes;
    mark->mark_at = MARKS_AT + (size_t)me * MARKS + number * sizeof(uint64_t);
    mark->number = test_random(&chance);
    marks[pe]++;
    marked[pe][region] += bytes;
    return mark;
}

void marks_publish(struct mark *mark)
{
    trace("the mark of region %d + %zu is to be %lx, in region %d + %zu", (int)mark->data_region, mark->at,
          (unsigned long)mark->value, (int)mark->mark_region, mark->mark_at);
    __atomic_store_n(&mark->phase, phase, __ATOMIC_RELEASE);
}

/* Whether it is still to come. */
static bool look_at(int origin, unsigned number)
{
    const struct mark *mark = &shared->marks[me][origin][number];
    if (seen[origin][number] || __atomic_load_n(&mark->phase, __ATOMIC_ACQUIRE) != phase)
        return false;
    const uint64_t *word = (const uint64_t *)(const void *)(memory[me][mark->mark_region] + mark->mark_at);
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != mark->value)
        return true;
    REQUIRE(is_filled(memory[me][mark->data_region] + mark->at, mark->bytes, mark->number),
            "mark %u of PE %d is here, its data is not: %zu bytes", number, origin, mark->bytes);
    seen[origin][number] = true;
    return false;
}

unsigned marks_look(void)
{
    unsigned missing = 0;
    for (int origin = 0; origin < pes; origin++)
        for (unsigned number = 0; number < MOST_MARKS; number++)
            missing += look_at(origin, number);
    return missing;
}

/* Between two barriers. */
void tickets_begin(void)
{
    memcpy(&shared->tickets[me], model[me][IN_HEAP] + COUNTERS_AT + 40, sizeof shared->tickets[me]);
    memset(shared->taken[me], 0, sizeof shared->taken[me]);
}

void tickets_take(int pe, uint64_t number)
{
    uint64_t at = number - shared->tickets[pe];
    REQUIRE(at < MOST_TICKETS, "ticket %lu of PE %d, of %lu on", (unsigned long)number, pe,
            (unsigned long)shared->tickets[pe]);
    REQUIRE(__atomic_fetch_add(&shared->taken[pe][at], 1, __ATOMIC_RELAXED) == 0,
            "ticket %lu of PE %d twice", (unsigned long)number, pe);
}

/* What peers write is read after the engine has told of it, in ways that the race checker does not know:
 * a word that another process has written, a barrier between processes. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:^memory_verify$\nrace:^marks_look$\n";
}
