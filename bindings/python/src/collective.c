/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives on arrays. Both arrays are symmetric, contiguous and of one type; the calls count elements.
 */
#include "core.h"

#include <stdlib.h>

struct pair {
    const char *call;
    PyArrayObject *array;
    char *dest, *source;
    size_t dest_count, source_count, item;
    shmem_team_t team;
    int pes;
    PyObject *views[2]; /* of dest and source */
};

static void drop_views(struct pair *p)
{
    Py_XDECREF(p->views[0]);
    Py_XDECREF(p->views[1]);
}
#define PAIR(name) __attribute__((cleanup(drop_views))) struct pair p = {.call = (name)}

static int need_fit(const struct pair *p, PyArrayObject *source)
{
    if (!PyArray_ISWRITEABLE(p->array))
        sheaf_wrong(p->call, "dest", "may not be written to");
    else if (!PyArray_EquivTypes(PyArray_DESCR(p->array), PyArray_DESCR(source)))
        sheaf_wrong(p->call, "source", "is of another type than dest");
    else
        return 0;
    return -1;
}

/* source None is dest: in place. */
static int plan(struct pair *p, PyObject *dest, PyObject *source, PyObject *team)
{
    if (source == NULL || source == Py_None)
        source = dest;
    if (sheaf_ready(p->call) || !(p->views[0] = sheaf_view_of(p->call, "dest", dest)) ||
        !(p->views[1] = sheaf_view_of(p->call, "source", source)) ||
        !(p->dest = sheaf_whole(p->call, "dest", p->views[0], &p->dest_count)) ||
        !(p->source = sheaf_whole(p->call, "source", p->views[1], &p->source_count)) ||
        sheaf_team_of(p->call, team, &p->team, &p->pes))
        return -1;
    p->array = (PyArrayObject *)p->views[0];
    p->item = (size_t)PyArray_ITEMSIZE(p->array);
    if (p->dest != p->source && p->dest < p->source + p->source_count * p->item &&
        p->source < p->dest + p->dest_count * p->item)
        return sheaf_wrong(p->call, "source", "overlaps dest"), -1;
    return need_fit(p, (PyArrayObject *)p->views[1]);
}

static int need_equal(const struct pair *p)
{
    if (p->dest_count == p->source_count)
        return 0;
    sheaf_wrong(p->call, "source", "has %zu elements and dest %zu", p->source_count, p->dest_count);
    return -1;
}

static PyObject *end(const char *call, int failed)
{
    if (failed)
        return sheaf_failed(call, "the library refused it (%d)", failed);
    if (PyErr_CheckSignals())
        return NULL;
    Py_RETURN_NONE;
}

/* Reductions: per kind a function, or none. */
typedef int (*reduction)(shmem_team_t team, void *dest, const void *source, size_t count);
#define REDUCTION(type, word) (reduction)shmem_##type##_##word
#define BITS(word) \
    [SHEAF_I8] = REDUCTION(int8, word), [SHEAF_I16] = REDUCTION(int16, word), \
    [SHEAF_I32] = REDUCTION(int32, word), [SHEAF_I64] = REDUCTION(int64, word), \
    [SHEAF_U8] = REDUCTION(uint8, word), [SHEAF_U16] = REDUCTION(uint16, word), \
    [SHEAF_U32] = REDUCTION(uint32, word), [SHEAF_U64] = REDUCTION(uint64, word)
#define REALS(word) \
    BITS(word), [SHEAF_F32] = REDUCTION(float, word), [SHEAF_F64] = REDUCTION(double, word), \
    [SHEAF_LONG_DOUBLE] = REDUCTION(longdouble, word)
#define NUMBERS(word) \
    REALS(word), [SHEAF_C64] = REDUCTION(complexf, word), [SHEAF_C128] = REDUCTION(complexd, word)

