/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A race in words: both accesses, the variable, and what would have ordered them. Each pair of places
 * once.
 */
#include "races/internal.h"

#include "base/elf/members.h"
#include "base/elf/symbols.h"
#include "base/sanitize.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT 1024

/* True for the first PE that comes with this pair. */
static bool is_new(uint32_t one, uint32_t other)
{
    uint64_t low = one < other ? one : other, high = one < other ? other : one;
    uint64_t pair = (high << 32 | low) + 1;
    uint64_t hash = pair * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    for (uint64_t i = hash, step = 0; step < RACES_PAIRS; i++, step++) {
        _Atomic uint64_t *place = &races.shared->pairs[i % RACES_PAIRS];
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(place, &there, pair))
            return true;
        if (there == pair)
            return false;
    }
    return false;
}

/* As its author wrote it, where the program has C++'s library. */
static const char *plain_name(const char *symbol, char *text, size_t size)
{
    int failed = 1;
    char *(*demangle)(const char *, char *, size_t *, int *) =
        (char *(*)(const char *, char *, size_t *, int *))dlsym(RTLD_DEFAULT, "__cxa_demangle");
    char *name = demangle && strncmp(symbol, "_Z", 2) == 0 ? demangle(symbol, NULL, NULL, &failed) : NULL;
    snprintf(text, size, "%s", name && !failed ? name : symbol);
    free(name);
    return text;
}

static void name_variable(uintptr_t local, const struct races_access *access, char *text, size_t size)
{
    struct sheaf_symbol symbol;
    char name[160] = "", path[160] = "";
    if (access->owner < 0) {
        snprintf(text, size, "private memory of PE %d", races.pe);
        return;
    }
    if (local < races.program || local >= races.program_end) {
        races_block_text(local, name, sizeof name);
        snprintf(text, size, "%s, PE %d's", name, access->owner);
        return;
    }
    if (!sheaf_symbols_find(local, &symbol) || local - symbol.start >= symbol.size) {
        snprintf(text, size, "a static variable of PE %d", access->owner);
        return;
    }
    size_t offset = local - symbol.start;
    if (sheaf_members_name(&symbol, offset, name, sizeof name, path, sizeof path))
        snprintf(text, size,
                 path[0] == '[' ? "%s%s, PE %d's"
                 : path[0]      ? "%s.%s, PE %d's"
                                : "%s%s, PE %d's",
                 name, path, access->owner);
    else if (offset)
        snprintf(text, size, "%s+%zu, PE %d's", plain_name(symbol.name, name, sizeof name), offset,
                 access->owner);
    else
        snprintf(text, size, "%s, PE %d's", plain_name(symbol.name, name, sizeof name), access->owner);
}

/* Goes on until quiet. */
static bool is_strand_pending(const struct races_strand *strand)
{
    return strand->kind == RACES_PUTS || strand->kind == RACES_GETS;
}

static void describe(uint64_t word, uint32_t site, char *text, size_t size)
{
    const struct races_strand *strand = &races.shared->strand[races_strand_of(word)];
    const char *call;
    char place[256], thread[32] = "";
    races_site_text(site, place, sizeof place, &call);
    if (strand->thread)
        snprintf(thread, sizeof thread, ", thread %d", strand->thread);
    const char *does = word & RACES_ATOMIC ? (call ? "" : "atomic ") : "";
    if (!call)
        snprintf(text, size, "PE %d%s: %s%s at %s", strand->pe, thread, does,
                 word & RACES_WRITE ? "store" : "load", place);
    else
        snprintf(text, size, "PE %d%s: %s at %s %s it%s", strand->pe, thread, call, place,
                 word & RACES_WRITE ? "writes" : "reads",
                 is_strand_pending(strand) ? ", any time up to quiet" : "");
}

/* The strand of loads that belongs to one of stores; 0: none. */
static unsigned loads_of(const struct races_strand *stores)
{
    for (unsigned i = 1; i < races_strand_count(); i++) {
        const struct races_strand *other = &races.shared->strand[i];
        if (other->kind == RACES_PROGRAM && other->pe == stores->pe && other->thread == stores->thread &&
            other->clock)
            return i;
    }
    return 0;
}

static void advise_one_pe(const struct races_strand *first, const struct races_strand *second, char *text,
                          size_t size)
{
    bool is_fence = first->kind == RACES_PUTS && second->kind == RACES_PUTS &&
                    first->context == second->context;
    const char *threads =
        first->thread != second->thread ? ", and a lock of the two threads, or a join" : "";
    if (is_fence)
        snprintf(text, size, "shmem_fence between the two calls%s", threads);
    else if (is_strand_pending(first))
        snprintf(text, size, "shmem_quiet on the context of the %s between the two%s",
                 first->kind == RACES_PUTS ? "put" : "call", threads);
    else
        snprintf(text, size, "a lock of the two threads, or a join");
}

/* The first is an operation of another PE that goes on until quiet. A fence orders puts alone, and is seen
 * by the PE alone whose memory they are in; a barrier completes those of the default context alone. */
static void advise_pending(const struct races_strand *first, const struct races_strand *second, int owner,
                           char *text, size_t size)
{
    const char *ctx = first->context == RACES_CONTEXT_DEFAULT ? "" : "ctx_";
    char fence[96] = "";
    if (first->kind == RACES_PUTS && owner == second->pe)
        snprintf(fence, sizeof fence, " (shmem_%sfence before a flag for the same PE and context)", ctx);
    snprintf(text, size, "shmem_%squiet by PE %d after its call%s, then a flag that PE %d waits for%s",
             ctx, first->pe, fence, second->pe,
             *ctx ? " or shmem_barrier_all" : "; or shmem_barrier_all");
}

