/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE that dies is noticed by those that are connected to it, within 5 s, whether they wait for an
 * operation, for a message, or compute. Argument: which of them.
 */
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *mode;
static double killed_at;

static void wait_for_death(void)
{
    size_t left = 0;
    if (strcmp(mode, "operation") == 0) {
        for (;;) {
            far_put(NULL, 1, heap, heap, 100000);
            far_quiet(NULL, SHEAF_EVERY_PE);
        }
    } else if (strcmp(mode, "gathered") == 0) {
        for (;;)
            far_put(NULL, 1, heap, heap, 8);
    } else if (strcmp(mode, "message") == 0) {
        engine->receive(1, 1, 0, heap, 8, &left);
        while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) != 0) {
            engine->progress(false);
            engine->sleep(NULL, false, 10000000);
        }
    }
    compute(60);
}

static void body(void)
{
    uint64_t value = 1;
    far_put(NULL, (me + 1) % npes, heap, &value, 8);
    far_quiet(NULL, SHEAF_EVERY_PE);
    barrier();
    if (me == 1) {
        compute(0.3);
        raise(SIGKILL);
    }
    wait_for_death();
}

/* The program is the launcher here: PE 0 must end by itself, in time and with a failure. */
int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "operation";
    killed_at = now() + 0.3;
    expect_death = true;
    int failed = run_pes(2, body);
    double took = now() - killed_at;
    REQUIRE(failed && took < 6, "ended with %d after %g s", failed, took);
    return 0;
}
