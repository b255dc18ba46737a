/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: a put with a flag that says it has arrived, and the flag alone.
 */
#include "api/define.h"

#include "api/access/access.h"
#include "core/access/copy/copier.h"
#include "core/memory/check.h"

/* A caller in Fortran may have the values by number: 0 is none of them. */
static inline void check_operation(int operation, const char *call)
{
    if (sheaf_unlikely(operation != SHMEM_SIGNAL_SET && operation != SHMEM_SIGNAL_ADD))
        sheaf_fatal("SH104 %s: sig_op is %d; expected SHMEM_SIGNAL_SET (%d) or SHMEM_SIGNAL_ADD (%d)", call,
                    operation, SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD);
}

static inline void update_near(uint64_t *signal_object, uint64_t signal, int operation, int pe)
{
    uint64_t *remote = sheaf_route_near(signal_object, pe);
    if (operation == SHMEM_SIGNAL_SET)
        sheaf_store_release(remote, signal);
    else
        __atomic_fetch_add(remote, signal, __ATOMIC_SEQ_CST);
}

static inline __attribute__((always_inline)) void
update_signal(shmem_ctx_t ctx, uint64_t *signal_object, uint64_t signal, int operation, int pe,
              const char *call)
{
    if (sheaf_route_is_near(pe)) {
        update_near(signal_object, signal, operation, pe);
    } else {
        const struct sheaf_amo_call amo = {
            .operation = operation == SHMEM_SIGNAL_SET ? SHEAF_AMO_SET : SHEAF_AMO_ADD,
            .bytes = sizeof *signal_object,
            .object = signal_object,
            .operand = signal,
        };
        SHEAF_CALL(call);
        sheaf_checked_amo(&amo, pe, ctx, call);
    }
}

/* Out of line: an addition's LOCK costs more than the jump, and setting is one comparison cheaper. */
static __attribute__((noinline)) void put_and_add(void *dest, const void *source, size_t nelems,
                                                  size_t element_bytes, uint64_t *sig_addr, uint64_t signal,
                                                  int sig_op, int pe, const char *call)
{
    check_operation(sig_op, call);
    sheaf_copy(sheaf_route_near(dest, pe), source, sheaf_check_bytes(nelems, element_bytes, call));
    sheaf_fence_copy();
    update_near(sig_addr, signal, SHMEM_SIGNAL_ADD, pe);
}

/* With the alignment of the data's elements. */
struct elements_signal {
    struct sheaf_signal_call update;
    size_t alignment;
};

/* Out of line, with its arguments where the near way has them: the near way takes 32 instructions, and 37
 * with the comparison beside it. */
static __attribute__((noinline)) void put_signal_slow(void *dest, const void *source, size_t bytes,
                                                      const struct elements_signal *signal, bool nbi,
                                                      int pe, shmem_ctx_t ctx, const char *call)
{
    sheaf_check_elements(dest, source, signal->alignment, call);
    sheaf_checked_put_signal(dest, source, bytes, &signal->update, nbi, pe, ctx, call);
}

/* On a node the signal's release order is what makes the data visible before it. */
static inline __attribute__((always_inline)) void
put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t element_bytes,
           size_t alignment, uint64_t *sig_addr, uint64_t signal, int sig_op, bool nbi, int pe,
           const char *call)
{
    size_t most = sheaf_copy_nbi_most[__builtin_ctzl(element_bytes)];
    if (!sheaf_route_is_near(pe) || (nbi && sheaf_unlikely(nelems >= most))) {
        check_operation(sig_op, call);
        struct elements_signal update = {{sig_addr, signal, sig_op == SHMEM_SIGNAL_ADD}, alignment};
        SHEAF_CALL(call);
        put_signal_slow(dest, source, sheaf_bytes_of(nelems, element_bytes), &update, nbi, pe, ctx, call);
    } else if (sheaf_likely(sig_op == SHMEM_SIGNAL_SET)) {
        SHEAF_TO(dest, source, nelems, element_bytes, false);
        update_near(sig_addr, signal, SHMEM_SIGNAL_SET, pe);
    } else {
        put_and_add(dest, source, nelems, element_bytes, sig_addr, signal, sig_op, pe, call);
    }
}

SHEAF_CHAPTER("Signals")

/* Copies nelems elements from source, local, to dest, symmetric, on PE pe, then updates
 * *sig_addr, symmetric, there: sets it to signal (SHMEM_SIGNAL_SET) or adds signal to it
 * (SHMEM_SIGNAL_ADD). A PE that sees the signal sees the data. source may be reused on return.
 * Specification 1.6: shmem_put_signal */
#define PUT_SIGNAL(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_put_signal,                                                     \
                      (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(ctx, dest, source, nelems, sizeof(TYPE), _Alignof(TYPE), sig_addr, signal,      \
                   sig_op, false, pe, call);                                                       \
    })
SHEAF_FAMILY(PUT_SIGNAL, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal */
#define PUT_SIZE_SIGNAL(SIZE, BYTES)                                                               \
    SHEAF_CTX_ROUTINE(void, put##SIZE##_signal,                                                    \
                      (void *dest, const void *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(ctx, dest, source, nelems, BYTES, 1, sig_addr, signal,                          \
                   sig_op, false, pe, call);                                                       \
    })
SHEAF_SIZES_AND_MEM(PUT_SIZE_SIGNAL)

/* As shmem_put_signal, but source may be reused only after shmem_quiet.
 * Specification 1.6: shmem_put_signal_nbi */
#define PUT_SIGNAL_NBI(NAME, TYPE)                                                                 \
    SHEAF_CTX_ROUTINE(void, NAME##_put_signal_nbi,                                                 \
                      (TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(ctx, dest, source, nelems, sizeof(TYPE), _Alignof(TYPE), sig_addr, signal,      \
                   sig_op, true, pe, call);                                                        \
    })
SHEAF_FAMILY(PUT_SIGNAL_NBI, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_signal_nbi */
#define PUT_SIZE_SIGNAL_NBI(SIZE, BYTES)                                                           \
    SHEAF_CTX_ROUTINE(void, put##SIZE##_signal_nbi,                                                \
                      (void *dest, const void *source, size_t nelems, uint64_t *sig_addr,          \
                       uint64_t signal, int sig_op, int pe), {                                     \
        put_signal(ctx, dest, source, nelems, BYTES, 1, sig_addr, signal,                          \
                   sig_op, true, pe, call);                                                        \
    })
SHEAF_SIZES_AND_MEM(PUT_SIZE_SIGNAL_NBI)

/* Adds signal to *sig_addr, symmetric, on PE pe, atomically.
 * Specification 1.6: shmem_signal_add */
SHEAF_CTX_ROUTINE_1_6(void, signal_add, (uint64_t *sig_addr, uint64_t signal, int pe), {
    update_signal(ctx, sig_addr, signal, SHMEM_SIGNAL_ADD, pe, call);
})

/* Sets *sig_addr, symmetric, on PE pe to signal, atomically.
 * Specification 1.6: shmem_signal_set */
SHEAF_CTX_ROUTINE_1_6(void, signal_set, (uint64_t *sig_addr, uint64_t signal, int pe), {
    update_signal(ctx, sig_addr, signal, SHMEM_SIGNAL_SET, pe, call);
})

/* Returns the calling PE's own signal object, read atomically.
 * Specification 1.6: shmem_signal_fetch */
SHEAF_ROUTINE(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr), {
    uint64_t value = sheaf_load_acquire(sig_addr);
    return sheaf_unlikely(sheaf_poll_counts) ? sheaf_poll_seen(sig_addr, value) : value;
})
