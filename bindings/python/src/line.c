/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The line of the program that makes a call, for the library's reports: these see one address in this extension for
 * all lines.
 */
#include "core.h"

#include <dlfcn.h>
#include <string.h>

/* Lines that were looked up, by the place in the code: Python needs 150 ns to find one, and this 30. */
#define PLACES 16
static struct place {
    PyObject *code; /* it and file are kept: another code could have its address */
    PyObject *file; /* bytes */
    int instruction, line;
    bool is_package; /* the package's own functions call for the program */
} places[PLACES];

/* Of Python 3.11 and later, and not of the stable ABI. */
static int instruction_of(PyFrameObject *frame)
{
    static int (*find)(PyFrameObject *);
    static bool is_known;
    if (!is_known)
        find = (int (*)(PyFrameObject *))dlsym(RTLD_DEFAULT, "PyFrame_GetLasti");
    is_known = true;
    return find ? find(frame) : -1;
}

static bool is_of_package(const char *file)
{
    static const char folder[] = "/sheafshmem";
    const ptrdiff_t length = sizeof folder - 1;
    const char *slash = strrchr(file, '/');
    return slash && slash[1] == '_' && slash - file >= length &&
           strncmp(slash - length, folder, (size_t)length) == 0;
}

/* Takes over code. NULL: without an exception. */
static struct place *look_up(struct place *place, PyObject *code, int instruction, PyFrameObject *frame)
{
    PyObject *name = PyObject_GetAttrString(code, "co_filename");
    PyObject *file = name ? PyUnicode_EncodeFSDefault(name) : NULL;
    Py_XDECREF(name);
    if (!file) {
        PyErr_Clear();
        Py_DECREF(code);
        return NULL;
    }
    struct place before = *place; /* dropping it may run code of Python's, which may come here again */
    *place = (struct place){code, file, instruction, PyFrame_GetLineNumber(frame),
                            is_of_package(PyBytes_AsString(file))};
    Py_XDECREF(before.code);
    Py_XDECREF(before.file);
    return place;
}

static struct place *place_of(PyFrameObject *frame)
{
    PyObject *code = (PyObject *)PyFrame_GetCode(frame);
    int instruction = instruction_of(frame);
    struct place *place = &places[((uintptr_t)code / 16 + (unsigned)instruction / 2) % PLACES];
    if (place->code != code || place->instruction != instruction || instruction < 0)
        return look_up(place, code, instruction, frame);
    Py_DECREF(code);
    return place;
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
    const struct place *place = frame ? place_of(frame) : NULL;
    while (place && place->is_package) {
        frame = caller_of(frame);
        place = frame ? place_of(frame) : NULL;
    }
    if (place)
        shmemx_call_line(PyBytes_AsString(place->file), place->line);
    Py_XDECREF(frame);
}
