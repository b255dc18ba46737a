/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of the symmetric heap as arrays: allocation, release, where an array lies, a peer's copy of it.
 */
#include "core.h"

static PyTypeObject *block_type;
static struct sheaf_block *own_blocks; /* of this PE: where other packages' arrays may lie */

static void list_block(struct sheaf_block *block)
{
    block->next = own_blocks;
    block->before = &own_blocks;
    if (own_blocks)
        own_blocks->before = &block->next;
    own_blocks = block;
}

static void unlist_block(struct sheaf_block *block)
{
    if (!block->before)
        return;
    *block->before = block->next;
    if (block->next)
        block->next->before = block->before;
}

static void forget_block(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    unlist_block((struct sheaf_block *)self);
    Py_XDECREF(((struct sheaf_block *)self)->space);
    PyObject_Free(self); /* the memory stays: giving it back is collective */
    Py_DECREF(type);
}

static PyObject *new_block(char *start, size_t bytes, int whose, struct sheaf_space *space)
{
    struct sheaf_block *block = PyObject_New(struct sheaf_block, block_type);
    if (block) {
        block->start = start;
        block->bytes = bytes;
        block->epoch = sheaf_epoch;
        block->whose = whose;
        block->space = space;
        Py_XINCREF(space);
        block->before = NULL;
        if (whose == SHEAF_OWN)
            list_block(block);
    }
    return (PyObject *)block;
}

static bool is_live(const struct sheaf_block *block)
{
    return block->epoch == sheaf_epoch && (!block->space || block->space->epoch == sheaf_epoch);
}

/* The block that holds all elements of an array, which came by way of another package. */
static struct sheaf_block *block_around(PyArrayObject *array)
{
    char *first = PyArray_DATA(array), *end = first + PyArray_ITEMSIZE(array);
    for (int i = 0; i < PyArray_NDIM(array); i++) {
        npy_intp reach = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
        *(reach < 0 ? &first : &end) += reach;
    }
    for (struct sheaf_block *block = own_blocks; block && PyArray_SIZE(array); block = block->next)
        if (is_live(block) && first >= block->start && end <= block->start + block->bytes)
            return block;
    return NULL;
}

static struct sheaf_block *block_of(PyObject *object)
{
    PyObject *base = object;
    while (base && PyArray_Check(base))
        base = PyArray_BASE((PyArrayObject *)base);
    if (base && Py_TYPE(base) == block_type)
        return (struct sheaf_block *)base;
    return PyArray_Check(object) ? block_around((PyArrayObject *)object) : NULL;
}

struct sheaf_block *sheaf_symmetric(const char *call, const char *argument, PyObject *array)
{
    struct sheaf_block *block = block_of(array);
    if (__builtin_expect(block && is_live(block) && block->whose == SHEAF_OWN, 1))
        return block;
    if (!PyArray_Check(array))
        sheaf_wrong(call, argument, "must be a symmetric array: of sheafshmem.zeros, empty, full or array");
    else if (!block)
        sheaf_wrong(call, argument, "is not symmetric: only arrays of sheafshmem.zeros, empty, full and array, and views "
                                    "of them, lie in the memory that other PEs reach");
    else if (block->whose == SHEAF_PEER)
        sheaf_wrong(call, argument, "is another PE's memory (of .on()): pass the array of this PE");
    else if (block->epoch && block->epoch != sheaf_epoch)
        sheaf_wrong(call, argument, "is of before sheafshmem.finalize(), which freed it");
    else
        sheaf_wrong(call, argument, block->epoch ? "lay in a space that was destroyed" : "was freed");
    return NULL;
}

int sheaf_need_aligned(const char *call, const char *argument, PyObject *array)
{
    if (PyArray_ISALIGNED((PyArrayObject *)array))
        return 0;
    sheaf_wrong(call, argument, "does not lie at a multiple of its elements' size");
    return -1;
}

char *sheaf_whole(const char *call, const char *argument, PyObject *object, size_t *count)
{
    if (!sheaf_symmetric(call, argument, object))
        return NULL;
    PyArrayObject *array = (PyArrayObject *)object;
    if (!PyArray_IS_C_CONTIGUOUS(array)) {
        sheaf_wrong(call, argument, "is not contiguous: copy it to one that is (numpy.ascontiguousarray)");
        return NULL;
    }
    *count = (size_t)PyArray_SIZE(array);
    return PyArray_DATA(array);
}

