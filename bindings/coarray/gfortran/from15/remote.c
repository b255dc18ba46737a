/* SPDX-License-Identifier: BSD-3-Clause
 * See remote.h. Each image has a slot for a request of each other, and a thread that sleeps on a
 * futex; a PE of another host cannot wake it, so that it looks now and then where there are any.
 */
#include "remote.h"

#include <linux/futex.h>
#include <pthread.h>
#include <shmemx.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define INLINE_BYTES 1024
/* Nanoseconds between two looks for requests of other hosts, from the last request on. */
#define LOOK_SOON 10000
#define LOOK_LATE 250000

/* Bytes that travel with their message, or else lie in memory that their owner has for components.
 */
struct parcel {
    char *at; /* the owner's address; NULL: they are in the message */
    size_t bytes;
    char bytes_here[INLINE_BYTES];
};

/* In symmetric memory: what PE i asks of this one. */
struct question {
    struct sheaf_request request;
    struct parcel parcel; /* the arguments, then the data */
};

struct answer {
    struct sheaf_reply reply;
    struct parcel parcel;
};

static struct question *questions; /* by PE */
static uint64_t *asked;            /* by PE: how often it has asked this one */
static uint64_t *served;           /* of these; this thread's alone */
static uint32_t *bell, *sleeps;
static struct answer *answer; /* to this PE's question */
static uint64_t *answered;    /* of this PE's questions */
static uint64_t *asked_of;    /* by PE: this PE's questions */
static uint64_t asked_in_all;
static union sheaf_accessor (*accessor_of)(int hash);
static pthread_t thread;
static int must_end;
static bool has_far; /* PEs */

static const struct sheaf_outcome outcome = {"access of a coarray", NULL, NULL, 0};

static void *allocate(size_t bytes)
{
    void *block = malloc(bytes ? bytes : 1);
    if (!block)
        sheaf_outcome_refuse(outcome.statement, "no memory for %zu bytes", bytes);
    return block;
}

/* Returns the block that holds the bytes where they are too many for the message, for the owner to
 * free. */
static struct sheaf_coarray *pack(struct parcel *parcel, const void *first, size_t first_bytes,
                                  const void *second, size_t second_bytes)
{
    struct sheaf_coarray *block = NULL;
    parcel->bytes = first_bytes + second_bytes;
    parcel->at = NULL;
    if (parcel->bytes > INLINE_BYTES) {
        block = sheaf_component_new(&outcome);
        sheaf_component_allocate(&outcome, block, parcel->bytes);
        parcel->at = block->memory;
    }
    char *to = block ? block->memory : parcel->bytes_here;
    if (first_bytes)
        memcpy(to, first, first_bytes);
    if (second_bytes)
        memcpy(to + first_bytes, second, second_bytes);
    return block;
}

/* The bytes of a message of PE pe, in a copy of this process. */
static char *unpack(const struct parcel *parcel, int pe)
{
    char *bytes = allocate(parcel->bytes);
    if (!parcel->at)
        memcpy(bytes, parcel->bytes_here, parcel->bytes);
    else
        shmem_getmem(bytes, sheaf_component_reach(parcel->at, pe), parcel->bytes, pe);
    return bytes;
}

/* What the reply brings, by malloc or in the coarray: *is_new tells it. */
static char *carry_out_read(struct sheaf_request *request, void *arguments,
                            union sheaf_accessor accessor, struct sheaf_reply *reply,
                            int32_t *is_new)
{
    struct sheaf_coarray token = {.is_here = true};
    void *memory = request->has_array ? (void *)&request->array : request->memory;
    char *scalar = NULL;
    reply->length = request->other_length;
    reply->array = request->other;
    reply->array.base = NULL;
    accessor.read(arguments, &request->image,
                  request->is_array ? (void *)&reply->array : (void *)&scalar, is_new, memory,
                  &token, 0, &reply->length, request->has_length ? &request->length : NULL);
    if (request->is_array) {
        reply->bytes = reply->array.base ? sheaf_gfortran_bytes(&reply->array) : 0;
        return reply->array.base;
    }
    reply->bytes = request->bytes * (request->has_other_length ? reply->length : 1);
    return scalar;
}

/* What ALLOCATED's function takes as the coarray. */
static void *looked_at(struct sheaf_request *request)
{
    if (request->has_array)
        return &request->array;
    return request->by_pointer ? (void *)&request->memory : request->memory;
}

/* Blocks with answers that were too long for the message, by the PE that reads it. */
static struct sheaf_coarray **held;

