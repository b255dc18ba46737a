/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ARMCI over OpenSHMEM: one-sided communication as Global Arrays and NWChem call it. Binary
 * compatible with ARMCI-MPI 0.3.1. docs/do/armci.md is the page about it.
 *
 * A process is named by its number in the world, the PE. An address of another process is one that
 * is valid there: ARMCI_Malloc returns one for each process. Sizes are in bytes. Functions of type
 * int return 0, or a number that says what has failed: only allocations fail so. Every other
 * mistake ends the job, after a line that names the process, the call and the argument.
 *
 * Order: what a process stores in another process's memory by blocking calls, it reads back from
 * there, and stores at one place are carried out in their order. A nonblocking call is ordered so
 * once it is waited for.
 */
#ifndef SHEAF_ARMCI_H
#define SHEAF_ARMCI_H

/* With an MPI's headers, communicators are that MPI's. Without, they are never used. */
#if !defined(MPI_VERSION) && defined(__has_include)
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif
#endif
#ifdef MPI_VERSION
typedef MPI_Comm armci_comm_t;
#else
typedef void *armci_comm_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ARMCI_MAX_STRIDE_LEVEL 8

typedef long armci_size_t;

enum ARMCI_Acc_e {
    ARMCI_ACC_INT,
    ARMCI_ACC_LNG,
    ARMCI_ACC_FLT,
    ARMCI_ACC_DBL,
    ARMCI_ACC_CPL, /* two floats */
    ARMCI_ACC_DCP  /* two doubles */
};
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };
enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

/* A nonblocking call, or, once aggregate, several. */
typedef struct armci_hdl_s {
    int operation;
    int aggregate;
} armci_hdl_t;

/* For i below ptr_array_len: bytes from src_ptr_array[i] to dst_ptr_array[i]. */
typedef struct {
    void **src_ptr_array;
    void **dst_ptr_array;
    int bytes;
    int ptr_array_len;
} armci_giov_t;

/* comm is MPI's communicator of the same processes, where MPI was initialized when the group was
 * made. */
typedef struct {
    armci_comm_t comm;
    struct sheaf_armci_group *group;
    void *reserved[2];
} ARMCI_Group;

/* Beginning and end. ARMCI_Init is collective, brings OpenSHMEM up where it is not, and may be
 * called several times: so many ARMCI_Finalize end it. MPI may be initialized before or after, or
 * not at all. Threads are asked for by the numbers of MPI_Init_thread. A communicator is of all
 * processes, in the order of MPI_COMM_WORLD. */
int ARMCI_Init(void);
int ARMCI_Init_args(int *argc, char ***argv);
int ARMCI_Init_thread(int requested);
int ARMCI_Init_thread_comm(int requested, armci_comm_t comm);
int ARMCI_Init_mpi_comm(armci_comm_t comm);
int ARMCI_Initialized(void);
int ARMCI_Finalize(void);
void ARMCI_Cleanup(void);
/* Prints message and code, and ends the job with code, or 1 where that is 0. */
void ARMCI_Error(const char *message, int code);

/* Memory. Collective: every process asks for a size of its own, perhaps 0, and gets everybody's
 * address, NULL where the size was 0. A process that asked for 0 bytes frees NULL. device is not
 * used. */
int ARMCI_Malloc(void **addresses, armci_size_t bytes);
int ARMCI_Free(void *address);
int ARMCI_Malloc_group(void **addresses, armci_size_t bytes, ARMCI_Group *group);
int ARMCI_Free_group(void *address, ARMCI_Group *group);
int ARMCI_Malloc_memdev(void **addresses, armci_size_t bytes, const char *device);
int ARMCI_Malloc_group_memdev(void **addresses, armci_size_t bytes, ARMCI_Group *group,
                              const char *device);
int ARMCI_Free_memdev(void *address);
void *ARMCI_Malloc_local(armci_size_t bytes);
int ARMCI_Free_local(void *address);
/* Direct access to memory that others reach: address lies in it. */
void ARMCI_Access_begin(void *address);
void ARMCI_Access_end(void *address);
/* There is no limit but the heap's size, so none is set. */
void ARMCI_Set_shm_limit(unsigned long limit);
void ARMCI_Copy(void *source, void *dest, int bytes);

/* Order. A fence returns once all that the caller stored in the process's memory is there. */
void ARMCI_Fence(int proc);
void ARMCI_AllFence(void);
void ARMCI_Barrier(void);
void ARMCIX_Progress(void);

/* Contiguous transfers. Acc adds scale times source to dest, for whole elements of a type of
 * ARMCI_Acc_e; each element is updated at once. */
int ARMCI_Put(void *source, void *dest, int bytes, int proc);
int ARMCI_Get(void *source, void *dest, int bytes, int proc);
int ARMCI_Acc(int type, void *scale, void *source, void *dest, int bytes, int proc);
/* Sets *flag of the process to value once the data is there. */
int ARMCI_Put_flag(void *source, void *dest, int bytes, int *flag, int value, int proc);

