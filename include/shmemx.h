/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Extensions of Sheaf to OpenSHMEM. First, routines of specification 1.6 by the names under which
 * programs could call them before: macros for the routine without the x, which shmem.h has. Then
 * Sheaf's own: teams of any PEs; noncontiguous transfers and accumulate, with handles; who carries out
 * atomic operations; counters of operations; memory that another runtime hands in; memory spaces; names
 * of a program's own phases and figures, for tools.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_SHMEMX_H
#define SHEAF_SHMEMX_H

#include "shmem.h"

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

#define shmemx_query_initialized shmem_query_initialized
#define shmemx_team_ptr shmem_team_ptr
#define shmemx_ctx_session_start shmem_ctx_session_start
#define shmemx_ctx_session_stop shmem_ctx_session_stop
#define shmemx_float_ibput shmem_float_ibput
#define shmemx_ctx_float_ibput shmem_ctx_float_ibput
#define shmemx_double_ibput shmem_double_ibput
#define shmemx_ctx_double_ibput shmem_ctx_double_ibput
#define shmemx_longdouble_ibput shmem_longdouble_ibput
#define shmemx_ctx_longdouble_ibput shmem_ctx_longdouble_ibput
#define shmemx_char_ibput shmem_char_ibput
#define shmemx_ctx_char_ibput shmem_ctx_char_ibput
#define shmemx_schar_ibput shmem_schar_ibput
#define shmemx_ctx_schar_ibput shmem_ctx_schar_ibput
#define shmemx_short_ibput shmem_short_ibput
#define shmemx_ctx_short_ibput shmem_ctx_short_ibput
#define shmemx_int_ibput shmem_int_ibput
#define shmemx_ctx_int_ibput shmem_ctx_int_ibput
#define shmemx_long_ibput shmem_long_ibput
#define shmemx_ctx_long_ibput shmem_ctx_long_ibput
#define shmemx_longlong_ibput shmem_longlong_ibput
#define shmemx_ctx_longlong_ibput shmem_ctx_longlong_ibput
#define shmemx_uchar_ibput shmem_uchar_ibput
#define shmemx_ctx_uchar_ibput shmem_ctx_uchar_ibput
#define shmemx_ushort_ibput shmem_ushort_ibput
#define shmemx_ctx_ushort_ibput shmem_ctx_ushort_ibput
#define shmemx_uint_ibput shmem_uint_ibput
#define shmemx_ctx_uint_ibput shmem_ctx_uint_ibput
#define shmemx_ulong_ibput shmem_ulong_ibput
#define shmemx_ctx_ulong_ibput shmem_ctx_ulong_ibput
#define shmemx_ulonglong_ibput shmem_ulonglong_ibput
#define shmemx_ctx_ulonglong_ibput shmem_ctx_ulonglong_ibput
#define shmemx_int8_ibput shmem_int8_ibput
#define shmemx_ctx_int8_ibput shmem_ctx_int8_ibput
#define shmemx_int16_ibput shmem_int16_ibput
#define shmemx_ctx_int16_ibput shmem_ctx_int16_ibput
#define shmemx_int32_ibput shmem_int32_ibput
#define shmemx_ctx_int32_ibput shmem_ctx_int32_ibput
#define shmemx_int64_ibput shmem_int64_ibput
#define shmemx_ctx_int64_ibput shmem_ctx_int64_ibput
#define shmemx_uint8_ibput shmem_uint8_ibput
#define shmemx_ctx_uint8_ibput shmem_ctx_uint8_ibput
#define shmemx_uint16_ibput shmem_uint16_ibput
#define shmemx_ctx_uint16_ibput shmem_ctx_uint16_ibput
#define shmemx_uint32_ibput shmem_uint32_ibput
#define shmemx_ctx_uint32_ibput shmem_ctx_uint32_ibput
#define shmemx_uint64_ibput shmem_uint64_ibput
#define shmemx_ctx_uint64_ibput shmem_ctx_uint64_ibput
#define shmemx_size_ibput shmem_size_ibput
#define shmemx_ctx_size_ibput shmem_ctx_size_ibput
#define shmemx_ptrdiff_ibput shmem_ptrdiff_ibput
#define shmemx_ctx_ptrdiff_ibput shmem_ctx_ptrdiff_ibput
#define shmemx_ibput8 shmem_ibput8
#define shmemx_ctx_ibput8 shmem_ctx_ibput8
#define shmemx_ibput16 shmem_ibput16
#define shmemx_ctx_ibput16 shmem_ctx_ibput16
#define shmemx_ibput32 shmem_ibput32
#define shmemx_ctx_ibput32 shmem_ctx_ibput32
#define shmemx_ibput64 shmem_ibput64
#define shmemx_ctx_ibput64 shmem_ctx_ibput64
#define shmemx_ibput128 shmem_ibput128
#define shmemx_ctx_ibput128 shmem_ctx_ibput128
#define shmemx_float_ibget shmem_float_ibget
#define shmemx_ctx_float_ibget shmem_ctx_float_ibget
#define shmemx_double_ibget shmem_double_ibget
#define shmemx_ctx_double_ibget shmem_ctx_double_ibget
#define shmemx_longdouble_ibget shmem_longdouble_ibget
#define shmemx_ctx_longdouble_ibget shmem_ctx_longdouble_ibget
#define shmemx_char_ibget shmem_char_ibget
#define shmemx_ctx_char_ibget shmem_ctx_char_ibget
#define shmemx_schar_ibget shmem_schar_ibget
#define shmemx_ctx_schar_ibget shmem_ctx_schar_ibget
#define shmemx_short_ibget shmem_short_ibget
#define shmemx_ctx_short_ibget shmem_ctx_short_ibget
#define shmemx_int_ibget shmem_int_ibget
#define shmemx_ctx_int_ibget shmem_ctx_int_ibget
#define shmemx_long_ibget shmem_long_ibget
#define shmemx_ctx_long_ibget shmem_ctx_long_ibget
#define shmemx_longlong_ibget shmem_longlong_ibget
#define shmemx_ctx_longlong_ibget shmem_ctx_longlong_ibget
#define shmemx_uchar_ibget shmem_uchar_ibget
#define shmemx_ctx_uchar_ibget shmem_ctx_uchar_ibget
#define shmemx_ushort_ibget shmem_ushort_ibget
#define shmemx_ctx_ushort_ibget shmem_ctx_ushort_ibget
#define shmemx_uint_ibget shmem_uint_ibget
#define shmemx_ctx_uint_ibget shmem_ctx_uint_ibget
#define shmemx_ulong_ibget shmem_ulong_ibget
#define shmemx_ctx_ulong_ibget shmem_ctx_ulong_ibget
#define shmemx_ulonglong_ibget shmem_ulonglong_ibget
#define shmemx_ctx_ulonglong_ibget shmem_ctx_ulonglong_ibget
#define shmemx_int8_ibget shmem_int8_ibget
#define shmemx_ctx_int8_ibget shmem_ctx_int8_ibget
#define shmemx_int16_ibget shmem_int16_ibget
#define shmemx_ctx_int16_ibget shmem_ctx_int16_ibget
#define shmemx_int32_ibget shmem_int32_ibget
#define shmemx_ctx_int32_ibget shmem_ctx_int32_ibget
#define shmemx_int64_ibget shmem_int64_ibget
#define shmemx_ctx_int64_ibget shmem_ctx_int64_ibget
#define shmemx_uint8_ibget shmem_uint8_ibget
#define shmemx_ctx_uint8_ibget shmem_ctx_uint8_ibget
#define shmemx_uint16_ibget shmem_uint16_ibget
#define shmemx_ctx_uint16_ibget shmem_ctx_uint16_ibget
#define shmemx_uint32_ibget shmem_uint32_ibget
#define shmemx_ctx_uint32_ibget shmem_ctx_uint32_ibget
#define shmemx_uint64_ibget shmem_uint64_ibget
#define shmemx_ctx_uint64_ibget shmem_ctx_uint64_ibget
#define shmemx_size_ibget shmem_size_ibget
#define shmemx_ctx_size_ibget shmem_ctx_size_ibget
#define shmemx_ptrdiff_ibget shmem_ptrdiff_ibget
#define shmemx_ctx_ptrdiff_ibget shmem_ctx_ptrdiff_ibget
#define shmemx_ibget8 shmem_ibget8
#define shmemx_ctx_ibget8 shmem_ctx_ibget8
#define shmemx_ibget16 shmem_ibget16
#define shmemx_ctx_ibget16 shmem_ctx_ibget16
#define shmemx_ibget32 shmem_ibget32
#define shmemx_ctx_ibget32 shmem_ctx_ibget32
#define shmemx_ibget64 shmem_ibget64
#define shmemx_ctx_ibget64 shmem_ctx_ibget64
#define shmemx_ibget128 shmem_ibget128
#define shmemx_ctx_ibget128 shmem_ctx_ibget128
#define shmemx_signal_add shmem_signal_add
#define shmemx_ctx_signal_add shmem_ctx_signal_add
#define shmemx_signal_set shmem_signal_set
#define shmemx_ctx_signal_set shmem_ctx_signal_set
#define shmemx_float_sum_inscan shmem_float_sum_inscan
#define shmemx_double_sum_inscan shmem_double_sum_inscan
#define shmemx_longdouble_sum_inscan shmem_longdouble_sum_inscan
#define shmemx_char_sum_inscan shmem_char_sum_inscan
#define shmemx_schar_sum_inscan shmem_schar_sum_inscan
#define shmemx_short_sum_inscan shmem_short_sum_inscan
#define shmemx_int_sum_inscan shmem_int_sum_inscan
#define shmemx_long_sum_inscan shmem_long_sum_inscan
#define shmemx_longlong_sum_inscan shmem_longlong_sum_inscan
#define shmemx_uchar_sum_inscan shmem_uchar_sum_inscan
#define shmemx_ushort_sum_inscan shmem_ushort_sum_inscan
#define shmemx_uint_sum_inscan shmem_uint_sum_inscan
#define shmemx_ulong_sum_inscan shmem_ulong_sum_inscan
#define shmemx_ulonglong_sum_inscan shmem_ulonglong_sum_inscan
#define shmemx_int8_sum_inscan shmem_int8_sum_inscan
#define shmemx_int16_sum_inscan shmem_int16_sum_inscan
#define shmemx_int32_sum_inscan shmem_int32_sum_inscan
#define shmemx_int64_sum_inscan shmem_int64_sum_inscan
#define shmemx_uint8_sum_inscan shmem_uint8_sum_inscan
#define shmemx_uint16_sum_inscan shmem_uint16_sum_inscan
#define shmemx_uint32_sum_inscan shmem_uint32_sum_inscan
#define shmemx_uint64_sum_inscan shmem_uint64_sum_inscan
#define shmemx_size_sum_inscan shmem_size_sum_inscan
#define shmemx_ptrdiff_sum_inscan shmem_ptrdiff_sum_inscan
#define shmemx_complexf_sum_inscan shmem_complexf_sum_inscan
#define shmemx_complexd_sum_inscan shmem_complexd_sum_inscan
#define shmemx_float_sum_exscan shmem_float_sum_exscan
#define shmemx_double_sum_exscan shmem_double_sum_exscan
#define shmemx_longdouble_sum_exscan shmem_longdouble_sum_exscan
#define shmemx_char_sum_exscan shmem_char_sum_exscan
#define shmemx_schar_sum_exscan shmem_schar_sum_exscan
#define shmemx_short_sum_exscan shmem_short_sum_exscan
#define shmemx_int_sum_exscan shmem_int_sum_exscan
#define shmemx_long_sum_exscan shmem_long_sum_exscan
#define shmemx_longlong_sum_exscan shmem_longlong_sum_exscan
#define shmemx_uchar_sum_exscan shmem_uchar_sum_exscan
#define shmemx_ushort_sum_exscan shmem_ushort_sum_exscan
#define shmemx_uint_sum_exscan shmem_uint_sum_exscan
#define shmemx_ulong_sum_exscan shmem_ulong_sum_exscan
#define shmemx_ulonglong_sum_exscan shmem_ulonglong_sum_exscan
#define shmemx_int8_sum_exscan shmem_int8_sum_exscan
#define shmemx_int16_sum_exscan shmem_int16_sum_exscan
#define shmemx_int32_sum_exscan shmem_int32_sum_exscan
#define shmemx_int64_sum_exscan shmem_int64_sum_exscan
#define shmemx_uint8_sum_exscan shmem_uint8_sum_exscan
#define shmemx_uint16_sum_exscan shmem_uint16_sum_exscan
#define shmemx_uint32_sum_exscan shmem_uint32_sum_exscan
#define shmemx_uint64_sum_exscan shmem_uint64_sum_exscan
#define shmemx_size_sum_exscan shmem_size_sum_exscan
#define shmemx_ptrdiff_sum_exscan shmem_ptrdiff_sum_exscan
#define shmemx_complexf_sum_exscan shmem_complexf_sum_exscan
#define shmemx_complexd_sum_exscan shmem_complexd_sum_exscan
#define shmemx_pe_quiet shmem_pe_quiet
#define shmemx_ctx_pe_quiet shmem_ctx_pe_quiet
#define shmemx_ibput shmem_ibput
#define shmemx_ibget shmem_ibget
#define shmemx_sum_inscan shmem_sum_inscan
#define shmemx_sum_exscan shmem_sum_exscan

