/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The limit of a library that uses UCX: the same operations, called directly by two processes, the
 * second of which only polls. Usage: ucx 0|1 FOLDER, where FOLDER is one that both see; through
 * it they exchange addresses and keys. ucx_perftest has no put with a flush, and no sound get.
 */
#include "../../timing.h"

#include "exchange.h"

#include <stdint.h>

#include <ucp/api/ucp.h>

#define MOST ((size_t)4 << 20)

static ucp_context_h context;
static ucp_worker_h worker;
static ucp_ep_h endpoint;
static ucp_rkey_h key;
static char *mine, *theirs_here;
static uint64_t theirs;

static void bench_barrier(void)
{
}

static long bench_agree(long value)
{
    return value;
}

static void need(ucs_status_t status, const char *what)
{
    if (status != UCS_OK) {
        fprintf(stderr, "ucx %d: %s: %s\n", bench_me, what, ucs_status_string(status));
        exit(1);
    }
}

static void wait_for(void *request)
{
    if (UCS_PTR_IS_ERR(request))
        need(UCS_PTR_STATUS(request), "operation");
    if (!request)
        return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS)
        ucp_worker_progress(worker);
    ucp_request_free(request);
}

static void start_ucx(void)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                           .features = UCP_FEATURE_RMA | UCP_FEATURE_AMO64};
    ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                         .thread_mode = UCS_THREAD_MODE_SINGLE};
    need(ucp_init(&params, NULL, &context), "ucp_init");
    need(ucp_worker_create(context, &worker_params, &worker), "ucp_worker_create");
}

static void share_memory(void)
{
    ucp_mem_h memory;
    ucp_mem_map_params_t params = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                   .address = mine,
                                   .length = 2 * MOST};
    void *packed;
    size_t length;
    need(ucp_mem_map(context, &params, &memory), "ucp_mem_map");
    need(ucp_rkey_pack(context, memory, &packed, &length), "ucp_rkey_pack");
    publish("key", packed, length);
    publish("base", &mine, sizeof mine);
    ucp_rkey_buffer_release(packed);
}

static void connect_peer(void)
{
    static char buffer[65536];
    ucp_address_t *address;
    size_t length;
    need(ucp_worker_get_address(worker, &address, &length), "ucp_worker_get_address");
    publish("address", address, length);
    obtain("address", buffer, sizeof buffer);
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                              .address = (const ucp_address_t *)buffer};
    need(ucp_ep_create(worker, &params, &endpoint), "ucp_ep_create");
    obtain("key", buffer, sizeof buffer);
    need(ucp_ep_rkey_unpack(endpoint, buffer, &key), "ucp_ep_rkey_unpack");
    obtain("base", &theirs, sizeof theirs);
}

static const ucp_request_param_t plain;

static void flush_all(void)
{
    wait_for(ucp_worker_flush_nbx(worker, &plain));
}

static void put(size_t bytes)
{
    wait_for(ucp_put_nbx(endpoint, theirs_here, bytes, theirs, key, &plain));
}

static void get(size_t bytes)
{
    wait_for(ucp_get_nbx(endpoint, theirs_here, bytes, theirs, key, &plain));
}

static void fetch_add(void)
{
    uint64_t one = 1, result;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
        .datatype = ucp_dt_make_contig(8),
        .reply_buffer = &result};
    wait_for(ucp_atomic_op_nbx(endpoint, UCP_ATOMIC_OP_ADD, &one, 1, theirs + MOST, key, &param));
}

static void measure(void)
{
    struct bench_run run;
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        for (bench_begin_alone(&run, "direct UCX put + flush", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++) {
                put(bytes);
                flush_all();
            }
        for (bench_begin_alone(&run, "direct UCX get", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                get(bytes);
    }
    for (bench_begin_alone(&run, "direct UCX fetch-add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            fetch_add();
}

/* The end is a word put into the other one's memory. */
static void tell_end(void)
{
    *(long *)theirs_here = 1;
    wait_for(ucp_put_nbx(endpoint, theirs_here, 8, theirs + MOST + 8, key, &plain));
    flush_all();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: ucx 0|1 FOLDER\n");
        return 1;
    }
    bench_me = atoi(argv[1]);
    bench_pes = 2;
    exchange_folder = argv[2];
    bench_pin(bench_me);
    mine = aligned_alloc(4096, 2 * MOST);
    theirs_here = mine && bench_me == 0 ? aligned_alloc(4096, MOST) : mine;
    if (!mine || !theirs_here)
        return 1;
    memset(mine, 0, 2 * MOST);
    memset(theirs_here, 0, MOST);
    start_ucx();
    share_memory();
    connect_peer();
    if (bench_me == 0) {
        measure();
        tell_end();
    } else {
        while (!*(volatile long *)(mine + MOST + 8))
            ucp_worker_progress(worker);
    }
    return 0;
}
