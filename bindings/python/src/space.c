/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory spaces: symmetric memory of a team, of a size and a kind of its own.
 */
#include "core.h"

static PyTypeObject *space_type;

struct sheaf_space *sheaf_live_space(const char *call, PyObject *object)
{
    struct sheaf_space *space = (struct sheaf_space *)object;
    if (sheaf_ready(call))
        return NULL;
    if (Py_TYPE(object) == space_type && space->epoch == sheaf_epoch)
        return space;
    sheaf_wrong(call, "space", Py_TYPE(object) != space_type ? "must be a sheafshmem.Space" : "was destroyed");
    return NULL;
}

/* What was not destroyed stays the library's until its end: giving it back is collective. */
static void drop_space(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* create_space(kind, size, team) */
static PyObject *create(PyObject *self, PyObject *args)
{
    (void)self;
    const char *kind;
    Py_ssize_t size;
    PyObject *team;
    shmem_team_t handle;
    int pes, failed;
    if (!PyArg_ParseTuple(args, "snO", &kind, &size, &team) || sheaf_ready("Space") ||
        sheaf_team_of("Space", team, &handle, &pes))
        return NULL;
    if (size < 1)
        return sheaf_wrong("Space", "size", "%zd is no number of bytes", size);
    struct sheaf_space *space = PyObject_New(struct sheaf_space, space_type);
    if (!space)
        return NULL;
    space->epoch = 0;
    SHEAF_BEGIN_WAIT
    failed = shmemx_space_create(handle, kind, (size_t)size, &space->handle);
    Py_END_ALLOW_THREADS
    if (!failed) {
        space->epoch = sheaf_epoch;
        return (PyObject *)space;
    }
    Py_DECREF(space);
    return sheaf_failed("Space", "no space of %zd bytes of kind \"%.200s\": the line above says which PE lacks what",
                        size, kind);
}

static PyObject *destroy(PyObject *self, PyObject *none)
{
    (void)none;
    struct sheaf_space *space = sheaf_live_space("destroy", self);
    if (!space)
        return NULL;
    space->epoch = 0;
    SHEAF_BEGIN_WAIT
    shmemx_space_destroy(space->handle);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

PyMethodDef sheaf_space_functions[] = {
    {"create_space", create, METH_VARARGS, "create_space(kind, size, team, /)\n--\n\n"}, {NULL, NULL, 0, NULL}};

static PyMethodDef methods[] = {{"destroy", destroy, METH_NOARGS, "destroy($self)\n--\n\n"}, {NULL, NULL, 0, NULL}};

int sheaf_add_spaces(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, drop_space}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, methods},
                                  {Py_tp_doc, "Symmetric memory of a team beside the heap."}, {0, NULL}};
    static PyType_Spec spec = {"sheafshmem._core.Space", sizeof(struct sheaf_space), 0, Py_TPFLAGS_DEFAULT, slots};
    space_type = sheaf_add_type(module, "Space", &spec);
    return space_type ? 0 : -1;
}