/* A nonblocking call that can be tested and waited for. A zeroed handle counts as complete. */
typedef struct sheaf_handle *shmemx_handle_t;
#define SHMEMX_HANDLE_COMPLETE ((shmemx_handle_t)0)

/* The PEs of this node: those whose memory the caller reaches by load and store. */
#ifdef __cplusplus
static const shmem_team_t SHMEMX_TEAM_NODE = SHMEM_TEAM_SHARED;
#define SHMEMX_TEAM_NODE SHMEMX_TEAM_NODE
#else
#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED
#endif

/* The runtime whose memory an external heap is: Level Zero or CUDA. */
#define SHMEMX_EXTERNAL_HEAP_ZE   0
#define SHMEMX_EXTERNAL_HEAP_CUDA 1

/* An option of a context: its small operations across hosts are batched from its creation on, as in a
 * session with SHMEM_CTX_SESSION_BATCH that does not end. */
#define SHMEMX_CTX_BATCH 0x10000L

/* Dimensions of a strided transfer, with the contiguous one. */
#define SHMEMX_MAX_DIMS 7

/* The provider of an operation: none; the caller's processor, in mapped memory; the target's processor,
 * asked by a message; the network by itself; the network, from its 64-bit compare-and-swap. */
#define SHMEMX_PROVIDER_NONE      0
#define SHMEMX_PROVIDER_PROCESSOR 1
#define SHMEMX_PROVIDER_MESSAGE   2
#define SHMEMX_PROVIDER_NETWORK   3
#define SHMEMX_PROVIDER_BUILT     4

/* Kinds of names, which shmemx_tool_describe() returns. */
#define SHMEMX_TOOL_COUNTER  0
#define SHMEMX_TOOL_SETTING  1
#define SHMEMX_TOOL_WRITABLE 2

/* Numbers of operations. pending: all that the context has issued; completed: those of them that are
 * complete; target: writes of all PEs to this PE's memory. */
typedef struct {
    uint64_t pending_put;
    uint64_t pending_get;
    uint64_t completed_put;
    uint64_t completed_get;
    uint64_t target;
} shmemx_pcntr_t;

/* The identifier of a job: a text that ends with NUL, with the job's secret in it. */
typedef struct {
    char text[512];
} shmemx_uniqueid_t;

/* Memory beside the heap, of the members of a team. A zeroed handle stands for no space. */
typedef struct sheaf_space *shmemx_space_t;
#define SHMEMX_SPACE_INVALID ((shmemx_space_t)0)

/* For i below count: bytes from sources[i] to dests[i]. */
typedef struct {
    void *const *dests;
    const void *const *sources;
    size_t count;
    size_t bytes;
} shmemx_vector_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Set-up, exit and queries ===================================================================== */

/* The address that PE pe has for its own copy of the symmetric object dest: of the heap, of static data,
 * of a memory space or a team's memory. It is to be used on that PE alone. NULL where dest is not
 * symmetric or pe has no copy. For libraries that hand out such addresses, as ARMCI does, or compare
 * them. */
void *shmemx_owner_address(const void *dest, int pe);

/* The inverse: the caller's own address of the symmetric object that PE pe has at address, which every
 * call that takes a symmetric address accepts. NULL where address is not symmetric. By this call a
 * respawned process learns of the heap's blocks, from pointers in other PEs' memory. */
void *shmemx_local_address(const void *address, int pe);

/* Memory management ============================================================================ */

/* A block of size bytes on every member of team, beside the heap. Any call that takes a symmetric
 * address accepts a member's own address of the block, with the number of a member as the PE. There may
 * be any number of blocks, of any teams. The block is not initialized. All members pass the same size.
 * Collective over team; ends with a barrier. NULL without a barrier when size is 0; NULL on all members
 * when the memory does not suffice. See docs/do/team-memory.md. */
void *shmemx_team_malloc(shmem_team_t team, size_t size);

