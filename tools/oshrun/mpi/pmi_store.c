/* SPDX-License-Identifier: BSD-3-Clause
 * See pmi_store.h.
 */
#include "oshrun/mpi/pmi_store.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a node of the C library's tree and of the two allocations' bookkeeping. */
#define OVERHEAD 64

struct pair {
    const char *key; /* the first member: a search passes only a key */
    const char *value;
    char text[];
};

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct pair *)a)->key, ((const struct pair *)b)->key);
}

size_t sheaf_pmi_store_cost(const char *key, const char *value)
{
    return sizeof(struct pair) + strlen(key) + 1 + strlen(value) + 1 + OVERHEAD;
}

static struct pair *make_pair(const char *key, const char *value)
{
    size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
    struct pair *pair = malloc(sizeof *pair + key_size + value_size);
    if (!pair)
        return NULL;
    pair->key = memcpy(pair->text, key, key_size);
    pair->value = memcpy(pair->text + key_size, value, value_size);
    return pair;
}

enum pmi_put sheaf_pmi_store_put(struct pmi_store *store, const char *key, const char *value)
{
    struct pair *pair = make_pair(key, value);
    struct pair **there = pair ? tsearch(pair, &store->root, compare_keys) : NULL;
    if (there && *there == pair)
        return PMI_PUT_DONE;
    free(pair);
    return there ? PMI_PUT_THERE_ALREADY : PMI_PUT_NO_MEMORY;
}

const char *sheaf_pmi_store_get(const struct pmi_store *store, const char *key)
{
    struct pair wanted = {.key = key};
    struct pair *const *found = tfind(&wanted, &store->root, compare_keys);
    return found ? (*found)->value : NULL;
}
