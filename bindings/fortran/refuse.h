/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the modules' functions and the older interface share. Both libraries have it.
 */
#ifndef SHEAF_FORTRAN_REFUSE_H
#define SHEAF_FORTRAN_REFUSE_H

#include <shmemx.h>

/* One line that names PE and call, then the end of the job. Before shmem_init it returns, and the
 * routine itself says what is wrong. */
void sheaf_refuse(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Texts: Fortran's have a length, with blanks up to it, C's a zero behind them. */
void sheaf_give_text(const char *from, char *to, size_t length);

#endif
