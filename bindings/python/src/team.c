/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams, contexts and their sessions, locks; and where a call goes.
 */
#include "core.h"

struct team {
    PyObject_HEAD
    shmem_team_t handle; /* SHMEM_TEAM_INVALID once destroyed */
    int pe, pes;
};

struct context {
    PyObject_HEAD
    shmem_ctx_t handle; /* SHMEM_CTX_INVALID once destroyed */
    int pes;
};
static PyTypeObject *team_type, *context_type;

int sheaf_route_to(const char *call, PyObject *pe, PyObject *context, struct sheaf_route *route)
{
    int pes = sheaf_pes;
    long number;
    route->context = SHMEM_CTX_DEFAULT;
    if (context && context != Py_None) {
        struct context *c = (struct context *)context;
        if (Py_TYPE(context) != context_type || c->handle == SHMEM_CTX_INVALID) {
            sheaf_wrong(call, "context", Py_TYPE(context) != context_type ? "must be a sheaf.Context"
                                                                         : "was destroyed");
            return -1;
        }
        route->context = c->handle;
        pes = c->pes;
    }
    if (sheaf_integer(call, "pe", pe, LONG_MIN, &number))
        return -1;
    route->pe = (int)number;
    if (number >= 0 && number < pes)
        return 0;
    sheaf_wrong(call, "pe", "%ld is no PE: they count from 0 to %d", number, pes - 1);
    return -1;
}

int sheaf_team_of(const char *call, PyObject *object, shmem_team_t *handle, int *pes)
{
    struct team *team = (struct team *)object;
    *handle = SHMEM_TEAM_WORLD;
    *pes = sheaf_pes;
    if (!object || object == Py_None)
        return 0;
    if (Py_TYPE(object) != team_type || team->handle == SHMEM_TEAM_INVALID) {
        sheaf_wrong(call, "team", Py_TYPE(object) != team_type ? "must be a sheaf.Team" : "was destroyed");
        return -1;
    }
    *handle = team->handle;
    *pes = team->pes;
    return 0;
}

static void drop_plain(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* None for a PE that is in none of the new teams. */
static PyObject *wrap_team(shmem_team_t handle)
{
    if (handle == SHMEM_TEAM_INVALID)
        Py_RETURN_NONE;
    struct team *team = PyObject_New(struct team, team_type);
    if (!team)
        return NULL;
    team->handle = handle;
    team->pe = shmem_team_my_pe(handle);
    team->pes = shmem_team_n_pes(handle);
    return (PyObject *)team;
}

static PyObject *predefined(PyObject *self, PyObject *which)
{
    (void)self;
    if (sheaf_ready("team"))
        return NULL;
    return wrap_team(PyLong_AsLong(which) ? SHMEM_TEAM_SHARED : SHMEM_TEAM_WORLD);
}

static struct team *live_team(const char *call, PyObject *self)
{
    shmem_team_t handle;
    int pes;
    return sheaf_ready(call) || sheaf_team_of(call, self, &handle, &pes) ? NULL : (struct team *)self;
}

static PyObject *split_strided(PyObject *self, PyObject *args)
{
    int start, stride, size;
    shmem_team_t result = SHMEM_TEAM_INVALID;
    struct team *team = live_team("split_strided", self);
    if (!team || !PyArg_ParseTuple(args, "iii:split_strided", &start, &stride, &size))
        return NULL;
    if (shmem_team_split_strided(team->handle, start, stride, size, NULL, 0, &result))
        return sheaf_wrong("split_strided", NULL, "no %d PEs from %d by %d in a team of %d", size, start, stride,
                           team->pes);
    return wrap_team(result);
}

static PyObject *split_2d(PyObject *self, PyObject *args)
{
    int width;
    shmem_team_t row, column;
    struct team *team = live_team("split_2d", self);
    if (!team || !PyArg_ParseTuple(args, "i:split_2d", &width))
        return NULL;
    if (shmem_team_split_2d(team->handle, width, NULL, 0, &row, NULL, 0, &column))
        return sheaf_wrong("split_2d", "width", "%d splits no team of %d", width, team->pes);
    return Py_BuildValue("NN", wrap_team(row), wrap_team(column));
}

static PyObject *from_pes(PyObject *self, PyObject *args)
{
    PyObject *list;
    int pes[4096];
    shmem_team_t result = SHMEM_TEAM_INVALID;
    struct team *team = live_team("select", self);
    if (!team || !PyArg_ParseTuple(args, "O:select", &list))
        return NULL;
    Py_ssize_t count = PySequence_Size(list);
    if (count < 0 || count > 4096)
        return count < 0 ? NULL : sheaf_wrong("select", "pes", "has more than 4096 PEs");
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        struct sheaf_route route;
        int failed = !item || sheaf_route_to("select", item, NULL, &route);
        Py_XDECREF(item);
        if (failed)
            return NULL;
        pes[i] = route.pe;
    }
    if (shmemx_team_from_pes(team->handle, pes, (int)count, NULL, 0, &result))
        return sheaf_wrong("select", "pes", "they make no team of the parent's %d PEs", team->pes);
    return wrap_team(result);
}

