/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The old place of shmemx.h, deprecated since 1.1.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_MPP_SHMEMX_H
#define SHEAF_MPP_SHMEMX_H

#include "../shmemx.h"

#endif
