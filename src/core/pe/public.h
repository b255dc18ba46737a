/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types and constants of the public interface. The library includes this file; the printed
 * headers carry its text between the two markers. Handles are constants, valid in static
 * initializers; a zeroed handle is an invalid one.
 */
#ifndef SHEAF_CORE_PE_PUBLIC_H
#define SHEAF_CORE_PE_PUBLIC_H

#include <stddef.h>
#include <stdint.h>

/* begin public */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN  256
#define SHMEM_VENDOR_STRING "Sheaf 0.1.0"

#define SHMEM_THREAD_SINGLE     0
#define SHMEM_THREAD_FUNNELED   1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE   3

typedef struct sheaf_team *shmem_team_t;
typedef struct sheaf_context *shmem_ctx_t;

typedef struct {
    int num_contexts;
} shmem_team_config_t;

typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#ifdef __cplusplus /* names, so that a namespace may declare its own */
static const shmem_team_t SHMEM_TEAM_WORLD = (shmem_team_t)1;
static const shmem_team_t SHMEM_TEAM_SHARED = (shmem_team_t)2;
#define SHMEM_TEAM_WORLD  SHMEM_TEAM_WORLD
#define SHMEM_TEAM_SHARED SHMEM_TEAM_SHARED
#else
#define SHMEM_TEAM_WORLD  ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)
#endif
#define SHMEM_CTX_INVALID  ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT  ((shmem_ctx_t)1)

#define SHMEM_TEAM_NUM_CONTEXTS 1L

#define SHMEM_CTX_PRIVATE    1L
#define SHMEM_CTX_SERIALIZED 2L
#define SHMEM_CTX_NOSTORE    4L

#define SHMEM_CTX_SESSION_TOTAL_OPS 1L
#define SHMEM_CTX_SESSION_BATCH     1L

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE  2L

#define SHMEM_SIGNAL_SET 1
#define SHMEM_SIGNAL_ADD 2

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

#define SHMEM_SYNC_VALUE              0L
#define SHMEM_SYNC_SIZE               8
#define SHMEM_BARRIER_SYNC_SIZE       8
#define SHMEM_BCAST_SYNC_SIZE         8
#define SHMEM_REDUCE_SYNC_SIZE        8
#define SHMEM_COLLECT_SYNC_SIZE       8
#define SHMEM_ALLTOALL_SYNC_SIZE      8
#define SHMEM_ALLTOALLS_SYNC_SIZE     8
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 8
/* end public */

#endif
