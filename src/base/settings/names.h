/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names that settings accept, of the collectives' algorithms above all: one list each, from
 * which come the enumerators, what an environment variable or a line of a file of choices accepts,
 * and the help. Knows the names alone; what they stand for is others' matter.
 */
#ifndef SHEAF_BASE_SETTINGS_NAMES_H
#define SHEAF_BASE_SETTINGS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* X(ENUMERATOR, name) */
#define SHEAF_BARRIER_NAMES(X)                                                                     \
    X(BARRIER_AUTO, "auto")                                                                        \
    X(BARRIER_CENTRAL, "central")                                                                  \
    X(BARRIER_LINEAR, "linear")                                                                    \
    X(BARRIER_DISSEMINATION, "dissemination")                                                      \
    X(BARRIER_TREE, "tree")                                                                        \
    X(BARRIER_LINEAR_BROADCAST, "linear-broadcast")                                                \
    X(BARRIER_LEVELS, "levels")

#define SHEAF_BROADCAST_NAMES(X)                                                                   \
    X(BROADCAST_AUTO, "auto")                                                                      \
    X(BROADCAST_NOTE, "note")                                                                      \
    X(BROADCAST_PUSH, "push")                                                                      \
    X(BROADCAST_PULL, "pull")                                                                      \
    X(BROADCAST_BINOMIAL, "binomial")                                                              \
    X(BROADCAST_LEVELS, "levels")

#define SHEAF_FCOLLECT_NAMES(X)                                                                    \
    X(FCOLLECT_AUTO, "auto")                                                                       \
    X(FCOLLECT_NOTE, "note")                                                                       \
    X(FCOLLECT_NAIVE, "naive")                                                                     \
    X(FCOLLECT_LINEAR, "linear")                                                                   \
    X(FCOLLECT_RING, "ring")

#define SHEAF_REDUCE_NAMES(X)                                                                      \
    X(REDUCE_AUTO, "auto")                                                                         \
    X(REDUCE_NOTE, "note")                                                                         \
    X(REDUCE_GATHER, "gather")                                                                     \
    X(REDUCE_SHARES, "shares")                                                                     \
    X(REDUCE_NAIVE, "naive")                                                                       \
    X(REDUCE_LINEAR, "linear")                                                                     \
    X(REDUCE_TURNS, "turns")                                                                       \
    X(REDUCE_TREE, "tree")                                                                         \
    X(REDUCE_RECURSIVE_DOUBLING, "recursive-doubling")                                             \
    X(REDUCE_RING, "ring")                                                                         \
    X(REDUCE_LEVELS, "levels")

/* How puts, gets and the large parts of collectives copy: libc's memcpy; by wide registers through the
 * caches; past the caches */
#define SHEAF_COPY_NAMES(X)                                                                        \
    X(COPY_AUTO, "auto")                                                                           \
    X(COPY_MEMCPY, "memcpy")                                                                       \
    X(COPY_VECTOR, "vector")                                                                       \
    X(COPY_STREAM, "stream")

/* SHEAF_ENGINE: the networks */
#define SHEAF_ENGINE_NAMES(X)                                                                      \
    X(ENGINE_AUTO, "auto")                                                                         \
    X(ENGINE_UCX, "ucx")                                                                           \
    X(ENGINE_OFI, "ofi")                                                                           \
    X(ENGINE_MPI, "mpi")                                                                           \
    X(ENGINE_OFF, "off")

/* SHEAF_UCX: whose UCX: the one that came with Sheaf, but with an adapter the host's;
 * engine/ucx/library.c */
#define SHEAF_UCX_NAMES(X)                                                                         \
    X(UCX_AUTO, "auto")                                                                            \
    X(UCX_HOST, "host")                                                                            \
    X(UCX_BUNDLED, "bundled")

/* SHEAF_MPI: whose MPI SHEAF_ENGINE=mpi and SHEAF_BOOT=mpi use; base/mpi/family.c */
#define SHEAF_MPI_NAMES(X)                                                                         \
    X(MPI_AUTO, "auto")                                                                            \
    X(MPI_OPENMPI, "openmpi")                                                                      \
    X(MPI_MPICH, "mpich")                                                                          \
    X(MPI_ABI, "abi")

/* SHEAF_MPI_INIT: whether shmem_init initializes an MPI that the program has not: where the program
 * refers to MPI and nowhere to MPI_Init; wherever an MPI is loaded; never. core/pe/mpi_world.c */
