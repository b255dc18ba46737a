/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that others access by the provider: offered to them by a key, which travels in messages. And the
 * local memory of an access, which some providers need registered too.
 */
#include "engine/ofi/ofi.h"

#include "base/atomic.h"

#include <stdlib.h>
#include <string.h>

/* A key as it travels. secret: that of the port to which the memory belongs. */
struct packed_key {
    uint64_t secret, key;
    uint64_t start, bytes;
    uint64_t is_by_address; /* the provider counts from address 0, else from the start of the memory */
};

static void *ofi_pack_key(const struct sheaf_transport_memory *memory)
{
    struct packed_key *packed = malloc(sizeof *packed);
    if (packed)
        *packed = (struct packed_key){
            .secret = sheaf_ofi_state.service->secret,
            .key = fi_mr_key(memory->registration),
            .start = memory->start,
            .bytes = memory->bytes,
            .is_by_address = (sheaf_ofi_state.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0,
        };
    return packed;
}

/* Other threads may be reading the list. */
static void add_offered(struct sheaf_transport_memory *memory)
{
    memory->next = sheaf_ofi_state.offered;
    sheaf_store_release(&sheaf_ofi_state.offered, memory);
}

/* By a rule of tests. */
static bool is_offer_refused(void)
{
    int count = 0;
    for (struct sheaf_transport_memory *memory = sheaf_ofi_state.offered; memory; memory = memory->next)
        count++;
    return sheaf_ofi_has(SHEAF_OFI_FEW_KEYS) && count >= SHEAF_OFI_MOST_KEYS;
}

sheaf_transport_memory *sheaf_ofi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why)
{
    struct sheaf_transport_memory *memory = calloc(1, sizeof *memory);
    *why = "no memory";
    if (!memory)
        return NULL;
    *memory = (struct sheaf_transport_memory){.start = (uintptr_t)start, .bytes = bytes};
    int status = is_offer_refused() ? -FI_ENOMEM
                              : sheaf_ofi_register(sheaf_ofi_state.service, start, bytes,
                                                   FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE,
                                                   &memory->registration);
    if (status == 0 && !(*key = ofi_pack_key(memory))) {
        fi_close(&memory->registration->fid);
        status = -FI_ENOMEM;
    }
    if (status != 0) {
        *why = is_offer_refused() ? "SHEAF_OFI_RULES=few-keys, which is for tests, allows no more parts"
                            : sheaf_ofi_words(status);
        free(memory);
        return NULL;
    }
    *key_bytes = sizeof(struct packed_key);
    add_offered(memory);
    return memory;
}

/* No PE accesses the memory any more. */
void sheaf_ofi_withdraw(sheaf_transport_memory *memory)
{
    struct sheaf_transport_memory **place = &sheaf_ofi_state.offered;
    while (*place && *place != memory)
        place = &(*place)->next;
    if (*place)
        *place = memory->next;
    fi_close(&memory->registration->fid);
    free(memory);
}

sheaf_transport_key *sheaf_ofi_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                      const char **why)
{
    struct packed_key packed;
    *why = "this is no key of this transport";
    if (key_bytes != sizeof packed)
        return NULL;
    memcpy(&packed, key, sizeof packed);
    if (packed.secret != link->secret || packed.is_by_address > 1 ||
        packed.start + packed.bytes < packed.start)
        return NULL;
    sheaf_transport_key *accepted = malloc(sizeof *accepted);
    *why = "no memory";
    if (accepted)
        *accepted = (sheaf_transport_key){.key = packed.key,
                                          .start = packed.start,
                                          .bytes = packed.bytes,
                                          .origin = packed.is_by_address ? 0 : packed.start};
    return accepted;
}

void sheaf_ofi_forget(sheaf_transport_key *key)
{
    free(key);
}

/* Memory bound to another port's endpoint cannot be used by this one. */
static struct fid_mr *find_offered(const sheaf_transport_port *port, uintptr_t at, size_t bytes)
{
    const struct sheaf_ofi_state *state = &sheaf_ofi_state;
    struct sheaf_transport_memory *memory = sheaf_load_acquire(&state->offered);
    if (state->binds && port != state->service)
        return NULL;
    while (memory && (bytes > memory->bytes || at < memory->start ||
                      at - memory->start > memory->bytes - bytes))
        memory = memory->next;
    return memory ? memory->registration : NULL;
}

static bool is_in_copy(const struct sheaf_ofi_access *access)
{
    return access->local >= access->copy && access->local < access->copy + sizeof access->copy;
}

static bool use_bounce(struct sheaf_ofi_access *access)
{
    if (!access->bounce)
        access->bounce = sheaf_ofi_take_bounce(access->link->port);
    if (!access->bounce)
        return false;
    if (access->piece > sheaf_ofi_most())
        access->piece = sheaf_ofi_most();
    if (access->kind == SHEAF_OFI_PUT)
        memcpy(access->bounce->bytes, access->local, access->piece);
    return true;
}

bool sheaf_ofi_find_local(struct sheaf_ofi_access *access, struct iovec *place, void **descriptor)
{
    sheaf_transport_port *port = access->link->port;
    struct fid_mr *offered = NULL;
    access->piece = access->bytes < sheaf_ofi_state.most ? access->bytes : sheaf_ofi_state.most;
    place->iov_base = access->local;
    *descriptor = NULL;
    if (is_in_copy(access)) {
        *descriptor = sheaf_ofi_descriptor(access->region);
    } else if (sheaf_ofi_state.registers &&
               (offered = find_offered(port, (uintptr_t)access->local, access->piece)) != NULL) {
        *descriptor = fi_mr_desc(offered);
    } else if (sheaf_ofi_state.registers) {
        if (!use_bounce(access))
            return false;
        place->iov_base = access->bounce->bytes;
        *descriptor = sheaf_ofi_descriptor(port->bounces_region);
    }
    place->iov_len = access->piece;
    return true;
}

/* Once the end was reported, with the link's, the user's memory must not be written. */
void sheaf_ofi_take_back(struct sheaf_ofi_access *access)
{
    bool is_wanted = access->kind == SHEAF_OFI_GET && access->has_operation;
    if (is_wanted && access->dest)
        memcpy(access->dest + (access->local - access->copy), access->local, access->piece);
    if (!access->bounce)
        return;
    if (is_wanted)
        memcpy(access->local, access->bounce->bytes, access->piece);
    sheaf_ofi_give_bounce(access->link->port, access->bounce);
    access->bounce = NULL;
}
