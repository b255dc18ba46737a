/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The environment variables that differ per PE: its job for the library, its launcher for MPI.
 */
#ifndef SHEAF_OSHRUN_SPAWN_VARIABLES_H
#define SHEAF_OSHRUN_SPAWN_VARIABLES_H

#include "oshrun/hosts/keeper.h"

#include <stdbool.h>

/* How many they are at most. */
#define SPAWN_VARIABLES 6

struct spawn_variables {
    int count;
    char texts[SPAWN_VARIABLES][96];
};

/* Whether "NAME=VALUE" is PMIx's own. Parameters of libpmix are the user's. */
bool sheaf_spawn_is_of_pmix(const char *setting);

/* Whether "NAME=VALUE" sets one of them, or one of PMIx, which nobody else may. */
bool sheaf_spawn_is_own(const char *setting);

/* Removes what an outer job has set of them for oshrun itself. */
void sheaf_spawn_forget_outer(void);

/* In the PE, just before its program: lets it inherit its MPI's connection and enters the variables in the
 * first SPAWN_VARIABLES places of env. Returns where the environment begins now: it may have fewer. */
char **sheaf_spawn_enter(const struct spawn *spawn, int pe, struct spawn_variables *variables, char **env);

#endif
