/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations of several providers: what the program says and asks. Extensions.
 */
#include "api/define.h"

#ifndef SHEAF_PRINT
#include "core/access/amo_provider.h"
#include "core/amo_agree.h"
#include "core/pe/public_extensions.h"

static sheaf_amo_set parse(const char *operations, const char *call)
{
    char all[128];
    sheaf_amo_set set = 0;
    sheaf_amo_print(SHEAF_AMO_ALL, all, sizeof all);
    if (!operations || sheaf_amo_parse(operations, &set) != 0)
        sheaf_fatal("SH104 %s: operations is \"%s\"; expected a list without spaces of %s, each with 32, "
                    "64 or neither, or all", call, operations ? operations : "(null)", all);
    return set;
}

/* Of an operation's bit. */
static enum sheaf_amo number(const char *operation, const char *call)
{
    int found = sheaf_names_find(sheaf_amo_names, operation ? operation : "");
    if (found < 0)
        sheaf_fatal("SH104 %s: operation is \"%s\"; expected fetch, set, add, and, or, xor, swap or cswap",
                    call, operation ? operation : "(null)");
    return found;
}
#endif

SHEAF_CHAPTER("Providers of atomic operations: extensions")

/* Says which atomic operations the program uses from here on, as SHEAF_ATOMICS_USES does: a list of
 * fetch, set, add, and, or, xor, swap, cswap, each with 32 or 64 behind it or neither, which means
 * both, between commas: "add64,cswap64,fetch". One that the network lacks and cannot build then no
 * longer pushes the others to the processors. Collective over the world; completes what went before
 * and synchronizes. Returns 1 where SHEAF_ATOMICS asked for the network's operations and the objects
 * concerned have them now, otherwise 0. */
SHEAF_EXTENSION(int, atomics_declare, (const char *operations), {
    sheaf_job_require(call);
    return sheaf_amo_agree_declare(parse(operations, call));
})

/* The provider of operation (a name as above, without a number) on an object of 4 or 8 bytes of PE pe, one
 * of SHMEMX_ATOMIC_*. object is symmetric, or a null pointer for any that was allocated without
 * a hint. */
SHEAF_CTX_EXTENSION(int, atomic_provider,
                    (const char *operation, size_t bytes, const void *object, int pe), {
    sheaf_job_require(call);
    if (bytes != 4 && bytes != 8)
        sheaf_fatal("SH104 %s: bytes is %zu; expected 4 or 8", call, bytes);
    if (pe < 0 || pe >= sheaf_job.npes)
        sheaf_fatal("SH101 %s: PE %d is out of range: this job has PEs 0 to %d", call, pe,
                    sheaf_job.npes - 1);
    return sheaf_amo_provider_of(ctx, number(operation, call), (unsigned)bytes, object, pe);
})
