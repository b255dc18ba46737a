/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: a put with a flag that says it has arrived, and the flag alone.
 */
#include "api/define.h"

#include "api/access.h"

static inline void update_signal(uint64_t *signal_object, uint64_t signal, int operation, int pe,
                                 const char *call)
{
    uint64_t *remote = sheaf_route_to(signal_object, sizeof *signal_object, pe, call);
    if (operation == SHMEM_SIGNAL_SET)
        sheaf_store_release(remote, signal);
    else if (sheaf_likely(operation == SHMEM_SIGNAL_ADD))
        __atomic_fetch_add(remote, signal, __ATOMIC_SEQ_CST);
    else
        sheaf_fatal("%s: sig_op is %d; expected SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", call,
                    operation);
}

/* The signal's release order is what makes the data visible before it. */
static inline void put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                              uint64_t signal, int sig_op, int pe, const char *call)
{
    sheaf_put(dest, source, bytes, pe, call);
    update_signal(sig_addr, signal, sig_op, pe, call);
}

SHEAF_CHAPTER("Signals")

/* Copies nelems elements from source, local, to dest, symmetric, on PE pe, then updates
 * *sig_addr, symmetric, there: sets it to signal (SHMEM_SIGNAL_SET) or adds signal to it
 * (SHMEM_SIGNAL_ADD). Who sees the signal sees the data. source may be reused on return.
 * Specification 1.6: shmem_put_signal */
#define PUT_SIGNAL(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_put_signal,                                                     \
                      (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(dest, source, nelems * sizeof(TYPE), sig_addr, signal, sig_op, pe, call);       \
    })
SHEAF_FAMILY(PUT_SIGNAL, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal */
#define PUT_SIZE_SIGNAL(SIZE, BYTES)                                                               \
    SHEAF_CTX_ROUTINE(void, put##SIZE##_signal,                                                    \
                      (void *dest, const void *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(dest, source, nelems * BYTES, sig_addr, signal, sig_op, pe, call);              \
    })
SHEAF_SIZES_AND_MEM(PUT_SIZE_SIGNAL)

/* As shmem_put_signal, but source may be reused only after shmem_quiet.
 * Specification 1.6: shmem_put_signal_nbi */
#define PUT_SIGNAL_NBI(NAME, TYPE)                                                                 \
    SHEAF_CTX_ROUTINE(void, NAME##_put_signal_nbi,                                                 \
                      (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(dest, source, nelems * sizeof(TYPE), sig_addr, signal, sig_op, pe, call);       \
    })
SHEAF_FAMILY(PUT_SIGNAL_NBI, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal_nbi */
#define PUT_SIZE_SIGNAL_NBI(SIZE, BYTES)                                                           \
    SHEAF_CTX_ROUTINE(void, put##SIZE##_signal_nbi,                                                \
                      (void *dest, const void *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(dest, source, nelems * BYTES, sig_addr, signal, sig_op, pe, call);              \
    })
SHEAF_SIZES_AND_MEM(PUT_SIZE_SIGNAL_NBI)

/* Adds signal to *sig_addr, symmetric, on PE pe, atomically.
 * Specification 1.6: shmem_signal_add */
SHEAF_CTX_ROUTINE_1_6(void, signal_add, (uint64_t *sig_addr, uint64_t signal, int pe), {
    update_signal(sig_addr, signal, SHMEM_SIGNAL_ADD, pe, call);
})

/* Sets *sig_addr, symmetric, on PE pe to signal, atomically.
 * Specification 1.6: shmem_signal_set */
SHEAF_CTX_ROUTINE_1_6(void, signal_set, (uint64_t *sig_addr, uint64_t signal, int pe), {
    update_signal(sig_addr, signal, SHMEM_SIGNAL_SET, pe, call);
})

/* Returns the calling PE's own signal object, read atomically.
 * Specification 1.6: shmem_signal_fetch */
SHEAF_ROUTINE(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr), {
    return sheaf_load_acquire(sig_addr);
})
