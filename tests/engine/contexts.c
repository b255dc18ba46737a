/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts that come and go: UCX's workers are made once and kept, with their connections, up to a
 * bound; what a context leaves behind does not reach the next one; the engine's end frees them all.
 * Counts UCX's calls.
 */
#include "harness.h"

#include "engine/message/batch/buffers.h"
#include "engine/message/message.h"
#include "engine/ucx/library.h"

#include <pthread.h>
#include <string.h>

#define ROUNDS  300
#define THREADS 4
#define MANY    5000

static __typeof__(&ucp_worker_create) real_create;
static __typeof__(&ucp_worker_destroy) real_destroy;
static __typeof__(&ucp_ep_create) real_connect;
static int made, destroyed, connected;

static ucs_status_t count_create(ucp_context_h context, const ucp_worker_params_t *params,
                                 ucp_worker_h *worker)
{
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    return real_create(context, params, worker);
}

static void count_destroy(ucp_worker_h worker)
{
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED);
    real_destroy(worker);
}

static ucs_status_t count_connect(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *end)
{
    __atomic_add_fetch(&connected, 1, __ATOMIC_RELAXED);
    return real_connect(worker, params, end);
}

static void count_calls(void)
{
    real_create = sheaf_ucx.ucp_worker_create;
    real_destroy = sheaf_ucx.ucp_worker_destroy;
    real_connect = sheaf_ucx.ucp_ep_create;
    sheaf_ucx.ucp_worker_create = count_create;
    sheaf_ucx.ucp_worker_destroy = count_destroy;
    sheaf_ucx.ucp_ep_create = count_connect;
}

static uint64_t *cell(int i)
{
    return (uint64_t *)heap + i;
}

/* The value has arrived, by the context's own gets. */
static void use(sheaf_engine_context *context, int to, int place, uint64_t value)
{
    uint64_t found = 0;
    far_put(context, to, cell(place), &value, sizeof value);
    far_quiet(context, SHEAF_EVERY_PE);
    far_get(context, to, &found, cell(place), sizeof found);
    REQUIRE(found == value, "%lu for %lu on PE %d", (unsigned long)found, (unsigned long)value, to);
}

static sheaf_engine_context *create(void)
{
    sheaf_engine_context *context = engine->context_create(true);
    REQUIRE(context, "no context");
    return context;
}

static void destroy(sheaf_engine_context *context)
{
    far_quiet(context, SHEAF_EVERY_PE);
    engine->context_destroy(context);
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The time is stated for who reads it; what is required holds on a machine that is loaded, too. */
static void test_one_after_the_other(void)
{
    double spent[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double begin = now();
        sheaf_engine_context *context = create();
        double created = now();
        use(context, i % npes, me, (uint64_t)i + 1);
        double used = now();
        destroy(context);
        spent[i] = created - begin + now() - used;
    }
    qsort(spent, ROUNDS, sizeof spent[0], compare);
    REQUIRE(made == 1 && destroyed == 0, "%d workers made, %d destroyed", made, destroyed);
    REQUIRE(connected == npes, "%d connections to %d PEs", connected, npes);
    REQUIRE(spent[ROUNDS / 2] < 1e-3, "%.1f us", 1e6 * spent[ROUNDS / 2]);
    if (me == 0)
        printf("create and destroy: %.2f us\n", 1e6 * spent[ROUNDS / 2]);
}

static void test_several_at_once(void)
{
    sheaf_engine_context *all[SHEAF_MSG_MOST_CONTEXTS];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < SHEAF_MSG_MOST_CONTEXTS; i++) {
            all[i] = create();
            for (int before = 0; before < i; before++)
                REQUIRE(all[before] != all[i], "%d and %d are the same", before, i);
            use(all[i], (me + 1) % npes, me, (uint64_t)(100 * round + i));
        }
        REQUIRE(engine->context_create(true) == NULL, "one too many");
        for (int i = 0; i < SHEAF_MSG_MOST_CONTEXTS; i++)
            destroy(all[i]);
    }
    REQUIRE(made == SHEAF_MSG_MOST_CONTEXTS && destroyed == 0, "%d made, %d destroyed", made,
            destroyed);
}

/* Destroyed in the middle of a session: the next context is in none. */
static void test_session(void)
{
    sheaf_engine_context *context = create();
    engine->batch(context, SIZE_MAX);
    use(context, (me + 1) % npes, me, 7);
    uint64_t value = 8, found;
    far_put(context, (me + 1) % npes, cell(me), &value, sizeof value);
    destroy(context);
    far_get(NULL, (me + 1) % npes, &found, cell(me), sizeof found);
    REQUIRE(found == 8, "%lu", (unsigned long)found);
    sheaf_engine_context *next = create();
    REQUIRE(next == context && !next->is_batching && (!next->batches || next->batches->made == 0),
            "the session goes on");
    engine->batch(next, 10);
    use(next, (me + 1) % npes, me, 9);
    engine->batch(next, 0);
    destroy(next);
}

/* A worker that needed room for many operations at once is not kept. */
static void test_large_worker(void)
{
    static struct sheaf_msg_operation *operations[MANY];
    sheaf_engine_context *context = create();
    sheaf_msg_lock_only(context);
    for (int i = 0; i < MANY; i++)
        operations[i] = sheaf_msg_operation_get(context, NULL);
    for (int i = 0; i < MANY; i++)
        sheaf_msg_operation_advance(operations[i], 1);
    sheaf_msg_unlock(context);
    destroy(context);
    REQUIRE(destroyed == 1, "%d destroyed", destroyed);
}

static void *come_and_go(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS / 3; i++) {
        sheaf_engine_context *context = create();
        use(context, (me + i) % npes, npes + THREADS * me + thread, (uint64_t)i);
        destroy(context);
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, come_and_go, (void *)(intptr_t)i) == 0, "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    REQUIRE(made == SHEAF_MSG_MOST_CONTEXTS, "%d made", made);
}

/* All contexts reach all PEs: too many connections to keep them all, if there are enough PEs. */
static void test_bound(void)
{
    sheaf_engine_context *all[SHEAF_MSG_MOST_CONTEXTS];
    for (int i = 0; i < SHEAF_MSG_MOST_CONTEXTS; i++) {
        all[i] = create();
        for (int pe = 0; pe < npes; pe++)
            use(all[i], pe, me, (uint64_t)(i + 1));
    }
    for (int i = 0; i < SHEAF_MSG_MOST_CONTEXTS; i++)
        destroy(all[i]);
    int wanted = SHEAF_MSG_MOST_CONTEXTS - SHEAF_MSG_MOST_IDLE_CONNECTIONS / npes;
    REQUIRE(destroyed == 1 + (wanted > 0 ? wanted : 0), "%d destroyed with %d PEs", destroyed, npes);
}

static void body(void)
{
    count_calls();
    test_one_after_the_other();
    barrier();
    test_several_at_once();
    barrier();
    test_session();
    test_large_worker();
    barrier();
    test_threads();
    barrier();
    test_bound();
}

/* The service worker, made before calls were counted, is destroyed last. */
static void check_end(void)
{
    if (made > 0 && destroyed != made + 1) {
        fprintf(stderr, "PE %d: %d workers made, %d destroyed\n", me, made + 1, destroyed);
        _Exit(1);
    }
}

int main(int argc, char **argv)
{
    atexit(check_end);
    return run_pes(argc > 1 ? atoi(argv[1]) : 2, body);
}