static void carry_out(const struct question *question, int pe)
{
    struct sheaf_request request = question->request;
    struct answer made;
    memset(&made, 0, offsetof(struct answer, parcel.bytes_here));
    char *bytes = unpack(&question->parcel, pe), *result = NULL;
    int32_t is_new = 0;
    union sheaf_accessor accessor = {NULL};
    struct sheaf_coarray token = {.is_here = true};
    if (request.access != ACCESS_RELEASE)
        accessor = accessor_of(request.accessor);
    request.array.base = request.memory;
    switch (request.access) {
    case ACCESS_READ:
        result = carry_out_read(&request, bytes, accessor, &made.reply, &is_new);
        break;
    case ACCESS_WRITE:
        request.other.base = bytes + request.arguments_bytes;
        accessor.write(bytes, &request.image,
                       request.has_array ? (void *)&request.array : request.memory,
                       request.is_array ? (void *)&request.other : request.other.base, &token, 0,
                       request.has_length ? &request.length : NULL,
                       request.has_other_length ? &request.other_length : NULL);
        break;
    case ACCESS_LOOK:
        accessor.look(bytes, &request.image, &made.reply.is_present, looked_at(&request), &token,
                      0);
        break;
    case ACCESS_RELEASE:
        sheaf_component_free(held[pe]);
        held[pe] = NULL;
        break;
    }
    if (request.access == ACCESS_READ)
        held[pe] = pack(&made.parcel, result, result ? made.reply.bytes : 0, NULL, 0);
    if (is_new)
        free(result);
    free(bytes);
    size_t used = made.parcel.at ? 0 : made.parcel.bytes;
    shmem_putmem(answer, &made, offsetof(struct answer, parcel.bytes_here) + used, pe);
    shmem_fence();
    shmem_uint64_atomic_inc(answered, pe);
}

static bool serve_all(void)
{
    bool has_served = false;
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        if (__atomic_load_n(&asked[pe], __ATOMIC_ACQUIRE) == served[pe])
            continue;
        served[pe]++;
        carry_out(&questions[pe], pe);
        has_served = true;
    }
    return has_served;
}

static void *serve(void *unused)
{
    long nap = LOOK_SOON;
    for (;;) {
        uint32_t rung = __atomic_load_n(bell, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&must_end, __ATOMIC_ACQUIRE)) /* set before the bell that tells it */
            return unused;
        __atomic_store_n(sleeps, 1, __ATOMIC_SEQ_CST);
        if (serve_all()) {
            nap = LOOK_SOON;
        } else {
            struct timespec time = {0, nap};
            syscall(SYS_futex, bell, FUTEX_WAIT, rung, has_far ? &time : NULL, NULL, 0);
            nap = nap * 2 < LOOK_LATE ? nap * 2 : LOOK_LATE;
        }
        __atomic_store_n(sleeps, 0, __ATOMIC_SEQ_CST);
    }
}

static void ring(int pe)
{
    uint32_t *its_bell = shmem_ptr(bell, pe), *its_sleeps = shmem_ptr(sleeps, pe);
    if (!its_bell || !its_sleeps)
        return;
    __atomic_fetch_add(its_bell, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(its_sleeps, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, its_bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void sheaf_remote_begin(union sheaf_accessor (*find)(int hash))
{
    size_t pes = (size_t)shmem_n_pes();
    accessor_of = find;
    questions = shmem_calloc(pes, sizeof *questions);
    asked = shmem_calloc(pes, sizeof *asked);
    answer = shmem_calloc(1, sizeof *answer);
    answered = shmem_calloc(1, sizeof *answered);
    bell = shmem_calloc(2, sizeof *bell);
    served = calloc(pes, sizeof *served);
    asked_of = calloc(pes, sizeof *asked_of);
    held = calloc(pes, sizeof *held);
    if (!questions || !asked || !answer || !answered || !bell || !served || !asked_of || !held)
        sheaf_outcome_refuse("start", "no memory for the requests of %zu images", pes);
    sleeps = bell + 1;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        has_far |= !shmem_ptr(bell, pe);
    if (pthread_create(&thread, NULL, serve, NULL) != 0)
        sheaf_outcome_refuse("start", "no thread for the requests of other images");
}

void sheaf_remote_end(void)
{
    __atomic_store_n(&must_end, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(bell, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, bell, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
}

/* Sends a question, and waits until the answer is here. */
static void exchange(struct question *question, int pe)
{
    int me = shmem_my_pe();
    size_t used = question->parcel.at ? 0 : question->parcel.bytes;
    shmem_putmem(&questions[me], question, offsetof(struct question, parcel.bytes_here) + used, pe);
    shmem_fence();
    shmem_uint64_atomic_set(&asked[me], ++asked_of[pe], pe);
    ring(pe);
    shmem_uint64_wait_until(answered, SHMEM_CMP_GE, ++asked_in_all);
}

void sheaf_remote_ask(const char *statement, const struct sheaf_request *request,
                      struct sheaf_reply *reply, int pe)
{
    static struct question question; /* one at a time */
    shmemx_call_for(statement, sheaf_access_site);
    question.request = *request;
    struct sheaf_coarray *block =
        pack(&question.parcel, request->arguments, request->arguments_bytes, request->data,
             request->access == ACCESS_WRITE ? request->bytes : 0);
    exchange(&question, pe);
    if (block)
        sheaf_component_free(block);
    *reply = answer->reply;
    reply->data = NULL;
    if (request->access == ACCESS_READ)
        reply->data = unpack(&answer->parcel, pe);
    if (answer->parcel.at) {
        question.request.access = ACCESS_RELEASE;
        question.parcel.at = NULL;
        question.parcel.bytes = 0;
        exchange(&question, pe);
    }
    shmemx_call_for(NULL, NULL);
}
