/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The old place of shmem.h, deprecated since 1.1.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_MPP_SHMEM_H
#define SHEAF_MPP_SHMEM_H

#include "../shmem.h"

#endif
