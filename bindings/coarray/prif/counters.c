/* SPDX-License-Identifier: BSD-3-Clause
 * Events, notify variables, locks, CRITICAL and atomic procedures; see prif.h. Variables are words of
 * 8 bytes, of an image of the initial team, by a handle or by the address that the image has.
 */
#include "../counter.h"
#include "../sync.h"
#include "prif.h"

/* A procedure on a variable of another image, by its two names: DO has pe and word. */
#define ON_WORD(NAME, STATEMENT, PARAMETERS, DO)                                                   \
    PRIF(NAME)(const int *image, prif_handle *handle, const size_t *offset, PARAMETERS PRIF_REPLY) \
    {                                                                                              \
        PRIF_STATEMENT(STATEMENT);                                                                 \
        int pe = sheaf_prif_pe(STATEMENT, image);                                                  \
        int64_t *word = sheaf_prif_place(STATEMENT, handle, offset, sizeof *word);                 \
        DO;                                                                                        \
    }                                                                                              \
    PRIF(NAME##_indirect)(const int *image, const intptr_t *address, PARAMETERS PRIF_REPLY)        \
    {                                                                                              \
        PRIF_STATEMENT(STATEMENT);                                                                 \
        int pe = sheaf_prif_pe(STATEMENT, image);                                                  \
        int64_t *word = sheaf_prif_reach(STATEMENT, pe, address);                                  \
        DO;                                                                                        \
    }
#define NONE
#define ACQUIRED bool *acquired,

static void lock(const struct sheaf_outcome *outcome, int64_t *word, int pe, bool *acquired)
{
    int got;
    sheaf_lock(outcome, word, pe, acquired ? &got : NULL);
    if (acquired)
        *acquired = got;
}

ON_WORD(event_post, "EVENT POST", NONE, sheaf_event_post(outcome, word, pe))
ON_WORD(lock, "LOCK", ACQUIRED, lock(outcome, word, pe, acquired))
ON_WORD(unlock, "UNLOCK", NONE, sheaf_unlock(outcome, word, pe))

PRIF(event_wait)(int64_t *const *event, const int64_t *until, PRIF_REPLY)
{
    PRIF_STATEMENT("EVENT WAIT");
    sheaf_event_wait(outcome, *event, until ? *until : 1);
}

PRIF(event_query)(int64_t *const *event, int64_t *count, int *stat)
{
    *count = shmem_int64_atomic_fetch(*event, shmem_my_pe());
    if (stat)
        *stat = 0;
}

PRIF(notify_wait)(int64_t *const *notify, const int64_t *until, PRIF_REPLY)
{
    PRIF_STATEMENT("NOTIFY WAIT");
    sheaf_event_wait(outcome, *notify, until ? *until : 1);
}

/* The lock is image 1's. */
PRIF(critical)(prif_handle *handle, PRIF_REPLY)
{
    PRIF_STATEMENT("CRITICAL");
    sheaf_lock(outcome, sheaf_prif_place("CRITICAL", handle, &(size_t){0}, sizeof(int64_t)), 0, NULL);
}

PRIF(end_critical)(prif_handle *handle)
{
    SHEAF_STATEMENT("END CRITICAL");
    sheaf_unlock(&(struct sheaf_outcome){"END CRITICAL", NULL, NULL, 0},
                 sheaf_prif_place("END CRITICAL", handle, &(size_t){0}, sizeof(int64_t)), 0);
}

/* Atomic procedures, which have STAT= alone. */
#define ATOMIC(NAME, STATEMENT, PARAMETERS, DO)                                                    \
    PRIF(NAME)(const int *image, prif_handle *handle, const size_t *offset, PARAMETERS, int *stat) \
    {                                                                                              \
        SHEAF_STATEMENT(STATEMENT);                                                                \
        const struct sheaf_outcome outcome = {STATEMENT, stat, NULL, 0};                           \
        int pe = sheaf_prif_pe(STATEMENT, image);                                                  \
        int64_t *word = sheaf_prif_place(STATEMENT, handle, offset, sizeof *word);                 \
        DO;                                                                                        \
    }                                                                                              \
    PRIF(NAME##_indirect)(const int *image, const intptr_t *address, PARAMETERS, int *stat)        \
    {                                                                                              \
        SHEAF_STATEMENT(STATEMENT);                                                                \
        const struct sheaf_outcome outcome = {STATEMENT, stat, NULL, 0};                           \
        int pe = sheaf_prif_pe(STATEMENT, image);                                                  \
        int64_t *word = sheaf_prif_reach(STATEMENT, pe, address);                                  \
        DO;                                                                                        \
    }
#define GIVEN     const int64_t *value
#define TAKEN     int64_t *value
#define EXCHANGED const int64_t *value, int64_t *old
#define COMPARED  int64_t *old, const int64_t *compare, const int64_t *value
#define APPLY(OPERATION, VALUE, OLD) sheaf_atomic(&outcome, OPERATION, word, 8, pe, VALUE, OLD)

ATOMIC(atomic_add, "ATOMIC_ADD", GIVEN, APPLY(SHEAF_ADD, value, NULL))
ATOMIC(atomic_and, "ATOMIC_AND", GIVEN, APPLY(SHEAF_AND, value, NULL))
ATOMIC(atomic_or, "ATOMIC_OR", GIVEN, APPLY(SHEAF_OR, value, NULL))
ATOMIC(atomic_xor, "ATOMIC_XOR", GIVEN, APPLY(SHEAF_XOR, value, NULL))
ATOMIC(atomic_fetch_add, "ATOMIC_FETCH_ADD", EXCHANGED, APPLY(SHEAF_ADD, value, old))
ATOMIC(atomic_fetch_and, "ATOMIC_FETCH_AND", EXCHANGED, APPLY(SHEAF_AND, value, old))
ATOMIC(atomic_fetch_or, "ATOMIC_FETCH_OR", EXCHANGED, APPLY(SHEAF_OR, value, old))
ATOMIC(atomic_fetch_xor, "ATOMIC_FETCH_XOR", EXCHANGED, APPLY(SHEAF_XOR, value, old))
ATOMIC(atomic_define_int, "ATOMIC_DEFINE", GIVEN, APPLY(SHEAF_DEFINE, value, NULL))
ATOMIC(atomic_define_logical, "ATOMIC_DEFINE", GIVEN, APPLY(SHEAF_DEFINE, value, NULL))
ATOMIC(atomic_ref_int, "ATOMIC_REF", TAKEN, APPLY(SHEAF_FETCH, NULL, value))
ATOMIC(atomic_ref_logical, "ATOMIC_REF", TAKEN, APPLY(SHEAF_FETCH, NULL, value))
ATOMIC(atomic_cas_int, "ATOMIC_CAS", COMPARED,
       sheaf_atomic_cas(&outcome, word, 8, pe, old, compare, value))
ATOMIC(atomic_cas_logical, "ATOMIC_CAS", COMPARED,
       sheaf_atomic_cas(&outcome, word, 8, pe, old, compare, value))
