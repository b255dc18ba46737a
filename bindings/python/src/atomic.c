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
    union sheaf_element *later; /* where the result is written by the context's next quiet; NULL: at once */
    int pe;
};

#define RESULTLESS(name, type, op, word) \
    case op: shmem_ctx_##type##_atomic_##word(r->context, r->at, r->value.name, r->pe); return 0;
#define FETCHING(name, type, op, word)                                                                       \
    case op:                                                                                                 \
        if (r->later)                                                                                        \
            shmem_ctx_##type##_atomic_##word##_nbi(r->context, &r->later->name, r->at, r->value.name, r->pe); \
        else                                                                                                 \
            r->result.name = shmem_ctx_##type##_atomic_##word(r->context, r->at, r->value.name, r->pe);      \
        return 0;
#define VALUELESS(name, type, op, word)                                                                      \
    case op:                                                                                                 \
        if (r->later)                                                                                        \
            shmem_ctx_##type##_atomic_##word##_nbi(r->context, &r->later->name, r->at, r->pe);               \
        else                                                                                                 \
            r->result.name = shmem_ctx_##type##_atomic_##word(r->context, r->at, r->pe);                     \
        return 0;
#define EXTENDED(name, type)                                                                       \
    RESULTLESS(name, type, SET, set)                                                               \
    FETCHING(name, type, SWAP, swap)                                                               \
    VALUELESS(name, type, FETCH, fetch)
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
            VALUELESS(name, type, FETCH_INC, fetch_inc)                                            \
        case COMPARE_SWAP:                                                                         \
            if (r->later)                                                                          \
                shmem_ctx_##type##_atomic_compare_swap_nbi(                                        \
                    r->context, &r->later->name, r->at, r->condition.name, r->value.name, r->pe);  \
            else                                                                                   \
                r->result.name = shmem_ctx_##type##_atomic_compare_swap(                           \
                    r->context, r->at, r->condition.name, r->value.name, r->pe);                   \
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
    enum { RETURNS_NOTHING, FETCHES, FETCHES_LATER } result;
    int condition, value, pe;
    struct sheaf_signature signature;
};

static int plan(const struct form *form, struct request *request, struct sheaf_route *route, PyObject *self,
                PyObject *const *values)
{
    const char *call = form->signature.call;
    PyArrayObject *array = (PyArrayObject *)self;
    if (sheaf_route_to(call, values[form->pe], values[form->pe + 2], route) ||
        !(request->at = sheaf_elements(call, "value", self, values[form->pe + 1], 1)) ||
        sheaf_need_aligned(call, "array", self))
        return -1;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || !by_kind[kind])
        return sheaf_unfit_kind(call, "array", array), -1;
    request->context = route->context;
    request->pe = route->pe;
    request->later = NULL;
    return (form->value >= 0 && sheaf_element_from(call, "value", kind, values[form->value], &request->value)) ||
           (form->condition >= 0 &&
            sheaf_element_from(call, "condition", kind, values[form->condition], &request->condition));
}

static PyObject *perform(const struct form *form, SHEAF_CALL)
{
    const char *call = form->signature.call;
    PyObject *values[8];
    struct request request;
    struct sheaf_route route;
    if (sheaf_ready(call) || sheaf_arguments(&form->signature, args, nargs, names, values) ||
        plan(form, &request, &route, self, values))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of((PyArrayObject *)self);
    struct sheaf_pending *pending = NULL;
    if (form->result == FETCHES_LATER) {
        if (!(pending = sheaf_pending_new(self, NULL, values[form->pe + 2], kind)))
            return NULL;
        request.later = &pending->result;
    }
    SHEAF_BEGIN_MOVING(route.is_far);
    int unfit = by_kind[kind](form->operation, &request);
    SHEAF_END_MOVING();
    if (unfit) {
        Py_XDECREF(pending);
        return sheaf_unfit_kind(call, "array", (PyArrayObject *)self);
    }
    if (pending)
        return (PyObject *)pending;
    if (form->result == FETCHES)
        return sheaf_element_to(kind, &request.result);
    Py_RETURN_NONE;
}

