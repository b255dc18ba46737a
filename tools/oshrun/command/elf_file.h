/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The libraries that an ELF file needs. The file may come from any user: nothing in it is used before it
 * has been checked, and an invalid file counts as one that needs nothing.
 */
#ifndef SHEAF_OSHRUN_ELF_FILE_H
#define SHEAF_OSHRUN_ELF_FILE_H

#include <stdbool.h>

#define ELF_MOST_NEEDED 128
#define ELF_NAME        128  /* of a library, with NUL; a longer one is left out */
#define ELF_FOLDERS     4096 /* of a list of folders, with NUL */

struct elf_needs {
    int count;
    char names[ELF_MOST_NEEDED][ELF_NAME];
    char run_path[ELF_FOLDERS]; /* DT_RUNPATH, or DT_RPATH; "" where neither is there */
    bool is_rpath;              /* it also holds for the libraries' own libraries */
};

/* Returns false for a file that is no program or library of this machine's kind. */
bool sheaf_elf_read(const char *path, struct elf_needs *needs);

/* The kind of machine that an ELF file is for; NULL where it is this one's, or the file is no ELF file. */
const char *sheaf_elf_other_machine(const char *path);

/* Whether the file refers to one of the names, or defines it; the last of the list is NULL. */
bool sheaf_elf_names(const char *path, const char *const *names);

#endif
