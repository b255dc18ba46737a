/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The extension module sheafshmem._core: its calls of start and end, and what the other files add.
 */
#include "core.h"

#include <pthread.h>
#include <string.h>

static PyObject *init(PyObject *self, PyObject *level)
{
    (void)self;
    long asked;
    if (sheaf_integer("init", "threads", level, 0, &asked))
        return NULL;
    if (asked > SHMEM_THREAD_MULTIPLE)
        return sheaf_wrong("init", "threads", "%ld is no thread level (0 to %d)", asked, SHMEM_THREAD_MULTIPLE);
    if (sheaf_state == SHEAF_CHILD)
        return sheaf_start("init"), NULL;
    if (sheaf_state != SHEAF_UP && sheaf_bring_up("init", (int)asked, NULL))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *init_uid(PyObject *self, PyObject *args)
{
    (void)self;
    struct sheaf_by_uid uid = {0};
    const char *text;
    Py_ssize_t length;
    int level;
    if (!PyArg_ParseTuple(args, "iiiy#:init", &level, &uid.rank, &uid.size, &text, &length))
        return NULL;
    if (length > (Py_ssize_t)sizeof uid.id)
        return sheaf_wrong("init", "uid", "has %zd bytes, more than the %zu of unique_id()", length, sizeof uid.id);
    memcpy(&uid.id, text, (size_t)length);
    if (sheaf_state == SHEAF_CHILD && sheaf_epoch > 0) /* a child of a process that never was a PE may be one */
        return sheaf_start("init"), NULL;
    if (sheaf_bring_up("init", level, &uid))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *unique_id(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    shmemx_uniqueid_t id;
    if (shmemx_get_uniqueid(&id))
        return sheaf_failed("unique_id", "this process cannot listen for the others");
    return PyBytes_FromStringAndSize(id.text, sizeof id);
}

static PyObject *finalize(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    if (sheaf_state == SHEAF_UP) {
        sheaf_state = SHEAF_DOWN; /* before it: other threads' calls are refused from here on */
        Py_BEGIN_ALLOW_THREADS
        shmem_finalize();
        Py_END_ALLOW_THREADS
    }
    Py_RETURN_NONE;
}

static PyObject *global_exit(PyObject *self, PyObject *status)
{
    (void)self;
    long code;
    if (sheaf_ready("global_exit") || sheaf_integer("global_exit", "status", status, 0, &code))
        return NULL;
    if (code > 255)
        return sheaf_wrong("global_exit", "status", "%ld is no exit status (0 to 255)", code);
    shmem_global_exit((int)code);
    Py_RETURN_NONE;
}

static PyObject *state(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return PyLong_FromLong(sheaf_state);
}

static PyObject *my_pe(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return sheaf_ready("my_pe") ? NULL : PyLong_FromLong(sheaf_pe);
}

static PyObject *n_pes(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return sheaf_ready("n_pes") ? NULL : PyLong_FromLong(sheaf_pes);
}

static PyMethodDef functions[] = {
    {"init", init, METH_O, "init(threads, /)\n--\n\n"},
    {"init_uid", init_uid, METH_VARARGS, "init_uid(threads, rank, size, uid, /)\n--\n\n"},
    {"unique_id", unique_id, METH_NOARGS,
     "unique_id()\n--\n\nThe identifier of a job, for init() of all its processes: 512 bytes, which hold a secret. The "
     "caller must be one of them."},
    {"finalize", finalize, METH_NOARGS, "finalize()\n--\n\n"},
    {"global_exit", global_exit, METH_O,
     "global_exit(status, /)\n--\n\nEnds the whole job with this exit status; one PE suffices."},
    {"state", state, METH_NOARGS, "state()\n--\n\n0 before the start, 1 up, 2 after the end, 3 in a forked child."},
    {"my_pe", my_pe, METH_NOARGS, "my_pe()\n--\n\nNumber of this PE in the job, from 0."},
    {"n_pes", n_pes, METH_NOARGS, "n_pes()\n--\n\nNumber of PEs in the job."},
    {NULL, NULL, 0, NULL}};

/* The methods of sheafshmem.Array: descriptors, so that a call goes from the interpreter to the function at once. */
static PyObject *attach(PyObject *self, PyObject *type)
{
    (void)self;
    PyMethodDef *const tables[] = {sheaf_place_methods, sheaf_rma_methods, sheaf_atomic_methods, sheaf_wait_methods,
                                   sheaf_signal_methods, sheaf_accumulate_methods};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (PyMethodDef *method = tables[i]; method->ml_name; method++) {
            PyObject *descriptor = PyDescr_NewMethod((PyTypeObject *)type, method);
            int failed = !descriptor || PyObject_SetAttrString(type, method->ml_name, descriptor);
            Py_XDECREF(descriptor);
            if (failed)
                return NULL;
        }
    Py_RETURN_NONE;
}

static PyMethodDef attaching[] = {{"attach", attach, METH_O, "attach(type, /)\n--\n\n"}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "sheafshmem._core", .m_doc = "Calls of the library.", .m_size = -1,
    .m_methods = functions};

static int add_exceptions(PyObject *module)
{
    sheaf_Error = PyErr_NewExceptionWithDoc("sheafshmem.Error", "A call that did not succeed: .pe, .call, .argument.",
                                            PyExc_RuntimeError, NULL);
    PyObject *bases = sheaf_Error ? PyTuple_Pack(2, sheaf_Error, PyExc_ValueError) : NULL;
    sheaf_ArgumentError = bases ? PyErr_NewExceptionWithDoc("sheafshmem.ArgumentError",
                                                            "A call whose argument does not fit.", bases, NULL)
                                : NULL;
    Py_XDECREF(bases);
    if (!sheaf_ArgumentError)
        return -1;
    Py_INCREF(sheaf_Error);
    Py_INCREF(sheaf_ArgumentError);
    return PyModule_AddObject(module, "Error", sheaf_Error) ||
           PyModule_AddObject(module, "ArgumentError", sheaf_ArgumentError);
}

static void in_child(void)
{
    sheaf_state = SHEAF_CHILD;
}

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = sheaf_import_numpy() ? NULL : PyModule_Create(&definition);
    if (!module)
        return NULL;
    PyMethodDef *const tables[] = {attaching, sheaf_array_functions, sheaf_collective_functions,
                                   sheaf_order_functions, sheaf_team_functions, sheaf_space_functions,
                                   sheaf_tool_functions, sheaf_snapshot_functions};
    int failed = add_exceptions(module);
    for (size_t i = 0; !failed && i < sizeof tables / sizeof *tables; i++)
        failed = PyModule_AddFunctions(module, tables[i]);
    if (failed || sheaf_add_arrays(module) || sheaf_add_handles(module) || sheaf_add_spaces(module) ||
        sheaf_add_teams(module) || pthread_atfork(NULL, NULL, in_child)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
