/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits and tests on sets of variables, for all types alike. *_any is fair: each search begins
 * behind the variable that the last one of the same array returned.
 */
#include "api/sync/p2p.h"

#include "base/atomic.h"
#include "base/log.h"
#include "core/memory/address_text.h"
#include "core/memory/check.h"
#include "core/pe/job.h"
#include "core/pe/poll.h"
#include "core/pe/public.h"
#include "core/memory/symmetric.h"
#include "core/pe/wait.h"

#include <stdio.h>

void sheaf_p2p_check_slowly(const void *variables, size_t bytes, int cmp, const char *call)
{
    sheaf_job_require(call);
    if (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_GE)
        sheaf_fatal("SH104 %s: cmp is %d; expected one of SHMEM_CMP_EQ, NE, GT, LE, LT, GE", call, cmp);
    if (!sheaf_job_checks_args())
        return;
    sheaf_check_thread(call);
    sheaf_symmetric_require(variables, bytes, call);
}

static bool in_set(const struct sheaf_p2p_set *set, size_t index)
{
    return set->status == NULL || set->status[index] == 0;
}

static bool is_empty(const struct sheaf_p2p_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (in_set(set, i))
            return false;
    return true;
}

static bool holds(const struct sheaf_p2p_set *set, size_t index)
{
    return set->type->holds(set->variables + index * set->type->bytes, set->cmp,
                            set->values + index * set->value_step);
}

void sheaf_p2p_describe(const void *object, char *text, size_t size)
{
    static const char *const relations[] = {"==", "!=", ">", "<=", "<", ">="};
    const struct sheaf_p2p_set *set = object;
    size_t index = 0;
    while (index < set->count - 1 && (!in_set(set, index) || holds(set, index)))
        index++;
    const char *variable = set->variables + index * set->type->bytes;
    char name[SHEAF_ADDRESS_NAME], now[24], wanted[24];
    sheaf_address_name(variable, name, sizeof name);
    set->type->print(variable, now, sizeof now);
    set->type->print(set->values + index * set->value_step, wanted, sizeof wanted);
    int length = snprintf(text, size, "%s%s at %p is %s, wants %s %s", set->type->name, name,
                          (const void *)variable, now, relations[set->cmp], wanted);
    if (set->count > 1 && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, " (%zu of %zu)", index, set->count);
}

/* Where the next search of an array begins, for the few arrays a thread searches in turn. An
 * array that takes another's place begins somewhere else every time. */
struct cursor {
    const char *variables;
    size_t next;
};
#define CURSORS 8
static __thread struct cursor cursors[CURSORS];
static __thread size_t takeovers;

static struct cursor *find_cursor(const struct sheaf_p2p_set *set)
{
    struct cursor *cursor = &cursors[((uintptr_t)set->variables >> 6) % CURSORS];
    if (cursor->variables != set->variables) {
        cursor->variables = set->variables;
        cursor->next = takeovers++;
    }
    return cursor;
}

static size_t find_any(const struct sheaf_p2p_set *set)
{
    if (set->count == 0)
        return SIZE_MAX;
    struct cursor *cursor = find_cursor(set);
    size_t index = cursor->next % set->count;
    for (size_t i = 0; i < set->count; i++) {
        if (in_set(set, index) && holds(set, index)) {
            cursor->next = index + 1;
            sheaf_fence_loads();
            return index;
        }
        index = index + 1 < set->count ? index + 1 : 0;
    }
    return SIZE_MAX;
}

static size_t find_some(const struct sheaf_p2p_set *set, size_t *indices)
{
    size_t found = 0;
    for (size_t i = 0; i < set->count; i++)
        if (in_set(set, i) && holds(set, i))
            indices[found++] = i;
    sheaf_fence_loads();
    return found;
}

/* A test counts whether it is met, and by which variable, or not: programs also loop while one is met. */
static void count_test(const struct sheaf_p2p_type *type, const void *variable)
{
    if (!variable)
        sheaf_wait_polled();
    else if (sheaf_unlikely(sheaf_poll_counts))
        sheaf_poll_seen(variable, type->bits(variable));
}

static const void *variable_at(const struct sheaf_p2p_set *set, size_t index)
{
    return set->variables + index * set->type->bytes;
}

bool sheaf_p2p_test_counted(const struct sheaf_p2p_type *type, const void *variable, int cmp,
                            const void *value, const char *call)
{
    sheaf_p2p_check(variable, type->bytes, cmp, call);
    bool result = type->holds(variable, cmp, value);
    sheaf_fence_loads();
    count_test(type, result ? variable : NULL);
    return result;
}

size_t sheaf_p2p_test_any(const struct sheaf_p2p_set *set)
{
    size_t index = find_any(set);
    if (set->count != 0)
        count_test(set->type, index == SIZE_MAX ? NULL : variable_at(set, index));
    return index;
}

bool sheaf_p2p_test_all(const struct sheaf_p2p_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (in_set(set, i) && !holds(set, i)) {
            sheaf_wait_polled();
            return false;
        }
    sheaf_fence_loads();
    if (set->count != 0)
        count_test(set->type, set->variables);
    return true;
}

size_t sheaf_p2p_test_some(const struct sheaf_p2p_set *set, size_t *indices)
{
    size_t found = find_some(set, indices);
    count_test(set->type, found == 0 ? NULL : variable_at(set, indices[0]));
    return found;
}

void sheaf_p2p_wait_all(const struct sheaf_p2p_set *set)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, set, sheaf_p2p_describe);
    for (size_t i = 0; i < set->count; i++)
        while (in_set(set, i) && !holds(set, i))
            sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
}

size_t sheaf_p2p_wait_any(const struct sheaf_p2p_set *set)
{
    if (is_empty(set))
        return SIZE_MAX;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, set, sheaf_p2p_describe);
    size_t index;
    while ((index = find_any(set)) == SIZE_MAX)
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    return index;
}

size_t sheaf_p2p_wait_some(const struct sheaf_p2p_set *set, size_t *indices)
{
    if (is_empty(set))
        return 0;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, set, sheaf_p2p_describe);
    size_t found;
    while ((found = find_some(set, indices)) == 0)
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    return found;
}
