/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get: whole arrays, runs of elements, single elements, with handles, with a signal.
 */
#include "core.h"

#define LONG_COPY 65536 /* bytes from which on other threads of Python may run meanwhile: 3 us and more */

/* One transfer: the symmetric array and the local one, of one type. Either contiguous, or of one shape. */
struct transfer {
    char *there, *here;
    size_t bytes;
    PyArrayObject *array, *local;
    bool strided;
    struct sheaf_route route;
};

static int plan_strided(const char *call, const char *argument, struct transfer *t, PyObject *at)
{
    if (at && at != Py_None) {
        sheaf_wrong(call, "at", "counts elements of contiguous arrays: slice instead");
        return -1;
    }
    if (PyArray_NDIM(t->array) != PyArray_NDIM(t->local) ||
        !PyArray_CompareLists(PyArray_DIMS(t->array), PyArray_DIMS(t->local), PyArray_NDIM(t->array))) {
        sheaf_wrong(call, argument, "has another shape than the array, and one of them is not contiguous");
        return -1;
    }
    if (PyArray_NDIM(t->array) + 1 > SHMEMX_MAX_DIMS) {
        sheaf_wrong(call, argument, "is not contiguous and has more than %d dimensions", SHMEMX_MAX_DIMS - 1);
        return -1;
    }
    t->there = PyArray_DATA(t->array);
    t->strided = true;
    return 0;
}

/* local is new, and t's: dropped by the caller. */
static int plan(const char *call, const char *argument, struct transfer *t, PyObject *self, PyObject *pe,
                PyObject *at, PyObject *context)
{
    if (sheaf_route_to(call, pe, context, &t->route) || !sheaf_symmetric(call, "array", self))
        return -1;
    t->here = PyArray_DATA(t->local);
    t->bytes = (size_t)PyArray_NBYTES(t->local);
    t->strided = false;
    if (!PyArray_IS_C_CONTIGUOUS(t->array) || !PyArray_IS_C_CONTIGUOUS(t->local))
        return plan_strided(call, argument, t, at);
    t->there = sheaf_elements(call, self, at == Py_None ? NULL : at, (size_t)PyArray_SIZE(t->local));
    return t->there ? 0 : -1;
}

struct runs {
    ptrdiff_t there[SHMEMX_MAX_DIMS], here[SHMEMX_MAX_DIMS];
    size_t counts[SHMEMX_MAX_DIMS];
    int dims;
};

/* A run is one element; innermost dimensions come first. */
static void runs_of(const struct transfer *t, struct runs *runs)
{
    int dims = PyArray_NDIM(t->array);
    runs->counts[0] = (size_t)PyArray_ITEMSIZE(t->array);
    for (int i = 0; i < dims; i++) {
        int from = dims - 1 - i;
        runs->counts[i + 1] = (size_t)PyArray_DIM(t->array, from);
        runs->there[i] = PyArray_STRIDE(t->array, from);
        runs->here[i] = PyArray_STRIDE(t->local, from);
        if (runs->counts[i + 1] == 1) /* NumPy's strides mean nothing there */
            runs->there[i] = runs->here[i] = (ptrdiff_t)runs->counts[0];
    }
    runs->dims = dims + 1;
}

static void move_strided(const struct transfer *t, bool puts)
{
    struct runs runs;
    runs_of(t, &runs);
    if (puts)
        shmemx_ctx_putmem_strided(t->route.context, t->there, t->here, runs.there, runs.here, runs.counts,
                                  runs.dims, t->route.pe);
    else
        shmemx_ctx_getmem_strided(t->route.context, t->here, t->there, runs.here, runs.there, runs.counts,
                                  runs.dims, t->route.pe);
}

static void move_all(const struct transfer *t, bool puts)
{
    if (t->strided)
        move_strided(t, puts);
    else if (puts)
        shmem_ctx_putmem(t->route.context, t->there, t->here, t->bytes, t->route.pe);
    else
        shmem_ctx_getmem(t->route.context, t->here, t->there, t->bytes, t->route.pe);
}

