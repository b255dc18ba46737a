/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control area: what the launcher and all PEs of a node share besides the PEs' own memory.
 * It lies at the start of an anonymous file, is mapped whole by each of them, and holds offsets,
 * never pointers. Its maker fills the header before any PE attaches; the writer of each later field
 * stands beside it. A slot is one PE's memory, and its number the PE's place among the node's.
 *
 *   area:  | header | one sheaf_pe per slot | nodes | locations | names of calls | mail | arena |
 *   slot:  | data image (first half) | symmetric heap (second half) |
 *
 * oshrun makes one file for all: | area | slot 0 | slot 1 | ... | slot npes - 1 |
 * Under another launcher each PE makes one before it knows its number: | room | slot |, and the
 * area lies in the room of the node's lowest PE.
 *
 * Files are sparse: a stride of 4 TiB costs nothing.
 */
#ifndef SHEAF_IMAGE_CONTROL_H
#define SHEAF_IMAGE_CONTROL_H

#include "base/atomic.h"
#include "base/log.h"
#include "base/os/process.h"
#include "base/segment.h"
#include "image/record.h"

#include <stddef.h>
#include <stdint.h>

#define SHEAF_CONTROL_MAGIC   UINT64_C(0x0066616568530a0d)
#define SHEAF_CONTROL_VERSION 17

/* The environment variable through which a PE finds its job: "LAUNCHER_PID:FD:PE:JOB_ID", the
 * first three decimal, the last 16 hexadecimal digits. FD is open in the PE, or, when a wrapper
 * closed it, under /proc/LAUNCHER_PID/fd. The library removes the variable once attached. */
#define SHEAF_JOB_VARIABLE "SHEAF_JOB"

/* oshrun speaks PMI-1 with the MPI of a PE, on a socket that PMI_FD names; of that socket this variable
 * has the inode. The library, which knows its job from SHEAF_JOB_VARIABLE, and what a PE starts keep off
 * it: where the descriptor PMI_FD is another socket, another launcher has started the process. */
#define SHEAF_MPI_VARIABLE "SHEAF_MPI_SOCKET"

/* Or oshrun speaks PMIx with it: so begins PMIX_NAMESPACE then, which is not for this library. */
#define SHEAF_PMIX_STEM "sheaf-oshrun-"

/* A PE's life, in order. Written by the PE, but for LAUNCHED (launcher). */
enum sheaf_pe_state {
    SHEAF_PE_LAUNCHED = 0,    /* started; the library has not been reached */
    SHEAF_PE_ATTACHED = 1,    /* library loaded, control area mapped; not initialized */
    SHEAF_PE_INITIALIZED = 2, /* between the first shmem_init and the last shmem_finalize */
    SHEAF_PE_FINALIZED = 3,   /* after the last finalize; may return to INITIALIZED */
    SHEAF_PE_LEFT = 4         /* exit() was called while INITIALIZED */
};

/* Of a process in a slot, where failures are reported. Written by the launcher, but for WANTED (any
 * PE, in the place of DEAD) and the way back to THERE (the process itself). */
enum sheaf_presence {
    SHEAF_PE_THERE = 0,
    SHEAF_PE_DEAD = 1,
    SHEAF_PE_WANTED = 2,  /* a new process is asked for */
    SHEAF_PE_STARTED = 3  /* it runs, and has not met the others yet */
};

/* Deaths that a job may go on after. */
#define SHEAF_MOST_DEATHS 1024

/* What a PE waits for, once a wait has turned slow. */
enum sheaf_wait_kind {
    SHEAF_WAIT_NONE = 0,       /* not waiting, or not for long */
    SHEAF_WAIT_COLLECTIVE = 1, /* for other members of a team */
    SHEAF_WAIT_VARIABLE = 2,   /* for a symmetric variable to change */
    SHEAF_WAIT_LOCK = 3,       /* for a lock */
    SHEAF_WAIT_FAR = 4         /* for its own operations on PEs of other nodes */
};

/* The status board: one line per PE, written only by that PE and only when a wait turns slow.
 * A reader takes sequence, the fields, sequence again, and retries while it is odd or changed. */
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

