/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM 1.6, by Sheaf. A symmetric address is the caller's own address of an object that every
 * PE has: a global or static variable of the executable, or a block of the symmetric heap. Counts
 * are in elements of the routine's type unless they say bytes. PE numbers count in the team of the
 * context or team given, else in the world. A PE number that is none, or a call before shmem_init,
 * ends the program with a line that names the call.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_SHMEM_H
#define SHEAF_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

/* Constants and types, the same in shmem.h and pshmem.h. */
#ifndef SHEAF_PUBLIC_TYPES
#define SHEAF_PUBLIC_TYPES

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

/* The same by the names of specifications before 1.3. */
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

#if defined(__cplusplus) && __cplusplus >= 201103L
#define sheaf_noreturn [[noreturn]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define sheaf_noreturn _Noreturn
#elif defined(__GNUC__)
#define sheaf_noreturn __attribute__((__noreturn__))
#else
#define sheaf_noreturn
#endif

#endif

/* A call of a deprecated routine is warned of where it is compiled, with what replaces it;
 * SHMEM_NO_DEPRECATED turns that off. */
#if defined(__GNUC__) && !defined(SHMEM_NO_DEPRECATED)
#define sheaf_deprecated(text) __attribute__((__deprecated__(text)))
#else
#define sheaf_deprecated(text)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Set-up, exit and queries ===================================================================== */

/* Brings the library up. Collective. Calls are counted: the first initializes, each needs its
 * shmem_finalize. On failure the program ends with a line that says why.
 * Specification 1.6: shmem_init */
void shmem_init(void);

/* Takes the library down with the last call that matches an initialization: completes all
 * communication with a barrier, then frees user teams, contexts and the symmetric heap. Earlier
 * calls are a barrier. Collective. The library may be initialized again afterwards. A call after
 * the last one does nothing.
 * Specification 1.6: shmem_finalize */
void shmem_finalize(void);

/* Sets *initialized to 1 between the first initialization and the last finalization, otherwise to 0.
 * May be called at any time, from any thread.
 * Specification 1.6: shmem_query_initialized */
void shmem_query_initialized(int *initialized);

/* Ends the whole job; one PE suffices. status becomes the job's exit status; standard streams
 * are flushed. Does not return.
 * Specification 1.6: shmem_global_exit */
sheaf_noreturn void shmem_global_exit(int status);

/* Number of the calling PE in the world, from 0.
 * Specification 1.6: shmem_my_pe */
int shmem_my_pe(void);

/* Number of PEs in the world.
 * Specification 1.6: shmem_n_pes */
int shmem_n_pes(void);

/* 1 when pe is a PE that communication can reach, 0 when it is not.
 * Specification 1.6: shmem_pe_accessible */
int shmem_pe_accessible(int pe);

/* 1 when addr, a local address, is symmetric and pe's copy can be reached, 0 when it is not.
 * Specification 1.6: shmem_addr_accessible */
int shmem_addr_accessible(const void *addr, int pe);

/* Address at which loads and stores reach PE pe's copy of the symmetric object dest; NULL when
 * there is none. The result is not a symmetric address.
 * Specification 1.6: shmem_ptr */
void *shmem_ptr(const void *dest, int pe);

/* The same with a PE number of team; NULL for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_ptr */
void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe);

/* Version of the specification: SHMEM_MAJOR_VERSION and SHMEM_MINOR_VERSION.
 * Specification 1.6: shmem_info_get_version */
void shmem_info_get_version(int *major, int *minor);

/* Copies SHMEM_VENDOR_STRING to name, which holds SHMEM_MAX_NAME_LEN bytes.
 * Specification 1.6: shmem_info_get_name */
void shmem_info_get_name(char *name);

/* For profiling tools, which replace it; here it does nothing.
 * Specification 1.6: shmem_pcontrol */
void shmem_pcontrol(int level, ...);

/* Threads ====================================================================================== */

/* As shmem_init, for a program whose threads call the library as requested says: one of
 * SHMEM_THREAD_SINGLE, _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level in force.
 * Returns 0, or nonzero on failure.
 * Specification 1.6: shmem_init_thread */
int shmem_init_thread(int requested, int *provided);

/* Sets *provided to the thread level in force.
 * Specification 1.6: shmem_query_thread */
void shmem_query_thread(int *provided);

/* Memory management ============================================================================ */

/* A block of size bytes of the symmetric heap, aligned for any type. Collective over the world:
 * all PEs pass the same size. Ends with a barrier. NULL without a barrier when size is 0; NULL
 * on all PEs when the memory does not suffice.
 * Specification 1.6: shmem_malloc */
void *shmem_malloc(size_t size);

/* Gives a block back. Collective; begins with a barrier. NULL does nothing at all.
 * Specification 1.6: shmem_free */
void shmem_free(void *ptr);

/* A block of size bytes with the contents of ptr as far as they fit. NULL as ptr is
 * shmem_malloc, 0 as size is shmem_free. On failure all PEs get NULL and keep the old block.
 * Collective. Specification 1.6: shmem_realloc */
void *shmem_realloc(void *ptr, size_t size);

/* As shmem_malloc with an alignment in bytes: any power of two up to the heap's size. NULL on all PEs
 * where it is none.
 * Specification 1.6: shmem_align */
void *shmem_align(size_t alignment, size_t size);

/* As shmem_malloc; hints says how the block will be used: 0, or SHMEM_MALLOC_ATOMICS_REMOTE and
 * SHMEM_MALLOC_SIGNAL_REMOTE joined by |.
 * Specification 1.6: shmem_malloc_with_hints */
void *shmem_malloc_with_hints(size_t size, long hints);

/* A zeroed block of count elements of size bytes. NULL without a barrier when either is 0.
 * Collective; ends with a barrier, after which all PEs read zeros.
 * Specification 1.6: shmem_calloc */
void *shmem_calloc(size_t count, size_t size);

/* Teams ======================================================================================== */

/* Number of the calling PE in team; -1 for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_my_pe */
int shmem_team_my_pe(shmem_team_t team);

/* Number of PEs in team; -1 for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_n_pes */
int shmem_team_n_pes(shmem_team_t team);

/* Writes the fields of the team's configuration that config_mask names (SHMEM_TEAM_NUM_CONTEXTS)
 * to *config, which may be NULL when the mask is 0. Returns 0; nonzero, and writes nothing, for
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_get_config */
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config);

/* The number in dest_team of PE src_pe of src_team; -1 when it is not in both or when a team is
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_translate_pe */
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);

/* Makes a team of the size PEs start, start + stride, ... of parent_team. Collective over the
 * parent. stride may be negative; 0 only when size is 1. config and config_mask configure the
 * team; config may be NULL when the mask is 0. Returns 0, also on PEs left out, whose *new_team
 * is SHMEM_TEAM_INVALID; on failure nonzero on all PEs.
 * Specification 1.6: shmem_team_split_strided */
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t *config, long config_mask,
                             shmem_team_t *new_team);

/* Lays the PEs of parent_team out in rows of xrange and makes a team of each row and of each
 * column; *xaxis_team and *yaxis_team are the caller's. The last row may be shorter. Collective
 * over the parent. Returns 0; on failure nonzero and SHMEM_TEAM_INVALID twice on all PEs.
 * Specification 1.6: shmem_team_split_2d */
int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t *xaxis_config, long xaxis_mask,
                        shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
                        long yaxis_mask, shmem_team_t *yaxis_team);

/* Frees a team and the contexts created on it. Collective over the team. SHMEM_TEAM_INVALID
 * does nothing; the predefined teams may not be destroyed.
 * Specification 1.6: shmem_team_destroy */
void shmem_team_destroy(shmem_team_t team);

/* Communication contexts and sessions ========================================================== */

/* Creates a context over all PEs. options joins SHMEM_CTX_PRIVATE, _SERIALIZED, _NOSTORE and
 * SHMEMX_CTX_BATCH by |, or is 0. Not collective. Returns 0; nonzero, and SHMEM_CTX_INVALID in *ctx, on
 * failure. Specification 1.6: shmem_ctx_create */
int shmem_ctx_create(long options, shmem_ctx_t *ctx);

/* The same over a team: PE numbers given with the context count in it. Fails for
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_create_ctx */
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);

/* Completes a context's operations and frees it. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_ctx_destroy */
void shmem_ctx_destroy(shmem_ctx_t ctx);

/* Sets *team to the team of ctx. Returns 0; nonzero, and SHMEM_TEAM_INVALID, for
 * SHMEM_CTX_INVALID. Specification 1.6: shmem_ctx_get_team */
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);

/* Says what comes next on ctx: options may be SHMEM_CTX_SESSION_BATCH, with which small operations on PEs
 * of other hosts wait until several travel together; config_mask names the fields of *config that count.
 * A second start adds its options. It never changes completion or ordering.
 * SHMEM_CTX_INVALID does nothing. Specification 1.6: shmem_ctx_session_start */
void shmem_ctx_session_start(shmem_ctx_t ctx, long options,
                             const shmem_ctx_session_config_t *config, long config_mask);

/* Ends the session, and sends what waits; completes nothing. Without a session it does nothing.
 * Specification 1.6: shmem_ctx_session_stop */
void shmem_ctx_session_stop(shmem_ctx_t ctx);

/* Remote memory access ========================================================================= */

/* Copies nelems elements from source, local, to dest, symmetric, on PE pe. source may be reused
 * on return; the target has the data after shmem_quiet.
 * Specification 1.6: shmem_put */
void shmem_float_put(float *dest, const float *source, size_t nelems, int pe);
void shmem_double_put(double *dest, const double *source, size_t nelems, int pe);
void shmem_longdouble_put(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_char_put(char *dest, const char *source, size_t nelems, int pe);
void shmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe);
void shmem_short_put(short *dest, const short *source, size_t nelems, int pe);
void shmem_int_put(int *dest, const int *source, size_t nelems, int pe);
void shmem_long_put(long *dest, const long *source, size_t nelems, int pe);
void shmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe);
void shmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
void shmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
void shmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
void shmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
void shmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems,
                         int pe);
void shmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe);
void shmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe);
void shmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
void shmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
void shmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
void shmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
void shmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
void shmem_ctx_double_put(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems,
                          int pe);
void shmem_ctx_longdouble_put(shmem_ctx_t ctx, long double *dest, const long double *source,
                              size_t nelems, int pe);
void shmem_ctx_char_put(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
void shmem_ctx_schar_put(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                         size_t nelems, int pe);
void shmem_ctx_short_put(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
void shmem_ctx_int_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_longlong_put(shmem_ctx_t ctx, long long *dest, const long long *source,
                            size_t nelems, int pe);
void shmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                         size_t nelems, int pe);
void shmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                          size_t nelems, int pe);
void shmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                        size_t nelems, int pe);
void shmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                         size_t nelems, int pe);
void shmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long *dest,
                             const unsigned long long *source, size_t nelems, int pe);
void shmem_ctx_int8_put(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_ctx_int16_put(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems,
                         int pe);
void shmem_ctx_int32_put(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems,
                         int pe);
void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems,
                         int pe);
void shmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems,
                         int pe);
void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems,
                          int pe);
void shmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems,
                          int pe);
void shmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems,
                          int pe);
void shmem_ctx_size_put(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems,
                           int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put */
void shmem_put8(void *dest, const void *source, size_t nelems, int pe);
void shmem_put16(void *dest, const void *source, size_t nelems, int pe);
void shmem_put32(void *dest, const void *source, size_t nelems, int pe);
void shmem_put64(void *dest, const void *source, size_t nelems, int pe);
void shmem_put128(void *dest, const void *source, size_t nelems, int pe);
void shmem_putmem(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

/* Stores value in dest, symmetric, on PE pe. The target has it after shmem_quiet.
 * Specification 1.6: shmem_p */
void shmem_float_p(float *dest, float value, int pe);
void shmem_double_p(double *dest, double value, int pe);
void shmem_longdouble_p(long double *dest, long double value, int pe);
void shmem_char_p(char *dest, char value, int pe);
void shmem_schar_p(signed char *dest, signed char value, int pe);
void shmem_short_p(short *dest, short value, int pe);
void shmem_int_p(int *dest, int value, int pe);
void shmem_long_p(long *dest, long value, int pe);
void shmem_longlong_p(long long *dest, long long value, int pe);
void shmem_uchar_p(unsigned char *dest, unsigned char value, int pe);
void shmem_ushort_p(unsigned short *dest, unsigned short value, int pe);
void shmem_uint_p(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_p(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int8_p(int8_t *dest, int8_t value, int pe);
void shmem_int16_p(int16_t *dest, int16_t value, int pe);
void shmem_int32_p(int32_t *dest, int32_t value, int pe);
void shmem_int64_p(int64_t *dest, int64_t value, int pe);
void shmem_uint8_p(uint8_t *dest, uint8_t value, int pe);
void shmem_uint16_p(uint16_t *dest, uint16_t value, int pe);
void shmem_uint32_p(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe);
void shmem_size_p(size_t *dest, size_t value, int pe);
void shmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe);
void shmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe);
void shmem_ctx_double_p(shmem_ctx_t ctx, double *dest, double value, int pe);
void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double *dest, long double value, int pe);
void shmem_ctx_char_p(shmem_ctx_t ctx, char *dest, char value, int pe);
void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char *dest, signed char value, int pe);
void shmem_ctx_short_p(shmem_ctx_t ctx, short *dest, short value, int pe);
void shmem_ctx_int_p(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_p(shmem_ctx_t ctx, long long *dest, long long value, int pe);
void shmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe);
void shmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe);
void shmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value,
                           int pe);
void shmem_ctx_int8_p(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe);
void shmem_ctx_int16_p(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe);
void shmem_ctx_int32_p(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe);
void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe);
void shmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_size_p(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
void shmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);

/* Copies nelems elements from source, symmetric, on PE pe to dest, local. dest is complete on
 * return. Specification 1.6: shmem_get */
void shmem_float_get(float *dest, const float *source, size_t nelems, int pe);
void shmem_double_get(double *dest, const double *source, size_t nelems, int pe);
void shmem_longdouble_get(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_char_get(char *dest, const char *source, size_t nelems, int pe);
void shmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe);
void shmem_short_get(short *dest, const short *source, size_t nelems, int pe);
void shmem_int_get(int *dest, const int *source, size_t nelems, int pe);
void shmem_long_get(long *dest, const long *source, size_t nelems, int pe);
void shmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe);
void shmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
void shmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
void shmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
void shmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
void shmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems,
                         int pe);
void shmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe);
void shmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe);
void shmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
void shmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
void shmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
void shmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
void shmem_ctx_float_get(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
void shmem_ctx_double_get(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems,
                          int pe);
void shmem_ctx_longdouble_get(shmem_ctx_t ctx, long double *dest, const long double *source,
                              size_t nelems, int pe);
void shmem_ctx_char_get(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
void shmem_ctx_schar_get(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                         size_t nelems, int pe);
void shmem_ctx_short_get(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
void shmem_ctx_int_get(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
void shmem_ctx_long_get(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_longlong_get(shmem_ctx_t ctx, long long *dest, const long long *source,
                            size_t nelems, int pe);
void shmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                         size_t nelems, int pe);
void shmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                          size_t nelems, int pe);
void shmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                        size_t nelems, int pe);
void shmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                         size_t nelems, int pe);
void shmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long *dest,
                             const unsigned long long *source, size_t nelems, int pe);
void shmem_ctx_int8_get(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_ctx_int16_get(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems,
                         int pe);
void shmem_ctx_int32_get(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems,
                         int pe);
void shmem_ctx_int64_get(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems,
                         int pe);
void shmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems,
                         int pe);
void shmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems,
                          int pe);
void shmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems,
                          int pe);
void shmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems,
                          int pe);
void shmem_ctx_size_get(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems,
                           int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_get */
void shmem_get8(void *dest, const void *source, size_t nelems, int pe);
void shmem_get16(void *dest, const void *source, size_t nelems, int pe);
void shmem_get32(void *dest, const void *source, size_t nelems, int pe);
void shmem_get64(void *dest, const void *source, size_t nelems, int pe);
void shmem_get128(void *dest, const void *source, size_t nelems, int pe);
void shmem_getmem(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_getmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

/* Returns the value of source, symmetric, on PE pe.
 * Specification 1.6: shmem_g */
float shmem_float_g(const float *source, int pe);
double shmem_double_g(const double *source, int pe);
long double shmem_longdouble_g(const long double *source, int pe);
char shmem_char_g(const char *source, int pe);
signed char shmem_schar_g(const signed char *source, int pe);
short shmem_short_g(const short *source, int pe);
int shmem_int_g(const int *source, int pe);
long shmem_long_g(const long *source, int pe);
long long shmem_longlong_g(const long long *source, int pe);
unsigned char shmem_uchar_g(const unsigned char *source, int pe);
unsigned short shmem_ushort_g(const unsigned short *source, int pe);
unsigned int shmem_uint_g(const unsigned int *source, int pe);
unsigned long shmem_ulong_g(const unsigned long *source, int pe);
unsigned long long shmem_ulonglong_g(const unsigned long long *source, int pe);
int8_t shmem_int8_g(const int8_t *source, int pe);
int16_t shmem_int16_g(const int16_t *source, int pe);
int32_t shmem_int32_g(const int32_t *source, int pe);
int64_t shmem_int64_g(const int64_t *source, int pe);
uint8_t shmem_uint8_g(const uint8_t *source, int pe);
uint16_t shmem_uint16_g(const uint16_t *source, int pe);
uint32_t shmem_uint32_g(const uint32_t *source, int pe);
uint64_t shmem_uint64_g(const uint64_t *source, int pe);
size_t shmem_size_g(const size_t *source, int pe);
ptrdiff_t shmem_ptrdiff_g(const ptrdiff_t *source, int pe);
float shmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe);
double shmem_ctx_double_g(shmem_ctx_t ctx, const double *source, int pe);
long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double *source, int pe);
char shmem_ctx_char_g(shmem_ctx_t ctx, const char *source, int pe);
signed char shmem_ctx_schar_g(shmem_ctx_t ctx, const signed char *source, int pe);
short shmem_ctx_short_g(shmem_ctx_t ctx, const short *source, int pe);
int shmem_ctx_int_g(shmem_ctx_t ctx, const int *source, int pe);
long shmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe);
long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long *source, int pe);
unsigned char shmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char *source, int pe);
unsigned short shmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short *source, int pe);
unsigned int shmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int *source, int pe);
unsigned long shmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long *source, int pe);
unsigned long long shmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long *source, int pe);
int8_t shmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t *source, int pe);
int16_t shmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t *source, int pe);
int32_t shmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t *source, int pe);
int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe);
uint8_t shmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t *source, int pe);
uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe);
uint32_t shmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t *source, int pe);
uint64_t shmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t *source, int pe);
size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t *source, int pe);
ptrdiff_t shmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t *source, int pe);

/* Strided remote memory access ================================================================= */

/* Copies nelems elements, sst apart in source, local, to dest, symmetric, on PE pe, dst apart.
 * Strides count elements and are at least 1. source may be reused on return; the target has
 * the data after shmem_quiet. Specification 1.6: shmem_iput */
void shmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                      int pe);
void shmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_longdouble_iput(long double *dest, const long double *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_char_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                     int pe);
void shmem_schar_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_short_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                      int pe);
void shmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    int pe);
void shmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                     int pe);
void shmem_longlong_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst,
                         size_t nelems, int pe);
void shmem_uchar_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst,
                      ptrdiff_t sst, size_t nelems, int pe);
void shmem_ushort_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ulong_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst,
                      ptrdiff_t sst, size_t nelems, int pe);
void shmem_ulonglong_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_int8_iput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_int16_iput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_int32_iput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_uint8_iput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_uint32_iput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_uint64_iput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_size_iput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ptrdiff_iput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t nelems, int pe);
void shmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_double_iput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double *dest, const long double *source,
                               ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_char_iput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_schar_iput(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_short_iput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int_iput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t nelems, int pe);
void shmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longlong_iput(shmem_ctx_t ctx, long long *dest, const long long *source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                         ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long *dest,
                              const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, int pe);
void shmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_size_iput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_iput */
void shmem_iput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                 int pe);
void shmem_iput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                   int pe);
void shmem_ctx_iput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ctx_iput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems, int pe);

/* Copies nelems elements, sst apart in source, symmetric, on PE pe, to dest, local, dst apart.
 * Strides count elements and are at least 1. dest is complete on return.
 * Specification 1.6: shmem_iget */
void shmem_float_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                      int pe);
void shmem_double_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_longdouble_iget(long double *dest, const long double *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_char_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                     int pe);
void shmem_schar_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_short_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                      int pe);
void shmem_int_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    int pe);
void shmem_long_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                     int pe);
void shmem_longlong_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst,
                         size_t nelems, int pe);
void shmem_uchar_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst,
                      ptrdiff_t sst, size_t nelems, int pe);
void shmem_ushort_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ulong_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst,
                      ptrdiff_t sst, size_t nelems, int pe);
void shmem_ulonglong_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_int8_iget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_int16_iget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_int32_iget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_int64_iget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_uint8_iget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_uint16_iget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_uint32_iget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_uint64_iget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, int pe);
void shmem_size_iget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ptrdiff_iget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t nelems, int pe);
void shmem_ctx_float_iget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_double_iget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double *dest, const long double *source,
                               ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_char_iget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_schar_iget(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_short_iget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int_iget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t nelems, int pe);
void shmem_ctx_long_iget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longlong_iget(shmem_ctx_t ctx, long long *dest, const long long *source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                         ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long *dest,
                              const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, int pe);
void shmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_size_iget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_iget */
void shmem_iget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                 int pe);
void shmem_iget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                  int pe);
void shmem_iget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                   int pe);
void shmem_ctx_iget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, int pe);
void shmem_ctx_iget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ctx_iget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems, int pe);

/* Copies nblocks blocks of bsize elements. Strides count elements from the start of a block to
 * the start of the next and are at least bsize. Otherwise as shmem_iput.
 * Specification 1.6: shmem_ibput */
void shmem_float_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                       size_t nblocks, int pe);
void shmem_double_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_longdouble_ibput(long double *dest, const long double *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_char_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                      size_t nblocks, int pe);
void shmem_schar_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_short_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                       size_t nblocks, int pe);
void shmem_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                     size_t nblocks, int pe);
void shmem_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                      size_t nblocks, int pe);
void shmem_longlong_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst,
                          size_t bsize, size_t nblocks, int pe);
void shmem_uchar_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ushort_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ulong_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ulonglong_ibput(unsigned long long *dest, const unsigned long long *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int8_ibput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_int16_ibput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_int32_ibput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_int64_ibput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_uint8_ibput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_uint16_ibput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_uint32_ibput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_uint64_ibput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_size_ibput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ptrdiff_ibput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst,
                         size_t bsize, size_t nblocks, int pe);
void shmem_ctx_float_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_double_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *dest, const long double *source,
                                ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_char_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_schar_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_short_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_long_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longlong_ibput(shmem_ctx_t ctx, long long *dest, const long long *source,
                              ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *dest,
                               const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst,
                               size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_size_ibput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_ibput */
void shmem_ibput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                  size_t nblocks, int pe);
void shmem_ibput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                    size_t nblocks, int pe);
void shmem_ctx_ibput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