static PyObject *translate(PyObject *self, PyObject *args)
{
    int pe, pes;
    PyObject *to = NULL;
    shmem_team_t target;
    struct team *team = live_team("translate", self);
    if (!team || !PyArg_ParseTuple(args, "i|O:translate", &pe, &to) || sheaf_team_of("translate", to, &target, &pes))
        return NULL;
    return PyLong_FromLong(shmem_team_translate_pe(team->handle, pe, target));
}

static PyObject *team_sync(PyObject *self, PyObject *none)
{
    (void)none;
    struct team *team = live_team("sync", self);
    if (!team)
        return NULL;
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = shmem_team_sync(team->handle);
    Py_END_ALLOW_THREADS
    if (failed)
        return sheaf_failed("sync", "the team cannot meet");
    Py_RETURN_NONE;
}

static PyObject *team_destroy(PyObject *self, PyObject *none)
{
    (void)none;
    struct team *team = live_team("destroy", self);
    if (!team)
        return NULL;
    if (team->handle == SHMEM_TEAM_WORLD || team->handle == SHMEM_TEAM_SHARED)
        return sheaf_wrong("destroy", "team", "is one that always exists");
    Py_BEGIN_ALLOW_THREADS
    shmem_team_destroy(team->handle);
    Py_END_ALLOW_THREADS
    team->handle = SHMEM_TEAM_INVALID;
    Py_RETURN_NONE;
}

static PyObject *team_context(PyObject *self, PyObject *args)
{
    long options = 0;
    struct team *team = live_team("context", self);
    if (!team || !PyArg_ParseTuple(args, "|l:context", &options))
        return NULL;
    struct context *context = PyObject_New(struct context, context_type);
    if (!context)
        return NULL;
    context->pes = team->pes;
    if (shmem_team_create_ctx(team->handle, options, &context->handle)) {
        context->handle = SHMEM_CTX_INVALID;
        Py_DECREF(context);
        return sheaf_failed("context", "the library has no context left");
    }
    return (PyObject *)context;
}

static PyObject *team_pe(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromLong(((struct team *)self)->pe);
}

static PyObject *team_pes(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromLong(((struct team *)self)->pes);
}

static PyObject *context_pes(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromLong(((struct context *)self)->pes);
}

static struct context *live_context(const char *call, PyObject *self)
{
    struct context *context = (struct context *)self;
    if (sheaf_ready(call))
        return NULL;
    if (context->handle != SHMEM_CTX_INVALID)
        return context;
    sheaf_wrong(call, "context", "was destroyed");
    return NULL;
}

static PyObject *context_destroy(PyObject *self, PyObject *none)
{
    (void)none;
    struct context *context = live_context("destroy", self);
    if (!context)
        return NULL;
    shmem_ctx_destroy(context->handle);
    context->handle = SHMEM_CTX_INVALID;
    Py_RETURN_NONE;
}

static PyObject *session_start(PyObject *self, PyObject *args)
{
    Py_ssize_t operations = 0;
    struct context *context = live_context("session", self);
    if (!context || !PyArg_ParseTuple(args, "|n:session_start", &operations))
        return NULL;
    shmem_ctx_session_config_t config = {(size_t)operations};
    shmem_ctx_session_start(context->handle, SHMEM_CTX_SESSION_BATCH, &config,
                            operations > 0 ? SHMEM_CTX_SESSION_TOTAL_OPS : 0);
    Py_RETURN_NONE;
}

