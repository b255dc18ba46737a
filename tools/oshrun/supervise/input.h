/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Standard input for the one PE that reads it. A file or pipe is given to the PE as it is; a
 * terminal stays with oshrun, whose process group is in the foreground, and is passed on.
 */
#ifndef SHEAF_OSHRUN_INPUT_H
#define SHEAF_OSHRUN_INPUT_H

#include "oshrun/hosts/keeper.h"

#include <stdbool.h>

struct input {
    int writer;    /* oshrun's end of the pipe to the PE; -1: nothing to pass on */
    int remote;    /* the PE's end, until it is started */
    bool given;    /* the PE has oshrun's own standard input */
    char held[4096];
    size_t start, end; /* read from the terminal and not yet passed on */
};

void sheaf_input_create(struct input *input, const struct options *options, struct spawn *spawn);

/* After the PEs were started: the rest is theirs. */
void sheaf_input_close_remote(struct input *input);

/* Whether the terminal should be waited for now. */
bool sheaf_input_wants(const struct input *input);

/* Passes on what is there. */
void sheaf_input_move(struct input *input, bool readable);

#endif