char *sheaf_elements(const char *call, const char *argument, PyObject *array, PyObject *at, size_t count)
{
    size_t all;
    long first = 0;
    char *start = sheaf_whole(call, "array", array, &all);
    if (!start || (at && sheaf_integer(call, "at", at, 0, &first)))
        return NULL;
    if (count > all || (size_t)first > all - count) {
        if (count == 1)
            sheaf_wrong(call, "at", "%ld is no element of an array of %zu", first, all);
        else
            sheaf_wrong(call, at ? "at" : argument, "%zu elements from element %ld on do not fit an array of %zu",
                        count, first, all);
        return NULL;
    }
    return start + (size_t)first * (size_t)PyArray_ITEMSIZE((PyArrayObject *)array);
}

static PyObject *allocation_failed(const char *call, size_t bytes, const struct sheaf_space *space)
{
    PyErr_Format(PyExc_MemoryError, "PE %d: %s: no %zu bytes left in the %s", sheaf_pe, call, bytes,
                 space ? "space" : "symmetric heap (oshrun --heap, or SHMEM_SYMMETRIC_SIZE, sets its size)");
    return NULL;
}

static char *place(size_t bytes, bool zeroed, const struct sheaf_space *space)
{
    if (space)
        return zeroed ? shmemx_space_calloc(space->handle, bytes, 1) : shmemx_space_align(space->handle, 64, bytes);
    return zeroed ? shmem_calloc(bytes, 1) : shmem_align(64, bytes);
}

/* allocate(call, bytes, zeroed, space): a block, which all PEs, or those of the space (None), make at once. */
static PyObject *allocate(PyObject *self, PyObject *args)
{
    (void)self;
    const char *call;
    Py_ssize_t bytes;
    int zeroed;
    PyObject *object;
    if (!PyArg_ParseTuple(args, "sniO", &call, &bytes, &zeroed, &object) || sheaf_ready(call))
        return NULL;
    struct sheaf_space *space = object == Py_None ? NULL : sheaf_live_space(call, object);
    if (!space && object != Py_None)
        return NULL;
    char *start = NULL;
    if (bytes > 0) {
        SHEAF_BEGIN_WAIT
        start = place((size_t)bytes, zeroed, space);
        Py_END_ALLOW_THREADS
        if (!start)
            return allocation_failed(call, (size_t)bytes, space);
    }
    return new_block(start, (size_t)bytes, SHEAF_OWN, space);
}

static PyObject *array_over(PyTypeObject *type, PyArray_Descr *descr, int dims, npy_intp *shape,
                            npy_intp *strides, void *data, int flags, PyObject *base)
{
    static char nothing[16];
    Py_INCREF(descr);
    PyObject *array = PyArray_NewFromDescr(type, descr, dims, shape, strides, data ? data : nothing, flags, NULL);
    if (!array) {
        Py_DECREF(base);
        return NULL;
    }
    if (PyArray_SetBaseObject((PyArrayObject *)array, base)) {
        Py_DECREF(array);
        return NULL;
    }
    return array;
}

/* over(type, block, shape, dtype): the array whose elements are the block. */
static PyObject *over(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *type, *object, *shape, *dtype;
    npy_intp sizes[32];
    if (!PyArg_ParseTuple(args, "OOOO", &type, &object, &shape, &dtype))
        return NULL;
    struct sheaf_block *block = (struct sheaf_block *)object;
    Py_ssize_t dims = PyTuple_Size(shape);
    if (dims > 32)
        return sheaf_wrong("empty", "shape", "has %zd dimensions, more than 32", dims);
    for (Py_ssize_t i = 0; i < dims; i++)
        sizes[i] = PyLong_AsSsize_t(PyTuple_GetItem(shape, i));
    if (PyErr_Occurred())
        return NULL;
    Py_INCREF(object);
    return array_over((PyTypeObject *)type, (PyArray_Descr *)dtype, (int)dims, sizes, NULL, block->start,
                      NPY_ARRAY_CARRAY, object);
}

/* The array keeps its object but has no elements any more: an index is out of range, not a wild access. */
static void empty_out(PyArrayObject *array)
{
    for (int i = 0; i < PyArray_NDIM(array); i++)
        PyArray_DIMS(array)[i] = 0;
}