static PyObject *session_stop(PyObject *self, PyObject *none)
{
    (void)none;
    struct context *context = live_context("session", self);
    if (!context)
        return NULL;
    shmem_ctx_session_stop(context->handle);
    Py_RETURN_NONE;
}

/* Locks: one symmetric integer of 8 bytes. */
static PyObject *lock_call(PyObject *array, const char *call, int (*work)(long *))
{
    size_t count;
    char *lock = sheaf_ready(call) ? NULL : sheaf_whole(call, "lock", array, &count);
    int result;
    if (!lock)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    result = work((long *)lock);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(result == 0);
}

static int lock_set(long *lock)
{
    shmem_set_lock(lock);
    return 0;
}

static int lock_clear(long *lock)
{
    shmem_clear_lock(lock);
    return 0;
}

static PyObject *set_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "acquire", lock_set);
}

static PyObject *clear_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "release", lock_clear);
}

static PyObject *test_lock(PyObject *self, PyObject *array)
{
    (void)self;
    return lock_call(array, "try_acquire", shmem_test_lock);
}

PyMethodDef sheaf_team_functions[] = {
    {"predefined_team", predefined, METH_O, "predefined_team(which, /)\n--\n\n"},
    {"set_lock", set_lock, METH_O, "set_lock(array, /)\n--\n\n"},
    {"clear_lock", clear_lock, METH_O, "clear_lock(array, /)\n--\n\n"},
    {"test_lock", test_lock, METH_O, "test_lock(array, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};

static PyMethodDef team_methods[] = {
    {"split_strided", split_strided, METH_VARARGS,
     "split_strided($self, start, stride, size, /)\n--\n\n"
     "A team of this team's PEs start, start + stride, ..., size of them; None on a PE left out. Collective."},
    {"split_2d", split_2d, METH_VARARGS,
     "split_2d($self, width, /)\n--\n\nThe teams of this PE's row and column, with rows of width PEs. Collective."},
    {"select", from_pes, METH_VARARGS,
     "select($self, pes, /)\n--\n\nA team of these PEs in this order; None on a PE left out. Collective."},
    {"translate", translate, METH_VARARGS,
     "translate($self, pe, team=None, /)\n--\n\nThe number of this team's PE pe in team (the world); -1 where it is "
     "not in it."},
    {"sync", team_sync, METH_NOARGS, "sync($self)\n--\n\nWaits until all PEs of the team are here. Collective."},
    {"destroy", team_destroy, METH_NOARGS, "destroy($self)\n--\n\nFrees the team and its contexts. Collective."},
    {"_context", team_context, METH_VARARGS, "_context($self, options=0, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef team_fields[] = {{"my_pe", team_pe, NULL, "Number of this PE in the team.", NULL},
                                    {"n_pes", team_pes, NULL, "Number of PEs in the team.", NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef context_methods[] = {
    {"destroy", context_destroy, METH_NOARGS, "destroy($self)\n--\n\nCompletes the context's operations and frees it."},
    {"_session_start", session_start, METH_VARARGS, "_session_start($self, operations=0, /)\n--\n\n"},
    {"_session_stop", session_stop, METH_NOARGS, "_session_stop($self)\n--\n\n"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef context_fields[] = {{"n_pes", context_pes, NULL, "Number of PEs in the context's team.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject *add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return NULL;
    Py_INCREF(type);
    return PyModule_AddObject(module, name, type) ? NULL : (PyTypeObject *)type;
}

int sheaf_add_teams(PyObject *module)
{
    static PyType_Slot team_slots[] = {{Py_tp_dealloc, drop_plain}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, team_methods},
                                       {Py_tp_getset, team_fields}, {Py_tp_doc, "PEs of the job, numbered from 0."},
                                       {0, NULL}};
    static PyType_Slot context_slots[] = {{Py_tp_dealloc, drop_plain}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, context_methods},
                                          {Py_tp_getset, context_fields},
                                          {Py_tp_doc, "Operations that complete by themselves."}, {0, NULL}};
    static PyType_Spec team = {"sheaf._core.Team", sizeof(struct team), 0, Py_TPFLAGS_DEFAULT, team_slots};
    static PyType_Spec context = {"sheaf._core.Context", sizeof(struct context), 0, Py_TPFLAGS_DEFAULT,
                                  context_slots};
    team_type = add_type(module, "Team", &team);
    context_type = team_type ? add_type(module, "Context", &context) : NULL;
    return context_type ? 0 : -1;
}
