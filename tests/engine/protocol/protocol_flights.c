/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts, and what is under way on them: an operation that overlaps another's memory has to come
 * after it, by a fence where that is enough, else by a quiet. So what each one writes and reads is
 * known.
 */
#include "protocol.h"

#include <string.h>

#define MOST_FLIGHTS 40

int contexts;
static sheaf_engine_context *handles[MOST_CONTEXTS];
static uint64_t fences[MOST_CONTEXTS];
static struct flight flights[MOST_FLIGHTS];

sheaf_engine_context *context_of(int context)
{
    return handles[context];
}

/* One that cannot be had is the default one. */
static void create(int context)
{
    handles[context] = engine->context_create(below(&chance, 2));
    if (handles[context] && below(&chance, 3) == 0)
        engine->batch(handles[context], below(&chance, 2) ? SIZE_MAX : below(&chance, 50));
}

void contexts_begin(void)
{
    memset(flights, 0, sizeof flights);
    memset(fences, 0, sizeof fences);
    handles[0] = NULL;
    contexts = 1 + (int)below(&chance, MOST_CONTEXTS);
    for (int context = 1; context < contexts; context++)
        create(context);
}

void contexts_end(void)
{
    while (contexts > 1)
        engine->context_destroy(handles[--contexts]);
}

void context_renew(int context)
{
    flights_quiet(context, SHEAF_EVERY_PE);
    engine->context_destroy(handles[context]);
    create(context);
}

void turn(int context)
{
    unsigned dice = (unsigned)below(&chance, 8);
    if (dice == 0)
        engine->progress(below(&chance, 2));
    else if (below(&chance, 64) == 0)
        engine->sleep(context_of(context), true, 1000);
    else
        engine->work(context_of(context));
    marks_look();
    if (dice < 5)
        step();
    end_with_job();
}

void wait_for(int context, const size_t *left)
{
    while (__atomic_load_n(left, __ATOMIC_ACQUIRE))
        turn(context);
}

static void end_flight(struct flight *flight)
{
    if (flight->expected)
        REQUIRE(memcmp(flight->buffer, flight->expected, flight->buffer_bytes) == 0,
                "%zu bytes of PE %d, region %d + %zu, context %d: not what was there", flight->bytes,
                flight->pe, (int)flight->region, flight->at, flight->context);
    memset(flight->buffer, 0xee, flight->buffer_bytes);
    free(flight->block);
    free(flight->expected);
    flight->is_used = false;
}

static bool overlap(const struct flight *a, const struct flight *b)
{
    return a->pe == b->pe && a->region == b->region && a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

/* Puts and atomic operations are in order by a fence; what reads is over only when it has ended. */
static void order(const struct flight *before, const struct flight *next)
{
    if (!(before->writes || next->writes))
        return;
    bool is_put = !before->reads && next->writes && !next->reads && before->context == next->context;
    if (is_put && before->fences < fences[next->context])
        return;
    if (is_put && below(&chance, 4))
        flights_fence(next->context);
    else
        flights_quiet(before->context, below(&chance, 2) ? before->pe : SHEAF_EVERY_PE);
}

static void clear_way(const struct flight *next)
{
    for (int i = 0; i < MOST_FLIGHTS; i++)
        if (flights[i].is_used && overlap(&flights[i], next))
            order(&flights[i], next);
}

static int count_free(struct flight **free_one)
{
    int count = 0;
    for (int i = 0; i < MOST_FLIGHTS; i++)
        if (!flights[i].is_used) {
            *free_one = &flights[i];
            count++;
        }
    return count;
}

void flights_make_room(int wanted)
{
    struct flight *ignored;
    while (count_free(&ignored) < wanted)
        flights_quiet((int)below(&chance, (uint64_t)contexts), SHEAF_EVERY_PE);
}

struct flight *flights_add(const struct flight *next)
{
    struct flight *flight = NULL;
    clear_way(next);
    flights_make_room(1);
    count_free(&flight);
    *flight = *next;
    flight->is_used = true;
    flight->left = 0;
    flight->fences = fences[next->context];
    flight->is_waited = below(&chance, 2);
    size_t shift = below(&chance, 9);
    flight->block = malloc(shift + flight->buffer_bytes + 1);
    flight->buffer = flight->block + shift;
    trace("context %d: PE %d, region %d + %zu, %zu bytes%s%s%s", flight->context, flight->pe,
          (int)flight->region, flight->at, flight->bytes, flight->reads ? ", read" : "",
          flight->writes ? ", written" : "", flight->is_waited ? ", waited for" : "");
    return flight;
}

size_t *flight_left(struct flight *flight)
{
    return flight->is_waited ? &flight->left : NULL;
}

/* A source that may be reused is; a destination that is here is looked at. */
static void look_at(struct flight *flight)
{
    if (!flight->is_used || !flight->is_waited || __atomic_load_n(&flight->left, __ATOMIC_ACQUIRE))
        return;
    if (flight->reads)
        end_flight(flight);
    else
        memset(flight->buffer, 0xee, flight->buffer_bytes);
}

void flights_look(void)
{
    for (int i = 0; i < MOST_FLIGHTS; i++)
        look_at(&flights[i]);
}

void flights_started(struct flight *flight)
{
    if (flight->is_waited && below(&chance, 2)) {
        wait_for(flight->context, &flight->left);
        look_at(flight);
    }
}

void flights_fence(int context)
{
    trace("context %d: fence", context);
    engine->fence(context_of(context));
    fences[context]++;
}

void flights_quiet(int context, int pe)
{
    size_t left = 0;
    trace("context %d: quiet of PE %d", context, pe);
    engine->quiet(context_of(context), pe, &left);
    wait_for(context, &left);
    trace("context %d: is quiet", context);
    int busy = engine->busy_with(context_of(context));
    REQUIRE(busy < pes && (busy < 0 || pe != SHEAF_EVERY_PE), "after quiet busy with PE %d", busy);
    for (int i = 0; i < MOST_FLIGHTS; i++) {
        struct flight *flight = &flights[i];
        if (!flight->is_used || flight->context != context || (pe != SHEAF_EVERY_PE && flight->pe != pe))
            continue;
        /* The target may have told that all is there before the transport tells that it has left. */
        wait_for(context, &flight->left);
        end_flight(flight);
    }
}