static PyObject *release(PyObject *self, PyObject *none)
{
    (void)none;
    if (sheaf_ready("free"))
        return NULL;
    struct sheaf_block *block = sheaf_symmetric("free", "array", self);
    if (!block)
        return NULL;
    if (PyArray_BASE((PyArrayObject *)self) != (PyObject *)block)
        return sheaf_wrong("free", "array", "is a view: free the array that was allocated");
    block->epoch = 0;
    SHEAF_BEGIN_WAIT
    shmem_free(block->start);
    Py_END_ALLOW_THREADS
    empty_out((PyArrayObject *)self);
    Py_RETURN_NONE;
}

/* The peer's copy as an array, or None where no load reaches it. */
static PyObject *near(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static const struct sheaf_signature signature = {"on", 1, {"pe"}};
    PyObject *values[8];
    struct sheaf_block *block;
    struct sheaf_route route;
    if (sheaf_ready("on") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !(block = sheaf_symmetric("on", "array", self)) || sheaf_route_to("on", values[0], NULL, &route))
        return NULL;
    PyArrayObject *array = (PyArrayObject *)self;
    if (PyArray_SIZE(array) == 0) { /* nothing to reach: a view says as much */
        Py_INCREF(self);
        return self;
    }
    char *there = shmem_ptr(PyArray_DATA(array), route.pe);
    if (!there)
        Py_RETURN_NONE;
    PyObject *base = new_block(there, (size_t)PyArray_NBYTES(array), SHEAF_PEER, block->space);
    return base ? array_over(&PyArray_Type, PyArray_DESCR(array), PyArray_NDIM(array), PyArray_DIMS(array),
                             PyArray_STRIDES(array), there, NPY_ARRAY_WRITEABLE, base)
                : NULL;
}

/* Whether calls reach the array on PE pe. */
static PyObject *is_accessible(SHEAF_CALL)
{
    static const struct sheaf_signature signature = {"is_accessible", 1, {"pe"}};
    PyObject *values[8];
    struct sheaf_route route;
    if (sheaf_ready("is_accessible") || sheaf_arguments(&signature, args, nargs, names, values) ||
        !sheaf_symmetric("is_accessible", "array", self) || sheaf_route_to("is_accessible", values[0], NULL, &route))
        return NULL;
    return PyBool_FromLong(PyArray_SIZE((PyArrayObject *)self) == 0 ||
                           shmem_addr_accessible(PyArray_DATA((PyArrayObject *)self), route.pe));
}

static PyObject *is_symmetric(PyObject *self, PyObject *array)
{
    (void)self;
    struct sheaf_block *block = block_of(array);
    return PyBool_FromLong(sheaf_state == SHEAF_UP && block && is_live(block) && block->whose == SHEAF_OWN);
}

/* adopt(type, array): the symmetric array with the same elements. */
static PyObject *adopt(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *type, *object;
    if (!PyArg_ParseTuple(args, "OO", &type, &object) || sheaf_ready("asarray"))
        return NULL;
    struct sheaf_block *block = sheaf_symmetric("asarray", "values", object);
    if (!block)
        return NULL;
    PyArrayObject *array = (PyArrayObject *)object;
    Py_INCREF(block);
    return array_over((PyTypeObject *)type, PyArray_DESCR(array), PyArray_NDIM(array), PyArray_DIMS(array),
                      PyArray_STRIDES(array), PyArray_DATA(array), PyArray_FLAGS(array) & NPY_ARRAY_WRITEABLE,
                      (PyObject *)block);
}

static PyObject *forget_elements(PyObject *self, PyObject *array)
{
    (void)self;
    if (!PyArray_Check(array))
        return sheaf_wrong("empty_out", "array", "is no array");
    empty_out((PyArrayObject *)array);
    Py_RETURN_NONE;
}

static PyObject *make_writable(PyObject *self, PyObject *array)
{
    (void)self;
    if (!PyArray_Check(array))
        return sheaf_wrong("make_writable", "array", "is no array");
    PyArray_ENABLEFLAGS((PyArrayObject *)array, NPY_ARRAY_WRITEABLE);
    Py_RETURN_NONE;
}

PyObject *sheaf_view_of(const char *call, const char *argument, PyObject *object)
{
    if (PyArray_Check(object)) {
        Py_INCREF(object);
        return object;
    }
    PyObject *module = PyImport_ImportModule("sheafshmem._foreign");
    PyObject *array = module ? PyObject_CallMethod(module, "view_of", "ssO", call, argument, object) : NULL;
    Py_XDECREF(module);
    return array;
}