#define OF_VALUE(name, op, result)                                                                             \
    static PyObject *name(SHEAF_CALL)                                                                          \
    {                                                                                                          \
        static const struct form form = {op, result, -1, 0, 1, {#name, 2, {"value", "pe", "at", "context"}}};  \
        return perform(&form, self, args, nargs, names);                                                       \
    }
#define OF_NONE(name, op, result)                                                                              \
    static PyObject *name(SHEAF_CALL)                                                                          \
    {                                                                                                          \
        static const struct form form = {op, result, -1, -1, 0, {#name, 1, {"pe", "at", "context"}}};          \
        return perform(&form, self, args, nargs, names);                                                       \
    }
#define OF_CONDITION(name, op, result)                                                                         \
    static PyObject *name(SHEAF_CALL)                                                                          \
    {                                                                                                          \
        static const struct form form = {                                                                      \
            op, result, 0, 1, 2, {#name, 3, {"condition", "value", "pe", "at", "context"}}};                   \
        return perform(&form, self, args, nargs, names);                                                       \
    }
#define BOTH(of, name, op) of(name, op, FETCHES) of(name##_nbi, op, FETCHES_LATER)
OF_VALUE(atomic_add, ADD, RETURNS_NOTHING)
OF_VALUE(atomic_set, SET, RETURNS_NOTHING)
OF_VALUE(atomic_and, AND, RETURNS_NOTHING)
OF_VALUE(atomic_or, OR, RETURNS_NOTHING)
OF_VALUE(atomic_xor, XOR, RETURNS_NOTHING)
OF_NONE(atomic_inc, INC, RETURNS_NOTHING)
BOTH(OF_VALUE, atomic_fetch_add, FETCH_ADD)
BOTH(OF_VALUE, atomic_fetch_and, FETCH_AND)
BOTH(OF_VALUE, atomic_fetch_or, FETCH_OR)
BOTH(OF_VALUE, atomic_fetch_xor, FETCH_XOR)
BOTH(OF_VALUE, atomic_swap, SWAP)
BOTH(OF_NONE, atomic_fetch_inc, FETCH_INC)
BOTH(OF_NONE, atomic_fetch, FETCH)
BOTH(OF_CONDITION, atomic_compare_swap, COMPARE_SWAP)

#define VALUE_DOC(name, what) \
    SHEAF_METHOD(#name, name, #name "($self, value, pe, at=0, context=None)\n--\n\nElement at on PE pe, at once: " what)
#define NONE_DOC(name, what) \
    SHEAF_METHOD(#name, name, #name "($self, pe, at=0, context=None)\n--\n\nElement at on PE pe, at once: " what)
#define LATER    " Does not wait: returns a Pending, whose wait() returns what it was."
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
    VALUE_DOC(atomic_fetch_add_nbi, "adds value." LATER INTEGERS),
    VALUE_DOC(atomic_fetch_and_nbi, "bitwise and with value." LATER INTEGERS),
    VALUE_DOC(atomic_fetch_or_nbi, "bitwise or with value." LATER INTEGERS),
    VALUE_DOC(atomic_fetch_xor_nbi, "bitwise exclusive or with value." LATER INTEGERS),
    VALUE_DOC(atomic_swap_nbi, "becomes value." LATER NUMBERS),
    NONE_DOC(atomic_fetch_inc_nbi, "adds 1." LATER INTEGERS),
    NONE_DOC(atomic_fetch_nbi, "is read." LATER NUMBERS),
    SHEAF_METHOD("atomic_compare_swap_nbi", atomic_compare_swap_nbi,
                 "atomic_compare_swap_nbi($self, condition, value, pe, at=0, context=None)\n--\n\nElement at on PE pe, at "
                 "once: becomes value where it equals condition." LATER INTEGERS),
    {NULL, NULL, 0, NULL}};