#define SHEAF_MPI_INIT_NAMES(X)                                                                    \
    X(MPI_INIT_AUTO, "auto")                                                                       \
    X(MPI_INIT_ON, "on")                                                                           \
    X(MPI_INIT_OFF, "off")

/* SHEAF_PROGRESS: who carries out what peers ask for while the program computes: a thread where the
 * transport needs one; a thread, which sleeps while nothing arrives; the program's calls alone */
#define SHEAF_PROGRESS_NAMES(X)                                                                    \
    X(PROGRESS_AUTO, "auto")                                                                       \
    X(PROGRESS_THREAD, "thread")                                                                   \
    X(PROGRESS_OFF, "off")

/* SHEAF_RMA: puts and gets of other nodes' memory: by the network itself where its transports can,
 * else by messages; one or the other */
#define SHEAF_RMA_NAMES(X)                                                                         \
    X(RMA_AUTO, "auto")                                                                            \
    X(RMA_NATIVE, "native")                                                                        \
    X(RMA_MESSAGE, "message")

/* SHEAF_ATOMICS: whose atomic operations work on the program's objects: the network's on blocks
 * allocated with SHMEM_MALLOC_ATOMICS_REMOTE where those have been measured to be faster than messages; the
 * processors'; the network's; the network's on such blocks */
#define SHEAF_ATOMICS_NAMES(X)                                                                     \
    X(ATOMICS_AUTO, "auto")                                                                        \
    X(ATOMICS_CPU, "cpu")                                                                          \
    X(ATOMICS_DEVICE, "device")                                                                    \
    X(ATOMICS_HINTED, "hinted")

/* SHEAF_LEVELS: collectives of teams that span nodes: within each node and among the nodes; or with
 * every PE as a node of its own */
#define SHEAF_LEVELS_NAMES(X)                                                                      \
    X(LEVELS_TWO, "two")                                                                           \
    X(LEVELS_FLAT, "flat")

/* SHEAF_STAGING: coll/staging.h */
#define SHEAF_STAGING_NAMES(X)                                                                     \
    X(STAGING_AUTO, "auto")                                                                        \
    X(STAGING_OFF, "off")                                                                          \
    X(STAGING_ON, "on")                                                                            \
    X(STAGING_STREAM, "stream")

/* SHEAF_BUDDY: by snapshot/buddy.c */
#define SHEAF_BUDDY_NAMES(X)                                                                       \
    X(BUDDY_OFF, "off")                                                                            \
    X(BUDDY_ON, "on")

/* SHEAF_SNAPSHOT_COMPRESS: by snapshot/file/zstd.c */
#define SHEAF_COMPRESS_NAMES(X)                                                                    \
    X(COMPRESS_OFF, "off")                                                                         \
    X(COMPRESS_ZSTD, "zstd")

/* SHEAF_AGGREGATE: small operations that nobody waits for travel together where messages are under way
 * already */
#define SHEAF_AGGREGATE_NAMES(X)                                                                   \
    X(AGGREGATE_ON, "on")                                                                          \
    X(AGGREGATE_OFF, "off")

/* SHEAF_ONNODE: whether PEs of one host share memory; or every other PE is far, boot/world/pe_record.c */
#define SHEAF_ONNODE_NAMES(X)                                                                      \
    X(ONNODE_ON, "on")                                                                             \
    X(ONNODE_OFF, "off")

/* SHEAF_BOOT: the languages of launchers, boot/launcher/launcher.c; or MPI, which has one of its own; a
 * rendezvous, which needs no launcher, boot/launcher/rendezvous; a job of one PE, whatever launchers say */
#define SHEAF_BOOT_NAMES(X)                                                                        \
    X(BOOT_AUTO, "auto")                                                                           \
    X(BOOT_PMIX, "pmix")                                                                           \
    X(BOOT_PMI1, "pmi1")                                                                           \
    X(BOOT_PMI2, "pmi2")                                                                           \
    X(BOOT_MPI, "mpi")                                                                             \
    X(BOOT_RENDEZVOUS, "rendezvous")                                                               \
    X(BOOT_SINGLE, "single")

/* SHEAF_FAILURE_DETECTOR: boot/end/watch_hosts.c */
#define SHEAF_FAILURE_DETECTOR_NAMES(X)                                                            \
    X(FAILURE_DETECTOR_ON, "on")                                                                   \
    X(FAILURE_DETECTOR_OFF, "off")

