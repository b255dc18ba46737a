/* SPDX-License-Identifier: BSD-3-Clause
 * See finish.h.
 */
#include "boot/job_report/finish.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static void (*end_job)(int status);

void sheaf_finish_set_end(void (*end)(int status))
{
    end_job = end;
}

static void *end_now(void *status)
{
    end_job((int)(intptr_t)status);
    _exit((int)(intptr_t)status);
}

void sheaf_finish(int status)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_now, (void *)(intptr_t)status) != 0)
        _exit(status);
    pthread_detach(thread);
}
