/* SPDX-License-Identifier: BSD-3-Clause
 * See adapter.h.
 */
#include "engine/verbs/adapter.h"

#include "base/os/library.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

/* Some names of verbs.h are macros too: parentheses select the functions. */
#define FUNCTIONS(X)                                                                               \
    X(ibv_get_device_list)                                                                         \
    X(ibv_free_device_list)                                                                        \
    X(ibv_get_device_name)                                                                         \
    X(ibv_open_device)                                                                             \
    X(ibv_close_device)                                                                            \
    X(ibv_query_device)                                                                            \
    X(ibv_query_gid)                                                                               \
    X(ibv_alloc_pd)                                                                                \
    X(ibv_dealloc_pd)                                                                              \
    X(ibv_reg_mr)                                                                                  \
    X(ibv_dereg_mr)                                                                                \
    X(ibv_create_cq)                                                                               \
    X(ibv_destroy_cq)                                                                              \
    X(ibv_create_qp)                                                                               \
    X(ibv_modify_qp)                                                                               \
    X(ibv_destroy_qp)                                                                              \
    X(ibv_wc_status_str)

static struct {
#define MEMBER(name) __typeof__(&(name)) (name);
    FUNCTIONS(MEMBER)
#undef MEMBER
} verbs;

struct region {
    struct ibv_mr *memory;
    struct region *next;
};

static struct {
    struct ibv_context *device;
    struct ibv_pd *domain;
    struct ibv_cq *ended;
    struct ibv_port_attr port;
    char name[IBV_SYSFS_NAME_MAX];
    uint8_t number;    /* number of the port */
    uint8_t gid_index;
    uint8_t depth;     /* most atomic operations at once, of other PEs and of its own */
    uint8_t own_depth;
    union ibv_gid gid;
    uint64_t *results; /* previous values of words, by slot; shared memory, so that a fork does not move
                          it */
    struct ibv_mr *results_memory;
    struct region *regions;
} adapter;

#define RESULTS_BYTES (SHEAF_ADAPTER_SLOTS * sizeof(uint64_t))

/* Packets are repeated after 4.096 us * 2^TIMEOUT (0.5 s) and sent 8 times in all; most adapters wait up
 * to 4 times as long. */
#define TIMEOUT     17
#define RETRIES     7
#define MOST_DEPTH  16
#define MOST_24BITS 0xffffffu

