/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the command line asks for, checked and complete: which programs on how many PEs, and how.
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
    const char *wdir;  /* NULL: stay */
    const char **env;  /* "NAME=VALUE" from -x */
    int env_count;
    bool keeps_addresses; /* the same in every run: a snapshot may need it */
};

/* How the PEs' MPI finds its launcher; auto becomes one of the others, or both where nobody can tell. */
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
    bool uses_isolated;      /* which are isolated ones, see binding.h */
    enum binding binding;
    const char *heap;        /* a size, checked; NULL: not given */
    const char *output;      /* directory for a file per PE; NULL: forward */
    enum mpi_service mpi;
    const struct program *pmix_program; /* for which PMIx was chosen; NULL: for none */
    bool tag_output;
    uint64_t timeout_ns;     /* 0: none */
    int end_with;            /* the process that has started oshrun, and whose end is the job's; 0: none */
    int spares;              /* processes that may take a dead PE's place */
    int stdin_pe;            /* -1: none */
    struct pe_choice gdb;
    struct pe_choice valgrind;
    const char *restart;     /* a folder; NULL: none */
    int restart_npes;        /* as many as its snapshot has; 0: not known */
    bool no_aslr;            /* PEs' addresses are the same in every run */
    bool has_input;          /* oshrun was started with standard input open */
    bool quiet;
    struct hosts hosts;      /* none: this machine */
    const struct other_library *as; /* with which the programs were linked; NULL: Sheaf */
    const char *launcher;    /* that starts PEs on hosts; NULL: the first that is there */
    const char *profile;     /* absolute; NULL: none */
    const char *trace;       /* likewise */
    bool dry_run;            /* print the launcher's command line */
    bool why;                /* --why: print the board of a running job */
    int why_pid;             /* 0: look for it */
    bool json;               /* --json: as JSON */
    bool stacks;             /* --stacks: and the threads' stacks */
    bool stacks_here;        /* --stacks=here: those of this host's PEs, and nothing else */
};

/* Fills options. Prints the reason and exits with STATUS_USAGE when something is wrong; prints
 * and exits with 0 for --help and --version. */
void sheaf_options_parse(int argc, char **argv, struct options *options);

/* What a variable of the environment will be for a program's PEs: -x counts before oshrun's own; NULL: it
 * is not set. */
const char *sheaf_program_setting(const struct program *program, const char *name);

/* Whether the PEs are to share no memory, SHEAF_ONNODE=off. Ends oshrun where programs differ. */
bool sheaf_options_are_apart(const struct options *options);

/* Whether the death of a PE is reported to the others, SHEAF_FAILURES=report, and does not end the
 * job. Ends oshrun where programs differ, or where it cannot be done. */
bool sheaf_options_report_failures(const struct options *options);

/* Finds each program as the shell would, and checks that it can be started. Prints the reason
 * and exits with STATUS_NOT_FOUND or STATUS_NOT_EXECUTABLE when it cannot. */
void sheaf_program_find(struct options *options);

/* The absolute path of a command in PATH, or NULL. */
char *sheaf_program_search(const char *name);

/* Marks the chosen PEs once npes is known; option is its name, for messages. */
void sheaf_options_choose(struct pe_choice *choice, int npes, const char *option);

#endif
