/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the extension share: the state of the library, errors, arguments, elements, and where an
 * array lies. Python's stable ABI of 3.9 alone; NumPy's own interface for arrays.
 */
#ifndef SHEAF_PYTHON_CORE_H
#define SHEAF_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL sheaf_numpy
#ifndef SHEAF_PYTHON_MODULE
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdint.h>

/* 3.9's interpreter has these calls; the stable ABI names them from 3.10 on. */
#ifndef METH_FASTCALL
#define METH_FASTCALL 0x0080
#endif
#define SHEAF_CALL PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names
#define SHEAF_METHOD(name, function, doc) \
    {name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc}

/* The library's state, as this process sees it. */
enum sheaf_state { SHEAF_NEVER, SHEAF_UP, SHEAF_DOWN, SHEAF_CHILD };
extern enum sheaf_state sheaf_state;
extern int sheaf_pe, sheaf_pes;
extern unsigned sheaf_epoch;  /* the library's start, counted from 1: what an earlier start made is gone */
extern bool *sheaf_is_far;    /* per PE: on another host, where a call may wait for the network */

int sheaf_import_numpy(void); /* 0, or an exception is set */

/* How a process is a PE that nobody has started as one. */
struct sheaf_by_uid {
    int rank, size;
    shmemx_uniqueid_t id;
};
/* With this level of threads, and by an identifier or NULL; 0, or an exception is set. */
int sheaf_bring_up(const char *call, int level, const struct sheaf_by_uid *uid);
int sheaf_start(const char *call); /* initializes at first use, else sets an exception: returns -1 */
extern bool sheaf_is_profiled; /* every call tells its line, not only those that wait */
void sheaf_announce_line(void); /* tells the library from which line of the program its next call comes */
static inline int sheaf_ready(const char *call)
{
    int failed = __builtin_expect(sheaf_state == SHEAF_UP, 1) ? 0 : sheaf_start(call);
    if (__builtin_expect(sheaf_is_profiled && !failed, 0))
        sheaf_announce_line();
    return failed;
}

