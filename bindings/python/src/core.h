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

int sheaf_start(const char *call); /* initializes at first use, else sets an exception: returns -1 */
static inline int sheaf_ready(const char *call)
{
    return __builtin_expect(sheaf_state == SHEAF_UP, 1) ? 0 : sheaf_start(call);
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

/* A block of the symmetric heap: what the arrays over it have as their base. */
struct sheaf_block {
    PyObject_HEAD
    char *start;
    size_t bytes;
    bool is_live;
    enum { SHEAF_OWN, SHEAF_PEER } whose;
};
/* The array's block; an exception and NULL where it has none, is freed, or lies on another PE. */
struct sheaf_block *sheaf_symmetric(const char *call, const char *argument, PyObject *array);
/* The same, contiguous: its address, and in *count its elements. */
char *sheaf_whole(const char *call, const char *argument, PyObject *array, size_t *count);
/* Address of count elements from element at on; at may be left out (NULL). */
char *sheaf_elements(const char *call, PyObject *array, PyObject *at, size_t count);

/* Where a call goes: a context and a PE of its team. */
struct sheaf_route {
    shmem_ctx_t context;
    int pe;
};
int sheaf_route_to(const char *call, PyObject *pe, PyObject *context, struct sheaf_route *route);
int sheaf_team_of(const char *call, PyObject *team, shmem_team_t *handle, int *pes);

/* An object of the caller's as an array that a call may read (writable: or write) as the elements of like. */
PyArrayObject *sheaf_local(const char *call, const char *argument, PyObject *object, PyArrayObject *like,
                           bool writable);

/* For types that calls alone make. */
PyObject *sheaf_no_new(PyTypeObject *type, PyObject *args, PyObject *keywords);

/* Each file's share of the module. */
int sheaf_add_arrays(PyObject *module);
int sheaf_add_rma(PyObject *module);
int sheaf_add_teams(PyObject *module);
extern PyMethodDef sheaf_array_functions[], sheaf_collective_functions[], sheaf_team_functions[];
extern PyMethodDef sheaf_rma_methods[], sheaf_atomic_methods[], sheaf_wait_methods[];
extern PyMethodDef sheaf_place_methods[];

#endif
