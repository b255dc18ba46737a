/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libsma.so.0 for programs that were linked with Sandia OpenSHMEM (1.4.5 to 1.5.3). Its comparisons
 * and signal operations have other numbers than Sheaf's, so routines that take one translate it and
 * call libsheaf's; all other routines of the specification are libsheaf's own, which this library
 * needs. Predefined handles are variables there.
 */
#include <pshmem.h>
#include <stdint.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

enum { FIRST_COMPARISON = 1, COMPARISONS = 6, SIGNAL_OPERATIONS = 2 };

/* The names of these variables are constants in shmem.h. */
PUBLIC shmem_ctx_t default_context __asm__("SHMEM_CTX_DEFAULT") = SHMEM_CTX_DEFAULT;
PUBLIC shmem_team_t world __asm__("SHMEM_TEAM_WORLD") = SHMEM_TEAM_WORLD;
PUBLIC shmem_team_t shared __asm__("SHMEM_TEAM_SHARED") = SHMEM_TEAM_SHARED;
PUBLIC shmem_team_t node __asm__("SHMEMX_TEAM_NODE") = SHMEM_TEAM_SHARED;

/* By their numbers: EQ, NE, GT, GE, LT, LE from 1 on; SET, ADD from 0 on. Others stay what they are
 * in no library, and the routine that is called says so. */
static int comparison(int cmp)
{
    static const int ours[COMPARISONS] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
                                          SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};
    return cmp >= FIRST_COMPARISON && cmp - FIRST_COMPARISON < COMPARISONS
               ? ours[cmp - FIRST_COMPARISON]
               : -1;
}

static int signal_operation(int sig_op)
{
    static const int ours[SIGNAL_OPERATIONS] = {SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD};
    return sig_op >= 0 && sig_op < SIGNAL_OPERATIONS ? ours[sig_op] : -1;
}

#define WAIT_SET(result, name, type, form, value)                                                  \
    PUBLIC result shmem_##name##_##form(type *, size_t, const int *, int, value);                  \
    result shmem_##name##_##form(type *ivars, size_t nelems, const int *status, int cmp,           \
                                 value operand)                                                    \
    {                                                                                              \
        return pshmem_##name##_##form(ivars, nelems, status, comparison(cmp), operand);            \
    }
#define WAIT_SOME(name, type, form, value)                                                         \
    PUBLIC size_t shmem_##name##_##form(type *, size_t, size_t *, const int *, int, value);        \
    size_t shmem_##name##_##form(type *ivars, size_t nelems, size_t *indices, const int *status,   \
                                 int cmp, value operand)                                           \
    {                                                                                              \
        return pshmem_##name##_##form(ivars, nelems, indices, status, comparison(cmp), operand);   \
    }
