/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations under way: handles of puts, gets and accumulates; and what completes with a quiet.
 */
#include "core.h"

struct handle {
    PyObject_HEAD
    shmemx_handle_t handle;
    unsigned epoch;
    bool is_waited_for; /* by a thread, without Python's lock: handles are one thread's at a time */
    PyObject *array, *local;
};
static PyTypeObject *handle_type, *pending_type;

PyObject *sheaf_handle_new(struct sheaf_transfer *t, void (*start)(const struct sheaf_transfer *t,
                                                                   const void *how, shmemx_handle_t *handle),
                           const void *how)
{
    struct handle *handle = PyObject_New(struct handle, handle_type);
    if (!handle) {
        Py_DECREF(t->local);
        return NULL;
    }
    handle->handle = SHMEMX_HANDLE_COMPLETE;
    handle->epoch = sheaf_epoch;
    handle->is_waited_for = false;
    Py_INCREF(t->array);
    handle->array = (PyObject *)t->array;
    handle->local = (PyObject *)t->local;
    SHEAF_BEGIN_MOVING(t->route.is_far);
    start(t, how, &handle->handle);
    SHEAF_END_MOVING();
    return (PyObject *)handle;
}

/* What was under way when the library was taken down is over. */
static bool is_complete(const struct handle *handle)
{
    return handle->handle == SHMEMX_HANDLE_COMPLETE || sheaf_state != SHEAF_UP || handle->epoch != sheaf_epoch;
}

static void finish(struct handle *handle)
{
    if (is_complete(handle))
        return;
    handle->is_waited_for = true;
    SHEAF_BEGIN_WAIT
    shmemx_wait(&handle->handle);
    Py_END_ALLOW_THREADS
    handle->is_waited_for = false;
}

/* Whoever drops a handle has its operation completed: the library may not lose the arrays. */
static void drop_handle(PyObject *self)
{
    struct handle *handle = (struct handle *)self;
    PyTypeObject *type = Py_TYPE(self);
    finish(handle);
    Py_XDECREF(handle->array);
    Py_XDECREF(handle->local);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int need_handle(const char *call, const struct handle *handle)
{
    if (sheaf_ready(call))
        return -1;
    if (!handle->is_waited_for)
        return 0;
    sheaf_failed(call, "another thread waits for this handle");
    return -1;
}

static PyObject *handle_wait(PyObject *self, PyObject *none)
{
    (void)none;
    struct handle *handle = (struct handle *)self;
    if (need_handle("wait", handle))
        return NULL;
    finish(handle);
    if (PyErr_CheckSignals())
        return NULL;
    Py_INCREF(handle->local);
    return handle->local;
}

static PyObject *handle_test(PyObject *self, PyObject *none)
{
    (void)none;
    struct handle *handle = (struct handle *)self;
    if (need_handle("test", handle))
        return NULL;
    return PyBool_FromLong(is_complete(handle) || shmemx_test(&handle->handle));
}

struct sheaf_pending *sheaf_pending_new(PyObject *array, PyObject *local, PyObject *context, enum sheaf_kind kind)
{
    struct sheaf_pending *pending = PyObject_New(struct sheaf_pending, pending_type);
    if (!pending)
        return NULL;
    pending->context = context ? context : Py_None;
    pending->array = array;
    pending->local = local;
    pending->kind = kind;
    pending->epoch = sheaf_epoch;
    Py_INCREF(pending->context);
    Py_INCREF(array);
    Py_XINCREF(local);
    return pending;
}

/* A context that was destroyed has completed what it had. */
static void complete(struct sheaf_pending *pending)
{
    if (sheaf_state == SHEAF_UP && pending->epoch == sheaf_epoch && sheaf_context_is_live(pending->context)) {
        SHEAF_BEGIN_WAIT
        shmem_ctx_quiet(sheaf_context_handle(pending->context));
        Py_END_ALLOW_THREADS
    }
    pending->epoch = 0;
}

static void drop_pending(PyObject *self)
{
    struct sheaf_pending *pending = (struct sheaf_pending *)self;
    PyTypeObject *type = Py_TYPE(self);
    complete(pending);
    Py_DECREF(pending->array);
    Py_XDECREF(pending->local);
    Py_DECREF(pending->context);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *pending_wait(PyObject *self, PyObject *none)
{
    (void)none;
    struct sheaf_pending *pending = (struct sheaf_pending *)self;
    if (sheaf_ready("wait"))
        return NULL;
    complete(pending);
    if (PyErr_CheckSignals())
        return NULL;
    if (pending->kind != SHEAF_OTHER)
        return sheaf_element_to(pending->kind, &pending->result);
    Py_INCREF(pending->local);
    return pending->local;
}

static PyMethodDef handle_methods[] = {
    {"wait", handle_wait, METH_NOARGS, "wait($self)\n--\n\nWaits until it is complete; returns the local array."},
    {"test", handle_test, METH_NOARGS, "test($self)\n--\n\nWhether it is complete."},
    {NULL, NULL, 0, NULL}};

static PyMethodDef pending_methods[] = {
    {"wait", pending_wait, METH_NOARGS,
     "wait($self)\n--\n\nWaits until it is complete, as quiet of its context does: with all that this PE began there.\n"
     "Returns what was fetched, or the local array of a put."},
    {NULL, NULL, 0, NULL}};

int sheaf_add_handles(PyObject *module)
{
    static PyType_Slot handle_slots[] = {
        {Py_tp_dealloc, drop_handle}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, handle_methods},
        {Py_tp_doc, "A put, get or accumulate under way."}, {0, NULL}};
    static PyType_Slot pending_slots[] = {
        {Py_tp_dealloc, drop_pending}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, pending_methods},
        {Py_tp_doc, "An atomic operation or a put with a signal under way, until its context's quiet."}, {0, NULL}};
    static PyType_Spec handle = {"sheafshmem._core.Handle", sizeof(struct handle), 0, Py_TPFLAGS_DEFAULT, handle_slots};
    static PyType_Spec pending = {"sheafshmem._core.Pending", sizeof(struct sheaf_pending), 0, Py_TPFLAGS_DEFAULT,
                                  pending_slots};
    handle_type = sheaf_add_type(module, "Handle", &handle);
    pending_type = handle_type ? sheaf_add_type(module, "Pending", &pending) : NULL;
    return pending_type ? 0 : -1;
}
