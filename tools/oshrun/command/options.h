/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options of the command line, checked and complete: which programs run on how many PEs, and how.
 */
#ifndef SHEAF_OSHRUN_OPTIONS_H
#define SHEAF_OSHRUN_OPTIONS_H

#include "oshrun/command/host_list.h"

#include <stdbool.h>
#include <stdint.h>

/* One program of the job; several are separated by ":" on the command line. */
struct program {
    int first_pe;
    int npes;          /* 0 until given or computed */
    char **argv;       /* the program's own, NULL at the end */
    char *path;        /* absolute; found by sheaf_program_find() */
    const char *name;  /* last part of argv[0], for messages */
    const char *wdir;  /* NULL: oshrun's own folder */
    const char **env;  /* "NAME=VALUE" from -x */
    int env_count;
    bool keeps_addresses; /* its addresses are the same in every run, as a snapshot may need */
};

/* How the PEs' MPI finds its launcher. auto becomes one of the others, or MPI_BOTH where the program's
 * file does not tell. */
enum mpi_service { MPI_AUTO, MPI_PMIX, MPI_PMI1, MPI_NONE, MPI_BOTH };

enum binding { BIND_AUTO, BIND_CORE, BIND_NONE };

/* PEs chosen by an option such as --gdb=0,2-3. */
struct pe_choice {
    bool wanted;
    const char *list; /* NULL: all PEs */
    bool *has;        /* per PE, once npes is known */
    int count;
};

struct options {
    struct program *programs;
    int program_count;
    int npes;
    int usable_cpus;
    bool uses_isolated;      /* the CPUs are isolated ones, see binding.h */
    enum binding binding;
    const char *heap;        /* a size, checked; NULL: not given */
    const char *output;      /* directory for a file per PE; NULL: forward */
    enum mpi_service mpi;
    const struct program *pmix_program; /* the program for which PMIx was chosen; NULL: none */
    bool tag_output;
    uint64_t timeout_ns;     /* 0: none */
    int end_with;            /* the process that started oshrun and whose end ends the job; 0: none */
    int spares;              /* spare processes, which may replace dead PEs */
    int stdin_pe;            /* -1: none */
    struct pe_choice gdb;
    struct pe_choice valgrind;
    const char *restart;     /* a folder; NULL: none */
    int restart_npes;        /* the snapshot's number of PEs; 0: not known */
    bool no_aslr;            /* PEs' addresses are the same in every run */
    bool has_input;          /* oshrun was started with standard input open */
    bool quiet;
    struct hosts hosts;      /* none: this machine */
    const struct other_library *as; /* the library that the programs were linked with; NULL: Sheaf */
    const char *launcher;    /* the launcher that starts PEs on hosts; NULL: the first one installed */
    const char *profile;     /* absolute; NULL: none */
    const char *trace;       /* likewise */
    bool dry_run;            /* print the launcher's command line */
    bool why;                /* --why: print the board of a running job */
    int why_pid;             /* 0: look for it */
    bool json;               /* --json: as JSON */
    bool stacks;             /* --stacks: also print the threads' stacks */
    bool stacks_here;        /* --stacks=here: print only the stacks of this host's PEs */
};

/* Fills options. Prints the reason and exits with STATUS_USAGE when something is wrong; prints
 * and exits with 0 for --help and --version. */
void sheaf_options_parse(int argc, char **argv, struct options *options);

/* The value of an environment variable for a program's PEs: -x counts before oshrun's own environment.
 * NULL: it is not set. */
const char *sheaf_program_setting(const struct program *program, const char *name);

/* Whether the PEs share no memory: SHEAF_ONNODE=off. Ends oshrun where programs differ. */
bool sheaf_options_are_apart(const struct options *options);

/* Whether the death of a PE is reported to the others and does not end the job: SHEAF_FAILURES=report.
 * Ends oshrun where programs differ, or where this is not possible. */
bool sheaf_options_report_failures(const struct options *options);

/* Finds each program as the shell would, and checks that it can be started. Prints the reason
 * and exits with STATUS_NOT_FOUND or STATUS_NOT_EXECUTABLE when it cannot. */
void sheaf_program_find(struct options *options);

/* The absolute path of a command in PATH, or NULL. */
char *sheaf_program_search(const char *name);

/* Marks the chosen PEs once npes is known; option is its name, for messages. */
void sheaf_options_choose(struct pe_choice *choice, int npes, const char *option);

#endif
