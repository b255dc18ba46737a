/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for elements of this PE's arrays. A wait is a loop of tests, so that Ctrl-C ends it: tests make the
 * library's progress and give the processor away by themselves, and a long wait sleeps between them.
 */
#include "core.h"

#include <time.h>

/* One value for all elements, or values: one for each. status holds 1 for an element that does not count. */
struct wait {
    const char *call;
    char *start;
    size_t count;
    int comparison;
    enum sheaf_kind kind;
    union sheaf_element value;
    const char *values;
    const int *status;
    PyObject *kept[2];
    size_t any, some, *which; /* found: one, or how many, and room for their places */
};

static int comparison_of(const char *call, PyObject *object, int *comparison)
{
    static const char *const signs[] = {[SHMEM_CMP_EQ] = "==", [SHMEM_CMP_NE] = "!=", [SHMEM_CMP_GT] = ">",
                                        [SHMEM_CMP_LE] = "<=", [SHMEM_CMP_LT] = "<", [SHMEM_CMP_GE] = ">="};
    if (PyUnicode_Check(object))
        for (int i = 0; i < 6; i++)
            if (PyUnicode_CompareWithASCIIString(object, signs[i]) == 0) {
                *comparison = i;
                return 0;
            }
    sheaf_wrong(call, "comparison", "must be one of \"==\", \"!=\", \">\", \"<=\", \"<\", \">=\"");
    return -1;
}

#define TYPED(X) X(SHEAF_I32, int32, i32) X(SHEAF_U32, uint32, u32) X(SHEAF_I64, int64, i64) X(SHEAF_U64, uint64, u64)

/* How many satisfy the comparison, and which. */
static size_t test_some(const struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name)                                                                                       \
    case kind:                                                                                                       \
        return w->values ? shmem_##type##_test_some_vector((void *)w->start, w->count, w->which, w->status, w->comparison, \
                                                           (const void *)w->values)                                  \
                         : shmem_##type##_test_some((void *)w->start, w->count, w->which, w->status, w->comparison,    \
                                                    w->value.name);
        TYPED(CASE)
#undef CASE
    default: return 0;
    }
}

/* Which one does, or SIZE_MAX. */
static size_t test_any(const struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name)                                                                                       \
    case kind:                                                                                                       \
        return w->values ? shmem_##type##_test_any_vector((void *)w->start, w->count, w->status, w->comparison,      \
                                                          (const void *)w->values)                                   \
                         : shmem_##type##_test_any((void *)w->start, w->count, w->status, w->comparison, w->value.name);
        TYPED(CASE)
#undef CASE
    default: return SIZE_MAX;
    }
}

static bool any_holds(struct wait *w)
{
    w->any = test_any(w);
    return w->any != SIZE_MAX;
}

static bool some_hold(struct wait *w)
{
    w->some = test_some(w);
    return w->some > 0;
}

static bool one_holds(struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name) \
    case kind: return shmem_##type##_test((void *)w->start, w->comparison, w->value.name);
        TYPED(CASE)
#undef CASE
    default: return false;
    }
}

static bool all_hold(struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name)                                                                                       \
    case kind:                                                                                                       \
        return w->values ? shmem_##type##_test_all_vector((void *)w->start, w->count, w->status, w->comparison,      \
                                                          (const void *)w->values)                                   \
                         : shmem_##type##_test_all((void *)w->start, w->count, w->status, w->comparison, w->value.name);
        TYPED(CASE)
#undef CASE
    default: return false;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Sleeps grow with the wait, a 16th of it and 1 ms at most: they add little to it. */
static void pause_after(double begun)
{
    double waited = (now() - begun) / 16;
    struct timespec time = {0, (long)(1e9 * (waited < 1e-3 ? waited : 1e-3))};
    nanosleep(&time, NULL);
}

/* Runs without Python's lock until is_done or a signal. */
static int wait_for(struct wait *w, bool (*is_done)(struct wait *))
{
    if (is_done(w))
        return 0;
    double begun = now();
    sheaf_announce_line();
    for (bool done = false; !done;) {
        Py_BEGIN_ALLOW_THREADS
        for (int i = 0; i < 1000 && !done; i++)
            done = is_done(w);
        if (!done)
            pause_after(begun);
        Py_END_ALLOW_THREADS
        if (PyErr_CheckSignals())
            return -1;
    }
    return 0;
}