/* The same for count elements of size bytes, which all members read as zero. */
void *shmemx_team_calloc(shmem_team_t team, size_t count, size_t size);

/* Frees a block that team, or another team of the same PEs in the same order, has allocated, and gives
 * its memory back to the system. Collective over team; begins with a barrier. NULL does nothing. */
void shmemx_team_free(shmem_team_t team, void *ptr);

/* Teams ======================================================================================== */

/* Makes a team of any PEs of parent_team, in any order: its PE i is PE pes[i] of the parent. Collective
 * over the npes PEs that the list names, which all pass the same; nobody else needs to call, and another
 * PE that does gets 0 and SHMEM_TEAM_INVALID. Two threads of a PE must not call with the same list at
 * once. config and config_mask configure the team; config may be NULL when the mask is 0. Returns 0; on
 * all of them nonzero, and SHMEM_TEAM_INVALID, for a number that is none of the parent's or is there
 * twice, for npes below 1 or above the parent's, and for SHMEM_TEAM_INVALID as the parent. */
int shmemx_team_from_pes(shmem_team_t parent_team, const int *pes, int npes,
                         const shmem_team_config_t *config, long config_mask,
                         shmem_team_t *new_team);

/* Hands every member's bytes to every member: those of PE i of team are at all + i * bytes afterwards.
 * Meant for some hundred bytes, such as addresses and numbers of other libraries: mine (bytes) and all
 * (the team's PEs times bytes) may be private memory, must not overlap, and may be used again on return.
 * It completes no other operation. bytes is the same on all. Returns 0. Collective over team. */
int shmemx_team_exchange(shmem_team_t team, const void *mine, size_t bytes, void *all);

/* Noncontiguous remote memory access: extensions =============================================== */

/* Writes an n-dimensional set of runs to PE pe. counts[0] is the length of a run in bytes; counts[i],
 * for i from 1 to dims - 1, is the extent of dimension i. strides[i - 1] is the distance in bytes
 * between neighbours in that dimension, at dest, symmetric, and at source, local; it may be negative.
 * dims is 1 to SHMEMX_MAX_DIMS; with 1 the strides may be null pointers. Where a count is 0 nothing is
 * written. A stride shorter than a run is an error; where runs of dest overlap otherwise, the overlap
 * holds any of the values written. source may be reused on return; the target has the data after
 * shmem_quiet. */
void shmemx_putmem_strided(void *dest, const void *source, const ptrdiff_t *dest_strides,
                           const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe);
void shmemx_ctx_putmem_strided(shmem_ctx_t ctx, void *dest, const void *source,
                               const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                               const size_t *counts, int dims, int pe);

/* The same without waiting. Once *handle is complete source may be reused and the target has the data;
 * until then the program does not change source. The arrays that describe it may be reused on return.
 * shmem_quiet completes the call too, and is the only way where handle is a null pointer. */
void shmemx_putmem_strided_nb(void *dest, const void *source, const ptrdiff_t *dest_strides,
                              const ptrdiff_t *source_strides, const size_t *counts, int dims,
                              int pe, shmemx_handle_t *handle);
void shmemx_ctx_putmem_strided_nb(shmem_ctx_t ctx, void *dest, const void *source,
                                  const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                  const size_t *counts, int dims, int pe, shmemx_handle_t *handle);

/* Reads an n-dimensional set of runs from PE pe, where source is symmetric; dest is local and
 * complete on return. Otherwise as shmemx_putmem_strided. */
void shmemx_getmem_strided(void *dest, const void *source, const ptrdiff_t *dest_strides,
                           const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe);
void shmemx_ctx_getmem_strided(shmem_ctx_t ctx, void *dest, const void *source,
                               const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                               const size_t *counts, int dims, int pe);

/* The same without waiting: dest is complete once *handle is, or, with a null pointer for handle,
 * after shmem_quiet. */
void shmemx_getmem_strided_nb(void *dest, const void *source, const ptrdiff_t *dest_strides,
                              const ptrdiff_t *source_strides, const size_t *counts, int dims,
                              int pe, shmemx_handle_t *handle);
void shmemx_ctx_getmem_strided_nb(shmem_ctx_t ctx, void *dest, const void *source,
                                  const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                  const size_t *counts, int dims, int pe, shmemx_handle_t *handle);

/* Writes lists of pieces to PE pe: of each of the nvectors vectors, for each i below its count, bytes
 * from sources[i], local, to dests[i], symmetric. Pieces of the destination do not overlap.
 * The sources may be reused on return; the target has the data after shmem_quiet. */
void shmemx_putmem_vector(const shmemx_vector_t *vectors, size_t nvectors, int pe);
void shmemx_ctx_putmem_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                              int pe);

/* The same without waiting, as shmemx_putmem_strided_nb. */
void shmemx_putmem_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int pe,
                             shmemx_handle_t *handle);
void shmemx_ctx_putmem_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                                 int pe, shmemx_handle_t *handle);

/* Reads lists of pieces from PE pe, where the sources are symmetric; the dests are local and complete
 * on return. Otherwise as shmemx_putmem_vector. */
void shmemx_getmem_vector(const shmemx_vector_t *vectors, size_t nvectors, int pe);
void shmemx_ctx_getmem_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                              int pe);

/* The same without waiting, as shmemx_getmem_strided_nb. */
void shmemx_getmem_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int pe,
                             shmemx_handle_t *handle);
void shmemx_ctx_getmem_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                                 int pe, shmemx_handle_t *handle);

/* Returns 1 when the call of *handle is complete, and sets *handle to SHMEMX_HANDLE_COMPLETE, otherwise 0.
 * Every handle is to be tested or waited for until it is complete, also after a shmem_quiet; by one
 * thread at a time. */
int shmemx_test(shmemx_handle_t *handle);

/* Waits until the call of *handle is complete, and sets *handle to SHMEMX_HANDLE_COMPLETE. */
void shmemx_wait(shmemx_handle_t *handle);

/* Accumulate: extensions ======================================================================= */

/* Adds alpha times source to dest, for nelems elements: dest, symmetric, on PE pe, source local. The
 * update of an element is atomic with respect to all accumulates of its type; that of an integer also
 * with respect to all atomic operations, that of a float or double to atomic set, swap and fetch of its
 * type. The call as a whole is not atomic. Integers wrap. source may be reused on return; the target has
 * the sums after shmem_quiet. */
void shmemx_int_accumulate(int *dest, const int *source, int alpha, size_t nelems, int pe);
void shmemx_long_accumulate(long *dest, const long *source, long alpha, size_t nelems, int pe);
void shmemx_float_accumulate(float *dest, const float *source, float alpha, size_t nelems, int pe);
void shmemx_double_accumulate(double *dest, const double *source, double alpha, size_t nelems,
                              int pe);
void shmemx_complexf_accumulate(sheaf_complexf *dest, const sheaf_complexf *source,
                                sheaf_complexf alpha, size_t nelems, int pe);
void shmemx_complexd_accumulate(sheaf_complexd *dest, const sheaf_complexd *source,
                                sheaf_complexd alpha, size_t nelems, int pe);
void shmemx_ctx_int_accumulate(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                               size_t nelems, int pe);
void shmemx_ctx_long_accumulate(shmem_ctx_t ctx, long *dest, const long *source, long alpha,
                                size_t nelems, int pe);
void shmemx_ctx_float_accumulate(shmem_ctx_t ctx, float *dest, const float *source, float alpha,
                                 size_t nelems, int pe);
void shmemx_ctx_double_accumulate(shmem_ctx_t ctx, double *dest, const double *source, double alpha,
                                  size_t nelems, int pe);
void shmemx_ctx_complexf_accumulate(shmem_ctx_t ctx, sheaf_complexf *dest,
                                    const sheaf_complexf *source, sheaf_complexf alpha,
                                    size_t nelems, int pe);
void shmemx_ctx_complexd_accumulate(shmem_ctx_t ctx, sheaf_complexd *dest,
                                    const sheaf_complexd *source, sheaf_complexd alpha,
                                    size_t nelems, int pe);

/* The same without waiting, as shmemx_putmem_strided_nb. */
void shmemx_int_accumulate_nb(int *dest, const int *source, int alpha, size_t nelems, int pe,
                              shmemx_handle_t *handle);
void shmemx_long_accumulate_nb(long *dest, const long *source, long alpha, size_t nelems, int pe,
                               shmemx_handle_t *handle);
void shmemx_float_accumulate_nb(float *dest, const float *source, float alpha, size_t nelems,
                                int pe, shmemx_handle_t *handle);
void shmemx_double_accumulate_nb(double *dest, const double *source, double alpha, size_t nelems,
                                 int pe, shmemx_handle_t *handle);
