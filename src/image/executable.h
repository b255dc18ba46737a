/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's own file in memory: where its variables lie, whether it is the same program as
 * another PE's, and whether it brought this library along or loaded it later. Private to image/.
 */
#ifndef SHEAF_IMAGE_EXECUTABLE_H
#define SHEAF_IMAGE_EXECUTABLE_H

#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A writable range, whole pages. The first file_length bytes came from the file, the rest is
 * .bss, which may be huge and is mostly untouched. */
struct sheaf_range {
    char *start;
    size_t length;
    size_t file_length;
    bool executable;
};
#define SHEAF_MAX_RANGES 8

/* A range that nobody may write, whole pages: what the program's file has from file_offset on. */
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
    uintptr_t bias;     /* what is added to the file's addresses */
    char build_id[40];  /* hexadecimal, cut; "" without one */
    uint32_t hash;      /* equal where the program is the same file */
    bool brought_library;
    bool is_static;     /* no loader brought it in */
};
extern struct sheaf_executable sheaf_executable; /* this process's */

void sheaf_executable_read(struct sheaf_executable *executable);

/* From the first range to the end of the last; of no length without any. */
struct sheaf_segment sheaf_executable_data(const struct sheaf_executable *executable);

#endif
