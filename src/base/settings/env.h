/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every environment variable that Sheaf reads, in one table: name, old spelling, what it takes,
 * its help line. The table parses, and prints SHMEM_INFO. A value that cannot be parsed ends the
 * program with a line that names the variable. Nobody else calls getenv() of one, but for libraries beside
 * this one (scripts/check-settings).
 */
#ifndef SHEAF_BASE_SETTINGS_ENV_H
#define SHEAF_BASE_SETTINGS_ENV_H

#include "base/settings/amo.h"
#include "base/settings/names.h"
#include "base/pace/pace_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SHEAF_STALL_NS UINT64_C(60000000000) /* where SHEAF_STALL is not set */

#define SHEAF_RENDEZVOUS_NS UINT64_C(60000000000) /* where SHEAF_RENDEZVOUS_TIMEOUT is not set */

#define SHEAF_COPIER_THREADS 64 /* the most that SHEAF_COPIER may ask for */
#define SHEAF_COPIER_AUTO SIZE_MAX /* where SHEAF_COPIER is auto or not set */

struct sheaf_settings {
    bool version;           /* SHMEM_VERSION: print the version at start */
    bool info;              /* SHMEM_INFO: print this table at start */
    bool debug;             /* SHMEM_DEBUG: messages, and arguments checked */
    unsigned checks;        /* SHEAF_CHECK: bit SHEAF_CHECK_*; SHMEM_DEBUG sets that of arguments */
    bool has_heap_limit;    /* SHMEM_SYMMETRIC_SIZE is set */
    size_t heap_limit;      /* its value, bytes */
    int algorithm[SHEAF_FAMILIES]; /* SHMEM_*_ALGORITHM: the name's place in its list; 0: auto.
                                      SHMEM_REDUCE_ALGORITHM is that of SHEAF_REDUCE, SHEAF_COPY
                                      that of SHEAF_COPIES */
    unsigned networks;      /* SHEAF_ENGINE: bit SHEAF_ENGINE_*; 0 when not set, as for auto */
    int ucx;                /* SHEAF_UCX: enum sheaf_ucx_name; read earlier by engine/ucx itself */
    const char *ofi_provider; /* SHEAF_OFI_PROVIDER; read later by engine/ofi itself; NULL when not set */
    const char *ofi_rules;  /* SHEAF_OFI_RULES; likewise */
    int mpi;                /* SHEAF_MPI: enum sheaf_mpi_name; read earlier by base/mpi itself */
    int mpi_init;           /* SHEAF_MPI_INIT: enum sheaf_mpi_init */
    int progress;           /* SHEAF_PROGRESS: enum sheaf_progress */
    int rma;                /* SHEAF_RMA: enum sheaf_rma */
    int atomics;            /* SHEAF_ATOMICS: enum sheaf_atomics */
    sheaf_amo_set atomics_uses;   /* SHEAF_ATOMICS_USES; 0 when not set */
    sheaf_amo_set atomics_native; /* SHEAF_ATOMICS_NATIVE; 0 when not set */
    int aggregate;          /* SHEAF_AGGREGATE: enum sheaf_aggregate */
    size_t copier;          /* SHEAF_COPIER: threads of each PE that carry out long nonblocking copies */
    bool has_chaos;         /* SHEAF_CHAOS is set */
    uint64_t chaos_seed;    /* its value */
    const char *cpu_domains; /* SHEAF_CPU_DOMAINS; NULL when not set */
    int levels;             /* SHEAF_LEVELS: enum sheaf_levels */
    int staging;            /* SHEAF_STAGING: enum sheaf_staging_choice */
    int windows;            /* SHEAF_WINDOWS: enum sheaf_windows */
    int onnode;             /* SHEAF_ONNODE: enum sheaf_onnode; read earlier by boot/ itself */
    const char *node_dir;   /* SHEAF_NODE_DIR; read earlier by boot/ itself; NULL when not set */
    int boot;               /* SHEAF_BOOT: enum sheaf_boot_name; read earlier by boot/ itself */
    const char *rank;       /* SHEAF_RANK and the next six: boot/launcher/rendezvous's, read earlier */
    const char *size;       /* SHEAF_SIZE */
    const char *rendezvous; /* SHEAF_RENDEZVOUS */
    const char *rendezvous_port; /* SHEAF_RENDEZVOUS_PORT */
    uint64_t rendezvous_ns; /* SHEAF_RENDEZVOUS_TIMEOUT */
    const char *secret;     /* SHEAF_SECRET */
    const char *secret_file; /* SHEAF_SECRET_FILE */
    int failure_detector;   /* SHEAF_FAILURE_DETECTOR: enum sheaf_failure_detector; likewise */
    int low_jitter;         /* SHEAF_LOW_JITTER: enum sheaf_low_jitter; oshrun's too */
    int preempt;            /* SHEAF_PREEMPT: enum sheaf_preempt; oshrun's, checked here */
    int failures;           /* SHEAF_FAILURES: enum sheaf_failures; oshrun's above all */
    const char *agent;      /* SHEAF_AGENT; read earlier by boot/replicated_log itself; NULL when not set */
    uint64_t stall_ns;      /* SHEAF_STALL: oshrun's and boot/job_report's, checked here */
    uint64_t timeout_ns;    /* SHEAF_TIMEOUT: boot/job_report's */
    const char *record;     /* SHEAF_RECORD: oshrun's; NULL when not set */
    const char *snapshot_dir; /* SHEAF_SNAPSHOT_DIR: snapshot/'s; NULL when not set */
    uint64_t snapshot_every_ns; /* SHEAF_SNAPSHOT_EVERY: likewise; 0 when not set */
    const char *snapshot_signal; /* SHEAF_SNAPSHOT_SIGNAL: likewise; NULL when not set */
    int buddy;              /* SHEAF_BUDDY: enum sheaf_buddy */
    int snapshot_compress;  /* SHEAF_SNAPSHOT_COMPRESS: enum sheaf_compress */
    const char *save_on_failure; /* SHEAF_SAVE_ON_FAILURE: oshrun's, checked here; NULL when not set */
    const char *restart;    /* SHEAF_RESTART: likewise; NULL when not set */
    struct sheaf_pace_table pace; /* SHEAF_PACE: the constants of waiting; defaults when not set */
    struct sheaf_times times;     /* likewise: times and limits of waits */
    const char *host;       /* SHEAF_HOST, as well; NULL when not set */
    const char *profile;    /* SHEAF_PROFILE: a folder; NULL when not set */
    const char *trace;      /* SHEAF_TRACE, as well */
    const char *trace_events; /* SHEAF_TRACE_EVENTS; NULL when not set */
    const char *races_exit; /* SHEAF_RACES_EXIT: read by addons/races itself; NULL when not set */
    const char *races_most; /* SHEAF_RACES_MOST: likewise */
    const char *races_signals; /* SHEAF_RACES_SIGNALS: likewise */
    const char *tune_file;  /* SHEAF_TUNE: a file of choices; NULL when not set */
};