void shmemx_complexf_accumulate_nb(sheaf_complexf *dest, const sheaf_complexf *source,
                                   sheaf_complexf alpha, size_t nelems, int pe,
                                   shmemx_handle_t *handle);
void shmemx_complexd_accumulate_nb(sheaf_complexd *dest, const sheaf_complexd *source,
                                   sheaf_complexd alpha, size_t nelems, int pe,
                                   shmemx_handle_t *handle);
void shmemx_ctx_int_accumulate_nb(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                  size_t nelems, int pe, shmemx_handle_t *handle);
void shmemx_ctx_long_accumulate_nb(shmem_ctx_t ctx, long *dest, const long *source, long alpha,
                                   size_t nelems, int pe, shmemx_handle_t *handle);
void shmemx_ctx_float_accumulate_nb(shmem_ctx_t ctx, float *dest, const float *source, float alpha,
                                    size_t nelems, int pe, shmemx_handle_t *handle);
void shmemx_ctx_double_accumulate_nb(shmem_ctx_t ctx, double *dest, const double *source,
                                     double alpha, size_t nelems, int pe, shmemx_handle_t *handle);
void shmemx_ctx_complexf_accumulate_nb(shmem_ctx_t ctx, sheaf_complexf *dest,
                                       const sheaf_complexf *source, sheaf_complexf alpha,
                                       size_t nelems, int pe, shmemx_handle_t *handle);
void shmemx_ctx_complexd_accumulate_nb(shmem_ctx_t ctx, sheaf_complexd *dest,
                                       const sheaf_complexd *source, sheaf_complexd alpha,
                                       size_t nelems, int pe, shmemx_handle_t *handle);

/* Adds alpha times an n-dimensional set of runs, described as for shmemx_putmem_strided: counts[0] and
 * the strides count bytes; a run is a whole number of elements, strides of dest are multiples of the
 * element's alignment. Runs of dest may overlap as far as strides allow. */
void shmemx_int_accumulate_strided(int *dest, const int *source, int alpha,
                                   const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                   const size_t *counts, int dims, int pe);
void shmemx_long_accumulate_strided(long *dest, const long *source, long alpha,
                                    const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                    const size_t *counts, int dims, int pe);
void shmemx_float_accumulate_strided(float *dest, const float *source, float alpha,
                                     const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                     const size_t *counts, int dims, int pe);
void shmemx_double_accumulate_strided(double *dest, const double *source, double alpha,
                                      const ptrdiff_t *dest_strides,
                                      const ptrdiff_t *source_strides, const size_t *counts,
                                      int dims, int pe);
void shmemx_complexf_accumulate_strided(sheaf_complexf *dest, const sheaf_complexf *source,
                                        sheaf_complexf alpha, const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe);
void shmemx_complexd_accumulate_strided(sheaf_complexd *dest, const sheaf_complexd *source,
                                        sheaf_complexd alpha, const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe);
void shmemx_ctx_int_accumulate_strided(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                       const ptrdiff_t *dest_strides,
                                       const ptrdiff_t *source_strides, const size_t *counts,
                                       int dims, int pe);
void shmemx_ctx_long_accumulate_strided(shmem_ctx_t ctx, long *dest, const long *source, long alpha,
                                        const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe);
void shmemx_ctx_float_accumulate_strided(shmem_ctx_t ctx, float *dest, const float *source,
                                         float alpha, const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe);
void shmemx_ctx_double_accumulate_strided(shmem_ctx_t ctx, double *dest, const double *source,
                                          double alpha, const ptrdiff_t *dest_strides,
                                          const ptrdiff_t *source_strides, const size_t *counts,
                                          int dims, int pe);
void shmemx_ctx_complexf_accumulate_strided(shmem_ctx_t ctx, sheaf_complexf *dest,
                                            const sheaf_complexf *source, sheaf_complexf alpha,
                                            const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe);
void shmemx_ctx_complexd_accumulate_strided(shmem_ctx_t ctx, sheaf_complexd *dest,
                                            const sheaf_complexd *source, sheaf_complexd alpha,
                                            const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe);

/* The same without waiting, as shmemx_putmem_strided_nb. */
void shmemx_int_accumulate_strided_nb(int *dest, const int *source, int alpha,
                                      const ptrdiff_t *dest_strides,
                                      const ptrdiff_t *source_strides, const size_t *counts,
                                      int dims, int pe, shmemx_handle_t *handle);
void shmemx_long_accumulate_strided_nb(long *dest, const long *source, long alpha,
                                       const ptrdiff_t *dest_strides,
                                       const ptrdiff_t *source_strides, const size_t *counts,
                                       int dims, int pe, shmemx_handle_t *handle);
void shmemx_float_accumulate_strided_nb(float *dest, const float *source, float alpha,
                                        const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe, shmemx_handle_t *handle);
void shmemx_double_accumulate_strided_nb(double *dest, const double *source, double alpha,
                                         const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe, shmemx_handle_t *handle);
void shmemx_complexf_accumulate_strided_nb(sheaf_complexf *dest, const sheaf_complexf *source,
                                           sheaf_complexf alpha, const ptrdiff_t *dest_strides,
                                           const ptrdiff_t *source_strides, const size_t *counts,
                                           int dims, int pe, shmemx_handle_t *handle);
void shmemx_complexd_accumulate_strided_nb(sheaf_complexd *dest, const sheaf_complexd *source,
                                           sheaf_complexd alpha, const ptrdiff_t *dest_strides,
                                           const ptrdiff_t *source_strides, const size_t *counts,
                                           int dims, int pe, shmemx_handle_t *handle);
void shmemx_ctx_int_accumulate_strided_nb(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                          const ptrdiff_t *dest_strides,
                                          const ptrdiff_t *source_strides, const size_t *counts,
                                          int dims, int pe, shmemx_handle_t *handle);
void shmemx_ctx_long_accumulate_strided_nb(shmem_ctx_t ctx, long *dest, const long *source,
                                           long alpha, const ptrdiff_t *dest_strides,
                                           const ptrdiff_t *source_strides, const size_t *counts,
                                           int dims, int pe, shmemx_handle_t *handle);
void shmemx_ctx_float_accumulate_strided_nb(shmem_ctx_t ctx, float *dest, const float *source,
                                            float alpha, const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe, shmemx_handle_t *handle);
void shmemx_ctx_double_accumulate_strided_nb(shmem_ctx_t ctx, double *dest, const double *source,
                                             double alpha, const ptrdiff_t *dest_strides,
                                             const ptrdiff_t *source_strides, const size_t *counts,
                                             int dims, int pe, shmemx_handle_t *handle);
void shmemx_ctx_complexf_accumulate_strided_nb(shmem_ctx_t ctx, sheaf_complexf *dest,
                                               const sheaf_complexf *source, sheaf_complexf alpha,
                                               const ptrdiff_t *dest_strides,
                                               const ptrdiff_t *source_strides,
                                               const size_t *counts, int dims, int pe,
                                               shmemx_handle_t *handle);
void shmemx_ctx_complexd_accumulate_strided_nb(shmem_ctx_t ctx, sheaf_complexd *dest,
                                               const sheaf_complexd *source, sheaf_complexd alpha,
                                               const ptrdiff_t *dest_strides,
                                               const ptrdiff_t *source_strides,
                                               const size_t *counts, int dims, int pe,
                                               shmemx_handle_t *handle);

/* Adds alpha times lists of pieces, described as for shmemx_putmem_vector: of each of the nvectors vectors,
 * for each i below its count, bytes from sources[i], local, to dests[i], symmetric. bytes is a whole number
 * of elements. Pieces of dest may be the same; they are all added. */
void shmemx_int_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, int alpha,
                                  int pe);
void shmemx_long_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, long alpha,
                                   int pe);
void shmemx_float_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, float alpha,
                                    int pe);
void shmemx_double_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, double alpha,
                                     int pe);
void shmemx_complexf_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors,
                                       sheaf_complexf alpha, int pe);
void shmemx_complexd_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors,
                                       sheaf_complexd alpha, int pe);
void shmemx_ctx_int_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                      size_t nvectors, int alpha, int pe);
void shmemx_ctx_long_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                       size_t nvectors, long alpha, int pe);
void shmemx_ctx_float_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                        size_t nvectors, float alpha, int pe);
void shmemx_ctx_double_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                         size_t nvectors, double alpha, int pe);
void shmemx_ctx_complexf_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                           size_t nvectors, sheaf_complexf alpha, int pe);
void shmemx_ctx_complexd_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                           size_t nvectors, sheaf_complexd alpha, int pe);

/* The same without waiting, as shmemx_putmem_strided_nb. */
void shmemx_int_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int alpha,
                                     int pe, shmemx_handle_t *handle);
