/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file where the loader would find a library. It searches the folders that the files name,
 * LD_LIBRARY_PATH, the loader's cache, and the system's folders. Nothing is loaded.
 */
#ifndef SHEAF_OSHRUN_LIBRARY_SEARCH_H
#define SHEAF_OSHRUN_LIBRARY_SEARCH_H

#include "oshrun/command/options.h"

#include <limits.h>
#include <stddef.h>

#define LIBRARY_PATH PATH_MAX

struct library_search {
    const struct program *program; /* the program whose environment counts */
    char *folders;                 /* with ":" between them; NULL: none so far */
    char *cache;                   /* the loader's, with a NUL behind it; NULL: not read yet, or none */
    size_t cache_length;
    bool cache_was_read;
};

/* Adds the folders that the file at path names; "$ORIGIN" means the file's own folder. */
void sheaf_library_search_add(struct library_search *search, const char *path, const char *run_path);

/* Finds the file of a library. path: LIBRARY_PATH bytes. */
bool sheaf_library_find(struct library_search *search, const char *name, char *path);

void sheaf_library_search_end(struct library_search *search);

#endif