/* Copies nblocks blocks of bsize elements. Strides count elements from the start of a block to
 * the start of the next and are at least bsize. Otherwise as shmem_iget.
 * Specification 1.6: shmem_ibget */
void shmem_float_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                       size_t nblocks, int pe);
void shmem_double_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_longdouble_ibget(long double *dest, const long double *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_char_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                      size_t nblocks, int pe);
void shmem_schar_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_short_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                       size_t nblocks, int pe);
void shmem_int_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                     size_t nblocks, int pe);
void shmem_long_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                      size_t nblocks, int pe);
void shmem_longlong_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst,
                          size_t bsize, size_t nblocks, int pe);
void shmem_uchar_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ushort_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ulong_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ulonglong_ibget(unsigned long long *dest, const unsigned long long *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int8_ibget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_int16_ibget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_int32_ibget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_int64_ibget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_uint8_ibget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t bsize, size_t nblocks, int pe);
void shmem_uint16_ibget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_uint32_ibget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_uint64_ibget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst,
                        size_t bsize, size_t nblocks, int pe);
void shmem_size_ibget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ptrdiff_ibget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst,
                         size_t bsize, size_t nblocks, int pe);
void shmem_ctx_float_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_double_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *dest, const long double *source,
                                ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_char_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_schar_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_short_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_long_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longlong_ibget(shmem_ctx_t ctx, long long *dest, const long long *source,
                              ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *dest,
                               const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst,
                               size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_size_ibget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_ibget */
void shmem_ibget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                  size_t nblocks, int pe);
void shmem_ibget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                   size_t nblocks, int pe);
void shmem_ibget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                    size_t nblocks, int pe);
void shmem_ctx_ibget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

/* Nonblocking remote memory access ============================================================= */

/* As shmem_put, but source may be reused only after shmem_quiet.
 * Specification 1.6: shmem_put_nbi */
void shmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe);
void shmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe);
void shmem_longdouble_put_nbi(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe);
void shmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe);
void shmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe);
void shmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe);
void shmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe);
void shmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe);
void shmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
void shmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems,
                          int pe);
void shmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
void shmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
void shmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source,
                             size_t nelems, int pe);
void shmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe);
void shmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe);
void shmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
void shmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
void shmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
void shmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
void shmem_ctx_float_put_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems,
                             int pe);
void shmem_ctx_double_put_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems,
                              int pe);
void shmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double *dest, const long double *source,
                                  size_t nelems, int pe);
void shmem_ctx_char_put_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
void shmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                             size_t nelems, int pe);
void shmem_ctx_short_put_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems,
                             int pe);
void shmem_ctx_int_put_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
void shmem_ctx_long_put_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long *dest, const long long *source,
                                size_t nelems, int pe);
void shmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                             size_t nelems, int pe);
void shmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                              size_t nelems, int pe);
void shmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                            size_t nelems, int pe);
void shmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                             size_t nelems, int pe);
void shmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long *dest,
                                 const unsigned long long *source, size_t nelems, int pe);
void shmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems,
                            int pe);
void shmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems,
                             int pe);
void shmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems,
                             int pe);
void shmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems,
                             int pe);
void shmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems,
                             int pe);
void shmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source,
                              size_t nelems, int pe);
void shmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source,
                              size_t nelems, int pe);
void shmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source,
                              size_t nelems, int pe);
void shmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems,
                            int pe);
void shmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                               size_t nelems, int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_nbi */
void shmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_put128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

/* As shmem_get, but dest is complete only after shmem_quiet.
 * Specification 1.6: shmem_get_nbi */
void shmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe);
void shmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe);
void shmem_longdouble_get_nbi(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe);
void shmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe);
void shmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe);
void shmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe);
void shmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe);
void shmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe);
void shmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
void shmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems,
                          int pe);
void shmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
void shmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
void shmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source,
                             size_t nelems, int pe);
void shmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe);
void shmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe);
void shmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe);
void shmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
void shmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
void shmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
void shmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
void shmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe);
void shmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems,
                             int pe);
void shmem_ctx_double_get_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems,
                              int pe);
void shmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double *dest, const long double *source,
                                  size_t nelems, int pe);
void shmem_ctx_char_get_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
void shmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                             size_t nelems, int pe);
void shmem_ctx_short_get_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems,
                             int pe);
void shmem_ctx_int_get_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
void shmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long *dest, const long long *source,
                                size_t nelems, int pe);
void shmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                             size_t nelems, int pe);
void shmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source,
                              size_t nelems, int pe);
void shmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                            size_t nelems, int pe);
void shmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                             size_t nelems, int pe);
void shmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long *dest,
                                 const unsigned long long *source, size_t nelems, int pe);
void shmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems,
                            int pe);
void shmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems,
                             int pe);
void shmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems,
                             int pe);
void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems,
                             int pe);
void shmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems,
                             int pe);
void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source,
                              size_t nelems, int pe);
void shmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source,
                              size_t nelems, int pe);
void shmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source,
                              size_t nelems, int pe);
void shmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems,
                            int pe);
void shmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                               size_t nelems, int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_get_nbi */
void shmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_get128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

/* Atomic memory operations ===================================================================== */

/* Returns the value of source, symmetric, on PE pe, read atomically.
 * Specification 1.6: shmem_atomic_fetch */
float shmem_float_atomic_fetch(const float *source, int pe);
double shmem_double_atomic_fetch(const double *source, int pe);
int shmem_int_atomic_fetch(const int *source, int pe);
long shmem_long_atomic_fetch(const long *source, int pe);
long long shmem_longlong_atomic_fetch(const long long *source, int pe);
unsigned int shmem_uint_atomic_fetch(const unsigned int *source, int pe);
unsigned long shmem_ulong_atomic_fetch(const unsigned long *source, int pe);
unsigned long long shmem_ulonglong_atomic_fetch(const unsigned long long *source, int pe);
int32_t shmem_int32_atomic_fetch(const int32_t *source, int pe);
int64_t shmem_int64_atomic_fetch(const int64_t *source, int pe);
uint32_t shmem_uint32_atomic_fetch(const uint32_t *source, int pe);
uint64_t shmem_uint64_atomic_fetch(const uint64_t *source, int pe);
size_t shmem_size_atomic_fetch(const size_t *source, int pe);
ptrdiff_t shmem_ptrdiff_atomic_fetch(const ptrdiff_t *source, int pe);
float shmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float *source, int pe);
double shmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double *source, int pe);
int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int *source, int pe);
long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long *source, int pe);
long long shmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long *source, int pe);
unsigned int shmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int *source, int pe);
unsigned long shmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long *source, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx,
                                                    const unsigned long long *source, int pe);
int32_t shmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t *source, int pe);
int64_t shmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t *source, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t *source, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t *source, int pe);
size_t shmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t *source, int pe);
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t *source, int pe);

/* shmem_atomic_fetch by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch */
float shmem_float_fetch(const float *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
double shmem_double_fetch(const double *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
int shmem_int_fetch(const int *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
long shmem_long_fetch(const long *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
long long shmem_longlong_fetch(const long long *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
unsigned int shmem_uint_fetch(const unsigned int *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
unsigned long shmem_ulong_fetch(const unsigned long *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
unsigned long long shmem_ulonglong_fetch(const unsigned long long *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
int32_t shmem_int32_fetch(const int32_t *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
int64_t shmem_int64_fetch(const int64_t *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
uint32_t shmem_uint32_fetch(const uint32_t *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
uint64_t shmem_uint64_fetch(const uint64_t *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");
size_t shmem_size_fetch(const size_t *source, int pe) sheaf_deprecated("use shmem_atomic_fetch");
ptrdiff_t shmem_ptrdiff_fetch(const ptrdiff_t *source, int pe)
    sheaf_deprecated("use shmem_atomic_fetch");

/* Stores value in dest, symmetric, on PE pe, atomically.
 * Specification 1.6: shmem_atomic_set */
void shmem_float_atomic_set(float *dest, float value, int pe);
void shmem_double_atomic_set(double *dest, double value, int pe);
void shmem_int_atomic_set(int *dest, int value, int pe);
void shmem_long_atomic_set(long *dest, long value, int pe);
void shmem_longlong_atomic_set(long long *dest, long long value, int pe);
void shmem_uint_atomic_set(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_atomic_set(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int32_atomic_set(int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_set(int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_set(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe);
void shmem_size_atomic_set(size_t *dest, size_t value, int pe);
void shmem_ptrdiff_atomic_set(ptrdiff_t *dest, ptrdiff_t value, int pe);
void shmem_ctx_float_atomic_set(shmem_ctx_t ctx, float *dest, float value, int pe);
void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double *dest, double value, int pe);
void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long *dest,
                                    unsigned long long value, int pe);
void shmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
void shmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);

/* shmem_atomic_set by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_set */
void shmem_float_set(float *dest, float value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_double_set(double *dest, double value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_int_set(int *dest, int value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_long_set(long *dest, long value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_longlong_set(long long *dest, long long value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_uint_set(unsigned int *dest, unsigned int value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_ulong_set(unsigned long *dest, unsigned long value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_ulonglong_set(unsigned long long *dest, unsigned long long value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_int32_set(int32_t *dest, int32_t value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_int64_set(int64_t *dest, int64_t value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_uint32_set(uint32_t *dest, uint32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_uint64_set(uint64_t *dest, uint64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_set");
void shmem_size_set(size_t *dest, size_t value, int pe) sheaf_deprecated("use shmem_atomic_set");
void shmem_ptrdiff_set(ptrdiff_t *dest, ptrdiff_t value, int pe)
    sheaf_deprecated("use shmem_atomic_set");

/* Stores value in dest, symmetric, on PE pe, if it equals cond. Returns what dest held before.
 * Specification 1.6: shmem_atomic_compare_swap */
int shmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe);
long shmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe);
long long shmem_longlong_atomic_compare_swap(long long *dest, long long cond, long long value,
                                             int pe);
unsigned int shmem_uint_atomic_compare_swap(unsigned int *dest, unsigned int cond,
                                            unsigned int value, int pe);
unsigned long shmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond,
                                              unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_compare_swap(unsigned long long *dest,
                                                       unsigned long long cond,
                                                       unsigned long long value, int pe);
int32_t shmem_int32_atomic_compare_swap(int32_t *dest, int32_t cond, int32_t value, int pe);
int64_t shmem_int64_atomic_compare_swap(int64_t *dest, int64_t cond, int64_t value, int pe);
uint32_t shmem_uint32_atomic_compare_swap(uint32_t *dest, uint32_t cond, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe);
size_t shmem_size_atomic_compare_swap(size_t *dest, size_t cond, size_t value, int pe);
ptrdiff_t shmem_ptrdiff_atomic_compare_swap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value,
                                            int pe);
int shmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int *dest, int cond, int value, int pe);
long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long *dest, long cond, long value, int pe);
long long shmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long *dest, long long cond,
                                                 long long value, int pe);
unsigned int shmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int *dest,
                                                unsigned int cond, unsigned int value, int pe);
unsigned long shmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long *dest,
                                                  unsigned long cond, unsigned long value, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx,
                                                           unsigned long long *dest,
                                                           unsigned long long cond,
                                                           unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t *dest, int32_t cond,
                                            int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t *dest, int64_t cond,
                                            int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond,
                                              uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond,
                                              uint64_t value, int pe);
size_t shmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value,
                                          int pe);
ptrdiff_t shmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond,
                                                ptrdiff_t value, int pe);

/* shmem_atomic_compare_swap by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_compare_swap */
int shmem_int_cswap(int *dest, int cond, int value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
long shmem_long_cswap(long *dest, long cond, long value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
long long shmem_longlong_cswap(long long *dest, long long cond, long long value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
unsigned int shmem_uint_cswap(unsigned int *dest, unsigned int cond, unsigned int value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
unsigned long shmem_ulong_cswap(unsigned long *dest, unsigned long cond, unsigned long value,
                                int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
unsigned long long shmem_ulonglong_cswap(unsigned long long *dest, unsigned long long cond,
                                         unsigned long long value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
int32_t shmem_int32_cswap(int32_t *dest, int32_t cond, int32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
int64_t shmem_int64_cswap(int64_t *dest, int64_t cond, int64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
uint32_t shmem_uint32_cswap(uint32_t *dest, uint32_t cond, uint32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
uint64_t shmem_uint64_cswap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
size_t shmem_size_cswap(size_t *dest, size_t cond, size_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");
ptrdiff_t shmem_ptrdiff_cswap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
    sheaf_deprecated("use shmem_atomic_compare_swap");

/* Stores value in dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_swap */
float shmem_float_atomic_swap(float *dest, float value, int pe);
double shmem_double_atomic_swap(double *dest, double value, int pe);
int shmem_int_atomic_swap(int *dest, int value, int pe);
long shmem_long_atomic_swap(long *dest, long value, int pe);
long long shmem_longlong_atomic_swap(long long *dest, long long value, int pe);
unsigned int shmem_uint_atomic_swap(unsigned int *dest, unsigned int value, int pe);
unsigned long shmem_ulong_atomic_swap(unsigned long *dest, unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_swap(unsigned long long *dest, unsigned long long value,
                                               int pe);
int32_t shmem_int32_atomic_swap(int32_t *dest, int32_t value, int pe);
int64_t shmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe);
uint32_t shmem_uint32_atomic_swap(uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_swap(uint64_t *dest, uint64_t value, int pe);
size_t shmem_size_atomic_swap(size_t *dest, size_t value, int pe);
ptrdiff_t shmem_ptrdiff_atomic_swap(ptrdiff_t *dest, ptrdiff_t value, int pe);
float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe);
double shmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double *dest, double value, int pe);
int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int *dest, int value, int pe);
long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe);
long long shmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long *dest, long long value, int pe);
unsigned int shmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int value,
                                        int pe);
unsigned long shmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long value,
                                          int pe);
unsigned long long shmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long *dest,
                                                   unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
size_t shmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
ptrdiff_t shmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);

/* shmem_atomic_swap by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_swap */
float shmem_float_swap(float *dest, float value, int pe) sheaf_deprecated("use shmem_atomic_swap");
double shmem_double_swap(double *dest, double value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
int shmem_int_swap(int *dest, int value, int pe) sheaf_deprecated("use shmem_atomic_swap");
long shmem_long_swap(long *dest, long value, int pe) sheaf_deprecated("use shmem_atomic_swap");
long long shmem_longlong_swap(long long *dest, long long value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
unsigned int shmem_uint_swap(unsigned int *dest, unsigned int value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
unsigned long shmem_ulong_swap(unsigned long *dest, unsigned long value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
unsigned long long shmem_ulonglong_swap(unsigned long long *dest, unsigned long long value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
int32_t shmem_int32_swap(int32_t *dest, int32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
int64_t shmem_int64_swap(int64_t *dest, int64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
uint32_t shmem_uint32_swap(uint32_t *dest, uint32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
uint64_t shmem_uint64_swap(uint64_t *dest, uint64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
size_t shmem_size_swap(size_t *dest, size_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");
ptrdiff_t shmem_ptrdiff_swap(ptrdiff_t *dest, ptrdiff_t value, int pe)
    sheaf_deprecated("use shmem_atomic_swap");

/* Adds 1 to dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_fetch_inc */
int shmem_int_atomic_fetch_inc(int *dest, int pe);
long shmem_long_atomic_fetch_inc(long *dest, int pe);
long long shmem_longlong_atomic_fetch_inc(long long *dest, int pe);
unsigned int shmem_uint_atomic_fetch_inc(unsigned int *dest, int pe);
unsigned long shmem_ulong_atomic_fetch_inc(unsigned long *dest, int pe);
unsigned long long shmem_ulonglong_atomic_fetch_inc(unsigned long long *dest, int pe);
int32_t shmem_int32_atomic_fetch_inc(int32_t *dest, int pe);
int64_t shmem_int64_atomic_fetch_inc(int64_t *dest, int pe);
uint32_t shmem_uint32_atomic_fetch_inc(uint32_t *dest, int pe);
uint64_t shmem_uint64_atomic_fetch_inc(uint64_t *dest, int pe);
size_t shmem_size_atomic_fetch_inc(size_t *dest, int pe);
ptrdiff_t shmem_ptrdiff_atomic_fetch_inc(ptrdiff_t *dest, int pe);
int shmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int *dest, int pe);
long shmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long *dest, int pe);
long long shmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long *dest, int pe);
unsigned int shmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int *dest, int pe);
unsigned long shmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long *dest, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long *dest,
                                                        int pe);
int32_t shmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t *dest, int pe);
int64_t shmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t *dest, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t *dest, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t *dest, int pe);
size_t shmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t *dest, int pe);
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe);

/* shmem_atomic_fetch_inc by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch_inc */
int shmem_int_finc(int *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
long shmem_long_finc(long *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
long long shmem_longlong_finc(long long *dest, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_inc");
unsigned int shmem_uint_finc(unsigned int *dest, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_inc");
unsigned long shmem_ulong_finc(unsigned long *dest, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_inc");
unsigned long long shmem_ulonglong_finc(unsigned long long *dest, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_inc");
int32_t shmem_int32_finc(int32_t *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
int64_t shmem_int64_finc(int64_t *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
uint32_t shmem_uint32_finc(uint32_t *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
uint64_t shmem_uint64_finc(uint64_t *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
size_t shmem_size_finc(size_t *dest, int pe) sheaf_deprecated("use shmem_atomic_fetch_inc");
ptrdiff_t shmem_ptrdiff_finc(ptrdiff_t *dest, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_inc");

/* Adds 1 to dest, symmetric, on PE pe.
 * Specification 1.6: shmem_atomic_inc */
void shmem_int_atomic_inc(int *dest, int pe);
void shmem_long_atomic_inc(long *dest, int pe);
void shmem_longlong_atomic_inc(long long *dest, int pe);
void shmem_uint_atomic_inc(unsigned int *dest, int pe);
void shmem_ulong_atomic_inc(unsigned long *dest, int pe);
void shmem_ulonglong_atomic_inc(unsigned long long *dest, int pe);
void shmem_int32_atomic_inc(int32_t *dest, int pe);
void shmem_int64_atomic_inc(int64_t *dest, int pe);
void shmem_uint32_atomic_inc(uint32_t *dest, int pe);
void shmem_uint64_atomic_inc(uint64_t *dest, int pe);
void shmem_size_atomic_inc(size_t *dest, int pe);
void shmem_ptrdiff_atomic_inc(ptrdiff_t *dest, int pe);
void shmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int *dest, int pe);
void shmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long *dest, int pe);
void shmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long *dest, int pe);
void shmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int *dest, int pe);
void shmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long *dest, int pe);
void shmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe);
void shmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t *dest, int pe);
void shmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t *dest, int pe);
void shmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t *dest, int pe);
void shmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t *dest, int pe);
void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t *dest, int pe);
void shmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe);

/* shmem_atomic_inc by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_inc */
void shmem_int_inc(int *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_long_inc(long *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_longlong_inc(long long *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_uint_inc(unsigned int *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_ulong_inc(unsigned long *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_ulonglong_inc(unsigned long long *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_int32_inc(int32_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_int64_inc(int64_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_uint32_inc(uint32_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_uint64_inc(uint64_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_size_inc(size_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");
void shmem_ptrdiff_inc(ptrdiff_t *dest, int pe) sheaf_deprecated("use shmem_atomic_inc");

/* Adds value to dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_fetch_add */
int shmem_int_atomic_fetch_add(int *dest, int value, int pe);
long shmem_long_atomic_fetch_add(long *dest, long value, int pe);
long long shmem_longlong_atomic_fetch_add(long long *dest, long long value, int pe);
unsigned int shmem_uint_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe);
unsigned long shmem_ulong_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_fetch_add(unsigned long long *dest,
                                                    unsigned long long value, int pe);
int32_t shmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe);
int64_t shmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe);
uint32_t shmem_uint32_atomic_fetch_add(uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_fetch_add(uint64_t *dest, uint64_t value, int pe);
size_t shmem_size_atomic_fetch_add(size_t *dest, size_t value, int pe);
ptrdiff_t shmem_ptrdiff_atomic_fetch_add(ptrdiff_t *dest, ptrdiff_t value, int pe);
int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int *dest, int value, int pe);
long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe);
long long shmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long *dest, long long value,
                                              int pe);
unsigned int shmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int *dest,
                                             unsigned int value, int pe);
unsigned long shmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long *dest,
                                               unsigned long value, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long *dest,
                                                        unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
size_t shmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value,
                                             int pe);

/* shmem_atomic_fetch_add by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch_add */
int shmem_int_fadd(int *dest, int value, int pe) sheaf_deprecated("use shmem_atomic_fetch_add");
long shmem_long_fadd(long *dest, long value, int pe) sheaf_deprecated("use shmem_atomic_fetch_add");
long long shmem_longlong_fadd(long long *dest, long long value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
unsigned int shmem_uint_fadd(unsigned int *dest, unsigned int value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
unsigned long shmem_ulong_fadd(unsigned long *dest, unsigned long value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
unsigned long long shmem_ulonglong_fadd(unsigned long long *dest, unsigned long long value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
int32_t shmem_int32_fadd(int32_t *dest, int32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
int64_t shmem_int64_fadd(int64_t *dest, int64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
uint32_t shmem_uint32_fadd(uint32_t *dest, uint32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
uint64_t shmem_uint64_fadd(uint64_t *dest, uint64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
size_t shmem_size_fadd(size_t *dest, size_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");
ptrdiff_t shmem_ptrdiff_fadd(ptrdiff_t *dest, ptrdiff_t value, int pe)
    sheaf_deprecated("use shmem_atomic_fetch_add");

/* Adds value to dest, symmetric, on PE pe.
 * Specification 1.6: shmem_atomic_add */
void shmem_int_atomic_add(int *dest, int value, int pe);
void shmem_long_atomic_add(long *dest, long value, int pe);
void shmem_longlong_atomic_add(long long *dest, long long value, int pe);
void shmem_uint_atomic_add(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_atomic_add(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int32_atomic_add(int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_add(int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_add(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_add(uint64_t *dest, uint64_t value, int pe);
void shmem_size_atomic_add(size_t *dest, size_t value, int pe);
void shmem_ptrdiff_atomic_add(ptrdiff_t *dest, ptrdiff_t value, int pe);
void shmem_ctx_int_atomic_add(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_atomic_add(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long *dest,
                                    unsigned long long value, int pe);
void shmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
void shmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);

/* shmem_atomic_add by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_add */
void shmem_int_add(int *dest, int value, int pe) sheaf_deprecated("use shmem_atomic_add");
void shmem_long_add(long *dest, long value, int pe) sheaf_deprecated("use shmem_atomic_add");
void shmem_longlong_add(long long *dest, long long value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_uint_add(unsigned int *dest, unsigned int value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_ulong_add(unsigned long *dest, unsigned long value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_ulonglong_add(unsigned long long *dest, unsigned long long value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_int32_add(int32_t *dest, int32_t value, int pe) sheaf_deprecated("use shmem_atomic_add");
void shmem_int64_add(int64_t *dest, int64_t value, int pe) sheaf_deprecated("use shmem_atomic_add");
void shmem_uint32_add(uint32_t *dest, uint32_t value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_uint64_add(uint64_t *dest, uint64_t value, int pe)
    sheaf_deprecated("use shmem_atomic_add");
void shmem_size_add(size_t *dest, size_t value, int pe) sheaf_deprecated("use shmem_atomic_add");
void shmem_ptrdiff_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
    sheaf_deprecated("use shmem_atomic_add");

/* Combines dest, symmetric, on PE pe with value by bitwise and. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_and */
unsigned int shmem_uint_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe);
unsigned long shmem_ulong_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_fetch_and(unsigned long long *dest,
                                                    unsigned long long value, int pe);
int32_t shmem_int32_atomic_fetch_and(int32_t *dest, int32_t value, int pe);
int64_t shmem_int64_atomic_fetch_and(int64_t *dest, int64_t value, int pe);
uint32_t shmem_uint32_atomic_fetch_and(uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_fetch_and(uint64_t *dest, uint64_t value, int pe);
int shmem_int_atomic_fetch_and(int *dest, int value, int pe);
long shmem_long_atomic_fetch_and(long *dest, long value, int pe);
long long shmem_longlong_atomic_fetch_and(long long *dest, long long value, int pe);
unsigned int shmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int *dest,
                                             unsigned int value, int pe);
unsigned long shmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long *dest,
                                               unsigned long value, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long *dest,
                                                        unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
int shmem_ctx_int_atomic_fetch_and(shmem_ctx_t ctx, int *dest, int value, int pe);
long shmem_ctx_long_atomic_fetch_and(shmem_ctx_t ctx, long *dest, long value, int pe);
long long shmem_ctx_longlong_atomic_fetch_and(shmem_ctx_t ctx, long long *dest, long long value,
                                              int pe);

/* Combines dest, symmetric, on PE pe with value by bitwise and.
 * Specification 1.6: shmem_atomic_and */
void shmem_uint_atomic_and(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_atomic_and(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_atomic_and(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int32_atomic_and(int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_and(int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_and(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_and(uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_and(int *dest, int value, int pe);
void shmem_long_atomic_and(long *dest, long value, int pe);
void shmem_longlong_atomic_and(long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long *dest,
                                    unsigned long long value, int pe);
void shmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_int_atomic_and(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_atomic_and(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_and(shmem_ctx_t ctx, long long *dest, long long value, int pe);

/* Combines dest, symmetric, on PE pe with value by bitwise or. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_or */
unsigned int shmem_uint_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe);
unsigned long shmem_ulong_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_fetch_or(unsigned long long *dest,
                                                   unsigned long long value, int pe);
int32_t shmem_int32_atomic_fetch_or(int32_t *dest, int32_t value, int pe);
int64_t shmem_int64_atomic_fetch_or(int64_t *dest, int64_t value, int pe);
uint32_t shmem_uint32_atomic_fetch_or(uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_fetch_or(uint64_t *dest, uint64_t value, int pe);
int shmem_int_atomic_fetch_or(int *dest, int value, int pe);
long shmem_long_atomic_fetch_or(long *dest, long value, int pe);
long long shmem_longlong_atomic_fetch_or(long long *dest, long long value, int pe);
unsigned int shmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value,
                                            int pe);
unsigned long shmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long *dest,
                                              unsigned long value, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long *dest,
                                                       unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
int shmem_ctx_int_atomic_fetch_or(shmem_ctx_t ctx, int *dest, int value, int pe);
long shmem_ctx_long_atomic_fetch_or(shmem_ctx_t ctx, long *dest, long value, int pe);
long long shmem_ctx_longlong_atomic_fetch_or(shmem_ctx_t ctx, long long *dest, long long value,
                                             int pe);

/* Combines dest, symmetric, on PE pe with value by bitwise or.
 * Specification 1.6: shmem_atomic_or */
void shmem_uint_atomic_or(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_atomic_or(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_atomic_or(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int32_atomic_or(int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_or(int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_or(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_or(uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_or(int *dest, int value, int pe);
void shmem_long_atomic_or(long *dest, long value, int pe);
void shmem_longlong_atomic_or(long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long *dest,
                                   unsigned long long value, int pe);
void shmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_int_atomic_or(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_atomic_or(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_or(shmem_ctx_t ctx, long long *dest, long long value, int pe);

/* Combines dest, symmetric, on PE pe with value by bitwise exclusive or. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_xor */
unsigned int shmem_uint_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe);
unsigned long shmem_ulong_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe);
unsigned long long shmem_ulonglong_atomic_fetch_xor(unsigned long long *dest,
                                                    unsigned long long value, int pe);
int32_t shmem_int32_atomic_fetch_xor(int32_t *dest, int32_t value, int pe);
int64_t shmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe);
uint32_t shmem_uint32_atomic_fetch_xor(uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_uint64_atomic_fetch_xor(uint64_t *dest, uint64_t value, int pe);
int shmem_int_atomic_fetch_xor(int *dest, int value, int pe);
long shmem_long_atomic_fetch_xor(long *dest, long value, int pe);
long long shmem_longlong_atomic_fetch_xor(long long *dest, long long value, int pe);
unsigned int shmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int *dest,
                                             unsigned int value, int pe);
unsigned long shmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long *dest,
                                               unsigned long value, int pe);
unsigned long long shmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long *dest,
                                                        unsigned long long value, int pe);
int32_t shmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
uint32_t shmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
uint64_t shmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
int shmem_ctx_int_atomic_fetch_xor(shmem_ctx_t ctx, int *dest, int value, int pe);
long shmem_ctx_long_atomic_fetch_xor(shmem_ctx_t ctx, long *dest, long value, int pe);
long long shmem_ctx_longlong_atomic_fetch_xor(shmem_ctx_t ctx, long long *dest, long long value,
                                              int pe);

/* Combines dest, symmetric, on PE pe with value by bitwise exclusive or.
 * Specification 1.6: shmem_atomic_xor */
void shmem_uint_atomic_xor(unsigned int *dest, unsigned int value, int pe);
void shmem_ulong_atomic_xor(unsigned long *dest, unsigned long value, int pe);
void shmem_ulonglong_atomic_xor(unsigned long long *dest, unsigned long long value, int pe);
void shmem_int32_atomic_xor(int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_xor(int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_xor(uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_xor(uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_xor(int *dest, int value, int pe);
void shmem_long_atomic_xor(long *dest, long value, int pe);
void shmem_longlong_atomic_xor(long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long *dest,
                                    unsigned long long value, int pe);
void shmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
void shmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
void shmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
void shmem_ctx_int_atomic_xor(shmem_ctx_t ctx, int *dest, int value, int pe);
void shmem_ctx_long_atomic_xor(shmem_ctx_t ctx, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_xor(shmem_ctx_t ctx, long long *dest, long long value, int pe);

/* Nonblocking atomic memory operations ========================================================= */

/* As shmem_atomic_fetch; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_nbi */
void shmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe);
void shmem_double_atomic_fetch_nbi(double *fetch, const double *source, int pe);
void shmem_int_atomic_fetch_nbi(int *fetch, const int *source, int pe);
void shmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe);
void shmem_longlong_atomic_fetch_nbi(long long *fetch, const long long *source, int pe);
void shmem_uint_atomic_fetch_nbi(unsigned int *fetch, const unsigned int *source, int pe);
void shmem_ulong_atomic_fetch_nbi(unsigned long *fetch, const unsigned long *source, int pe);
void shmem_ulonglong_atomic_fetch_nbi(unsigned long long *fetch, const unsigned long long *source,
                                      int pe);
void shmem_int32_atomic_fetch_nbi(int32_t *fetch, const int32_t *source, int pe);
void shmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe);
void shmem_uint32_atomic_fetch_nbi(uint32_t *fetch, const uint32_t *source, int pe);
void shmem_uint64_atomic_fetch_nbi(uint64_t *fetch, const uint64_t *source, int pe);
void shmem_size_atomic_fetch_nbi(size_t *fetch, const size_t *source, int pe);
void shmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t *fetch, const ptrdiff_t *source, int pe);
void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe);
void shmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double *fetch, const double *source,
                                       int pe);
void shmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int *fetch, const int *source, int pe);
void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe);
void shmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long *fetch, const long long *source,
                                         int pe);
void shmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int *fetch,
                                     const unsigned int *source, int pe);
void shmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                      const unsigned long *source, int pe);
void shmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                          const unsigned long long *source, int pe);
void shmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source,
                                      int pe);
void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source,
                                      int pe);
void shmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source,
                                       int pe);
void shmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source,
                                       int pe);
void shmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe);
void shmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source,
                                        int pe);

/* As shmem_atomic_compare_swap; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_compare_swap_nbi */
void shmem_int_atomic_compare_swap_nbi(int *fetch, int *dest, int cond, int value, int pe);
void shmem_long_atomic_compare_swap_nbi(long *fetch, long *dest, long cond, long value, int pe);
void shmem_longlong_atomic_compare_swap_nbi(long long *fetch, long long *dest, long long cond,
                                            long long value, int pe);
void shmem_uint_atomic_compare_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int cond,
                                        unsigned int value, int pe);
void shmem_ulong_atomic_compare_swap_nbi(unsigned long *fetch, unsigned long *dest,
                                         unsigned long cond, unsigned long value, int pe);
void shmem_ulonglong_atomic_compare_swap_nbi(unsigned long long *fetch, unsigned long long *dest,
                                             unsigned long long cond, unsigned long long value,
                                             int pe);
void shmem_int32_atomic_compare_swap_nbi(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value,
                                         int pe);
void shmem_int64_atomic_compare_swap_nbi(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value,
                                         int pe);
void shmem_uint32_atomic_compare_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t cond,
                                          uint32_t value, int pe);
void shmem_uint64_atomic_compare_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t cond,
                                          uint64_t value, int pe);
void shmem_size_atomic_compare_swap_nbi(size_t *fetch, size_t *dest, size_t cond, size_t value,
                                        int pe);
void shmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond,
                                           ptrdiff_t value, int pe);
void shmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int cond,
                                           int value, int pe);
void shmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long cond,
                                            long value, int pe);
void shmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                                long long cond, long long value, int pe);
void shmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch,
                                            unsigned int *dest, unsigned int cond,
                                            unsigned int value, int pe);
void shmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                             unsigned long *dest, unsigned long cond,
                                             unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                                 unsigned long long *dest, unsigned long long cond,
                                                 unsigned long long value, int pe);
void shmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest,
                                             int32_t cond, int32_t value, int pe);
void shmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest,
                                             int64_t cond, int64_t value, int pe);
void shmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                              uint32_t cond, uint32_t value, int pe);
void shmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                              uint64_t cond, uint64_t value, int pe);
void shmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest,
                                            size_t cond, size_t value, int pe);
void shmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest,
                                               ptrdiff_t cond, ptrdiff_t value, int pe);

/* As shmem_atomic_swap; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_swap_nbi */
void shmem_float_atomic_swap_nbi(float *fetch, float *dest, float value, int pe);
void shmem_double_atomic_swap_nbi(double *fetch, double *dest, double value, int pe);
void shmem_int_atomic_swap_nbi(int *fetch, int *dest, int value, int pe);
void shmem_long_atomic_swap_nbi(long *fetch, long *dest, long value, int pe);
void shmem_longlong_atomic_swap_nbi(long long *fetch, long long *dest, long long value, int pe);
void shmem_uint_atomic_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value,
                                int pe);
void shmem_ulong_atomic_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value,
                                 int pe);
void shmem_ulonglong_atomic_swap_nbi(unsigned long long *fetch, unsigned long long *dest,
                                     unsigned long long value, int pe);
void shmem_int32_atomic_swap_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_swap_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
void shmem_size_atomic_swap_nbi(size_t *fetch, size_t *dest, size_t value, int pe);
void shmem_ptrdiff_atomic_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
void shmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float *fetch, float *dest, float value,
                                     int pe);
void shmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double *fetch, double *dest, double value,
                                      int pe);
void shmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
void shmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe);
void shmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                        long long value, int pe);
void shmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                    unsigned int value, int pe);
void shmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest,
                                     unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                         unsigned long long *dest, unsigned long long value,
                                         int pe);
void shmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value,
                                     int pe);
void shmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value,
                                     int pe);
void shmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                      uint32_t value, int pe);
void shmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                      uint64_t value, int pe);
void shmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value,
                                    int pe);
void shmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest,
                                       ptrdiff_t value, int pe);

/* As shmem_atomic_fetch_inc; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_inc_nbi */
void shmem_int_atomic_fetch_inc_nbi(int *fetch, int *dest, int pe);
void shmem_long_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe);
void shmem_longlong_atomic_fetch_inc_nbi(long long *fetch, long long *dest, int pe);
void shmem_uint_atomic_fetch_inc_nbi(unsigned int *fetch, unsigned int *dest, int pe);
void shmem_ulong_atomic_fetch_inc_nbi(unsigned long *fetch, unsigned long *dest, int pe);
void shmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long *fetch, unsigned long long *dest,
                                          int pe);
void shmem_int32_atomic_fetch_inc_nbi(int32_t *fetch, int32_t *dest, int pe);
void shmem_int64_atomic_fetch_inc_nbi(int64_t *fetch, int64_t *dest, int pe);
void shmem_uint32_atomic_fetch_inc_nbi(uint32_t *fetch, uint32_t *dest, int pe);
void shmem_uint64_atomic_fetch_inc_nbi(uint64_t *fetch, uint64_t *dest, int pe);
void shmem_size_atomic_fetch_inc_nbi(size_t *fetch, size_t *dest, int pe);
void shmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, int pe);
void shmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int pe);
void shmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long *fetch, long *dest, int pe);
void shmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                             int pe);
void shmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                         int pe);
void shmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                          unsigned long *dest, int pe);
void shmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                              unsigned long long *dest, int pe);
void shmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe);
void shmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe);
void shmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                           int pe);
void shmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                           int pe);
void shmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe);
void shmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest,
                                            int pe);

