/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of libarmci share: this process, its allocations, the order of its operations,
 * groups.
 */
#ifndef SHEAF_ARMCI_INTERNAL_H
#define SHEAF_ARMCI_INTERNAL_H

#include "armci.h"
#include "armcix.h"

#include <shmemx.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The second name of a function whose body has the first one: a tool may define ARMCI_Put itself.
 */
#define TWIN(name)                                                                                 \
    extern __typeof__(PARMCI_##name) ARMCI_##name __attribute__((weak, alias("PARMCI_" #name)));

/* The name of the public function with this line in its body, as its caller knows it. */
#define CALL (__func__ + (__func__[0] == 'P' || __func__[0] == 'p'))

/* At the beginning of a public function that may wait for other processes: reports of hangs name the
 * function, and the place where the program called it. Of functions in each other the outermost counts. */
#define PLACE    __builtin_return_address(0)
#define WAITS    WAITS_WHERE(true, CALL, PLACE)
#define MAY_WAIT WAITS_WHERE(sheaf_armci.is_spread, CALL, PLACE) /* for memory of other hosts alone */
#define WAITS_WHERE(condition, call, place)                                                        \
    const bool is_named __attribute__((cleanup(sheaf_armci_call_end), unused)) =                   \
        (condition) && sheaf_armci_call_begin(call, place);

struct sheaf_armci_group {
    shmem_team_t team; /* SHMEM_TEAM_INVALID in the group of one who is no member */
    int rank, size;
    int *pes;         /* of the members, in their order */
    long allocations; /* made so far */
    struct sheaf_armci_group *next;
};

/* size is 0 before ARMCI_Init, so that no process number is right then. */
extern struct sheaf_armci {
    int me, size;
    int quick; /* size where calls may take the short way: one host, one thread; else 0 */
    bool is_threaded;
    bool is_spread; /* over several hosts */
    /* For each process: the distance of its heap's addresses from the caller's. */
    ptrdiff_t *distances;
    /* The allocation of the world in which an address was found last; unused with threads. */
    struct sheaf_armci_recent {
        uintptr_t end;
        size_t size; /* 0: none */
    } recent;
    /* The long of the last fetch-and-add: programs draw tickets from one. Forgotten with recent. */
    struct sheaf_armci_counter {
        const void *address; /* of its process */
        int pe;              /* -1: none */
        long *here;
    } counter;
    struct sheaf_armci_group world;
} sheaf_armci;

/* process.c: false within another public function. */
bool sheaf_armci_call_begin(const char *call, const void *place);
void sheaf_armci_call_end(const bool *is_named);
/* A line that names process and call, then the end of the job. */
_Noreturn void sheaf_armci_refuse(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void sheaf_armci_refuse_process(const char *call, int proc);

static inline void sheaf_armci_check_process(const char *call, int proc)
{
    if ((unsigned)proc >= (unsigned)sheaf_armci.size)
        sheaf_armci_refuse_process(call, proc);
}

/* For a call that names no process: ARMCI is initialized. */
static inline void sheaf_armci_check_up(const char *call)
{
    if (sheaf_armci.size == 0)
        sheaf_armci_refuse_process(call, 0);
}

/* group_record.c: the record behind a group, checked; the caller is a member where is_member is
 * set. */
struct sheaf_armci_group *sheaf_armci_group(const char *call, const ARMCI_Group *group,
                                            bool is_member);
void sheaf_armci_record_add(struct sheaf_armci_group *added);
void sheaf_armci_record_remove(struct sheaf_armci_group *removed); /* and freed */
void sheaf_armci_records_fini(void);

/* group.c */
void sheaf_armci_groups_init(void);
void sheaf_armci_groups_fini(void);

/* mpi.c: MPI's communicator of these processes of the world, in a group's field; zeros without MPI.
 */
void sheaf_armci_mpi_make(const struct sheaf_armci_group *group, armci_comm_t *comm);
void sheaf_armci_mpi_free(armci_comm_t *comm);
void sheaf_armci_mpi_check_world(const char *call, armci_comm_t comm);

/* memory.c: the symmetric address that a process's address has here. All of the bytes from low to
 * high, which count from address, lie in one allocation of that process. NULL where the process is
 * the caller and the address lies in no allocation: private memory. */
void sheaf_armci_memory_init(void);
void sheaf_armci_memory_fini(void);
char *sheaf_armci_remote(const char *call, const char *argument, const void *address, ptrdiff_t low,
                         ptrdiff_t high, int pe);
/* Collective over group. bytes differ; addresses gets what is valid in each process. Returns the
 * symmetric address, NULL where nobody asked for anything or memory is short: then *failed is set.
 */
char *sheaf_armci_allocate(const char *call, void **addresses, armci_size_t bytes,
                           struct sheaf_armci_group *group, bool *failed);
/* Frees what is allocated over the group, which is about to end. */
void sheaf_armci_memory_forget(const struct sheaf_armci_group *group);

/* The same for a blocking call on one host, without threads, where nothing is wrong; else NULL. */
static inline char *sheaf_armci_quick(const void *address, int bytes, int pe)
{
    if ((unsigned)pe >= (unsigned)sheaf_armci.quick)
        return NULL;
    uintptr_t here = (uintptr_t)address - (uintptr_t)sheaf_armci.distances[pe];
    size_t room = sheaf_armci.recent.end - here;
    return room <= sheaf_armci.recent.size && (size_t)bytes <= room ? (char *)here : NULL;
}

/* order.c: what is under way to each process. */
enum {
    UNFENCED = 1, /* a blocking store, which later stores follow */
    STORES = 2,   /* stores that a read has to wait for */
    LOADS = 4     /* nonblocking gets */
};
extern unsigned char *sheaf_armci_under_way;
void sheaf_armci_order_init(void);
void sheaf_armci_order_fini(void);
void sheaf_armci_complete(int pe);
void sheaf_armci_complete_all(void);

/* Marks stay where threads run: one thread's completion does not cover what another starts
 * meanwhile. */
static inline void sheaf_armci_before_store(int pe)
{
    unsigned char *mark = &sheaf_armci_under_way[pe];
    if (__builtin_expect(*mark & UNFENCED, 0)) {
        shmem_fence();
        if (!sheaf_armci.is_threaded)
            *mark &= (unsigned char)~UNFENCED;
    }
}

static inline void sheaf_armci_before_load(int pe)
{
    if (sheaf_armci_under_way[pe] & STORES)
        sheaf_armci_complete(pe);
}

static inline void sheaf_armci_mark(int pe, unsigned char what)
{
    unsigned char *mark = &sheaf_armci_under_way[pe];
    if (!sheaf_armci.is_threaded)
        *mark |= what;
    else if ((*mark & what) != what)
        __atomic_fetch_or(mark, what, __ATOMIC_RELAXED);
}

/* Before a store on the short way. LOADS is no loss there; a byte that is not read first is there sooner
 * for the fence's atomic operation, which waits for it. */
static inline void sheaf_armci_mark_quickly(int pe)
{
    sheaf_armci_under_way[pe] = STORES | LOADS;
}

/* Behind a blocking store. Where calls may take the short way the fence is made at once, which takes four
 * instructions: none of them then looks for a store without one. */
static inline void sheaf_armci_after_store(int pe)
{
    sheaf_armci_mark(pe, sheaf_armci.quick > 0 ? STORES : UNFENCED | STORES);
    if (sheaf_armci.quick > 0)
        shmem_fence();
}

/* handle.c: a nonblocking call in a handle of the program. */
struct sheaf_armci_pending {
    armci_hdl_t *handle; /* NULL: an implicit one */
    int pe;
    bool is_several; /* calls of OpenSHMEM: they are waited for by process */
    shmemx_handle_t value;
};
/* Before its calls, for each of them, and after them. The second returns NULL where the call is
 * waited for by process. */
void sheaf_armci_pending_begin(struct sheaf_armci_pending *pending);
shmemx_handle_t *sheaf_armci_pending_next(struct sheaf_armci_pending *pending);
void sheaf_armci_pending_end(struct sheaf_armci_pending *pending);
void sheaf_armci_handles_fini(void);

/* X(code, name in OpenSHMEM's calls, type) for each type of an accumulate. */
#define SHEAF_ARMCI_TYPES(X)                                                                       \
    X(ARMCI_ACC_INT, int, int)                                                                     \
    X(ARMCI_ACC_LNG, long, long)                                                                   \
    X(ARMCI_ACC_FLT, float, float)                                                                 \
    X(ARMCI_ACC_DBL, double, double)                                                               \
    X(ARMCI_ACC_CPL, complexf, sheaf_complexf)                                                     \
    X(ARMCI_ACC_DCP, complexd, sheaf_complexd)
#define SHEAF_ARMCI_SIZE(code, name, type) [code] = sizeof(type),

/* Of an element: its bytes, and the alignment that it needs at the target. */
static inline size_t sheaf_armci_element(int type)
{
    static const size_t sizes[] = {SHEAF_ARMCI_TYPES(SHEAF_ARMCI_SIZE)};
    return sizes[type];
}

static inline size_t sheaf_armci_alignment(int type)
{
    bool is_pair = type == ARMCI_ACC_CPL || type == ARMCI_ACC_DCP;
    return sheaf_armci_element(type) / (is_pair ? 2 : 1);
}

/* transfer.c: of one kind, to or from one process. */
enum sheaf_armci_kind { PUT, GET, ACCUMULATE };
struct sheaf_armci_transfer {
    const char *call;
    enum sheaf_armci_kind kind;
    int pe;
    int type; /* of ARMCI_Acc_e */
    const void *scale;
    struct sheaf_armci_pending *pending; /* NULL: blocking */
};
/* The caller's side of bytes that are moved. */
static inline void sheaf_armci_check_local(const struct sheaf_armci_transfer *transfer, const void *local)
{
    if (!local)
        sheaf_armci_refuse(transfer->call, "%s is a null pointer", transfer->kind == GET ? "dst" : "src");
}
/* transfer.c: of an accumulate, whole elements, aligned at the remote side. */
void sheaf_armci_check_elements(const struct sheaf_armci_transfer *transfer, const void *remote,
                                size_t bytes);

/* accumulate.c: false where the accumulate is one for OpenSHMEM's call. */
struct sheaf_armci_rows {
    size_t count, bytes; /* of each, whole elements */
    ptrdiff_t remote_stride, local_stride;
};
/* Whether all are on one host: then accumulates of integers go this way. */
bool sheaf_armci_accumulates_here(const struct sheaf_armci_transfer *transfer);
void sheaf_armci_accumulate_init(void);
void sheaf_armci_accumulate_fini(void);
bool sheaf_armci_accumulate(const struct sheaf_armci_transfer *transfer, void *remote,
                            const void *local, const struct sheaf_armci_rows *rows);
/* An atomic operation on a process's integers is about to be made. */
void sheaf_armci_before_rmw(void *remote, int pe);
/* Both for addresses from sheaf_armci_quick. */
void sheaf_armci_accumulate_quickly(int type, const void *scale, const char *remote,
                                    const void *local, size_t bytes, int pe);
void sheaf_armci_before_rmw_quickly(const char *remote, int pe);

/* Of integers: memory of so many bytes has one lock of the process that it belongs to. */
#define SHEAF_ARMCI_LOCKS  64
#define SHEAF_ARMCI_STRIPE ((size_t)65536) /* with 16 KiB accumulates of 256 KiB took 8 % longer */
struct sheaf_armci_lock {
    uint32_t is_taken, has_rmw; /* the second is set under the lock, and stays */
    char unused[56];
};
extern struct sheaf_armci_lock *sheaf_armci_locks;     /* symmetric, as memory is */
extern struct sheaf_armci_lock **sheaf_armci_locks_of; /* of each process, here; NULL: not all are near */

/* Of the byte at position behind the locks of pe. */
static inline struct sheaf_armci_lock *sheaf_armci_lock_at(size_t position, int pe)
{
    return &sheaf_armci_locks_of[pe][position / SHEAF_ARMCI_STRIPE % SHEAF_ARMCI_LOCKS];
}

static inline void sheaf_armci_unlock(struct sheaf_armci_lock *lock)
{
    __atomic_store_n(&lock->is_taken, 0, __ATOMIC_RELEASE);
}

/* For an aligned long at an address from sheaf_armci_quick; inline, since the processor finishes all stores
 * before an atomic operation, those of saved registers too. Returns false where the lock is taken, and
 * nothing is added. */
static inline bool sheaf_armci_add_long(const unsigned long *scale, const char *remote,
                                        const unsigned long *source, int pe)
{
    typedef unsigned long sum_long __attribute__((may_alias));
    size_t position = (size_t)(remote - (char *)sheaf_armci_locks);
    struct sheaf_armci_lock *lock = sheaf_armci_lock_at(position, pe);
    if (__builtin_expect(__atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) != 0, 0))
        return false;
    sum_long *to = (sum_long *)(void *)((char *)sheaf_armci_locks_of[pe] + position);
    if (lock->has_rmw)
        __atomic_fetch_add(to, *scale * *source, __ATOMIC_SEQ_CST);
    else
        *to += *scale * *source;
    sheaf_armci_unlock(lock);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* in place of shmem_fence: the stores are this function's */
    return true;
}

/* In a nonblocking function, whose last arguments are proc and handle: its transfer. */
#define NONBLOCKING(...)                                                                           \
    struct sheaf_armci_pending pending = {.handle = handle, .pe = proc};                           \
    struct sheaf_armci_transfer transfer = {                                                       \
        .call = CALL, .pe = proc, .pending = &pending, __VA_ARGS__};

/* Before and after its calls. The first checks process and type. */
void sheaf_armci_begin(const struct sheaf_armci_transfer *transfer);
void sheaf_armci_end(const struct sheaf_armci_transfer *transfer);
/* bytes, which are whole elements, between remote, an address of the process, and local. */
void sheaf_armci_piece(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                       size_t bytes);
int sheaf_armci_set_flag(const char *call, int *flag, int value, int proc);

/* message.c and collective.c */
void sheaf_armci_messages_init(void);
void sheaf_armci_messages_fini(void);
void sheaf_armci_collectives_init(void);
void sheaf_armci_collectives_fini(void);

#endif
