/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations by the provider itself: which it has, by type and operation; and starting one.
 * Operands and results travel through the access's own memory, which is registered where the provider
 * needs that.
 */
#include "engine/ofi/ofi.h"

#include <string.h>

/* Index of a word of an atomic operation in its access's memory. */
enum { OPERAND, COMPARED, RESULT };

static const struct {
    bool is_there, compares;
    enum fi_op code;
} codes[SHEAF_AMOS] = {
    [SHEAF_AMO_ADD] = {true, false, FI_SUM},           [SHEAF_AMO_AND] = {true, false, FI_BAND},
    [SHEAF_AMO_OR] = {true, false, FI_BOR},            [SHEAF_AMO_XOR] = {true, false, FI_BXOR},
    [SHEAF_AMO_SWAP] = {true, false, FI_ATOMIC_WRITE}, [SHEAF_AMO_COMPARE_SWAP] = {true, true, FI_CSWAP},
};

static enum fi_datatype atomic_type(unsigned bytes)
{
    return bytes == 4 ? FI_UINT32 : FI_UINT64;
}

static bool has_atomic(struct fid_domain *domain, enum sheaf_amo operation, unsigned bytes, uint64_t flags)
{
    struct fi_atomic_attr found = {0};
    return fi_query_atomic(domain, atomic_type(bytes), codes[operation].code, &found, flags) == 0 &&
           found.count > 0 && found.size == bytes;
}

/* A rule of tests limits the provider as an InfiniBand adapter is limited. */
static bool is_allowed(enum sheaf_amo operation, unsigned bytes)
{
    return !sheaf_ofi_has(SHEAF_OFI_FEW_ATOMICS) ||
           (bytes == 8 && (operation == SHEAF_AMO_ADD || operation == SHEAF_AMO_COMPARE_SWAP));
}

void sheaf_ofi_query_atomics(struct fid_domain *domain, sheaf_amo_set *all, sheaf_amo_set *plain)
{
    *all = *plain = 0;
    for (int operation = 0; operation < SHEAF_AMOS; operation++)
        for (unsigned bytes = 4; bytes <= 8; bytes += 4) {
            sheaf_amo_set bit = sheaf_amo_bit(operation, bytes);
            uint64_t flags = codes[operation].compares ? FI_COMPARE_ATOMIC : FI_FETCH_ATOMIC;
            if (!codes[operation].is_there || !is_allowed(operation, bytes) ||
                !has_atomic(domain, operation, bytes, flags))
                continue;
            *all |= bit;
            if (!codes[operation].compares && has_atomic(domain, operation, bytes, 0))
                *plain |= bit;
        }
}

static uint64_t *word_of(struct sheaf_ofi_access *access, int number)
{
    return (uint64_t *)(void *)access->copy + number;
}

/* Copies the operands. The user's memory may then be reused, except the result's. */
void sheaf_ofi_take_operands(struct sheaf_ofi_access *access)
{
    const struct sheaf_transport_atomic *atomic = &access->atomic;
    bool compares = codes[atomic->operation].compares;
    memcpy(word_of(access, compares ? COMPARED : OPERAND), atomic->operand, atomic->bytes);
    if (compares)
        memcpy(word_of(access, OPERAND), atomic->reply, atomic->bytes);
}

ssize_t sheaf_ofi_post_atomic(struct sheaf_ofi_access *access)
{
    const struct sheaf_transport_atomic *atomic = &access->atomic;
    struct fid_ep *endpoint = access->link->port->endpoint;
    void *descriptor = sheaf_ofi_descriptor(access->region);
    struct fi_ioc operand = {word_of(access, OPERAND), 1}, compared = {word_of(access, COMPARED), 1},
                  result = {word_of(access, RESULT), 1};
    struct fi_rma_ioc there = {access->remote, 1, access->key};
    const struct fi_msg_atomic message = {.msg_iov = &operand,
                                          .desc = &descriptor,
                                          .iov_count = 1,
                                          .addr = access->link->address,
                                          .rma_iov = &there,
                                          .rma_iov_count = 1,
                                          .datatype = atomic_type(atomic->bytes),
                                          .op = codes[atomic->operation].code,
                                          .context = &access->context.providers};
    const uint64_t flags = FI_COMPLETION | FI_DELIVERY_COMPLETE;
    if (codes[atomic->operation].compares)
        return fi_compare_atomicmsg(endpoint, &message, &compared, &descriptor, 1, &result, &descriptor, 1,
                                    flags);
    if (!atomic->reply && sheaf_ofi_state.plain & sheaf_amo_bit(atomic->operation, atomic->bytes))
        return fi_atomicmsg(endpoint, &message, flags);
    return fi_fetch_atomicmsg(endpoint, &message, &result, &descriptor, 1, flags);
}

void sheaf_ofi_take_result(struct sheaf_ofi_access *access)
{
    if (access->atomic.reply && access->has_operation)
        memcpy(access->atomic.reply, word_of(access, RESULT), access->atomic.bytes);
}
