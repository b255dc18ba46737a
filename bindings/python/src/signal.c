/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: elements of uint64 that puts and calls of their own set on another PE, or add to.
 */
#include "core.h"

static int operation_of(const char *call, PyObject *name, int *operation)
{
    *operation = SHMEM_SIGNAL_SET;
    if (!name || (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "set") == 0))
        return 0;
    *operation = SHMEM_SIGNAL_ADD;
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "add") == 0)
        return 0;
    sheaf_wrong(call, "op", "must be \"set\" or \"add\"");
    return -1;
}

static uint64_t *signal_at(const char *call, const char *argument, PyObject *signal, PyObject *at)
{
    char *address = sheaf_elements(call, argument, signal, at, 1);
    if (!address || sheaf_need_aligned(call, argument, signal))
        return NULL;
    if (sheaf_kind_of((PyArrayObject *)signal) == SHEAF_U64)
        return (uint64_t *)address;
    sheaf_wrong(call, argument, "must be a symmetric array of uint64, whose first element is the signal");
    return NULL;
}

struct signalled {
    struct sheaf_transfer transfer;
    uint64_t *signal;
    union sheaf_element value;
    int operation;
    PyObject *context;
};

/* The transfer's local is the caller's to drop, where there is one: also of a plan that fails. */
static int plan(const char *call, struct signalled *s, SHEAF_CALL)
{
    const struct sheaf_signature signature = {
        call, 4, {"source", "signal", "value", "pe", "at", "op", "context"}};
    PyObject *values[8];
    struct sheaf_transfer *t = &s->transfer;
    *t = (struct sheaf_transfer){.array = (PyArrayObject *)self};
    if (sheaf_ready(call) || sheaf_arguments(&signature, args, nargs, names, values) ||
        operation_of(call, values[5], &s->operation) || !(s->signal = signal_at(call, "signal", values[1], NULL)) ||
        sheaf_element_from(call, "value", SHEAF_U64, values[2], &s->value) ||
        !(t->local = sheaf_local(call, "source", values[0], t->array, false)) ||
        sheaf_transfer_plan(call, "source", t, values[3], values[4], values[6]))
        return -1;
    s->context = values[6];
    return t->strided ? (sheaf_wrong(call, "source", "and the array must be contiguous"), -1) : 0;
}

static PyObject *put_signal(SHEAF_CALL)
{
    struct signalled s;
    const struct sheaf_transfer *t = &s.transfer;
    int failed = plan("put_signal", &s, self, args, nargs, names);
    if (!failed) {
        SHEAF_BEGIN_MOVING(t->route.is_far);
        shmem_ctx_putmem_signal(t->route.context, t->there, t->here, t->bytes, s.signal, s.value.u64, s.operation,
                                t->route.pe);
        SHEAF_END_MOVING();
    }
    Py_XDECREF(t->local);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *put_signal_nbi(SHEAF_CALL)
{
    struct signalled s;
    const struct sheaf_transfer *t = &s.transfer;
    struct sheaf_pending *pending = NULL;
    if (!plan("put_signal_nbi", &s, self, args, nargs, names) &&
        (pending = sheaf_pending_new(self, (PyObject *)t->local, s.context, SHEAF_OTHER))) {
        SHEAF_BEGIN_MOVING(t->route.is_far);
        shmem_ctx_putmem_signal_nbi(t->route.context, t->there, t->here, t->bytes, s.signal, s.value.u64,
                                    s.operation, t->route.pe);
        SHEAF_END_MOVING();
    }
    Py_XDECREF(t->local);
    return (PyObject *)pending;
}

static PyObject *update(const char *call, void (*work)(shmem_ctx_t, uint64_t *, uint64_t, int), SHEAF_CALL)
{
    const struct sheaf_signature signature = {call, 2, {"value", "pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_route route;
    union sheaf_element value;
    uint64_t *signal;
    if (sheaf_ready(call) || sheaf_arguments(&signature, args, nargs, names, values) ||
        sheaf_route_to(call, values[1], values[3], &route) || !(signal = signal_at(call, "array", self, values[2])) ||
        sheaf_element_from(call, "value", SHEAF_U64, values[0], &value))
        return NULL;
    SHEAF_BEGIN_MOVING(route.is_far);
    work(route.context, signal, value.u64, route.pe);
    SHEAF_END_MOVING();
    Py_RETURN_NONE;
}

static PyObject *signal_set(SHEAF_CALL)
{
    return update("signal_set", shmem_ctx_signal_set, self, args, nargs, names);
}

static PyObject *signal_add(SHEAF_CALL)
{
    return update("signal_add", shmem_ctx_signal_add, self, args, nargs, names);
}

static PyObject *signal_fetch(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"signal_fetch", 0, {"at"}};
    PyObject *values[8];
    uint64_t *signal;
    if (sheaf_ready("signal_fetch") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(signal = signal_at("signal_fetch", "array", self, values[0])))
        return NULL;
    return PyLong_FromUnsignedLongLong(shmem_signal_fetch(signal));
}

PyMethodDef sheaf_signal_methods[] = {
    SHEAF_METHOD("put_signal", put_signal,
                 "put_signal($self, source, signal, value, pe, at=None, op='set', context=None)\n--\n\n"
                 "As put; then, once the data has arrived, sets the first element of signal (uint64) on PE pe to value, "
                 "or adds it (op='add')."),
    SHEAF_METHOD("put_signal_nbi", put_signal_nbi,
                 "put_signal_nbi($self, source, signal, value, pe, at=None, op='set', context=None)\n--\n\n"
                 "As put_signal, without waiting: returns a Pending. source is left alone until its wait(), or the\n"
                 "context's quiet."),
    SHEAF_METHOD("signal_set", signal_set,
                 "signal_set($self, value, pe, at=0, context=None)\n--\n\n"
                 "Element at (uint64) on PE pe becomes value, atomically. signal.wait_until waits for it there."),
    SHEAF_METHOD("signal_add", signal_add,
                 "signal_add($self, value, pe, at=0, context=None)\n--\n\n"
                 "Adds value to element at (uint64) on PE pe, atomically."),
    SHEAF_METHOD("signal_fetch", signal_fetch,
                 "signal_fetch($self, at=0)\n--\n\nThis PE's own element at (uint64), read atomically."),
    {NULL, NULL, 0, NULL}};