#define WAIT_FORMS(name, type, value, end)                                                         \
    WAIT_SET(void, name, type, wait_until_all##end, value)                                         \
    WAIT_SET(size_t, name, type, wait_until_any##end, value)                                       \
    WAIT_SOME(name, type, wait_until_some##end, value)                                             \
    WAIT_SET(int, name, type, test_all##end, value)                                                \
    WAIT_SET(size_t, name, type, test_any##end, value)                                             \
    WAIT_SOME(name, type, test_some##end, value)
#define WAIT(name, type)                                                                           \
    PUBLIC void shmem_##name##_wait_until(type *, int, type);                                      \
    void shmem_##name##_wait_until(type *ivar, int cmp, type value)                                \
    {                                                                                              \
        pshmem_##name##_wait_until(ivar, comparison(cmp), value);                                  \
    }                                                                                              \
    PUBLIC int shmem_##name##_test(type *, int, type);                                             \
    int shmem_##name##_test(type *ivar, int cmp, type value)                                       \
    {                                                                                              \
        return pshmem_##name##_test(ivar, comparison(cmp), value);                                 \
    }                                                                                              \
    WAIT_FORMS(name, type, type, )                                                                 \
    WAIT_FORMS(name, type, const type *, _vector)
WAIT(short, short)
WAIT(int, int)
WAIT(long, long)
WAIT(longlong, long long)
WAIT(ushort, unsigned short)
WAIT(uint, unsigned int)
WAIT(ulong, unsigned long)
WAIT(ulonglong, unsigned long long)
WAIT(int32, int32_t)
WAIT(int64, int64_t)
WAIT(uint32, uint32_t)
WAIT(uint64, uint64_t)
WAIT(size, size_t)
WAIT(ptrdiff, ptrdiff_t)

PUBLIC void shmem_wait_until(long *, int, long);
void shmem_wait_until(long *ivar, int cmp, long value)
{
    pshmem_wait_until(ivar, comparison(cmp), value);
}

PUBLIC uint64_t shmem_signal_wait_until(uint64_t *, int, uint64_t);
uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t value)
{
    return pshmem_signal_wait_until(sig_addr, comparison(cmp), value);
}

#define PUT_SIGNAL_FORM(name, type)                                                                \
    PUBLIC void shmem_##name(type *, const type *, size_t, uint64_t *, uint64_t, int, int);        \
    void shmem_##name(type *dest, const type *source, size_t nelems, uint64_t *sig_addr,           \
                      uint64_t signal, int sig_op, int pe)                                         \
    {                                                                                              \
        pshmem_##name(dest, source, nelems, sig_addr, signal, signal_operation(sig_op), pe);       \
    }                                                                                              \
    PUBLIC void shmem_ctx_##name(shmem_ctx_t, type *, const type *, size_t, uint64_t *, uint64_t,  \
                                 int, int);                                                        \
    void shmem_ctx_##name(shmem_ctx_t ctx, type *dest, const type *source, size_t nelems,          \
                          uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)                 \
    {                                                                                              \
        pshmem_ctx_##name(ctx, dest, source, nelems, sig_addr, signal, signal_operation(sig_op),   \
                          pe);                                                                     \
    }
#define PUT_SIGNAL(name, type)                                                                     \
    PUT_SIGNAL_FORM(name##_signal, type)                                                           \
    PUT_SIGNAL_FORM(name##_signal_nbi, type)
PUT_SIGNAL(float_put, float)
PUT_SIGNAL(double_put, double)
PUT_SIGNAL(longdouble_put, long double)
PUT_SIGNAL(char_put, char)
PUT_SIGNAL(schar_put, signed char)
PUT_SIGNAL(short_put, short)
PUT_SIGNAL(int_put, int)
PUT_SIGNAL(long_put, long)
PUT_SIGNAL(longlong_put, long long)
PUT_SIGNAL(uchar_put, unsigned char)
PUT_SIGNAL(ushort_put, unsigned short)
PUT_SIGNAL(uint_put, unsigned int)
PUT_SIGNAL(ulong_put, unsigned long)
PUT_SIGNAL(ulonglong_put, unsigned long long)
PUT_SIGNAL(int8_put, int8_t)
PUT_SIGNAL(int16_put, int16_t)
PUT_SIGNAL(int32_put, int32_t)
PUT_SIGNAL(int64_put, int64_t)
PUT_SIGNAL(uint8_put, uint8_t)
PUT_SIGNAL(uint16_put, uint16_t)
PUT_SIGNAL(uint32_put, uint32_t)
PUT_SIGNAL(uint64_put, uint64_t)
PUT_SIGNAL(size_put, size_t)
PUT_SIGNAL(ptrdiff_put, ptrdiff_t)

#define PUT_SIGNAL_SIZED(name)                                                                     \
    PUT_SIGNAL_FORM(name##_signal, void) PUT_SIGNAL_FORM(name##_signal_nbi, void)
PUT_SIGNAL_SIZED(put8)
PUT_SIGNAL_SIZED(put16)
PUT_SIGNAL_SIZED(put32)
PUT_SIGNAL_SIZED(put64)
PUT_SIGNAL_SIZED(put128)
PUT_SIGNAL_SIZED(putmem)

/* Of its shmemx.h. */
PUBLIC double shmemx_wtime(void);
double shmemx_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

PUBLIC void shmemx_signal_add(uint64_t *, uint64_t, int);
void shmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
{
    pshmem_signal_add(sig_addr, signal, pe);
}

PUBLIC void shmemx_signal_set(uint64_t *, uint64_t, int);
void shmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
    pshmem_signal_set(sig_addr, signal, pe);
}

PUBLIC void shmemx_ctx_signal_add(shmem_ctx_t, uint64_t *, uint64_t, int);
void shmemx_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    pshmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}

PUBLIC void shmemx_ctx_signal_set(shmem_ctx_t, uint64_t *, uint64_t, int);
void shmemx_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    pshmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}

#define BLOCKS(name, type)                                                                         \
    PUBLIC void shmemx_##name(type *, const type *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);    \
    void shmemx_##name(type *dest, const type *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                       size_t nblocks, int pe)                                                     \
    {                                                                                              \
        pshmem_##name(dest, source, dst, sst, bsize, nblocks, pe);                                 \
    }                                                                                              \
    PUBLIC void shmemx_ctx_##name(shmem_ctx_t, type *, const type *, ptrdiff_t, ptrdiff_t, size_t, \
                                  size_t, int);                                                    \
    void shmemx_ctx_##name(shmem_ctx_t ctx, type *dest, const type *source, ptrdiff_t dst,         \
                           ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)                    \
    {                                                                                              \
        pshmem_ctx_##name(ctx, dest, source, dst, sst, bsize, nblocks, pe);                        \
    }