/* SHEAF_WINDOWS: core/init.c */
#define SHEAF_WINDOWS_NAMES(X)                                                                     \
    X(WINDOWS_AUTO, "auto")                                                                        \
    X(WINDOWS_START, "start")                                                                      \
    X(WINDOWS_USE, "use")

/* SHEAF_PREEMPT: tools/oshrun/hosts/preempt.c */
#define SHEAF_PREEMPT_NAMES(X)                                                                   \
    X(PREEMPT_AUTO, "auto")                                                                      \
    X(PREEMPT_OFF, "off")                                                                        \
    X(PREEMPT_ON, "on")

/* SHEAF_LOW_JITTER: core/low_jitter.c, tools/oshrun/hosts/isolated.c */
#define SHEAF_LOW_JITTER_NAMES(X)                                                                  \
    X(LOW_JITTER_OFF, "off")                                                                       \
    X(LOW_JITTER_ON, "on")

/* SHEAF_FAILURES: whether the death of a PE ends the job, or is told to the others, survive/failure.h */
#define SHEAF_FAILURES_NAMES(X)                                                                    \
    X(FAILURES_END, "end")                                                                         \
    X(FAILURES_REPORT, "report")

/* SHEAF_CHECK: arguments of calls; what lies around blocks of the heap. A list: bit n is the n-th name */
#define SHEAF_CHECK_NAMES(X)                                                                       \
    X(CHECK_ARGS, "args")                                                                          \
    X(CHECK_MEMORY, "memory")

#define SHEAF_ENUMERATOR(enumerator, name) SHEAF_##enumerator,
enum sheaf_barrier_algorithm { SHEAF_BARRIER_NAMES(SHEAF_ENUMERATOR) SHEAF_BARRIER_ALGORITHMS };
enum sheaf_broadcast_algorithm {
    SHEAF_BROADCAST_NAMES(SHEAF_ENUMERATOR) SHEAF_BROADCAST_ALGORITHMS
};
enum sheaf_fcollect_algorithm { SHEAF_FCOLLECT_NAMES(SHEAF_ENUMERATOR) SHEAF_FCOLLECT_ALGORITHMS };
enum sheaf_reduce_algorithm { SHEAF_REDUCE_NAMES(SHEAF_ENUMERATOR) SHEAF_REDUCE_ALGORITHMS };
enum sheaf_copy_algorithm { SHEAF_COPY_NAMES(SHEAF_ENUMERATOR) SHEAF_COPY_ALGORITHMS };
enum sheaf_engine_name { SHEAF_ENGINE_NAMES(SHEAF_ENUMERATOR) SHEAF_ENGINES };
enum sheaf_ucx_name { SHEAF_UCX_NAMES(SHEAF_ENUMERATOR) SHEAF_UCXS };
enum sheaf_mpi_name { SHEAF_MPI_NAMES(SHEAF_ENUMERATOR) SHEAF_MPIS };
enum sheaf_mpi_init { SHEAF_MPI_INIT_NAMES(SHEAF_ENUMERATOR) SHEAF_MPI_INITS };
enum sheaf_progress { SHEAF_PROGRESS_NAMES(SHEAF_ENUMERATOR) SHEAF_PROGRESSES };
enum sheaf_rma { SHEAF_RMA_NAMES(SHEAF_ENUMERATOR) SHEAF_RMAS };
enum sheaf_atomics { SHEAF_ATOMICS_NAMES(SHEAF_ENUMERATOR) SHEAF_ATOMICS_CHOICES };
enum sheaf_levels { SHEAF_LEVELS_NAMES(SHEAF_ENUMERATOR) SHEAF_LEVELS };
enum sheaf_staging_choice { SHEAF_STAGING_NAMES(SHEAF_ENUMERATOR) SHEAF_STAGING_CHOICES };
enum sheaf_compress { SHEAF_COMPRESS_NAMES(SHEAF_ENUMERATOR) SHEAF_COMPRESSES };
enum sheaf_buddy { SHEAF_BUDDY_NAMES(SHEAF_ENUMERATOR) SHEAF_BUDDIES };
enum sheaf_aggregate { SHEAF_AGGREGATE_NAMES(SHEAF_ENUMERATOR) SHEAF_AGGREGATES };
enum sheaf_onnode { SHEAF_ONNODE_NAMES(SHEAF_ENUMERATOR) SHEAF_ONNODES };
enum sheaf_boot_name { SHEAF_BOOT_NAMES(SHEAF_ENUMERATOR) SHEAF_BOOTS };
enum sheaf_failure_detector { SHEAF_FAILURE_DETECTOR_NAMES(SHEAF_ENUMERATOR) SHEAF_FAILURE_DETECTORS };
enum sheaf_check { SHEAF_CHECK_NAMES(SHEAF_ENUMERATOR) SHEAF_CHECKS };
enum sheaf_failures { SHEAF_FAILURES_NAMES(SHEAF_ENUMERATOR) SHEAF_FAILURES_CHOICES };
enum sheaf_low_jitter { SHEAF_LOW_JITTER_NAMES(SHEAF_ENUMERATOR) SHEAF_LOW_JITTERS };
enum sheaf_windows { SHEAF_WINDOWS_NAMES(SHEAF_ENUMERATOR) SHEAF_WINDOWS_CHOICES };
enum sheaf_preempt { SHEAF_PREEMPT_NAMES(SHEAF_ENUMERATOR) SHEAF_PREEMPTS };
#undef SHEAF_ENUMERATOR

