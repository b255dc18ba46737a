/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control area: the memory that the launcher and all PEs of a node share besides the PEs' own memory.
 * It lies at the start of an anonymous file. Each process maps it whole, so it holds offsets, never
 * pointers. Its maker fills the header before any PE attaches. The comment on each later field names its
 * writer. A slot is the memory of one PE; slots are numbered by the PE's rank within the node.
 *
 *   area:  | header | one sheaf_pe per slot | nodes | locations | names of calls | KVS | arena |
 *   slot:  | data image (first half) | symmetric heap (second half) |
 *
 * oshrun makes one file for all: | area | slot 0 | slot 1 | ... | slot npes - 1 |
 * Under another launcher each PE makes a file before it knows its number: | room | slot |. The area then
 * lies in the room of the node's lowest PE.
 *
 * Files are sparse: a stride of 4 TiB costs nothing.
 */
#ifndef SHEAF_IMAGE_CONTROL_H
#define SHEAF_IMAGE_CONTROL_H

#include "base/atomic.h"
#include "base/container.h"
#include "base/log.h"
#include "base/os/cache.h"
#include "base/os/process.h"
#include "base/segment.h"
#include "image/record.h"

#include <stddef.h>
#include <stdint.h>

#define SHEAF_CONTROL_MAGIC   UINT64_C(0x0066616568530a0d)
#define SHEAF_CONTROL_VERSION 27

/* The environment variable by which a PE finds its job: "LAUNCHER_PID:FD:PE:JOB_ID". The first three are
 * decimal, the last has 16 hexadecimal digits. FD is open in the PE. Where a wrapper closed it, the PE
 * opens /proc/LAUNCHER_PID/fd/FD. The library removes the variable once it has attached. */
#define SHEAF_JOB_VARIABLE "SHEAF_JOB"

/* Inode number of the socket on which oshrun serves PMI-1 to the MPI of a PE; PMI_FD names the descriptor.
 * The library and the PE's children do not use that socket: they know their job from SHEAF_JOB_VARIABLE.
 * Where PMI_FD is a socket of another inode, another launcher has started the process. */
#define SHEAF_MPI_VARIABLE "SHEAF_MPI_SOCKET"

/* PMIX_NAMESPACE begins so where oshrun serves PMIx to the MPI of a PE. The library does not use that
 * server. */
#define SHEAF_PMIX_STEM "sheaf-oshrun-"

/* A PE's states, in order. The PE writes them, except LAUNCHED, which the launcher writes. */
enum sheaf_pe_state {
    SHEAF_PE_LAUNCHED = 0,    /* started; the library has not been reached */
    SHEAF_PE_ATTACHED = 1,    /* library loaded, control area mapped; not initialized */
    SHEAF_PE_INITIALIZED = 2, /* between the first shmem_init and the last shmem_finalize */
    SHEAF_PE_FINALIZED = 3,   /* after the last finalize; may return to INITIALIZED */
    SHEAF_PE_LEFT = 4         /* exit() was called while INITIALIZED */
};

/* State of the process in a slot, where failures are reported. The launcher writes it, with two
 * exceptions: any PE may replace DEAD by WANTED, and a new process itself returns to THERE. */
enum sheaf_presence {
    SHEAF_PE_THERE = 0,
    SHEAF_PE_DEAD = 1,
    SHEAF_PE_WANTED = 2,  /* a PE has asked for a new process */
    SHEAF_PE_STARTED = 3  /* the new process runs and has not joined the others yet */
};

/* The most deaths that a job can report. */
#define SHEAF_MOST_DEATHS 1024

/* The kind of a wait that has turned slow. */
enum sheaf_wait_kind {
    SHEAF_WAIT_NONE = 0,       /* not waiting, or not for long */
    SHEAF_WAIT_COLLECTIVE = 1, /* for other members of a team */
    SHEAF_WAIT_VARIABLE = 2,   /* for a symmetric variable to change */
    SHEAF_WAIT_LOCK = 3,       /* for a lock */
    SHEAF_WAIT_FAR = 4         /* for its own operations on PEs of other nodes */
};

