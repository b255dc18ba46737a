/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's own file in memory: where its variables lie, whether it is the same program as another
 * PE's, and whether the library was loaded with it or later. Private to image/.
 */
#ifndef SHEAF_IMAGE_EXECUTABLE_H
#define SHEAF_IMAGE_EXECUTABLE_H

#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A writable range of whole pages. The first file_length bytes came from the file. The rest is .bss, which
 * may be huge and is mostly untouched. */
struct sheaf_range {
    char *start;
    size_t length;
    size_t file_length;
    bool executable;
};
#define SHEAF_MAX_RANGES 8

/* A read-only range of whole pages, filled from the program's file from file_offset on. */
struct sheaf_constants {
    char *start;
    size_t length;
    uint64_t file_offset;
};

struct sheaf_executable {
    struct sheaf_range ranges[SHEAF_MAX_RANGES]; /* ascending, without read-only-after-relocation */
    int count;
    struct sheaf_constants constants[SHEAF_MAX_RANGES];
    int constant_count;
    struct sheaf_segment relocated; /* read-only after relocation: constants that hold addresses */
    uintptr_t bias;     /* added to the file's addresses */
    char build_id[40];  /* hexadecimal, cut; "" without one */
    uint32_t hash;      /* equal where the program is the same file */
    bool brought_library;
    bool is_static;     /* no dynamic loader loaded it */
};
extern struct sheaf_executable sheaf_executable; /* this process's */

void sheaf_executable_read(struct sheaf_executable *executable);

/* From the first range to the end of the last; length 0 without ranges. */
struct sheaf_segment sheaf_executable_data(const struct sheaf_executable *executable);

#endif
