/* SPDX-License-Identifier: BSD-3-Clause
 * See log.h.
 */
#include "base/log.h"

#include "base/clock.h"
#include "base/keep_errno.h"
#include "base/sanitize.h"
#include "base/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int log_pe = -1;
static bool debug_on;
static void (*end_job)(int status);
static sheaf_log_place *find_place; /* NULL: nobody knows */

#define LONGEST_TEXT 1024

static struct sheaf_log_board *board; /* NULL: this PE speaks for itself */
static uint32_t board_pes;
static bool is_held;
static char held[LONGEST_TEXT]; /* the first error since sheaf_log_hold() */

void sheaf_log_set_pe(int pe)
{
    log_pe = pe;
}

void sheaf_log_set_end(void (*end)(int status))
{
    end_job = end;
}

void sheaf_log_set_place(sheaf_log_place *place)
{
    find_place = place;
}

void sheaf_log_set_debug(bool on)
{
    debug_on = on;
}

bool sheaf_log_debug(void)
{
    return debug_on;
}

/* Uses no stdio stream, whose lock a fault handler may find taken. One write: lines of several PEs
 * never mix. others: how many PEs say the same. Of several lines of text the first one has the id. */
static void print_line(const char *kind, unsigned others, const char *text)
{
    SHEAF_KEEP_ERRNO;
    char line[1200], who[64] = "", id[SHEAF_ID_ROOM];
    const char *said = sheaf_take_id(text, id);
    int first = (int)strcspn(said, "\n");
    if (log_pe >= 0 && others > 0)
        snprintf(who, sizeof who, "PE %d (and %u other%s): ", log_pe, others, others > 1 ? "s" : "");
    else if (log_pe >= 0)
        snprintf(who, sizeof who, "PE %d: ", log_pe);
    snprintf(line, sizeof line, "sheaf: %s%s%.*s%s%s\n", who, kind, first, said, id, said + first);
    sheaf_sanitize(line, '\n');
    ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
    (void)ignored;
}

/* Leaves out the digits of addresses: of one object each PE has its own. */
static uint64_t hash_words(uint64_t hash, const char *text)
{
    for (const char *at = text; *at; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
        if (at[0] == '0' && at[1] == 'x')
            at += 1 + strspn(at + 2, "0123456789abcdef");
    }
    return hash;
}

static uint64_t hash_text(const char *kind, const char *text)
{
    return hash_words(hash_words(UINT64_C(14695981039346656037), kind), text) | 1; /* 0 is free */
}

/* The line's place among what PEs say; NULL where they share none or it is full. */
static struct sheaf_log_cause *find_cause(uint64_t hash)
{
    for (size_t i = 0; board && i < SHEAF_LOG_CAUSES; i++) {
        struct sheaf_log_cause *cause = &board->causes[(hash + i) % SHEAF_LOG_CAUSES];
        uint64_t there = 0;
        if (__atomic_compare_exchange_n(&cause->hash, &there, hash, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) || there == hash)
            return cause;
    }
    return NULL;
}

/* A line said long ago may be news again. */
static void renew(struct sheaf_log_cause *cause)
{
    uint64_t said = sheaf_load_acquire(&cause->said_ns);
    if (said == 0 || sheaf_clock_ns() - said < sheaf_times.error_news)
        return;
    sheaf_store_relaxed(&cause->pes, 0);
    __atomic_compare_exchange_n(&cause->said_ns, &said, 0, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
}

static bool claim_line(struct sheaf_log_cause *cause)
{
    uint64_t nothing = 0;
    return __atomic_compare_exchange_n(&cause->said_ns, &nothing, sheaf_clock_ns(), false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void nap(void)
{
    struct timespec pause = sheaf_times_spec(sheaf_times.error_look);
    nanosleep(&pause, NULL);
}

/* The first PE to say it: until all have, or nobody has for a while. A PE that is alone loses that time. */
static void await_others(struct sheaf_log_cause *cause)
{
    uint64_t now = sheaf_clock_ns(), end = now + sheaf_times.error_most;
    uint64_t quiet = now + sheaf_times.error_quiet;
    for (uint32_t before = 1, pes = 1; pes < board_pes && now < end && now < quiet;) {
        nap();
        now = sheaf_clock_ns();
        pes = sheaf_load_acquire(&cause->pes);
        if (pes != before)
            quiet = now + sheaf_times.error_quiet;
        before = pes;
    }
}

/* The others: until the first has said it. Does not take its word for it: it may have died. */
static void await_line(const struct sheaf_log_cause *cause)
{
    uint64_t end = sheaf_clock_ns() + sheaf_times.error_most + sheaf_times.error_quiet;
    while (!sheaf_load_acquire(&cause->said_ns) && sheaf_clock_ns() < end)
        nap();
}

/* Before the line is claimed: who takes too long for it leaves the line to another PE. */
static void add_place(char *text)
{
    char place[128];
    size_t length = strlen(text);
    if (find_place && find_place(place, sizeof place))
        snprintf(text + length, LONGEST_TEXT - length, "; called at %s", place);
}

/* Prints the line, which has room for LONGEST_TEXT, unless another PE of this node does. An error is said
 * once all have come to it. */
static void say(const char *kind, bool is_error, bool has_place, char *text)
{
    uint64_t hash = hash_text(kind, text);
    struct sheaf_log_cause *cause = find_cause(hash);
    unsigned others = 0;
    if (cause) {
        renew(cause);
        bool is_first = __atomic_fetch_add(&cause->pes, 1, __ATOMIC_ACQ_REL) == 0;
        if (is_error && is_first)
            await_others(cause);
        else if (is_error)
            await_line(cause);
        if (has_place && is_first)
            add_place(text);
        if (!claim_line(cause))
            return;
        others = is_error && is_first ? sheaf_load_acquire(&cause->pes) - 1 : 0;
    } else if (has_place) {
        add_place(text);
    }
    print_line(kind, others, text);
}

void sheaf_log_share(struct sheaf_log_board *with, int pes)
{
    board = pes > 1 ? with : NULL;
    board_pes = (uint32_t)pes;
}

void sheaf_log_hold(void)
{
    is_held = true;
}

void sheaf_log_release(void)
{
    is_held = false;
    if (held[0])
        say("error: ", true, false, held);
    held[0] = '\0';
}

__attribute__((format(printf, 2, 0))) static void say_error(bool has_place, const char *format,
                                                             va_list arguments)
{
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    if (is_held && !held[0])
        memcpy(held, text, sizeof held);
    else
        say("error: ", true, has_place, text);
}

_Noreturn void sheaf_end_job(void)
{
    if (end_job)
        end_job(1);
    _exit(1);
}

void sheaf_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(true, format, arguments);
    va_end(arguments);
    sheaf_end_job();
}

void sheaf_fatal_placed(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(false, format, arguments);
    va_end(arguments);
    sheaf_end_job();
}

void sheaf_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(false, format, arguments);
    va_end(arguments);
}

void sheaf_error_of_call(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(true, format, arguments);
    va_end(arguments);
}

void sheaf_warn(const char *format, ...)
{
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say("warning: ", false, false, text);
}

void sheaf_debug(const char *format, ...)
{
    if (!debug_on)
        return;
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("debug: ", 0, text);
}