/* The status board: one line per PE. Only that PE writes it, and only when a wait turns slow. A reader
 * reads sequence, the fields, and sequence again; it retries while sequence is odd or has changed. */
struct sheaf_board {
    uint32_t sequence;
    uint32_t kind;        /* enum sheaf_wait_kind */
    uint64_t since_ns;    /* CLOCK_MONOTONIC */
    uint64_t team;        /* COLLECTIVE: its identity, the same on all members */
    uint64_t object;      /* LOCK: its position, the same on all PEs */
    uint64_t site;        /* address of the call in the program */
    uint64_t site_base;   /* load address of the file that holds it; site - site_base for addr2line */
    char call[48];        /* "shmem_barrier_all" */
    char file[128];       /* path of the executable or shared object that holds the site */
    char source[64];      /* "prog.py:12", where the site is in an interpreter's extension; or "" */
    char detail[112];     /* a phrase: "the world team, 7 of 8 arrived", "long at 0x... == 3, wants > 5" */
};

/* Where a memory space's copy lies in the PE's slot, for readers of the file after the PE has gone. The PE
 * writes it, the length last. Length 0: there is no copy. */
struct sheaf_space_note {
    uint64_t address;
    uint64_t file_offset;
    uint64_t length; /* bytes, whole pages */
};

/* Fences and quiets of PEs that outnumber their processors: as usual; counted; counted, and the PE yields
 * after its next write. */
enum sheaf_fence_mode { SHEAF_FENCE_PLAIN, SHEAF_FENCE_COUNTED, SHEAF_FENCE_YIELDS };

/* The entry of one PE in the control area. */
struct sheaf_pe {
    /* life: written by the PE */
    uint32_t state;      /* enum sheaf_pe_state */
    int32_t pid;         /* of the process that attached, by compare-and-swap; 0 before. A later
                            process may take over the slot once that one is gone. Negative where the
                            node's PEs are in several containers: see base/container.h */
    uint64_t lock_nodes; /* arena offset of this PE's queue nodes for locks; 0 before */
    char build_id[40];   /* hexadecimal start of the executable's build-id, "" without one */
    int32_t world_pe;    /* the PE's number in the world: written by the area's maker */
    int32_t file;        /* descriptor, in process pid, of the file with the slot; -1: the slot is in the
                            area's file */

    /* layout: written by the PE before a boot barrier, read by all after it */
    _Alignas(SHEAF_CACHE_LINE) uint64_t data_address; /* first byte of the data image; 0 without one */
    uint64_t data_length;      /* bytes; 0 without one */
    uint64_t data_file_offset; /* where the slot, and so the data image, begins in its file */
    uint64_t heap_file_offset; /* where the slot's second half, the heap, begins in its file */
    uint32_t heap_verdict[2];  /* on large allocations: sequence << 1 | refused, alternating by the
                                  sequence's parity */
    uint32_t executable;       /* hash of build-id and size: equal where the program is the same */
    uint64_t heap_address;     /* first byte of the heap */
    int32_t initializes;       /* the process that initializes, pid or a child of it; by compare-and-swap */

    /* counted writes: how many writes of this node's PEs have reached this PE */
    _Alignas(SHEAF_CACHE_LINE) uint64_t arrived;

    _Alignas(SHEAF_CACHE_LINE) struct sheaf_board board;
    uint64_t orders; /* number of fences and quiets, while they are counted. Written by the PE; concurrent
                        threads may lose some */

    /* where pid is negative: the process's number in its own container, the low half of the inode number
     * of that container's namespace of process numbers, and the container's host name, cut. Written by the
     * PE */
    int32_t own_pid;
    uint32_t own_namespace;
    char own_host[40];