/* A memory space whose copy lies in the PE's slot, for whoever reads the file when the PE is gone. Written
 * by the PE, the length last; 0: there is none. */
struct sheaf_space_note {
    uint64_t address;
    uint64_t file_offset;
    uint64_t length; /* bytes, whole pages */
};

/* What PEs that outnumber their processors do at a fence or quiet: nothing; count it; count it and yield
 * behind the first write after it. */
enum sheaf_way { SHEAF_WAY_KEPT, SHEAF_WAY_COUNTED, SHEAF_WAY_GIVEN };

/* One PE's place in the control area. */
struct sheaf_pe {
    /* life: written by the PE */
    uint32_t state;      /* enum sheaf_pe_state */
    int32_t pid;         /* of the process that attached, by compare-and-swap; 0 before. A later
                            process may take over the slot once that one is gone */
    uint64_t lock_nodes; /* arena offset of this PE's queue nodes for locks; 0 before */
    char build_id[40];   /* hexadecimal start of the executable's build-id, "" without one */
    int32_t world_pe;    /* its number in the world: written by the area's maker */
    int32_t file;        /* descriptor, in process pid, of the file with its slot; -1: the area's */

    /* layout: written by the PE before a boot barrier, read by all after it */
    _Alignas(SHEAF_CACHE_LINE) uint64_t data_address; /* first byte of the data image; 0 without one */
    uint64_t data_length;      /* bytes; 0 without one */
    uint64_t data_file_offset; /* of the data image in the file: where its slot begins */
    uint64_t heap_file_offset; /* of the heap: the slot's second half */
    uint64_t heap_wish;        /* bytes of heap asked for */
    uint32_t layout_fits;      /* whether the layout on trial could be mapped */
    uint32_t heap_verdict[2];  /* sequence << 1 | refused, of large allocations, by parity */
    uint32_t executable;       /* hash of build-id and size: equal where the program is the same */
    uint32_t heap_required;    /* whether less than heap_wish is a failure */
    uint64_t heap_address;     /* first byte of the heap */
    uint32_t leaves_mpi;       /* at the end of its process the library leaves an MPI as it is */
    int32_t initializes;       /* process that initializes, pid or a child of it; by compare-and-swap */

    /* where writes are counted: by the PEs of this node, how many have reached this one */
    _Alignas(SHEAF_CACHE_LINE) uint64_t arrived;

    _Alignas(SHEAF_CACHE_LINE) struct sheaf_board board;
    uint64_t orders; /* fences and quiets, while they are counted: the PE; its threads may miss some */

    /* see boot/end/wake_pipe.h: written by the PE, the inode last */
    int32_t wake_pipe;    /* descriptor, in process pid, of the writing end */
    uint32_t wake_pipe_inode;  /* low half of its inode number; 0: there is none */
    /* with pid and file: so that no other process or file is taken for them. Written by the PE */
    uint64_t started;    /* when process pid did, see base/os/process.h; 0 while another takes over */
    uint64_t file_inode;
    uint32_t presence;   /* enum sheaf_presence */
    uint32_t died;       /* the number of the last death in this slot, from 1; 0: none. The launcher */

    /* see survive/agree/shrink.c: the block of a new team for its members here. Written by the PE */
    uint64_t offered_block;
    uint64_t offered_team; /* its identity, after the block */
    uint64_t offered_shared; /* see survive/rejoin_far.c: the shared team's, before the identity */

    /* see boot/replicated_log/respawn_agent.h: who starts a new process in this one's place, with two
     * pipes of that process and the low halves of their inode numbers. Written by the PE */
    int32_t respawn_agent;        /* 0: nobody */
    int32_t respawn_agent_pipe[2];
    uint32_t respawn_agent_inode[2];
    int32_t kept_file;       /* descriptor, in the agent, of the file with this slot; -1: none: by it */

    struct sheaf_usage usage; /* written by the PE */
    struct sheaf_space_note spaces[SHEAF_MOST_SPACES];
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_recorder recorder; /* written by the PE */
};