/* Exceptions with the attributes pe, call and argument. Returns NULL, for the caller to return. */
extern PyObject *sheaf_Error, *sheaf_ArgumentError;
PyObject *sheaf_wrong(const char *call, const char *argument, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
PyObject *sheaf_failed(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Arguments by position or name into values, which holds NULL where one is left out. */
struct sheaf_signature {
    const char *call;
    int required;
    const char *names[8];
};
int sheaf_arguments(const struct sheaf_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names, PyObject **values);
int sheaf_integer(const char *call, const char *argument, PyObject *value, long lowest, long *result);

/* Kinds of elements, by what they are: "long" and "long long" are one. */
enum sheaf_kind {
    SHEAF_I8, SHEAF_U8, SHEAF_I16, SHEAF_U16, SHEAF_I32, SHEAF_U32, SHEAF_I64, SHEAF_U64,
    SHEAF_F32, SHEAF_F64, SHEAF_LONG_DOUBLE, SHEAF_C64, SHEAF_C128, SHEAF_KINDS, SHEAF_OTHER = SHEAF_KINDS
};
union sheaf_element {
    int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int32_t i32; uint32_t u32; int64_t i64; uint64_t u64;
    float f32; double f64; float c64[2]; double c128[2];
};
enum sheaf_kind sheaf_kind_of(PyArrayObject *array);
int sheaf_element_from(const char *call, const char *argument, enum sheaf_kind kind, PyObject *value,
                       union sheaf_element *element);
PyObject *sheaf_element_to(enum sheaf_kind kind, const union sheaf_element *element);
const char *sheaf_type_name(PyArrayObject *array, char text[64]);
PyObject *sheaf_unfit_kind(const char *call, const char *argument, PyArrayObject *array);

/* A memory space. */
struct sheaf_space {
    PyObject_HEAD
    shmemx_space_t handle;
    unsigned epoch; /* 0 once destroyed */
};
struct sheaf_space *sheaf_live_space(const char *call, PyObject *space);

/* A block of the symmetric heap or of a space: what the arrays over it have as their base. */
struct sheaf_block {
    PyObject_HEAD
    char *start;
    size_t bytes;
    unsigned epoch; /* 0 once freed */
    enum { SHEAF_OWN, SHEAF_PEER } whose;
    struct sheaf_space *space; /* or NULL */
    struct sheaf_block *next, **before; /* of the list of own blocks; before NULL: in none */
};
/* object as an array of NumPy over the same memory: another package's by its protocols; new. */
PyObject *sheaf_view_of(const char *call, const char *argument, PyObject *object);
/* The array's block; an exception and NULL where it has none, is freed, or lies on another PE. */
struct sheaf_block *sheaf_symmetric(const char *call, const char *argument, PyObject *array);
/* The same, contiguous: its address, and in *count its elements. */
char *sheaf_whole(const char *call, const char *argument, PyObject *array, size_t *count);
/* Address of count elements from element at on; at may be left out (NULL). argument is the other array's name. */
char *sheaf_elements(const char *call, const char *argument, PyObject *array, PyObject *at, size_t count);
/* Whether the array lies as its type wants it: atomic operations and waits need it. */
int sheaf_need_aligned(const char *call, const char *argument, PyObject *array);

/* Where a call goes: a context and a PE of its team. */
struct sheaf_route {
    shmem_ctx_t context;
    int pe;
    bool is_far;
};
int sheaf_route_to(const char *call, PyObject *pe, PyObject *context, struct sheaf_route *route);
int sheaf_team_of(const char *call, PyObject *team, shmem_team_t *handle, int *pes);
/* Of contexts; Py_None is the default one. */
bool sheaf_context_is_live(PyObject *context);
shmem_ctx_t sheaf_context_handle(PyObject *context);
int sheaf_context_pes(PyObject *context);
int sheaf_need_context(const char *call, PyObject *context); /* which is not Py_None */
/* The PE numbers of a sequence, below pes: for PyMem_Free. */
int *sheaf_pes_of(const char *call, PyObject *list, int pes, Py_ssize_t *count);

/* Before a call that waits for others: threads of Python run meanwhile, up to Py_END_ALLOW_THREADS. */
#define SHEAF_BEGIN_WAIT  sheaf_announce_line(); Py_BEGIN_ALLOW_THREADS
/* Around a call that waits where its PE is far: the same. */
#define SHEAF_BEGIN_MOVING(waits) \
    PyThreadState *sheaf_saved = (waits) ? (sheaf_announce_line(), PyEval_SaveThread()) : NULL
#define SHEAF_END_MOVING()        do { if (sheaf_saved) PyEval_RestoreThread(sheaf_saved); } while (0)

/* An object of the caller's as an array that a call may read (writable: or write) as the elements of like. */
PyArrayObject *sheaf_local(const char *call, const char *argument, PyObject *object, PyArrayObject *like,
                           bool writable);

/* One transfer: the symmetric array and the local one, of one type. Either contiguous, or of one shape. */
struct sheaf_transfer {
    char *there, *here;
    size_t bytes;
    PyArrayObject *array, *local;
    bool strided;
    struct sheaf_route route;
};
/* local is new, and the transfer's: dropped by the caller. argument is its name. */
int sheaf_transfer_plan(const char *call, const char *argument, struct sheaf_transfer *t, PyObject *pe,
                        PyObject *at, PyObject *context);
/* As an n-dimensional set of runs: innermost dimensions come first, and counts[0] is in bytes. */
struct sheaf_runs {
    ptrdiff_t there[SHMEMX_MAX_DIMS], here[SHMEMX_MAX_DIMS];
    size_t counts[SHMEMX_MAX_DIMS];
    int dims;
};
void sheaf_transfer_runs(const struct sheaf_transfer *t, struct sheaf_runs *runs);

/* An operation under way: it keeps both arrays of the transfer, whose local it takes, also where it fails. start
 * begins the operation with the handle. */
PyObject *sheaf_handle_new(struct sheaf_transfer *t, void (*start)(const struct sheaf_transfer *t,
                                                                   const void *how, shmemx_handle_t *handle),
                           const void *how);
/* The same for what the specification gives no handle: complete with the context's next quiet. result is where the
 * library writes a number of this kind (SHEAF_OTHER: none; then local is what wait returns). */
struct sheaf_pending {
    PyObject_HEAD
    PyObject *array, *local, *context;
    enum sheaf_kind kind;
    unsigned epoch; /* 0 once complete */
    union sheaf_element result;
};
struct sheaf_pending *sheaf_pending_new(PyObject *array, PyObject *local, PyObject *context, enum sheaf_kind kind);

/* For types that calls alone make; and a type among the module's names. */
PyObject *sheaf_no_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
PyTypeObject *sheaf_add_type(PyObject *module, const char *name, PyType_Spec *spec);

/* Each file's share of the module. */
int sheaf_add_arrays(PyObject *module);
int sheaf_add_handles(PyObject *module);
int sheaf_add_spaces(PyObject *module);
int sheaf_add_teams(PyObject *module);
extern PyMethodDef sheaf_array_functions[], sheaf_collective_functions[], sheaf_order_functions[];
extern PyMethodDef sheaf_team_functions[], sheaf_space_functions[], sheaf_tool_functions[];
extern PyMethodDef sheaf_snapshot_functions[];
extern PyMethodDef sheaf_rma_methods[], sheaf_atomic_methods[], sheaf_wait_methods[];
extern PyMethodDef sheaf_place_methods[], sheaf_signal_methods[], sheaf_accumulate_methods[];

#endif
