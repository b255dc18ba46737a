/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The line of the program that makes a call, for the library's reports: these see one address in this extension for
 * all lines.
 */
#include "core.h"

#include <string.h>

/* The package's own functions call for the program. */
static bool is_of_package(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash && slash[1] == '_' && slash - file >= 6 && strncmp(slash - 6, "/sheaf", 6) == 0;
}

/* The path of the frame's file; of the code that was asked about last it is kept. NULL: without an exception. */
static const char *file_of(PyFrameObject *frame)
{
    static PyObject *last_code, *last_file;
    PyObject *code = (PyObject *)PyFrame_GetCode(frame);
    if (code == last_code) {
        Py_DECREF(code);
        return PyBytes_AsString(last_file);
    }
    PyObject *name = PyObject_GetAttrString(code, "co_filename");
    PyObject *file = name ? PyUnicode_EncodeFSDefault(name) : NULL;
    Py_XDECREF(name);
    if (!file) {
        PyErr_Clear();
        Py_DECREF(code);
        return NULL;
    }
    Py_XDECREF(last_code);
    Py_XDECREF(last_file);
    last_code = code;
    last_file = file;
    return PyBytes_AsString(file);
}

/* New, or NULL. */
static PyFrameObject *caller_of(PyFrameObject *frame)
{
    PyObject *caller = PyObject_GetAttrString((PyObject *)frame, "f_back");
    Py_DECREF(frame);
    if (!caller)
        PyErr_Clear();
    if (caller != Py_None)
        return (PyFrameObject *)caller;
    Py_DECREF(caller);
    return NULL;
}

void sheaf_announce_line(void)
{
    PyFrameObject *frame = PyEval_GetFrame();
    Py_XINCREF(frame);
    const char *file = frame ? file_of(frame) : NULL;
    while (file && is_of_package(file)) {
        frame = caller_of(frame);
        file = frame ? file_of(frame) : NULL;
    }
    if (file)
        shmemx_call_line(file, PyFrame_GetLineNumber(frame));
    Py_XDECREF(frame);
}
