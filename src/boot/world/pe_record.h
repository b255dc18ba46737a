/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each PE says of itself to all others, first of all, and what follows from all of it: which
 * PEs share a node. Knows no launcher.
 */
#ifndef SHEAF_BOOT_WORLD_PE_RECORD_H
#define SHEAF_BOOT_WORLD_PE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where PEs of several containers can join (boot/containers). 0: nowhere. */
struct sheaf_container_identity {
    uint64_t machine; /* equal on one kernel, unless SHEAF_HOST differs */
    uint64_t network; /* its network namespace */
    uint64_t folder;  /* the one that sheaf_pe_record_open_folder() opens */
};

/* Constant in size. A later version keeps the fields up to version where they are. */
struct sheaf_pe_record {
    char magic[8];        /* SHEAF_PE_RECORD_MAGIC */
    char version[24];     /* of the library, and of the control area's layout */
    uint64_t identity;    /* equal where two PEs share memory */
    uint64_t host_identity; /* equal where two processes can open each other's descriptors */
    uint64_t data_length;
    uint64_t started;     /* when its process did: see base/os/process.h */
    uint64_t file_inode;  /* of the file with its slot */
    uint32_t executable;  /* hash: equal where the program is the same */
    int32_t pid;
    int32_t file;         /* its descriptor there */
    uint32_t is_apart;    /* it has SHEAF_ONNODE=off */
    char host[48];        /* cut */
    uint64_t key[2];      /* PE 0's: random, by which PEs of this job know each other; else 0 */
    struct sheaf_container_identity where;
};
#define SHEAF_PE_RECORD_MAGIC "sheaf\r\n"

/* Whether this process shares memory with no other PE: SHEAF_ONNODE=off. */
bool sheaf_pe_record_is_apart(void);

/* The folder in which containers of one host join: SHEAF_NODE_DIR, or that of SHEAF_RENDEZVOUS where
 * that is a path. A descriptor that serves to name files; -1: there is none. */
int sheaf_pe_record_open_folder(void);

/* Of this process. */
void sheaf_pe_record_fill(struct sheaf_pe_record *record);

/* Who is where, from all PE records. */
struct sheaf_job_map {
    int npes;
    int nodes;
    int *node_of;              /* per PE */
    struct sheaf_node *node;   /* per node: lowest PE and its host's name */
    uint64_t *identity;        /* per node */
    int *npes_of;              /* per node */
    struct sheaf_container_identity *where; /* per node: what all its PEs have in common */
    int differs;               /* lowest PE that runs another program than PE 0; 0: none */
    int disagrees;             /* lowest PE with another SHEAF_ONNODE than PE 0; 0: none */
    int version_mismatch;      /* lowest PE with another version than PE 0; 0: none */
    struct sheaf_pe_record first;  /* PE 0's */
    struct sheaf_pe_record other;  /* of the PE of another version, or else of the one that disagrees */
};

/* Records are added in the order of PE numbers. False when memory is exhausted. */
bool sheaf_job_map_create(struct sheaf_job_map *map, int npes);
bool sheaf_job_map_add(struct sheaf_job_map *map, int pe, const struct sheaf_pe_record *record);

/* Several nodes become one: into[node] is the node that it joins, itself or a lower one that joins
 * none. The function overwrites it with the nodes' new numbers. */
void sheaf_job_map_join(struct sheaf_job_map *map, int *into);

void sheaf_job_map_destroy(struct sheaf_job_map *map);

#endif
