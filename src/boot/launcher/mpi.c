/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI in the place of a launcher (SHEAF_BOOT=mpi): a PE's number is its rank, and what PEs have put
 * goes to everybody with the next fence. For launchers that MPI understands and Sheaf does not. All
 * values of all PEs stay here: a few hundred bytes of each.
 */
#include "boot/launcher/launcher.h"

#include "base/log.h"
#include "base/mpi/use.h"
#include "base/settings/env.h"
#include "boot/launcher/key_values.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock; /* of the values; fences come one at a time */
    const struct sheaf_mpi_shim *shim;
    sheaf_mpi_comm comm;
    int size;
    struct sheaf_key_values mine, *values; /* mine: since the last fence */
} boot = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool mpi_is_there(void)
{
    return sheaf_settings_choice("SHEAF_BOOT") == SHEAF_BOOT_MPI;
}

static int check(const char *what, int error)
{
    char reason[200];
    if (!error)
        return 0;
    boot.shim->words(error, reason, sizeof reason);
    sheaf_error("SH406 SHEAF_BOOT=mpi: %s cannot %s: %s", sheaf_mpi_choice.name, what, reason);
    return -1;
}

static int no_memory(void)
{
    sheaf_error("SH406 SHEAF_BOOT=mpi: no memory for the records that PEs exchange");
    return -1;
}

/* Fences come from one thread, while no other is in MPI: any level will do. */
static int mpi_open(int *pe, int *npes)
{
    char why[600];
    boot.shim = sheaf_mpi_use(SHEAF_MPI_SINGLE, why, sizeof why);
    if (!boot.shim) {
        sheaf_error("SH406 SHEAF_BOOT=mpi: %s", why);
        return -1;
    }
    boot.shim->place(pe, npes);
    boot.size = *npes;
    boot.values = calloc((size_t)*npes, sizeof *boot.values);
    return boot.values ? check("open a communicator", boot.shim->open(&boot.comm)) : no_memory();
}

static int mpi_put(const char *key, const void *value, size_t bytes)
{
    pthread_mutex_lock(&boot.lock);
    bool has_room = sheaf_key_values_put(&boot.mine, key, value, bytes);
    pthread_mutex_unlock(&boot.lock);
    return has_room ? 0 : no_memory();
}

/* counts becomes where each PE's part begins, too. Returns the sum, or -1 where MPI cannot count so far. */
static long add_up(const int *counts, int *places)
{
    long sum = 0;
    for (int pe = 0; pe < boot.size; pe++) {
        places[pe] = (int)sum;
        sum += counts[pe];
        if (sum > INT_MAX)
            return -1;
    }
    return sum;
}

static bool add_to_values(const unsigned char *all, const int *counts, const int *places)
{
    bool has_room = true;
    pthread_mutex_lock(&boot.lock);
    for (int pe = 0; pe < boot.size; pe++)
        if (counts[pe])
            has_room &= sheaf_key_values_add(&boot.values[pe], all + places[pe], (size_t)counts[pe]);
    pthread_mutex_unlock(&boot.lock);
    return has_room;
}

static int exchange(const struct sheaf_key_values *mine, int *counts, int *places)
{
    if (check("gather", boot.shim->gather_counts(&boot.comm, (int)mine->bytes, counts)) != 0)
        return -1;
    long sum = add_up(counts, places);
    unsigned char *all = sum < 0 ? NULL : malloc((size_t)sum + 1);
    if (!all)
        return no_memory();
    int failed = check("gather", boot.shim->gather(&boot.comm, mine->entries, (int)mine->bytes, all,
                       counts, places));
    if (!failed && !add_to_values(all, counts, places))
        failed = no_memory();
    free(all);
    return failed;
}

static struct sheaf_key_values take_mine(void)
{
    pthread_mutex_lock(&boot.lock);
    struct sheaf_key_values mine = boot.mine;
    boot.mine = (struct sheaf_key_values){0};
    pthread_mutex_unlock(&boot.lock);
    return mine;
}

/* The program may have ended MPI: then there is nobody to meet, as with PMI. */
static int mpi_fence(void)
{
    if (boot.shim->is_finalized())
        return -1;
    int *counts = calloc(2 * (size_t)boot.size, sizeof *counts);
    if (!counts)
        return no_memory();
    struct sheaf_key_values mine = take_mine();
    int failed = exchange(&mine, counts, counts + boot.size);
    sheaf_key_values_free(&mine);
    free(counts);
    return failed;
}

static int mpi_get(int pe, const char *key, void **value, size_t *bytes)
{
    pthread_mutex_lock(&boot.lock);
    int failed = sheaf_key_values_get(&boot.values[pe], key, value, bytes);
    pthread_mutex_unlock(&boot.lock);
    return failed;
}

/* All PE records are here anyway. */
static int mpi_lowest_near(void)
{
    return -1;
}

static void mpi_watch(struct pollfd *end)
{
    *end = (struct pollfd){.fd = -1};
}

static void mpi_closed(void)
{
}

static void mpi_abort(int status)
{
    if (!boot.shim->is_finalized())
        boot.shim->abort(status);
}

static void mpi_close(void)
{
    if (!boot.shim->is_finalized())
        boot.shim->close(&boot.comm);
    sheaf_mpi_release();
    sheaf_mpi_end(false);
}

const struct sheaf_launcher sheaf_launcher_mpi = {
    .name = "MPI",
    .setting = "mpi",
    .is_there = mpi_is_there,
    .open = mpi_open,
    .put = mpi_put,
    .fence = mpi_fence,
    .get = mpi_get,
    .lowest_near = mpi_lowest_near,
    .watch = mpi_watch,
    .closed = mpi_closed,
    .abort = mpi_abort,
    .close = mpi_close,
};