    /* see boot/end/wake_pipe.h: written by the PE, the inode last */
    int32_t wake_pipe;    /* descriptor, in process pid, of the writing end */
    uint32_t wake_pipe_inode;  /* low half of the pipe's inode number; 0: there is no pipe */
    /* Compared together with pid and file, so that another process or file is not mistaken for them. The
     * PE writes them. */
    uint64_t started;    /* start time of process pid, see base/os/process.h; 0 while another takes over */
    uint64_t file_inode;
    uint32_t presence;   /* enum sheaf_presence */
    struct sheaf_domains domains; /* see core/team/tree.c: written by the PE before a barrier of the node */
    uint32_t died;       /* number of the last death in this slot, from 1; 0: none. Written by the
                            launcher */

    /* see survive/agree/shrink.c: the block of a new team for its members on this node. Written by the
     * PE */
    uint64_t offered_block;
    uint64_t offered_team; /* its identity, after the block */
    uint64_t offered_shared; /* see survive/rejoin_far.c: the shared team's block, written before the
                                identity */

    /* see boot/replicated_log/respawn_agent.h: the process that starts a new one in this PE's place, two
     * pipes of that process, and the low halves of their inode numbers. Written by the PE */
    int32_t respawn_agent;        /* its process number; 0: there is none */
    int32_t respawn_agent_pipe[2];
    uint32_t respawn_agent_inode[2];
    int32_t agent_file;       /* descriptor, in the agent, of the file with this slot; -1: none. Written by
                                 the agent */

    struct sheaf_usage usage; /* written by the PE */
    struct sheaf_space_note spaces[SHEAF_MOST_SPACES];
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_recorder recorder; /* written by the PE */
};

/* Which node and slot a PE of the world has. */
struct sheaf_pe_location {
    int32_t node;
    int32_t slot;
    uint32_t presence; /* as in struct sheaf_pe, for PEs of all nodes. Written by the agent */
    uint32_t died;
    uint32_t incarnation_state; /* 2 x respawns, + 1 while the last process is dead. A message of
                                   incarnation L, sent after L respawns, is valid while this is <= 2 L */
    uint32_t unused;
};

/* The last network address that each PE of the world has published, where dead PEs may be replaced. A
 * reader reads sequence, the rest, and sequence again; it retries while sequence is odd or has changed.
 * Written by slot 0's PE at start, then by the agent. */
#define SHEAF_ADDRESS_ROOM 4096
struct sheaf_address {
    uint32_t sequence;
    uint32_t bytes; /* 0: not known */
    char text[SHEAF_ADDRESS_ROOM - 8];
};

/* A lock that fills its cache line. */
struct sheaf_line_lock {
    _Alignas(SHEAF_CACHE_LINE) uint32_t taken;
};
#define SHEAF_ACCUMULATE_LOCKS 256

struct sheaf_node {
    int32_t leader; /* the node's lowest PE: nodes are numbered in the order of their leaders */
    int32_t host_node; /* the node on whose host these PEs run: this node itself, until its host is lost
                          and another node adopts it. Written by the agent */
    char host[56];  /* name of this node's first host, for messages; may be cut */
};

/* The key-value space by which PEs exchange addresses before communication is up: boot/launcher/kvs.c. */
#define SHEAF_KVS_SIZE ((uint64_t)64 << 10)

/* The needs of all the node's PEs of a layout, in one place, so that no PE reads the entries of all
 * others, which are pages of their own. Each PE raises the most of each number, from 0 on, and of its
 * complement, which tells the least. */
struct sheaf_demand {
    uint64_t most_data, least_data; /* bytes of the data image; 0 without one */
    uint64_t least_heap;            /* bytes of heap asked for */
    uint64_t most_program, least_program; /* hash of build-id and size: equal where it is the same */
    uint32_t heap_is_required; /* some PE's user asked for this much heap: less is a failure */
    uint32_t has_limited;      /* addresses of some PE are limited, by ulimit -v */
    uint32_t misfits;          /* layouts on trial that a PE could not map, counted by each */
};