void shmemx_long_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, long alpha,
                                      int pe, shmemx_handle_t *handle);
void shmemx_float_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, float alpha,
                                       int pe, shmemx_handle_t *handle);
void shmemx_double_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                        double alpha, int pe, shmemx_handle_t *handle);
void shmemx_complexf_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                          sheaf_complexf alpha, int pe, shmemx_handle_t *handle);
void shmemx_complexd_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                          sheaf_complexd alpha, int pe, shmemx_handle_t *handle);
void shmemx_ctx_int_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                         size_t nvectors, int alpha, int pe,
                                         shmemx_handle_t *handle);
void shmemx_ctx_long_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                          size_t nvectors, long alpha, int pe,
                                          shmemx_handle_t *handle);
void shmemx_ctx_float_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                           size_t nvectors, float alpha, int pe,
                                           shmemx_handle_t *handle);
void shmemx_ctx_double_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                            size_t nvectors, double alpha, int pe,
                                            shmemx_handle_t *handle);
void shmemx_ctx_complexf_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                              size_t nvectors, sheaf_complexf alpha, int pe,
                                              shmemx_handle_t *handle);
void shmemx_ctx_complexd_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                              size_t nvectors, sheaf_complexd alpha, int pe,
                                              shmemx_handle_t *handle);

/* Providers of operations: extensions ========================================================== */

/* Says which atomic operations the program uses from here on, as SHEAF_ATOMICS_USES does: a list of
 * fetch, set, add, and, or, xor, swap, cswap, each with 32 or 64 behind it or neither, which means both,
 * between commas: "add64,cswap64,fetch". An operation outside the list, which the network lacks and
 * cannot build, then no longer makes processors carry out the listed ones. Collective over the world;
 * completes what went before and synchronizes. Returns 1 where SHEAF_ATOMICS asked for the network's
 * operations and the objects concerned have them now, otherwise 0. */
int shmemx_atomics_declare(const char *operations);

/* The provider of an operation of PE pe's memory, one of SHMEMX_PROVIDER_*. operation: put, get, signal
 * (8 bytes that a put with a signal sets); an atomic operation of 4 or 8 bytes, by a name as above without
 * a number; or a collective of ctx's team: barrier, broadcast, fcollect or reduce (the sum of longs), for
 * which pe does not count, and bytes are one member's. object is symmetric, or a null pointer for any that
 * was allocated without a hint. name, of SHMEM_MAX_NAME_LEN bytes or a null pointer, gets the channel in
 * words, with this PE's network devices where they are known, and a collective's algorithm. */
int shmemx_provider(const char *operation, size_t bytes, const void *object, int pe, char *name);
int shmemx_ctx_provider(shmem_ctx_t ctx, const char *operation, size_t bytes, const void *object,
                        int pe, char *name);

/* Measures the operation, by many repetitions, and returns what one takes until it is complete, in
 * nanoseconds: a put, a signal and an atomic operation without a result with a quiet behind them. object,
 * symmetric, of bytes bytes, keeps its content; no other PE may use it meanwhile. For a collective all
 * members of ctx's team make the same call; object then has bytes bytes for the source, and behind them the
 * destination, which is overwritten. barrier takes a null pointer. */
double shmemx_provider_ns(const char *operation, size_t bytes, void *object, int pe);
double shmemx_ctx_provider_ns(shmem_ctx_t ctx, const char *operation, size_t bytes, void *object,
                              int pe);

/* Counters: extensions ========================================================================= */

/* Sets *cntr_value to how many writes ctx has issued since it was created: calls of put, p, iput, ibput,
 * put with signal, signal and of atomic operations that fetch nothing, blocking or not. 0 for
 * SHMEM_CTX_INVALID. Calls of collectives, locks and noncontiguous transfers are not counted.
 *
 * Operations are counted from the start of a program that refers to one of these routines, and from the
 * first call of one where the program finds them by dlsym. Counting makes each operation on a PE of the
 * node about as slow as with SHMEM_DEBUG. */
void shmemx_pcntr_get_issued_write(shmem_ctx_t ctx, uint64_t *cntr_value);

/* The same for reads: calls of get, g, iget, ibget and of atomic operations that fetch. */
void shmemx_pcntr_get_issued_read(shmem_ctx_t ctx, uint64_t *cntr_value);

/* How many of these writes are complete, at the target too. Operations on PEs of the node complete at
 * once; on those of other nodes the call waits for them, as shmem_ctx_quiet does. */
void shmemx_pcntr_get_completed_write(shmem_ctx_t ctx, uint64_t *cntr_value);

/* The same for reads. */
void shmemx_pcntr_get_completed_read(shmem_ctx_t ctx, uint64_t *cntr_value);

/* How many writes of all PEs have changed the calling PE's memory; a PE that sees the count sees their
 * data. From PEs of the node, itself among them, each call counts as one; from other nodes each message
 * does, and each write in a message that several writes share. A large transfer may count as several,
 * and an adapter's own RMA does not count. */
void shmemx_pcntr_get_completed_target(uint64_t *cntr_value);

/* Sets *pcntr to all of these numbers; its two fields called pending count the operations issued. */
void shmemx_pcntr_get_all(shmem_ctx_t ctx, shmemx_pcntr_t *pcntr);

/* Jobs by an identifier ======================================================================== */

/* Makes the identifier of a job in *id, before shmemx_init_uid. The caller must be one of its processes,
 * which find it by the identifier: from here on it listens. The text is printable and without spaces. It
 * holds the job's secret: whoever can read it can join the job. Returns 0, or nonzero after a line that
 * says why. */
int shmemx_get_uniqueid(shmemx_uniqueid_t *id);

/* Brings the library up in place of shmem_init, for size processes that have the same *id: the caller
 * becomes PE number rank. Collective. Other launchers' variables are not looked at. An identifier serves
 * for one job, and a process for one: after shmem_finalize shmem_init begins that job again. Returns 0, or
 * nonzero after a line that says why: an argument is wrong, a process has died before all were
 * connected, or others have not come within SHEAF_RENDEZVOUS_TIMEOUT. */
int shmemx_init_uid(int rank, int size, const shmemx_uniqueid_t *id);

/* The same for a program whose threads call the library as requested says: one of SHMEM_THREAD_SINGLE,
 * _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level that is in force; may be NULL.
 * Returns as shmemx_init_uid does. */
int shmemx_init_uid_thread(int rank, int size, const shmemx_uniqueid_t *id, int requested,
                           int *provided);

/* External heap ================================================================================ */

/* The first half of shmem_init: from here on shmem_my_pe and shmem_n_pes tell this PE's place, and
 * nothing else may be called before shmemx_heap_postinit but shmemx_heap_create. On failure the program
 * ends with a line that says why. */
void shmemx_heap_preinit(void);

/* The same for a program whose threads call the library as requested says: one of SHMEM_THREAD_SINGLE,
 * _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level that shmemx_heap_postinit brings into force;
 * may be NULL. Returns 0, or nonzero on failure. */
int shmemx_heap_preinit_thread(int requested, int *provided);

/* Called between the two halves: size bytes at base are this PE's external heap, memory of device
 * device_index of the runtime device_type (SHMEMX_EXTERNAL_HEAP_ZE, SHMEMX_EXTERNAL_HEAP_CUDA). Not
 * collective; one per PE. It stays the caller's, who frees it after shmem_finalize. It is not symmetric:
 * shmem_ptr and shmem_addr_accessible find nothing there. As a call's own buffer it serves where this
 * processor can read and write it: see docs/do/external-heap.md. */
void shmemx_heap_create(void *base, size_t size, int device_type, int device_index);

/* The second half of shmem_init: makes the symmetric heap and everything else. Collective. On failure the
 * program ends with a line that says why. shmem_finalize matches the two halves together. */
void shmemx_heap_postinit(void);

/* Memory spaces: extensions ==================================================================== */

/* Makes size bytes of symmetric memory on every member of team. kind says what of: "default", the memory
 * that the heap has; "huge", huge pages; "numa:N", pages of NUMA node N; "interleave", of all nodes by
 * turns; "file:PATH", a file PATH.R of the member with rank R, whose content outlives the job;
 * "atomics:network", memory on which the network carries out atomic operations. Addresses in it work in
 * every put, get, atomic operation, collective and in shmem_ptr, between members. All members pass the
 * same kind and size; one creation of a PE at a time. Returns 0 and the handle in *space; or nonzero and
 * SHMEMX_SPACE_INVALID on all members where one of them cannot have it, and that one prints why. Collective
 * over team, which may be destroyed before the space. See docs/do/spaces.md. */
int shmemx_space_create(shmem_team_t team, const char *kind, size_t size, shmemx_space_t *space);

