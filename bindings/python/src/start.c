/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of the library, at the first call or where the program asks for it.
 */
#include "core.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* taken without Python's lock */

bool sheaf_is_profiled;

static bool find_far(void)
{
    bool *is_far = calloc((size_t)sheaf_pes, sizeof *is_far);
    for (int pe = 0; is_far && pe < sheaf_pes; pe++)
        is_far[pe] = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) < 0;
    free(sheaf_is_far);
    sheaf_is_far = is_far;
    return is_far != NULL;
}

static bool initialize(int level, const struct sheaf_by_uid *uid)
{
    int provided;
    if (uid ? shmemx_init_uid_thread(uid->rank, uid->size, &uid->id, level, &provided)
            : shmem_init_thread(level, &provided))
        return false;
    sheaf_pe = shmem_my_pe();
    sheaf_pes = shmem_n_pes();
    sheaf_is_profiled = dlsym(RTLD_DEFAULT, "sheaf_profile_is_loaded") != NULL;
    return find_far();
}

/* Threads that come at the same time find it done. */
int sheaf_bring_up(const char *call, int level, const struct sheaf_by_uid *uid)
{
    bool done;
    Py_BEGIN_ALLOW_THREADS
    pthread_mutex_lock(&starting);
    done = (sheaf_state == SHEAF_UP && !uid) || initialize(level, uid);
    if (done && sheaf_state != SHEAF_UP) {
        sheaf_epoch++;
        sheaf_state = SHEAF_UP;
    }
    pthread_mutex_unlock(&starting);
    Py_END_ALLOW_THREADS
    if (!done)
        sheaf_failed(call, "the library cannot be initialized (thread level %d)", level);
    return done ? 0 : -1;
}

int sheaf_start(const char *call)
{
    switch (sheaf_state) {
    case SHEAF_NEVER: return sheaf_bring_up(call, SHMEM_THREAD_MULTIPLE, NULL);
    case SHEAF_UP: return 0;
    case SHEAF_DOWN: sheaf_failed(call, "called after sheafshmem.finalize()"); return -1;
    case SHEAF_CHILD:
        sheaf_failed(call, "called in a child that this PE forked: a child is no PE (multiprocessing: use "
                           "the start method \"spawn\", and no sheafshmem in the workers)");
        return -1;
    }
    return -1;
}