/* Where in the world a PE is. */
struct sheaf_pe_location {
    int32_t node;
    int32_t slot;
    uint32_t presence; /* as in struct sheaf_pe, of PEs of all nodes: the agent */
    uint32_t died;
    uint32_t incarnation_state; /* 2 for each process started in place of a dead one, + 1 when the last one
                                   is dead. Incarnation L is the process after L respawns: its messages are
                                   valid while this is at most 2 L */
    uint32_t unused;
};

/* Where PEs are reached, where new processes may take dead ones' places: of each PE of the world the last
 * address that it has said. A reader takes sequence, the rest, sequence again, and retries while it is odd
 * or changed. Written by slot 0's PE at start, then by the agent. */
#define SHEAF_ADDRESS_ROOM 4096
struct sheaf_address {
    uint32_t sequence;
    uint32_t bytes; /* 0: not known */
    char text[SHEAF_ADDRESS_ROOM - 8];
};

/* A line to itself. */
struct sheaf_line_lock {
    _Alignas(SHEAF_CACHE_LINE) uint32_t taken;
};
#define SHEAF_ACCUMULATE_LOCKS 64

struct sheaf_node {
    int32_t leader; /* its lowest PE: nodes are numbered in the order of these */
    int32_t host_node; /* the node on whose host its PEs are: itself, until its host is lost and another
                          adopts it. Written by the agent */
    char host[56];  /* its own host's name, for messages; cut */
};

/* What a PE says to the others before communication is up: records of boot/launcher/mail.c. */
#define SHEAF_MAIL_SIZE ((uint64_t)64 << 10)

struct sheaf_control {
    /* written by the maker before any PE attaches, the magic last; constant since */
    uint64_t magic;
    uint32_t version;
    int32_t npes;            /* PEs of this node */
    int32_t world_npes;      /* of the whole job */
    int32_t nodes;           /* of the whole job */
    int32_t node;            /* this one */
    uint32_t differs;        /* lowest PE of the world that runs another program than PE 0, 0 for
                                none: not known to oshrun */
    uint64_t job_id;         /* random */
    uint64_t job_key[2];     /* PE 0's random numbers, which messages between nodes carry; 0 on one node */
    uint64_t pes_offset;     /* of struct sheaf_pe[npes] */
    uint64_t nodes_offset;   /* of struct sheaf_node[nodes] */
    uint64_t locations_offset;  /* of struct sheaf_pe_location[world_npes]; 0 where nodes == 1 */
    uint64_t names_offset;   /* of SHEAF_CALL_NAMES_ROOM bytes: the names of calls, by the PE in slot 0 */
    uint64_t mail_offset;    /* of SHEAF_MAIL_SIZE bytes for each slot */
    uint64_t addresses_offset; /* of struct sheaf_address[world_npes]; 0: no new processes here */
    uint64_t arena_offset;
    uint64_t arena_size;
    uint64_t slots_offset;   /* the area's length, which everybody maps; in oshrun's file slot 0 */
    uint64_t slot_stride;    /* bytes of file per PE, a power of two */
    int32_t launcher_pid;    /* oshrun, or the PE that made the area */
    int32_t usable_cpus;     /* by all PEs of the host together */
    int32_t host_npes;       /* they, which are more than npes where PEs are apart */
    int32_t parent_pipe;     /* oshrun: descriptor, in launcher_pid, of a pipe that ends with it */
    uint32_t parent_pipe_inode; /* low half of its inode number */
    uint32_t launcher_namespace; /* oshrun's, of process numbers: low half of its inode number */
    uint32_t is_apart;       /* oshrun, SHEAF_ONNODE=off: each PE has slot and node area in a file of its
                                own, and this area is for what oshrun watches and for mail alone */
    uint32_t keeps_memory;   /* oshrun saves what a failed job leaves: a PE that is alone shares its memory
                                too */
    uint32_t calls_differ;   /* a PE that is apart has got a message of another call: oshrun compares */
    uint32_t reports_failures; /* SHEAF_FAILURES=report: the death of a PE does not end the job. oshrun's;
                                  the lowest PE's under other launchers */
    int32_t agent_pid;      /* see boot/replicated_log/agent.h: the agent, with these before; 0: none yet;
                                SHEAF_NO_AGENT: the node's lowest PE could not start one */
    int32_t agent_pipe;     /* descriptor, in that process, of the pipe that it reads */
    uint32_t agent_inode;   /* low half of its inode number */
    uint64_t agent_started; /* when it did, see base/os/process.h */
    uint32_t agent_is_ready; /* all nodes' agents are connected */
    int32_t agent_lacks;    /* until then a node whose agent is not */
    uint32_t way;            /* enum sheaf_way: oshrun's */

