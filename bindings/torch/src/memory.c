/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A member's block, and how others' are written and read: by loads and stores within a host, by put
 * and get between hosts. Addresses are the caller's own; the block is symmetric.
 *
 *   announcements[2][size] notices[size] inbound[size] outbound[size] | boxes[size][2] | areas
 */
#include "torch.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PAGE 4096
#define LINE 64

/* Where areas begin that are not one of two. */
#define LANES  3
#define SHIFTS 16
#define SHIFT  (64UL << 10)

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

static char *words(struct sheaf_group *group, size_t per_member)
{
    return group->mine + (size_t)group->size * per_member;
}

#define NOTICES  (2 * sizeof(struct sheaf_announcement))
#define INBOUND  (NOTICES + sizeof(struct sheaf_notice))
#define OUTBOUND (INBOUND + sizeof(struct sheaf_inbound))
#define END      (OUTBOUND + sizeof(struct sheaf_outbound))

/* Of all members' blocks; sets where this group's parts begin. */
size_t sheaf_memory_bytes(struct sheaf_group *group)
{
    size_t size = (size_t)group->size;
    group->boxes = round_up(size * END, PAGE);
    group->areas = group->boxes + size * 2 * SHEAF_TORCH_MESSAGE;
    return group->areas + (2 + LANES) * SHEAF_TORCH_CHUNK + SHIFTS * SHIFT;
}

struct sheaf_announcement *sheaf_memory_table(struct sheaf_group *group, uint64_t step, int rank)
{
    struct sheaf_announcement *table = (struct sheaf_announcement *)group->mine;
    return table + (step & 1) * (size_t)group->size + rank;
}

struct sheaf_notice *sheaf_memory_notice(struct sheaf_group *group, int rank)
{
    return (struct sheaf_notice *)words(group, NOTICES) + rank;
}

struct sheaf_inbound *sheaf_memory_inbound(struct sheaf_group *group, int rank)
{
    return (struct sheaf_inbound *)words(group, INBOUND) + rank;
}

struct sheaf_outbound *sheaf_memory_outbound(struct sheaf_group *group, int rank)
{
    return (struct sheaf_outbound *)words(group, OUTBOUND) + rank;
}

/* Where the messages to rank are handed over. */
char *sheaf_memory_box(struct sheaf_group *group, int rank, uint64_t part)
{
    return group->mine + group->boxes + ((size_t)rank * 2 + (part & 1)) * SHEAF_TORCH_MESSAGE;
}

/* Of successive steps no two areas overlap. It takes 3 MiB until a place is written again, where it is
 * not one of two: by then the processors' own caches have let go of it. A line that another's cache
 * still has makes stores and loads wait for that: 1 MiB from one process to another, in pieces of
 * 64 KiB, took 118 us through 128 or 256 KiB, and 30 through 2 or 4 MiB. */
char *sheaf_memory_area(struct sheaf_group *group, uint64_t step, bool is_one_of_two)
{
    char *areas = group->mine + group->areas, *shifted = areas + 2 * SHEAF_TORCH_CHUNK;
    if (is_one_of_two)
        return areas + step % 2 * SHEAF_TORCH_CHUNK;
    return shifted + step % LANES * SHEAF_TORCH_CHUNK + step / LANES % SHIFTS * SHIFT;
}

/* Rank's copy of an address of the caller's block; NULL where it is of another host. */
void *sheaf_memory_at(struct sheaf_group *group, int rank, const void *address)
{
    return group->peers[rank] ? group->peers[rank] + ((const char *)address - group->mine) : NULL;
}

/* Writes bytes and then value, to the word that rank looks at. */
void sheaf_memory_write(struct sheaf_group *group, int rank, void *dest, const void *source,
                        size_t bytes, uint64_t *word, uint64_t value)
{
    if (group->peers[rank]) {
        if (bytes)
            memcpy(sheaf_memory_at(group, rank, dest), source, bytes);
        __atomic_store_n((uint64_t *)sheaf_memory_at(group, rank, word), value, __ATOMIC_RELEASE);
        return;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (bytes)
        shmem_putmem_signal(dest, source, bytes, word, value, SHMEM_SIGNAL_SET, group->pes[rank]);
    else
        shmem_signal_set(word, value, group->pes[rank]);
}

#ifdef __SSE2__
static void stream_line(char *dest, const char *source)
{
    for (size_t part = 0; part < LINE; part += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)(dest + part),
                         _mm_loadu_si128((const __m128i *)(const void *)(source + part)));
}

