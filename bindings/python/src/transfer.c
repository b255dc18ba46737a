/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transfer between a symmetric array and a local one: where it goes, and whether it is one piece or a set of runs.
 */
#include "core.h"

static int plan_strided(const char *call, const char *argument, struct sheaf_transfer *t, PyObject *at)
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

int sheaf_transfer_plan(const char *call, const char *argument, struct sheaf_transfer *t, PyObject *pe,
                        PyObject *at, PyObject *context)
{
    if (sheaf_route_to(call, pe, context, &t->route))
        return -1;
    t->here = PyArray_DATA(t->local);
    t->bytes = (size_t)PyArray_NBYTES(t->local);
    t->strided = false;
    if (!PyArray_IS_C_CONTIGUOUS(t->array) || !PyArray_IS_C_CONTIGUOUS(t->local))
        return sheaf_symmetric(call, "array", (PyObject *)t->array) ? plan_strided(call, argument, t, at) : -1;
    t->there = sheaf_elements(call, argument, (PyObject *)t->array, at == Py_None ? NULL : at,
                              (size_t)PyArray_SIZE(t->local));
    return t->there ? 0 : -1;
}

/* A run is one element, or all of a transfer in one piece. */
void sheaf_transfer_runs(const struct sheaf_transfer *t, struct sheaf_runs *runs)
{
    int dims = t->strided ? PyArray_NDIM(t->array) : 0;
    runs->counts[0] = t->strided ? (size_t)PyArray_ITEMSIZE(t->array) : t->bytes;
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
