/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams: which PEs, in which order, and the block of the control area by which they synchronize. Where the
 * members are on several nodes, the block belongs to the members on this node, and core/team/multinode.h
 * has the rest.
 */
#ifndef SHEAF_CORE_TEAM_TEAM_H
#define SHEAF_CORE_TEAM_TEAM_H

#include "base/settings/names.h"
#include "core/pe/public.h"
#include "core/pe/wait.h"
#include "image/control.h"

#include <stdbool.h>

/* A note: one member writes it and the others read it. Each cache line has one writer. */
struct sheaf_note {
    union sheaf_step step;       /* the exchange that this note belongs to; written last (release) */
    unsigned char payload[56];
};
#define SHEAF_NOTE_BYTES 56
#define SHEAF_LOWEST_WORDS (SHEAF_NOTE_BYTES / 8) /* of sheaf_team_lowest() */

/* Places of a member's notes, used in turn. The root of broadcasts is ahead of the other members by up to
 * two exchanges less. */
#define SHEAF_NOTE_PLACES 8
_Static_assert(SHEAF_NOTE_PLACES - SHEAF_NOTE_PLACES / 2 >= 2, "sheaf_coll_await_place() waits for enough");

/* A member's flags in an agreement of the program's or of the library's own: survive/agree/agreement.h. */
enum sheaf_agreement_kind { SHEAF_AGREE_PROGRAM, SHEAF_AGREE_LIBRARY, SHEAF_AGREEMENTS };
struct sheaf_opinion {
    uint32_t number;   /* of the agreement; written last (release) */
    uint32_t flags[2]; /* low half first */
};

/* The decision of an agreement, as far as a node knows it: survive/agree/exchange.h. */
struct sheaf_known {
    uint64_t flags;
    uint32_t deaths; /* that the decision includes */
    uint32_t number; /* of the agreement; written last (release) */
};

struct sheaf_member {
    _Alignas(SHEAF_CACHE_LINE) union sheaf_step arrived; /* barriers this member has entered */
    uint32_t words[14];                          /* for use by collectives; same writer */
    /* barriers, or steps of them, that the member has reached on arrival */
    _Alignas(SHEAF_CACHE_LINE) union sheaf_step gathered;
    uint32_t released;                            /* barriers that this member has released others from */
    struct sheaf_opinion opinions[SHEAF_AGREEMENTS][2]; /* by parity of the number */
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_note notes[SHEAF_NOTE_PLACES]; /* exchange mod PLACES */
};

/* In the control area's arena; offset 0 never names a block. In a team that spans nodes the members are
 * those of this node, by their rank among them, and all members' notes follow. */
struct sheaf_team_block {
    /* arrivals at the current barrier: any member adds; upper half: the sum of the members' digests */
    _Alignas(SHEAF_CACHE_LINE) uint64_t arrived;
    _Alignas(SHEAF_CACHE_LINE) uint32_t epoch;   /* barriers completed: the last to arrive writes */
    uint32_t sleepers;                           /* members asleep on epoch or on a member's words */
    uint32_t leavers;                             /* members that destroyed it; the last frees it */
    uint64_t decided[SHEAF_AGREEMENTS][2];       /* by parity: number << 32 | deaths included */
    /* for a team that spans nodes; rank 0 here is the representative */
    _Alignas(SHEAF_CACHE_LINE) uint64_t met;     /* arrivals at the current barrier, like arrived */
    uint32_t gathered; /* barriers that all members here have entered: the last to enter writes */
    _Alignas(SHEAF_CACHE_LINE) uint32_t released; /* barriers released: the representative writes */
    uint32_t noted;    /* exchanges whose notes are there: the representative writes */
    struct sheaf_known known[SHEAF_AGREEMENTS]; /* likewise */
    uint32_t settled[SHEAF_AGREEMENTS]; /* the last agreement whose decision all nodes have: likewise */
    _Alignas(SHEAF_CACHE_LINE) struct sheaf_member members[];
};

_Static_assert(sizeof(struct sheaf_member) == (2 + SHEAF_NOTE_PLACES) * SHEAF_CACHE_LINE,
               "opinions fit the line of gathered");

struct sheaf_context;
struct sheaf_multinode;

/* A member's neighbours in a tree of the team: up to SHEAF_TREE_WIDTH children for each level of the
 * host's processors, and as many within the innermost. */
#define SHEAF_TREE_WIDTH 4
#define SHEAF_TREE_MOST  31 /* as many has the root of a binomial tree, of 2^31 members */
_Static_assert(SHEAF_TREE_WIDTH * (SHEAF_DOMAIN_LEVELS + 1) <= SHEAF_TREE_MOST, "those of the levels fit");
struct sheaf_tree {
    int parent; /* -1: the root, rank 0 */
    int count;
    int children[SHEAF_TREE_MOST];
};