/* The first was ahead in this run: a read that is meant to find what the second writes came too early. */
static void advise_complete(const struct races_strand *first, const struct races_strand *second,
                            bool is_read_first, char *text, size_t size)
{
    int length = snprintf(text, size,
                          "a flag that PE %d sets behind it (a store: behind shmem_quiet) and PE %d waits "
                          "for; or shmem_barrier_all",
                          first->pe, second->pe);
    if (is_read_first && length >= 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length,
                 "; if the read is to get what the other writes: shmem_quiet by PE %d behind that, then a "
                 "flag that PE %d waits for before it reads",
                 second->pe, first->pe);
}

static void advise(const struct races_thread *thread, uint64_t old, uint64_t word, int owner, char *text,
                   size_t size)
{
    const struct races_strand *first = &races.shared->strand[races_strand_of(old)];
    const struct races_strand *second = &races.shared->strand[races_strand_of(word)];
    const char *or_atomic = (old ^ word) & RACES_ATOMIC ? "; or atomic operations alone"
                            : old & RACES_ATOMIC
                                ? "; or atomic operations of one type, by contexts of SHMEM_TEAM_SHARED "
                                  "or none of them"
                                : "";
    unsigned loads = first->kind == RACES_STORES ? loads_of(first) : 0;
    if (first->pe == second->pe) {
        advise_one_pe(first, second, text, size);
        return;
    }
    if (loads && (uint32_t)old <= thread->vc[loads]) {
        snprintf(text, size,
                 "shmem_fence or shmem_quiet by PE %d between its store and the call that PE %d has seen",
                 first->pe, second->pe);
        return;
    }
    if (is_strand_pending(first))
        advise_pending(first, second, owner, text, size);
    else
        advise_complete(first, second, !(old & RACES_WRITE), text, size);
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", or_atomic);
}

/* Whether one is counted and told: SHEAF_RACES_MOST. */
static bool is_counted(void)
{
    unsigned number = atomic_fetch_add(&races.shared->reports, 1);
    if (number == races.most_reports)
        races_say("SH143 %u races have been reported; no more are (SHEAF_RACES_MOST)", number);
    return number < races.most_reports;
}

/* The old access reads the source of a put whose signal the new one is ordered behind. */
static bool is_behind_signal(const struct races_thread *thread, uint64_t old,
                             const struct races_access *access)
{
    const struct races_strand *gets = &races.shared->strand[races_strand_of(old)];
    const uint32_t *clock = access->vc ? access->vc : thread->vc;
    unsigned which = (unsigned)(old >> RACES_TYPE_SHIFT) % RACES_MOST_PUTS;
    return !(old & RACES_ATOMIC) && (old & RACES_SIGNALLED) && gets->signals[which] &&
           clock[gets->signals[which]] >= (uint32_t)old;
}

/* What is told of this one, once in a job; NULL: nothing more. */
static const char *head_of(bool is_behind)
{
    if (!is_behind || races.counts_signals)
        return is_counted() ? "SH141 race on" : NULL;
    if (atomic_fetch_or(&races.shared->full, 1u << RACES_BY_SIGNAL) & 1u << RACES_BY_SIGNAL)
        return NULL;
    return "SH142 ordered by the signal, not by the specification (no race is counted, and this is printed "
           "once; SHEAF_RACES_SIGNALS=on counts and prints all):";
}

void races_report(struct races_thread *thread, uint64_t old, uint32_t old_site, uint64_t word,
                  uintptr_t local, const struct races_access *access)
{
    char variable[512], first[TEXT / 2], second[TEXT / 2], advice[512], text[4 * TEXT];
    char id[SHEAF_ID_ROOM];
    if (old_site == 0 || !is_new(old_site, access->site))
        return; /* 0: two threads have recorded at the same moment; the next such pair is told */
    const char *head = head_of(is_behind_signal(thread, old, access));
    if (!head)
        return;
    unsigned common = races_mask_of(old) & races_mask_of(word);
    local = (local & ~(uintptr_t)7) + (common ? (unsigned)__builtin_ctz(common) : 0);
    name_variable(local, access, variable, sizeof variable);
    describe(old, old_site, first, sizeof first);
    describe(word, access->site, second, sizeof second);
    advise(thread, old, word, access->owner, advice, sizeof advice);
    sheaf_sanitize(variable, 0);
    sheaf_sanitize(first, 0);
    sheaf_sanitize(second, 0);
    head = sheaf_take_id(head, id);
    int length = snprintf(text, sizeof text,
                          "sheaf: races: %s %s%s\n"
                          "sheaf: races:   %s\n"
                          "sheaf: races:   %s\n"
                          "sheaf: races:   would be ordered by: %s\n",
                          head, variable, id, first, second, advice);
    races_write(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void races_report_call(const struct races_call *call, const char *why)
{
    char place[256], thread[32] = "";
    uint32_t site = races_site_call(call->name, call->caller);
    const char *name;
    if (!is_new(site, site))
        return;
    if (races_self)
        snprintf(thread, sizeof thread, ", thread %d", races_self->number);
    races_site_text(site, place, sizeof place, &name);
    races_say("SH111 PE %d%s: %s at %s: %s", races.pe, thread, call->name, place, why);
}

unsigned races_reported(void)
{
    return races.shared ? atomic_load(&races.shared->reports) : 0;
}
