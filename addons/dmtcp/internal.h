/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DMTCP's plug-in for jobs of several PEs on a host: what its files offer one another. README.md says what
 * DMTCP does not do by itself.
 */
#ifndef SHEAF_DMTCP_INTERNAL_H
#define SHEAF_DMTCP_INTERNAL_H

#include <dmtcp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMED(name)     "/memfd:" name
#define JOB_FILE        "sheaf" /* the name of the job's file: see src/image/file.h */
#define PATH_BYTES      512

/* calls.c: system calls as the kernel has them, past DMTCP's wrappers. */
long sheaf_dmtcp_call(long number, long a, long b, long c, long d);
#define KERNEL(number, a, b, c, d) sheaf_dmtcp_call(number, (long)(a), (long)(b), (long)(c), (long)(d))
int sheaf_dmtcp_open(const char *path, int flags);

/* Whether this process has made the job's file: oshrun. */
extern bool sheaf_dmtcp_is_maker;

/* Prints a line, and ends the process: a job that is restored in part would go on with wrong memory. */
__attribute__((noreturn, format(printf, 1, 2))) void sheaf_dmtcp_fail(const char *format, ...);

/* A private mapping, which DMTCP writes into the image; malloc's lock may be a suspended thread's. */
void *sheaf_dmtcp_reserve(size_t bytes);
void sheaf_dmtcp_release(void *memory, size_t bytes);

/* memory.c: the job's file, and where this process has it mapped. */
void sheaf_dmtcp_memory_find(void);
void sheaf_dmtcp_memory_save(int fd); /* by the maker */
int sheaf_dmtcp_memory_make(void);    /* a new file with what was saved: its descriptor */
void sheaf_dmtcp_memory_map(void);
void sheaf_dmtcp_memory_drop(void);   /* what was saved */

/* descriptors.c: pipes, and the job's file. Between make and take all processes meet, and before end. */
void sheaf_dmtcp_descriptors_begin(void); /* when the plug-in is loaded */
void sheaf_dmtcp_descriptors_go_on(void); /* all is in place after a restart */
int sheaf_dmtcp_descriptors_save(void); /* the job's file among them; -1: there is none */
void sheaf_dmtcp_descriptors_make(int (*make_file)(void));
void sheaf_dmtcp_descriptors_take(void);
void sheaf_dmtcp_descriptors_end(void);
void sheaf_dmtcp_descriptors_drop(void);

/* Opens what stands now for the object that had this inode number. */
int sheaf_dmtcp_descriptors_open(uint64_t inode, int flags);

#endif