static void move(const struct transfer *t, bool puts)
{
    if (t->bytes < LONG_COPY) {
        move_all(t, puts);
        return;
    }
    Py_BEGIN_ALLOW_THREADS
    move_all(t, puts);
    Py_END_ALLOW_THREADS
}

static PyObject *put(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"put", 2, {"source", "pe", "at", "context"}};
    PyObject *values[8];
    struct transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("put") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("put", "source", values[0], t.array, false)))
        return NULL;
    int failed = plan("put", "source", &t, self, values[1], values[2], values[3]);
    if (!failed)
        move(&t, true);
    Py_DECREF(t.local);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyArrayObject *room_for(PyArrayObject *array, PyObject *count)
{
    npy_intp size = 0;
    PyArray_Descr *descr = PyArray_DESCR(array);
    if (count) {
        long elements;
        if (sheaf_integer("get", "count", count, 0, &elements))
            return NULL;
        size = elements;
    }
    Py_INCREF(descr);
    return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, descr, count ? 1 : PyArray_NDIM(array),
                                                 count ? &size : PyArray_DIMS(array), NULL, NULL, 0, NULL);
}

static PyObject *get(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"get", 1, {"pe", "out", "at", "count", "context"}};
    PyObject *values[8];
    struct transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("get") || sheaf_arguments(&signature, args, nargs, names, values))
        return NULL;
    PyObject *out = values[1] == Py_None ? NULL : values[1];
    PyObject *count = values[3] == Py_None ? NULL : values[3];
    if (out && count)
        return sheaf_wrong("get", "count", "goes without out, whose size says it");
    t.local = out ? sheaf_local("get", "out", out, t.array, true) : room_for(t.array, count);
    if (!t.local)
        return NULL;
    if (plan("get", "out", &t, self, values[0], values[2], values[4])) {
        Py_DECREF(t.local);
        return NULL;
    }
    move(&t, false);
    if (!out)
        return (PyObject *)t.local;
    Py_DECREF(t.local);
    Py_INCREF(out);
    return out;
}

static PyObject *p(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"p", 2, {"value", "pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_route route;
    union sheaf_element element;
    char *there;
    PyArrayObject *array = (PyArrayObject *)self;
    if (sheaf_ready("p") || sheaf_arguments(&signature, args, nargs, names, values) ||
        sheaf_route_to("p", values[1], values[3], &route) || !(there = sheaf_elements("p", self, values[2], 1)))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || kind == SHEAF_LONG_DOUBLE)
        return sheaf_unfit_kind("p", "array", array);
    if (sheaf_element_from("p", "value", kind, values[0], &element))
        return NULL;
    switch (PyArray_ITEMSIZE(array)) {
    case 1: shmem_ctx_uint8_p(route.context, (uint8_t *)there, element.u8, route.pe); break;
    case 2: shmem_ctx_uint16_p(route.context, (uint16_t *)there, element.u16, route.pe); break;
    case 4: shmem_ctx_uint32_p(route.context, (uint32_t *)there, element.u32, route.pe); break;
    case 8: shmem_ctx_uint64_p(route.context, (uint64_t *)there, element.u64, route.pe); break;
    default: shmem_ctx_putmem(route.context, there, &element, (size_t)PyArray_ITEMSIZE(array), route.pe);
    }
    Py_RETURN_NONE;
}

static PyObject *g(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"g", 1, {"pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_route route;
    union sheaf_element element;
    char *there;
    PyArrayObject *array = (PyArrayObject *)self;
    if (sheaf_ready("g") || sheaf_arguments(&signature, args, nargs, names, values) ||
        sheaf_route_to("g", values[0], values[2], &route) || !(there = sheaf_elements("g", self, values[1], 1)))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || kind == SHEAF_LONG_DOUBLE)
        return sheaf_unfit_kind("g", "array", array);
    switch (PyArray_ITEMSIZE(array)) {
    case 1: element.u8 = shmem_ctx_uint8_g(route.context, (uint8_t *)there, route.pe); break;
    case 2: element.u16 = shmem_ctx_uint16_g(route.context, (uint16_t *)there, route.pe); break;
    case 4: element.u32 = shmem_ctx_uint32_g(route.context, (uint32_t *)there, route.pe); break;
    case 8: element.u64 = shmem_ctx_uint64_g(route.context, (uint64_t *)there, route.pe); break;
    default: shmem_ctx_getmem(route.context, &element, there, (size_t)PyArray_ITEMSIZE(array), route.pe);
    }
    if (PyArray_TYPE(array) == NPY_BOOL)
        return PyBool_FromLong(element.u8);
    return sheaf_element_to(kind, &element);
}

