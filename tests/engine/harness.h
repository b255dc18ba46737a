/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that use an engine's table directly, without the layers above: forked by one program,
 * which also passes on their addresses and gives them a barrier. Heaps lie at different addresses.
 */
#ifndef SHEAF_TEST_ENGINE_HARNESS_H
#define SHEAF_TEST_ENGINE_HARNESS_H

#include "engine/engine.h"

#include "require.h"

/* The job's. */
#define TEST_KEY {0x5eed, 0x5ea1}

#define DATA_BYTES ((size_t)8 << 20)
#define HEAP_BYTES ((size_t)64 << 20)

extern const struct sheaf_engine *engine;
extern int me, npes;
extern unsigned char data[DATA_BYTES]; /* symmetric */
extern unsigned char *heap;            /* symmetric */

/* Runs body on this many processes and returns the program's exit status. SHEAF_TEST_NETNS=a,b puts
 * them into these network namespaces in turn; SHEAF_TEST_PROGRESS is none, thread or auto,
 * SHEAF_TEST_RMA auto, native or message, SHEAF_TEST_ATOMICS the network's own atomic operations.
 * SHEAF_TEST_GATHER on or off; SHEAF_TEST_ONE_THREAD: the job is not multiple.
 * SHEAF_TEST_SHARED_MEMORY: UCX may use its shared memory, as it may not in jobs. */
int run_pes(int count, void (*body)(void));

/* A process that is killed does not end the others. */
extern bool expect_death;

/* Those that the network is to have; 0: the target's processor does them all. */
sheaf_amo_set device_atomics(void);

/* The engine's operations, waited for: until they have started, and, but for the nbi forms, until they
 * end. */
void finish(sheaf_engine_context *context, const size_t *left);
void far_put(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
void far_put_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
void far_get(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
void far_get_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
void far_put_row(sheaf_engine_context *context, int pe, void *dest, const void *source,
                 const struct sheaf_blocks *blocks);
void far_get_row(sheaf_engine_context *context, int pe, void *dest, const void *source,
                 const struct sheaf_blocks *blocks);
void far_put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                    const struct sheaf_signal_call *signal, bool nbi);
/* result NULL: there is none. */
void far_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);
void far_amo_nbi(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);
void far_quiet(sheaf_engine_context *context, int pe);

void barrier(void);         /* polls the engine meanwhile */
double now(void);           /* seconds */
void compute(double seconds); /* without calling the engine */

#define REQUIRE(condition, ...) REQUIRE_OF(me, condition, __VA_ARGS__)

#endif