/* Reads the environment into settings. Returns 0, or prints the reason and returns -1. */
int sheaf_settings_read(struct sheaf_settings *settings);

/* One setting, for code that runs before shmem_init reads all of them and refuses wrong values. The name is
 * one of the table's. A variable that is not set: NULL, 0 (the place of its first name), otherwise_ns. A
 * value that cannot be read: the text, 0, 0. */
const char *sheaf_settings_text(const char *name);
int sheaf_settings_choice(const char *name);
/* The same for SHEAF_ENGINE: bit SHEAF_ENGINE_*. */
unsigned sheaf_settings_networks(void);
uint64_t sheaf_settings_seconds(const char *name, uint64_t otherwise_ns);

/* What SHEAF_PACE changes, for commands: a wrong value is the library's to refuse. */
void sheaf_settings_use_pace(void);

/* A row of the table, for programs: value is the environment's, NULL where the variable is not set;
 * standard what it is then, or NULL. false past the last. */
struct sheaf_setting_row {
    const char *name, *help, *value, *standard;
};
bool sheaf_settings_row(size_t index, struct sheaf_setting_row *row);

/* Prints each variable, what it takes, its value now, and what it does. */
void sheaf_settings_print(FILE *out);

/* The table for programs (scripts/print-settings): a line of titles, then one per variable, with tabs. */
void sheaf_settings_print_tsv(FILE *out);

/* Warns of each variable named SHEAF_, SHMEM_ or SMA_ that nothing of Sheaf reads, with the nearest
 * setting's name; of those that are near none in one line. */
void sheaf_settings_warn_of_unknown(void);

/* A size as the specification writes it ("3.1M", ".5m", "20kk", "0"): the ceiling in bytes.
 * Returns 0, or -1 and leaves bytes alone. */
int sheaf_parse_size(const char *text, size_t *bytes);

/* Seconds as a decimal number, "60", "0.5", at most 1e9. Returns 0, or -1 and leaves ns alone. */
int sheaf_parse_seconds(const char *text, uint64_t *ns);

#endif
