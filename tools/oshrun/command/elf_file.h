/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an ELF file says of the libraries that it needs. The file may be anybody's: nothing of it is used
 * before it has been checked, and a file that makes no sense needs nothing.
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
    bool is_rpath;              /* it is for the libraries' libraries too */
};

/* False for a file that is no program or library of this machine's kind. */
bool sheaf_elf_read(const char *path, struct elf_needs *needs);

/* Whether the file refers to one of the names, or has it; the last of them is NULL. */
bool sheaf_elf_names(const char *path, const char *const *names);

#endif
