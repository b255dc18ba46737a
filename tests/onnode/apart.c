/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job with SHEAF_ONNODE=off: no PE has another's memory, a team of SHMEM_TEAM_SHARED has one PE, every
 * operation on another goes through the network, and the query call says whose atomic operations those
 * are. Run twice in one process. The argument is what SHEAF_ATOMICS says, "cpu" where there is none.
 */
#include "check.h"

#include <shmemx.h>
#include <string.h>

static long word, token;
static uint64_t signal_word;

/* Blocks on the heap and static data alike. */
static void check_places(const void *heap, int me, int npes)
{
    const void *objects[] = {heap, &word};
    for (int i = 0; i < 2; i++)
        for (int pe = 0; pe < npes; pe++) {
            const void *expected = pe == me ? objects[i] : NULL;
            CHECK(shmem_ptr(objects[i], pe) == expected);
            CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, objects[i], pe) == expected);
            CHECK(shmem_addr_accessible(objects[i], pe) && shmem_pe_accessible(pe));
        }
    CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_SHARED), 1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, SHMEM_TEAM_SHARED), 0);
}

/* One provider for a domain: the network's operations are those of a PE's own objects, too. */
static void check_providers(const char *domain, int me, int npes)
{
    int own = shmemx_provider("add", sizeof word, &word, me, NULL);
    for (int pe = 0; pe < npes; pe++) {
        int provider = shmemx_provider("add", sizeof word, &word, pe, NULL);
        if (strcmp(domain, "device") == 0)
            CHECK_EQ(provider, SHMEMX_PROVIDER_NETWORK);
        else
            CHECK_EQ(provider, pe == me ? SHMEMX_PROVIDER_PROCESSOR : SHMEMX_PROVIDER_MESSAGE);
    }
    CHECK_EQ(own, strcmp(domain, "device") == 0 ? SHMEMX_PROVIDER_NETWORK : SHMEMX_PROVIDER_PROCESSOR);
}

/* The network and a device with its transport: "UCX by tcp/eth0". */
static int names_device(const char *name)
{
    const char *device = strstr(name, " by ");
    size_t network = device ? (size_t)(device - name) : 0;
    return ((network == 3 && !memcmp(name, "UCX", network)) ||
            (network == 9 && !memcmp(name, "libfabric", network))) && strchr(device, '/');
}

/* Of every operation, and that measuring leaves what was there. block has room for a source, and the results of a
 * collective. */
static void check_costs(long *block, int me, int npes)
{
    static const char *const moves[] = {"put", "get", "signal"}, *const collectives[] = {"barrier", "broadcast",
                                                                                       "fcollect", "reduce"};
    int next = (me + 1) % npes, expected = next == me ? SHMEMX_PROVIDER_PROCESSOR : SHMEMX_PROVIDER_MESSAGE;
    char name[SHMEM_MAX_NAME_LEN];
    block[0] = 1000 + me;
    shmem_barrier_all();
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(shmemx_provider(moves[i], 8, block, next, name), expected);
        CHECK(npes == 1 ? !strcmp(name, "mapped memory") : names_device(name));
        CHECK(shmemx_provider_ns(moves[i], 8, block, next) > 0);
    }
    CHECK(shmemx_provider_ns("set", 8, block, next) > 0 && shmemx_provider_ns("and", 4, block, next) > 0);
    CHECK(shmemx_provider_ns("cswap", 8, block, next) > 0 && shmemx_provider_ns("xor", 8, block, next) > 0);
    shmem_barrier_all();
    CHECK_EQ(block[0], 1000 + me);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(shmemx_provider(collectives[i], 8, NULL, 0, name), npes == 1 ? SHMEMX_PROVIDER_PROCESSOR
                                                                             : SHMEMX_PROVIDER_MESSAGE);
        CHECK(strchr(name, ',') != NULL);
        CHECK(shmemx_provider_ns(collectives[i], i ? 8 : 0, i ? block : NULL, 0) > 0);
    }
    CHECK_EQ(block[1], npes * 1000 + npes * (npes - 1) / 2);
    shmem_barrier_all();
}

static void check_transfers(long *heap, int me, int npes)
{
    int next = (me + 1) % npes, before = (me + npes - 1) % npes;
    for (int pe = 0; pe < npes; pe++) {
        shmem_long_p(&heap[me], 100 * me + pe, pe);
        shmem_long_atomic_add(&word, me + 1, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(heap[pe], 100 * pe + me);
        CHECK_EQ(shmem_long_g(&heap[pe], next), 100 * pe + next);
        CHECK_EQ(shmem_long_atomic_fetch(&word, pe), npes * (npes + 1) / 2);
    }
    shmem_long_put_signal(&heap[npes], &heap[me], 1, &signal_word, (uint64_t)next + 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, (uint64_t)me + 1);
    CHECK_EQ(heap[npes], 100 * before + before);
    shmem_barrier_all();
    word = 0;
    signal_word = 0;
}

/* Round the PEs once, by a wait on the variable; npes 1 waits for itself. */
static void pass_token(int me, int npes)
{
    if (me == 0)
        shmem_long_p(&token, 1, 1 % npes);
    shmem_long_wait_until(&token, SHMEM_CMP_GT, 0);
    if (me != 0)
        shmem_long_p(&token, token + 1, (me + 1) % npes);
    else
        CHECK_EQ(token, npes);
    shmem_barrier_all();
    token = 0;
}

static void run(const char *domain)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *heap = shmem_calloc((size_t)npes + 1, sizeof *heap);
    CHECK(heap);
    check_places(heap, me, npes);
    check_providers(domain, me, npes);
    check_costs(heap, me, npes);
    memset(heap, 0, ((size_t)npes + 1) * sizeof *heap);
    shmem_barrier_all();
    check_transfers(heap, me, npes);
    pass_token(me, npes);
    shmem_free(heap);
    shmem_finalize();
}

int main(int argc, char **argv)
{
    run(argc > 1 ? argv[1] : "cpu");
    run(argc > 1 ? argv[1] : "cpu");
    return test_finish();
}
