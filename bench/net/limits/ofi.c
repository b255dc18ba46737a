/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The limit of a library that uses libfabric: fi_writemsg and fi_read of one provider, called directly by two processes,
 * the second of which only polls. A write has ended when the target has the data (FI_DELIVERY_COMPLETE, which net of
 * 1.17 heeds as a flag of the call alone). Usage:
 * ofi 0|1 FOLDER, where FOLDER is one that both see; through it they exchange addresses and keys. SHEAF_OFI_PROVIDER
 * names the provider, as it does for the library.
 */
#include "../../timing.h"

#include "exchange.h"

#include <stdbool.h>
#include <stdint.h>

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#define MOST    ((size_t)4 << 20)
#define VERSION FI_VERSION(1, 14)

static struct fi_info *info;
static struct fid_domain *domain;
static struct fid_ep *endpoint;
static struct fid_cq *completions;
static struct fid_av *addresses;
static struct fid_mr *memory, *here;
static fi_addr_t peer;
static uint64_t theirs, key;
static char *mine, *source;

static void bench_barrier(void)
{
}

static long bench_agree(long value)
{
    return value;
}

static void need(ssize_t status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "ofi %d: %s: %s\n", bench_me, what, fi_strerror((int)-status));
        exit(1);
    }
}

static bool is_wanted(const struct fi_info *one)
{
    const char *wanted = getenv("SHEAF_OFI_PROVIDER"), *name = one->fabric_attr->prov_name;
    size_t length = wanted ? strlen(wanted) : 0;
    return strncmp(name, wanted ? wanted : "", length) == 0 && (!length || strchr(";", name[length]));
}

static void choose_provider(void)
{
    struct fi_info *hints = fi_allocinfo(), *all = NULL;
    hints->caps = FI_MSG | FI_RMA;
    hints->ep_attr->type = FI_EP_RDM;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
    need(fi_getinfo(VERSION, NULL, NULL, 0, hints, &all), "fi_getinfo");
    for (info = all; info && !is_wanted(info);)
        info = info->next;
    need(info ? 0 : -FI_ENODATA, "SHEAF_OFI_PROVIDER");
}

static void open_endpoint(void)
{
    struct fid_fabric *fabric;
    struct fi_cq_attr completion = {.format = FI_CQ_FORMAT_CONTEXT, .wait_obj = FI_WAIT_NONE};
    struct fi_av_attr vector = {.type = FI_AV_TABLE};
    need(fi_fabric(info->fabric_attr, &fabric, NULL), "fi_fabric");
    need(fi_domain(fabric, info, &domain, NULL), "fi_domain");
    need(fi_endpoint(domain, info, &endpoint, NULL), "fi_endpoint");
    need(fi_cq_open(domain, &completion, &completions, NULL), "fi_cq_open");
    need(fi_av_open(domain, &vector, &addresses, NULL), "fi_av_open");
    need(fi_ep_bind(endpoint, &completions->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
    need(fi_ep_bind(endpoint, &addresses->fid, 0), "fi_ep_bind");
    need(fi_enable(endpoint), "fi_enable");
}

static void share_memory(void)
{
    const uint64_t access = FI_REMOTE_WRITE | FI_REMOTE_READ;
    need(fi_mr_reg(domain, mine, MOST + 8, access, 0, 1, 0, &memory, NULL), "fi_mr_reg");
    need(fi_mr_reg(domain, source, MOST, FI_WRITE | FI_READ, 0, 2, 0, &here, NULL), "fi_mr_reg");
    uint64_t own = fi_mr_key(memory), base = info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)mine : 0;
    publish("key", &own, sizeof own);
    publish("base", &base, sizeof base);
    obtain("key", &key, sizeof key);
    obtain("base", &theirs, sizeof theirs);
}

static void connect_peer(void)
{
    char name[1024];
    size_t length = sizeof name;
    need(fi_getname(&endpoint->fid, name, &length), "fi_getname");
    publish("address", name, length);
    obtain("address", name, sizeof name);
    need(fi_av_insert(addresses, name, 1, &peer, 0, NULL) == 1 ? 0 : -FI_EINVAL, "fi_av_insert");
}

static bool poll_once(void)
{
    struct fi_cq_entry entry;
    ssize_t got = fi_cq_read(completions, &entry, 1);
    if (got != -FI_EAGAIN)
        need(got, "completion");
    return got == 1;
}

static void put(const void *from, size_t bytes, uint64_t to)
{
    struct fi_context2 context;
    struct iovec local = {(void *)(uintptr_t)from, bytes};
    void *descriptor = fi_mr_desc(here);
    struct fi_rma_iov remote = {to, bytes, key};
    const struct fi_msg_rma message = {.msg_iov = &local, .desc = &descriptor, .iov_count = 1, .addr = peer,
                                       .rma_iov = &remote, .rma_iov_count = 1, .context = &context};
    while (fi_writemsg(endpoint, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE) == -FI_EAGAIN)
        poll_once();
    while (!poll_once()) {
    }
}

static void get(size_t bytes)
{
    struct fi_context2 context;
    while (fi_read(endpoint, source, bytes, fi_mr_desc(here), peer, theirs, key, &context) == -FI_EAGAIN)
        poll_once();
    while (!poll_once()) {
    }
}

static void measure(void)
{
    struct bench_run run;
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        for (bench_begin_alone(&run, "direct libfabric put + flush", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                put(source, bytes, theirs);
        for (bench_begin_alone(&run, "direct libfabric get", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                get(bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: ofi 0|1 FOLDER\n");
        return 1;
    }
    bench_me = atoi(argv[1]);
    bench_pes = 2;
    exchange_folder = argv[2];
    bench_pin(bench_me);
    mine = aligned_alloc(4096, MOST + 4096);
    source = aligned_alloc(4096, MOST);
    if (!mine || !source)
        return 1;
    memset(mine, 0, MOST + 4096);
    memset(source, 1, MOST);
    choose_provider();
    open_endpoint();
    share_memory();
    connect_peer();
    if (bench_me == 0) {
        measure();
        put(source, 8, theirs + MOST); /* the end */
    } else {
        while (!*(volatile long *)(mine + MOST))
            poll_once();
    }
    return 0;
}
