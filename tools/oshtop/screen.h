/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The terminal, by plain ANSI sequences. Whatever ends the program, the terminal is as it was
 * before; only SIGKILL leaves it.
 */
#ifndef SHEAF_OSHTOP_SCREEN_H
#define SHEAF_OSHTOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum top_key { /* beside characters */
    TOP_KEY_NONE = 0,
    TOP_KEY_UP = 256,
    TOP_KEY_DOWN,
    TOP_KEY_PAGE_UP,
    TOP_KEY_PAGE_DOWN,
    TOP_KEY_RESIZED,
    TOP_KEY_END /* nobody is at the terminal any more */
};

/* Takes the terminal. False where standard output is none that could be drawn on. */
bool top_screen_open(void);
void top_screen_close(void);

/* Draws text from line from on, cut to the terminal's size, below a first line of its own; the last line
 * says what is not shown. Returns the largest from that makes sense. */
int top_screen_draw(const char *head, const char *text, int from);

/* How many lines a page has. */
int top_screen_page(void);

/* Waits for a key until then, by CLOCK_MONOTONIC. */
int top_screen_key(uint64_t until_ns);

#endif
