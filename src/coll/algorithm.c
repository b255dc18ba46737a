/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names of the algorithms, and the choice among them: see algorithm.h.
 */
#include "coll/algorithm.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sheaf_algorithms sheaf_algorithms[SHEAF_FAMILIES] = {
    [SHEAF_BROADCAST] = {"SHMEM_BCAST_ALGORITHM", {"auto", "push", "pull", "binomial"}, -1},
    [SHEAF_FCOLLECT] = {"SHMEM_FCOLLECT_ALGORITHM", {"auto", "naive", "linear", "ring"}, -1},
    [SHEAF_REDUCE] = {"SHMEM_REDUCE_ALGORITHM",
                      {"auto", "naive", "linear", "tree", "recursive-doubling", "ring"},
                      -1},
};

static int find_name(const struct sheaf_algorithms *algorithms, const char *name)
{
    for (int i = 0; algorithms->names[i]; i++) {
        if (!strcmp(algorithms->names[i], name))
            return i;
    }
    return -1;
}

static _Noreturn void refuse(const struct sheaf_algorithms *algorithms, const char *value)
{
    char accepted[256];
    size_t used = 0;
    for (int i = 0; algorithms->names[i]; i++)
        used += (size_t)snprintf(accepted + used, sizeof accepted - used, "%s%s", i ? ", " : "",
                                 algorithms->names[i]);
    sheaf_fatal("%s is \"%s\", and must be one of: %s", algorithms->variable, value, accepted);
}

int sheaf_algorithm_read(enum sheaf_family family)
{
    struct sheaf_algorithms *algorithms = &sheaf_algorithms[family];
    const char *value = getenv(algorithms->variable);
    int chosen = value ? find_name(algorithms, value) : 0;
    if (chosen < 0)
        refuse(algorithms, value);
    sheaf_store_relaxed(&algorithms->chosen, chosen);
    return chosen;
}