static const struct {
    const char *name;
    reduction by_kind[SHEAF_KINDS];
} reductions[] = {{"sum", {NUMBERS(sum_reduce)}}, {"prod", {NUMBERS(prod_reduce)}},
                  {"min", {REALS(min_reduce)}},   {"max", {REALS(max_reduce)}},
                  {"and", {BITS(and_reduce)}},    {"or", {BITS(or_reduce)}},
                  {"xor", {BITS(xor_reduce)}}};
static const reduction scans[2][SHEAF_KINDS] = {{NUMBERS(sum_inscan)}, {NUMBERS(sum_exscan)}};

static int reduction_of(PyObject *op, size_t *which)
{
    size_t count = sizeof reductions / sizeof *reductions;
    for (*which = 0; *which < count; ++*which)
        if (!op ? true : PyUnicode_Check(op) && !PyUnicode_CompareWithASCIIString(op, reductions[*which].name))
            return 0;
    sheaf_wrong("reduce", "op", "must be one of \"sum\", \"prod\", \"min\", \"max\", \"and\", \"or\", \"xor\"");
    return -1;
}

/* numpy.bool_ is 0 or 1: its bitwise reductions, minimum and maximum are those of uint8. */
static PyObject *run(const struct pair *p, reduction by_kind[SHEAF_KINDS], bool fits_bool)
{
    enum sheaf_kind kind = sheaf_kind_of(p->array);
    if (kind == SHEAF_OTHER || !by_kind[kind] || (PyArray_TYPE(p->array) == NPY_BOOL && !fits_bool))
        return sheaf_unfit_kind(p->call, "dest", p->array);
    int failed;
    SHEAF_BEGIN_WAIT
    failed = by_kind[kind](p->team, p->dest, p->source, p->dest_count);
    Py_END_ALLOW_THREADS
    return end(p->call, failed);
}

static PyObject *reduce(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"reduce", 1, {"dest", "source", "op", "team"}};
    PyObject *values[8];
    PAIR("reduce");
    size_t which;
    if (sheaf_arguments(&signature, args, nargs, names, values) || reduction_of(values[2], &which) ||
        plan(&p, values[0], values[1], values[3]) || need_equal(&p))
        return NULL;
    return run(&p, (reduction *)reductions[which].by_kind, which > 1);
}

static PyObject *scan(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"scan", 1, {"dest", "source", "exclusive", "team"}};
    PyObject *values[8];
    PAIR("scan");
    if (sheaf_arguments(&signature, args, nargs, names, values) || plan(&p, values[0], values[1], values[3]) ||
        need_equal(&p))
        return NULL;
    int exclusive = values[2] ? PyObject_IsTrue(values[2]) : 0;
    return exclusive < 0 ? NULL : run(&p, (reduction *)scans[exclusive], false);
}

static PyObject *broadcast(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"broadcast", 1, {"dest", "source", "root", "team"}};
    PyObject *values[8];
    PAIR("broadcast");
    long root = 0;
    int failed;
    if (sheaf_arguments(&signature, args, nargs, names, values) || plan(&p, values[0], values[1], values[3]) ||
        need_equal(&p) || (values[2] && sheaf_integer("broadcast", "root", values[2], 0, &root)))
        return NULL;
    if (root >= p.pes)
        return sheaf_wrong("broadcast", "root", "%ld is no PE: they count from 0 to %d", root, p.pes - 1);
    SHEAF_BEGIN_WAIT
    failed = shmem_broadcastmem(p.team, p.dest, p.source, p.dest_count * p.item, (int)root);
    Py_END_ALLOW_THREADS
    return end(p.call, failed);
}

typedef int (*exchange)(shmem_team_t team, void *dest, const void *source, size_t bytes);

static int need_shares(const struct pair *p, const char *argument, size_t count, size_t share)
{
    if (p->dest == p->source && p->source_count)
        sheaf_wrong(p->call, "source", "may not be dest");
    else if (count != share * (size_t)p->pes)
        sheaf_wrong(p->call, argument, "has %zu elements, not %zu for each of %d PEs", count, share, p->pes);
    else
        return 0;
    return -1;
}