#define SCAN(name, type)                                                                           \
    PUBLIC int shmemx_##name(shmem_team_t, type *, const type *, size_t);                          \
    int shmemx_##name(shmem_team_t team, type *dest, const type *source, size_t nelems)            \
    {                                                                                              \
        return pshmem_##name(team, dest, source, nelems);                                          \
    }
#define BLOCKS_BOTH(name, type)      BLOCKS(name##_ibput, type) BLOCKS(name##_ibget, type)
#define SCANS(name, type)            SCAN(name##_sum_exscan, type) SCAN(name##_sum_inscan, type)
#define BLOCKS_AND_SCANS(name, type) BLOCKS_BOTH(name, type) SCANS(name, type)
BLOCKS_AND_SCANS(float, float)
BLOCKS_AND_SCANS(double, double)
BLOCKS_AND_SCANS(longdouble, long double)
BLOCKS_AND_SCANS(char, char)
BLOCKS_AND_SCANS(schar, signed char)
BLOCKS_AND_SCANS(short, short)
BLOCKS_AND_SCANS(int, int)
BLOCKS_AND_SCANS(long, long)
BLOCKS_AND_SCANS(longlong, long long)
BLOCKS_AND_SCANS(uchar, unsigned char)
BLOCKS_AND_SCANS(ushort, unsigned short)
BLOCKS_AND_SCANS(uint, unsigned int)
BLOCKS_AND_SCANS(ulong, unsigned long)
BLOCKS_AND_SCANS(ulonglong, unsigned long long)
BLOCKS_AND_SCANS(int8, int8_t)
BLOCKS_AND_SCANS(int16, int16_t)
BLOCKS_AND_SCANS(int32, int32_t)
BLOCKS_AND_SCANS(int64, int64_t)
BLOCKS_AND_SCANS(uint8, uint8_t)
BLOCKS_AND_SCANS(uint16, uint16_t)
BLOCKS_AND_SCANS(uint32, uint32_t)
BLOCKS_AND_SCANS(uint64, uint64_t)
BLOCKS_AND_SCANS(size, size_t)
BLOCKS_AND_SCANS(ptrdiff, ptrdiff_t)

#define BLOCKS_SIZED(bits) BLOCKS(ibput##bits, void) BLOCKS(ibget##bits, void)
BLOCKS_SIZED(8)
BLOCKS_SIZED(16)
BLOCKS_SIZED(32)
BLOCKS_SIZED(64)
BLOCKS_SIZED(128)