/* As shmem_atomic_fetch_add; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_add_nbi */
void shmem_int_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe);
void shmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe);
void shmem_longlong_atomic_fetch_add_nbi(long long *fetch, long long *dest, long long value,
                                         int pe);
void shmem_uint_atomic_fetch_add_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value,
                                     int pe);
void shmem_ulong_atomic_fetch_add_nbi(unsigned long *fetch, unsigned long *dest,
                                      unsigned long value, int pe);
void shmem_ulonglong_atomic_fetch_add_nbi(unsigned long long *fetch, unsigned long long *dest,
                                          unsigned long long value, int pe);
void shmem_int32_atomic_fetch_add_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_fetch_add_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_fetch_add_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
void shmem_size_atomic_fetch_add_nbi(size_t *fetch, size_t *dest, size_t value, int pe);
void shmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value,
                                         int pe);
void shmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                             long long value, int pe);
void shmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                         unsigned int value, int pe);
void shmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                          unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                              unsigned long long *dest, unsigned long long value,
                                              int pe);
void shmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest,
                                          int32_t value, int pe);
void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest,
                                          int64_t value, int pe);
void shmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                           uint32_t value, int pe);
void shmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                           uint64_t value, int pe);
void shmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value,
                                         int pe);
void shmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest,
                                            ptrdiff_t value, int pe);

/* As shmem_atomic_fetch_and; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_and_nbi */
void shmem_uint_atomic_fetch_and_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value,
                                     int pe);
void shmem_ulong_atomic_fetch_and_nbi(unsigned long *fetch, unsigned long *dest,
                                      unsigned long value, int pe);
void shmem_ulonglong_atomic_fetch_and_nbi(unsigned long long *fetch, unsigned long long *dest,
                                          unsigned long long value, int pe);
void shmem_int32_atomic_fetch_and_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_fetch_and_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_fetch_and_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_fetch_and_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_fetch_and_nbi(int *fetch, int *dest, int value, int pe);
void shmem_long_atomic_fetch_and_nbi(long *fetch, long *dest, long value, int pe);
void shmem_longlong_atomic_fetch_and_nbi(long long *fetch, long long *dest, long long value,
                                         int pe);
void shmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                         unsigned int value, int pe);
void shmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                          unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                              unsigned long long *dest, unsigned long long value,
                                              int pe);
void shmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest,
                                          int32_t value, int pe);
void shmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest,
                                          int64_t value, int pe);
void shmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                           uint32_t value, int pe);
void shmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                           uint64_t value, int pe);
void shmem_ctx_int_atomic_fetch_and_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
void shmem_ctx_long_atomic_fetch_and_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value,
                                         int pe);
void shmem_ctx_longlong_atomic_fetch_and_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                             long long value, int pe);

/* As shmem_atomic_fetch_or; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_or_nbi */
void shmem_uint_atomic_fetch_or_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value,
                                    int pe);
void shmem_ulong_atomic_fetch_or_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value,
                                     int pe);
void shmem_ulonglong_atomic_fetch_or_nbi(unsigned long long *fetch, unsigned long long *dest,
                                         unsigned long long value, int pe);
void shmem_int32_atomic_fetch_or_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_fetch_or_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_fetch_or_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_fetch_or_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_fetch_or_nbi(int *fetch, int *dest, int value, int pe);
void shmem_long_atomic_fetch_or_nbi(long *fetch, long *dest, long value, int pe);
void shmem_longlong_atomic_fetch_or_nbi(long long *fetch, long long *dest, long long value, int pe);
void shmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                        unsigned int value, int pe);
void shmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest,
                                         unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                             unsigned long long *dest, unsigned long long value,
                                             int pe);
void shmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest,
                                         int32_t value, int pe);
void shmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest,
                                         int64_t value, int pe);
void shmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                          uint32_t value, int pe);
void shmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                          uint64_t value, int pe);
void shmem_ctx_int_atomic_fetch_or_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
void shmem_ctx_long_atomic_fetch_or_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value,
                                        int pe);
void shmem_ctx_longlong_atomic_fetch_or_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                            long long value, int pe);

/* As shmem_atomic_fetch_xor; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_xor_nbi */
void shmem_uint_atomic_fetch_xor_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value,
                                     int pe);
void shmem_ulong_atomic_fetch_xor_nbi(unsigned long *fetch, unsigned long *dest,
                                      unsigned long value, int pe);
void shmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long *fetch, unsigned long long *dest,
                                          unsigned long long value, int pe);
void shmem_int32_atomic_fetch_xor_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
void shmem_int64_atomic_fetch_xor_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
void shmem_uint32_atomic_fetch_xor_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
void shmem_uint64_atomic_fetch_xor_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
void shmem_int_atomic_fetch_xor_nbi(int *fetch, int *dest, int value, int pe);
void shmem_long_atomic_fetch_xor_nbi(long *fetch, long *dest, long value, int pe);
void shmem_longlong_atomic_fetch_xor_nbi(long long *fetch, long long *dest, long long value,
                                         int pe);
void shmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest,
                                         unsigned int value, int pe);
void shmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long *fetch,
                                          unsigned long *dest, unsigned long value, int pe);
void shmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long *fetch,
                                              unsigned long long *dest, unsigned long long value,
                                              int pe);
void shmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest,
                                          int32_t value, int pe);
void shmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest,
                                          int64_t value, int pe);
void shmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest,
                                           uint32_t value, int pe);
void shmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest,
                                           uint64_t value, int pe);
void shmem_ctx_int_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
void shmem_ctx_long_atomic_fetch_xor_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value,
                                         int pe);
void shmem_ctx_longlong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest,
                                             long long value, int pe);

/* Signals ====================================================================================== */

/* Copies nelems elements from source, local, to dest, symmetric, on PE pe, then updates
 * *sig_addr, symmetric, there: sets it to signal (SHMEM_SIGNAL_SET) or adds signal to it
 * (SHMEM_SIGNAL_ADD). A PE that sees the signal sees the data. source may be reused on return.
 * Specification 1.6: shmem_put_signal */
void shmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr,
                             uint64_t signal, int sig_op, int pe);
void shmem_longdouble_put_signal(long double *dest, const long double *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_char_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_schar_put_signal(signed char *dest, const signed char *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_short_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr,
                          uint64_t signal, int sig_op, int pe);
void shmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_longlong_put_signal(long long *dest, const long long *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uchar_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ushort_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems,
                           uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ulong_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ulonglong_put_signal(unsigned long long *dest, const unsigned long long *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_int8_put_signal(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_int16_put_signal(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_int32_put_signal(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_uint8_put_signal(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint32_put_signal(uint32_t *dest, const uint32_t *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint64_put_signal(uint64_t *dest, const uint64_t *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_size_put_signal(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_ptrdiff_put_signal(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems,
                              uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_double_put_signal(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double *dest, const long double *source,
                                     size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                     int pe);
void shmem_ctx_char_put_signal(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_short_put_signal(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems,
                              uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long *dest, const long long *source,
                                   size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                   int pe);
void shmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short *dest,
                                 const unsigned short *source, size_t nelems, uint64_t *sig_addr,
                                 uint64_t signal, int sig_op, int pe);
void shmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                               size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                               int pe);
void shmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long *dest,
                                    const unsigned long long *source, size_t nelems,
                                    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t *dest, const int16_t *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t *dest, const int32_t *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest, const int64_t *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source,
                                size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                int pe);
void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source,
                                 size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                 int pe);
void shmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source,
                                 size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                 int pe);
void shmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source,
                                 size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                 int pe);
void shmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                                  size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                  int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal */
void shmem_put8_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                       uint64_t signal, int sig_op, int pe);
void shmem_put16_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                        uint64_t signal, int sig_op, int pe);
void shmem_put32_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                        uint64_t signal, int sig_op, int pe);
void shmem_put64_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                        uint64_t signal, int sig_op, int pe);
void shmem_put128_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                         uint64_t signal, int sig_op, int pe);
void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                         uint64_t signal, int sig_op, int pe);
void shmem_ctx_put8_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                           uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put16_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put32_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put64_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                            uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put128_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                             uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* As shmem_put_signal, but source may be reused only after shmem_quiet.
 * Specification 1.6: shmem_put_signal_nbi */
void shmem_float_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr,
                                uint64_t signal, int sig_op, int pe);
void shmem_double_put_signal_nbi(double *dest, const double *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_longdouble_put_signal_nbi(long double *dest, const long double *source, size_t nelems,
                                     uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_char_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr,
                               uint64_t signal, int sig_op, int pe);
void shmem_schar_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_short_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr,
                                uint64_t signal, int sig_op, int pe);
void shmem_int_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr,
                              uint64_t signal, int sig_op, int pe);
void shmem_long_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr,
                               uint64_t signal, int sig_op, int pe);
