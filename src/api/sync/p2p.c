/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point synchronization on one variable: wait and test.
 */
#include "api/define.h"

#include "api/sync/p2p.h"

#include <inttypes.h>
#include <stdio.h>

#define IS_SIGNED(TYPE) ((TYPE)-1 < (TYPE)1)

/* For each type: its comparison, on an atomic read, and its way to print a value. */
#define P2P_TYPE(NAME, TYPE)                                                                       \
    static inline bool holds_##NAME(const TYPE *variable, int cmp, TYPE value)                     \
    {                                                                                              \
        TYPE now = sheaf_load_acquire(variable);                                                   \
        switch (cmp) {                                                                             \
        case SHMEM_CMP_EQ:                                                                         \
            return now == value;                                                                   \
        case SHMEM_CMP_NE:                                                                         \
            return now != value;                                                                   \
        case SHMEM_CMP_GT:                                                                         \
            return now > value;                                                                    \
        case SHMEM_CMP_LE:                                                                         \
            return now <= value;                                                                   \
        case SHMEM_CMP_LT:                                                                         \
            return now < value;                                                                    \
        default:                                                                                   \
            return now >= value;                                                                   \
        }                                                                                          \
    }                                                                                              \
    static bool any_holds_##NAME(const void *variable, int cmp, const void *value)                 \
    {                                                                                              \
        return holds_##NAME(variable, cmp, *(const TYPE *)value);                                  \
    }                                                                                              \
    static uint64_t bits_##NAME(const void *variable)                                              \
    {                                                                                              \
        return (uint64_t)sheaf_load_relaxed((const TYPE *)variable);                               \
    }                                                                                              \
    static void print_##NAME(const void *value, char *text, size_t size)                           \
    {                                                                                              \
        if (IS_SIGNED(TYPE))                                                                       \
            snprintf(text, size, "%jd", (intmax_t)sheaf_load_relaxed((const TYPE *)value));        \
        else                                                                                       \
            snprintf(text, size, "%ju", (uintmax_t)sheaf_load_relaxed((const TYPE *)value));       \
    }                                                                                              \
    const struct sheaf_p2p_type sheaf_p2p_type_##NAME = {#TYPE, sizeof(TYPE), any_holds_##NAME,    \
                                                         bits_##NAME, print_##NAME};
SHEAF_TYPES_WAIT(P2P_TYPE)

/* Polls in the routine itself: the whole of the wait is this loop. */
#define WAIT_UNTIL(NAME, TYPE, COMPARISON, VALUE)                                                  \
    sheaf_p2p_check(ivar, sizeof *ivar, COMPARISON, call);                                         \
    if (!holds_##NAME(ivar, COMPARISON, VALUE)) {                                                  \
        SHEAF_CALL(call);                                                                          \
        sheaf_job_require(call);                                                                   \
        const TYPE wanted = (VALUE);                                                               \
        const struct sheaf_p2p_set set = {&sheaf_p2p_type_##NAME, (const char *)ivar, 1, NULL,     \
                                          COMPARISON, (const char *)&wanted, 0};                   \
        struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, &set, sheaf_p2p_describe);    \
        while (!holds_##NAME(ivar, COMPARISON, wanted))                                            \
            sheaf_wait_step(&wait);                                                                \
        sheaf_wait_done(&wait);                                                                    \
    }                                                                                              \
    sheaf_fence_loads()

SHEAF_CHAPTER("Point-to-point synchronization")

/* Waits until *ivar, a symmetric variable of the calling PE, stands in relation cmp
 * (SHMEM_CMP_EQ, ...) to cmp_value. What other PEs ordered before the update is visible then.
 * The forms for short and unsigned short are deprecated since 1.5.
 * Specification 1.6: shmem_wait_until */
#define TYPED_WAIT_UNTIL(NAME, TYPE)                                                               \
    SHEAF_ROUTINE(void, shmem_##NAME##_wait_until, (TYPE *ivar, int cmp, TYPE cmp_value), {        \
        WAIT_UNTIL(NAME, TYPE, cmp, cmp_value);                                                    \
    })
SHEAF_FAMILY(TYPED_WAIT_UNTIL, WAIT)

/* The same for long by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_wait_until */
SHEAF_ROUTINE(void, shmem_wait_until, (long *ivar, int cmp, long cmp_value), {
    WAIT_UNTIL(long, long, cmp, cmp_value);
})

/* Waits until *ivar is not cmp_value; deprecated since 1.4.
 * Specification 1.6: shmem_wait_until */
SHEAF_ROUTINE(void, shmem_wait, (long *ivar, long cmp_value), {
    WAIT_UNTIL(long, long, SHMEM_CMP_NE, cmp_value);
})
#define TYPED_WAIT(NAME, TYPE)                                                                     \
    SHEAF_ROUTINE(void, shmem_##NAME##_wait, (TYPE *ivar, TYPE cmp_value), {                       \
        WAIT_UNTIL(NAME, TYPE, SHMEM_CMP_NE, cmp_value);                                           \
    })
SHEAF_TYPES_OLD_WAIT(TYPED_WAIT)

/* 1 when *ivar, a symmetric variable of the calling PE, stands in relation cmp to cmp_value, 0
 * when not. The forms for short and unsigned short are deprecated since 1.5.
 * Specification 1.6: shmem_test */
#define TYPED_TEST(NAME, TYPE)                                                                     \
    SHEAF_ROUTINE(int, shmem_##NAME##_test, (TYPE *ivar, int cmp, TYPE cmp_value), {               \
        if (sheaf_unlikely((unsigned)cmp >= sheaf_route.tests)) {                                  \
            const TYPE held = cmp_value;                                                           \
            return sheaf_p2p_test_counted(&sheaf_p2p_type_##NAME, ivar, cmp, &held, call);         \
        }                                                                                          \
        bool result = holds_##NAME(ivar, cmp, cmp_value);                                          \
        sheaf_fence_loads();                                                                       \
        if (!result)                                                                               \
            sheaf_wait_polled();                                                                   \
        return result;                                                                             \
    })
SHEAF_FAMILY(TYPED_TEST, WAIT)

/* Waits until the calling PE's signal object stands in relation cmp to cmp_value. Returns the
 * value that did.
 * Specification 1.6: shmem_signal_wait_until */
SHEAF_ROUTINE(uint64_t, shmem_signal_wait_until,
              (uint64_t *sig_addr, int cmp, uint64_t cmp_value), {
    sheaf_p2p_check(sig_addr, sizeof *sig_addr, cmp, call);
    SHEAF_CALL(call);
    sheaf_job_require(call);
    const struct sheaf_p2p_set set = {&sheaf_p2p_type_uint64, (const char *)sig_addr, 1, NULL, cmp,
                                      (const char *)&cmp_value, 0};
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, &set, sheaf_p2p_describe);
    uint64_t seen;
    while (seen = sheaf_load_acquire(sig_addr), !holds_uint64(&seen, cmp, cmp_value))
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    return seen;
})
