/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives credit for puts to the PEs that ask for it, in their order. The bytes that may come by credit stay
 * within SHEAF_MSG_MOST_CREDIT, whatever the number of PEs; a put that is longer comes alone.
 */
#include "engine/message/serve/serve.h"
#include "engine/message/stream/credit.h"

#include "base/clock.h"
#include "base/times.h"

#include <stdlib.h>
#include <string.h>

/* Credit that has been given and whose data has not all come. */
struct grant {
    sheaf_transport_link *link;
    uint64_t bytes, since_ns;
};
#define MOST_GRANTS 256

/* More questions than a PE's workers can ask are answered at once. */
#define MOST_QUESTIONS 32

/* A PE that waits for credit: its workers ask for one credit at a time each. */
struct question {
    sheaf_transport_link *link;
    uint64_t operation, bytes;
};
#define FIRST_ROOM ((size_t)64) /* questions */

static struct {
    struct grant grants[MOST_GRANTS];
    unsigned count;
    uint64_t bytes; /* of all grants */
    struct question *questions; /* a ring */
    size_t first, waiting, room;
} credit;

static bool grow_ring(void)
{
    size_t room = credit.room ? 2 * credit.room : FIRST_ROOM;
    struct question *questions = malloc(room * sizeof *questions);
    if (!questions)
        return false;
    for (size_t i = 0; i < credit.waiting; i++)
        questions[i] = credit.questions[(credit.first + i) % credit.room];
    free(credit.questions);
    credit.questions = questions;
    credit.first = 0;
    credit.room = room;
    return true;
}

static void answer(struct sheaf_msg_worker *worker, const struct question *question)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, NULL);
    operation->header.done = (struct sheaf_msg_done){question->operation};
    sheaf_msg_send_operation(operation, question->link, SHEAF_MSG_DONE, NULL, 0);
}

static struct grant *find_grant(const sheaf_transport_link *link)
{
    for (unsigned i = 0; i < credit.count; i++)
        if (credit.grants[i].link == link)
            return &credit.grants[i];
    return NULL;
}

static void drop_grant(struct grant *grant)
{
    credit.bytes -= grant->bytes;
    *grant = credit.grants[--credit.count];
}

/* A PE that was given credit may have died, or have left the call. */
static void drop_unused_grants(uint64_t now_ns)
{
    for (unsigned i = credit.count; i-- > 0;)
        if (now_ns - credit.grants[i].since_ns > sheaf_times.credit_unused)
            drop_grant(&credit.grants[i]);
}

static void give(const struct question *question, uint64_t now_ns)
{
    struct grant *grant = find_grant(question->link);
    if (!grant) {
        grant = &credit.grants[credit.count++];
        *grant = (struct grant){.link = question->link};
    }
    grant->bytes += question->bytes;
    grant->since_ns = now_ns;
    credit.bytes += question->bytes;
}

static bool has_room_for(const struct question *question)
{
    return credit.count < MOST_GRANTS &&
           (credit.bytes == 0 || question->bytes + credit.bytes <= SHEAF_MSG_MOST_CREDIT);
}

/* A ring that many PEs have made large is for them alone. */
static void drop_ring(void)
{
    if (credit.room <= FIRST_ROOM)
        return;
    free(credit.questions);
    credit.questions = NULL;
    credit.first = credit.room = 0;
}

static void give_waiting(struct sheaf_msg_worker *worker)
{
    uint64_t now_ns = sheaf_clock_ns();
    if (credit.waiting > 0 && !has_room_for(&credit.questions[credit.first]))
        drop_unused_grants(now_ns);
    while (credit.waiting > 0 && has_room_for(&credit.questions[credit.first])) {
        struct question question = credit.questions[credit.first];
        credit.first = (credit.first + 1) % credit.room;
        credit.waiting--;
        give(&question, now_ns);
        answer(worker, &question);
    }
    if (credit.waiting == 0)
        drop_ring();
}

void sheaf_msg_handle_credit(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct question question = {arrival->origin, header->credit.operation, header->credit.bytes};
    size_t most = (size_t)sheaf_msg_state.job.npes * MOST_QUESTIONS;
    if (credit.waiting >= most || (credit.waiting == credit.room && !grow_ring())) {
        answer(arrival->worker, &question);
        return;
    }
    credit.questions[(credit.first + credit.waiting++) % credit.room] = question;
    give_waiting(arrival->worker);
}

void sheaf_msg_use_credit(const struct sheaf_msg_arrival *arrival)
{
    struct grant *grant = credit.count ? find_grant(arrival->origin) : NULL;
    if (!grant)
        return;
    uint64_t bytes = arrival->length < grant->bytes ? arrival->length : grant->bytes;
    grant->bytes -= bytes;
    credit.bytes -= bytes;
    if (grant->bytes == 0)
        drop_grant(grant);
    give_waiting(arrival->worker);
}

void sheaf_msg_forget_credit(void)
{
    free(credit.questions);
    memset(&credit, 0, sizeof credit);
}