void shmem_longlong_put_signal_nbi(long long *dest, const long long *source, size_t nelems,
                                   uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uchar_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ushort_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ulong_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ulonglong_put_signal_nbi(unsigned long long *dest, const unsigned long long *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_int8_put_signal_nbi(int8_t *dest, const int8_t *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_int16_put_signal_nbi(int16_t *dest, const int16_t *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_int32_put_signal_nbi(int32_t *dest, const int32_t *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_int64_put_signal_nbi(int64_t *dest, const int64_t *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint8_put_signal_nbi(uint8_t *dest, const uint8_t *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint16_put_signal_nbi(uint16_t *dest, const uint16_t *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint32_put_signal_nbi(uint32_t *dest, const uint32_t *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_uint64_put_signal_nbi(uint64_t *dest, const uint64_t *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_size_put_signal_nbi(size_t *dest, const size_t *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ptrdiff_put_signal_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems,
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float *dest, const float *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source,
                                     size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                     int pe);
void shmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double *dest,
                                         const long double *source, size_t nelems,
                                         uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems,
                                   uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short *dest, const short *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems,
                                  uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems,
                                   uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long *dest, const long long *source,
                                       size_t nelems, uint64_t *sig_addr, uint64_t signal,
                                       int sig_op, int pe);
void shmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char *dest,
                                    const unsigned char *source, size_t nelems, uint64_t *sig_addr,
                                    uint64_t signal, int sig_op, int pe);
void shmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short *dest,
                                     const unsigned short *source, size_t nelems,
                                     uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source,
                                   size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                   int pe);
void shmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long *dest,
                                    const unsigned long *source, size_t nelems, uint64_t *sig_addr,
                                    uint64_t signal, int sig_op, int pe);
void shmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long *dest,
                                        const unsigned long long *source, size_t nelems,
                                        uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source,
                                   size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                   int pe);
void shmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source,
                                    size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                    int pe);
void shmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source,
                                     size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                     int pe);
void shmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source,
                                     size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                     int pe);
void shmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source,
                                     size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                     int pe);
void shmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source,
                                   size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                                   int pe);
void shmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source,
                                      size_t nelems, uint64_t *sig_addr, uint64_t signal,
                                      int sig_op, int pe);

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal_nbi */
void shmem_put8_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_put16_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_put32_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_put64_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                            uint64_t signal, int sig_op, int pe);
void shmem_put128_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                             uint64_t signal, int sig_op, int pe);
void shmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr,
                             uint64_t signal, int sig_op, int pe);
void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                               uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                                uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems,
                                 uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* Adds signal to *sig_addr, symmetric, on PE pe, atomically.
 * Specification 1.6: shmem_signal_add */
void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe);
void shmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe);

/* Sets *sig_addr, symmetric, on PE pe to signal, atomically.
 * Specification 1.6: shmem_signal_set */
void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe);
void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe);

/* Returns the calling PE's own signal object, read atomically.
 * Specification 1.6: shmem_signal_fetch */
uint64_t shmem_signal_fetch(const uint64_t *sig_addr);

/* Collectives over teams ======================================================================= */

/* Waits for all PEs, and completes all operations of the default context.
 * Specification 1.6: shmem_barrier_all */
void shmem_barrier_all(void);

/* Waits for all PEs; completes their stores alone.
 * Specification 1.6: shmem_sync_all */
void shmem_sync_all(void);

/* Waits for all PEs of team; completes their stores alone. Returns 0.
 * Specification 1.6: shmem_sync */
int shmem_team_sync(shmem_team_t team);

/* Block k of source, nelems elements, becomes block my-number of dest on PE k of team. dest and
 * source are symmetric, each as long as the team's size times nelems. Returns 0; dest is
 * complete then and source may be reused.
 * Specification 1.6: shmem_alltoall */
int shmem_float_alltoall(shmem_team_t team, float *dest, const float *source, size_t nelems);
int shmem_double_alltoall(shmem_team_t team, double *dest, const double *source, size_t nelems);
int shmem_longdouble_alltoall(shmem_team_t team, long double *dest, const long double *source,
                              size_t nelems);
int shmem_char_alltoall(shmem_team_t team, char *dest, const char *source, size_t nelems);
int shmem_schar_alltoall(shmem_team_t team, signed char *dest, const signed char *source,
                         size_t nelems);
int shmem_short_alltoall(shmem_team_t team, short *dest, const short *source, size_t nelems);
int shmem_int_alltoall(shmem_team_t team, int *dest, const int *source, size_t nelems);
int shmem_long_alltoall(shmem_team_t team, long *dest, const long *source, size_t nelems);
int shmem_longlong_alltoall(shmem_team_t team, long long *dest, const long long *source,
                            size_t nelems);
int shmem_uchar_alltoall(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                         size_t nelems);
int shmem_ushort_alltoall(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                          size_t nelems);
int shmem_uint_alltoall(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                        size_t nelems);
int shmem_ulong_alltoall(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                         size_t nelems);
int shmem_ulonglong_alltoall(shmem_team_t team, unsigned long long *dest,
                             const unsigned long long *source, size_t nelems);
int shmem_int8_alltoall(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
int shmem_int16_alltoall(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
int shmem_int32_alltoall(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
int shmem_int64_alltoall(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
int shmem_uint8_alltoall(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
int shmem_uint16_alltoall(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
int shmem_uint32_alltoall(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
int shmem_uint64_alltoall(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
int shmem_size_alltoall(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
int shmem_ptrdiff_alltoall(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                           size_t nelems);

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_alltoall */
int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t nelems);

/* As shmem_alltoall, with elements dst apart in dest and sst apart in source: block k begins at
 * element k * nelems * stride. Strides count elements and are at least 1.
 * Specification 1.6: shmem_alltoalls */
int shmem_float_alltoalls(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_double_alltoalls(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems);
int shmem_longdouble_alltoalls(shmem_team_t team, long double *dest, const long double *source,
                               ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_char_alltoalls(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems);
int shmem_schar_alltoalls(shmem_team_t team, signed char *dest, const signed char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_short_alltoalls(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_int_alltoalls(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t nelems);
int shmem_long_alltoalls(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems);
int shmem_longlong_alltoalls(shmem_team_t team, long long *dest, const long long *source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_uchar_alltoalls(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_ushort_alltoalls(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                           ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_uint_alltoalls(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                         ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_ulong_alltoalls(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                          ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_ulonglong_alltoalls(shmem_team_t team, unsigned long long *dest,
                              const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems);
int shmem_int8_alltoalls(shmem_team_t team, int8_t *dest, const int8_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems);
int shmem_int16_alltoalls(shmem_team_t team, int16_t *dest, const int16_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_int32_alltoalls(shmem_team_t team, int32_t *dest, const int32_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_int64_alltoalls(shmem_team_t team, int64_t *dest, const int64_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_uint8_alltoalls(shmem_team_t team, uint8_t *dest, const uint8_t *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t nelems);
int shmem_uint16_alltoalls(shmem_team_t team, uint16_t *dest, const uint16_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems);
int shmem_uint32_alltoalls(shmem_team_t team, uint32_t *dest, const uint32_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems);
int shmem_uint64_alltoalls(shmem_team_t team, uint64_t *dest, const uint64_t *source, ptrdiff_t dst,
                           ptrdiff_t sst, size_t nelems);
int shmem_size_alltoalls(shmem_team_t team, size_t *dest, const size_t *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems);
int shmem_ptrdiff_alltoalls(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t nelems);

/* The same; elements are bytes.
 * Specification 1.6: shmem_alltoalls */
int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems);

/* Copies nelems elements of source on PE PE_root of team to dest on all its PEs, the root too.
 * dest and source are symmetric. Returns 0; dest is complete then and source may be reused.
 * Specification 1.6: shmem_broadcast */
int shmem_float_broadcast(shmem_team_t team, float *dest, const float *source, size_t nelems,
                          int PE_root);
int shmem_double_broadcast(shmem_team_t team, double *dest, const double *source, size_t nelems,
                           int PE_root);
int shmem_longdouble_broadcast(shmem_team_t team, long double *dest, const long double *source,
                               size_t nelems, int PE_root);
int shmem_char_broadcast(shmem_team_t team, char *dest, const char *source, size_t nelems,
                         int PE_root);
int shmem_schar_broadcast(shmem_team_t team, signed char *dest, const signed char *source,
                          size_t nelems, int PE_root);
int shmem_short_broadcast(shmem_team_t team, short *dest, const short *source, size_t nelems,
                          int PE_root);
int shmem_int_broadcast(shmem_team_t team, int *dest, const int *source, size_t nelems,
                        int PE_root);
int shmem_long_broadcast(shmem_team_t team, long *dest, const long *source, size_t nelems,
                         int PE_root);
int shmem_longlong_broadcast(shmem_team_t team, long long *dest, const long long *source,
                             size_t nelems, int PE_root);
int shmem_uchar_broadcast(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                          size_t nelems, int PE_root);
int shmem_ushort_broadcast(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                           size_t nelems, int PE_root);
int shmem_uint_broadcast(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                         size_t nelems, int PE_root);
int shmem_ulong_broadcast(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                          size_t nelems, int PE_root);
int shmem_ulonglong_broadcast(shmem_team_t team, unsigned long long *dest,
                              const unsigned long long *source, size_t nelems, int PE_root);
int shmem_int8_broadcast(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems,
                         int PE_root);
int shmem_int16_broadcast(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems,
                          int PE_root);
int shmem_int32_broadcast(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems,
                          int PE_root);
int shmem_int64_broadcast(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems,
                          int PE_root);
int shmem_uint8_broadcast(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems,
                          int PE_root);
int shmem_uint16_broadcast(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems,
                           int PE_root);
int shmem_uint32_broadcast(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems,
                           int PE_root);
int shmem_uint64_broadcast(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems,
                           int PE_root);
int shmem_size_broadcast(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems,
                         int PE_root);
int shmem_ptrdiff_broadcast(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                            size_t nelems, int PE_root);

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_broadcast */
int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t nelems,
                       int PE_root);

/* Joins the nelems elements of source of all PEs of team, in their order, in dest on each.
 * nelems may differ between PEs and be 0. dest and source are symmetric. Returns 0; dest is
 * complete then and source may be reused.
 * Specification 1.6: shmem_collect */
int shmem_float_collect(shmem_team_t team, float *dest, const float *source, size_t nelems);
int shmem_double_collect(shmem_team_t team, double *dest, const double *source, size_t nelems);
int shmem_longdouble_collect(shmem_team_t team, long double *dest, const long double *source,
                             size_t nelems);
int shmem_char_collect(shmem_team_t team, char *dest, const char *source, size_t nelems);
int shmem_schar_collect(shmem_team_t team, signed char *dest, const signed char *source,
                        size_t nelems);
int shmem_short_collect(shmem_team_t team, short *dest, const short *source, size_t nelems);
int shmem_int_collect(shmem_team_t team, int *dest, const int *source, size_t nelems);
int shmem_long_collect(shmem_team_t team, long *dest, const long *source, size_t nelems);
int shmem_longlong_collect(shmem_team_t team, long long *dest, const long long *source,
                           size_t nelems);
int shmem_uchar_collect(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                        size_t nelems);
int shmem_ushort_collect(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                         size_t nelems);
int shmem_uint_collect(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                       size_t nelems);
int shmem_ulong_collect(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                        size_t nelems);
int shmem_ulonglong_collect(shmem_team_t team, unsigned long long *dest,
                            const unsigned long long *source, size_t nelems);
int shmem_int8_collect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
int shmem_int16_collect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
int shmem_int32_collect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
int shmem_int64_collect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
int shmem_uint8_collect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
int shmem_uint16_collect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
int shmem_uint32_collect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
int shmem_uint64_collect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
int shmem_size_collect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
int shmem_ptrdiff_collect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                          size_t nelems);

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_collect */
int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t nelems);

/* As shmem_collect, with the same nelems on all PEs.
 * Specification 1.6: shmem_collect */
int shmem_float_fcollect(shmem_team_t team, float *dest, const float *source, size_t nelems);
int shmem_double_fcollect(shmem_team_t team, double *dest, const double *source, size_t nelems);
int shmem_longdouble_fcollect(shmem_team_t team, long double *dest, const long double *source,
                              size_t nelems);
int shmem_char_fcollect(shmem_team_t team, char *dest, const char *source, size_t nelems);
int shmem_schar_fcollect(shmem_team_t team, signed char *dest, const signed char *source,
                         size_t nelems);
int shmem_short_fcollect(shmem_team_t team, short *dest, const short *source, size_t nelems);
int shmem_int_fcollect(shmem_team_t team, int *dest, const int *source, size_t nelems);
int shmem_long_fcollect(shmem_team_t team, long *dest, const long *source, size_t nelems);
int shmem_longlong_fcollect(shmem_team_t team, long long *dest, const long long *source,
                            size_t nelems);
int shmem_uchar_fcollect(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                         size_t nelems);
int shmem_ushort_fcollect(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                          size_t nelems);
int shmem_uint_fcollect(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                        size_t nelems);
int shmem_ulong_fcollect(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                         size_t nelems);
int shmem_ulonglong_fcollect(shmem_team_t team, unsigned long long *dest,
                             const unsigned long long *source, size_t nelems);
int shmem_int8_fcollect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
int shmem_int16_fcollect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
int shmem_int32_fcollect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
int shmem_int64_fcollect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
int shmem_uint8_fcollect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
int shmem_uint16_fcollect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
int shmem_uint32_fcollect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
int shmem_uint64_fcollect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
int shmem_size_fcollect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
int shmem_ptrdiff_fcollect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                           size_t nelems);

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_collect */
int shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t nelems);

/* Collectives over active sets, deprecated since 1.5 =========================================== */

/* Waits for the PE_size PEs PE_start, PE_start + 2^logPE_stride, ... of the world, and completes
 * their operations. pSync: SHMEM_BARRIER_SYNC_SIZE longs, symmetric, set to SHMEM_SYNC_VALUE.
 * Specification 1.6: shmem_barrier */
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_quiet and shmem_team_sync");

/* The same, but completes stores alone.
 * Specification 1.6: shmem_sync */
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_team_sync");

/* shmem_alltoall over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_ALLTOALL_SYNC_SIZE longs.
 * Specification 1.6: shmem_alltoall */
void shmem_alltoall32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long *pSync)
    sheaf_deprecated("use shmem_alltoall with a team");
void shmem_alltoall64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long *pSync)
    sheaf_deprecated("use shmem_alltoall with a team");

/* shmem_alltoalls over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_ALLTOALLS_SYNC_SIZE longs.
 * Specification 1.6: shmem_alltoalls */
void shmem_alltoalls32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       int PE_start, int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_alltoalls with a team");
void shmem_alltoalls64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       int PE_start, int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_alltoalls with a team");

/* Copies nelems elements of 32 or 64 bits of source on the active set's PE number PE_root to
 * dest on the others; the root's dest stays as it was. pSync: SHMEM_BCAST_SYNC_SIZE longs.
 * Specification 1.6: shmem_broadcast */
void shmem_broadcast32(void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_broadcast with a team");
void shmem_broadcast64(void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long *pSync)
    sheaf_deprecated("use shmem_broadcast with a team");

/* shmem_collect over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_COLLECT_SYNC_SIZE longs.
 * Specification 1.6: shmem_collect */
void shmem_collect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                     int PE_size, long *pSync)
    sheaf_deprecated("use shmem_collect with a team");
void shmem_collect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                     int PE_size, long *pSync)
    sheaf_deprecated("use shmem_collect with a team");

/* The same with one nelems on all PEs.
 * Specification 1.6: shmem_collect */
void shmem_fcollect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long *pSync)
    sheaf_deprecated("use shmem_fcollect with a team");
void shmem_fcollect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long *pSync)
    sheaf_deprecated("use shmem_fcollect with a team");

/* Reductions over an active set: element i of dest on every PE becomes the combination of
 * element i of source on all. dest may be source. pWrk: the larger of nreduce / 2 + 1 and
 * SHMEM_REDUCE_MIN_WRKDATA_SIZE elements; pSync: SHMEM_REDUCE_SYNC_SIZE longs; all symmetric.
 * Specification 1.6: shmem_reductions */
void shmem_short_and_to_all(short *dest, const short *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_and_reduce with a team");
void shmem_int_and_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                          int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_and_reduce with a team");
void shmem_long_and_to_all(long *dest, const long *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_and_reduce with a team");
void shmem_longlong_and_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                               int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_and_reduce with a team");
void shmem_short_or_to_all(short *dest, const short *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_or_reduce with a team");
void shmem_int_or_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                         int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_or_reduce with a team");
void shmem_long_or_to_all(long *dest, const long *source, int nreduce, int PE_start,
                          int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_or_reduce with a team");
void shmem_longlong_or_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                              int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_or_reduce with a team");
void shmem_short_xor_to_all(short *dest, const short *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_xor_reduce with a team");
void shmem_int_xor_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                          int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_xor_reduce with a team");
void shmem_long_xor_to_all(long *dest, const long *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_xor_reduce with a team");
void shmem_longlong_xor_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                               int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_xor_reduce with a team");
void shmem_short_max_to_all(short *dest, const short *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_int_max_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                          int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_long_max_to_all(long *dest, const long *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_longlong_max_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                               int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_float_max_to_all(float *dest, const float *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, float *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_double_max_to_all(double *dest, const double *source, int nreduce, int PE_start,
                             int logPE_stride, int PE_size, double *pWrk, long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_longdouble_max_to_all(long double *dest, const long double *source, int nreduce,
                                 int PE_start, int logPE_stride, int PE_size, long double *pWrk,
                                 long *pSync)
    sheaf_deprecated("use shmem_max_reduce with a team");
void shmem_short_min_to_all(short *dest, const short *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_int_min_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                          int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_long_min_to_all(long *dest, const long *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_longlong_min_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                               int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_float_min_to_all(float *dest, const float *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, float *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_double_min_to_all(double *dest, const double *source, int nreduce, int PE_start,
                             int logPE_stride, int PE_size, double *pWrk, long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_longdouble_min_to_all(long double *dest, const long double *source, int nreduce,
                                 int PE_start, int logPE_stride, int PE_size, long double *pWrk,
                                 long *pSync)
    sheaf_deprecated("use shmem_min_reduce with a team");
void shmem_short_sum_to_all(short *dest, const short *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_int_sum_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride,
                          int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_long_sum_to_all(long *dest, const long *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_longlong_sum_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                               int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_float_sum_to_all(float *dest, const float *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, float *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_double_sum_to_all(double *dest, const double *source, int nreduce, int PE_start,
                             int logPE_stride, int PE_size, double *pWrk, long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_longdouble_sum_to_all(long double *dest, const long double *source, int nreduce,
                                 int PE_start, int logPE_stride, int PE_size, long double *pWrk,
                                 long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_complexf_sum_to_all(sheaf_complexf *dest, const sheaf_complexf *source, int nreduce,
                               int PE_start, int logPE_stride, int PE_size, sheaf_complexf *pWrk,
                               long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_complexd_sum_to_all(sheaf_complexd *dest, const sheaf_complexd *source, int nreduce,
                               int PE_start, int logPE_stride, int PE_size, sheaf_complexd *pWrk,
                               long *pSync)
    sheaf_deprecated("use shmem_sum_reduce with a team");
void shmem_short_prod_to_all(short *dest, const short *source, int nreduce, int PE_start,
                             int logPE_stride, int PE_size, short *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_int_prod_to_all(int *dest, const int *source, int nreduce, int PE_start,
                           int logPE_stride, int PE_size, int *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_long_prod_to_all(long *dest, const long *source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_longlong_prod_to_all(long long *dest, const long long *source, int nreduce, int PE_start,
                                int logPE_stride, int PE_size, long long *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_float_prod_to_all(float *dest, const float *source, int nreduce, int PE_start,
                             int logPE_stride, int PE_size, float *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_double_prod_to_all(double *dest, const double *source, int nreduce, int PE_start,
                              int logPE_stride, int PE_size, double *pWrk, long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_longdouble_prod_to_all(long double *dest, const long double *source, int nreduce,
                                  int PE_start, int logPE_stride, int PE_size, long double *pWrk,
                                  long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_complexf_prod_to_all(sheaf_complexf *dest, const sheaf_complexf *source, int nreduce,
                                int PE_start, int logPE_stride, int PE_size, sheaf_complexf *pWrk,
                                long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");
void shmem_complexd_prod_to_all(sheaf_complexd *dest, const sheaf_complexd *source, int nreduce,
                                int PE_start, int logPE_stride, int PE_size, sheaf_complexd *pWrk,
                                long *pSync)
    sheaf_deprecated("use shmem_prod_reduce with a team");

/* Reductions and scans over teams ============================================================== */

/* Reductions: element i of dest, nreduce of them, becomes on every PE of team the bitwise and of
 * element i of source on all of them. dest and source are symmetric and may be the same.
 * Returns 0; dest is complete then and source may be reused.
 * Specification 1.6: shmem_reductions */
int shmem_uchar_and_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nreduce);
int shmem_ushort_and_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nreduce);
int shmem_uint_and_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nreduce);
int shmem_ulong_and_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nreduce);
int shmem_ulonglong_and_reduce(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nreduce);
int shmem_int8_and_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_and_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_and_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_and_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_and_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_and_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nreduce);
int shmem_uint32_and_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nreduce);
int shmem_uint64_and_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nreduce);
int shmem_size_and_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_short_and_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_and_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_and_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_and_reduce(shmem_team_t team, long long *dest, const long long *source,
                              size_t nreduce);

/* The bitwise or. Specification 1.6: shmem_reductions */
int shmem_uchar_or_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                          size_t nreduce);
int shmem_ushort_or_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                           size_t nreduce);
int shmem_uint_or_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                         size_t nreduce);
int shmem_ulong_or_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                          size_t nreduce);
int shmem_ulonglong_or_reduce(shmem_team_t team, unsigned long long *dest,
                              const unsigned long long *source, size_t nreduce);
int shmem_int8_or_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_or_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_or_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_or_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_or_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_or_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                           size_t nreduce);
int shmem_uint32_or_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                           size_t nreduce);
int shmem_uint64_or_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                           size_t nreduce);
int shmem_size_or_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_short_or_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_or_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_or_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_or_reduce(shmem_team_t team, long long *dest, const long long *source,
                             size_t nreduce);

/* The bitwise exclusive or. Specification 1.6: shmem_reductions */
int shmem_uchar_xor_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nreduce);
int shmem_ushort_xor_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nreduce);
int shmem_uint_xor_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nreduce);
int shmem_ulong_xor_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nreduce);
int shmem_ulonglong_xor_reduce(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nreduce);
int shmem_int8_xor_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_xor_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_xor_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_xor_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_xor_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_xor_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nreduce);
int shmem_uint32_xor_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nreduce);
int shmem_uint64_xor_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nreduce);
int shmem_size_xor_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_short_xor_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_xor_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_xor_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_xor_reduce(shmem_team_t team, long long *dest, const long long *source,
                              size_t nreduce);

/* The greatest. Specification 1.6: shmem_reductions */
int shmem_float_max_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
int shmem_double_max_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
int shmem_longdouble_max_reduce(shmem_team_t team, long double *dest, const long double *source,
                                size_t nreduce);
int shmem_char_max_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
int shmem_schar_max_reduce(shmem_team_t team, signed char *dest, const signed char *source,
                           size_t nreduce);
int shmem_short_max_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_max_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_max_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_max_reduce(shmem_team_t team, long long *dest, const long long *source,
                              size_t nreduce);
int shmem_uchar_max_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nreduce);
int shmem_ushort_max_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nreduce);
int shmem_uint_max_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nreduce);
int shmem_ulong_max_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nreduce);
int shmem_ulonglong_max_reduce(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nreduce);
int shmem_int8_max_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_max_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_max_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_max_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_max_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_max_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nreduce);
int shmem_uint32_max_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nreduce);
int shmem_uint64_max_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nreduce);
int shmem_size_max_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_ptrdiff_max_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                             size_t nreduce);

/* The least. Specification 1.6: shmem_reductions */
int shmem_float_min_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
int shmem_double_min_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
int shmem_longdouble_min_reduce(shmem_team_t team, long double *dest, const long double *source,
                                size_t nreduce);
int shmem_char_min_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
int shmem_schar_min_reduce(shmem_team_t team, signed char *dest, const signed char *source,
                           size_t nreduce);
int shmem_short_min_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_min_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_min_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_min_reduce(shmem_team_t team, long long *dest, const long long *source,
                              size_t nreduce);
int shmem_uchar_min_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nreduce);
int shmem_ushort_min_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nreduce);
int shmem_uint_min_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nreduce);
int shmem_ulong_min_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nreduce);
int shmem_ulonglong_min_reduce(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nreduce);
int shmem_int8_min_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_min_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_min_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_min_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_min_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_min_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nreduce);
int shmem_uint32_min_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nreduce);
int shmem_uint64_min_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nreduce);
int shmem_size_min_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_ptrdiff_min_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                             size_t nreduce);

