/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the teams and collectives ask of the rest of the library, for the PEs of simulation.h: waits,
 * messages, and where another PE's memory is. Arguments are not checked, and no PE dies.
 */
#include "simulation.h"
#include "unit.h"

#include "base/os/os.h"
#include "base/pace/processor.h"
#include "base/stream.h"
#include "boot/boot.h"
#include "boot/job_report/judge.h"
#include "coll/choice.h"
#include "core/access/copy/copy.h"
#include "core/access/copy/learner.h"
#include "core/access/route.h"
#include "core/memory/check.h"
#include "core/memory/symmetric.h"
#include "core/pe/job.h"
#include "core/pe/mpi_world.h"
#include "core/pe/network.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"
#include "core/team/agree.h"
#include "core/team/contexts.h"
#include "survive/interface/survival.h"

struct sheaf_boot sheaf_boot; /* the place in the job of the PE that runs */
struct sheaf_route sheaf_route;
__thread struct sheaf_call sheaf_call;
uint32_t sheaf_wait_spins;
struct sheaf_pace sheaf_pace_here; /* simulated PEs have one each */
size_t sheaf_copy_long_from = SIZE_MAX;
bool sheaf_agree_is_checked;

static struct sheaf_recorder recorder;
struct sheaf_recorder *sheaf_recorder = &recorder;
const char SHEAF_CALL_NAME first_name[] = "a call";

/* Called for each basic block of the library's code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (sim_me)
        sim_me->counts.blocks++;
}

/* The library's copies, where the linker wraps memcpy. */
void (*sim_on_copy)(void *dest, const void *source, size_t bytes);
void *__real_memcpy(void *dest, const void *source, size_t bytes);
void *__wrap_memcpy(void *dest, const void *source, size_t bytes);
void *__wrap_memcpy(void *dest, const void *source, size_t bytes)
{
    if (sim_me)
        sim_me->counts.copied += bytes;
    if (sim_on_copy)
        sim_on_copy(dest, source, bytes);
    return __real_memcpy(dest, source, bytes);
}

static bool nobody_is_gone(uint32_t lock_name)
{
    (void)lock_name;
    return false;
}
static const struct sheaf_survival survival = {.members_stay = true, .is_gone = nobody_is_gone};
const struct sheaf_survival *sheaf_survival = &survival;

int sheaf_boot_node_of(int pe)
{
    return pe / sim_per_node;
}

int sheaf_boot_slot_of(int pe)
{
    return pe % sim_per_node;
}

int sheaf_boot_pe_at(int slot)
{
    return sheaf_boot.node * sim_per_node + slot;
}

uint32_t sheaf_wait_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    (void)sleepers;
    while (sheaf_load_acquire(word) == old)
        sim_wait_for_word(word, old, &wait->pace);
    return sheaf_load_acquire(word);
}

uint64_t sheaf_wait_step_word(union sheaf_step *step, uint32_t *sleepers, uint32_t old,
                              struct sheaf_wait *wait)
{
    sheaf_wait_word(&step->number, sleepers, old, wait);
    return sheaf_load_acquire(&step->both);
}

void sheaf_wait_wake(uint32_t *word, uint32_t *sleepers)
{
    (void)sleepers;
    sim_wake(word);
}

void sheaf_wait_slow(struct sheaf_wait *wait)
{
    sim_wait_for_message(&wait->pace);
}

void sheaf_wait_leave(struct sheaf_wait *wait)
{
    (void)wait;
}

static void send_message(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes,
                         size_t *remaining)
{
    (void)stamp;
    (void)remaining;
    sim_send(peer, tag, source, bytes);
}

static void receive_message(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes,
                            size_t *remaining)
{
    (void)stamp;
    sim_receive(peer, tag, dest, bytes, remaining);
}

static const struct sheaf_engine engine = {.name = "simulated", .send = send_message,
                                           .receive = receive_message};
const struct sheaf_engine *sheaf_network = &engine;