/* What is no array of NumPy's becomes one by sheafshmem._foreign, which refuses devices' memory by name. */
static PyObject *by_protocol(const char *call, const char *argument, PyObject *object, PyArrayObject *like)
{
    PyObject *module = PyImport_ImportModule("sheafshmem._foreign");
    PyObject *array = module ? PyObject_CallMethod(module, "as_array", "ssOO", call, argument, object,
                                                   (PyObject *)PyArray_DESCR(like))
                             : NULL;
    Py_XDECREF(module);
    return array;
}

/* A number of Python's as an array of one element. */
static PyObject *of_number(const char *call, const char *argument, PyObject *number, PyArrayObject *like)
{
    PyArray_Descr *descr = PyArray_DESCR(like);
    Py_INCREF(descr);
    PyObject *array = PyArray_NewFromDescr(&PyArray_Type, descr, 0, NULL, NULL, NULL, 0, NULL);
    if (!array || !sheaf_element_from(call, argument, sheaf_kind_of(like), number,
                                      PyArray_DATA((PyArrayObject *)array)))
        return array;
    Py_DECREF(array);
    return NULL;
}

static bool is_number(PyObject *object, PyArrayObject *like)
{
    enum sheaf_kind kind = sheaf_kind_of(like);
    return (PyLong_CheckExact(object) || PyFloat_CheckExact(object)) && kind != SHEAF_OTHER &&
           kind != SHEAF_LONG_DOUBLE && PyArray_TYPE(like) != NPY_BOOL;
}

PyArrayObject *sheaf_local(const char *call, const char *argument, PyObject *object, PyArrayObject *like,
                           bool writable)
{
    PyObject *array = object;
    if (PyArray_Check(object))
        Py_INCREF(object);
    else if (!(array = !writable && is_number(object, like) ? of_number(call, argument, object, like)
                                                            : by_protocol(call, argument, object, like)))
        return NULL;
    PyArrayObject *local = (PyArrayObject *)array;
    char types[2][64];
    if (PyArray_DESCR(local) != PyArray_DESCR(like) && !PyArray_EquivTypes(PyArray_DESCR(local), PyArray_DESCR(like)))
        sheaf_wrong(call, argument, "is of type %s, the array of %s: convert it with astype",
                    sheaf_type_name(local, types[0]), sheaf_type_name(like, types[1]));
    else if (writable && !PyArray_ISWRITEABLE(local))
        sheaf_wrong(call, argument, "may not be written to");
    else
        return local;
    Py_DECREF(array);
    return NULL;
}

PyMethodDef sheaf_array_functions[] = {
    {"allocate", allocate, METH_VARARGS, "allocate(call, nbytes, zeroed, space, /)\n--\n\n"},
    {"over", over, METH_VARARGS, "over(type, block, shape, dtype, /)\n--\n\n"},
    {"adopt", adopt, METH_VARARGS, "adopt(type, array, /)\n--\n\n"},
    {"is_symmetric", is_symmetric, METH_O,
     "is_symmetric(array, /)\n--\n\nWhether other PEs reach the array's memory by its address here."},
    {"make_writable", make_writable, METH_O, "make_writable(array, /)\n--\n\n"},
    {"empty_out", forget_elements, METH_O, "empty_out(array, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};

PyMethodDef sheaf_place_methods[] = {
    {"free", release, METH_NOARGS,
     "free($self)\n--\n\nGives the memory back. Collective: all PEs free the same array. It has no elements then."},
    SHEAF_METHOD("is_accessible", is_accessible,
                 "is_accessible($self, pe)\n--\n\nWhether calls reach this array on PE pe: not where its space has no such PE."),
    SHEAF_METHOD("_near", near, "_near($self, pe)\n--\n\n"),
    {NULL, NULL, 0, NULL}};

int sheaf_add_arrays(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, forget_block}, {Py_tp_new, sheaf_no_new},
                                  {Py_tp_doc, "A block of the symmetric heap, or of a peer's."}, {0, NULL}};
    static PyType_Spec spec = {"sheafshmem._core.Block", sizeof(struct sheaf_block), 0, Py_TPFLAGS_DEFAULT, slots};
    block_type = sheaf_add_type(module, "Block", &spec);
    return block_type ? 0 : -1;
}
