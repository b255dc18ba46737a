/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs' output on its way to oshrun's standard output and error: complete lines, never mixed with
 * another PE's. Memory is bounded: when the reader is slow, the PEs wait.
 */
#ifndef SHEAF_OSHRUN_OUTPUT_H
#define SHEAF_OSHRUN_OUTPUT_H

#include "oshrun/hosts/proxy.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct output;

/* Makes a pipe per PE and stream, or with --output a file per PE, and enters the PEs' ends in spawn.
 * Ends oshrun with the reason when it cannot. */
struct output *sheaf_output_create(const struct options *options, struct spawn *spawn);

/* Called after the PEs have started: closes the PEs' ends. */
void sheaf_output_close_remote(struct output *output);

/* Enters the descriptors to wait for in set; returns how many. */
#define SHEAF_OUTPUT_POLLS 4 /* at most */
int sheaf_output_watch(struct output *output, struct pollfd *set);

/* Reads and writes where poll() found descriptors ready in set, and queues lines that have been
 * unfinished for long. */
void sheaf_output_move(struct output *output, const struct pollfd *set);

/* Called once all PEs have ended: reads the rest from the pipes, and closes them. */
void sheaf_output_drain(struct output *output);

/* While draining: whether a PE's stream is still to be read, and whether text is still to be written. */
bool sheaf_output_has_streams(const struct output *output);
bool sheaf_output_is_pending(const struct output *output);

/* Returns 0, or the errno with which writing to standard output has failed: EPIPE when there is no
 * reader. */
int sheaf_output_error(const struct output *output);

/* Queues lines of oshrun's own for standard error, after the text that is queued already. */
void sheaf_output_message(struct output *output, const char *text);

#endif