/* Frees the space; its content is lost, except that of files. Completes the default context's
 * operations; those of other contexts must be complete. Collective over the members, begins with a barrier.
 * SHMEMX_SPACE_INVALID does nothing. shmem_finalize destroys what is left. */
void shmemx_space_destroy(shmemx_space_t space);

/* A block of size bytes of the space, at the same offset on every member; not initialized: in a file it
 * is what an earlier job left there. NULL on all members when there is no room, and without a barrier
 * when size is 0. Collective over the members; ends with a barrier. */
void *shmemx_space_malloc(shmemx_space_t space, size_t size);

/* The same for count elements of size bytes, which all members read as zero. */
void *shmemx_space_calloc(shmemx_space_t space, size_t count, size_t size);

/* As shmemx_space_malloc with an alignment in bytes: any power of two up to the space's size, and 2 MiB at
 * least. */
void *shmemx_space_align(shmemx_space_t space, size_t alignment, size_t size);

/* Gives a block back. Collective over the members; begins with a barrier. NULL does nothing. shmem_free
 * does the same. */
void shmemx_space_free(shmemx_space_t space, void *ptr);

/* Snapshots: extensions ======================================================================== */

/* Writes the symmetric memory of team's members, one file each, to the folder dir/tag: static variables,
 * the heap and memory spaces, and which blocks there are. A snapshot of that name is replaced: whatever
 * is killed meanwhile, the old one or the new one is there, complete. dir NULL: SHEAF_SNAPSHOT_DIR. tag:
 * letters, digits and ._- alone. Completes what the members have started. No thread may write symmetric
 * memory meanwhile. Returns 0; or nonzero on all members where one of them could not, and that one
 * prints why. Collective over team, ends with a barrier. See docs/do/survive.md. */
int shmemx_snapshot(shmem_team_t team, const char *dir, const char *tag);

/* Restores symmetric memory from dir/tag, a snapshot of the same program with as many PEs at
 * the same addresses. tag NULL: dir is the snapshot's own folder. dir NULL: the one that oshrun
 * --restart names. Blocks that exist must be blocks of the snapshot; its other blocks are allocated.
 * After shmemx_rejoin blocks that were allocated since the snapshot are gone instead. Teams, contexts
 * and memory spaces must be the same as then. Variables that hold addresses of private memory have the
 * old ones. Returns 0; 1 where dir is NULL and there is nothing to restore; or another value on all
 * members where the snapshot is missing, damaged or does not fit: nothing has changed then, and one of
 * them prints why. Collective over team, begins and ends with a barrier. */
int shmemx_restore(shmem_team_t team, const char *dir, const char *tag);

/* Events and counters of the program: extensions =============================================== */

/* An event of the calling PE begins: a phase of the program, by name, of which the first 63 bytes
 * count. A profile sums up how often and for how long there was one, and a trace shows it. Events
 * of other names may lie within it; of the same name the outermost counts. Does nothing without a
 * tool. May be called between initialization and finalization, by any thread. */
void shmemx_event_begin(const char *name);

/* The event of that name ends. */
void shmemx_event_end(const char *name);

/* A counter of the program has this value now, on the calling PE. A profile has the least, the mean
 * and the most of all values, and a trace the line. */
void shmemx_event_counter(const char *name, double value);

/* For libraries over this one: extensions ====================================================== */

/* Announces the line of the program's source from which the calling thread makes its next call, for
 * interpreters: a module of Python, Julia or Lua. Reports of hangs, of calls that do not fit
 * together and of mistakes then name file:line in place of an address in the module. file: of its path
 * the last part counts, up to 51 bytes. line: from 1. It applies to calls from the shared object that
 * calls this. Reports have it for the PE's last 16 calls that wait, synchronize or allocate; a profile
 * has it for all calls of the thread until the next line is announced. May be called between
 * initialization and finalization, by any thread. */
void shmemx_call_line(const char *file, int line);

/* The calling thread's calls are made for a statement of the program from now on, such as "SYNC
 * IMAGES", until statement is NULL. Reports of hangs name it in place of the call, and reports and
 * errors name the place address, which is the return address of the function that the program
 * called. The text is not copied, and its first 47 bytes count. May be called between
 * initialization and finalization, by any thread. */
void shmemx_call_for(const char *statement, const void *address);

/* A library over this one calls the PEs by a noun and numbers of its own, such as "image", from 1: reports
 * of hangs and of calls that do not fit together then have "PE 2 (image 3)" and "PEs 0-2 (images 1-3)".
 * noun: its first 11 bytes count; "" takes it back. number: the calling PE's. By one thread, between
 * initialization and finalization. */
void shmemx_call_pe(const char *noun, int number);

/* Begins a collective that a library over this one carries out by messages of its own: it is counted
 * among the team's calls, for reports and oshtop. Between shmemx_call_for and its end, whose statement
 * names it (the first 31 bytes). All members count theirs in the same order, also among the team's
 * collectives of OpenSHMEM; the library has to see to it that they match. Any thread, one at a time for
 * a team. Costs some nanoseconds, and waits for nobody. Returns the call's number for shmemx_call_wait;
 * 0 for SHMEM_TEAM_INVALID. */
uint64_t shmemx_call_begin(shmem_team_t team);

/* The calling thread has waited for a while for the other members in the collective with this number of
 * shmemx_call_begin: from now on reports, oshtop and the watch for stalls have this wait, under the name of
 * the statement of shmemx_call_for. May be called again and again; number 0 ends it, once the wait is over
 * or something has moved. Members that have not begun that call are those that the thread waits for. */
void shmemx_call_wait(shmem_team_t team, uint64_t number);

/* Ends the job with one line that names the PE, statement, text and the place of shmemx_call_for,
 * or where the program called the shared object that calls this. id, such as "SH161", is what
 * oshinfo --explain knows; "" where there is none. One line for all PEs of a host that say the same.
 * Between initialization and finalization. Does not return. */
void shmemx_fail(const char *id, const char *statement, const char *text);

/* Settings and counters for tools: extensions ================================================== */

/* Copies the name of the index-th setting or counter of the calling PE to name, cut at size - 1 bytes.
 * index: from 0 on. Returns 0, or -1 behind the last one. */
int shmemx_tool_name(int index, char *name, size_t size);

/* Copies what the setting or counter is for to text, cut at size - 1 bytes. Returns
 * SHMEMX_TOOL_COUNTER, SHMEMX_TOOL_SETTING, SHMEMX_TOOL_WRITABLE for a setting that
 * shmemx_tool_write() takes, or -1 where there is none of that name. */
int shmemx_tool_describe(const char *name, char *text, size_t size);

/* Copies the value that the setting or counter has on the calling PE now to value, cut at size - 1
 * bytes; a counter's in decimal. Costs a look at memory: nothing is counted for it. Returns 0, or -1
 * where there is none of that name. */
int shmemx_tool_read(const char *name, char *value, size_t size);

/* Gives a setting another value on the calling PE, as its variable would have at the start. An algorithm
 * of a collective must be the same on all PEs at their next collective: all write it, while none is in a
 * collective. A new algorithm of barriers applies to teams that are made from then on. SHEAF_PACE
 * changes the constants that it names. Returns 0, or -1 after a line that says why: the value cannot be
 * read, or the setting may not change. */
int shmemx_tool_write(const char *name, const char *value);

#ifdef __cplusplus
}
#endif

/* The profiling interface of the extensions. */

#ifdef __cplusplus
extern "C" {
#endif

/* Set-up, exit and queries ===================================================================== */

void *pshmemx_owner_address(const void *dest, int pe);

void *pshmemx_local_address(const void *address, int pe);

/* Memory management ============================================================================ */

void *pshmemx_team_malloc(shmem_team_t team, size_t size);

void *pshmemx_team_calloc(shmem_team_t team, size_t count, size_t size);

void pshmemx_team_free(shmem_team_t team, void *ptr);

/* Teams ======================================================================================== */

int pshmemx_team_from_pes(shmem_team_t parent_team, const int *pes, int npes,
                          const shmem_team_config_t *config, long config_mask,
                          shmem_team_t *new_team);

int pshmemx_team_exchange(shmem_team_t team, const void *mine, size_t bytes, void *all);

/* Noncontiguous remote memory access: extensions =============================================== */

void pshmemx_putmem_strided(void *dest, const void *source, const ptrdiff_t *dest_strides,
                            const ptrdiff_t *source_strides, const size_t *counts, int dims,
                            int pe);
void pshmemx_ctx_putmem_strided(shmem_ctx_t ctx, void *dest, const void *source,
                                const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                const size_t *counts, int dims, int pe);

void pshmemx_putmem_strided_nb(void *dest, const void *source, const ptrdiff_t *dest_strides,
                               const ptrdiff_t *source_strides, const size_t *counts, int dims,
                               int pe, shmemx_handle_t *handle);
void pshmemx_ctx_putmem_strided_nb(shmem_ctx_t ctx, void *dest, const void *source,
                                   const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                   const size_t *counts, int dims, int pe, shmemx_handle_t *handle);

void pshmemx_getmem_strided(void *dest, const void *source, const ptrdiff_t *dest_strides,
                            const ptrdiff_t *source_strides, const size_t *counts, int dims,
                            int pe);
void pshmemx_ctx_getmem_strided(shmem_ctx_t ctx, void *dest, const void *source,
                                const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                const size_t *counts, int dims, int pe);

void pshmemx_getmem_strided_nb(void *dest, const void *source, const ptrdiff_t *dest_strides,
                               const ptrdiff_t *source_strides, const size_t *counts, int dims,
                               int pe, shmemx_handle_t *handle);
void pshmemx_ctx_getmem_strided_nb(shmem_ctx_t ctx, void *dest, const void *source,
                                   const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                   const size_t *counts, int dims, int pe, shmemx_handle_t *handle);

void pshmemx_putmem_vector(const shmemx_vector_t *vectors, size_t nvectors, int pe);
void pshmemx_ctx_putmem_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                               int pe);

