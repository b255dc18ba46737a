/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An atomic operation by the processor, on memory of this process: for PEs of the node, and for peers
 * whose requests this PE carries out. Both use this one piece of code, which keeps them coherent.
 */
#ifndef SHEAF_ENGINE_PERFORM_H
#define SHEAF_ENGINE_PERFORM_H

#include "base/atomic.h"
#include "engine/engine.h"

/* Performs the signal of a put with signal, after its data: sets the object or adds to it. */
static inline void sheaf_signal_perform(uint64_t *object, uint64_t value, bool adds)
{
    if (adds)
        __atomic_fetch_add(object, value, __ATOMIC_SEQ_CST);
    else
        sheaf_store_release(object, value);
}

/* Returns what the object held before. */
#define SHEAF_PERFORM(bits)                                                                        \
    static inline uint64_t sheaf_amo_perform_##bits(uint##bits##_t *object,                        \
                                                    const struct sheaf_amo_call *amo)              \
    {                                                                                              \
        uint##bits##_t operand = (uint##bits##_t)amo->operand;                                     \
        uint##bits##_t before = (uint##bits##_t)amo->compare;                                      \
        switch (amo->operation) {                                                                  \
        case SHEAF_AMO_FETCH:                                                                      \
            return __atomic_load_n(object, __ATOMIC_SEQ_CST);                                      \
        case SHEAF_AMO_SET:                                                                        \
        case SHEAF_AMO_SWAP:                                                                       \
            return __atomic_exchange_n(object, operand, __ATOMIC_SEQ_CST);                         \
        case SHEAF_AMO_ADD:                                                                        \
            return __atomic_fetch_add(object, operand, __ATOMIC_SEQ_CST);                          \
        case SHEAF_AMO_AND:                                                                        \
            return __atomic_fetch_and(object, operand, __ATOMIC_SEQ_CST);                          \
        case SHEAF_AMO_OR:                                                                         \
            return __atomic_fetch_or(object, operand, __ATOMIC_SEQ_CST);                           \
        case SHEAF_AMO_XOR:                                                                        \
            return __atomic_fetch_xor(object, operand, __ATOMIC_SEQ_CST);                          \
        case SHEAF_AMO_COMPARE_SWAP:                                                               \
            __atomic_compare_exchange_n(object, &before, operand, false, __ATOMIC_SEQ_CST,         \
                                        __ATOMIC_SEQ_CST);                                         \
            return before;                                                                         \
        }                                                                                          \
        return 0;                                                                                  \
    }
SHEAF_PERFORM(32)
SHEAF_PERFORM(64)

/* object: this process's address of the copy of amo->object. */
static inline uint64_t sheaf_amo_perform(void *object, const struct sheaf_amo_call *amo)
{
    bool is_half = amo->bytes == 4;
    uint64_t before = is_half ? sheaf_amo_perform_32(object, amo) : sheaf_amo_perform_64(object, amo);
    sheaf_fence_atomic();
    return before;
}

#endif