/* Strided transfers: runs of count[0] bytes; count[i] of them, strides[i - 1] bytes apart, in
 * dimension i, for i from 1 to levels. */
int ARMCI_PutS(void *source, int source_strides[], void *dest, int dest_strides[], int count[],
               int levels, int proc);
int ARMCI_GetS(void *source, int source_strides[], void *dest, int dest_strides[], int count[],
               int levels, int proc);
int ARMCI_AccS(int type, void *scale, void *source, int source_strides[], void *dest,
               int dest_strides[], int count[], int levels, int proc);
int ARMCI_PutS_flag(void *source, int source_strides[], void *dest, int dest_strides[], int count[],
                    int levels, int *flag, int value, int proc);
/* From such runs into buffer, and back; on this process. */
void armci_write_strided(void *source, int levels, int strides[], int count[], char *buffer);
void armci_read_strided(void *dest, int levels, int strides[], int count[], char *buffer);

/* Lists of pieces. */
int ARMCI_PutV(armci_giov_t *vectors, int nvectors, int proc);
int ARMCI_GetV(armci_giov_t *vectors, int nvectors, int proc);
int ARMCI_AccV(int type, void *scale, armci_giov_t *vectors, int nvectors, int proc);

/* One value. */
int ARMCI_PutValueInt(int value, void *dest, int proc);
int ARMCI_PutValueLong(long value, void *dest, int proc);
int ARMCI_PutValueFloat(float value, void *dest, int proc);
int ARMCI_PutValueDouble(double value, void *dest, int proc);
int ARMCI_GetValueInt(void *source, int proc);
long ARMCI_GetValueLong(void *source, int proc);
float ARMCI_GetValueFloat(void *source, int proc);
double ARMCI_GetValueDouble(void *source, int proc);

/* Nonblocking transfers. Source and dest are left alone until the call is complete: ARMCI_Wait with
 * its handle, or, where handle is NULL, ARMCI_WaitProc or ARMCI_WaitAll. A handle is initialized
 * once; it serves again after ARMCI_Wait. An aggregate handle takes any number of calls, for one
 * ARMCI_Wait. */
void ARMCI_INIT_HANDLE(armci_hdl_t *handle);
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle);
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle);
int ARMCI_Wait(armci_hdl_t *handle);
int ARMCI_Test(armci_hdl_t *handle); /* 0 when complete, else nonzero */
int ARMCI_WaitProc(int proc);
int ARMCI_WaitAll(void);
int ARMCI_NbPut(void *source, void *dest, int bytes, int proc, armci_hdl_t *handle);
int ARMCI_NbGet(void *source, void *dest, int bytes, int proc, armci_hdl_t *handle);
int ARMCI_NbAcc(int type, void *scale, void *source, void *dest, int bytes, int proc,
                armci_hdl_t *handle);
int ARMCI_NbPutS(void *source, int source_strides[], void *dest, int dest_strides[], int count[],
                 int levels, int proc, armci_hdl_t *handle);
int ARMCI_NbGetS(void *source, int source_strides[], void *dest, int dest_strides[], int count[],
                 int levels, int proc, armci_hdl_t *handle);
int ARMCI_NbAccS(int type, void *scale, void *source, int source_strides[], void *dest,
                 int dest_strides[], int count[], int levels, int proc, armci_hdl_t *handle);
int ARMCI_NbPutV(armci_giov_t *vectors, int nvectors, int proc, armci_hdl_t *handle);
int ARMCI_NbGetV(armci_giov_t *vectors, int nvectors, int proc, armci_hdl_t *handle);
int ARMCI_NbAccV(int type, void *scale, armci_giov_t *vectors, int nvectors, int proc,
                 armci_hdl_t *handle);
