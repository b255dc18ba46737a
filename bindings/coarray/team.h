/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FORM TEAM, CHANGE TEAM, END TEAM; and how images begin and end.
 */
#ifndef SHEAF_COARRAY_TEAM_H
#define SHEAF_COARRAY_TEAM_H

#include "image.h"

/* That the library is started with: each compiler's own. */
extern const int sheaf_thread_level;
/* Called once all images have come to their end; may be NULL. */
extern void (*sheaf_before_end)(void);

/* Starts the library unless it runs: a coarray that is no component is registered before main. */
void sheaf_start(void);
/* The program's end: waits until all images have come to theirs; nothing once ERROR STOP ends them.
 * STOP ends the process too. */
void sheaf_leave(void);
_Noreturn void sheaf_stop(int status);
/* ERROR STOP: ends all images. */
_Noreturn void sheaf_stop_error(int status);

/* Collective over the current team. index: the image's number in the new team; 0: any. */
struct sheaf_images *sheaf_team_form(int64_t number, int index);
void sheaf_team_change(struct sheaf_images *team);
void sheaf_team_end(void);

#endif
