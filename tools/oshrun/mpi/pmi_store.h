/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The key-value space of a job's MPI: keys and values are text, written once, and stay until the job ends.
 * The store knows no protocol; the caller limits how much each PE may put.
 */
#ifndef SHEAF_OSHRUN_PMI_STORE_H
#define SHEAF_OSHRUN_PMI_STORE_H

#include <stddef.h>

struct pmi_store {
    void *root; /* of a balanced tree; NULL: empty */
};

enum pmi_put { PMI_PUT_DONE, PMI_PUT_THERE_ALREADY, PMI_PUT_NO_MEMORY };

/* Stores a copy of key and value. */
enum pmi_put sheaf_pmi_store_put(struct pmi_store *store, const char *key, const char *value);

/* The value of a key; NULL when there is none. */
const char *sheaf_pmi_store_get(const struct pmi_store *store, const char *key);

/* The bytes of memory that a pair takes, the tree included. */
size_t sheaf_pmi_store_cost(const char *key, const char *value);

#endif
