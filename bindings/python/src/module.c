/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The extension module sheaf._core: start and end, order, and what the other files add.
 */
#define SHEAF_PYTHON_MODULE
#include "core.h"

#include <pthread.h>

enum sheaf_state sheaf_state = SHEAF_NEVER;
int sheaf_pe, sheaf_pes;

static void in_child(void)
{
    sheaf_state = SHEAF_CHILD;
}

static int bring_up(const char *call, int level)
{
    int provided, failed;
    Py_BEGIN_ALLOW_THREADS
    failed = shmem_init_thread(level, &provided);
    Py_END_ALLOW_THREADS
    if (failed) {
        sheaf_failed(call, "the library cannot be initialized (thread level %d)", level);
        return -1;
    }
    sheaf_pe = shmem_my_pe();
    sheaf_pes = shmem_n_pes();
    sheaf_state = SHEAF_UP;
    return 0;
}

int sheaf_start(const char *call)
{
    switch (sheaf_state) {
    case SHEAF_NEVER: return bring_up(call, SHMEM_THREAD_MULTIPLE);
    case SHEAF_UP: return 0;
    case SHEAF_DOWN: sheaf_failed(call, "called after sheaf.finalize()"); return -1;
    case SHEAF_CHILD:
        sheaf_failed(call, "called in a child that this PE forked: a child is no PE (multiprocessing: use "
                           "the start method \"spawn\", and no sheaf in the workers)");
        return -1;
    }
    return -1;
}

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
    if (sheaf_state != SHEAF_UP && bring_up("init", (int)asked))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *finalize(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    if (sheaf_state == SHEAF_UP) {
        Py_BEGIN_ALLOW_THREADS
        shmem_finalize();
        Py_END_ALLOW_THREADS
        sheaf_state = SHEAF_DOWN;
    }
    Py_RETURN_NONE;
}

static PyObject *global_exit(PyObject *self, PyObject *status)
{
    (void)self;
    long code;
    if (sheaf_ready("global_exit") || sheaf_integer("global_exit", "status", status, 0, &code))
        return NULL;
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

static PyObject *barrier(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    if (sheaf_ready("barrier"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    shmem_barrier_all();
    Py_END_ALLOW_THREADS
    return PyErr_CheckSignals() ? NULL : (Py_INCREF(Py_None), Py_None);
}

static PyObject *order(const char *call, PyObject *context, void (*of_context)(shmem_ctx_t))
{
    struct sheaf_route route;
    PyObject *zero = PyLong_FromLong(0);
    int failed = sheaf_ready(call) || sheaf_route_to(call, zero, context, &route);
    Py_XDECREF(zero);
    if (failed)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    of_context(route.context);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *quiet(PyObject *self, PyObject *context)
{
    (void)self;
    return order("quiet", context, shmem_ctx_quiet);
}

static PyObject *fence(PyObject *self, PyObject *context)
{
    (void)self;
    return order("fence", context, shmem_ctx_fence);
}

static PyMethodDef functions[] = {
    {"init", init, METH_O, "init(threads, /)\n--\n\n"},
    {"finalize", finalize, METH_NOARGS, "finalize()\n--\n\nTakes the library down. Collective."},
    {"global_exit", global_exit, METH_O,
     "global_exit(status, /)\n--\n\nEnds the whole job with this exit status; one PE suffices."},
    {"state", state, METH_NOARGS, "state()\n--\n\n0 before the start, 1 up, 2 after the end, 3 in a forked child."},
    {"my_pe", my_pe, METH_NOARGS, "my_pe()\n--\n\nNumber of this PE in the job, from 0."},
    {"n_pes", n_pes, METH_NOARGS, "n_pes()\n--\n\nNumber of PEs in the job."},
    {"barrier", barrier, METH_NOARGS,
     "barrier()\n--\n\nWaits until all PEs are here and all their puts have arrived. Collective."},
    {"quiet", quiet, METH_O, "quiet(context, /)\n--\n\n"},
    {"fence", fence, METH_O, "fence(context, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};

/* The methods of sheaf.Array: descriptors, so that a call goes from the interpreter to the function at once. */
static PyObject *attach(PyObject *self, PyObject *type)
{
    (void)self;
    PyMethodDef *const tables[] = {sheaf_place_methods, sheaf_rma_methods, sheaf_atomic_methods,
                                   sheaf_wait_methods};
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
    PyModuleDef_HEAD_INIT, .m_name = "sheaf._core", .m_doc = "Calls of the library.", .m_size = -1,
    .m_methods = functions};

static int add_exceptions(PyObject *module)
{
    sheaf_Error = PyErr_NewExceptionWithDoc("sheaf.Error", "A call that did not succeed: .pe, .call, .argument.",
                                            PyExc_RuntimeError, NULL);
    PyObject *bases = sheaf_Error ? PyTuple_Pack(2, sheaf_Error, PyExc_ValueError) : NULL;
    sheaf_ArgumentError = bases ? PyErr_NewExceptionWithDoc("sheaf.ArgumentError",
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

PyMODINIT_FUNC PyInit__core(void)
{
    import_array();
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (add_exceptions(module) || PyModule_AddFunctions(module, attaching) ||
        PyModule_AddFunctions(module, sheaf_array_functions) ||
        PyModule_AddFunctions(module, sheaf_collective_functions) ||
        PyModule_AddFunctions(module, sheaf_team_functions) || sheaf_add_arrays(module) ||
        sheaf_add_rma(module) || sheaf_add_teams(module) || pthread_atfork(NULL, NULL, in_child)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