struct sheaf_control {
    /* written by the maker before any PE attaches, the magic last; constant afterwards */
    uint64_t magic;
    uint32_t version;
    int32_t npes;            /* PEs of this node */
    int32_t world_npes;      /* of the whole job */
    int32_t nodes;           /* of the whole job */
    int32_t node;            /* number of this node */
    uint32_t differs;        /* lowest PE of the world that runs another program than PE 0; 0: none. Not
                                known to oshrun */
    uint64_t job_id;         /* random */
    uint64_t job_key[2];     /* PE 0's random numbers, which messages between nodes carry; 0 in a job of
                                one node */
    uint64_t pes_offset;     /* of struct sheaf_pe[npes] */
    uint64_t nodes_offset;   /* of struct sheaf_node[nodes] */
    uint64_t locations_offset;  /* of struct sheaf_pe_location[world_npes]; 0 where nodes == 1 */
    uint64_t names_offset;   /* of SHEAF_CALL_NAMES_ROOM bytes: the names of calls, written by slot 0's
                                PE */
    uint64_t kvs_offset;    /* of SHEAF_KVS_SIZE bytes for each slot */
    uint64_t addresses_offset; /* of struct sheaf_address[world_npes]; 0: dead PEs are not replaced */
    uint64_t arena_offset;
    uint64_t arena_size;
    uint64_t slots_offset;   /* length of the area, which every PE maps; in oshrun's file slot 0 begins
                                there */
    uint64_t slot_stride;    /* bytes of file per PE, a power of two */
    int32_t launcher_pid;    /* oshrun, or the PE that made the area; 0: the PEs are in several
                                containers */
    int32_t usable_cpus;     /* processors that all PEs of the host may use together */
    uint32_t cpu_shares;     /* a host of several containers: the PEs' shares of their containers' quotas,
                                in thousandths of a processor. Written by each before a boot barrier */
    int32_t host_npes;       /* PEs of the host: more than npes under SHEAF_ONNODE=off */
    int32_t parent_pipe;     /* oshrun: descriptor, in launcher_pid, of a pipe that closes when oshrun
                                ends */
    uint32_t parent_pipe_inode; /* low half of its inode number */
    uint32_t launcher_namespace; /* low half of the inode number of oshrun's namespace of process numbers */
    uint32_t is_apart;       /* oshrun, SHEAF_ONNODE=off: each PE has its slot and node area in a file of
                                its own. This area then holds only the KVS and the states that oshrun
                                watches */
    uint32_t keeps_memory;   /* oshrun saves the memory of a failed job: so a job of one PE shares its
                                memory too */
    uint32_t calls_differ;   /* under SHEAF_ONNODE=off a PE has received a message of another call: oshrun
                                compares the calls */
    uint32_t reports_failures; /* SHEAF_FAILURES=report: the death of a PE does not end the job. Written by
                                  oshrun, or by the node's lowest PE under other launchers */
    int32_t agent_pid;      /* see boot/replicated_log/agent.h: the agent's process, written after the two
                               fields below. 0: not started yet; SHEAF_NO_AGENT: the node's lowest PE could
                               not start it */
    int32_t agent_pipe;     /* descriptor, in the agent, of the pipe that it reads */
    uint32_t agent_inode;   /* low half of its inode number */
    uint64_t agent_started; /* start time of the agent, see base/os/process.h */
    uint32_t agent_is_ready; /* all nodes' agents are connected */
    int32_t agent_lacks;    /* until agent_is_ready: a node whose agent is not connected */
    uint32_t fence_mode;     /* enum sheaf_fence_mode. Written by oshrun */

    /* processors of the node's PEs: each PE adds its own, before the first boot barrier */
    _Alignas(SHEAF_CACHE_LINE) uint64_t cpus[64];

