/* SPDX-License-Identifier: BSD-3-Clause
 * See kvs.h.
 */
#include "boot/launcher/kvs.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A PE's records in the node's key-value space, one after the other, written by the owner alone. */
struct record {
    uint32_t bytes;
    char key[28];
    char value[];
};
struct kvs {
    uint32_t used; /* bytes of records that are complete */
    uint32_t generation; /* whether they were written since the last initialization */
    char records[];
};

static const struct sheaf_launcher *network; /* NULL: all PEs' records lie in sheaf_image.job */
static uint32_t generation;                  /* initializations: the same on all PEs */
static struct kvs *alone;                   /* of a job without control area */

static struct kvs *kvs_of(int slot)
{
    if (sheaf_image.job)
        return (struct kvs *)sheaf_control_kvs(sheaf_image.job, slot);
    if (!alone)
        alone = calloc(1, SHEAF_KVS_SIZE);
    return alone;
}

void sheaf_kvs_open(const struct sheaf_launcher *launcher)
{
    network = launcher;
    generation++;
}

static size_t record_size(size_t bytes)
{
    return sheaf_round_up(sizeof(struct record) + bytes, 8);
}

static int put_near(const char *key, const void *value, size_t bytes)
{
    struct kvs *kvs = kvs_of(sheaf_boot.job_slot);
    if (!kvs || strlen(key) >= sizeof(((struct record *)0)->key)) {
        sheaf_error("SH403 no room for \"%s\" among the records that PEs exchange", key);
        return -1;
    }
    uint32_t used = kvs->generation == generation ? kvs->used : 0;
    if (record_size(bytes) > SHEAF_KVS_SIZE - sizeof *kvs - used) {
        sheaf_error("SH403 \"%s\" of %zu bytes: a PE can publish at most %zu bytes", key, bytes,
                    (size_t)SHEAF_KVS_SIZE);
        return -1;
    }
    struct record *record = (struct record *)(kvs->records + used);
    record->bytes = (uint32_t)bytes;
    snprintf(record->key, sizeof record->key, "%s", key);
    memcpy(record->value, value, bytes);
    sheaf_store_relaxed(&kvs->generation, generation);
    sheaf_store_release(&kvs->used, used + (uint32_t)record_size(bytes));
    return 0;
}

/* The last record of that key. */
static int get_near(int slot, const char *key, void **value, size_t *bytes)
{
    const struct kvs *kvs = kvs_of(slot);
    const struct record *found = NULL;
    uint32_t used = kvs ? sheaf_load_acquire(&kvs->used) : 0;
    if (kvs && sheaf_load_relaxed(&kvs->generation) != generation)
        used = 0;
    for (uint32_t at = 0; at < used;) {
        const struct record *record = (const struct record *)(kvs->records + at);
        if (strcmp(record->key, key) == 0)
            found = record;
        at += (uint32_t)record_size(record->bytes);
    }
    if (!found)
        return -1;
    *value = malloc(found->bytes ? found->bytes : 1);
    if (!*value)
        return -1;
    memcpy(*value, found->value, found->bytes);
    *bytes = found->bytes;
    return 0;
}

/* A launcher keeps values until the job ends, and some refuse a key that is there already. */
static void name_key(const char *key, char *name, size_t size)
{
    snprintf(name, size, "%s.%u", key, generation);
}

int sheaf_boot_put(const char *key, const void *value, size_t bytes)
{
    char name[40];
    name_key(key, name, sizeof name);
    if (put_near(key, value, bytes) != 0)
        return -1;
    return network ? network->put(name, value, bytes) : 0;
}

int sheaf_boot_fence(void)
{
    int failed = sheaf_boot_last_fence();
    if (failed)
        sheaf_error("SH405 the PEs cannot exchange addresses through the launcher: MPI_Finalize ends the "
                    "connection that both may share, and must come after the last shmem_init");
    return failed;
}

int sheaf_boot_last_fence(void)
{
    if (network)
        return network->fence();
    return sheaf_image.job && !sheaf_control_barrier(sheaf_image.job) ? -1 : 0;
}

int sheaf_boot_get(int pe, const char *key, void **value, size_t *bytes)
{
    char name[40];
    if (!network)
        return get_near(pe, key, value, bytes);
    if (sheaf_boot_node_of(pe) == sheaf_boot.node)
        return get_near(sheaf_boot_slot_of(pe), key, value, bytes);
    name_key(key, name, sizeof name);
    return network->get(pe, name, value, bytes);
}

static int own_number(void)
{
    return sheaf_boot.pe;
}

const struct sheaf_launcher sheaf_launcher_oshrun = {
    .name = "oshrun",
    .put = sheaf_boot_put,
    .fence = sheaf_boot_fence,
    .get = sheaf_boot_get,
    .lowest_near = own_number,
};
