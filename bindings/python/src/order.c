/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order between PEs: barrier, quiet, fence, locks.
 */
#include "core.h"

static PyObject *barrier(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    if (sheaf_ready("barrier"))
        return NULL;
    SHEAF_BEGIN_WAIT
    shmem_barrier_all();
    Py_END_ALLOW_THREADS
    return PyErr_CheckSignals() ? NULL : (Py_INCREF(Py_None), Py_None);
}

/* Order: of all PEs, or of those of a list. */
static PyObject *quiet(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"quiet", 0, {"context", "pes"}};
    PyObject *values[8];
    if (sheaf_ready("quiet") || sheaf_arguments(&signature, args, nargs, names, values))
        return NULL;
    PyObject *context = values[0] ? values[0] : Py_None;
    bool all = !values[1] || values[1] == Py_None;
    if (context != Py_None && sheaf_need_context("quiet", context))
        return NULL;
    Py_ssize_t count = 0;
    int in_all = sheaf_context_pes(context);
    int *pes = all ? NULL : sheaf_pes_of("quiet", values[1], in_all, &count);
    if (!pes && !all)
        return NULL;
    SHEAF_BEGIN_WAIT
    if (all)
        shmem_ctx_quiet(sheaf_context_handle(context));
    else
        shmem_ctx_pe_quiet(sheaf_context_handle(context), pes, (size_t)count);
    Py_END_ALLOW_THREADS
    PyMem_Free(pes);
    if (PyErr_CheckSignals())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *fence(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"fence", 0, {"context"}};
    PyObject *values[8];
    if (sheaf_ready("fence") || sheaf_arguments(&signature, args, nargs, names, values))
        return NULL;
    PyObject *context = values[0] ? values[0] : Py_None;
    if (context != Py_None && sheaf_need_context("fence", context))
        return NULL;
    SHEAF_BEGIN_WAIT
    shmem_ctx_fence(sheaf_context_handle(context));
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* Locks: one symmetric integer of 8 bytes. */
static PyObject *lock_call(PyObject *array, const char *call, int (*work)(long *))
{
    size_t count;
    char *lock = sheaf_ready(call) ? NULL : sheaf_whole(call, "lock", array, &count);
    int result;
    if (!lock)
        return NULL;
    SHEAF_BEGIN_WAIT
    result = work((long *)lock);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(result == 0);
}

static int lock_set(long *lock)
{
    shmem_set_lock(lock);
    return 0;
}

static int lock_clear(long *lock)
{
    shmem_clear_lock(lock);
    return 0;
}

static PyObject *set_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "acquire", lock_set);
}

static PyObject *clear_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "release", lock_clear);
}

static PyObject *test_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "try_acquire", shmem_test_lock);
}

PyMethodDef sheaf_order_functions[] = {
    {"barrier", barrier, METH_NOARGS,
     "barrier()\n--\n\nWaits until all PEs are here and all their puts have arrived. Collective."},
    SHEAF_METHOD("quiet", quiet, "quiet(context=None, pes=None)\n--\n\n"),
    SHEAF_METHOD("fence", fence, "fence(context=None)\n--\n\n"),
    {"set_lock", set_lock, METH_O, "set_lock(array, /)\n--\n\n"},
    {"clear_lock", clear_lock, METH_O, "clear_lock(array, /)\n--\n\n"},
    {"test_lock", test_lock, METH_O, "test_lock(array, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};