    _Alignas(SHEAF_CACHE_LINE) struct sheaf_demand demand; /* any PE, before a boot barrier */

    /* the values that all nodes agreed on. Written by the node's lowest PE */
    uint64_t heap_limit;
    uint64_t heap_alignment;
    uint64_t team_end;       /* of team memory, from the heap's first byte; 0: there is none */
    uint64_t atomics;        /* enum sheaf_atomics */

    /* boot barrier: any PE */
    _Alignas(SHEAF_CACHE_LINE) uint32_t boot_arrived;
    uint32_t boot_epoch;

    /* the end of the job that a PE has decided on: the first PE to claim it sets the exit status */
    _Alignas(SHEAF_CACHE_LINE) uint64_t exit_claim; /* see sheaf_control_exit_pe(); 0: no PE has claimed
                                                       it */
    uint32_t exit_requested; /* set after the claim: all other PEs leave */
    uint32_t exit_is_local;  /* set by the node's lowest PE: other hosts cannot be told */

    /* deaths, where they are reported: see sheaf_control_list_death(). The list is written before the
     * count, on which PEs sleep. So one value of the count means one set of dead PEs to all readers. */
    _Alignas(SHEAF_CACHE_LINE) uint32_t deaths;
    int32_t dead[SHEAF_MOST_DEATHS]; /* entry n: 1 + the PE (one node: the slot) of death number n + 1 */
    /* Processes that may replace dead PEs. PEs take one from spares and count up respawns; the launcher
     * sets spares. */
    int32_t spares;
    uint32_t respawns;
    /* where respawned PEs join: all living PEs write the same values, joined last. New processes sleep on
     * joined. Offsets are in the arena */
    uint32_t joined;          /* number of deaths that the joining PEs have handled */
    uint64_t joined_world;    /* blocks of the predefined teams */
    uint64_t joined_shared;
    uint64_t joined_heap;     /* state of the heap's allocator. In a job of several nodes it lies in a file
                                 of the agent's, which then writes all these fields */
    int32_t joined_file;      /* descriptor, in the agent */
    uint32_t offers;          /* number of blocks offered, see survive/rejoin_far.c. Any PE counts it up
                                 and wakes the sleepers on it */
    /* votes in the replicated log, where there is one. Written by the agent */
    uint32_t votes_waiting;   /* agreements in which a PE of any node waits */
    uint32_t votes_news;      /* votes and deaths: counted up after votes_waiting changes; PEs sleep on
                                 it */
    /* the layout that all PEs have mapped, for processes that start later. Written by slot 0's PE */
    uint64_t layout_heap;
    uint64_t layout_alignment;

    /* the job report under another launcher than oshrun, see boot/job_report. Written by the node's lowest
     * PE */
    uint32_t report_heard;    /* questions that it has received */
    uint32_t report_answered; /* questions for a file that it has answered */
    int32_t report_file;      /* descriptor, in its process, of the last answer's file */
    uint32_t report_inode;    /* low half of that file's inode number */

    /* names of calls. Written by slot 0's PE, before the first boot barrier */
    uint64_t names_length;
    uint64_t names_digest;

    /* lines that several PEs print alike, so that one is shown. Written by any PE */
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_log_board said;

    /* arena: see core/pe/arena.h */
    _Alignas(SHEAF_CACHE_LINE) uint32_t arena_lock;
    uint64_t arena_used;
    uint64_t arena_free[24];  /* first free block of each size class, 0 for none */
    uint64_t listed_teams;    /* first entry of core/team/listed/listing.c, 0 for none */
    uint64_t world_block;     /* arena offsets of the predefined teams' blocks. Written by the */
    uint64_t shared_block;    /* first PE at each initialization */

