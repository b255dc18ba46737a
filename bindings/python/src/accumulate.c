/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulate: alpha times an array added to another PE's, by elements.
 */
#include "core.h"

struct sum {
    enum sheaf_kind kind;
    union sheaf_element alpha;
};

/* C's complex numbers lie as two of their parts. */
static float _Complex c64(const union sheaf_element *e)
{
    float _Complex value;
    __builtin_memcpy(&value, e->c64, sizeof value);
    return value;
}

static double _Complex c128(const union sheaf_element *e)
{
    double _Complex value;
    __builtin_memcpy(&value, e->c128, sizeof value);
    return value;
}

_Static_assert(sizeof(int) == 4 && sizeof(long) == 8, "the types that shmemx.h has accumulate for");
#define KINDS(X)                                                                                   \
    X(SHEAF_I32, int, sum->alpha.i32) X(SHEAF_I64, long, sum->alpha.i64)                           \
    X(SHEAF_F32, float, sum->alpha.f32) X(SHEAF_F64, double, sum->alpha.f64)                       \
    X(SHEAF_C64, complexf, c64(&sum->alpha)) X(SHEAF_C128, complexd, c128(&sum->alpha))

static void start(const struct sheaf_transfer *t, const void *how, shmemx_handle_t *handle)
{
    const struct sum *sum = how;
    struct sheaf_runs runs;
    sheaf_transfer_runs(t, &runs);
    switch (sum->kind) {
#define CASE(kind, type, alpha)                                                                    \
    case kind:                                                                                     \
        shmemx_ctx_##type##_accumulate_strided_nb(t->route.context, (void *)t->there, (void *)t->here, alpha,       \
                                                  runs.there, runs.here, runs.counts, runs.dims, t->route.pe, handle); \
        return;
        KINDS(CASE)
#undef CASE
    default: return;
    }
}

static void add(const struct sheaf_transfer *t, const struct sum *sum)
{
    struct sheaf_runs runs;
    sheaf_transfer_runs(t, &runs);
    switch (sum->kind) {
#define CASE(kind, type, alpha)                                                                    \
    case kind:                                                                                     \
        shmemx_ctx_##type##_accumulate_strided(t->route.context, (void *)t->there, (void *)t->here, alpha,     \
                                               runs.there, runs.here, runs.counts, runs.dims, t->route.pe);    \
        return;
        KINDS(CASE)
#undef CASE
    default: return;
    }
}

/* The transfer's local is the caller's to drop, where there is one: also of a plan that fails. */
static int plan(const char *call, struct sheaf_transfer *t, struct sum *sum, SHEAF_CALL)
{
    const struct sheaf_signature signature = {call, 2, {"source", "pe", "alpha", "at", "context"}};
    PyObject *values[8];
    *t = (struct sheaf_transfer){.array = (PyArrayObject *)self};
    if (sheaf_ready(call) || sheaf_arguments(&signature, args, nargs, names, values))
        return -1;
    sum->kind = sheaf_kind_of(t->array);
    bool fits = (sum->kind >= SHEAF_I32 && sum->kind <= SHEAF_C128) && sum->kind != SHEAF_U32 &&
                sum->kind != SHEAF_U64 && sum->kind != SHEAF_LONG_DOUBLE;
    if (!fits)
        return sheaf_unfit_kind(call, "array", t->array), -1;
    PyObject *one = values[2] ? values[2] : PyLong_FromLong(1);
    int failed = !one || sheaf_element_from(call, "alpha", sum->kind, one, &sum->alpha);
    if (!values[2])
        Py_XDECREF(one);
    return failed || sheaf_need_aligned(call, "array", self) ||
           !(t->local = sheaf_local(call, "source", values[0], t->array, false)) ||
           sheaf_need_aligned(call, "source", (PyObject *)t->local) ||
           sheaf_transfer_plan(call, "source", t, values[1], values[3], values[4]);
}

static PyObject *accumulate(SHEAF_CALL)
{
    struct sheaf_transfer t;
    struct sum sum;
    int failed = plan("accumulate", &t, &sum, self, args, nargs, names);
    if (!failed) {
        SHEAF_BEGIN_MOVING(t.route.is_far || t.bytes > 4096);
        add(&t, &sum);
        SHEAF_END_MOVING();
    }
    Py_XDECREF(t.local);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *accumulate_nbi(SHEAF_CALL)
{
    struct sheaf_transfer t;
    struct sum sum;
    if (!plan("accumulate_nbi", &t, &sum, self, args, nargs, names))
        return sheaf_handle_new(&t, start, &sum);
    Py_XDECREF(t.local);
    return NULL;
}

PyMethodDef sheaf_accumulate_methods[] = {
    SHEAF_METHOD("accumulate", accumulate,
                 "accumulate($self, source, pe, alpha=1, at=None, context=None)\n--\n\n"
                 "Adds alpha times source to this array on PE pe, from element at (in row order) on; each element at once.\n\n"
                 "source: as of put. int32, int64, float32, float64, complex64, complex128. The target has the sums after\n"
                 "quiet or barrier."),
    SHEAF_METHOD("accumulate_nbi", accumulate_nbi,
                 "accumulate_nbi($self, source, pe, alpha=1, at=None, context=None)\n--\n\n"
                 "As accumulate, without waiting: returns a Handle. source is left alone until it is complete."),
    {NULL, NULL, 0, NULL}};
