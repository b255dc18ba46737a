/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in a file of code as functions and source lines, by addr2line where it is installed. Nothing of
 * what a process that dies may have left locked is used, but for posix_spawn().
 */
#ifndef SHEAF_BASE_OS_ADDR2LINE_H
#define SHEAF_BASE_OS_ADDR2LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SHEAF_ADDR2LINE_MOST 64 /* offsets at once: what a line of arguments is for */

/* "" where the tool does not know. */
struct sheaf_source_line {
    char function[100]; /* "step", a C++ name as its author wrote it */
    char place[80];     /* "heat.c:40" */
};

/* offsets: from where the file is loaded; of a file with a fixed address, the addresses. lines: one for
 * each of count offsets, SHEAF_ADDR2LINE_MOST at most. Returns how many were answered within most_ns:
 * fewer where the tool is missing or slow. Nothing of it is left then. */
size_t sheaf_addr2line(const char *file, const uint64_t *offsets, size_t count, uint64_t most_ns,
                       struct sheaf_source_line *lines);

/* One offset; of code that is inline, the innermost place outside the compiler's and the system's
 * headers. */
bool sheaf_addr2line_of_program(const char *file, uint64_t offset, uint64_t most_ns,
                                struct sheaf_source_line *line);

/* The same for places that come one by one: the tool runs from open to close. A start takes some 5 ms, a
 * place 0.05. */
struct sheaf_addr2line {
    pid_t tool;
    int descriptor; /* -1: it is not there, or has failed */
    char bytes[4096];
    size_t at, end;
};
void sheaf_addr2line_open(struct sheaf_addr2line *session, const char *file);
bool sheaf_addr2line_ask(struct sheaf_addr2line *session, uint64_t offset, uint64_t most_ns,
                         struct sheaf_source_line *line);
void sheaf_addr2line_close(struct sheaf_addr2line *session);

#endif