/* Private to each PE. Rank r is world PE start + r * stride, or table[r] where that is set. */
struct sheaf_team {
    uint64_t identity;               /* the same on all members: core/team/history.h */
    uint64_t *progress;              /* the calls that this PE has begun, see image/record.h: line's, or
                                        own_progress */
    uint64_t own_progress;
    struct sheaf_team_line *line;    /* where other PEs read progress; NULL: nowhere */
    uint64_t block_offset;           /* the block's offset in the control area; 0 in a job of one PE without
                                        launcher, where the block is private */
    int rank;                        /* this PE's */
    int size;
    int start;
    int stride;                      /* may be negative; 0 only with size 1 */
    int *table;                      /* the PEs; NULL where start and stride give them */
    struct sheaf_multinode *multinode;         /* NULL where all members are on this node */
    struct sheaf_team *parent_team;  /* of multinode->near: the team that it is a part of; else NULL */
    struct sheaf_team_block *block;  /* NULL once the team is destroyed */
    int barrier;                     /* enum sheaf_barrier_algorithm, the same on all members */
    uint8_t note_bytes;              /* that a member's note takes: 0 where there is nobody else, or some
                                        are on other nodes */
    uint8_t by_note[SHEAF_FAMILIES]; /* up to so many bytes go in notes, by the choice of algorithms */
    uint32_t epoch;                  /* barriers that this PE has entered */
    uint32_t exchange;               /* notes that this PE has posted */
    uint32_t read;                   /* the last exchange that all members are known to have read */
    uint64_t staged;                 /* how each class of calls is staged: coll/staging.c */
    int num_contexts;                /* as configured */
    bool predefined;
    bool node_domain;                /* derived from SHMEM_TEAM_SHARED */
    struct sheaf_team *next;         /* all user teams, for finalize */
    struct sheaf_team *previous;
    struct sheaf_context *contexts;  /* created on this team and not destroyed */
    uint32_t agreements[SHEAF_AGREEMENTS]; /* entered by this PE */
    /* where deaths are reported: see survive/failed.h */
    uint32_t born;                   /* number of the first death that may be a member's */
    uint32_t heard;                  /* the number of deaths that this team has checked */
    uint32_t lost;                   /* the number of members among them */
    uint32_t *dead;                  /* by rank: the number of the member's death, or 0; NULL: all 0 */
    struct sheaf_tree tree;          /* by ranks or levels. Last: what calls use lies together */
    bool has_levels;                 /* the tree is by the host's levels; the same on all members */
};

/* The team that a handle names; NULL for SHMEM_TEAM_INVALID. Requires init. */
struct sheaf_team *sheaf_team_find(shmem_team_t handle, const char *call);

static inline int sheaf_team_world_pe(const struct sheaf_team *team, int rank)
{
    return team->table ? team->table[rank] : team->start + rank * team->stride;
}

/* Rank of world PE pe, or -1; in_row: in a team without a table. */
static inline int sheaf_team_rank_in_row(const struct sheaf_team *team, int pe)
{
    int distance = pe - team->start;
    if (team->stride == 0)
        return distance == 0 ? 0 : -1;
    int rank = distance / team->stride;
    return distance % team->stride == 0 && rank >= 0 && rank < team->size ? rank : -1;
}
int sheaf_team_rank_of(const struct sheaf_team *team, int pe);

int sheaf_team_translate(const struct sheaf_team *from, int rank, const struct sheaf_team *to);

/* Collective over parent. The outputs are SHMEM_TEAM_INVALID on PEs that are no members, and on
 * failure. The result is 0, or nonzero on all PEs of parent. A parent of NULL returns -1 at once. */
int sheaf_team_split_strided(struct sheaf_team *parent, int start, int stride, int size,
                             const shmem_team_config_t *config, long mask, shmem_team_t *team);
int sheaf_team_split_2d(struct sheaf_team *parent, int xrange,
                        const shmem_team_config_t *xconfig, long xmask, shmem_team_t *xteam,
                        const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam);
int sheaf_team_get_config(const struct sheaf_team *team, long mask, shmem_team_config_t *config);
void sheaf_team_destroy(struct sheaf_team *team);

/* The world team; valid after init. */
extern SHEAF_HIDDEN struct sheaf_team sheaf_world;
static inline struct sheaf_team *sheaf_team_world(void)
{
    return &sheaf_world;
}

/* This PE's other teams, the youngest first; NULL after the last, and before the first. */
const struct sheaf_team *sheaf_team_next(const struct sheaf_team *team);

/* The program's handle of a team; for predefined teams it is a constant. */
shmem_team_t sheaf_team_handle(struct sheaf_team *team);

/* Sets *team to the handle of the context's team and returns 0; nonzero and SHMEM_TEAM_INVALID for
 * SHMEM_CTX_INVALID. */
int sheaf_team_of_context(shmem_ctx_t context, shmem_team_t *team);

/* Whether the messages of a user team of this PE have this tag: see core/team/tag.h. */
bool sheaf_team_has_tag(uint64_t tag);

/* Called by init.c. */
int sheaf_team_init(void);
void sheaf_team_fini(void);

#endif
