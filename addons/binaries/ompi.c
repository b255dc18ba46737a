/* SPDX-License-Identifier: BSD-3-Clause
 *
 * liboshmem.so.40 for programs that were linked with Open MPI's OpenSHMEM (4.1, 5.0). Routines of
 * the specification are libsheaf's own, which this library needs: types and constants are the same
 * there. What is here are predefined handles, which are variables in Open MPI, and routines of its
 * shmemx.h.
 */
#include <shmem.h>
#include <stdint.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC shmem_ctx_t oshmem_ctx_default = SHMEM_CTX_DEFAULT;
PUBLIC shmem_team_t oshmem_team_world = SHMEM_TEAM_WORLD; /* since 5.0 */
PUBLIC shmem_team_t oshmem_team_shared = SHMEM_TEAM_SHARED;

/* What its type-generic shmem_sync calls for an active set, since 5.0. */
PUBLIC void shmem_sync_deprecated(int, int, int, long *);
void shmem_sync_deprecated(int start, int log_stride, int size, long *pSync)
{
    shmem_sync(start, log_stride, size, pSync);
}

PUBLIC int my_pe(void);
int my_pe(void)
{
    return shmem_my_pe();
}

PUBLIC int num_pes(void);
int num_pes(void)
{
    return shmem_n_pes();
}

PUBLIC void *shmemx_malloc_with_hint(size_t size, long hint);
void *shmemx_malloc_with_hint(size_t size, long hint)
{
    (void)hint;
    return shmem_malloc(size);
}

/* bits: the integer's in shmemx.h; name: the same type in shmem.h. */
#define REDUCE(bits, name, operation)                                                              \
    PUBLIC void shmemx_int##bits##_##operation##_to_all(                                           \
        int##bits##_t *, const int##bits##_t *, int, int, int, int, int##bits##_t *, long *);      \
    void shmemx_int##bits##_##operation##_to_all(int##bits##_t *dest, const int##bits##_t *source, \
                                                 int nreduce, int start, int log_stride, int size, \
                                                 int##bits##_t *pWrk, long *pSync)                 \
    {                                                                                              \
        shmem_##name##_##operation##_to_all((void *)dest, (const void *)source, nreduce, start,    \
                                            log_stride, size, (void *)pWrk, pSync);                \
    }
#define REDUCTIONS(bits, name)                                                                     \
    REDUCE(bits, name, and)                                                                        \
    REDUCE(bits, name, or) REDUCE(bits, name, xor) REDUCE(bits, name, max) REDUCE(bits, name, min) \
        REDUCE(bits, name, sum) REDUCE(bits, name, prod)
REDUCTIONS(16, short)
REDUCTIONS(32, int)
REDUCTIONS(64, longlong)

