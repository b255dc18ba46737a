/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock of base/os/owner_lock.h by itself: an owner that hardly ever rests, visitors, and a second owner
 * that takes over; what they guard is never touched by two at once.
 */
#include "base/os/owner_lock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { VISITORS = 2, OWNED = 400000, MOST_VISITS = 2000 };

static struct sheaf_owner_lock lock;
static long guarded[2]; /* equal whenever nobody is inside */
static bool is_over;
static long visits[VISITORS];

static void touch(void)
{
    if (guarded[0] != guarded[1]) {
        printf("two threads were inside at once: %ld, %ld\n", guarded[0], guarded[1]);
        exit(1);
    }
    guarded[0]++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    guarded[1]++;
}

static void *own(void *ignored)
{
    (void)ignored;
    for (int i = 0; i < OWNED; i++) {
        sheaf_owner_lock_enter(&lock);
        touch();
        sheaf_owner_lock_leave(&lock);
    }
    return NULL;
}

static void *visit(void *count)
{
    while (!sheaf_load_acquire(&is_over) && *(long *)count < MOST_VISITS)
        if (sheaf_owner_lock_visit(&lock)) {
            touch();
            ++*(long *)count;
            sheaf_owner_lock_end_visit(&lock);
        }
    return NULL;
}

/* A visitor gets in at the latest when no owner is there any more. */
static void last_visits(void)
{
    if (!sheaf_owner_lock_visit(&lock) || sheaf_owner_lock_visit(&lock)) {
        printf("a visitor is not let in alone\n");
        exit(1);
    }
    touch();
    sheaf_owner_lock_end_visit(&lock);
}

static void run(bool is_shared)
{
    pthread_t visitors[VISITORS], owner;
    guarded[0] = guarded[1] = 0;
    is_over = false;
    sheaf_owner_lock_init(&lock, is_shared);
    for (int i = 0; i < VISITORS; i++) {
        visits[i] = 0;
        pthread_create(&visitors[i], NULL, visit, &visits[i]);
    }
    pthread_create(&owner, NULL, own, NULL);
    if (is_shared)
        own(NULL);
    pthread_join(owner, NULL);
    if (!is_shared)
        own(NULL);
    sheaf_store_release(&is_over, true);
    for (int i = 0; i < VISITORS; i++)
        pthread_join(visitors[i], NULL);
    last_visits();
    if (guarded[0] != 2 * OWNED + visits[0] + visits[1] + 1) {
        printf("%ld times inside instead of %ld\n", guarded[0], 2L * OWNED + visits[0] + visits[1] + 1);
        exit(1);
    }
    sheaf_owner_lock_fini(&lock);
}

int main(void)
{
    run(false);
    run(true);
    return 0;
}
