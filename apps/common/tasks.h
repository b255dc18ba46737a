/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A search in tasks that outlive the PEs that do them: where a PE dies the others take over what it had
 * begun and what it had not. Each PE has a ledger of tasks in the symmetric heap, which others still read
 * when it is dead, on a node. Where a dead PE's ledger is out of reach, on another node, part of the
 * search is lost: then the living begin it again, without that PE. With an OpenSHMEM without
 * shmemx_ft.h nobody dies, and it is a search like any other. See queens and uts.
 *
 * A task is claimed by a compare-and-swap, by one PE at a time: from nobody, or from a dead one. Whoever has
 * done it writes its results and where the tasks are that it leaves, and then one word that makes all of
 * this count at once. What a PE leaves that dies before that word was never there.
 */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stddef.h>

#define TASKS_RESULTS 3 /* of each task: two to be summed, and one whose largest counts */

struct tasks;

/* Does one task: adds to result, and calls tasks_leave for what is to be a task of its own. */
typedef void tasks_work(void *state, const void *task, struct tasks *tasks, long result[TASKS_RESULTS]);

/* Whether main was given --survive: then it calls nothing that waits for all PEs, app_start for one. */
bool tasks_are_wanted(int argc, char **argv);

/* Collective, for the living. Room for so many tasks that each PE leaves, of so many bytes. NULL on all
 * PEs, the reason printed. */
struct tasks *tasks_create(long capacity, size_t bytes);

/* Collective, for the living. */
void tasks_free(struct tasks *tasks);

/* In a task. False: there is no room, and the caller does it at once. */
bool tasks_leave(struct tasks *tasks, const void *task);

/* Every PE: from the same first task on until all are done, by whomever. */
void tasks_search(struct tasks *tasks, const void *first, tasks_work *work, void *state);

/* After it: the results of all tasks. */
void tasks_sum(const struct tasks *tasks, long result[TASKS_RESULTS]);

/* Collective, for the living. One of them says it; a second one where the first dies while it does. */
void tasks_say(void (*say)(void *state), void *state);

#endif
