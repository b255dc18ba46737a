/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The key-value space of a job's MPI: keys and values are text, written once, kept until the job ends.
 * Knows no protocol; who may put how much is the caller's business.
 */
#ifndef SHEAF_OSHRUN_PMI_STORE_H
#define SHEAF_OSHRUN_PMI_STORE_H

#include <stddef.h>

struct pmi_store {
    void *root; /* of a balanced tree; NULL: nothing is there */
};

enum pmi_put { PMI_PUT_DONE, PMI_PUT_THERE_ALREADY, PMI_PUT_NO_MEMORY };

/* Copies both. */
enum pmi_put sheaf_pmi_store_put(struct pmi_store *store, const char *key, const char *value);

/* NULL when there is none. */
const char *sheaf_pmi_store_get(const struct pmi_store *store, const char *key);

/* What a pair takes of memory, the tree included. */
size_t sheaf_pmi_store_cost(const char *key, const char *value);

#endif