/* The sum. Specification 1.6: shmem_reductions */
int shmem_float_sum_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
int shmem_double_sum_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
int shmem_longdouble_sum_reduce(shmem_team_t team, long double *dest, const long double *source,
                                size_t nreduce);
int shmem_char_sum_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
int shmem_schar_sum_reduce(shmem_team_t team, signed char *dest, const signed char *source,
                           size_t nreduce);
int shmem_short_sum_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_sum_reduce(shmem_team_t team, long long *dest, const long long *source,
                              size_t nreduce);
int shmem_uchar_sum_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nreduce);
int shmem_ushort_sum_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nreduce);
int shmem_uint_sum_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nreduce);
int shmem_ulong_sum_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nreduce);
int shmem_ulonglong_sum_reduce(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nreduce);
int shmem_int8_sum_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_sum_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
int shmem_int32_sum_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
int shmem_int64_sum_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
int shmem_uint8_sum_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nreduce);
int shmem_uint32_sum_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nreduce);
int shmem_uint64_sum_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nreduce);
int shmem_size_sum_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_ptrdiff_sum_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                             size_t nreduce);
int shmem_complexf_sum_reduce(shmem_team_t team, sheaf_complexf *dest, const sheaf_complexf *source,
                              size_t nreduce);
int shmem_complexd_sum_reduce(shmem_team_t team, sheaf_complexd *dest, const sheaf_complexd *source,
                              size_t nreduce);

/* The product. Specification 1.6: shmem_reductions */
int shmem_float_prod_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
int shmem_double_prod_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
int shmem_longdouble_prod_reduce(shmem_team_t team, long double *dest, const long double *source,
                                 size_t nreduce);
int shmem_char_prod_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
int shmem_schar_prod_reduce(shmem_team_t team, signed char *dest, const signed char *source,
                            size_t nreduce);
int shmem_short_prod_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
int shmem_int_prod_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
int shmem_long_prod_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
int shmem_longlong_prod_reduce(shmem_team_t team, long long *dest, const long long *source,
                               size_t nreduce);
int shmem_uchar_prod_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                            size_t nreduce);
int shmem_ushort_prod_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                             size_t nreduce);
int shmem_uint_prod_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                           size_t nreduce);
int shmem_ulong_prod_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                            size_t nreduce);
int shmem_ulonglong_prod_reduce(shmem_team_t team, unsigned long long *dest,
                                const unsigned long long *source, size_t nreduce);
int shmem_int8_prod_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
int shmem_int16_prod_reduce(shmem_team_t team, int16_t *dest, const int16_t *source,
                            size_t nreduce);
int shmem_int32_prod_reduce(shmem_team_t team, int32_t *dest, const int32_t *source,
                            size_t nreduce);
int shmem_int64_prod_reduce(shmem_team_t team, int64_t *dest, const int64_t *source,
                            size_t nreduce);
int shmem_uint8_prod_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source,
                            size_t nreduce);
int shmem_uint16_prod_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                             size_t nreduce);
int shmem_uint32_prod_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                             size_t nreduce);
int shmem_uint64_prod_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                             size_t nreduce);
int shmem_size_prod_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
int shmem_ptrdiff_prod_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                              size_t nreduce);
int shmem_complexf_prod_reduce(shmem_team_t team, sheaf_complexf *dest,
                               const sheaf_complexf *source, size_t nreduce);
int shmem_complexd_prod_reduce(shmem_team_t team, sheaf_complexd *dest,
                               const sheaf_complexd *source, size_t nreduce);

/* Scans: element i of dest becomes the sum of element i of source on PEs 0 to the caller's own
 * number in team. dest and source are symmetric and may be the same. Returns 0; dest is complete
 * then and source may be reused.
 * Specification 1.6: shmem_scan */
int shmem_float_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nelems);
int shmem_double_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nelems);
int shmem_longdouble_sum_inscan(shmem_team_t team, long double *dest, const long double *source,
                                size_t nelems);
int shmem_char_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nelems);
int shmem_schar_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source,
                           size_t nelems);
int shmem_short_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nelems);
int shmem_int_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems);
int shmem_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems);
int shmem_longlong_sum_inscan(shmem_team_t team, long long *dest, const long long *source,
                              size_t nelems);
int shmem_uchar_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nelems);
int shmem_ushort_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nelems);
int shmem_uint_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nelems);
int shmem_ulong_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nelems);
int shmem_ulonglong_sum_inscan(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nelems);
int shmem_int8_sum_inscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
int shmem_int16_sum_inscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
int shmem_int32_sum_inscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
int shmem_int64_sum_inscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
int shmem_uint8_sum_inscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
int shmem_uint16_sum_inscan(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nelems);
int shmem_uint32_sum_inscan(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nelems);
int shmem_uint64_sum_inscan(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nelems);
int shmem_size_sum_inscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
int shmem_ptrdiff_sum_inscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                             size_t nelems);
int shmem_complexf_sum_inscan(shmem_team_t team, sheaf_complexf *dest, const sheaf_complexf *source,
                              size_t nelems);
int shmem_complexd_sum_inscan(shmem_team_t team, sheaf_complexd *dest, const sheaf_complexd *source,
                              size_t nelems);

/* The same without the caller's own; 0 on PE 0.
 * Specification 1.6: shmem_scan */
int shmem_float_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nelems);
int shmem_double_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nelems);
int shmem_longdouble_sum_exscan(shmem_team_t team, long double *dest, const long double *source,
                                size_t nelems);
int shmem_char_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nelems);
int shmem_schar_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source,
                           size_t nelems);
int shmem_short_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nelems);
int shmem_int_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nelems);
int shmem_long_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nelems);
int shmem_longlong_sum_exscan(shmem_team_t team, long long *dest, const long long *source,
                              size_t nelems);
int shmem_uchar_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source,
                           size_t nelems);
int shmem_ushort_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source,
                            size_t nelems);
int shmem_uint_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source,
                          size_t nelems);
int shmem_ulong_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source,
                           size_t nelems);
int shmem_ulonglong_sum_exscan(shmem_team_t team, unsigned long long *dest,
                               const unsigned long long *source, size_t nelems);
int shmem_int8_sum_exscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
int shmem_int16_sum_exscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
int shmem_int32_sum_exscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
int shmem_int64_sum_exscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
int shmem_uint8_sum_exscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
int shmem_uint16_sum_exscan(shmem_team_t team, uint16_t *dest, const uint16_t *source,
                            size_t nelems);
int shmem_uint32_sum_exscan(shmem_team_t team, uint32_t *dest, const uint32_t *source,
                            size_t nelems);
int shmem_uint64_sum_exscan(shmem_team_t team, uint64_t *dest, const uint64_t *source,
                            size_t nelems);
int shmem_size_sum_exscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
int shmem_ptrdiff_sum_exscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source,
                             size_t nelems);
int shmem_complexf_sum_exscan(shmem_team_t team, sheaf_complexf *dest, const sheaf_complexf *source,
                              size_t nelems);
int shmem_complexd_sum_exscan(shmem_team_t team, sheaf_complexd *dest, const sheaf_complexd *source,
                              size_t nelems);

/* Point-to-point synchronization =============================================================== */

/* Waits until *ivar, a symmetric variable of the calling PE, stands in relation cmp
 * (SHMEM_CMP_EQ, ...) to cmp_value. What other PEs ordered before the update is visible then.
 * The forms for short and unsigned short are deprecated since 1.5.
 * Specification 1.6: shmem_wait_until */
void shmem_int_wait_until(int *ivar, int cmp, int cmp_value);
void shmem_long_wait_until(long *ivar, int cmp, long cmp_value);
void shmem_longlong_wait_until(long long *ivar, int cmp, long long cmp_value);
void shmem_uint_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value);
void shmem_ulong_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value);
void shmem_ulonglong_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value);
void shmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value);
void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
void shmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value);
void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value);
void shmem_size_wait_until(size_t *ivar, int cmp, size_t cmp_value);
void shmem_ptrdiff_wait_until(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value);
void shmem_short_wait_until(short *ivar, int cmp, short cmp_value);
void shmem_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value);

/* The same for long by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_wait_until */
void shmem_wait_until(long *ivar, int cmp, long cmp_value);

/* Waits until *ivar is not cmp_value; deprecated since 1.4.
 * Specification 1.6: shmem_wait_until */
void shmem_wait(long *ivar, long cmp_value)
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE");
void shmem_short_wait(short *ivar, short cmp_value)
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE");
void shmem_int_wait(int *ivar, int cmp_value)
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE");
void shmem_long_wait(long *ivar, long cmp_value)
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE");
void shmem_longlong_wait(long long *ivar, long long cmp_value)
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE");

/* 1 when *ivar, a symmetric variable of the calling PE, stands in relation cmp to cmp_value, 0
 * when not. The forms for short and unsigned short are deprecated since 1.5.
 * Specification 1.6: shmem_test */
int shmem_int_test(int *ivar, int cmp, int cmp_value);
int shmem_long_test(long *ivar, int cmp, long cmp_value);
int shmem_longlong_test(long long *ivar, int cmp, long long cmp_value);
int shmem_uint_test(unsigned int *ivar, int cmp, unsigned int cmp_value);
int shmem_ulong_test(unsigned long *ivar, int cmp, unsigned long cmp_value);
int shmem_ulonglong_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value);
int shmem_int32_test(int32_t *ivar, int cmp, int32_t cmp_value);
int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value);
int shmem_uint32_test(uint32_t *ivar, int cmp, uint32_t cmp_value);
int shmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value);
int shmem_size_test(size_t *ivar, int cmp, size_t cmp_value);
int shmem_ptrdiff_test(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value);
int shmem_short_test(short *ivar, int cmp, short cmp_value);
int shmem_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value);

/* Waits until the calling PE's signal object stands in relation cmp to cmp_value. Returns the
 * value that did.
 * Specification 1.6: shmem_signal_wait_until */
uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

/* Point-to-point synchronization on sets of variables ========================================== */

/* Waits until all variables of a set stand in relation cmp to cmp_value. The set is the nelems
 * elements of ivars, symmetric, on the calling PE, without those whose element of status is
 * nonzero; status may be NULL. An empty set does not wait.
 * Specification 1.6: shmem_wait_until_all */
void shmem_int_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
void shmem_long_wait_until_all(long *ivars, size_t nelems, const int *status, int cmp,
                               long cmp_value);
void shmem_longlong_wait_until_all(long long *ivars, size_t nelems, const int *status, int cmp,
                                   long long cmp_value);
void shmem_uint_wait_until_all(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                               unsigned int cmp_value);
void shmem_ulong_wait_until_all(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                                unsigned long cmp_value);
void shmem_ulonglong_wait_until_all(unsigned long long *ivars, size_t nelems, const int *status,
                                    int cmp, unsigned long long cmp_value);
void shmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                int32_t cmp_value);
void shmem_int64_wait_until_all(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                int64_t cmp_value);
void shmem_uint32_wait_until_all(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                                 uint32_t cmp_value);
void shmem_uint64_wait_until_all(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                                 uint64_t cmp_value);
void shmem_size_wait_until_all(size_t *ivars, size_t nelems, const int *status, int cmp,
                               size_t cmp_value);
void shmem_ptrdiff_wait_until_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                                  ptrdiff_t cmp_value);
void shmem_short_wait_until_all(short *ivars, size_t nelems, const int *status, int cmp,
                                short cmp_value);
void shmem_ushort_wait_until_all(unsigned short *ivars, size_t nelems, const int *status, int cmp,
                                 unsigned short cmp_value);

/* Waits until one of the set does, and returns its index. Calls return satisfied variables in
 * turn. SIZE_MAX for an empty set.
 * Specification 1.6: shmem_wait_until_any */
size_t shmem_int_wait_until_any(int *ivars, size_t nelems, const int *status, int cmp,
                                int cmp_value);
size_t shmem_long_wait_until_any(long *ivars, size_t nelems, const int *status, int cmp,
                                 long cmp_value);
size_t shmem_longlong_wait_until_any(long long *ivars, size_t nelems, const int *status, int cmp,
                                     long long cmp_value);
size_t shmem_uint_wait_until_any(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                                 unsigned int cmp_value);
size_t shmem_ulong_wait_until_any(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                                  unsigned long cmp_value);
size_t shmem_ulonglong_wait_until_any(unsigned long long *ivars, size_t nelems, const int *status,
                                      int cmp, unsigned long long cmp_value);
size_t shmem_int32_wait_until_any(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                  int32_t cmp_value);
size_t shmem_int64_wait_until_any(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                  int64_t cmp_value);
size_t shmem_uint32_wait_until_any(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                                   uint32_t cmp_value);
size_t shmem_uint64_wait_until_any(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                                   uint64_t cmp_value);
size_t shmem_size_wait_until_any(size_t *ivars, size_t nelems, const int *status, int cmp,
                                 size_t cmp_value);
size_t shmem_ptrdiff_wait_until_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                                    ptrdiff_t cmp_value);
size_t shmem_short_wait_until_any(short *ivars, size_t nelems, const int *status, int cmp,
                                  short cmp_value);
size_t shmem_ushort_wait_until_any(unsigned short *ivars, size_t nelems, const int *status, int cmp,
                                   unsigned short cmp_value);

/* Waits until at least one of the set does; writes the indices of those that do to indices,
 * which holds nelems, and returns their number. 0 for an empty set.
 * Specification 1.6: shmem_wait_until_some */
size_t shmem_int_wait_until_some(int *ivars, size_t nelems, size_t *indices, const int *status,
                                 int cmp, int cmp_value);
size_t shmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status,
                                  int cmp, long cmp_value);
size_t shmem_longlong_wait_until_some(long long *ivars, size_t nelems, size_t *indices,
                                      const int *status, int cmp, long long cmp_value);
size_t shmem_uint_wait_until_some(unsigned int *ivars, size_t nelems, size_t *indices,
                                  const int *status, int cmp, unsigned int cmp_value);
size_t shmem_ulong_wait_until_some(unsigned long *ivars, size_t nelems, size_t *indices,
                                   const int *status, int cmp, unsigned long cmp_value);
size_t shmem_ulonglong_wait_until_some(unsigned long long *ivars, size_t nelems, size_t *indices,
                                       const int *status, int cmp, unsigned long long cmp_value);
size_t shmem_int32_wait_until_some(int32_t *ivars, size_t nelems, size_t *indices,
                                   const int *status, int cmp, int32_t cmp_value);
size_t shmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices,
                                   const int *status, int cmp, int64_t cmp_value);
size_t shmem_uint32_wait_until_some(uint32_t *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, uint32_t cmp_value);
size_t shmem_uint64_wait_until_some(uint64_t *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, uint64_t cmp_value);
size_t shmem_size_wait_until_some(size_t *ivars, size_t nelems, size_t *indices, const int *status,
                                  int cmp, size_t cmp_value);
size_t shmem_ptrdiff_wait_until_some(ptrdiff_t *ivars, size_t nelems, size_t *indices,
                                     const int *status, int cmp, ptrdiff_t cmp_value);
size_t shmem_short_wait_until_some(short *ivars, size_t nelems, size_t *indices, const int *status,
                                   int cmp, short cmp_value);
size_t shmem_ushort_wait_until_some(unsigned short *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, unsigned short cmp_value);

/* As shmem_wait_until_all, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_all_vector */
void shmem_int_wait_until_all_vector(int *ivars, size_t nelems, const int *status, int cmp,
                                     const int *cmp_values);
void shmem_long_wait_until_all_vector(long *ivars, size_t nelems, const int *status, int cmp,
                                      const long *cmp_values);
void shmem_longlong_wait_until_all_vector(long long *ivars, size_t nelems, const int *status,
                                          int cmp, const long long *cmp_values);
void shmem_uint_wait_until_all_vector(unsigned int *ivars, size_t nelems, const int *status,
                                      int cmp, const unsigned int *cmp_values);
void shmem_ulong_wait_until_all_vector(unsigned long *ivars, size_t nelems, const int *status,
                                       int cmp, const unsigned long *cmp_values);
void shmem_ulonglong_wait_until_all_vector(unsigned long long *ivars, size_t nelems,
                                           const int *status, int cmp,
                                           const unsigned long long *cmp_values);
void shmem_int32_wait_until_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                       const int32_t *cmp_values);
void shmem_int64_wait_until_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                       const int64_t *cmp_values);
void shmem_uint32_wait_until_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                                        const uint32_t *cmp_values);
void shmem_uint64_wait_until_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                                        const uint64_t *cmp_values);
void shmem_size_wait_until_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp,
                                      const size_t *cmp_values);
void shmem_ptrdiff_wait_until_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status,
                                         int cmp, const ptrdiff_t *cmp_values);
void shmem_short_wait_until_all_vector(short *ivars, size_t nelems, const int *status, int cmp,
                                       const short *cmp_values);
void shmem_ushort_wait_until_all_vector(unsigned short *ivars, size_t nelems, const int *status,
                                        int cmp, const unsigned short *cmp_values);

/* As shmem_wait_until_any, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_any_vector */
size_t shmem_int_wait_until_any_vector(int *ivars, size_t nelems, const int *status, int cmp,
                                       const int *cmp_values);
size_t shmem_long_wait_until_any_vector(long *ivars, size_t nelems, const int *status, int cmp,
                                        const long *cmp_values);
size_t shmem_longlong_wait_until_any_vector(long long *ivars, size_t nelems, const int *status,
                                            int cmp, const long long *cmp_values);
size_t shmem_uint_wait_until_any_vector(unsigned int *ivars, size_t nelems, const int *status,
                                        int cmp, const unsigned int *cmp_values);
size_t shmem_ulong_wait_until_any_vector(unsigned long *ivars, size_t nelems, const int *status,
                                         int cmp, const unsigned long *cmp_values);
size_t shmem_ulonglong_wait_until_any_vector(unsigned long long *ivars, size_t nelems,
                                             const int *status, int cmp,
                                             const unsigned long long *cmp_values);
size_t shmem_int32_wait_until_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                         const int32_t *cmp_values);
size_t shmem_int64_wait_until_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                         const int64_t *cmp_values);
size_t shmem_uint32_wait_until_any_vector(uint32_t *ivars, size_t nelems, const int *status,
                                          int cmp, const uint32_t *cmp_values);
size_t shmem_uint64_wait_until_any_vector(uint64_t *ivars, size_t nelems, const int *status,
                                          int cmp, const uint64_t *cmp_values);
size_t shmem_size_wait_until_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp,
                                        const size_t *cmp_values);
size_t shmem_ptrdiff_wait_until_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status,
                                           int cmp, const ptrdiff_t *cmp_values);
size_t shmem_short_wait_until_any_vector(short *ivars, size_t nelems, const int *status, int cmp,
                                         const short *cmp_values);
size_t shmem_ushort_wait_until_any_vector(unsigned short *ivars, size_t nelems, const int *status,
                                          int cmp, const unsigned short *cmp_values);

/* As shmem_wait_until_some, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_some_vector */
size_t shmem_int_wait_until_some_vector(int *ivars, size_t nelems, size_t *indices,
                                        const int *status, int cmp, const int *cmp_values);
size_t shmem_long_wait_until_some_vector(long *ivars, size_t nelems, size_t *indices,
                                         const int *status, int cmp, const long *cmp_values);
size_t shmem_longlong_wait_until_some_vector(long long *ivars, size_t nelems, size_t *indices,
                                             const int *status, int cmp,
                                             const long long *cmp_values);
size_t shmem_uint_wait_until_some_vector(unsigned int *ivars, size_t nelems, size_t *indices,
                                         const int *status, int cmp,
                                         const unsigned int *cmp_values);
size_t shmem_ulong_wait_until_some_vector(unsigned long *ivars, size_t nelems, size_t *indices,
                                          const int *status, int cmp,
                                          const unsigned long *cmp_values);
size_t shmem_ulonglong_wait_until_some_vector(unsigned long long *ivars, size_t nelems,
                                              size_t *indices, const int *status, int cmp,
                                              const unsigned long long *cmp_values);
size_t shmem_int32_wait_until_some_vector(int32_t *ivars, size_t nelems, size_t *indices,
                                          const int *status, int cmp, const int32_t *cmp_values);
size_t shmem_int64_wait_until_some_vector(int64_t *ivars, size_t nelems, size_t *indices,
                                          const int *status, int cmp, const int64_t *cmp_values);
size_t shmem_uint32_wait_until_some_vector(uint32_t *ivars, size_t nelems, size_t *indices,
                                           const int *status, int cmp, const uint32_t *cmp_values);
size_t shmem_uint64_wait_until_some_vector(uint64_t *ivars, size_t nelems, size_t *indices,
                                           const int *status, int cmp, const uint64_t *cmp_values);
size_t shmem_size_wait_until_some_vector(size_t *ivars, size_t nelems, size_t *indices,
                                         const int *status, int cmp, const size_t *cmp_values);
size_t shmem_ptrdiff_wait_until_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices,
                                            const int *status, int cmp,
                                            const ptrdiff_t *cmp_values);
size_t shmem_short_wait_until_some_vector(short *ivars, size_t nelems, size_t *indices,
                                          const int *status, int cmp, const short *cmp_values);
size_t shmem_ushort_wait_until_some_vector(unsigned short *ivars, size_t nelems, size_t *indices,
                                           const int *status, int cmp,
                                           const unsigned short *cmp_values);

/* 1 when all variables of the set stand in relation cmp to cmp_value, 0 when not. 1 for an empty
 * set. The set is as with shmem_wait_until_all.
 * Specification 1.6: shmem_test_all */
int shmem_int_test_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
int shmem_long_test_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
int shmem_longlong_test_all(long long *ivars, size_t nelems, const int *status, int cmp,
                            long long cmp_value);
int shmem_uint_test_all(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                        unsigned int cmp_value);
int shmem_ulong_test_all(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                         unsigned long cmp_value);
int shmem_ulonglong_test_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp,
                             unsigned long long cmp_value);
int shmem_int32_test_all(int32_t *ivars, size_t nelems, const int *status, int cmp,
                         int32_t cmp_value);