    /* see core/access/accumulate.c: whether atomic set and swap of floating-point numbers have begun, set
     * once; and locks, held briefly by any PE or by its network */
    uint32_t accumulates_meet_atomics;
    struct sheaf_line_lock accumulate_locks[SHEAF_ACCUMULATE_LOCKS];
};

_Static_assert(sizeof(struct sheaf_pe) % SHEAF_CACHE_LINE == 0, "PE entries fill cache lines");
_Static_assert(offsetof(struct sheaf_pe, data_address) == 64, "layout begins a cache line");
_Static_assert(offsetof(struct sheaf_control, boot_arrived) % SHEAF_CACHE_LINE == 0, "own line");
_Static_assert(offsetof(struct sheaf_control, exit_claim) % SHEAF_CACHE_LINE == 0, "own line");
_Static_assert(offsetof(struct sheaf_control, deaths) % SHEAF_CACHE_LINE == 0, "own line");
_Static_assert(offsetof(struct sheaf_control, arena_lock) % SHEAF_CACHE_LINE == 0, "own line");

static inline struct sheaf_pe *sheaf_control_pe(struct sheaf_control *control, int slot)
{
    return (struct sheaf_pe *)((char *)control + control->pes_offset) + slot;
}

/* The process of a PE. started is 0 while another process takes over. The number is read twice, so that
 * the start time belongs to it. */
static inline struct sheaf_process sheaf_control_process(const struct sheaf_pe *pe)
{
    struct sheaf_process process;
    do {
        process.pid = sheaf_load_acquire(&pe->pid);
        process.started = sheaf_load_acquire(&pe->started);
    } while (process.pid != sheaf_load_relaxed(&pe->pid));
    return process;
}

/* The number to show to the user. */
static inline int32_t sheaf_control_pid_shown(const struct sheaf_pe *pe)
{
    int32_t pid = sheaf_load_acquire(&pe->pid);
    return sheaf_container_is_number(pid) ? sheaf_load_relaxed(&pe->own_pid) : pid;
}

/* For a PE: the number that its own /proc has for another PE of its node; 0: that one is in a container of
 * its own. */
static inline int32_t sheaf_control_pid_here(const struct sheaf_pe *pe)
{
    int32_t pid = sheaf_load_acquire(&pe->pid);
    uint32_t namespace = sheaf_load_relaxed(&pe->own_namespace);
    if (!sheaf_container_is_number(pid))
        return pid;
    bool is_same = namespace != 0 && namespace == sheaf_container_namespace(0);
    return is_same ? sheaf_load_relaxed(&pe->own_pid) : 0;
}

#define SHEAF_NO_AGENT (-1)

/* The agent. pid <= 0: there is none. */
static inline struct sheaf_process sheaf_control_agent(const struct sheaf_control *control)
{
    int32_t pid = sheaf_load_acquire(&control->agent_pid);
    return (struct sheaf_process){pid, sheaf_load_relaxed(&control->agent_started)};
}

/* An exit claim holds the PE's number in the world + 1 in its high half. The low half holds the exit
 * status, and SHEAF_EXIT_FAILED where the job fails and the claiming PE may not live to exit with that
 * status. */
#define SHEAF_EXIT_FAILED 0x100
static inline int sheaf_control_exit_pe(uint64_t claim)
{
    return (int)(claim >> 32) - 1;
}