static int plan(struct wait *w, PyObject *self, PyObject *comparison)
{
    if (comparison_of(w->call, comparison, &w->comparison) || sheaf_need_aligned(w->call, "array", self))
        return -1;
    w->kind = sheaf_kind_of((PyArrayObject *)self);
    if (w->kind >= SHEAF_I32 && w->kind <= SHEAF_U64)
        return 0;
    sheaf_unfit_kind(w->call, "array", (PyArrayObject *)self);
    return -1;
}

static int plan_one(struct wait *w, SHEAF_CALL)
{
    const struct sheaf_signature signature = {w->call, 2, {"comparison", "value", "at"}};
    PyObject *values[8];
    return sheaf_ready(w->call) || sheaf_arguments(&signature, args, nargs, names, values) ||
           !(w->start = sheaf_elements(w->call, "at", self, values[2], 1)) || plan(w, self, values[0]) ||
           sheaf_element_from(w->call, "value", w->kind, values[1], &w->value);
}

/* An array of the caller's with as many elements as the one that is waited for; new. */
static const char *vector(struct wait *w, PyObject *object, PyArrayObject *like)
{
    PyArrayObject *local = sheaf_local(w->call, "value", object, like, false);
    PyObject *array = local ? PyArray_FROM_OF((PyObject *)local, NPY_ARRAY_CARRAY_RO) : NULL;
    Py_XDECREF(local);
    if (!array)
        return NULL;
    w->kept[0] = array;
    if ((size_t)PyArray_SIZE((PyArrayObject *)array) == w->count)
        return PyArray_DATA((PyArrayObject *)array);
    sheaf_wrong(w->call, "value", "has %zd elements for an array of %zu",
                (Py_ssize_t)PyArray_SIZE((PyArrayObject *)array), w->count);
    return NULL;
}

static bool is_number(PyObject *value)
{
    return PyArray_Check(value) ? PyArray_NDIM((PyArrayObject *)value) == 0 : PyIndex_Check(value) != 0;
}

/* where says which elements count; the library asks for those that do not, as integers. */
static int plan_status(struct wait *w, PyObject *where)
{
    if (!where || where == Py_None)
        return 0;
    PyObject *flags = PyArray_FROM_OTF(where, NPY_BOOL, NPY_ARRAY_CARRAY_RO);
    if (!flags)
        return -1;
    PyObject *status = NULL;
    npy_intp count = PyArray_SIZE((PyArrayObject *)flags);
    if ((size_t)count != w->count)
        sheaf_wrong(w->call, "where", "has %zd elements for an array of %zu", (Py_ssize_t)count, w->count);
    else
        status = PyArray_SimpleNew(1, &count, NPY_INT);
    for (npy_intp i = 0; status && i < count; i++)
        ((int *)PyArray_DATA((PyArrayObject *)status))[i] =
            !((const npy_bool *)PyArray_DATA((PyArrayObject *)flags))[i];
    Py_DECREF(flags);
    w->kept[1] = status;
    w->status = status ? PyArray_DATA((PyArrayObject *)status) : NULL;
    return status ? 0 : -1;
}

static int plan_set(struct wait *w, SHEAF_CALL)
{
    const struct sheaf_signature signature = {w->call, 2, {"comparison", "value", "where"}};
    PyObject *values[8];
    if (sheaf_ready(w->call) || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(w->start = sheaf_whole(w->call, "array", self, &w->count)) || plan(w, self, values[0]) ||
        plan_status(w, values[2]))
        return -1;
    if (is_number(values[1]))
        return sheaf_element_from(w->call, "value", w->kind, values[1], &w->value);
    return (w->values = vector(w, values[1], (PyArrayObject *)self)) ? 0 : -1;
}

/* Of a call on a set; result may be NULL. */
static PyObject *end(struct wait *w, PyObject *result)
{
    PyMem_Free(w->which);
    Py_XDECREF(w->kept[0]);
    Py_XDECREF(w->kept[1]);
    return result;
}

static bool counts_any(const struct wait *w)
{
    bool counts = w->count > 0 && !w->status;
    for (size_t i = 0; !counts && i < w->count; i++)
        counts = !w->status[i];
    if (!counts)
        sheaf_wrong(w->call, w->count ? "where" : "array", "%s no elements: the wait would not end",
                    w->count ? "leaves" : "has");
    return counts;
}

