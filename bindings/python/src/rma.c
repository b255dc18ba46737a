/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get: whole arrays, runs of elements, single elements, with handles.
 */
#include "core.h"

#define LONG_COPY 65536 /* bytes from which on other threads of Python may run meanwhile: 3 us and more */

static void move_strided(const struct sheaf_transfer *t, bool puts)
{
    struct sheaf_runs runs;
    sheaf_transfer_runs(t, &runs);
    if (puts)
        shmemx_ctx_putmem_strided(t->route.context, t->there, t->here, runs.there, runs.here, runs.counts,
                                  runs.dims, t->route.pe);
    else
        shmemx_ctx_getmem_strided(t->route.context, t->here, t->there, runs.here, runs.there, runs.counts,
                                  runs.dims, t->route.pe);
}

static void move_all(const struct sheaf_transfer *t, bool puts)
{
    if (t->strided)
        move_strided(t, puts);
    else if (puts)
        shmem_ctx_putmem(t->route.context, t->there, t->here, t->bytes, t->route.pe);
    else
        shmem_ctx_getmem(t->route.context, t->here, t->there, t->bytes, t->route.pe);
}

static void move(const struct sheaf_transfer *t, bool puts)
{
    SHEAF_BEGIN_MOVING(t->route.is_far || t->bytes >= LONG_COPY);
    move_all(t, puts);
    SHEAF_END_MOVING();
}

static PyObject *put(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"put", 2, {"source", "pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("put") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("put", "source", values[0], t.array, false)))
        return NULL;
    int failed = sheaf_transfer_plan("put", "source", &t, values[1], values[2], values[3]);
    if (!failed)
        move(&t, true);
    Py_DECREF(t.local);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* Nothing is allocated for more elements than there are. */
static PyArrayObject *room_for(PyArrayObject *array, PyObject *at, PyObject *count)
{
    npy_intp size = 0;
    PyArray_Descr *descr = PyArray_DESCR(array);
    if (count) {
        long elements;
        if (sheaf_integer("get", "count", count, 0, &elements) ||
            !sheaf_elements("get", "count", (PyObject *)array, at == Py_None ? NULL : at, (size_t)elements))
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
    struct sheaf_transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("get") || sheaf_arguments(&signature, args, nargs, names, values))
        return NULL;
    PyObject *out = values[1] == Py_None ? NULL : values[1];
    PyObject *count = values[3] == Py_None ? NULL : values[3];
    if (out && count)
        return sheaf_wrong("get", "count", "goes without out, whose size says it");
    t.local = out ? sheaf_local("get", "out", out, t.array, true) : room_for(t.array, values[2], count);
    if (!t.local)
        return NULL;
    if (sheaf_transfer_plan("get", "out", &t, values[0], values[2], values[4])) {
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
        sheaf_route_to("p", values[1], values[3], &route) || !(there = sheaf_elements("p", "value", self, values[2], 1)))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || kind == SHEAF_LONG_DOUBLE)
        return sheaf_unfit_kind("p", "array", array);
    if (sheaf_element_from("p", "value", kind, values[0], &element))
        return NULL;
    if (PyArray_TYPE(array) == NPY_BOOL && element.u8 > 1)
        return sheaf_wrong("p", "value", "%d is no value of type bool", element.u8);
    SHEAF_BEGIN_MOVING(route.is_far);
    switch (PyArray_ITEMSIZE(array)) {
    case 1: shmem_ctx_uint8_p(route.context, (uint8_t *)there, element.u8, route.pe); break;
    case 2: shmem_ctx_uint16_p(route.context, (uint16_t *)there, element.u16, route.pe); break;
    case 4: shmem_ctx_uint32_p(route.context, (uint32_t *)there, element.u32, route.pe); break;
    case 8: shmem_ctx_uint64_p(route.context, (uint64_t *)there, element.u64, route.pe); break;
    default: shmem_ctx_putmem(route.context, there, &element, (size_t)PyArray_ITEMSIZE(array), route.pe);
    }
    SHEAF_END_MOVING();
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
        sheaf_route_to("g", values[0], values[2], &route) || !(there = sheaf_elements("g", "at", self, values[1], 1)))
        return NULL;
    enum sheaf_kind kind = sheaf_kind_of(array);
    if (kind == SHEAF_OTHER || kind == SHEAF_LONG_DOUBLE)
        return sheaf_unfit_kind("g", "array", array);
    SHEAF_BEGIN_MOVING(route.is_far);
    switch (PyArray_ITEMSIZE(array)) {
    case 1: element.u8 = shmem_ctx_uint8_g(route.context, (uint8_t *)there, route.pe); break;
    case 2: element.u16 = shmem_ctx_uint16_g(route.context, (uint16_t *)there, route.pe); break;
    case 4: element.u32 = shmem_ctx_uint32_g(route.context, (uint32_t *)there, route.pe); break;
    case 8: element.u64 = shmem_ctx_uint64_g(route.context, (uint64_t *)there, route.pe); break;
    default: shmem_ctx_getmem(route.context, &element, there, (size_t)PyArray_ITEMSIZE(array), route.pe);
    }
    SHEAF_END_MOVING();
    if (PyArray_TYPE(array) == NPY_BOOL)
        return PyBool_FromLong(element.u8);
    return sheaf_element_to(kind, &element);
}

static void start_moving(const struct sheaf_transfer *t, const void *puts, shmemx_handle_t *handle)
{
    struct sheaf_runs runs;
    sheaf_transfer_runs(t, &runs);
    if (puts)
        shmemx_ctx_putmem_strided_nb(t->route.context, t->there, t->here, runs.there, runs.here, runs.counts,
                                     runs.dims, t->route.pe, handle);
    else
        shmemx_ctx_getmem_strided_nb(t->route.context, t->here, t->there, runs.here, runs.there, runs.counts,
                                     runs.dims, t->route.pe, handle);
}

static PyObject *begin(const char *call, const char *argument, struct sheaf_transfer *t, PyObject **values, bool puts)
{
    if (!sheaf_transfer_plan(call, argument, t, values[1], values[2], values[3]))
        return sheaf_handle_new(t, start_moving, puts ? "" : NULL);
    Py_DECREF(t->local);
    return NULL;
}

static PyObject *put_nbi(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"put_nbi", 2, {"source", "pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("put_nbi") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("put_nbi", "source", values[0], t.array, false)))
        return NULL;
    return begin("put_nbi", "source", &t, values, true);
}

static PyObject *get_nbi(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"get_nbi", 2, {"out", "pe", "at", "context"}};
    PyObject *values[8];
    struct sheaf_transfer t = {.array = (PyArrayObject *)self};
    if (sheaf_ready("get_nbi") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(t.local = sheaf_local("get_nbi", "out", values[0], t.array, true)))
        return NULL;
    return begin("get_nbi", "out", &t, values, false);
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
    {NULL, NULL, 0, NULL}};
