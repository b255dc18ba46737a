/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A way to talk to the launcher that started this process: one table per protocol. All but close
 * and abort print the reason when they return -1. put, fence and get may come from any thread.
 */
#ifndef SHEAF_BOOT_LAUNCHER_LAUNCHER_H
#define SHEAF_BOOT_LAUNCHER_LAUNCHER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct sheaf_launcher {
    const char *name;
    const char *setting; /* what SHEAF_BOOT calls it */

    /* Whether the environment says that such a launcher started this process. Allocates nothing,
     * opens nothing: it is asked when the library is loaded. */
    bool (*is_there)(void);

    /* Connects; says which PE this is, of how many. */
    int (*open)(int *pe, int *npes);

    /* A value of mine, for every PE after the next fence. key: letters, digits, '.', at most 24. */
    int (*put)(const char *key, const void *value, size_t bytes);

    /* Returns when every PE has come here. */
    int (*fence)(void);

    /* What pe has put. *value is the caller's to free. -1 without a word when there is none. */
    int (*get)(int pe, const char *key, void **value, size_t *bytes);

    /* The lowest PE that, to the launcher's knowledge, shares this PE's node; -1: not known. */
    int (*lowest_near)(void);

    /* The PEs that, to the launcher's knowledge, share this PE's node, at most most of them, ascending.
     * Returns their number; 0: not known. NULL: it never knows. */
    int (*near)(int *pes, int most);

    /* What to poll for the launcher's end; -1 where the protocol itself tells. And what to do when that
     * comes: returns when the job goes on without the conversation, and then there is something else to
     * poll. */
    void (*watch)(struct pollfd *end);
    void (*closed)(void);

    /* Where there is more than one such descriptor: calls see for each. NULL: there is watch's. */
    void (*watch_each)(void (*see)(int fd));

    /* A PE that has died, as closed has found, each of them once; -1: none. NULL: this launcher ends a job
     * whose PE has died by itself, with words of its own. */
    int (*lost)(void);

    /* Ends the whole job with this status. May return. */
    void (*abort)(int status);

    /* This process will end in order. */
    void (*close)(void);

    /* It ends now, and with it whatever else here speaks with the launcher by the same client: an MPI that
     * is up. NULL: close is all there is to it. */
    void (*end)(void);

    /* Each PE has a starter of its own. That one sees the PE's status alone, so all PEs leave with the
     * status of the job; and a PE that is the only copy which its starter has made may be one of several.
     * Where this is false the launcher passes one status on: all PEs but one leave with 0. */
    bool starts_each_alone;
};

extern const struct sheaf_launcher sheaf_launcher_pmix;
extern const struct sheaf_launcher sheaf_launcher_pmi1;
extern const struct sheaf_launcher sheaf_launcher_pmi2;
extern const struct sheaf_launcher sheaf_launcher_mpi; /* where SHEAF_BOOT says so */
extern const struct sheaf_launcher sheaf_launcher_rendezvous; /* no launcher at all */

/* The launcher that started this process, by its environment; NULL when there is none to talk to.
 * A process that a PE started itself inherits the environment, and has none. */
const struct sheaf_launcher *sheaf_launcher_find(void);

/* The same, or another that it speaks too: that which an MPI in this process speaks on the descriptor. */
const struct sheaf_launcher *sheaf_launcher_beside_mpi(const struct sheaf_launcher *found);

/* From now on what this process starts is no PE of the launcher's. */
void sheaf_launcher_claim(void);

/* Under oshrun: the socket that it gives the MPI of a PE is this process's alone. An MPI program that the
 * PE starts would speak in its name. */
void sheaf_launcher_keep_from_children(void);

/* Where a launcher that Sheaf cannot talk to started several copies: prints what to do and returns
 * true. */
bool sheaf_launcher_is_foreign(void);

/* How many copies the environment tells of; 0 when it does not. */
int sheaf_launcher_copies(void);

#endif