/* The operations whose algorithm can be chosen. Reductions whose result does not depend on the
 * order of combination, those of integers, have rules of their own before the others'. */
enum sheaf_family {
    SHEAF_BARRIER,
    SHEAF_BROADCAST,
    SHEAF_FCOLLECT,
    SHEAF_REDUCE,
    SHEAF_COPIES, /* by the number of PEs on the node */
    SHEAF_REDUCE_EXACT,
    SHEAF_FAMILIES
};

/* Lists that end with NULL. An algorithm's name stands at its enumerator's place, "auto" first. */
extern const char *const sheaf_family_names[SHEAF_FAMILIES + 1];
extern const char *const *const sheaf_algorithm_names[SHEAF_FAMILIES];
extern const char *const *const sheaf_engine_names;
extern const char *const *const sheaf_ucx_names;
extern const char *const *const sheaf_mpi_names;
extern const char *const *const sheaf_mpi_init_names;
extern const char *const *const sheaf_progress_names;
extern const char *const *const sheaf_rma_names;
extern const char *const *const sheaf_atomics_names;
extern const char *const *const sheaf_levels_names;
extern const char *const *const sheaf_compress_names;
extern const char *const *const sheaf_aggregate_names;
extern const char *const *const sheaf_buddy_names;
extern const char *const *const sheaf_onnode_names;
extern const char *const *const sheaf_boot_names;
extern const char *const *const sheaf_failure_detector_names;
extern const char *const *const sheaf_low_jitter_names;
extern const char *const *const sheaf_staging_names;
extern const char *const *const sheaf_windows_names;
extern const char *const *const sheaf_preempt_names;
extern const char *const *const sheaf_check_names;
extern const char *const *const sheaf_failures_names;
extern const char *const *const sheaf_switch_names; /* "off", "on" */

/* The most bytes that an algorithm carries: in a note, beside a counter, or without limit. */
#define SHEAF_NOTE_LIMIT   56
#define SHEAF_GATHER_LIMIT 48
size_t sheaf_algorithm_limit(enum sheaf_family family, int algorithm);

/* Whether text switches something off: "off", "0", "no" or "none". */
bool sheaf_names_is_off(const char *text);

/* The place of text in a list, or -1. Where a list has "off" or "on", their other spellings count: those of
 * sheaf_names_is_off(), and "1" and "yes". */
int sheaf_names_find(const char *const *names, const char *text);

/* The places in a list of the names in text, which commas separate, as bits of set. Returns 0, or -1 and
 * leaves set alone. */
int sheaf_names_parse_set(const char *const *names, const char *text, unsigned *set);
/* SHEAF_ENGINE's value, bit SHEAF_ENGINE_*: a name, or names of networks as above. Returns 0 or -1. */
int sheaf_names_parse_networks(const char *text, unsigned *set);

/* How many letters to add, to leave out, to change or to swap with the next one make one name of the other:
 * the optimal string alignment distance. UINT_MAX for names of more than 63 letters. */
unsigned sheaf_names_distance(const char *one, const char *other);

/* "auto, push, pull": the list in words, cut at size - 1. */
void sheaf_names_print(const char *const *names, char *text, size_t size);

#endif
