/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which table a job has.
 */
#ifndef SHEAF_SURVIVE_CHOOSE_H
#define SHEAF_SURVIVE_CHOOSE_H

/* In each initialization, before the first team is made. 0; -1 with the reason printed where reports of
 * deaths are asked for that nobody gives. */
int sheaf_survive_choose(void);

#endif