/* The heaps of two PEs are at one distance, whatever the object. */
void *sheaf_route_slow(const void *local, size_t bytes, int pe, const char *call)
{
    size_t at = (size_t)((const char *)local - sim_me->heap);
    (void)call;
    CHECK(at <= sim_heap_bytes && bytes <= sim_heap_bytes - at);
    return sim_pe_of(pe)->heap + at;
}

void sheaf_copy_long_part(void *dest, const void *source, size_t bytes, size_t total)
{
    (void)total;
    memcpy(dest, source, bytes);
}

void sheaf_copy_set_rules(const size_t *bytes, const uint8_t *ways, int count)
{
    (void)bytes, (void)ways, (void)count;
}

/* Sources are read where they are: nothing is learned from a clock that is not the model's. */
void sheaf_learner_begin(struct sheaf_copy_learner *learner, unsigned ways, int way)
{
    (void)ways;
    learner->way = (__typeof__(learner->way))way;
}

int sheaf_learner_way(const struct sheaf_copy_learner *learner)
{
    return (int)learner->way;
}

void sheaf_learner_took(struct sheaf_copy_learner *learner, size_t bytes, uint64_t ns)
{
    (void)learner, (void)bytes, (void)ns;
}

const struct sheaf_stream_way *sheaf_vector_way(void)
{
    return NULL;
}

const struct sheaf_stream_way *sheaf_stream_way(void)
{
    return NULL;
}

void sheaf_stream_copy(void *dest, const void *source, size_t bytes)
{
    memcpy(dest, source, bytes);
}

void sheaf_vector_copy(void *dest, const void *source, size_t bytes)
{
    memcpy(dest, source, bytes);
}

int sheaf_tune_file_read(const char *path, sheaf_tune_add *add)
{
    (void)path;
    (void)add;
    return 0;
}

_Noreturn void sheaf_check_bytes_refuse(size_t count, size_t element_bytes, const char *call)
{
    sheaf_fatal("%s: %zu elements of %zu bytes", call, count, element_bytes);
}

void sheaf_check_buffers(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         bool may_be_same, const char *call)
{
    (void)dest, (void)dest_bytes, (void)source, (void)source_bytes, (void)may_be_same, (void)call;
}

void sheaf_check_reached(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         const char *call)
{
    (void)dest, (void)dest_bytes, (void)source, (void)source_bytes, (void)call;
}

void sheaf_symmetric_require(const void *local, size_t bytes, const char *call)
{
    (void)local, (void)bytes, (void)call;
}

void sheaf_agree_enter(struct sheaf_team *team, const char *call)
{
    (void)team, (void)call;
}

void sheaf_agree_on_number_now(struct sheaf_team *team, const char *name, ptrdiff_t number)
{
    (void)team, (void)name, (void)number;
}

void sheaf_agree_on_object_now(struct sheaf_team *team, const char *name, const void *object)
{
    (void)team, (void)name, (void)object;
}

void sheaf_mpi_world_compare(void)
{
}

void sheaf_context_destroy_all(struct sheaf_team *team)
{
    (void)team;
}

/* What only start, deaths and mistakes need. */
bool sheaf_control_barrier(struct sheaf_control *control)
{
    (void)control;
    return true;
}

uint32_t sheaf_control_incarnation_state(const struct sheaf_control *control, int pe)
{
    (void)control, (void)pe;
    return 0;
}

int sheaf_job_cpus(void)
{
    return 1;
}

void sheaf_job_require(const char *call)
{
    (void)call;
}

bool sheaf_record_read(const struct sheaf_recorder *of, uint32_t number, struct sheaf_record *copy)
{
    (void)of, (void)number, (void)copy;
    return false;
}

bool sheaf_record_is_for_statement(uint32_t number)
{
    (void)number;
    return false;
}

void sheaf_record_name_by_statement(uint32_t number)
{
    (void)number;
}

void sheaf_judge_ask(void)
{
}

void sheaf_debug(const char *format, ...)
{
    (void)format;
}

void sheaf_fatal_placed(const char *format, ...)
{
    printf("%s\n", format);
    exit(1);
}