    /* processors of the node's PEs: each PE adds its own, before the first boot barrier */
    _Alignas(SHEAF_CACHE_LINE) uint64_t cpus[64];

    /* what all nodes agreed on: the node's lowest PE */
    uint64_t heap_limit;
    uint64_t heap_alignment;
    uint64_t atomics;        /* enum sheaf_atomics */

    /* boot barrier: any PE */
    _Alignas(SHEAF_CACHE_LINE) uint32_t boot_arrived;
    uint32_t boot_epoch;

    /* the end that a PE has decided on: the first to claim it says with what status */
    _Alignas(SHEAF_CACHE_LINE) uint64_t exit_claim; /* see sheaf_control_exit_pe(); 0: nobody has */
    uint32_t exit_requested; /* after the claim: all others leave */
    uint32_t exit_is_local;  /* the node's lowest PE: other hosts cannot be told */

    /* deaths, where they are reported: sheaf_control_list_death(). The list is written first, then the
     * count, on which PEs sleep. So a count names one set of dead PEs to all who read it. */
    _Alignas(SHEAF_CACHE_LINE) uint32_t deaths;
    int32_t dead[SHEAF_MOST_DEATHS]; /* whose death number n + 1 was, plus 1 */
    /* processes that may take a dead one's place: PEs take one each and count up what they ask for; the
     * launcher gives */
    int32_t spares;
    uint32_t respawns;
    /* where PEs meet those: all living PEs write the same, joined last, on which the new ones sleep.
     * Offsets in the arena */
    uint32_t joined;          /* deaths that those who meet have met */
    uint64_t joined_world;    /* blocks of the predefined teams */
    uint64_t joined_shared;
    uint64_t joined_heap;     /* what the allocator of the heap knows; on several nodes its bytes in a file
                                 of the agent's, which writes all these */
    int32_t joined_file;      /* descriptor, in the agent */
    uint32_t offers;          /* of blocks, see survive/rejoin_far.c: any PE; it wakes who sleeps here */
    /* votes in the list, where there is one: the agent */
    uint32_t votes_waiting;   /* agreements in which a PE waits, of any node */
    uint32_t votes_news;      /* votes and deaths; counted up behind votes_waiting, and slept on */
    /* the layout that all PEs have mapped, for those that come later: slot 0's PE */
    uint64_t layout_heap;
    uint64_t layout_alignment;

    /* the report of the whole job, see boot/job_report: the node's lowest PE, under another launcher */
    uint32_t report_heard;    /* questions that it has heard */
    uint32_t report_answered; /* those for a file that it has answered */
    int32_t report_file;      /* descriptor, in its process, of the last answer */
    uint32_t report_inode;    /* low half of that file's inode number */

    /* names of calls: slot 0's PE, before the first boot barrier */
    uint64_t names_length;
    uint64_t names_digest;

    /* what PEs say alike: any PE */
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_log_board said;

    /* arena: see core/pe/arena.h */
    _Alignas(SHEAF_CACHE_LINE) uint32_t arena_lock;
    uint32_t arena_sleepers;
    uint64_t arena_used;
    uint64_t arena_free[24];  /* first free block of each size class, 0 for none */
    uint64_t listed_teams;    /* first entry of core/team/listed/listing.c, 0 for none */
    uint64_t world_block;     /* arena offsets of the predefined teams' blocks: written by the */
    uint64_t shared_block;    /* first PE at each initialization */