void pshmemx_putmem_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int pe,
                              shmemx_handle_t *handle);
void pshmemx_ctx_putmem_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                                  int pe, shmemx_handle_t *handle);

void pshmemx_getmem_vector(const shmemx_vector_t *vectors, size_t nvectors, int pe);
void pshmemx_ctx_getmem_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                               int pe);

void pshmemx_getmem_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int pe,
                              shmemx_handle_t *handle);
void pshmemx_ctx_getmem_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors, size_t nvectors,
                                  int pe, shmemx_handle_t *handle);

int pshmemx_test(shmemx_handle_t *handle);

void pshmemx_wait(shmemx_handle_t *handle);

/* Accumulate: extensions ======================================================================= */

void pshmemx_int_accumulate(int *dest, const int *source, int alpha, size_t nelems, int pe);
void pshmemx_long_accumulate(long *dest, const long *source, long alpha, size_t nelems, int pe);
void pshmemx_float_accumulate(float *dest, const float *source, float alpha, size_t nelems, int pe);
void pshmemx_double_accumulate(double *dest, const double *source, double alpha, size_t nelems,
                               int pe);
void pshmemx_complexf_accumulate(sheaf_complexf *dest, const sheaf_complexf *source,
                                 sheaf_complexf alpha, size_t nelems, int pe);
void pshmemx_complexd_accumulate(sheaf_complexd *dest, const sheaf_complexd *source,
                                 sheaf_complexd alpha, size_t nelems, int pe);
void pshmemx_ctx_int_accumulate(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                size_t nelems, int pe);
void pshmemx_ctx_long_accumulate(shmem_ctx_t ctx, long *dest, const long *source, long alpha,
                                 size_t nelems, int pe);
void pshmemx_ctx_float_accumulate(shmem_ctx_t ctx, float *dest, const float *source, float alpha,
                                  size_t nelems, int pe);
void pshmemx_ctx_double_accumulate(shmem_ctx_t ctx, double *dest, const double *source,
                                   double alpha, size_t nelems, int pe);
void pshmemx_ctx_complexf_accumulate(shmem_ctx_t ctx, sheaf_complexf *dest,
                                     const sheaf_complexf *source, sheaf_complexf alpha,
                                     size_t nelems, int pe);
void pshmemx_ctx_complexd_accumulate(shmem_ctx_t ctx, sheaf_complexd *dest,
                                     const sheaf_complexd *source, sheaf_complexd alpha,
                                     size_t nelems, int pe);

void pshmemx_int_accumulate_nb(int *dest, const int *source, int alpha, size_t nelems, int pe,
                               shmemx_handle_t *handle);
void pshmemx_long_accumulate_nb(long *dest, const long *source, long alpha, size_t nelems, int pe,
                                shmemx_handle_t *handle);
void pshmemx_float_accumulate_nb(float *dest, const float *source, float alpha, size_t nelems,
                                 int pe, shmemx_handle_t *handle);
void pshmemx_double_accumulate_nb(double *dest, const double *source, double alpha, size_t nelems,
                                  int pe, shmemx_handle_t *handle);
void pshmemx_complexf_accumulate_nb(sheaf_complexf *dest, const sheaf_complexf *source,
                                    sheaf_complexf alpha, size_t nelems, int pe,
                                    shmemx_handle_t *handle);
void pshmemx_complexd_accumulate_nb(sheaf_complexd *dest, const sheaf_complexd *source,
                                    sheaf_complexd alpha, size_t nelems, int pe,
                                    shmemx_handle_t *handle);
void pshmemx_ctx_int_accumulate_nb(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                   size_t nelems, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_long_accumulate_nb(shmem_ctx_t ctx, long *dest, const long *source, long alpha,
                                    size_t nelems, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_float_accumulate_nb(shmem_ctx_t ctx, float *dest, const float *source, float alpha,
                                     size_t nelems, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_double_accumulate_nb(shmem_ctx_t ctx, double *dest, const double *source,
                                      double alpha, size_t nelems, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_complexf_accumulate_nb(shmem_ctx_t ctx, sheaf_complexf *dest,
                                        const sheaf_complexf *source, sheaf_complexf alpha,
                                        size_t nelems, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_complexd_accumulate_nb(shmem_ctx_t ctx, sheaf_complexd *dest,
                                        const sheaf_complexd *source, sheaf_complexd alpha,
                                        size_t nelems, int pe, shmemx_handle_t *handle);

void pshmemx_int_accumulate_strided(int *dest, const int *source, int alpha,
                                    const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                    const size_t *counts, int dims, int pe);
void pshmemx_long_accumulate_strided(long *dest, const long *source, long alpha,
                                     const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,
                                     const size_t *counts, int dims, int pe);
void pshmemx_float_accumulate_strided(float *dest, const float *source, float alpha,
                                      const ptrdiff_t *dest_strides,
                                      const ptrdiff_t *source_strides, const size_t *counts,
                                      int dims, int pe);
void pshmemx_double_accumulate_strided(double *dest, const double *source, double alpha,
                                       const ptrdiff_t *dest_strides,
                                       const ptrdiff_t *source_strides, const size_t *counts,
                                       int dims, int pe);
void pshmemx_complexf_accumulate_strided(sheaf_complexf *dest, const sheaf_complexf *source,
                                         sheaf_complexf alpha, const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe);
void pshmemx_complexd_accumulate_strided(sheaf_complexd *dest, const sheaf_complexd *source,
                                         sheaf_complexd alpha, const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe);
void pshmemx_ctx_int_accumulate_strided(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                        const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe);
void pshmemx_ctx_long_accumulate_strided(shmem_ctx_t ctx, long *dest, const long *source,
                                         long alpha, const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe);
void pshmemx_ctx_float_accumulate_strided(shmem_ctx_t ctx, float *dest, const float *source,
                                          float alpha, const ptrdiff_t *dest_strides,
                                          const ptrdiff_t *source_strides, const size_t *counts,
                                          int dims, int pe);
void pshmemx_ctx_double_accumulate_strided(shmem_ctx_t ctx, double *dest, const double *source,
                                           double alpha, const ptrdiff_t *dest_strides,
                                           const ptrdiff_t *source_strides, const size_t *counts,
                                           int dims, int pe);
void pshmemx_ctx_complexf_accumulate_strided(shmem_ctx_t ctx, sheaf_complexf *dest,
                                             const sheaf_complexf *source, sheaf_complexf alpha,
                                             const ptrdiff_t *dest_strides,
                                             const ptrdiff_t *source_strides, const size_t *counts,
                                             int dims, int pe);
void pshmemx_ctx_complexd_accumulate_strided(shmem_ctx_t ctx, sheaf_complexd *dest,
                                             const sheaf_complexd *source, sheaf_complexd alpha,
                                             const ptrdiff_t *dest_strides,
                                             const ptrdiff_t *source_strides, const size_t *counts,
                                             int dims, int pe);

void pshmemx_int_accumulate_strided_nb(int *dest, const int *source, int alpha,
                                       const ptrdiff_t *dest_strides,
                                       const ptrdiff_t *source_strides, const size_t *counts,
                                       int dims, int pe, shmemx_handle_t *handle);
void pshmemx_long_accumulate_strided_nb(long *dest, const long *source, long alpha,
                                        const ptrdiff_t *dest_strides,
                                        const ptrdiff_t *source_strides, const size_t *counts,
                                        int dims, int pe, shmemx_handle_t *handle);
void pshmemx_float_accumulate_strided_nb(float *dest, const float *source, float alpha,
                                         const ptrdiff_t *dest_strides,
                                         const ptrdiff_t *source_strides, const size_t *counts,
                                         int dims, int pe, shmemx_handle_t *handle);
void pshmemx_double_accumulate_strided_nb(double *dest, const double *source, double alpha,
                                          const ptrdiff_t *dest_strides,
                                          const ptrdiff_t *source_strides, const size_t *counts,
                                          int dims, int pe, shmemx_handle_t *handle);
void pshmemx_complexf_accumulate_strided_nb(sheaf_complexf *dest, const sheaf_complexf *source,
                                            sheaf_complexf alpha, const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe, shmemx_handle_t *handle);
void pshmemx_complexd_accumulate_strided_nb(sheaf_complexd *dest, const sheaf_complexd *source,
                                            sheaf_complexd alpha, const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_int_accumulate_strided_nb(shmem_ctx_t ctx, int *dest, const int *source, int alpha,
                                           const ptrdiff_t *dest_strides,
                                           const ptrdiff_t *source_strides, const size_t *counts,
                                           int dims, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_long_accumulate_strided_nb(shmem_ctx_t ctx, long *dest, const long *source,
                                            long alpha, const ptrdiff_t *dest_strides,
                                            const ptrdiff_t *source_strides, const size_t *counts,
                                            int dims, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_float_accumulate_strided_nb(shmem_ctx_t ctx, float *dest, const float *source,
                                             float alpha, const ptrdiff_t *dest_strides,
                                             const ptrdiff_t *source_strides, const size_t *counts,
                                             int dims, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_double_accumulate_strided_nb(shmem_ctx_t ctx, double *dest, const double *source,
                                              double alpha, const ptrdiff_t *dest_strides,
                                              const ptrdiff_t *source_strides, const size_t *counts,
                                              int dims, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_complexf_accumulate_strided_nb(shmem_ctx_t ctx, sheaf_complexf *dest,
                                                const sheaf_complexf *source, sheaf_complexf alpha,
                                                const ptrdiff_t *dest_strides,
                                                const ptrdiff_t *source_strides,
                                                const size_t *counts, int dims, int pe,
                                                shmemx_handle_t *handle);
void pshmemx_ctx_complexd_accumulate_strided_nb(shmem_ctx_t ctx, sheaf_complexd *dest,
                                                const sheaf_complexd *source, sheaf_complexd alpha,
                                                const ptrdiff_t *dest_strides,
                                                const ptrdiff_t *source_strides,
                                                const size_t *counts, int dims, int pe,
                                                shmemx_handle_t *handle);

void pshmemx_int_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, int alpha,
                                   int pe);
void pshmemx_long_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, long alpha,
                                    int pe);
void pshmemx_float_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, float alpha,
                                     int pe);
void pshmemx_double_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors, double alpha,
                                      int pe);
void pshmemx_complexf_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors,
                                        sheaf_complexf alpha, int pe);
void pshmemx_complexd_accumulate_vector(const shmemx_vector_t *vectors, size_t nvectors,
                                        sheaf_complexd alpha, int pe);
void pshmemx_ctx_int_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                       size_t nvectors, int alpha, int pe);
void pshmemx_ctx_long_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                        size_t nvectors, long alpha, int pe);
void pshmemx_ctx_float_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                         size_t nvectors, float alpha, int pe);
void pshmemx_ctx_double_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                          size_t nvectors, double alpha, int pe);
void pshmemx_ctx_complexf_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                            size_t nvectors, sheaf_complexf alpha, int pe);
void pshmemx_ctx_complexd_accumulate_vector(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                            size_t nvectors, sheaf_complexd alpha, int pe);

