/* SPDX-License-Identifier: BSD-3-Clause
 * See carry.h.
 */
#include "snapshot/carry.h"

#include "base/log.h"
#include "core/team/message.h"
#include "snapshot/file/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of a file at once, in bytes: such as is sent without asking the receiver. */
#define PIECE ((size_t)SHEAF_MESSAGE_ASKS / 2)

/* Those that this member sends or receives, and a piece of each. */
struct carrying {
    struct sheaf_team *team;
    const struct sheaf_carried **files;
    int count;
    char *pieces;
    struct sheaf_snapshot_reason *why;
};

static size_t length_at(const struct sheaf_carried *file, uint64_t at)
{
    uint64_t left = at < file->length ? file->length - at : 0;
    return left < PIECE ? (size_t)left : PIECE;
}

static char *piece_of(const struct carrying *carrying, int i)
{
    return carrying->pieces + (size_t)i * PIECE;
}

/* What cannot be read is sent as zeros: the receiver waits for as many bytes, and nobody will use them. */
static void read_piece(const struct carrying *carrying, int i, uint64_t at)
{
    const struct sheaf_carried *file = carrying->files[i];
    char *piece = piece_of(carrying, i);
    size_t length = length_at(file, at);
    if (file->fd >= 0 && sheaf_read_bytes(file->fd, piece, length, at) == 0)
        return;
    memset(piece, 0, length);
    if (!carrying->why->text[0])
        sheaf_snapshot_explain(carrying->why, "a file for another host cannot be read: %s",
                               errno ? strerror(errno) : "it was cut");
}

static void write_piece(const struct carrying *carrying, int i, uint64_t at)
{
    const struct sheaf_carried *file = carrying->files[i];
    const char *piece = piece_of(carrying, i);
    if (file->fd < 0 || carrying->why->text[0])
        return;
    if (sheaf_write_bytes(file->fd, piece, length_at(file, at), at) != 0)
        sheaf_snapshot_explain(carrying->why, "a file of another host cannot be written: %s",
                               strerror(errno));
}

/* The piece at the same place of each file: first all receive, so that nobody waits for one who sends. */
static void carry_pieces(const struct carrying *carrying, uint64_t at)
{
    struct sheaf_messages messages;
    int mine = carrying->team->rank;
    sheaf_messages_begin(&messages, carrying->team);
    for (int i = 0; i < carrying->count; i++)
        if (carrying->files[i]->to == mine)
            sheaf_messages_receive(&messages, carrying->files[i]->from, piece_of(carrying, i),
                                   length_at(carrying->files[i], at));
    for (int i = 0; i < carrying->count; i++)
        if (carrying->files[i]->from == mine) {
            read_piece(carrying, i, at);
            sheaf_messages_send(&messages, carrying->files[i]->to, piece_of(carrying, i),
                                length_at(carrying->files[i], at));
        }
    sheaf_messages_wait(&messages);
    for (int i = 0; i < carrying->count; i++)
        if (carrying->files[i]->to == mine)
            write_piece(carrying, i, at);
}

static void carry_all(const struct carrying *carrying)
{
    uint64_t most = 0;
    for (int i = 0; i < carrying->count; i++)
        if (carrying->files[i]->length > most)
            most = carrying->files[i]->length;
    for (uint64_t at = 0; at < most; at += PIECE)
        carry_pieces(carrying, at);
}

void sheaf_carry(struct sheaf_team *team, const struct sheaf_carried *files, int count,
                 struct sheaf_snapshot_reason *why)
{
    struct carrying carrying = {.team = team, .why = why,
                                .files = calloc((size_t)count + 1, sizeof *carrying.files)};
    for (int i = 0; i < count && carrying.files; i++)
        if (files[i].from == team->rank || files[i].to == team->rank)
            carrying.files[carrying.count++] = &files[i];
    carrying.pieces = carrying.files ? malloc(((size_t)carrying.count + 1) * PIECE) : NULL;
    if (!carrying.pieces)
        sheaf_fatal("no memory for the files that go to other hosts: %d pieces of %zu bytes",
                    carrying.count, PIECE);
    carry_all(&carrying);
    free(carrying.files);
    free(carrying.pieces);
}
