/* SPDX-License-Identifier: BSD-3-Clause
 * See message.h.
 */
#include "core/team/message.h"

#include "base/log.h"
#include "base/os/os.h"
#include "core/access/checked.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"
#include "core/team/tag.h"
#include "core/pe/wait.h"

#include <stdio.h>

#define PES (UINT64_C(1) << SHEAF_TAG_PE_BITS)

static uint64_t tag_from(const struct sheaf_team *team, int pe)
{
    return team->multinode->tag | ((uint64_t)(unsigned)pe & (PES - 1));
}

/* Both ends of a message must have made the same calls with the team. */
static uint32_t stamp_of(const struct sheaf_messages *messages)
{
    return SHEAF_PROGRESS_DIGEST(*messages->team->progress);
}

/* For the status board: the PE that this thread waits for. */
static __thread int awaited;

static void describe_peer(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    if (team->multinode->tag == SHEAF_TAG_OF_WORLD)
        snprintf(text, size, "the world team, PE %d on another node is awaited", awaited);
    else
        snprintf(text, size, "PE %d on another node, in a team of %d", awaited, team->size);
}

static bool is_complete(const struct sheaf_messages *messages, unsigned message)
{
    return sheaf_load_acquire(&messages->left[message % SHEAF_MESSAGES_LIMIT]) == 0;
}

static void complete_oldest(struct sheaf_messages *messages)
{
    SHEAF_KEEP_ERRNO;
    unsigned oldest = messages->complete++;
    if (is_complete(messages, oldest))
        return;
    awaited = messages->peer[oldest % SHEAF_MESSAGES_LIMIT];
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, messages->team, describe_peer);
    while (!is_complete(messages, oldest))
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
}

static size_t *next_left(struct sheaf_messages *messages, int pe)
{
    if (messages->posted - messages->complete == SHEAF_MESSAGES_LIMIT)
        complete_oldest(messages);
    unsigned slot = messages->posted++ % SHEAF_MESSAGES_LIMIT;
    messages->peer[slot] = pe;
    messages->left[slot] = 0;
    return &messages->left[slot];
}

void sheaf_messages_send(struct sheaf_messages *messages, int rank, const void *source,
                         size_t bytes)
{
    SHEAF_KEEP_ERRNO;
    int pe = sheaf_team_world_pe(messages->team, rank);
    if (bytes != 0)
        sheaf_network->send(pe, tag_from(messages->team, sheaf_job.pe), stamp_of(messages), source, bytes,
                            next_left(messages, pe));
}

void sheaf_messages_receive(struct sheaf_messages *messages, int rank, void *dest, size_t bytes)
{
    SHEAF_KEEP_ERRNO;
    int pe = sheaf_team_world_pe(messages->team, rank);
    if (bytes != 0)
        sheaf_network->receive(pe, tag_from(messages->team, pe), stamp_of(messages), dest, bytes,
                               next_left(messages, pe));
}

static size_t piece_at(size_t bytes, size_t at, size_t piece)
{
    if (at >= bytes)
        return 0;
    return bytes - at < piece ? bytes - at : piece;
}

void sheaf_messages_swap(struct sheaf_messages *messages, struct sheaf_message_from from,
                         struct sheaf_message_to to, size_t most_at_once)
{
    size_t in = sheaf_messages_piece(from.bytes, most_at_once);
    size_t out = sheaf_messages_piece(to.bytes, most_at_once);
    for (size_t received = 0, sent = 0; received < from.bytes || sent < to.bytes;
         received += in, sent += out) {
        sheaf_messages_receive(messages, from.rank, from.dest + received,
                               piece_at(from.bytes, received, in));
        sheaf_messages_send(messages, to.rank, to.source + sent, piece_at(to.bytes, sent, out));
    }
}

void sheaf_messages_wait_for(struct sheaf_messages *messages, unsigned count)
{
    while ((int)(messages->complete - count) < 0)
        complete_oldest(messages);
}

unsigned sheaf_messages_complete(struct sheaf_messages *messages)
{
    SHEAF_KEEP_ERRNO;
    while (messages->complete != messages->posted && is_complete(messages, messages->complete))
        messages->complete++;
    return messages->complete;
}

void sheaf_messages_wait(struct sheaf_messages *messages)
{
    sheaf_messages_wait_for(messages, messages->posted);
}