static int plan_places(struct wait *w, SHEAF_CALL)
{
    if (plan_set(w, self, args, nargs, names))
        return -1;
    w->which = PyMem_Malloc((w->count + 1) * sizeof *w->which);
    return w->which ? 0 : (PyErr_NoMemory(), -1);
}

static PyObject *places(const struct wait *w)
{
    PyObject *list = PyList_New((Py_ssize_t)w->some);
    for (size_t i = 0; list && i < w->some; i++) {
        PyObject *place = PyLong_FromSize_t(w->which[i]);
        if (!place || PyList_SetItem(list, (Py_ssize_t)i, place))
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *place(size_t which)
{
    if (which == SIZE_MAX)
        Py_RETURN_NONE;
    return PyLong_FromSize_t(which);
}

static PyObject *nothing(void)
{
    Py_RETURN_NONE;
}

static PyObject *wait_until(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until"};
    return plan_one(&w, self, args, nargs, names) || wait_for(&w, one_holds) ? NULL : nothing();
}

static PyObject *test(SHEAF_CALL)
{
    struct wait w = {.call = "test"};
    return plan_one(&w, self, args, nargs, names) ? NULL : PyBool_FromLong(one_holds(&w));
}

static PyObject *wait_until_all(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until_all"};
    return end(&w, plan_set(&w, self, args, nargs, names) || wait_for(&w, all_hold) ? NULL : nothing());
}

static PyObject *test_whether_all(SHEAF_CALL)
{
    struct wait w = {.call = "test_all"};
    return end(&w, plan_set(&w, self, args, nargs, names) ? NULL : PyBool_FromLong(all_hold(&w)));
}

static PyObject *wait_until_any(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until_any"};
    bool done = !plan_set(&w, self, args, nargs, names) && counts_any(&w) && !wait_for(&w, any_holds);
    return end(&w, done ? place(w.any) : NULL);
}

static PyObject *test_which(SHEAF_CALL)
{
    struct wait w = {.call = "test_any"};
    return end(&w, plan_set(&w, self, args, nargs, names) ? NULL : place(test_any(&w)));
}

static PyObject *wait_until_some(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until_some"};
    bool done = !plan_places(&w, self, args, nargs, names) && counts_any(&w) && !wait_for(&w, some_hold);
    return end(&w, done ? places(&w) : NULL);
}

static PyObject *test_places(SHEAF_CALL)
{
    struct wait w = {.call = "test_some"};
    if (plan_places(&w, self, args, nargs, names))
        return end(&w, NULL);
    if (w.count)
        some_hold(&w);
    return end(&w, places(&w));
}

#define COMPARED "\n\nArrays of 4- and 8-byte integers, of this PE; comparison is \"==\", \"!=\", \">\", \"<=\", \"<\" or \">=\"."
#define SET      COMPARED " value is a\nnumber, or an array with one for each element; where, an array of bools, says which elements count."
#define SET_CALL "($self, comparison, value, where=None)\n--\n\n"
PyMethodDef sheaf_wait_methods[] = {
    SHEAF_METHOD("wait_until", wait_until,
                 "wait_until($self, comparison, value, at=0)\n--\n\n"
                 "Waits until element at compares so with value. Ctrl-C ends the wait." COMPARED),
    SHEAF_METHOD("test", test,
                 "test($self, comparison, value, at=0)\n--\n\nWhether element at compares so with value." COMPARED),
    SHEAF_METHOD("wait_until_all", wait_until_all,
                 "wait_until_all" SET_CALL "Waits until all elements compare so." SET),
    SHEAF_METHOD("test_all", test_whether_all, "test_all" SET_CALL "Whether all elements compare so." SET),
    SHEAF_METHOD("wait_until_any", wait_until_any,
                 "wait_until_any" SET_CALL "Waits until an element compares so; returns the place in row order of one." SET),
    SHEAF_METHOD("test_any", test_which,
                 "test_any" SET_CALL "The place in row order of an element that compares so, or None." SET),
    SHEAF_METHOD("wait_until_some", wait_until_some,
                 "wait_until_some" SET_CALL
                 "Waits until an element compares so; returns the places in row order of all that do." SET),
    SHEAF_METHOD("test_some", test_places,
                 "test_some" SET_CALL "The places in row order of the elements that compare so." SET),
    {NULL, NULL, 0, NULL}};