/* Past the caches, where dest begins a line and bytes are whole lines. */
static void stream(char *dest, const char *source, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        stream_line(dest + at, source + at);
    _mm_sfence();
}
#else
static void stream_line(char *dest, const char *source)
{
    memcpy(dest, source, LINE);
}
#endif

/* is_past: past the caches, as results that do not fit them are. memcpy loads each line of dest first, a
 * third of the traffic to memory: 32 MiB in pieces of 1 MiB take 3.4 ms so, and 2.0 past the caches. */
void sheaf_memory_copy(void *dest, const void *source, size_t bytes, bool is_past)
{
#ifdef __SSE2__
    size_t head = -(uintptr_t)dest % LINE, lines = bytes > head ? (bytes - head) / LINE * LINE : 0;
    if (is_past && lines) {
        memcpy(dest, source, head);
        stream((char *)dest + head, (const char *)source + head, lines);
        dest = (char *)dest + head + lines;
        source = (const char *)source + head + lines;
        bytes -= head + lines;
    }
#else
    (void)is_past;
#endif
    memcpy(dest, source, bytes);
}

/* Copies a and b past the caches, and c into them or past them, a line of each in turn: the processor
 * waits for memory and for other caches at the same time. 32 MiB among two ranks take 3.3 ms so, and 4.2
 * one after the other. Whole lines of all, where b has any; how many bytes of each. */
static size_t copy_lines(const struct sheaf_copy *a, const struct sheaf_copy *b,
                         const struct sheaf_copy *c, bool is_past)
{
    size_t bytes = a->bytes < c->bytes ? a->bytes : c->bytes;
    bool has_b = b->bytes >= LINE;
    bytes = (has_b && b->bytes < bytes ? b->bytes : bytes) / LINE * LINE;
    if ((uintptr_t)a->to % LINE || (has_b && (uintptr_t)b->to % LINE))
        return 0;
    for (size_t at = 0; at < bytes; at += LINE) {
        if (is_past)
            stream_line(c->to + at, c->from + at);
        else
            memcpy(c->to + at, c->from + at, LINE);
        stream_line(a->to + at, a->from + at);
        if (has_b)
            stream_line(b->to + at, b->from + at);
    }
#ifdef __SSE2__
    _mm_sfence();
#endif
    return bytes;
}

static void copy_rest(const struct sheaf_copy *copy, size_t done, bool is_long)
{
    if (copy->bytes > done)
        sheaf_memory_copy(copy->to + done, copy->from + done, copy->bytes - done, is_long);
}

/* Three copies of long operations: two results, and one for others to read. */
void sheaf_memory_copy_three(const struct sheaf_copy *result, const struct sheaf_copy *other,
                             const struct sheaf_copy *shown, bool is_past)
{
    size_t done = copy_lines(result, other, shown, is_past);
    copy_rest(result, done, true);
    copy_rest(other, other->bytes < LINE ? 0 : done, true);
    copy_rest(shown, done, is_past);
}

/* The bytes are there after sheaf_memory_complete. */
void sheaf_memory_read(struct sheaf_group *group, int rank, void *dest, const void *source,
                       size_t bytes, bool is_long)
{
    if (!bytes)
        return;
    if (group->peers[rank])
        sheaf_memory_copy(dest, sheaf_memory_at(group, rank, source), bytes, is_long);
    else
        shmem_getmem_nbi(dest, source, bytes, group->pes[rank]);
}

void sheaf_memory_complete(struct sheaf_group *group)
{
    if (group->near < group->size)
        shmem_quiet();
}

/* Whether another has written value or more to this word of the caller's. */
bool sheaf_memory_reached(struct sheaf_group *group, uint64_t *word, uint64_t value)
{
    if (group->near == group->size)
        return __atomic_load_n(word, __ATOMIC_ACQUIRE) >= value;
    return shmem_uint64_test(word, SHMEM_CMP_GE, value);
}
