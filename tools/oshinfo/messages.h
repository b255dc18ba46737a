/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every message that a user can meet, by the id at the end of its first line: its cause and the remedy.
 * scripts/print-settings prints the book's page of them; tests/oshinfo/messages.py finds an id without a
 * row, and a message without an id.
 */
#ifndef SHEAF_OSHINFO_MESSAGES_H
#define SHEAF_OSHINFO_MESSAGES_H

#include <stdio.h>

/* Prints a message: the one whose id stands in text, which may be a whole line,
or else those whose words have text
 * in them. Returns 0, or -1 and prints nothing: there is none. */
int sheaf_messages_explain(FILE *out, const char *text);

/* Each id and its line. */
void sheaf_messages_list(FILE *out);

/* The table for programs: a line of titles, then one per message, with tabs. */
void sheaf_messages_print_tsv(FILE *out);

#endif
