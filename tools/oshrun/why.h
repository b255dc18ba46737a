/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun --why: the board of a running job of this user.
 */
#ifndef SHEAF_OSHRUN_WHY_H
#define SHEAF_OSHRUN_WHY_H

/* pid is the oshrun's of the job, or any of its PEs'; 0 means every job of this user. Returns
 * the exit status. */
int sheaf_why(int pid);

#endif