int ARMCI_NbPutValueInt(int value, void *dest, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueLong(long value, void *dest, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueFloat(float value, void *dest, int proc, armci_hdl_t *handle);
int ARMCI_NbPutValueDouble(double value, void *dest, int proc, armci_hdl_t *handle);

/* Atomic operations: adds value to the int or long at address of the process, and stores in *result
 * what was there before; or exchanges it with *result. */
int ARMCI_Rmw(int operation, void *result, void *address, int value, int proc);

/* Mutexes: count of them on the calling process, perhaps 0. Collective. Numbers are the process's
 * own. */
int ARMCI_Create_mutexes(int count);
int ARMCI_Destroy_mutexes(void);
void ARMCI_Lock(int mutex, int proc);
void ARMCI_Unlock(int mutex, int proc);

/* Groups: members are numbers in the parent, the default group with ARMCI_Group_create. Collective
 * over the members; others may call and get a group in which they have rank -1. */
void ARMCI_Group_create(int size, int *members, ARMCI_Group *group);
void ARMCI_Group_create_child(int size, int *members, ARMCI_Group *group, ARMCI_Group *parent);
void ARMCI_Group_free(ARMCI_Group *group);
int ARMCI_Group_rank(ARMCI_Group *group, int *rank);
void ARMCI_Group_size(ARMCI_Group *group, int *size);
void ARMCI_Group_set_default(ARMCI_Group *group);
void ARMCI_Group_get_default(ARMCI_Group *group);
void ARMCI_Group_get_world(ARMCI_Group *group);
int ARMCI_Absolute_id(ARMCI_Group *group, int rank);

/* Domains are sets of processes that could use each other's pointers: each process is one. */
int armci_domain_nprocs(armci_domain_t domain, int id);
int armci_domain_id(armci_domain_t domain, int proc);
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int proc);
int armci_domain_my_id(armci_domain_t domain);
int armci_domain_count(armci_domain_t domain);
int armci_domain_same_id(armci_domain_t domain, int proc);
int ARMCI_Same_node(int proc);
int ARMCI_Uses_shm(void);
int ARMCI_Uses_shm_grp(ARMCI_Group *group);

/* Messages between two processes, without MPI. A receiver that is given 0 for length does not ask
 * for it. */
int armci_msg_me(void);
int armci_msg_nproc(void);
void armci_msg_abort(int code);
double armci_timer(void);
void armci_msg_snd(int tag, void *buffer, int bytes, int to);
void armci_msg_rcv(int tag, void *buffer, int room, int *length, int from);
int armci_msg_rcvany(int tag, void *buffer, int room, int *length);

/* Collectives, over the world or a group; roots are numbers in the world. An operation is + * max
 * min absmax absmin, or of integers or land lor band bor && || & |. With SCOPE_NODE a process is
 * alone. */
void armci_msg_barrier(void);
void armci_msg_group_barrier(ARMCI_Group *group);
void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right);
void armci_msg_bcast(void *buffer, int bytes, int root);
void armci_msg_brdcst(void *buffer, int bytes, int root);
void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root);
void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group);
void armci_msg_reduce(void *values, int n, char *operation, int type);
void armci_msg_reduce_scope(int scope, void *values, int n, char *operation, int type);
/* The bytes at values of the process whose first value is the least or the greatest. */
void armci_msg_sel(void *values, int bytes, char *operation, int type, int contribute);
void armci_msg_sel_scope(int scope, void *values, int bytes, char *operation, int type,
                         int contribute);
void armci_msg_gop_scope(int scope, void *values, int n, char *operation, int type);
void armci_msg_group_gop_scope(int scope, void *values, int n, char *operation, int type,
                               ARMCI_Group *group);
void armci_msg_igop(int *values, int n, char *operation);
void armci_msg_lgop(long *values, int n, char *operation);
void armci_msg_llgop(long long *values, int n, char *operation);
void armci_msg_fgop(float *values, int n, char *operation);
void armci_msg_dgop(double *values, int n, char *operation);
void armci_msg_group_igop(int *values, int n, char *operation, ARMCI_Group *group);
void armci_msg_group_lgop(long *values, int n, char *operation, ARMCI_Group *group);
void armci_msg_group_llgop(long long *values, int n, char *operation, ARMCI_Group *group);
void armci_msg_group_fgop(float *values, int n, char *operation, ARMCI_Group *group);
void armci_msg_group_dgop(double *values, int n, char *operation, ARMCI_Group *group);

/* The same functions under a second name, for tools that put their own in place of the first. */
#define SHEAF_ARMCI_TWIN(name) extern __typeof__(ARMCI_##name) PARMCI_##name;
/* clang-format off */
#define SHEAF_ARMCI_TWINS(X)                                                                       \
    X(Init) X(Init_args) X(Init_thread) X(Init_thread_comm) X(Init_mpi_comm) X(Initialized)        \
    X(Finalize) X(Malloc) X(Free) X(Malloc_local) X(Free_local) X(Malloc_memdev)                   \
    X(Malloc_group_memdev) X(Free_memdev) X(Access_begin) X(Access_end) X(Fence) X(AllFence)       \
    X(Barrier) X(Put) X(Get) X(Acc) X(Put_flag) X(PutS) X(GetS) X(AccS) X(PutS_flag) X(PutV)       \
    X(GetV) X(AccV) X(PutValueInt) X(PutValueLong) X(PutValueFloat) X(PutValueDouble)              \
    X(GetValueInt) X(GetValueLong) X(GetValueFloat) X(GetValueDouble) X(Wait) X(Test) X(WaitProc)  \
    X(WaitAll) X(NbPut) X(NbGet) X(NbAcc) X(NbPutS) X(NbGetS) X(NbAccS) X(NbPutV) X(NbGetV)        \
    X(NbAccV) X(NbPutValueInt) X(NbPutValueLong) X(NbPutValueFloat) X(NbPutValueDouble) X(Rmw)     \
    X(Create_mutexes) X(Destroy_mutexes) X(Lock) X(Unlock)
/* clang-format on */
SHEAF_ARMCI_TWINS(SHEAF_ARMCI_TWIN)
void parmci_msg_barrier(void);
void parmci_msg_group_barrier(ARMCI_Group *group);

#ifdef __cplusplus
}
#endif

#endif