#define SINGLE(bits)                                                                               \
    PUBLIC void shmemx_int##bits##_p(int##bits##_t *, int##bits##_t, int);                         \
    void shmemx_int##bits##_p(int##bits##_t *dest, int##bits##_t value, int pe)                    \
    {                                                                                              \
        shmem_int##bits##_p(dest, value, pe);                                                      \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_g(const int##bits##_t *, int);                         \
    int##bits##_t shmemx_int##bits##_g(const int##bits##_t *source, int pe)                        \
    {                                                                                              \
        return shmem_int##bits##_g(source, pe);                                                    \
    }
SINGLE(16)
SINGLE(32)
SINGLE(64)

#define ATOMICS(bits)                                                                              \
    PUBLIC void shmemx_int##bits##_add(int##bits##_t *, int##bits##_t, int);                       \
    void shmemx_int##bits##_add(int##bits##_t *dest, int##bits##_t value, int pe)                  \
    {                                                                                              \
        shmem_int##bits##_atomic_add(dest, value, pe);                                             \
    }                                                                                              \
    PUBLIC void shmemx_int##bits##_inc(int##bits##_t *, int);                                      \
    void shmemx_int##bits##_inc(int##bits##_t *dest, int pe)                                       \
    {                                                                                              \
        shmem_int##bits##_atomic_inc(dest, pe);                                                    \
    }                                                                                              \
    PUBLIC void shmemx_int##bits##_set(int##bits##_t *, int##bits##_t, int);                       \
    void shmemx_int##bits##_set(int##bits##_t *dest, int##bits##_t value, int pe)                  \
    {                                                                                              \
        shmem_int##bits##_atomic_set(dest, value, pe);                                             \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_fetch(const int##bits##_t *, int);                     \
    int##bits##_t shmemx_int##bits##_fetch(const int##bits##_t *source, int pe)                    \
    {                                                                                              \
        return shmem_int##bits##_atomic_fetch(source, pe);                                         \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_finc(int##bits##_t *, int);                            \
    int##bits##_t shmemx_int##bits##_finc(int##bits##_t *dest, int pe)                             \
    {                                                                                              \
        return shmem_int##bits##_atomic_fetch_inc(dest, pe);                                       \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_fadd(int##bits##_t *, int##bits##_t, int);             \
    int##bits##_t shmemx_int##bits##_fadd(int##bits##_t *dest, int##bits##_t value, int pe)        \
    {                                                                                              \
        return shmem_int##bits##_atomic_fetch_add(dest, value, pe);                                \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_swap(int##bits##_t *, int##bits##_t, int);             \
    int##bits##_t shmemx_int##bits##_swap(int##bits##_t *dest, int##bits##_t value, int pe)        \
    {                                                                                              \
        return shmem_int##bits##_atomic_swap(dest, value, pe);                                     \
    }                                                                                              \
    PUBLIC int##bits##_t shmemx_int##bits##_cswap(int##bits##_t *, int##bits##_t, int##bits##_t,   \
                                                  int);                                            \
    int##bits##_t shmemx_int##bits##_cswap(int##bits##_t *dest, int##bits##_t cond,                \
                                           int##bits##_t value, int pe)                            \
    {                                                                                              \
        return shmem_int##bits##_atomic_compare_swap(dest, cond, value, pe);                       \
    }                                                                                              \
    PUBLIC void shmemx_int##bits##_wait(int##bits##_t *, int##bits##_t);                           \
    void shmemx_int##bits##_wait(int##bits##_t *ivar, int##bits##_t value)                         \
    {                                                                                              \
        shmem_int##bits##_wait_until(ivar, SHMEM_CMP_NE, value);                                   \
    }                                                                                              \
    PUBLIC void shmemx_int##bits##_wait_until(int##bits##_t *, int, int##bits##_t);                \
    void shmemx_int##bits##_wait_until(int##bits##_t *ivar, int cmp, int##bits##_t value)          \
    {                                                                                              \
        shmem_int##bits##_wait_until(ivar, cmp, value);                                            \
    }
ATOMICS(32)
ATOMICS(64)

#define BITWISE(type, operation)                                                                   \
    PUBLIC void shmemx_##type##_atomic_##operation(type##_t *, type##_t, int);                     \
    void shmemx_##type##_atomic_##operation(type##_t *dest, type##_t value, int pe)                \
    {                                                                                              \
        shmem_##type##_atomic_##operation(dest, value, pe);                                        \
    }                                                                                              \
    PUBLIC type##_t shmemx_##type##_atomic_fetch_##operation(type##_t *, type##_t, int);           \
    type##_t shmemx_##type##_atomic_fetch_##operation(type##_t *dest, type##_t value, int pe)      \
    {                                                                                              \
        return shmem_##type##_atomic_fetch_##operation(dest, value, pe);                           \
    }
#define BITWISE_ALL(type) BITWISE(type, and) BITWISE(type, or) BITWISE(type, xor)
BITWISE_ALL(int32)
BITWISE_ALL(int64)
BITWISE_ALL(uint32)
BITWISE_ALL(uint64)