/* A transfer under way; it keeps both arrays. */
struct handle {
    PyObject_HEAD
    shmemx_handle_t handle;
    PyObject *array, *local;
};
static PyTypeObject *handle_type;

static void finish(struct handle *handle)
{
    if (handle->handle == SHMEMX_HANDLE_COMPLETE || sheaf_state != SHEAF_UP)
        return;
    Py_BEGIN_ALLOW_THREADS
    shmemx_wait(&handle->handle);
    Py_END_ALLOW_THREADS
}

/* Whoever drops a handle has its transfer completed: the library may not lose the arrays. */
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

static PyObject *handle_wait(PyObject *self, PyObject *none)
{
    (void)none;
    struct handle *handle = (struct handle *)self;
    if (sheaf_ready("wait"))
        return NULL;
    finish(handle);
    Py_INCREF(handle->local);
    return handle->local;
}

static PyObject *handle_test(PyObject *self, PyObject *none)
{
    (void)none;
    struct handle *handle = (struct handle *)self;
    if (sheaf_ready("test"))
        return NULL;
    return PyBool_FromLong(handle->handle == SHMEMX_HANDLE_COMPLETE || shmemx_test(&handle->handle));
}

static void start_moving(struct transfer *t, bool puts, shmemx_handle_t *handle)
{
    struct runs runs = {.counts = {t->bytes}, .dims = 1};
    if (t->strided)
        runs_of(t, &runs);
    if (puts)
        shmemx_ctx_putmem_strided_nb(t->route.context, t->there, t->here, runs.there, runs.here, runs.counts,
                                     runs.dims, t->route.pe, handle);
    else
        shmemx_ctx_getmem_strided_nb(t->route.context, t->here, t->there, runs.here, runs.there, runs.counts,
                                     runs.dims, t->route.pe, handle);
}

static PyObject *begin(const char *call, const char *argument, struct transfer *t, PyObject **values, bool puts)
{
    if (plan(call, argument, t, (PyObject *)t->array, values[1], values[2], values[3])) {
        Py_DECREF(t->local);
        return NULL;
    }
    struct handle *handle = PyObject_New(struct handle, handle_type);
    if (!handle)
        return NULL;
    handle->handle = SHMEMX_HANDLE_COMPLETE;
    Py_INCREF(t->array);
    handle->array = (PyObject *)t->array;
    handle->local = (PyObject *)t->local;
    start_moving(t, puts, &handle->handle);
    return (PyObject *)handle;
}

static PyObject *put_nbi(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"put_nbi", 2, {"source", "pe", "at", "context"}};
    PyObject *values[8];
    struct transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("put_nbi") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("put_nbi", "source", values[0], t.array, false)))
        return NULL;
    return begin("put_nbi", "source", &t, values, true);
}

static PyObject *get_nbi(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"get_nbi", 2, {"out", "pe", "at", "context"}};
    PyObject *values[8];
    struct transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("get_nbi") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("get_nbi", "out", values[0], t.array, true)))
        return NULL;
    return begin("get_nbi", "out", &t, values, false);
}

static int signal_operation(PyObject *name, int *operation)
{
    *operation = SHMEM_SIGNAL_SET;
    if (!name || (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "set") == 0))
        return 0;
    *operation = SHMEM_SIGNAL_ADD;
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "add") == 0)
        return 0;
    sheaf_wrong("put_signal", "op", "must be \"set\" or \"add\"");
    return -1;
}