int shmem_int64_test_all(int64_t *ivars, size_t nelems, const int *status, int cmp,
                         int64_t cmp_value);
int shmem_uint32_test_all(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                          uint32_t cmp_value);
int shmem_uint64_test_all(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                          uint64_t cmp_value);
int shmem_size_test_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value);
int shmem_ptrdiff_test_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                           ptrdiff_t cmp_value);
int shmem_short_test_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value);
int shmem_ushort_test_all(unsigned short *ivars, size_t nelems, const int *status, int cmp,
                          unsigned short cmp_value);

/* The index of one of the set that does; SIZE_MAX when none does. Calls return satisfied
 * variables in turn.
 * Specification 1.6: shmem_test_any */
size_t shmem_int_test_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
size_t shmem_long_test_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
size_t shmem_longlong_test_any(long long *ivars, size_t nelems, const int *status, int cmp,
                               long long cmp_value);
size_t shmem_uint_test_any(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                           unsigned int cmp_value);
size_t shmem_ulong_test_any(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                            unsigned long cmp_value);
size_t shmem_ulonglong_test_any(unsigned long long *ivars, size_t nelems, const int *status,
                                int cmp, unsigned long long cmp_value);
size_t shmem_int32_test_any(int32_t *ivars, size_t nelems, const int *status, int cmp,
                            int32_t cmp_value);
size_t shmem_int64_test_any(int64_t *ivars, size_t nelems, const int *status, int cmp,
                            int64_t cmp_value);
size_t shmem_uint32_test_any(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                             uint32_t cmp_value);
size_t shmem_uint64_test_any(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                             uint64_t cmp_value);
size_t shmem_size_test_any(size_t *ivars, size_t nelems, const int *status, int cmp,
                           size_t cmp_value);
size_t shmem_ptrdiff_test_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                              ptrdiff_t cmp_value);
size_t shmem_short_test_any(short *ivars, size_t nelems, const int *status, int cmp,
                            short cmp_value);
size_t shmem_ushort_test_any(unsigned short *ivars, size_t nelems, const int *status, int cmp,
                             unsigned short cmp_value);

/* Writes the indices of those of the set that do to indices, which holds nelems, and returns
 * their number.
 * Specification 1.6: shmem_test_some */
size_t shmem_int_test_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp,
                           int cmp_value);
size_t shmem_long_test_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp,
                            long cmp_value);
size_t shmem_longlong_test_some(long long *ivars, size_t nelems, size_t *indices, const int *status,
                                int cmp, long long cmp_value);
size_t shmem_uint_test_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status,
                            int cmp, unsigned int cmp_value);
size_t shmem_ulong_test_some(unsigned long *ivars, size_t nelems, size_t *indices,
                             const int *status, int cmp, unsigned long cmp_value);
size_t shmem_ulonglong_test_some(unsigned long long *ivars, size_t nelems, size_t *indices,
                                 const int *status, int cmp, unsigned long long cmp_value);
size_t shmem_int32_test_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status,
                             int cmp, int32_t cmp_value);
size_t shmem_int64_test_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status,
                             int cmp, int64_t cmp_value);
size_t shmem_uint32_test_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status,
                              int cmp, uint32_t cmp_value);
size_t shmem_uint64_test_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status,
                              int cmp, uint64_t cmp_value);
size_t shmem_size_test_some(size_t *ivars, size_t nelems, size_t *indices, const int *status,
                            int cmp, size_t cmp_value);
size_t shmem_ptrdiff_test_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status,
                               int cmp, ptrdiff_t cmp_value);
size_t shmem_short_test_some(short *ivars, size_t nelems, size_t *indices, const int *status,
                             int cmp, short cmp_value);
size_t shmem_ushort_test_some(unsigned short *ivars, size_t nelems, size_t *indices,
                              const int *status, int cmp, unsigned short cmp_value);

/* As shmem_test_all, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_all_vector */
int shmem_int_test_all_vector(int *ivars, size_t nelems, const int *status, int cmp,
                              const int *cmp_values);
int shmem_long_test_all_vector(long *ivars, size_t nelems, const int *status, int cmp,
                               const long *cmp_values);
int shmem_longlong_test_all_vector(long long *ivars, size_t nelems, const int *status, int cmp,
                                   const long long *cmp_values);
int shmem_uint_test_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                               const unsigned int *cmp_values);
int shmem_ulong_test_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                                const unsigned long *cmp_values);
int shmem_ulonglong_test_all_vector(unsigned long long *ivars, size_t nelems, const int *status,
                                    int cmp, const unsigned long long *cmp_values);
int shmem_int32_test_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                const int32_t *cmp_values);
int shmem_int64_test_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                const int64_t *cmp_values);
int shmem_uint32_test_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                                 const uint32_t *cmp_values);
int shmem_uint64_test_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                                 const uint64_t *cmp_values);
int shmem_size_test_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp,
                               const size_t *cmp_values);
int shmem_ptrdiff_test_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                                  const ptrdiff_t *cmp_values);
int shmem_short_test_all_vector(short *ivars, size_t nelems, const int *status, int cmp,
                                const short *cmp_values);
int shmem_ushort_test_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp,
                                 const unsigned short *cmp_values);

/* As shmem_test_any, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_any_vector */
size_t shmem_int_test_any_vector(int *ivars, size_t nelems, const int *status, int cmp,
                                 const int *cmp_values);
size_t shmem_long_test_any_vector(long *ivars, size_t nelems, const int *status, int cmp,
                                  const long *cmp_values);
size_t shmem_longlong_test_any_vector(long long *ivars, size_t nelems, const int *status, int cmp,
                                      const long long *cmp_values);
size_t shmem_uint_test_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp,
                                  const unsigned int *cmp_values);
size_t shmem_ulong_test_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp,
                                   const unsigned long *cmp_values);
size_t shmem_ulonglong_test_any_vector(unsigned long long *ivars, size_t nelems, const int *status,
                                       int cmp, const unsigned long long *cmp_values);
size_t shmem_int32_test_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp,
                                   const int32_t *cmp_values);
size_t shmem_int64_test_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp,
                                   const int64_t *cmp_values);
size_t shmem_uint32_test_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp,
                                    const uint32_t *cmp_values);
size_t shmem_uint64_test_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp,
                                    const uint64_t *cmp_values);
size_t shmem_size_test_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp,
                                  const size_t *cmp_values);
size_t shmem_ptrdiff_test_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp,
                                     const ptrdiff_t *cmp_values);
size_t shmem_short_test_any_vector(short *ivars, size_t nelems, const int *status, int cmp,
                                   const short *cmp_values);
size_t shmem_ushort_test_any_vector(unsigned short *ivars, size_t nelems, const int *status,
                                    int cmp, const unsigned short *cmp_values);

/* As shmem_test_some, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_some_vector */
size_t shmem_int_test_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status,
                                  int cmp, const int *cmp_values);
size_t shmem_long_test_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status,
                                   int cmp, const long *cmp_values);
size_t shmem_longlong_test_some_vector(long long *ivars, size_t nelems, size_t *indices,
                                       const int *status, int cmp, const long long *cmp_values);
size_t shmem_uint_test_some_vector(unsigned int *ivars, size_t nelems, size_t *indices,
                                   const int *status, int cmp, const unsigned int *cmp_values);
size_t shmem_ulong_test_some_vector(unsigned long *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, const unsigned long *cmp_values);
size_t shmem_ulonglong_test_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices,
                                        const int *status, int cmp,
                                        const unsigned long long *cmp_values);
size_t shmem_int32_test_some_vector(int32_t *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, const int32_t *cmp_values);
size_t shmem_int64_test_some_vector(int64_t *ivars, size_t nelems, size_t *indices,
                                    const int *status, int cmp, const int64_t *cmp_values);
size_t shmem_uint32_test_some_vector(uint32_t *ivars, size_t nelems, size_t *indices,
                                     const int *status, int cmp, const uint32_t *cmp_values);
size_t shmem_uint64_test_some_vector(uint64_t *ivars, size_t nelems, size_t *indices,
                                     const int *status, int cmp, const uint64_t *cmp_values);
size_t shmem_size_test_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status,
                                   int cmp, const size_t *cmp_values);
size_t shmem_ptrdiff_test_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices,
                                      const int *status, int cmp, const ptrdiff_t *cmp_values);
size_t shmem_short_test_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status,
                                    int cmp, const short *cmp_values);
size_t shmem_ushort_test_some_vector(unsigned short *ivars, size_t nelems, size_t *indices,
                                     const int *status, int cmp, const unsigned short *cmp_values);

/* Memory ordering ============================================================================== */

/* Puts, atomic operations and stores made before it reach each PE before those made after it.
 * Specification 1.6: shmem_fence */
void shmem_fence(void);

/* The same for the operations of ctx. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_fence */
void shmem_ctx_fence(shmem_ctx_t ctx);

/* Completes all operations of the default context: what was put is visible to all PEs, what was
 * got or fetched without blocking is there.
 * Specification 1.6: shmem_quiet */
void shmem_quiet(void);

/* The same for the operations of ctx. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_quiet */
void shmem_ctx_quiet(shmem_ctx_t ctx);

/* As shmem_quiet, for operations on the npes PEs in target_pes alone. With npes 0 it returns at
 * once and ignores the pointer.
 * Specification 1.6: shmem_pe_quiet */
void shmem_pe_quiet(const int *target_pes, size_t npes);

/* The same for the operations of ctx, in whose team the PEs count. SHMEM_CTX_INVALID does
 * nothing. Specification 1.6: shmem_pe_quiet */
void shmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes);

/* Distributed locks ============================================================================ */

/* Takes the lock, waiting for it first come, first served. lock is symmetric, and 0 on all PEs
 * before its first use. A holder may not take it again.
 * Specification 1.6: shmem_lock */
void shmem_set_lock(long *lock);

/* Completes the default context's operations, then gives the lock to the next in line.
 * Specification 1.6: shmem_lock */
void shmem_clear_lock(long *lock);

/* Takes the lock if it is free: returns 0 then, 1 when it is held.
 * Specification 1.6: shmem_lock */
int shmem_test_lock(long *lock);

/* Deprecated and removed names ================================================================= */

/* shmem_init by its old name, deprecated since 1.2. The argument is ignored, later calls do
 * nothing, and the library finalizes itself, collectively, when the program exits.
 * Specification 1.6: start_pes */
void start_pes(int npes) sheaf_deprecated("use shmem_init");

/* shmem_my_pe by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_my_pe */
int _my_pe(void) sheaf_deprecated("use shmem_my_pe");

/* shmem_n_pes by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_n_pes */
int _num_pes(void) sheaf_deprecated("use shmem_n_pes");

/* shmem_malloc by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_malloc */
void *shmalloc(size_t size) sheaf_deprecated("use shmem_malloc");

/* shmem_free by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_free */
void shfree(void *ptr) sheaf_deprecated("use shmem_free");

/* shmem_realloc by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_realloc */
void *shrealloc(void *ptr, size_t size) sheaf_deprecated("use shmem_realloc");

/* shmem_align by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_align */
void *shmemalign(size_t alignment, size_t size) sheaf_deprecated("use shmem_align");

/* Cache control: does nothing. Deprecated in 1.3, removed in 1.5.
 * Specification 1.4: shmem_cache */
void shmem_set_cache_inv(void) sheaf_deprecated("it does nothing");
void shmem_clear_cache_inv(void) sheaf_deprecated("it does nothing");
void shmem_set_cache_line_inv(void *dest) sheaf_deprecated("it does nothing");
void shmem_clear_cache_line_inv(void *dest) sheaf_deprecated("it does nothing");
void shmem_udcflush(void) sheaf_deprecated("it does nothing");
void shmem_udcflush_line(void *dest) sheaf_deprecated("it does nothing");

#ifdef __cplusplus
}
#endif

#ifdef SHEAF_INLINE
#include "shmemx_inline.h"
#endif

/* The types of each family: X(routine's name for it, type, prefix, suffix). */
#define sheaf_types_amo(X, prefix, suffix)                                                         \
    X(_int, int, prefix, suffix)                                                                   \
    X(_long, long, prefix, suffix)                                                                 \
    X(_longlong, long long, prefix, suffix)                                                        \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)
#define sheaf_types_bitwise(X, prefix, suffix)                                                     \
    X(_uchar, unsigned char, prefix, suffix)                                                       \
    X(_ushort, unsigned short, prefix, suffix)                                                     \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)                                              \
    X(_int8, signed char, prefix, suffix)                                                          \
    X(_int16, short, prefix, suffix)                                                               \
    X(_int32, int, prefix, suffix)                                                                 \
    X(_int64, long, prefix, suffix)                                                                \
    X(_longlong, long long, prefix, suffix)
#define sheaf_types_bitwise_amo(X, prefix, suffix)                                                 \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)                                              \
    X(_int32, int, prefix, suffix)                                                                 \
    X(_int64, long, prefix, suffix)                                                                \
    X(_longlong, long long, prefix, suffix)
#define sheaf_types_extended_amo(X, prefix, suffix)                                                \
    X(_float, float, prefix, suffix)                                                               \
    X(_double, double, prefix, suffix)                                                             \
    X(_int, int, prefix, suffix)                                                                   \
    X(_long, long, prefix, suffix)                                                                 \
    X(_longlong, long long, prefix, suffix)                                                        \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)
#define sheaf_types_rma(X, prefix, suffix)                                                         \
    X(_float, float, prefix, suffix)                                                               \
    X(_double, double, prefix, suffix)                                                             \
    X(_longdouble, long double, prefix, suffix)                                                    \
    X(_char, char, prefix, suffix)                                                                 \
    X(_schar, signed char, prefix, suffix)                                                         \
    X(_short, short, prefix, suffix)                                                               \
    X(_int, int, prefix, suffix)                                                                   \
    X(_long, long, prefix, suffix)                                                                 \
    X(_longlong, long long, prefix, suffix)                                                        \
    X(_uchar, unsigned char, prefix, suffix)                                                       \
    X(_ushort, unsigned short, prefix, suffix)                                                     \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)
#define sheaf_types_sum(X, prefix, suffix)                                                         \
    X(_float, float, prefix, suffix)                                                               \
    X(_double, double, prefix, suffix)                                                             \
    X(_longdouble, long double, prefix, suffix)                                                    \
    X(_char, char, prefix, suffix)                                                                 \
    X(_schar, signed char, prefix, suffix)                                                         \
    X(_short, short, prefix, suffix)                                                               \
    X(_int, int, prefix, suffix)                                                                   \
    X(_long, long, prefix, suffix)                                                                 \
    X(_longlong, long long, prefix, suffix)                                                        \
    X(_uchar, unsigned char, prefix, suffix)                                                       \
    X(_ushort, unsigned short, prefix, suffix)                                                     \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)                                              \
    X(_complexf, sheaf_complexf, prefix, suffix)                                                   \
    X(_complexd, sheaf_complexd, prefix, suffix)
#define sheaf_types_wait(X, prefix, suffix)                                                        \
    X(_int, int, prefix, suffix)                                                                   \
    X(_long, long, prefix, suffix)                                                                 \
    X(_longlong, long long, prefix, suffix)                                                        \
    X(_uint, unsigned int, prefix, suffix)                                                         \
    X(_ulong, unsigned long, prefix, suffix)                                                       \
    X(_ulonglong, unsigned long long, prefix, suffix)                                              \
    X(_short, short, prefix, suffix)                                                               \
    X(_ushort, unsigned short, prefix, suffix)

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* C11: a type-generic call is a call of the routine for the type that its first pointer to data
 * points to, const, volatile or not. A type that the family does not have ends in
 * sheaf_no_such_routine, whose type tells it from every other and makes the call an error by its
 * name. */
struct sheaf_no_such_routine;
void sheaf_no_such_routine(struct sheaf_no_such_routine *);
#define sheaf_call(name, routine, ...)                                                             \
    __extension__({                                                                                \
        _Static_assert(                                                                            \
            _Generic(&(routine), void (*)(struct sheaf_no_such_routine *): 0, default: 1),         \
            name ": unsupported type");                                                            \
        (routine)(__VA_ARGS__);                                                                    \
    })

#define sheaf_case(NAME, TYPE, prefix, suffix)                                                     \
    TYPE *: prefix##NAME##suffix, const TYPE *: prefix##NAME##suffix,                              \
    volatile TYPE *: prefix##NAME##suffix, const volatile TYPE *: prefix##NAME##suffix,
#define sheaf_select(TYPES, pointer, prefix, suffix)                                               \
    _Generic((pointer), TYPES(sheaf_case, prefix, suffix) default: sheaf_no_such_routine)
#define sheaf_first(first, ...) first
#define sheaf_select_first(TYPES, suffix, first, ...) sheaf_select(TYPES, first, shmem, suffix)
#define sheaf_select_team(TYPES, suffix, team, first, ...) sheaf_select(TYPES, first, shmem, suffix)
#define sheaf_select_context(TYPES, suffix, first, second, ...)                                    \
    _Generic((first),                                                                              \
        shmem_ctx_t: sheaf_select(TYPES, second, shmem_ctx, suffix),                               \
        default: sheaf_select(TYPES, first, shmem, suffix))

#define shmem_put(...)                                                                             \
    sheaf_call("shmem_put",                                                                        \
        sheaf_select_context(sheaf_types_rma, _put, __VA_ARGS__, 0),                               \
        __VA_ARGS__)
#define shmem_p(...)                                                                               \
    sheaf_call("shmem_p",                                                                          \
        sheaf_select_context(sheaf_types_rma, _p, __VA_ARGS__, 0),                                 \
        __VA_ARGS__)
#define shmem_get(...)                                                                             \
    sheaf_call("shmem_get",                                                                        \
        sheaf_select_context(sheaf_types_rma, _get, __VA_ARGS__, 0),                               \
        __VA_ARGS__)
#define shmem_g(...)                                                                               \
    sheaf_call("shmem_g",                                                                          \
        sheaf_select_context(sheaf_types_rma, _g, __VA_ARGS__, 0),                                 \
        __VA_ARGS__)
#define shmem_iput(...)                                                                            \
    sheaf_call("shmem_iput",                                                                       \
        sheaf_select_context(sheaf_types_rma, _iput, __VA_ARGS__, 0),                              \
        __VA_ARGS__)
#define shmem_iget(...)                                                                            \
    sheaf_call("shmem_iget",                                                                       \
        sheaf_select_context(sheaf_types_rma, _iget, __VA_ARGS__, 0),                              \
        __VA_ARGS__)
#define shmem_ibput(...)                                                                           \
    sheaf_call("shmem_ibput",                                                                      \
        sheaf_select_context(sheaf_types_rma, _ibput, __VA_ARGS__, 0),                             \
        __VA_ARGS__)
#define shmem_ibget(...)                                                                           \
    sheaf_call("shmem_ibget",                                                                      \
        sheaf_select_context(sheaf_types_rma, _ibget, __VA_ARGS__, 0),                             \
        __VA_ARGS__)
#define shmem_put_nbi(...)                                                                         \
    sheaf_call("shmem_put_nbi",                                                                    \
        sheaf_select_context(sheaf_types_rma, _put_nbi, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_get_nbi(...)                                                                         \
    sheaf_call("shmem_get_nbi",                                                                    \
        sheaf_select_context(sheaf_types_rma, _get_nbi, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_atomic_fetch(...)                                                                    \
    sheaf_call("shmem_atomic_fetch",                                                               \
        sheaf_select_context(sheaf_types_extended_amo, _atomic_fetch, __VA_ARGS__, 0),             \
        __VA_ARGS__)
typedef int sheaf_shmem_fetch_is_old sheaf_deprecated("use shmem_atomic_fetch");
#define shmem_fetch(...)                                                                           \
    ((void)sizeof(sheaf_shmem_fetch_is_old), sheaf_call("shmem_fetch",                             \
        sheaf_select_first(sheaf_types_extended_amo, _atomic_fetch, __VA_ARGS__, 0),               \
        __VA_ARGS__))
#define shmem_atomic_set(...)                                                                      \
    sheaf_call("shmem_atomic_set",                                                                 \
        sheaf_select_context(sheaf_types_extended_amo, _atomic_set, __VA_ARGS__, 0),               \
        __VA_ARGS__)
typedef int sheaf_shmem_set_is_old sheaf_deprecated("use shmem_atomic_set");
#define shmem_set(...)                                                                             \
    ((void)sizeof(sheaf_shmem_set_is_old), sheaf_call("shmem_set",                                 \
        sheaf_select_first(sheaf_types_extended_amo, _atomic_set, __VA_ARGS__, 0),                 \
        __VA_ARGS__))
#define shmem_atomic_compare_swap(...)                                                             \
    sheaf_call("shmem_atomic_compare_swap",                                                        \
        sheaf_select_context(sheaf_types_amo, _atomic_compare_swap, __VA_ARGS__, 0),               \
        __VA_ARGS__)
typedef int sheaf_shmem_cswap_is_old sheaf_deprecated("use shmem_atomic_compare_swap");
#define shmem_cswap(...)                                                                           \
    ((void)sizeof(sheaf_shmem_cswap_is_old), sheaf_call("shmem_cswap",                             \
        sheaf_select_first(sheaf_types_amo, _atomic_compare_swap, __VA_ARGS__, 0),                 \
        __VA_ARGS__))
#define shmem_atomic_swap(...)                                                                     \
    sheaf_call("shmem_atomic_swap",                                                                \
        sheaf_select_context(sheaf_types_extended_amo, _atomic_swap, __VA_ARGS__, 0),              \
        __VA_ARGS__)
typedef int sheaf_shmem_swap_is_old sheaf_deprecated("use shmem_atomic_swap");
#define shmem_swap(...)                                                                            \
    ((void)sizeof(sheaf_shmem_swap_is_old), sheaf_call("shmem_swap",                               \
        sheaf_select_first(sheaf_types_extended_amo, _atomic_swap, __VA_ARGS__, 0),                \
        __VA_ARGS__))
#define shmem_atomic_fetch_inc(...)                                                                \
    sheaf_call("shmem_atomic_fetch_inc",                                                           \
        sheaf_select_context(sheaf_types_amo, _atomic_fetch_inc, __VA_ARGS__, 0),                  \
        __VA_ARGS__)
typedef int sheaf_shmem_finc_is_old sheaf_deprecated("use shmem_atomic_fetch_inc");
#define shmem_finc(...)                                                                            \
    ((void)sizeof(sheaf_shmem_finc_is_old), sheaf_call("shmem_finc",                               \
        sheaf_select_first(sheaf_types_amo, _atomic_fetch_inc, __VA_ARGS__, 0),                    \
        __VA_ARGS__))
#define shmem_atomic_inc(...)                                                                      \
    sheaf_call("shmem_atomic_inc",                                                                 \
        sheaf_select_context(sheaf_types_amo, _atomic_inc, __VA_ARGS__, 0),                        \
        __VA_ARGS__)
typedef int sheaf_shmem_inc_is_old sheaf_deprecated("use shmem_atomic_inc");
#define shmem_inc(...)                                                                             \
    ((void)sizeof(sheaf_shmem_inc_is_old), sheaf_call("shmem_inc",                                 \
        sheaf_select_first(sheaf_types_amo, _atomic_inc, __VA_ARGS__, 0),                          \
        __VA_ARGS__))
#define shmem_atomic_fetch_add(...)                                                                \
    sheaf_call("shmem_atomic_fetch_add",                                                           \
        sheaf_select_context(sheaf_types_amo, _atomic_fetch_add, __VA_ARGS__, 0),                  \
        __VA_ARGS__)
typedef int sheaf_shmem_fadd_is_old sheaf_deprecated("use shmem_atomic_fetch_add");
#define shmem_fadd(...)                                                                            \
    ((void)sizeof(sheaf_shmem_fadd_is_old), sheaf_call("shmem_fadd",                               \
        sheaf_select_first(sheaf_types_amo, _atomic_fetch_add, __VA_ARGS__, 0),                    \
        __VA_ARGS__))
#define shmem_atomic_add(...)                                                                      \
    sheaf_call("shmem_atomic_add",                                                                 \
        sheaf_select_context(sheaf_types_amo, _atomic_add, __VA_ARGS__, 0),                        \
        __VA_ARGS__)
typedef int sheaf_shmem_add_is_old sheaf_deprecated("use shmem_atomic_add");
#define shmem_add(...)                                                                             \
    ((void)sizeof(sheaf_shmem_add_is_old), sheaf_call("shmem_add",                                 \
        sheaf_select_first(sheaf_types_amo, _atomic_add, __VA_ARGS__, 0),                          \
        __VA_ARGS__))
#define shmem_atomic_fetch_and(...)                                                                \
    sheaf_call("shmem_atomic_fetch_and",                                                           \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_and, __VA_ARGS__, 0),          \
        __VA_ARGS__)
#define shmem_atomic_and(...)                                                                      \
    sheaf_call("shmem_atomic_and",                                                                 \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_and, __VA_ARGS__, 0),                \
        __VA_ARGS__)
#define shmem_atomic_fetch_or(...)                                                                 \
    sheaf_call("shmem_atomic_fetch_or",                                                            \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_or, __VA_ARGS__, 0),           \
        __VA_ARGS__)
#define shmem_atomic_or(...)                                                                       \
    sheaf_call("shmem_atomic_or",                                                                  \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_or, __VA_ARGS__, 0),                 \
        __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                \
    sheaf_call("shmem_atomic_fetch_xor",                                                           \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_xor, __VA_ARGS__, 0),          \
        __VA_ARGS__)
