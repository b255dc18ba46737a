/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries of the library, and what a program says to tools: phases, figures, levels.
 */
#include "core.h"

static PyObject *is_initialized(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    int initialized;
    shmem_query_initialized(&initialized);
    return PyBool_FromLong(initialized);
}

static PyObject *thread_level(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
    int level;
    if (sheaf_ready("thread_level"))
        return NULL;
    shmem_query_thread(&level);
    return PyUnicode_FromString(names[level & 3]);
}

static PyObject *library(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    int major, minor;
    char name[SHMEM_MAX_NAME_LEN];
    if (sheaf_ready("library"))
        return NULL;
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    return Py_BuildValue("s(ii)", name, major, minor);
}

static PyObject *pe_accessible(PyObject *self, PyObject *pe)
{
    (void)self;
    long number;
    if (sheaf_ready("is_accessible") || sheaf_integer("is_accessible", "pe", pe, LONG_MIN, &number))
        return NULL;
    return PyBool_FromLong(number >= 0 && number < sheaf_pes && shmem_pe_accessible((int)number));
}

static PyObject *control_tools(PyObject *self, PyObject *level)
{
    (void)self;
    long number;
    if (sheaf_ready("control_tools") || sheaf_integer("control_tools", "level", level, INT_MIN, &number))
        return NULL;
    shmem_pcontrol((int)number);
    Py_RETURN_NONE;
}

static PyObject *event(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name;
    int begins;
    if (!PyArg_ParseTuple(args, "si", &name, &begins) || sheaf_ready("event"))
        return NULL;
    (begins ? shmemx_event_begin : shmemx_event_end)(name);
    Py_RETURN_NONE;
}

static PyObject *counter(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name;
    double value;
    if (!PyArg_ParseTuple(args, "sd:counter", &name, &value) || sheaf_ready("counter"))
        return NULL;
    shmemx_event_counter(name, value);
    Py_RETURN_NONE;
}

PyMethodDef sheaf_tool_functions[] = {
    {"is_initialized", is_initialized, METH_NOARGS,
     "is_initialized()\n--\n\nWhether the library is up, by this module or by another one of the program."},
    {"thread_level", thread_level, METH_NOARGS,
     "thread_level()\n--\n\nWhich threads may call: \"single\", \"funneled\", \"serialized\" or \"multiple\"."},
    {"library", library, METH_NOARGS,
     "library()\n--\n\nThe library's name, and the specification that it follows: (\"Sheaf ...\", (1, 6))."},
    {"is_accessible", pe_accessible, METH_O, "is_accessible(pe, /)\n--\n\nWhether calls reach PE pe."},
    {"control_tools", control_tools, METH_O,
     "control_tools(level, /)\n--\n\nFor profiling tools that ask for it: 0 off, 1 on, 2 on and start anew, as a rule."},
    {"_event", event, METH_VARARGS, "_event(name, begins, /)\n--\n\n"},
    {"counter", counter, METH_VARARGS,
     "counter(name, value, /)\n--\n\nA figure of the program has this value now, on this PE: for profiles and traces."},
    {NULL, NULL, 0, NULL}};
