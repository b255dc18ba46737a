/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The environment variables that differ per PE: those of its job, for the library, and those of its
 * launcher, for MPI.
 */
#ifndef SHEAF_OSHRUN_SPAWN_VARIABLES_H
#define SHEAF_OSHRUN_SPAWN_VARIABLES_H

#include "oshrun/hosts/proxy.h"

#include <stdbool.h>

/* The most variables of this kind. */
#define SPAWN_VARIABLES 6

struct spawn_variables {
    int count;
    char texts[SPAWN_VARIABLES][96];
};

/* Whether "NAME=VALUE" is a variable of PMIx. Parameters of libpmix are the user's. */
bool sheaf_spawn_is_of_pmix(const char *setting);

/* Whether "NAME=VALUE" sets one of these variables, or one of PMIx: only oshrun may set them. */
bool sheaf_spawn_is_own(const char *setting);

/* Removes the values that an outer job has set for oshrun itself. */
void sheaf_spawn_forget_outer(void);

/* Called in the PE, just before its program: makes its MPI's connection inheritable, and puts the
 * variables into the first SPAWN_VARIABLES entries of env. Returns the start of the environment, which
 * may have fewer entries. */
char **sheaf_spawn_enter(const struct spawn *spawn, int pe, struct spawn_variables *variables, char **env);

#endif