static uint64_t *signal_at(PyObject *signal)
{
    size_t count;
    char *address = sheaf_whole("put_signal", "signal", signal, &count);
    if (address && count && sheaf_kind_of((PyArrayObject *)signal) == SHEAF_U64)
        return (uint64_t *)address;
    if (address)
        sheaf_wrong("put_signal", "signal", "must be a symmetric array of uint64, whose first element is the signal");
    return NULL;
}

static PyObject *put_signal(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {
        "put_signal", 4, {"source", "signal", "value", "pe", "at", "op", "context"}};
    PyObject *values[8];
    struct transfer t = {.array = (PyArrayObject *)self};
    union sheaf_element value;
    uint64_t *signal;
    int operation;
    if (sheaf_ready("put_signal") || sheaf_arguments(&signature, args, nargs, names, values) ||
        signal_operation(values[5], &operation) || !(signal = signal_at(values[1])) ||
        sheaf_element_from("put_signal", "value", SHEAF_U64, values[2], &value) ||
        !(t.local = sheaf_local("put_signal", "source", values[0], t.array, false)))
        return NULL;
    int failed = plan("put_signal", "source", &t, self, values[3], values[4], values[6]);
    if (!failed && t.strided)
        failed = sheaf_wrong("put_signal", "source", "and the array must be contiguous") == NULL;
    if (!failed)
        shmem_ctx_putmem_signal(t.route.context, t.there, t.here, t.bytes, signal, value.u64, operation,
                                t.route.pe);
    Py_DECREF(t.local);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef sheaf_rma_methods[] = {
    SHEAF_METHOD("put", put,
                 "put($self, source, pe, at=None, context=None)\n--\n\n"
                 "Writes source's elements to this array on PE pe, from element at (in row order) on.\n\n"
                 "source: local, of the array's dtype, any shape that fits; where one of the two is not contiguous, of\n"
                 "the array's shape. It may be changed on return; the target has the data after quiet or barrier."),
    SHEAF_METHOD("get", get,
                 "get($self, pe, out=None, at=None, count=None, context=None)\n--\n\n"
                 "Reads this array from PE pe and returns it: all of it in its shape, or count elements from element\n"
                 "at on. With out, an array of the same dtype, as many elements as it has."),
    SHEAF_METHOD("p", p, "p($self, value, pe, at=0, context=None)\n--\n\nWrites one number to element at on PE pe."),
    SHEAF_METHOD("g", g, "g($self, pe, at=0, context=None)\n--\n\nReads one number from element at on PE pe."),
    SHEAF_METHOD("put_nbi", put_nbi,
                 "put_nbi($self, source, pe, at=None, context=None)\n--\n\n"
                 "As put, without waiting: returns a Handle. source is left alone until the handle is complete."),
    SHEAF_METHOD("get_nbi", get_nbi,
                 "get_nbi($self, out, pe, at=None, context=None)\n--\n\n"
                 "As get, without waiting: returns a Handle. out has the data once the handle is complete."),
    SHEAF_METHOD("put_signal", put_signal,
                 "put_signal($self, source, signal, value, pe, at=None, op='set', context=None)\n--\n\n"
                 "As put; then, once the data has arrived, sets the first element of signal (uint64) on PE pe to value, "
                 "or adds it (op='add')."),
    {NULL, NULL, 0, NULL}};

static PyMethodDef handle_methods[] = {
    {"wait", handle_wait, METH_NOARGS, "wait($self)\n--\n\nWaits until it is complete; returns the local array."},
    {"test", handle_test, METH_NOARGS, "test($self)\n--\n\nWhether it is complete."},
    {NULL, NULL, 0, NULL}};

int sheaf_add_rma(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, drop_handle}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, handle_methods},
                                  {Py_tp_doc, "A put or get under way."}, {0, NULL}};
    static PyType_Spec spec = {"sheaf._core.Handle", sizeof(struct handle), 0, Py_TPFLAGS_DEFAULT, slots};
    handle_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!handle_type)
        return -1;
    Py_INCREF(handle_type);
    return PyModule_AddObject(module, "Handle", (PyObject *)handle_type);
}
