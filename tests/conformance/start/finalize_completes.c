/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last finalize completes pending communication with a barrier and destroys what is left;
 * the process goes on and may do other work.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { ELEMENTS = 4096, DELAY_US = 20000 };

static long data[ELEMENTS];
static long source[ELEMENTS];
static long entered;

/* Static data stays the process's own: what others had written shows there. */
static void pending_puts_are_complete(int me, int n)
{
    const int left = (me + n - 1) % n;
    for (int i = 0; i < ELEMENTS; i++)
        CHECK_EQ(data[i], 1000L * left + i);
    if (me == 0)
        CHECK_EQ(entered, n);
}

static void process_goes_on(int me)
{
    enum { BYTES = 1 << 20 };
    char *memory = malloc(BYTES);
    CHECK(memory != NULL);
    memset(memory, me + 1, BYTES);
    CHECK_EQ(memory[BYTES - 1], (char)(me + 1));
    free(memory);
    data[0] = -me;
    CHECK_EQ(data[0], -me);
    FILE *null = fopen("/dev/null", "w");
    CHECK(null != NULL);
    CHECK(fprintf(null, "PE %d\n", me) > 0);
    CHECK_EQ(fclose(null), 0);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    for (int i = 0; i < ELEMENTS; i++)
        source[i] = 1000L * me + i;
    if (me % 2)
        usleep(DELAY_US);
    shmem_long_put_nbi(data, source, ELEMENTS / 2, (me + 1) % n);
    shmem_ctx_long_put_nbi(ctx, data + ELEMENTS / 2, source + ELEMENTS / 2, ELEMENTS / 2,
                           (me + 1) % n);
    shmem_long_atomic_inc(&entered, 0);
    shmem_finalize();
    pending_puts_are_complete(me, n);
    process_goes_on(me);
    return 0;
}
