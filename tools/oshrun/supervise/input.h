/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Standard input for the one PE that reads it. A file or pipe is passed to the PE unchanged. A terminal
 * stays with oshrun, whose process group is in the foreground, and oshrun copies its input to the PE.
 */
#ifndef SHEAF_OSHRUN_INPUT_H
#define SHEAF_OSHRUN_INPUT_H

#include "oshrun/hosts/proxy.h"

#include <stdbool.h>

struct input {
    int writer;    /* oshrun's end of the pipe to the PE; -1: nothing to copy */
    int remote;    /* the PE's end, until the PE has started */
    bool given;    /* the PE has oshrun's own standard input */
    char held[4096];
    size_t start, end; /* range of the bytes read and not yet written to the PE */
};

void sheaf_input_create(struct input *input, const struct options *options, struct spawn *spawn);

/* Called after the PEs have started: closes the PE's end. */
void sheaf_input_close_remote(struct input *input);

/* Whether to wait for the terminal now. */
bool sheaf_input_wants(const struct input *input);

/* Copies available input to the PE. */
void sheaf_input_move(struct input *input, bool readable);

#endif
