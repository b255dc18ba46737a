/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The hosts of a job that spans several, from --hosts and --hostfile.
 */
#ifndef SHEAF_OSHRUN_HOST_LIST_H
#define SHEAF_OSHRUN_HOST_LIST_H

struct host {
    char *name;
    int slots; /* PEs on this host; 0: an equal share */
};

struct hosts {
    struct host *list;
    int count;
};

/* "a,b:4": adds hosts. option is the name of the option, for messages. */
void sheaf_hosts_add(struct hosts *hosts, const char *option, const char *list);

/* A line per host: "name", "name:4" or "name slots=4"; "#" begins a comment. */
void sheaf_hosts_read(struct hosts *hosts, const char *option, const char *path);

/* Gives every host its number of PEs, block by block; npes 0 means the sum of the slots. Returns the
 * number of PEs, or prints the mismatch and ends oshrun. */
int sheaf_hosts_fill(struct hosts *hosts, int npes);

#endif
