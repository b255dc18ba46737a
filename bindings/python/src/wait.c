/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for elements of this PE's arrays. A wait is a loop of tests, so that Ctrl-C ends it: tests make the
 * library's progress and give the processor away by themselves, and a long wait sleeps between them.
 */
#include "core.h"

#include <time.h>

struct wait {
    const char *call;
    char *start;
    size_t count;
    int comparison;
    enum sheaf_kind kind;
    union sheaf_element value;
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

/* How many satisfy the comparison, and which first. */
static size_t test_some(const struct wait *w, size_t *which)
{
    switch (w->kind) {
#define CASE(kind, type, name) \
    case kind: return shmem_##type##_test_some((void *)w->start, w->count, which, NULL, w->comparison, w->value.name);
        TYPED(CASE)
#undef CASE
    default: return 0;
    }
}

static bool test_one(const struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name) \
    case kind: return shmem_##type##_test((void *)w->start, w->comparison, w->value.name);
        TYPED(CASE)
#undef CASE
    default: return false;
    }
}

static bool test_all(const struct wait *w)
{
    switch (w->kind) {
#define CASE(kind, type, name) \
    case kind: return shmem_##type##_test_all((void *)w->start, w->count, NULL, w->comparison, w->value.name);
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
static int wait_for(const struct wait *w, bool (*is_done)(const struct wait *))
{
    if (is_done(w))
        return 0;
    double begun = now();
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

static int plan(struct wait *w, PyObject *self, PyObject *comparison, PyObject *value)
{
    if (comparison_of(w->call, comparison, &w->comparison))
        return -1;
    w->kind = sheaf_kind_of((PyArrayObject *)self);
    if (w->kind < SHEAF_I32 || w->kind > SHEAF_U64) {
        sheaf_unfit_kind(w->call, "array", (PyArrayObject *)self);
        return -1;
    }
    return sheaf_element_from(w->call, "value", w->kind, value, &w->value);
}

static int plan_one(struct wait *w, SHEAF_CALL)
{
    const struct sheaf_signature signature = {w->call, 2, {"comparison", "value", "at"}};
    PyObject *values[8];
    return sheaf_ready(w->call) || sheaf_arguments(&signature, args, nargs, names, values) ||
           !(w->start = sheaf_elements(w->call, self, values[2], 1)) || plan(w, self, values[0], values[1]);
}

static int plan_set(struct wait *w, SHEAF_CALL)
{
    const struct sheaf_signature signature = {w->call, 2, {"comparison", "value"}};
    PyObject *values[8];
    return sheaf_ready(w->call) || sheaf_arguments(&signature, args, nargs, names, values) ||
           !(w->start = sheaf_whole(w->call, "array", self, &w->count)) || plan(w, self, values[0], values[1]);
}

static PyObject *wait_until(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until"};
    if (plan_one(&w, self, args, nargs, names) || wait_for(&w, test_one))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *test(SHEAF_CALL)
{
    struct wait w = {.call = "test"};
    return plan_one(&w, self, args, nargs, names) ? NULL : PyBool_FromLong(test_one(&w));
}

static PyObject *wait_until_all(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until_all"};
    if (plan_set(&w, self, args, nargs, names) || wait_for(&w, test_all))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *all_hold(SHEAF_CALL)
{
    struct wait w = {.call = "test_all"};
    return plan_set(&w, self, args, nargs, names) ? NULL : PyBool_FromLong(test_all(&w));
}

static bool any(const struct wait *w)
{
    struct wait one = *w;
    size_t bytes = w->kind == SHEAF_I32 || w->kind == SHEAF_U32 ? 4 : 8;
    for (size_t i = 0; i < w->count; i++, one.start += bytes)
        if (test_one(&one))
            return true;
    return false;
}

/* The places that hold now, as a list. */
static PyObject *places(const struct wait *w)
{
    size_t *which = PyMem_Malloc((w->count + 1) * sizeof *which);
    if (!which)
        return PyErr_NoMemory();
    size_t found = w->count ? test_some(w, which) : 0;
    PyObject *list = PyList_New((Py_ssize_t)found);
    for (size_t i = 0; list && i < found; i++)
        PyList_SetItem(list, (Py_ssize_t)i, PyLong_FromSize_t(which[i]));
    PyMem_Free(which);
    return list;
}

static PyObject *wait_until_some(SHEAF_CALL)
{
    struct wait w = {.call = "wait_until_some"};
    if (plan_set(&w, self, args, nargs, names))
        return NULL;
    if (!w.count)
        return sheaf_wrong(w.call, "array", "has no elements: the wait would not end");
    return wait_for(&w, any) ? NULL : places(&w);
}

static PyObject *test_places(SHEAF_CALL)
{
    struct wait w = {.call = "test_some"};
    return plan_set(&w, self, args, nargs, names) ? NULL : places(&w);
}

#define KINDS "\n\nArrays of 4- and 8-byte integers, of this PE; comparison is \"==\", \"!=\", \">\", \"<=\", \"<\" or \">=\"."
PyMethodDef sheaf_wait_methods[] = {
    SHEAF_METHOD("wait_until", wait_until,
                 "wait_until($self, comparison, value, at=0)\n--\n\n"
                 "Waits until element at compares so with value. Ctrl-C ends the wait." KINDS),
    SHEAF_METHOD("test", test,
                 "test($self, comparison, value, at=0)\n--\n\nWhether element at compares so with value." KINDS),
    SHEAF_METHOD("wait_until_all", wait_until_all,
                 "wait_until_all($self, comparison, value)\n--\n\nWaits until all elements compare so." KINDS),
    SHEAF_METHOD("test_all", all_hold,
                 "test_all($self, comparison, value)\n--\n\nWhether all elements compare so." KINDS),
    SHEAF_METHOD("wait_until_some", wait_until_some,
                 "wait_until_some($self, comparison, value)\n--\n\n"
                 "Waits until an element compares so; returns the places in row order of all that do." KINDS),
    SHEAF_METHOD("test_some", test_places,
                 "test_some($self, comparison, value)\n--\n\nThe places in row order of the elements that compare so." KINDS),
    {NULL, NULL, 0, NULL}};
