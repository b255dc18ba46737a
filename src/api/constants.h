/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the printed headers carry besides core/pe/public.h: the constants' old spellings, and names
 * for the complex types that C++ compilers take without a warning.
 */
#ifndef SHEAF_API_CONSTANTS_H
#define SHEAF_API_CONSTANTS_H

#include "core/pe/public.h"

/* begin public */
#define _SHMEM_MAJOR_VERSION            SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION            SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN             SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING            SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ                   SHMEM_CMP_EQ
#define _SHMEM_CMP_NE                   SHMEM_CMP_NE
#define _SHMEM_CMP_GT                   SHMEM_CMP_GT
#define _SHMEM_CMP_LE                   SHMEM_CMP_LE
#define _SHMEM_CMP_LT                   SHMEM_CMP_LT
#define _SHMEM_CMP_GE                   SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE               SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE        SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE          SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE        SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE         SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE  SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* Programs that tell libraries apart by such names, as shmem4py does, then take what 1.5 and later have. */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES

__extension__ typedef float _Complex sheaf_complexf;
__extension__ typedef double _Complex sheaf_complexd;
/* end public */

#endif