void pshmemx_int_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, int alpha,
                                      int pe, shmemx_handle_t *handle);
void pshmemx_long_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors, long alpha,
                                       int pe, shmemx_handle_t *handle);
void pshmemx_float_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                        float alpha, int pe, shmemx_handle_t *handle);
void pshmemx_double_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                         double alpha, int pe, shmemx_handle_t *handle);
void pshmemx_complexf_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                           sheaf_complexf alpha, int pe, shmemx_handle_t *handle);
void pshmemx_complexd_accumulate_vector_nb(const shmemx_vector_t *vectors, size_t nvectors,
                                           sheaf_complexd alpha, int pe, shmemx_handle_t *handle);
void pshmemx_ctx_int_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                          size_t nvectors, int alpha, int pe,
                                          shmemx_handle_t *handle);
void pshmemx_ctx_long_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                           size_t nvectors, long alpha, int pe,
                                           shmemx_handle_t *handle);
void pshmemx_ctx_float_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                            size_t nvectors, float alpha, int pe,
                                            shmemx_handle_t *handle);
void pshmemx_ctx_double_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                             size_t nvectors, double alpha, int pe,
                                             shmemx_handle_t *handle);
void pshmemx_ctx_complexf_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                               size_t nvectors, sheaf_complexf alpha, int pe,
                                               shmemx_handle_t *handle);
void pshmemx_ctx_complexd_accumulate_vector_nb(shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                                               size_t nvectors, sheaf_complexd alpha, int pe,
                                               shmemx_handle_t *handle);

/* Providers of operations: extensions ========================================================== */

int pshmemx_atomics_declare(const char *operations);

int pshmemx_provider(const char *operation, size_t bytes, const void *object, int pe, char *name);
int pshmemx_ctx_provider(shmem_ctx_t ctx, const char *operation, size_t bytes, const void *object,
                         int pe, char *name);

double pshmemx_provider_ns(const char *operation, size_t bytes, void *object, int pe);
double pshmemx_ctx_provider_ns(shmem_ctx_t ctx, const char *operation, size_t bytes, void *object,
                               int pe);

/* Counters: extensions ========================================================================= */

void pshmemx_pcntr_get_issued_write(shmem_ctx_t ctx, uint64_t *cntr_value);

void pshmemx_pcntr_get_issued_read(shmem_ctx_t ctx, uint64_t *cntr_value);

void pshmemx_pcntr_get_completed_write(shmem_ctx_t ctx, uint64_t *cntr_value);

void pshmemx_pcntr_get_completed_read(shmem_ctx_t ctx, uint64_t *cntr_value);

void pshmemx_pcntr_get_completed_target(uint64_t *cntr_value);

void pshmemx_pcntr_get_all(shmem_ctx_t ctx, shmemx_pcntr_t *pcntr);

/* Jobs by an identifier ======================================================================== */

int pshmemx_get_uniqueid(shmemx_uniqueid_t *id);

int pshmemx_init_uid(int rank, int size, const shmemx_uniqueid_t *id);

int pshmemx_init_uid_thread(int rank, int size, const shmemx_uniqueid_t *id, int requested,
                            int *provided);

/* External heap ================================================================================ */

void pshmemx_heap_preinit(void);

int pshmemx_heap_preinit_thread(int requested, int *provided);

void pshmemx_heap_create(void *base, size_t size, int device_type, int device_index);

void pshmemx_heap_postinit(void);

/* Memory spaces: extensions ==================================================================== */

int pshmemx_space_create(shmem_team_t team, const char *kind, size_t size, shmemx_space_t *space);

void pshmemx_space_destroy(shmemx_space_t space);

void *pshmemx_space_malloc(shmemx_space_t space, size_t size);

void *pshmemx_space_calloc(shmemx_space_t space, size_t count, size_t size);

void *pshmemx_space_align(shmemx_space_t space, size_t alignment, size_t size);

void pshmemx_space_free(shmemx_space_t space, void *ptr);

/* Snapshots: extensions ======================================================================== */

int pshmemx_snapshot(shmem_team_t team, const char *dir, const char *tag);

int pshmemx_restore(shmem_team_t team, const char *dir, const char *tag);

/* Events and counters of the program: extensions =============================================== */

void pshmemx_event_begin(const char *name);

void pshmemx_event_end(const char *name);

void pshmemx_event_counter(const char *name, double value);

/* For libraries over this one: extensions ====================================================== */

void pshmemx_call_line(const char *file, int line);

void pshmemx_call_for(const char *statement, const void *address);

void pshmemx_call_pe(const char *noun, int number);

uint64_t pshmemx_call_begin(shmem_team_t team);

void pshmemx_call_wait(shmem_team_t team, uint64_t number);

void pshmemx_fail(const char *id, const char *statement, const char *text);

/* Settings and counters for tools: extensions ================================================== */

int pshmemx_tool_name(int index, char *name, size_t size);

int pshmemx_tool_describe(const char *name, char *text, size_t size);

int pshmemx_tool_read(const char *name, char *value, size_t size);

int pshmemx_tool_write(const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
