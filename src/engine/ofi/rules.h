/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests: makes the provider behave by the rules of others, so that every machine meets, say, an
 * adapter that delivers out of order. SHEAF_OFI_RULES lists the rules: "no-order,busy".
 */
#ifndef SHEAF_ENGINE_OFI_RULES_H
#define SHEAF_ENGINE_OFI_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(enumerator, name) */
#define SHEAF_OFI_RULES_TABLE(X)                                                                   \
    X(NO_ORDER, "no-order")     /* messages overtake each other, and puts do: efa, cxi */          \
    X(ONE_PART, "one-part")     /* a message is one part in memory */                              \
    X(REGISTERED, "registered") /* that has to be registered: verbs, efa */                        \
    X(BUSY, "busy")             /* the provider refuses a message now and then */                  \
    X(NO_WAKE, "no-wake")       /* there is no descriptor that one could sleep on */               \
    X(NO_INJECT, "no-inject")   /* nothing is injected: it is read after the call: verbs, efa */   \
    X(SHORT, "short")           /* puts and gets are of at most 4 KiB */                           \
    X(OFFSETS, "offsets")       /* memory's addresses begin at 0, keys are the user's: cxi */      \
    X(BOUND, "bound")           /* registered memory is bound to one endpoint: cxi */              \
    X(FEW_ATOMICS, "few-atomics") /* there are add and cswap of 64 bits alone: InfiniBand */       \
    X(FEW_KEYS, "few-keys")     /* two parts of memory may be offered */                           \
    X(FABRIC, "fabric")         /* it is the fabric's own: cxi, efa, opx, psm2, gni */

#define SHEAF_OFI_RULE(enumerator, name) SHEAF_OFI_##enumerator,
enum sheaf_ofi_rule { SHEAF_OFI_RULES_TABLE(SHEAF_OFI_RULE) SHEAF_OFI_RULES };
#undef SHEAF_OFI_RULE

/* Reads the setting. Returns 0, or prints the mistake and returns -1. */
int sheaf_ofi_read_rules(void);

extern unsigned sheaf_ofi_rules; /* a bit for each rule */
static inline bool sheaf_ofi_has(enum sheaf_ofi_rule rule)
{
    return __builtin_expect(sheaf_ofi_rules >> rule & 1, 0);
}

/* Most bytes of a put or a get with SHORT; most parts of memory with FEW_KEYS. */
#define SHEAF_OFI_MOST_BYTES 4096
#define SHEAF_OFI_MOST_KEYS  2

/* Most arrivals that are held back so that others overtake them. */
#define SHEAF_OFI_SHUFFLED 4
struct sheaf_ofi_receive_buffer;
struct sheaf_ofi_shuffled {
    struct sheaf_ofi_receive_buffer *held[SHEAF_OFI_SHUFFLED];
    unsigned count;
};

/* True with a chance of 1/4; each port has its own random state. */
bool sheaf_ofi_is_refused(uint64_t *chance);
void sheaf_ofi_put_aside(struct sheaf_ofi_shuffled *shuffled, struct sheaf_ofi_receive_buffer *buffer);
/* The next one, or NULL: none is to be taken now. all: take one if there is one. */
struct sheaf_ofi_receive_buffer *sheaf_ofi_take_aside(struct sheaf_ofi_shuffled *shuffled, bool all,
                                                      uint64_t *chance);

#endif
