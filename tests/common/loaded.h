/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that load the library with dlopen instead of being linked with it: the library opened, and
 * its functions looked up by name.
 */
#ifndef SHEAF_TESTS_LOADED_H
#define SHEAF_TESTS_LOADED_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);    \
            fflush(stdout);                                                   \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

static void *library;

/* mode: dlopen's. */
static inline void load_library(const char *path, int mode)
{
    library = dlopen(path, mode);
    if (!library)
        printf("%s\n", dlerror());
    CHECK(library);
}

static inline void *look_up(const char *name)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        printf("%s\n", dlerror());
    CHECK(symbol);
    return symbol;
}

/* Declares a pointer of the function's name to it. */
#define LOOK_UP(type, name, ...) type (*name)(__VA_ARGS__) = (type(*)(__VA_ARGS__))look_up(#name)

#endif