#define shmem_atomic_xor(...)                                                                      \
    sheaf_call("shmem_atomic_xor",                                                                 \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_xor, __VA_ARGS__, 0),                \
        __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                \
    sheaf_call("shmem_atomic_fetch_nbi",                                                           \
        sheaf_select_context(sheaf_types_extended_amo, _atomic_fetch_nbi, __VA_ARGS__, 0),         \
        __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                         \
    sheaf_call("shmem_atomic_compare_swap_nbi",                                                    \
        sheaf_select_context(sheaf_types_amo, _atomic_compare_swap_nbi, __VA_ARGS__, 0),           \
        __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                 \
    sheaf_call("shmem_atomic_swap_nbi",                                                            \
        sheaf_select_context(sheaf_types_extended_amo, _atomic_swap_nbi, __VA_ARGS__, 0),          \
        __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                            \
    sheaf_call("shmem_atomic_fetch_inc_nbi",                                                       \
        sheaf_select_context(sheaf_types_amo, _atomic_fetch_inc_nbi, __VA_ARGS__, 0),              \
        __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                            \
    sheaf_call("shmem_atomic_fetch_add_nbi",                                                       \
        sheaf_select_context(sheaf_types_amo, _atomic_fetch_add_nbi, __VA_ARGS__, 0),              \
        __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                            \
    sheaf_call("shmem_atomic_fetch_and_nbi",                                                       \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_and_nbi, __VA_ARGS__, 0),      \
        __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                             \
    sheaf_call("shmem_atomic_fetch_or_nbi",                                                        \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_or_nbi, __VA_ARGS__, 0),       \
        __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                            \
    sheaf_call("shmem_atomic_fetch_xor_nbi",                                                       \
        sheaf_select_context(sheaf_types_bitwise_amo, _atomic_fetch_xor_nbi, __VA_ARGS__, 0),      \
        __VA_ARGS__)
#define shmem_put_signal(...)                                                                      \
    sheaf_call("shmem_put_signal",                                                                 \
        sheaf_select_context(sheaf_types_rma, _put_signal, __VA_ARGS__, 0),                        \
        __VA_ARGS__)
#define shmem_put_signal_nbi(...)                                                                  \
    sheaf_call("shmem_put_signal_nbi",                                                             \
        sheaf_select_context(sheaf_types_rma, _put_signal_nbi, __VA_ARGS__, 0),                    \
        __VA_ARGS__)
#define shmem_alltoall(...)                                                                        \
    sheaf_call("shmem_alltoall",                                                                   \
        sheaf_select_team(sheaf_types_rma, _alltoall, __VA_ARGS__, 0),                             \
        __VA_ARGS__)
#define shmem_alltoalls(...)                                                                       \
    sheaf_call("shmem_alltoalls",                                                                  \
        sheaf_select_team(sheaf_types_rma, _alltoalls, __VA_ARGS__, 0),                            \
        __VA_ARGS__)
#define shmem_broadcast(...)                                                                       \
    sheaf_call("shmem_broadcast",                                                                  \
        sheaf_select_team(sheaf_types_rma, _broadcast, __VA_ARGS__, 0),                            \
        __VA_ARGS__)
#define shmem_collect(...)                                                                         \
    sheaf_call("shmem_collect",                                                                    \
        sheaf_select_team(sheaf_types_rma, _collect, __VA_ARGS__, 0),                              \
        __VA_ARGS__)
#define shmem_fcollect(...)                                                                        \
    sheaf_call("shmem_fcollect",                                                                   \
        sheaf_select_team(sheaf_types_rma, _fcollect, __VA_ARGS__, 0),                             \
        __VA_ARGS__)
#define shmem_and_reduce(...)                                                                      \
    sheaf_call("shmem_and_reduce",                                                                 \
        sheaf_select_team(sheaf_types_bitwise, _and_reduce, __VA_ARGS__, 0),                       \
        __VA_ARGS__)
#define shmem_or_reduce(...)                                                                       \
    sheaf_call("shmem_or_reduce",                                                                  \
        sheaf_select_team(sheaf_types_bitwise, _or_reduce, __VA_ARGS__, 0),                        \
        __VA_ARGS__)
#define shmem_xor_reduce(...)                                                                      \
    sheaf_call("shmem_xor_reduce",                                                                 \
        sheaf_select_team(sheaf_types_bitwise, _xor_reduce, __VA_ARGS__, 0),                       \
        __VA_ARGS__)
#define shmem_max_reduce(...)                                                                      \
    sheaf_call("shmem_max_reduce",                                                                 \
        sheaf_select_team(sheaf_types_rma, _max_reduce, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_min_reduce(...)                                                                      \
    sheaf_call("shmem_min_reduce",                                                                 \
        sheaf_select_team(sheaf_types_rma, _min_reduce, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_sum_reduce(...)                                                                      \
    sheaf_call("shmem_sum_reduce",                                                                 \
        sheaf_select_team(sheaf_types_sum, _sum_reduce, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_prod_reduce(...)                                                                     \
    sheaf_call("shmem_prod_reduce",                                                                \
        sheaf_select_team(sheaf_types_sum, _prod_reduce, __VA_ARGS__, 0),                          \
        __VA_ARGS__)
#define shmem_sum_inscan(...)                                                                      \
    sheaf_call("shmem_sum_inscan",                                                                 \
        sheaf_select_team(sheaf_types_sum, _sum_inscan, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_sum_exscan(...)                                                                      \
    sheaf_call("shmem_sum_exscan",                                                                 \
        sheaf_select_team(sheaf_types_sum, _sum_exscan, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_wait_until(...)                                                                      \
    sheaf_call("shmem_wait_until",                                                                 \
        _Generic((sheaf_first(__VA_ARGS__, 0)), void *: shmem_wait_until,                          \
                 default: sheaf_select_first(sheaf_types_wait, _wait_until, __VA_ARGS__, 0)),      \
        __VA_ARGS__)
#define shmem_test(...)                                                                            \
    sheaf_call("shmem_test",                                                                       \
        sheaf_select_first(sheaf_types_wait, _test, __VA_ARGS__, 0),                               \
        __VA_ARGS__)
#define shmem_wait_until_all(...)                                                                  \
    sheaf_call("shmem_wait_until_all",                                                             \
        sheaf_select_first(sheaf_types_wait, _wait_until_all, __VA_ARGS__, 0),                     \
        __VA_ARGS__)
#define shmem_wait_until_any(...)                                                                  \
    sheaf_call("shmem_wait_until_any",                                                             \
        sheaf_select_first(sheaf_types_wait, _wait_until_any, __VA_ARGS__, 0),                     \
        __VA_ARGS__)
#define shmem_wait_until_some(...)                                                                 \
    sheaf_call("shmem_wait_until_some",                                                            \
        sheaf_select_first(sheaf_types_wait, _wait_until_some, __VA_ARGS__, 0),                    \
        __VA_ARGS__)
#define shmem_wait_until_all_vector(...)                                                           \
    sheaf_call("shmem_wait_until_all_vector",                                                      \
        sheaf_select_first(sheaf_types_wait, _wait_until_all_vector, __VA_ARGS__, 0),              \
        __VA_ARGS__)
#define shmem_wait_until_any_vector(...)                                                           \
    sheaf_call("shmem_wait_until_any_vector",                                                      \
        sheaf_select_first(sheaf_types_wait, _wait_until_any_vector, __VA_ARGS__, 0),              \
        __VA_ARGS__)
#define shmem_wait_until_some_vector(...)                                                          \
    sheaf_call("shmem_wait_until_some_vector",                                                     \
        sheaf_select_first(sheaf_types_wait, _wait_until_some_vector, __VA_ARGS__, 0),             \
        __VA_ARGS__)
#define shmem_test_all(...)                                                                        \
    sheaf_call("shmem_test_all",                                                                   \
        sheaf_select_first(sheaf_types_wait, _test_all, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_test_any(...)                                                                        \
    sheaf_call("shmem_test_any",                                                                   \
        sheaf_select_first(sheaf_types_wait, _test_any, __VA_ARGS__, 0),                           \
        __VA_ARGS__)
#define shmem_test_some(...)                                                                       \
    sheaf_call("shmem_test_some",                                                                  \
        sheaf_select_first(sheaf_types_wait, _test_some, __VA_ARGS__, 0),                          \
        __VA_ARGS__)
#define shmem_test_all_vector(...)                                                                 \
    sheaf_call("shmem_test_all_vector",                                                            \
        sheaf_select_first(sheaf_types_wait, _test_all_vector, __VA_ARGS__, 0),                    \
        __VA_ARGS__)
#define shmem_test_any_vector(...)                                                                 \
    sheaf_call("shmem_test_any_vector",                                                            \
        sheaf_select_first(sheaf_types_wait, _test_any_vector, __VA_ARGS__, 0),                    \
        __VA_ARGS__)
#define shmem_test_some_vector(...)                                                                \
    sheaf_call("shmem_test_some_vector",                                                           \
        sheaf_select_first(sheaf_types_wait, _test_some_vector, __VA_ARGS__, 0),                   \
        __VA_ARGS__)

/* These are C functions too: the number of arguments tells which is meant. */
#define sheaf_fifth(a, b, c, d, e, ...) e
#define shmem_sync(...)                                                                            \
    sheaf_fifth(__VA_ARGS__, shmem_sync, sheaf_no_such_routine, sheaf_no_such_routine,             \
                shmem_team_sync, 0)(__VA_ARGS__)

/* A signal object is any word of 64 bits; C itself warns of another type than uint64_t. */
#define sheaf_signal(routine, pointer)                                                             \
    _Generic((pointer), void *: routine, sheaf_case(, long, routine, )                             \
             sheaf_case(, long long, routine, ) sheaf_case(, unsigned long, routine, )             \
             sheaf_case(, unsigned long long, routine, ) default: sheaf_no_such_routine)
#define sheaf_signal_plain(prefix, suffix, first, ...) sheaf_signal(prefix##suffix, first)
#define sheaf_signal_context(prefix, suffix, first, second, ...)                                   \
    sheaf_signal(prefix##_ctx##suffix, second)
#define sheaf_signal_none(...) sheaf_no_such_routine
#define sheaf_select_signal(prefix, suffix, ...)                                                   \
    sheaf_fifth(__VA_ARGS__, sheaf_signal_context, sheaf_signal_plain, sheaf_signal_none,          \
                sheaf_signal_none, 0)(prefix, suffix, __VA_ARGS__, 0)
#define shmem_signal_add(...)                                                                      \
    sheaf_call("shmem_signal_add", sheaf_select_signal(shmem, _signal_add, __VA_ARGS__),           \
               __VA_ARGS__)
#define shmem_signal_set(...)                                                                      \
    sheaf_call("shmem_signal_set", sheaf_select_signal(shmem, _signal_set, __VA_ARGS__),           \
               __VA_ARGS__)

#endif

#if defined(__cplusplus)

/* C++: the type-generic names are overloads, also where the header is included in extern "C". */
extern "C++" {

#include <complex>

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#if defined(SHEAF_INLINE) && defined(__GNUC__) /* whatever the size of the caller: what they call is inline, too */
#define sheaf_cxx_inline inline __attribute__((__always_inline__))
#else
#define sheaf_cxx_inline inline
#endif

sheaf_cxx_inline int shmem_sync(shmem_team_t team)
{
    return shmem_team_sync(team);
}
sheaf_cxx_inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
sheaf_cxx_inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}

/* shmem_put */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_put(TYPE *dest, const TYPE *source, size_t nelems, int pe)         \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, pe);                                            \
    }                                                                                              \
    sheaf_cxx_inline void shmem_put(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,               \
                                    size_t nelems, int pe)                                         \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, pe);                                 \
    }
sheaf_types_rma(sheaf_overload, shmem, _put)
#undef sheaf_overload

/* shmem_p */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_p(TYPE *dest, TYPE value, int pe)                                  \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_p(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)                 \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_rma(sheaf_overload, shmem, _p)
#undef sheaf_overload

/* shmem_get */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_get(TYPE *dest, const TYPE *source, size_t nelems, int pe)         \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, pe);                                            \
    }                                                                                              \
    sheaf_cxx_inline void shmem_get(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,               \
                                    size_t nelems, int pe)                                         \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, pe);                                 \
    }
sheaf_types_rma(sheaf_overload, shmem, _get)
#undef sheaf_overload

/* shmem_g */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_g(const TYPE *source, int pe)                                      \
    {                                                                                              \
        return prefix##NAME##suffix(source, pe);                                                   \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_g(shmem_ctx_t ctx, const TYPE *source, int pe)                     \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, source, pe);                                        \
    }
sheaf_types_rma(sheaf_overload, shmem, _g)
#undef sheaf_overload

/* shmem_iput */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_iput(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                                     size_t nelems, int pe)                                        \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, dst, sst, nelems, pe);                                  \
    }                                                                                              \
    sheaf_cxx_inline void shmem_iput(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,              \
                                     ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)          \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, dst, sst, nelems, pe);                       \
    }
sheaf_types_rma(sheaf_overload, shmem, _iput)
#undef sheaf_overload

/* shmem_iget */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_iget(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                                     size_t nelems, int pe)                                        \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, dst, sst, nelems, pe);                                  \
    }                                                                                              \
    sheaf_cxx_inline void shmem_iget(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,              \
                                     ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)          \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, dst, sst, nelems, pe);                       \
    }
sheaf_types_rma(sheaf_overload, shmem, _iget)
#undef sheaf_overload

/* shmem_ibput */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_ibput(TYPE *dest, const TYPE *source, ptrdiff_t dst,               \
                                      ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)         \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, dst, sst, bsize, nblocks, pe);                          \
    }                                                                                              \
    sheaf_cxx_inline void shmem_ibput(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,             \
                                      ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
                                      int pe)                                                      \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, dst, sst, bsize, nblocks, pe);               \
    }
sheaf_types_rma(sheaf_overload, shmem, _ibput)
#undef sheaf_overload

/* shmem_ibget */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_ibget(TYPE *dest, const TYPE *source, ptrdiff_t dst,               \
                                      ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)         \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, dst, sst, bsize, nblocks, pe);                          \
    }                                                                                              \
    sheaf_cxx_inline void shmem_ibget(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,             \
                                      ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
                                      int pe)                                                      \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, dst, sst, bsize, nblocks, pe);               \
    }
sheaf_types_rma(sheaf_overload, shmem, _ibget)
#undef sheaf_overload

/* shmem_put_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_put_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe)     \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, pe);                                            \
    }                                                                                              \
    sheaf_cxx_inline void shmem_put_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,           \
                                        size_t nelems, int pe)                                     \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, pe);                                 \
    }
sheaf_types_rma(sheaf_overload, shmem, _put_nbi)
#undef sheaf_overload

/* shmem_get_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_get_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe)     \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, pe);                                            \
    }                                                                                              \
    sheaf_cxx_inline void shmem_get_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,           \
                                        size_t nelems, int pe)                                     \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, pe);                                 \
    }
sheaf_types_rma(sheaf_overload, shmem, _get_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch(const TYPE *source, int pe)                           \
    {                                                                                              \
        return prefix##NAME##suffix(source, pe);                                                   \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch(shmem_ctx_t ctx, const TYPE *source, int pe)          \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, source, pe);                                        \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _atomic_fetch)
#undef sheaf_overload

/* shmem_fetch */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_fetch")                                                     \
    sheaf_cxx_inline TYPE shmem_fetch(const TYPE *source, int pe)                                  \
    {                                                                                              \
        return prefix##NAME##suffix(source, pe);                                                   \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _fetch)
#undef sheaf_overload

/* shmem_atomic_set */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_set(TYPE *dest, TYPE value, int pe)                         \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_set(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)        \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _atomic_set)
#undef sheaf_overload

/* shmem_set */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_set")                                                       \
    sheaf_cxx_inline void shmem_set(TYPE *dest, TYPE value, int pe)                                \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _set)
#undef sheaf_overload

/* shmem_atomic_compare_swap */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_compare_swap(TYPE *dest, TYPE cond, TYPE value, int pe)     \
    {                                                                                              \
        return prefix##NAME##suffix(dest, cond, value, pe);                                        \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_compare_swap(shmem_ctx_t ctx, TYPE *dest, TYPE cond,        \
                                                    TYPE value, int pe)                            \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, cond, value, pe);                             \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_compare_swap)
#undef sheaf_overload

/* shmem_cswap */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_compare_swap")                                              \
    sheaf_cxx_inline TYPE shmem_cswap(TYPE *dest, TYPE cond, TYPE value, int pe)                   \
    {                                                                                              \
        return prefix##NAME##suffix(dest, cond, value, pe);                                        \
    }
sheaf_types_amo(sheaf_overload, shmem, _cswap)
#undef sheaf_overload

/* shmem_atomic_swap */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_swap(TYPE *dest, TYPE value, int pe)                        \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_swap(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)       \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                   \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _atomic_swap)
#undef sheaf_overload

/* shmem_swap */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_swap")                                                      \
    sheaf_cxx_inline TYPE shmem_swap(TYPE *dest, TYPE value, int pe)                               \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _swap)
#undef sheaf_overload

/* shmem_atomic_fetch_inc */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_inc(TYPE *dest, int pe)                               \
    {                                                                                              \
        return prefix##NAME##suffix(dest, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_inc(shmem_ctx_t ctx, TYPE *dest, int pe)              \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, pe);                                          \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_fetch_inc)
#undef sheaf_overload

/* shmem_finc */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_fetch_inc")                                                 \
    sheaf_cxx_inline TYPE shmem_finc(TYPE *dest, int pe)                                           \
    {                                                                                              \
        return prefix##NAME##suffix(dest, pe);                                                     \
    }
sheaf_types_amo(sheaf_overload, shmem, _finc)
#undef sheaf_overload

/* shmem_atomic_inc */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_inc(TYPE *dest, int pe)                                     \
    {                                                                                              \
        prefix##NAME##suffix(dest, pe);                                                            \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_inc(shmem_ctx_t ctx, TYPE *dest, int pe)                    \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, pe);                                                 \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_inc)
#undef sheaf_overload

/* shmem_inc */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_inc")                                                       \
    sheaf_cxx_inline void shmem_inc(TYPE *dest, int pe)                                            \
    {                                                                                              \
        prefix##NAME##suffix(dest, pe);                                                            \
    }
sheaf_types_amo(sheaf_overload, shmem, _inc)
#undef sheaf_overload

/* shmem_atomic_fetch_add */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_add(TYPE *dest, TYPE value, int pe)                   \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_add(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                   \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_fetch_add)
#undef sheaf_overload

/* shmem_fadd */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_fetch_add")                                                 \
    sheaf_cxx_inline TYPE shmem_fadd(TYPE *dest, TYPE value, int pe)                               \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }
sheaf_types_amo(sheaf_overload, shmem, _fadd)
#undef sheaf_overload

/* shmem_atomic_add */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_add(TYPE *dest, TYPE value, int pe)                         \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_add(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)        \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_add)
#undef sheaf_overload

/* shmem_add */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_deprecated("use shmem_atomic_add")                                                       \
    sheaf_cxx_inline void shmem_add(TYPE *dest, TYPE value, int pe)                                \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }
sheaf_types_amo(sheaf_overload, shmem, _add)
#undef sheaf_overload

/* shmem_atomic_fetch_and */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_and(TYPE *dest, TYPE value, int pe)                   \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_and(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_and)
#undef sheaf_overload

/* shmem_atomic_and */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_and(TYPE *dest, TYPE value, int pe)                         \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_and(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)        \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_and)
#undef sheaf_overload

/* shmem_atomic_fetch_or */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_or(TYPE *dest, TYPE value, int pe)                    \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_or(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)   \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_or)
#undef sheaf_overload

/* shmem_atomic_or */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_or(TYPE *dest, TYPE value, int pe)                          \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_or(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)         \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_or)
#undef sheaf_overload