static PyObject *give(const struct pair *p, exchange work, size_t share)
{
    int failed;
    SHEAF_BEGIN_WAIT
    failed = work(p->team, p->dest, p->source, share * p->item);
    Py_END_ALLOW_THREADS
    return end(p->call, failed);
}

static PyObject *fcollect(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"fcollect", 2, {"dest", "source", "team"}};
    PyObject *values[8];
    PAIR("fcollect");
    if (sheaf_arguments(&signature, args, nargs, names, values) || plan(&p, values[0], values[1], values[2]) ||
        need_shares(&p, "dest", p.dest_count, p.source_count))
        return NULL;
    return give(&p, shmem_fcollectmem, p.source_count);
}

static PyObject *alltoall(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"alltoall", 2, {"dest", "source", "team"}};
    PyObject *values[8];
    PAIR("alltoall");
    if (sheaf_arguments(&signature, args, nargs, names, values) || plan(&p, values[0], values[1], values[2]) ||
        need_equal(&p) || need_shares(&p, "dest", p.dest_count, p.dest_count / (size_t)p.pes))
        return NULL;
    return give(&p, shmem_alltoallmem, p.dest_count / (size_t)p.pes);
}

/* alltoalls: one-dimensional arrays whose elements lie apart. */
typedef int (*spread)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dest_step, ptrdiff_t source_step,
                      size_t count);
#define SPREAD(bits) (spread)shmem_uint##bits##_alltoalls

static char *stepped(const char *call, const char *argument, PyObject *object, ptrdiff_t *step)
{
    if (!sheaf_symmetric(call, argument, object))
        return NULL;
    PyArrayObject *array = (PyArrayObject *)object;
    npy_intp item = PyArray_ITEMSIZE(array);
    if (PyArray_NDIM(array) != 1) {
        sheaf_wrong(call, argument, "has %d dimensions, not 1", PyArray_NDIM(array));
        return NULL;
    }
    npy_intp bytes = PyArray_DIM(array, 0) > 1 ? PyArray_STRIDE(array, 0) : item;
    *step = bytes / item;
    if (bytes > 0 && bytes % item == 0)
        return PyArray_DATA(array);
    sheaf_wrong(call, argument, "must be a slice with a step of 1 element or more");
    return NULL;
}

static PyObject *alltoalls(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"alltoalls", 2, {"dest", "source", "team"}};
    static const spread by_size[9] = {[1] = SPREAD(8), [2] = SPREAD(16), [4] = SPREAD(32), [8] = SPREAD(64)};
    PyObject *values[8];
    PAIR("alltoalls");
    ptrdiff_t steps[2];
    if (sheaf_ready(p.call) || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(p.views[0] = sheaf_view_of(p.call, "dest", values[0])) ||
        !(p.views[1] = sheaf_view_of(p.call, "source", values[1])) ||
        !(p.dest = stepped(p.call, "dest", p.views[0], &steps[0])) ||
        !(p.source = stepped(p.call, "source", p.views[1], &steps[1])) ||
        sheaf_team_of(p.call, values[2], &p.team, &p.pes))
        return NULL;
    p.array = (PyArrayObject *)p.views[0];
    p.dest_count = (size_t)PyArray_SIZE(p.array);
    p.source_count = (size_t)PyArray_SIZE((PyArrayObject *)p.views[1]);
    if (need_fit(&p, (PyArrayObject *)p.views[1]) || need_equal(&p) ||
        need_shares(&p, "dest", p.dest_count, p.dest_count / (size_t)p.pes))
        return NULL;
    npy_intp item = PyArray_ITEMSIZE(p.array);
    if (item > 8 || !by_size[item])
        return sheaf_unfit_kind(p.call, "dest", p.array);
    int failed;
    SHEAF_BEGIN_WAIT
    failed = by_size[item](p.team, p.dest, p.source, steps[0], steps[1], p.dest_count / (size_t)p.pes);
    Py_END_ALLOW_THREADS
    return end(p.call, failed);
}

