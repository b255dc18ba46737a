/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the PEs print, on its way to oshrun's standard output and error: whole lines, never mixed
 * with another PE's. Memory is bounded: when the reader is slow the PEs wait.
 */
#ifndef SHEAF_OSHRUN_OUTPUT_H
#define SHEAF_OSHRUN_OUTPUT_H

#include "oshrun/hosts/keeper.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct output;

/* Makes a pipe per PE and stream, or with --output a file per PE, and enters what the PEs need in
 * launch. Ends oshrun with the reason when it cannot. */
struct output *sheaf_output_create(const struct options *options, struct spawn *spawn);

/* After the PEs were started: oshrun keeps its own ends alone. */
void sheaf_output_close_remote(struct output *output);

/* Enters what to wait for in set (room for sheaf_output_polls()); returns how many. */
int sheaf_output_polls(const struct output *output);
int sheaf_output_watch(struct output *output, struct pollfd *set);

/* Reads and writes what poll() found ready in set, and lets go of lines that have been unfinished
 * for long. */
void sheaf_output_move(struct output *output, const struct pollfd *set);

/* All PEs are gone: reads what is left in the pipes, and closes them. */
void sheaf_output_drain(struct output *output);

/* While draining: whether a PE's stream is still to be read, and whether anything is still to be
 * written. */
bool sheaf_output_has_streams(const struct output *output);
bool sheaf_output_is_pending(const struct output *output);

/* 0; or the errno with which writing to standard output has failed: EPIPE when nobody reads. */
int sheaf_output_error(const struct output *output);

/* Lines of oshrun's own for standard error, after what is already on the way. */
void sheaf_output_message(struct output *output, const char *text);

#endif