/* shmem_atomic_fetch_xor */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_xor(TYPE *dest, TYPE value, int pe)                   \
    {                                                                                              \
        return prefix##NAME##suffix(dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline TYPE shmem_atomic_fetch_xor(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        return prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_xor)
#undef sheaf_overload

/* shmem_atomic_xor */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_xor(TYPE *dest, TYPE value, int pe)                         \
    {                                                                                              \
        prefix##NAME##suffix(dest, value, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_xor(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe)        \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, value, pe);                                          \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_xor)
#undef sheaf_overload

/* shmem_atomic_fetch_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_nbi(TYPE *fetch, const TYPE *source, int pe)          \
    {                                                                                              \
        prefix##NAME##suffix(fetch, source, pe);                                                   \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, TYPE *fetch, const TYPE *source, \
                                                 int pe)                                           \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, source, pe);                                        \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _atomic_fetch_nbi)
#undef sheaf_overload

/* shmem_atomic_compare_swap_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_compare_swap_nbi(TYPE *fetch, TYPE *dest, TYPE cond,        \
                                                        TYPE value, int pe)                        \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, cond, value, pe);                                        \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,  \
                                                        TYPE cond, TYPE value, int pe)             \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, cond, value, pe);                             \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_compare_swap_nbi)
#undef sheaf_overload

/* shmem_atomic_swap_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_swap_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe)       \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,          \
                                                TYPE value, int pe)                                \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, value, pe);                                   \
    }
sheaf_types_extended_amo(sheaf_overload, shmem, _atomic_swap_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch_inc_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_inc_nbi(TYPE *fetch, TYPE *dest, int pe)              \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, pe);                                                     \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,     \
                                                     int pe)                                       \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, pe);                                          \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_fetch_inc_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch_add_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_add_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,     \
                                                     TYPE value, int pe)                           \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, value, pe);                                   \
    }
sheaf_types_amo(sheaf_overload, shmem, _atomic_fetch_add_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch_and_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_and_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,     \
                                                     TYPE value, int pe)                           \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_and_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch_or_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_or_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe)   \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,      \
                                                    TYPE value, int pe)                            \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_or_nbi)
#undef sheaf_overload

/* shmem_atomic_fetch_xor_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_atomic_fetch_xor_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe)  \
    {                                                                                              \
        prefix##NAME##suffix(fetch, dest, value, pe);                                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest,     \
                                                     TYPE value, int pe)                           \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, fetch, dest, value, pe);                                   \
    }
sheaf_types_bitwise_amo(sheaf_overload, shmem, _atomic_fetch_xor_nbi)
#undef sheaf_overload

/* shmem_put_signal */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_put_signal(TYPE *dest, const TYPE *source, size_t nelems,          \
                                           uint64_t *sig_addr, uint64_t signal, int sig_op,        \
                                           int pe)                                                 \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, sig_addr, signal, sig_op, pe);                  \
    }                                                                                              \
    sheaf_cxx_inline void shmem_put_signal(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,        \
                                           size_t nelems, uint64_t *sig_addr, uint64_t signal,     \
                                           int sig_op, int pe)                                     \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);       \
    }
sheaf_types_rma(sheaf_overload, shmem, _put_signal)
#undef sheaf_overload

/* shmem_put_signal_nbi */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_put_signal_nbi(TYPE *dest, const TYPE *source, size_t nelems,      \
                                               uint64_t *sig_addr, uint64_t signal, int sig_op,    \
                                               int pe)                                             \
    {                                                                                              \
        prefix##NAME##suffix(dest, source, nelems, sig_addr, signal, sig_op, pe);                  \
    }                                                                                              \
    sheaf_cxx_inline void shmem_put_signal_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source,    \
                                               size_t nelems, uint64_t *sig_addr, uint64_t signal, \
                                               int sig_op, int pe)                                 \
    {                                                                                              \
        prefix##_ctx##NAME##suffix(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);       \
    }
sheaf_types_rma(sheaf_overload, shmem, _put_signal_nbi)
#undef sheaf_overload

/* shmem_alltoall */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_alltoall(shmem_team_t team, TYPE *dest, const TYPE *source,         \
                                        size_t nelems)                                             \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems);                                   \
    }
sheaf_types_rma(sheaf_overload, shmem, _alltoall)
#undef sheaf_overload

/* shmem_alltoalls */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_alltoalls(shmem_team_t team, TYPE *dest, const TYPE *source,        \
                                         ptrdiff_t dst, ptrdiff_t sst, size_t nelems)              \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, dst, sst, nelems);                         \
    }
sheaf_types_rma(sheaf_overload, shmem, _alltoalls)
#undef sheaf_overload

/* shmem_broadcast */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_broadcast(shmem_team_t team, TYPE *dest, const TYPE *source,        \
                                         size_t nelems, int PE_root)                               \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems, PE_root);                          \
    }
sheaf_types_rma(sheaf_overload, shmem, _broadcast)
#undef sheaf_overload

/* shmem_collect */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_collect(shmem_team_t team, TYPE *dest, const TYPE *source,          \
                                       size_t nelems)                                              \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems);                                   \
    }
sheaf_types_rma(sheaf_overload, shmem, _collect)
#undef sheaf_overload

/* shmem_fcollect */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_fcollect(shmem_team_t team, TYPE *dest, const TYPE *source,         \
                                        size_t nelems)                                             \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems);                                   \
    }
sheaf_types_rma(sheaf_overload, shmem, _fcollect)
#undef sheaf_overload

/* shmem_and_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_and_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_bitwise(sheaf_overload, shmem, _and_reduce)
#undef sheaf_overload

/* shmem_or_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_or_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,        \
                                         size_t nreduce)                                           \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_bitwise(sheaf_overload, shmem, _or_reduce)
#undef sheaf_overload

/* shmem_xor_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_xor_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_bitwise(sheaf_overload, shmem, _xor_reduce)
#undef sheaf_overload

/* shmem_max_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_max_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_rma(sheaf_overload, shmem, _max_reduce)
#undef sheaf_overload

/* shmem_min_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_min_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_rma(sheaf_overload, shmem, _min_reduce)
#undef sheaf_overload

/* shmem_sum_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_sum_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_sum(sheaf_overload, shmem, _sum_reduce)
#define sheaf_overload_complex(NAME, TYPE, C_TYPE)                                                 \
    sheaf_cxx_inline int shmem_sum_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nreduce)                                          \
    {                                                                                              \
        return shmem##NAME##_sum_reduce(                                                           \
            team,                                                                                  \
            reinterpret_cast<C_TYPE *>(dest),                                                      \
            reinterpret_cast<const C_TYPE *>(source),                                              \
            nreduce);                                                                              \
    }
sheaf_overload_complex(_complexf, std::complex<float>, sheaf_complexf)
sheaf_overload_complex(_complexd, std::complex<double>, sheaf_complexd)
#undef sheaf_overload_complex
#undef sheaf_overload

/* shmem_prod_reduce */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_prod_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,      \
                                           size_t nreduce)                                         \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nreduce);                                  \
    }
sheaf_types_sum(sheaf_overload, shmem, _prod_reduce)
#define sheaf_overload_complex(NAME, TYPE, C_TYPE)                                                 \
    sheaf_cxx_inline int shmem_prod_reduce(shmem_team_t team, TYPE *dest, const TYPE *source,      \
                                           size_t nreduce)                                         \
    {                                                                                              \
        return shmem##NAME##_prod_reduce(                                                          \
            team,                                                                                  \
            reinterpret_cast<C_TYPE *>(dest),                                                      \
            reinterpret_cast<const C_TYPE *>(source),                                              \
            nreduce);                                                                              \
    }
sheaf_overload_complex(_complexf, std::complex<float>, sheaf_complexf)
sheaf_overload_complex(_complexd, std::complex<double>, sheaf_complexd)
#undef sheaf_overload_complex
#undef sheaf_overload

/* shmem_sum_inscan */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_sum_inscan(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nelems)                                           \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems);                                   \
    }
sheaf_types_sum(sheaf_overload, shmem, _sum_inscan)
#define sheaf_overload_complex(NAME, TYPE, C_TYPE)                                                 \
    sheaf_cxx_inline int shmem_sum_inscan(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nelems)                                           \
    {                                                                                              \
        return shmem##NAME##_sum_inscan(                                                           \
            team,                                                                                  \
            reinterpret_cast<C_TYPE *>(dest),                                                      \
            reinterpret_cast<const C_TYPE *>(source),                                              \
            nelems);                                                                               \
    }
sheaf_overload_complex(_complexf, std::complex<float>, sheaf_complexf)
sheaf_overload_complex(_complexd, std::complex<double>, sheaf_complexd)
#undef sheaf_overload_complex
#undef sheaf_overload

/* shmem_sum_exscan */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_sum_exscan(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nelems)                                           \
    {                                                                                              \
        return prefix##NAME##suffix(team, dest, source, nelems);                                   \
    }
sheaf_types_sum(sheaf_overload, shmem, _sum_exscan)
#define sheaf_overload_complex(NAME, TYPE, C_TYPE)                                                 \
    sheaf_cxx_inline int shmem_sum_exscan(shmem_team_t team, TYPE *dest, const TYPE *source,       \
                                          size_t nelems)                                           \
    {                                                                                              \
        return shmem##NAME##_sum_exscan(                                                           \
            team,                                                                                  \
            reinterpret_cast<C_TYPE *>(dest),                                                      \
            reinterpret_cast<const C_TYPE *>(source),                                              \
            nelems);                                                                               \
    }
sheaf_overload_complex(_complexf, std::complex<float>, sheaf_complexf)
sheaf_overload_complex(_complexd, std::complex<double>, sheaf_complexd)
#undef sheaf_overload_complex
#undef sheaf_overload

/* shmem_wait_until */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_wait_until(TYPE *ivar, int cmp, TYPE cmp_value)                    \
    {                                                                                              \
        prefix##NAME##suffix(ivar, cmp, cmp_value);                                                \
    }                                                                                              \
    sheaf_cxx_inline void shmem_wait_until(volatile TYPE *ivar, int cmp, TYPE cmp_value)           \
    {                                                                                              \
        prefix##NAME##suffix(const_cast<TYPE *>(ivar), cmp, cmp_value);                            \
    }
sheaf_overload(_int, int, shmem, _wait_until)
sheaf_overload(_longlong, long long, shmem, _wait_until)
sheaf_overload(_uint, unsigned int, shmem, _wait_until)
sheaf_overload(_ulong, unsigned long, shmem, _wait_until)
sheaf_overload(_ulonglong, unsigned long long, shmem, _wait_until)
sheaf_overload(_short, short, shmem, _wait_until)
sheaf_overload(_ushort, unsigned short, shmem, _wait_until)
#undef sheaf_overload

/* shmem_test */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_test(TYPE *ivar, int cmp, TYPE cmp_value)                           \
    {                                                                                              \
        return prefix##NAME##suffix(ivar, cmp, cmp_value);                                         \
    }                                                                                              \
    sheaf_cxx_inline int shmem_test(volatile TYPE *ivar, int cmp, TYPE cmp_value)                  \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivar), cmp, cmp_value);                     \
    }
sheaf_types_wait(sheaf_overload, shmem, _test)
#undef sheaf_overload

/* shmem_wait_until_all */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_wait_until_all(TYPE *ivars, size_t nelems, const int *status,      \
                                               int cmp, TYPE cmp_value)                            \
    {                                                                                              \
        prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_value);                               \
    }                                                                                              \
    sheaf_cxx_inline void shmem_wait_until_all(volatile TYPE *ivars, size_t nelems,                \
                                               const int *status, int cmp, TYPE cmp_value)         \
    {                                                                                              \
        prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_value);           \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_all)
#undef sheaf_overload

/* shmem_wait_until_any */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_wait_until_any(TYPE *ivars, size_t nelems, const int *status,    \
                                                 int cmp, TYPE cmp_value)                          \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_value);                        \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_wait_until_any(volatile TYPE *ivars, size_t nelems,              \
                                                 const int *status, int cmp, TYPE cmp_value)       \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_value);    \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_any)
#undef sheaf_overload

/* shmem_wait_until_some */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_wait_until_some(TYPE *ivars, size_t nelems, size_t *indices,     \
                                                  const int *status, int cmp, TYPE cmp_value)      \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, indices, status, cmp, cmp_value);               \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_wait_until_some(volatile TYPE *ivars, size_t nelems,             \
                                                  size_t *indices, const int *status, int cmp,     \
                                                  TYPE cmp_value)                                  \
    {                                                                                              \
        return prefix##NAME##suffix(                                                               \
            const_cast<TYPE *>(ivars),                                                             \
            nelems,                                                                                \
            indices,                                                                               \
            status,                                                                                \
            cmp,                                                                                   \
            cmp_value);                                                                            \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_some)
#undef sheaf_overload

/* shmem_wait_until_all_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline void shmem_wait_until_all_vector(TYPE *ivars, size_t nelems,                  \
                                                      const int *status, int cmp,                  \
                                                      const TYPE *cmp_values)                      \
    {                                                                                              \
        prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_values);                              \
    }                                                                                              \
    sheaf_cxx_inline void shmem_wait_until_all_vector(volatile TYPE *ivars, size_t nelems,         \
                                                      const int *status, int cmp,                  \
                                                      const TYPE *cmp_values)                      \
    {                                                                                              \
        prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_values);          \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_all_vector)
#undef sheaf_overload

/* shmem_wait_until_any_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_wait_until_any_vector(TYPE *ivars, size_t nelems,                \
                                                        const int *status, int cmp,                \
                                                        const TYPE *cmp_values)                    \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_values);                       \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_wait_until_any_vector(volatile TYPE *ivars, size_t nelems,       \
                                                        const int *status, int cmp,                \
                                                        const TYPE *cmp_values)                    \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_values);   \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_any_vector)
#undef sheaf_overload

/* shmem_wait_until_some_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_wait_until_some_vector(TYPE *ivars, size_t nelems,               \
                                                         size_t *indices, const int *status,       \
                                                         int cmp, const TYPE *cmp_values)          \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, indices, status, cmp, cmp_values);              \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_wait_until_some_vector(volatile TYPE *ivars, size_t nelems,      \
                                                         size_t *indices, const int *status,       \
                                                         int cmp, const TYPE *cmp_values)          \
    {                                                                                              \
        return prefix##NAME##suffix(                                                               \
            const_cast<TYPE *>(ivars),                                                             \
            nelems,                                                                                \
            indices,                                                                               \
            status,                                                                                \
            cmp,                                                                                   \
            cmp_values);                                                                           \
    }
sheaf_types_wait(sheaf_overload, shmem, _wait_until_some_vector)
#undef sheaf_overload

/* shmem_test_all */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_test_all(TYPE *ivars, size_t nelems, const int *status, int cmp,    \
                                        TYPE cmp_value)                                            \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_value);                        \
    }                                                                                              \
    sheaf_cxx_inline int shmem_test_all(volatile TYPE *ivars, size_t nelems, const int *status,    \
                                        int cmp, TYPE cmp_value)                                   \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_value);    \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_all)
#undef sheaf_overload

/* shmem_test_any */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_test_any(TYPE *ivars, size_t nelems, const int *status, int cmp, \
                                           TYPE cmp_value)                                         \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_value);                        \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_test_any(volatile TYPE *ivars, size_t nelems, const int *status, \
                                           int cmp, TYPE cmp_value)                                \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_value);    \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_any)
#undef sheaf_overload

/* shmem_test_some */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_test_some(TYPE *ivars, size_t nelems, size_t *indices,           \
                                            const int *status, int cmp, TYPE cmp_value)            \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, indices, status, cmp, cmp_value);               \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_test_some(volatile TYPE *ivars, size_t nelems, size_t *indices,  \
                                            const int *status, int cmp, TYPE cmp_value)            \
    {                                                                                              \
        return prefix##NAME##suffix(                                                               \
            const_cast<TYPE *>(ivars),                                                             \
            nelems,                                                                                \
            indices,                                                                               \
            status,                                                                                \
            cmp,                                                                                   \
            cmp_value);                                                                            \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_some)
#undef sheaf_overload

/* shmem_test_all_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline int shmem_test_all_vector(TYPE *ivars, size_t nelems, const int *status,      \
                                               int cmp, const TYPE *cmp_values)                    \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_values);                       \
    }                                                                                              \
    sheaf_cxx_inline int shmem_test_all_vector(volatile TYPE *ivars, size_t nelems,                \
                                               const int *status, int cmp, const TYPE *cmp_values) \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_values);   \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_all_vector)
#undef sheaf_overload

/* shmem_test_any_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_test_any_vector(TYPE *ivars, size_t nelems, const int *status,   \
                                                  int cmp, const TYPE *cmp_values)                 \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, status, cmp, cmp_values);                       \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_test_any_vector(volatile TYPE *ivars, size_t nelems,             \
                                                  const int *status, int cmp,                      \
                                                  const TYPE *cmp_values)                          \
    {                                                                                              \
        return prefix##NAME##suffix(const_cast<TYPE *>(ivars), nelems, status, cmp, cmp_values);   \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_any_vector)
#undef sheaf_overload

/* shmem_test_some_vector */
#define sheaf_overload(NAME, TYPE, prefix, suffix)                                                 \
    sheaf_cxx_inline size_t shmem_test_some_vector(TYPE *ivars, size_t nelems, size_t *indices,    \
                                                   const int *status, int cmp,                     \
                                                   const TYPE *cmp_values)                         \
    {                                                                                              \
        return prefix##NAME##suffix(ivars, nelems, indices, status, cmp, cmp_values);              \
    }                                                                                              \
    sheaf_cxx_inline size_t shmem_test_some_vector(volatile TYPE *ivars, size_t nelems,            \
                                                   size_t *indices, const int *status, int cmp,    \
                                                   const TYPE *cmp_values)                         \
    {                                                                                              \
        return prefix##NAME##suffix(                                                               \
            const_cast<TYPE *>(ivars),                                                             \
            nelems,                                                                                \
            indices,                                                                               \
            status,                                                                                \
            cmp,                                                                                   \
            cmp_values);                                                                           \
    }
sheaf_types_wait(sheaf_overload, shmem, _test_some_vector)
#undef sheaf_overload

#if __cplusplus >= 201103L
/* Calls for a type that the name does not have. */
#define sheaf_unsupported(NAME)                                                                    \
    template <typename sheaf_type = void> int NAME(...)                                            \
    {                                                                                              \
        static_assert(sizeof(sheaf_type *) == 0, #NAME ": unsupported type, or volatile");         \
        return 0;                                                                                  \
    }
sheaf_unsupported(shmem_put)
sheaf_unsupported(shmem_p)
sheaf_unsupported(shmem_get)
sheaf_unsupported(shmem_g)
sheaf_unsupported(shmem_iput)
sheaf_unsupported(shmem_iget)
sheaf_unsupported(shmem_ibput)
sheaf_unsupported(shmem_ibget)
sheaf_unsupported(shmem_put_nbi)
sheaf_unsupported(shmem_get_nbi)
sheaf_unsupported(shmem_atomic_fetch)
sheaf_unsupported(shmem_fetch)
sheaf_unsupported(shmem_atomic_set)
sheaf_unsupported(shmem_set)
sheaf_unsupported(shmem_atomic_compare_swap)
sheaf_unsupported(shmem_cswap)
sheaf_unsupported(shmem_atomic_swap)
sheaf_unsupported(shmem_swap)
sheaf_unsupported(shmem_atomic_fetch_inc)
sheaf_unsupported(shmem_finc)
sheaf_unsupported(shmem_atomic_inc)
sheaf_unsupported(shmem_inc)
sheaf_unsupported(shmem_atomic_fetch_add)
sheaf_unsupported(shmem_fadd)
sheaf_unsupported(shmem_atomic_add)
sheaf_unsupported(shmem_add)
sheaf_unsupported(shmem_atomic_fetch_and)
sheaf_unsupported(shmem_atomic_and)
sheaf_unsupported(shmem_atomic_fetch_or)
sheaf_unsupported(shmem_atomic_or)
sheaf_unsupported(shmem_atomic_fetch_xor)
sheaf_unsupported(shmem_atomic_xor)
sheaf_unsupported(shmem_atomic_fetch_nbi)
sheaf_unsupported(shmem_atomic_compare_swap_nbi)
sheaf_unsupported(shmem_atomic_swap_nbi)
sheaf_unsupported(shmem_atomic_fetch_inc_nbi)
sheaf_unsupported(shmem_atomic_fetch_add_nbi)
sheaf_unsupported(shmem_atomic_fetch_and_nbi)
sheaf_unsupported(shmem_atomic_fetch_or_nbi)
sheaf_unsupported(shmem_atomic_fetch_xor_nbi)
sheaf_unsupported(shmem_put_signal)
sheaf_unsupported(shmem_put_signal_nbi)
sheaf_unsupported(shmem_alltoall)
sheaf_unsupported(shmem_alltoalls)
sheaf_unsupported(shmem_broadcast)
sheaf_unsupported(shmem_collect)
sheaf_unsupported(shmem_fcollect)
sheaf_unsupported(shmem_and_reduce)
sheaf_unsupported(shmem_or_reduce)
sheaf_unsupported(shmem_xor_reduce)
sheaf_unsupported(shmem_max_reduce)
sheaf_unsupported(shmem_min_reduce)
sheaf_unsupported(shmem_sum_reduce)
sheaf_unsupported(shmem_prod_reduce)
sheaf_unsupported(shmem_sum_inscan)
sheaf_unsupported(shmem_sum_exscan)
sheaf_unsupported(shmem_wait_until)
sheaf_unsupported(shmem_test)
sheaf_unsupported(shmem_wait_until_all)
sheaf_unsupported(shmem_wait_until_any)
sheaf_unsupported(shmem_wait_until_some)
sheaf_unsupported(shmem_wait_until_all_vector)
sheaf_unsupported(shmem_wait_until_any_vector)
sheaf_unsupported(shmem_wait_until_some_vector)
sheaf_unsupported(shmem_test_all)
sheaf_unsupported(shmem_test_any)
sheaf_unsupported(shmem_test_some)
sheaf_unsupported(shmem_test_all_vector)
sheaf_unsupported(shmem_test_any_vector)
sheaf_unsupported(shmem_test_some_vector)
sheaf_unsupported(shmem_signal_add)
sheaf_unsupported(shmem_signal_set)
#undef sheaf_unsupported
#endif

/* The forms of specification 1.3, for its programs. */
#define sheaf_overload(NAME, TYPE)                                                                 \
    sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE")                                     \
    inline void shmem##NAME##_wait(volatile TYPE *ivar, TYPE cmp_value)                            \
    {                                                                                              \
        shmem##NAME##_wait(const_cast<TYPE *>(ivar), cmp_value);                                   \
    }                                                                                              \
    inline void shmem##NAME##_wait_until(volatile TYPE *ivar, int cmp, TYPE cmp_value)             \
    {                                                                                              \
        shmem##NAME##_wait_until(const_cast<TYPE *>(ivar), cmp, cmp_value);                        \
    }
sheaf_overload(_short, short)
sheaf_overload(_int, int)
sheaf_overload(_long, long)
sheaf_overload(_longlong, long long)
#undef sheaf_overload
sheaf_deprecated("use shmem_wait_until with SHMEM_CMP_NE")
inline void shmem_wait(volatile long *ivar, long cmp_value)
{
    shmem_wait(const_cast<long *>(ivar), cmp_value);
}
inline void shmem_wait_until(volatile long *ivar, int cmp, long cmp_value)
{
    shmem_wait_until(const_cast<long *>(ivar), cmp, cmp_value);
}
inline void shmem_set_lock(volatile long *lock)
{
    shmem_set_lock(const_cast<long *>(lock));
}
inline void shmem_clear_lock(volatile long *lock)
{
    shmem_clear_lock(const_cast<long *>(lock));
}
inline int shmem_test_lock(volatile long *lock)
{
    return shmem_test_lock(const_cast<long *>(lock));
}

}

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#undef sheaf_cxx_inline
#undef sheaf_types_amo
#undef sheaf_types_bitwise
#undef sheaf_types_bitwise_amo
#undef sheaf_types_extended_amo
#undef sheaf_types_rma
#undef sheaf_types_sum
#undef sheaf_types_wait
#endif

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