static bool load_verbs(char *why, size_t size)
{
    const char *reason;
    void *library = sheaf_library_open("libibverbs.so.1", &reason);
    if (!library) {
        snprintf(why, size, "%s", reason);
        return false;
    }
#define FIND(name)                                                                                 \
    if (!(verbs.name = (__typeof__(&(name)))sheaf_library_symbol(library, #name))) {               \
        snprintf(why, size, "the system's libibverbs has no %s", #name);                           \
        return false;                                                                              \
    }
    FUNCTIONS(FIND)
#undef FIND
    return true;
}

const char *sheaf_adapter_name(void)
{
    return adapter.name;
}

static struct ibv_context *open_device(const char *name)
{
    struct ibv_context *device = NULL;
    struct ibv_device **list = verbs.ibv_get_device_list(NULL);
    for (int i = 0; list && list[i] && !device; i++)
        if (strcmp(verbs.ibv_get_device_name(list[i]), name) == 0)
            device = verbs.ibv_open_device(list[i]);
    if (list)
        verbs.ibv_free_device_list(list);
    return device;
}

static bool query_port(void)
{
    struct verbs_context *more = verbs_get_ctx_op(adapter.device, query_port);
    return more && more->query_port(adapter.device, adapter.number, &adapter.port,
                                    sizeof adapter.port) == 0;
}

/* Rank of a GID: higher for version 2 of RoCE, which routers forward, and for IPv4. 0: unusable. */
static int rank_of_gid(int index, const union ibv_gid *gid)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char path[160], kind[16] = "";
    snprintf(path, sizeof path, "/sys/class/infiniband/%s/ports/%u/gid_attrs/types/%d", adapter.name,
             adapter.number, index);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    bool is_second = fgets(kind, sizeof kind, file) && strncmp(kind, "RoCE v2", 7) == 0;
    fclose(file);
    return 1 + 2 * is_second + (memcmp(gid->raw, mapped, sizeof mapped) == 0);
}

/* Chooses the GID of UCX_IB_GID_INDEX; else on InfiniBand the first, on Ethernet the one of highest
 * rank. */
static bool choose_gid(void)
{
    const char *given = getenv("UCX_IB_GID_INDEX");
    char *end;
    long wanted = given ? strtol(given, &end, 10) : -1;
    if (given && (*end || end == given || wanted < 0 || wanted > UINT8_MAX))
        wanted = -1;
    bool is_ethernet = adapter.port.link_layer == IBV_LINK_LAYER_ETHERNET;
    if (wanted < 0 && !is_ethernet)
        wanted = 0;
    int best = 0;
    for (int i = 0; wanted < 0 && i < adapter.port.gid_tbl_len && i <= UINT8_MAX; i++) {
        union ibv_gid gid;
        int rank = verbs.ibv_query_gid(adapter.device, adapter.number, i, &gid) == 0
                       ? rank_of_gid(i, &gid)
                       : 0;
        if (rank > best) {
            best = rank;
            adapter.gid_index = (uint8_t)i;
        }
    }
    if (wanted >= 0)
        adapter.gid_index = (uint8_t)wanted;
    return verbs.ibv_query_gid(adapter.device, adapter.number, adapter.gid_index, &adapter.gid) == 0;
}

static uint8_t verbs_least_of(int one, int other)
{
    return (uint8_t)(one < other ? one : other);
}

static bool has_atomics(void)
{
    struct ibv_device_attr device;
    if (verbs.ibv_query_device(adapter.device, &device) != 0 ||
        (device.atomic_cap != IBV_ATOMIC_HCA && device.atomic_cap != IBV_ATOMIC_GLOB))
        return false;
    adapter.depth = verbs_least_of(device.max_qp_rd_atom, MOST_DEPTH);
    adapter.own_depth = verbs_least_of(device.max_qp_init_rd_atom, MOST_DEPTH);
    return adapter.depth > 0 && adapter.own_depth > 0;
}

static bool make_results_memory(void)
{
    void *place = mmap(NULL, RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return false;
    adapter.results = place;
    adapter.results_memory =
        (verbs.ibv_reg_mr)(adapter.domain, place, RESULTS_BYTES, IBV_ACCESS_LOCAL_WRITE);
    return adapter.results_memory != NULL;
}

static bool make_resources(void)
{
    adapter.domain = verbs.ibv_alloc_pd(adapter.device);
    if (adapter.domain)
        adapter.ended = verbs.ibv_create_cq(adapter.device, SHEAF_ADAPTER_SLOTS, NULL, NULL, 0);
    return adapter.ended && make_results_memory();
}

/* NULL: the port is open. Otherwise the reason. */
static const char *open_adapter_port(const char *port)
{
    const char *colon = strrchr(port, ':');
    if (!colon || (size_t)(colon - port) >= sizeof adapter.name)
        return "has no name that is known here";
    memcpy(adapter.name, port, (size_t)(colon - port));
    adapter.number = (uint8_t)strtoul(colon + 1, NULL, 10);
    adapter.device = open_device(adapter.name);
    if (!adapter.device)
        return "cannot be opened";
    if (!query_port() || adapter.port.state != IBV_PORT_ACTIVE)
        return "has no active port of that number";
    if (!has_atomics())
        return "has no atomic operations";
    if (!choose_gid())
        return "has no GID (UCX_IB_GID_INDEX)";
    return make_resources() ? NULL : "has no room left for a queue or its memory (ulimit -l)";
}

sheaf_amo_set sheaf_adapter_open(const char *port, char *why, size_t size)
{
    if (!load_verbs(why, size))
        return 0;
    const char *reason = open_adapter_port(port);
    if (!reason)
        return sheaf_amo_bit(SHEAF_AMO_ADD, 8) | sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP, 8);
    snprintf(why, size, "the adapter %s %s", port, reason);
    sheaf_adapter_close();
    return 0;
}

void sheaf_adapter_close(void)
{
    for (struct region *region = adapter.regions, *next; region; region = next) {
        next = region->next;
        verbs.ibv_dereg_mr(region->memory);
        free(region);
    }
    if (adapter.results_memory)
        verbs.ibv_dereg_mr(adapter.results_memory);
    if (adapter.results)
        munmap(adapter.results, RESULTS_BYTES);
    if (adapter.ended)
        verbs.ibv_destroy_cq(adapter.ended);
    if (adapter.domain)
        verbs.ibv_dealloc_pd(adapter.domain);
    if (adapter.device)
        verbs.ibv_close_device(adapter.device);
    memset(&adapter, 0, sizeof adapter);
}

/* Allows only atomic operations: the key does not permit reads and writes. */
int sheaf_adapter_register(void *start, size_t bytes, uint32_t *key)
{
    struct region *region = malloc(sizeof *region);
    if (!region)
        return ENOMEM;
    region->memory = (verbs.ibv_reg_mr)(adapter.domain, start, bytes,
                                        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC);
    if (!region->memory) {
        free(region);
        return errno ? errno : EIO;
    }
    region->next = adapter.regions;
    adapter.regions = region;
    *key = region->memory->rkey;
    return 0;
}

void sheaf_adapter_unregister(uint32_t key)
{
    struct region **place = &adapter.regions;
    while (*place && (*place)->memory->rkey != key)
        place = &(*place)->next;
    struct region *region = *place;
    if (!region)
        return;
    *place = region->next;
    verbs.ibv_dereg_mr(region->memory);
    free(region);
}

static sheaf_adapter_queue *make_queue(struct sheaf_adapter_end *own, int access)
{
    struct ibv_qp_init_attr wanted = {
        .send_cq = adapter.ended,
        .recv_cq = adapter.ended,
        .cap = {.max_send_wr = SHEAF_ADAPTER_DEPTH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
    struct ibv_qp_attr begin = {
        .qp_state = IBV_QPS_INIT, .port_num = adapter.number, .qp_access_flags = (unsigned)access};
    *own = (struct sheaf_adapter_end){
        .lid = adapter.port.lid, .mtu = (uint8_t)adapter.port.active_mtu, .depth = adapter.depth};
    if (getrandom(&own->sequence, sizeof own->sequence, 0) != sizeof own->sequence)
        return NULL;
    own->sequence &= MOST_24BITS;
    memcpy(own->gid, adapter.gid.raw, sizeof own->gid);
    sheaf_adapter_queue *queue = verbs.ibv_create_qp(adapter.domain, &wanted);
    if (!queue)
        return NULL;
    own->queue_pair = queue->qp_num;
    if (verbs.ibv_modify_qp(queue, &begin,
                            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0)
        return queue;
    verbs.ibv_destroy_qp(queue);
    return NULL;
}

/* Through a router, and always on Ethernet, the GID is the address. */
static bool needs_gid(const struct sheaf_adapter_end *other)
{
    return adapter.port.link_layer == IBV_LINK_LAYER_ETHERNET || !other->lid ||
           memcmp(other->gid, adapter.gid.raw, sizeof adapter.gid.global.subnet_prefix) != 0;
}

/* Makes the queue ready for packets from the other end. */
static bool receive_from(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *other)
{
    struct ibv_qp_attr wanted = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = (enum ibv_mtu)verbs_least_of(other->mtu, adapter.port.active_mtu),
        .dest_qp_num = other->queue_pair,
        .rq_psn = other->sequence,
        .max_dest_rd_atomic = adapter.depth,
        .min_rnr_timer = 12,
        .ah_attr = {.dlid = other->lid, .port_num = adapter.number, .is_global = needs_gid(other)},
    };
    wanted.ah_attr.grh.sgid_index = adapter.gid_index;
    wanted.ah_attr.grh.hop_limit = UINT8_MAX;
    memcpy(wanted.ah_attr.grh.dgid.raw, other->gid, sizeof other->gid);
    return verbs.ibv_modify_qp(queue, &wanted,
                               IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                   IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                                   IBV_QP_MIN_RNR_TIMER) == 0;
}

static bool send_to(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *own,
                    const struct sheaf_adapter_end *other)
{
    struct ibv_qp_attr wanted = {
        .qp_state = IBV_QPS_RTS,
        .sq_psn = own->sequence,
        .timeout = TIMEOUT,
        .retry_cnt = RETRIES,
        .rnr_retry = RETRIES,
        .max_rd_atomic = verbs_least_of(other->depth, adapter.own_depth),
    };
    return verbs.ibv_modify_qp(queue, &wanted,
                               IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                                   IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC) == 0;
}

bool sheaf_adapter_is_end(const struct sheaf_adapter_end *end)
{
    return end->queue_pair <= MOST_24BITS && end->sequence <= MOST_24BITS && end->mtu >= IBV_MTU_256 &&
           end->mtu <= IBV_MTU_4096 && end->depth > 0 && end->depth <= MOST_DEPTH;
}

sheaf_adapter_queue *sheaf_adapter_connect(struct sheaf_adapter_end *own)
{
    return make_queue(own, 0);
}

bool sheaf_adapter_complete(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *own,
                            const struct sheaf_adapter_end *other)
{
    return receive_from(queue, other) && send_to(queue, own, other);
}

sheaf_adapter_queue *sheaf_adapter_accept(const struct sheaf_adapter_end *other,
                                          struct sheaf_adapter_end *own)
{
    sheaf_adapter_queue *queue = make_queue(own, IBV_ACCESS_REMOTE_ATOMIC);
    if (queue && receive_from(queue, other))
        return queue;
    if (queue)
        verbs.ibv_destroy_qp(queue);
    return NULL;
}

void sheaf_adapter_disconnect(sheaf_adapter_queue *queue)
{
    verbs.ibv_destroy_qp(queue);
}

bool sheaf_adapter_post(sheaf_adapter_queue *queue, const struct sheaf_adapter_call *call)
{
    struct ibv_sge place = {(uintptr_t)&adapter.results[call->slot], sizeof adapter.results[0],
                            adapter.results_memory->lkey};
    struct ibv_send_wr request = {
        .wr_id = call->slot,
        .sg_list = &place,
        .num_sge = 1,
        .opcode = call->compares ? IBV_WR_ATOMIC_CMP_AND_SWP : IBV_WR_ATOMIC_FETCH_AND_ADD,
        .send_flags = IBV_SEND_SIGNALED,
    };
    struct ibv_send_wr *refused;
    request.wr.atomic.remote_addr = call->remote;
    request.wr.atomic.compare_add = call->operand;
    request.wr.atomic.swap = call->value;
    request.wr.atomic.rkey = call->key;
    return ibv_post_send(queue, &request, &refused) == 0;
}

int sheaf_adapter_poll(struct sheaf_adapter_result *results)
{
    struct ibv_wc ended[SHEAF_ADAPTER_RESULTS];
    int count = ibv_poll_cq(adapter.ended, SHEAF_ADAPTER_RESULTS, ended);
    for (int i = 0; i < count; i++) {
        unsigned slot = (unsigned)ended[i].wr_id;
        results[i] = (struct sheaf_adapter_result){.slot = slot, .held = adapter.results[slot]};
        if (ended[i].status != IBV_WC_SUCCESS)
            results[i].failure = verbs.ibv_wc_status_str(ended[i].status);
    }
    return count < 0 ? 0 : count;
}