/* What all PEs give, so that a dest that is too small is refused by all before anything is written. */
static int total_of(const struct pair *p, size_t *total)
{
    int failed;
    *total = 0;
    SHEAF_BEGIN_WAIT
    size_t *counts = malloc((size_t)p->pes * sizeof *counts);
    failed = !counts || shmemx_team_exchange(p->team, &p->source_count, sizeof *counts, counts);
    for (int i = 0; !failed && i < p->pes; i++)
        *total += counts[i];
    free(counts);
    Py_END_ALLOW_THREADS
    if (failed)
        sheaf_failed(p->call, "the PEs cannot exchange their sizes");
    return failed;
}

static PyObject *collect(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"collect", 2, {"dest", "source", "team"}};
    PyObject *values[8];
    PAIR("collect");
    size_t total;
    if (sheaf_arguments(&signature, args, nargs, names, values) || plan(&p, values[0], values[1], values[2]))
        return NULL;
    if (p.dest == p.source && p.source_count)
        return sheaf_wrong("collect", "source", "may not be dest");
    if (total_of(&p, &total))
        return NULL;
    if (total > p.dest_count)
        return sheaf_wrong("collect", "dest", "has %zu elements for the %zu of all PEs", p.dest_count, total);
    PyObject *done = give(&p, shmem_collectmem, p.source_count);
    Py_XDECREF(done);
    return done ? PyLong_FromSize_t(total) : NULL;
}

static PyObject *sync_all(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    if (sheaf_ready("sync"))
        return NULL;
    SHEAF_BEGIN_WAIT
    shmem_sync_all();
    Py_END_ALLOW_THREADS
    return end("sync", 0);
}

#define BOTH "\n\nsource is symmetric too, of dest's type. Collective over team (all PEs)."
PyMethodDef sheaf_collective_functions[] = {
    {"sync", sync_all, METH_NOARGS,
     "sync()\n--\n\nWaits until all PEs are here; completes no put, as barrier does. Collective."},
    SHEAF_METHOD("broadcast", broadcast,
                 "broadcast(dest, source=None, root=0, team=None)\n--\n\n"
                 "dest becomes what source (dest itself) is on PE root of the team." BOTH),
    SHEAF_METHOD("reduce", reduce,
                 "reduce(dest, source=None, op='sum', team=None)\n--\n\n"
                 "dest becomes, element by element, the sum (prod, min, max, and, or, xor) over the PEs of source (dest "
                 "itself)." BOTH),
    SHEAF_METHOD("scan", scan,
                 "scan(dest, source=None, exclusive=False, team=None)\n--\n\n"
                 "dest becomes the sum of source (dest itself) over the PEs up to this one; exclusive: those before it." BOTH),
    SHEAF_METHOD("fcollect", fcollect,
                 "fcollect(dest, source, team=None)\n--\n\n"
                 "dest becomes the PEs' sources one behind the other: as many elements as source, times the PEs." BOTH),
    SHEAF_METHOD("collect", collect,
                 "collect(dest, source, team=None)\n--\n\n"
                 "As fcollect, with sources of different sizes; returns how many elements dest has got." BOTH),
    SHEAF_METHOD("alltoall", alltoall,
                 "alltoall(dest, source, team=None)\n--\n\n"
                 "Share i of source goes to PE i, where it becomes the share of dest that has this PE's number." BOTH),
    SHEAF_METHOD("alltoalls", alltoalls,
                 "alltoalls(dest, source, team=None)\n--\n\n"
                 "As alltoall, for slices of one dimension with steps, such as a[::3]; elements of 1, 2, 4 or 8 bytes." BOTH),
    {NULL, NULL, 0, NULL}};
