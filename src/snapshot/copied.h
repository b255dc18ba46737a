/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What lies among the program's variables and is none of them: libraries' variables that the linker has
 * moved into the program (stdout, environ, std::cout), and the loader's table of functions. A restart
 * leaves them as the new process has them.
 */
#ifndef SHEAF_SNAPSHOT_COPIED_H
#define SHEAF_SNAPSHOT_COPIED_H

#include <stddef.h>

/* The first such range that ends behind at: its first byte and its size; NULL where there is none. */
char *sheaf_copied_next(const char *at, size_t *size);

#endif
