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

/* The line of questions, in blocks: 24 bytes for each PE that waits, which are never copied. */
#define BLOCK 64u
struct block {
    struct block *next;
    struct question questions[BLOCK];
};

static struct {
    struct grant grants[MOST_GRANTS];
    unsigned count;
    uint64_t bytes; /* of all grants */
    struct block *first_block, *last_block; /* NULL: nobody has asked yet */
    unsigned first, end; /* the first question's place in its block, and the next one's in the last block */
    size_t waiting;
} credit;

static bool add_question(const struct question *question)
{
    if (!credit.first_block || credit.end == BLOCK) {
        struct block *block = malloc(sizeof *block);
        if (!block)
            return false;
        block->next = NULL;
        *(credit.first_block ? &credit.last_block->next : &credit.first_block) = block;
        credit.last_block = block;
        credit.end = 0;
    }
    credit.last_block->questions[credit.end++] = *question;
    credit.waiting++;
    return true;
}

static const struct question *first_question(void)
{
    return credit.waiting > 0 ? &credit.first_block->questions[credit.first] : NULL;
}

/* The last block stays for the next questions. */
static void drop_question(void)
{
    struct block *block = credit.first_block;
    credit.first++;
    credit.waiting--;
    if (credit.waiting == 0) {
        credit.first = credit.end = 0;
    } else if (credit.first == BLOCK) {
        credit.first_block = block->next;
        credit.first = 0;
        free(block);
    }
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

static void give_waiting(struct sheaf_msg_worker *worker)
{
    uint64_t now_ns = sheaf_clock_ns();
    const struct question *first = first_question();
    if (first && !has_room_for(first))
        drop_unused_grants(now_ns);
    for (; first && has_room_for(first); first = first_question()) {
        struct question question = *first;
        drop_question();
        give(&question, now_ns);
        answer(worker, &question);
    }
}

void sheaf_msg_handle_credit(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct question question = {arrival->origin, header->credit.operation, header->credit.bytes};
    size_t most = (size_t)sheaf_msg_state.job.npes * MOST_QUESTIONS;
    if (credit.waiting >= most || !add_question(&question)) {
        answer(arrival->worker, &question);
        return;
    }
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
    while (credit.first_block) {
        struct block *block = credit.first_block;
        credit.first_block = block->next;
        free(block);
    }
    memset(&credit, 0, sizeof credit);
}
