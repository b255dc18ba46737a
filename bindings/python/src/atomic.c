/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations on one element: a table of operations, a function per type.
 */
#include "core.h"

enum operation {
    ADD, INC, SET, AND, OR, XOR, FETCH, FETCH_ADD, FETCH_INC, FETCH_AND, FETCH_OR, FETCH_XOR, SWAP, COMPARE_SWAP
};

struct request {
    shmem_ctx_t context;
    void *at;
    union sheaf_element value, condition, result;
    int pe;
};

#define RESULTLESS(name, type, op, word) \
    case op: shmem_ctx_##type##_atomic_##word(r->context, r->at, r->value.name, r->pe); return 0;
#define FETCHING(name, type, op, word) \
    case op: r->result.name = shmem_ctx_##type##_atomic_##word(r->context, r->at, r->value.name, r->pe); return 0;
#define EXTENDED(name, type)                                                                       \
    RESULTLESS(name, type, SET, set)                                                               \
    FETCHING(name, type, SWAP, swap)                                                               \
    case FETCH: r->result.name = shmem_ctx_##type##_atomic_fetch(r->context, r->at, r->pe); return 0;
#define INTEGER(name, type)                                                                        \
    static int on_##type(enum operation op, struct request *r)                                     \
    {                                                                                              \
        switch (op) {                                                                              \
            EXTENDED(name, type)                                                                   \
            RESULTLESS(name, type, ADD, add)                                                       \
            RESULTLESS(name, type, AND, and)                                                       \
            RESULTLESS(name, type, OR, or)                                                         \
            RESULTLESS(name, type, XOR, xor)                                                       \
            FETCHING(name, type, FETCH_ADD, fetch_add)                                             \
            FETCHING(name, type, FETCH_AND, fetch_and)                                             \
            FETCHING(name, type, FETCH_OR, fetch_or)                                               \
            FETCHING(name, type, FETCH_XOR, fetch_xor)                                             \
        case INC: shmem_ctx_##type##_atomic_inc(r->context, r->at, r->pe); return 0;               \
        case FETCH_INC:                                                                            \
            r->result.name = shmem_ctx_##type##_atomic_fetch_inc(r->context, r->at, r->pe);        \
            return 0;                                                                              \
        case COMPARE_SWAP:                                                                         \
            r->result.name = shmem_ctx_##type##_atomic_compare_swap(                               \
                r->context, r->at, r->condition.name, r->value.name, r->pe);                       \
            return 0;                                                                              \
        }                                                                                          \
        return -1;                                                                                 \
    }
#define REAL(name, type)                                                                           \
    static int on_##type(enum operation op, struct request *r)                                     \
    {                                                                                              \
        switch (op) {                                                                              \
            EXTENDED(name, type)                                                                   \
        default: return -1;                                                                        \
        }                                                                                          \
    }
INTEGER(i32, int32)
INTEGER(u32, uint32)
INTEGER(i64, int64)
INTEGER(u64, uint64)
REAL(f32, float)
REAL(f64, double)

static int (*const by_kind[SHEAF_KINDS])(enum operation, struct request *) = {
    [SHEAF_I32] = on_int32, [SHEAF_U32] = on_uint32, [SHEAF_I64] = on_int64, [SHEAF_U64] = on_uint64,
    [SHEAF_F32] = on_float, [SHEAF_F64] = on_double};

/* The value's, the condition's and the PE's argument, or -1; what follows them is at and context. */
struct form {
    enum operation operation;
    bool fetches;
    int condition, value, pe;
    struct sheaf_signature signature;
};

static PyObject *perform(const struct form *form, SHEAF_CALL)
{
    const char *call = form->signature.call;
    PyObject *values[8];
    struct request request;
    struct sheaf_route route;
    PyArrayObject *array = (PyArrayObject *)self;
    if (sheaf_ready(call) || sheaf_arguments(&form->signature, args, nargs, names, values) ||
        sheaf_route_to(call, values[form->pe], values[form->pe + 2], &route) ||
        !(request.at = sheaf_elements(call, self, values[form->pe + 1], 1)))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || !by_kind[kind] || PyArray_TYPE(array) == NPY_BOOL)
        return sheaf_unfit_kind(call, "array", array);
    if ((form->value >= 0 && sheaf_element_from(call, "value", kind, values[form->value], &request.value)) ||
        (form->condition >= 0 &&
         sheaf_element_from(call, "condition", kind, values[form->condition], &request.condition)))
        return NULL;
    request.context = route.context;
    request.pe = route.pe;
    if (by_kind[kind](form->operation, &request))
        return sheaf_unfit_kind(call, "array", array);
    if (form->fetches)
        return sheaf_element_to(kind, &request.result);
    Py_RETURN_NONE;
}