    /* see core/access/accumulate.c: any PE, or its network, for a moment */
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

/* The process of a PE. While another takes over, its start is not known: 0. The number is read twice, so
 * that the start belongs to it. */
static inline struct sheaf_process sheaf_control_process(const struct sheaf_pe *pe)
{
    struct sheaf_process process;
    do {
        process.pid = sheaf_load_acquire(&pe->pid);
        process.started = sheaf_load_acquire(&pe->started);
    } while (process.pid != sheaf_load_relaxed(&pe->pid));
    return process;
}

#define SHEAF_NO_AGENT (-1)

/* The agent; pid 0 or less: there is none. */
static inline struct sheaf_process sheaf_control_agent(const struct sheaf_control *control)
{
    int32_t pid = sheaf_load_acquire(&control->agent_pid);
    return (struct sheaf_process){pid, sheaf_load_relaxed(&control->agent_started)};
}

/* A claim: the PE's number in the world, and 1, before how the job ends: its status, and whether that
 * is a failure in which the claiming PE may not live to exit with it. */
#define SHEAF_EXIT_FAILED 0x100
static inline int sheaf_control_exit_pe(uint64_t claim)
{
    return (int)(claim >> 32) - 1;
}

/* The job fails because of that PE: by a process that is none, unless somebody has said otherwise. */
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

static inline char *sheaf_control_mail(struct sheaf_control *control, int slot)
{
    return (char *)control + control->mail_offset + (uint64_t)slot * SHEAF_MAIL_SIZE;
}

/* An anonymous file, close-on-exec, with a descriptor out of the way of shells. -1 and errno. */
int sheaf_file_create(void);

/* Gives it room bytes and then slots of the largest stride that the limit on file sizes allows;
 * room 0: as much as one slot. -1 and errno. */
int sheaf_file_set_length(int fd, uint64_t room, int slots, uint64_t *stride);

/* Fills the header of an area for so many PEs, but for the magic, with everything that does not
 * depend on its maker and on the place, so that the area is no longer than room bytes. -1: there
 * are no random numbers, or the room is too small (errno ENOSPC). */
int sheaf_control_plan(struct sheaf_control *header, int npes, int world_npes, int nodes,
                       uint64_t room);

/* Makes room for addresses in a planned header. -1: there is none. */
int sheaf_control_plan_addresses(struct sheaf_control *header);

/* Puts the header at the start of the area, mapped up to the arena, and fills nodes and PE
 * entries as for a job of one node. Without the magic nobody takes it for an area yet. */
void sheaf_control_write(struct sheaf_control *control, const struct sheaf_control *header);

/* Returns when every PE of the node has called it as often: the only meeting place before teams
 * exist. */
void sheaf_control_barrier(struct sheaf_control *control);
/* The same, with a look ten times a second; false once that says that it cannot end. */
bool sheaf_control_barrier_while(struct sheaf_control *control, bool (*may_end)(void));

/* Where deaths are reported, once a slot's process is not there any more. First the list: true for the one
 * caller that writes the death down; false where somebody has, or there have been SHEAF_MOST_DEATHS. Then,
 * by every caller, the count: whoever sleeps on it wakes. */
bool sheaf_control_list_death(struct sheaf_control *control, int slot);
void sheaf_control_count_deaths(struct sheaf_control *control);

/* The same in a job of several nodes, where one process alone tells: of any PE of the world. False: it
 * is dead already, or there have been SHEAF_MOST_DEATHS. */
bool sheaf_control_tell_death(struct sheaf_control *control, int pe);

/* revive: a new process is started for pe, which is dead. False: pe is not dead, or has had as many
 * incarnations as can be told apart. settle: the new process is one of the world's from now on, if it lives
 * and no death of an earlier incarnation has a number above deaths. */
#define SHEAF_MOST_INCARNATIONS 127
bool sheaf_control_revive(struct sheaf_control *control, int pe);
void sheaf_control_settle(struct sheaf_control *control, int pe, uint32_t deaths);
uint32_t sheaf_control_incarnation_state(const struct sheaf_control *control, int pe);

/* Of any PE of the world: its presence, and the number of its last death. */
uint32_t sheaf_control_presence(const struct sheaf_control *control, int pe);
uint32_t sheaf_control_died(const struct sheaf_control *control, int pe);

#endif