/* Claims the end of the job as a failure of that PE with status 1, unless another claim exists. */
static inline void sheaf_control_fail(struct sheaf_control *control, int pe)
{
    uint64_t nobody = 0, claim = ((uint64_t)pe + 1) << 32 | SHEAF_EXIT_FAILED | 1;
    __atomic_compare_exchange_n(&control->exit_claim, &nobody, claim, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
}

static inline int sheaf_control_exit_status(uint64_t claim)
{
    return (int)(claim & 0xff);
}

static inline struct sheaf_node *sheaf_control_node(struct sheaf_control *control, int node)
{
    return (struct sheaf_node *)((char *)control + control->nodes_offset) + node;
}

/* The name of the host that the node's PEs are on. */
static inline const char *sheaf_control_host(struct sheaf_control *control, int node)
{
    int host = sheaf_load_acquire(&sheaf_control_node(control, node)->host_node);
    return sheaf_control_node(control, host >= 0 && host < control->nodes ? host : node)->host;
}

/* Only where nodes > 1. */
static inline struct sheaf_pe_location *sheaf_control_location(struct sheaf_control *control, int pe)
{
    return (struct sheaf_pe_location *)((char *)control + control->locations_offset) + pe;
}

/* Only where there are any. */
static inline struct sheaf_address *sheaf_control_address(struct sheaf_control *control, int pe)
{
    return (struct sheaf_address *)((char *)control + control->addresses_offset) + pe;
}

static inline char *sheaf_control_kvs(struct sheaf_control *control, int slot)
{
    return (char *)control + control->kvs_offset + (uint64_t)slot * SHEAF_KVS_SIZE;
}

/* Creates an anonymous file, close-on-exec, whose descriptor is above those that shells use. -1 and
 * errno. */
int sheaf_file_create(void);

/* Sets the file's length: room bytes, then slots of the largest stride that the limit on file sizes
 * allows. Room 0: as much room as one slot. -1 and errno. */
int sheaf_file_set_length(int fd, uint64_t room, int slots, uint64_t *stride);

/* Fills an area's header for so many PEs, except the magic and what depends on the maker and on the node.
 * The area is no longer than room bytes. -1: there are no random numbers, or the room is too small (errno
 * ENOSPC). */
int sheaf_control_plan(struct sheaf_control *header, int npes, int world_npes, int nodes,
                       uint64_t room);

/* Reserves space for addresses in a planned header. -1: the arena is too small. */
int sheaf_control_plan_addresses(struct sheaf_control *header);

/* Writes the header to the start of the area, which is mapped up to the arena, and fills nodes and PE
 * entries as for a job of one node. The magic is not written: no process accepts the area before it is. */
void sheaf_control_write(struct sheaf_control *control, const struct sheaf_control *header);

/* Returns when every PE of the node has called it as often. It is the only barrier before teams exist.
 * False: it cannot complete, because a PE of a job of one node has died. */
bool sheaf_control_barrier(struct sheaf_control *control);
/* The same, but calls may_end() ten times a second. Returns false once may_end() says that the barrier
 * cannot complete. */
bool sheaf_control_barrier_while(struct sheaf_control *control, bool (*may_end)(void));

/* Where deaths are reported, once a slot's process has gone. A caller lists the death first. True: this
 * caller has listed it. False: another caller has, or SHEAF_MOST_DEATHS are reached. Every caller then
 * counts the listed deaths, which wakes the sleepers on the count. */
bool sheaf_control_list_death(struct sheaf_control *control, int slot);
void sheaf_control_count_deaths(struct sheaf_control *control);

/* The same in a job of several nodes, where one process alone records deaths, of any PE of the world.
 * False: the PE is dead already, or SHEAF_MOST_DEATHS are reached. */
bool sheaf_control_tell_death(struct sheaf_control *control, int pe);

/* revive: a new process is started for the dead PE pe. False: pe is not dead, or its incarnations are used
 * up. settle: the new process becomes a member of the world, if it lives and no death of an earlier
 * incarnation has a number above deaths. */
#define SHEAF_MOST_INCARNATIONS 127
bool sheaf_control_revive(struct sheaf_control *control, int pe);
void sheaf_control_settle(struct sheaf_control *control, int pe, uint32_t deaths);
uint32_t sheaf_control_incarnation_state(const struct sheaf_control *control, int pe);

/* Presence of a PE of the world, and the number of its last death. */
uint32_t sheaf_control_presence(const struct sheaf_control *control, int pe);
uint32_t sheaf_control_died(const struct sheaf_control *control, int pe);

#endif