#define OF_VALUE(name, op, fetches)                                                                            \
    static PyObject *name(SHEAF_CALL)                                                                          \
    {                                                                                                          \
        static const struct form form = {op, fetches, -1, 0, 1, {#name, 2, {"value", "pe", "at", "context"}}}; \
        return perform(&form, self, args, nargs, names);                                                       \
    }
#define OF_NONE(name, op, fetches)                                                                             \
    static PyObject *name(SHEAF_CALL)                                                                          \
    {                                                                                                          \
        static const struct form form = {op, fetches, -1, -1, 0, {#name, 1, {"pe", "at", "context"}}};         \
        return perform(&form, self, args, nargs, names);                                                       \
    }
OF_VALUE(atomic_add, ADD, false)
OF_VALUE(atomic_set, SET, false)
OF_VALUE(atomic_and, AND, false)
OF_VALUE(atomic_or, OR, false)
OF_VALUE(atomic_xor, XOR, false)
OF_VALUE(atomic_fetch_add, FETCH_ADD, true)
OF_VALUE(atomic_fetch_and, FETCH_AND, true)
OF_VALUE(atomic_fetch_or, FETCH_OR, true)
OF_VALUE(atomic_fetch_xor, FETCH_XOR, true)
OF_VALUE(atomic_swap, SWAP, true)
OF_NONE(atomic_inc, INC, false)
OF_NONE(atomic_fetch_inc, FETCH_INC, true)
OF_NONE(atomic_fetch, FETCH, true)

static PyObject *atomic_compare_swap(SHEAF_CALL)
{
    static const struct form form = {
        COMPARE_SWAP, true, 0, 1, 2, {"atomic_compare_swap", 3, {"condition", "value", "pe", "at", "context"}}};
    return perform(&form, self, args, nargs, names);
}

#define VALUE_DOC(name, what) \
    SHEAF_METHOD(#name, name, #name "($self, value, pe, at=0, context=None)\n--\n\nElement at on PE pe, at once: " what)
#define NONE_DOC(name, what) \
    SHEAF_METHOD(#name, name, #name "($self, pe, at=0, context=None)\n--\n\nElement at on PE pe, at once: " what)
#define INTEGERS " Arrays of 4- and 8-byte integers."
#define NUMBERS  " Arrays of 4- and 8-byte integers and floats."

PyMethodDef sheaf_atomic_methods[] = {
    VALUE_DOC(atomic_add, "adds value." INTEGERS),
    VALUE_DOC(atomic_set, "becomes value." NUMBERS),
    VALUE_DOC(atomic_and, "bitwise and with value." INTEGERS),
    VALUE_DOC(atomic_or, "bitwise or with value." INTEGERS),
    VALUE_DOC(atomic_xor, "bitwise exclusive or with value." INTEGERS),
    VALUE_DOC(atomic_fetch_add, "adds value; returns what it was." INTEGERS),
    VALUE_DOC(atomic_fetch_and, "bitwise and with value; returns what it was." INTEGERS),
    VALUE_DOC(atomic_fetch_or, "bitwise or with value; returns what it was." INTEGERS),
    VALUE_DOC(atomic_fetch_xor, "bitwise exclusive or with value; returns what it was." INTEGERS),
    VALUE_DOC(atomic_swap, "becomes value; returns what it was." NUMBERS),
    NONE_DOC(atomic_inc, "adds 1." INTEGERS),
    NONE_DOC(atomic_fetch_inc, "adds 1; returns what it was." INTEGERS),
    NONE_DOC(atomic_fetch, "returns it." NUMBERS),
    SHEAF_METHOD("atomic_compare_swap", atomic_compare_swap,
                 "atomic_compare_swap($self, condition, value, pe, at=0, context=None)\n--\n\nElement at on PE pe, at "
                 "once: becomes value where it equals condition; returns what it was." INTEGERS),
    {NULL, NULL, 0, NULL}};
