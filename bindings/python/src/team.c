/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams, contexts and their sessions; and where a call goes.
 */
#include "core.h"

struct team {
    PyObject_HEAD
    shmem_team_t handle;
    unsigned epoch; /* 0 once destroyed */
    int pe, pes;
    bool is_far; /* it has PEs of other hosts */
};

struct context {
    PyObject_HEAD
    shmem_ctx_t handle;
    unsigned epoch;    /* 0 once destroyed; its team's end is its own */
    struct team *team;
};
static PyTypeObject *team_type, *context_type;

bool sheaf_context_is_live(PyObject *object)
{
    struct context *context = (struct context *)object;
    return object == Py_None || (context->epoch == sheaf_epoch && context->team->epoch == sheaf_epoch);
}

shmem_ctx_t sheaf_context_handle(PyObject *object)
{
    return object == Py_None ? SHMEM_CTX_DEFAULT : ((struct context *)object)->handle;
}

int sheaf_need_context(const char *call, PyObject *context)
{
    if (Py_TYPE(context) == context_type && sheaf_context_is_live(context))
        return 0;
    sheaf_wrong(call, "context", Py_TYPE(context) != context_type ? "must be a sheafshmem.Context" : "was destroyed");
    return -1;
}

int sheaf_route_to(const char *call, PyObject *pe, PyObject *context, struct sheaf_route *route)
{
    const struct team *team = NULL;
    long number;
    route->context = SHMEM_CTX_DEFAULT;
    if (context && context != Py_None) {
        if (sheaf_need_context(call, context))
            return -1;
        route->context = ((struct context *)context)->handle;
        team = ((struct context *)context)->team;
    }
    if (sheaf_integer(call, "pe", pe, LONG_MIN, &number))
        return -1;
    int pes = team ? team->pes : sheaf_pes;
    route->pe = (int)number;
    if (number >= 0 && number < pes) {
        route->is_far = team ? team->is_far : sheaf_is_far[number];
        return 0;
    }
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
    if (Py_TYPE(object) != team_type || team->epoch != sheaf_epoch) {
        sheaf_wrong(call, "team", Py_TYPE(object) != team_type ? "must be a sheafshmem.Team" : "was destroyed");
        return -1;
    }
    *handle = team->handle;
    *pes = team->pes;
    return 0;
}

int sheaf_context_pes(PyObject *object)
{
    return object == Py_None ? sheaf_pes : ((struct context *)object)->team->pes;
}

static void drop_team(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* What was not destroyed stays the library's until its end. */
static void drop_context(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((struct context *)self)->team);
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
    team->epoch = sheaf_epoch;
    team->pe = shmem_team_my_pe(handle);
    team->pes = shmem_team_n_pes(handle);
    team->is_far = false;
    for (int i = 0; i < team->pes && !team->is_far; i++)
        team->is_far = sheaf_is_far[shmem_team_translate_pe(handle, i, SHMEM_TEAM_WORLD)];
    return (PyObject *)team;
}

static PyObject *predefined(PyObject *self, PyObject *which)
{
    (void)self;
    if (sheaf_ready("team"))
        return NULL;
    return wrap_team(PyObject_IsTrue(which) ? SHMEM_TEAM_SHARED : SHMEM_TEAM_WORLD);
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
    int failed;
    SHEAF_BEGIN_WAIT
    failed = shmem_team_split_strided(team->handle, start, stride, size, NULL, 0, &result);
    Py_END_ALLOW_THREADS
    if (failed)
        return sheaf_wrong("split_strided", NULL, "no %d PEs from %d by %d in a team of %d", size, start, stride,
                           team->pes);
    return wrap_team(result);
}

static PyObject *split_2d(PyObject *self, PyObject *args)
{
    int width;
    shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;
    struct team *team = live_team("split_2d", self);
    if (!team || !PyArg_ParseTuple(args, "i:split_2d", &width))
        return NULL;
    int failed;
    SHEAF_BEGIN_WAIT
    failed = shmem_team_split_2d(team->handle, width, NULL, 0, &row, NULL, 0, &column);
    Py_END_ALLOW_THREADS
    if (failed)
        return sheaf_wrong("split_2d", "width", "%d splits no team of %d", width, team->pes);
    return Py_BuildValue("NN", wrap_team(row), wrap_team(column));
}

static int take_pes(const char *call, PyObject *list, int pes, int *numbers, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        long number = -1;
        int failed = !item || sheaf_integer(call, "pes", item, LONG_MIN, &number);
        Py_XDECREF(item);
        if (failed)
            return -1;
        if (number < 0 || number >= pes) {
            sheaf_wrong(call, "pes", "%ld is no PE: they count from 0 to %d", number, pes - 1);
            return -1;
        }
        numbers[i] = (int)number;
    }
    return 0;
}

int *sheaf_pes_of(const char *call, PyObject *list, int pes, Py_ssize_t *count)
{
    *count = PySequence_Size(list);
    if (*count < 0) {
        PyErr_Clear();
        sheaf_wrong(call, "pes", "must be a sequence of PE numbers");
        return NULL;
    }
    int *numbers = PyMem_Malloc(((size_t)*count + 1) * sizeof *numbers);
    if (!numbers)
        PyErr_NoMemory();
    else if (take_pes(call, list, pes, numbers, *count)) {
        PyMem_Free(numbers);
        numbers = NULL;
    }
    return numbers;
}

static PyObject *from_pes(PyObject *self, PyObject *args)
{
    PyObject *list;
    Py_ssize_t count;
    shmem_team_t result = SHMEM_TEAM_INVALID;
    struct team *team = live_team("select", self);
    if (!team || !PyArg_ParseTuple(args, "O:select", &list))
        return NULL;
    int *pes = sheaf_pes_of("select", list, team->pes, &count);
    if (!pes)
        return NULL;
    int failed;
    SHEAF_BEGIN_WAIT
    failed = shmemx_team_from_pes(team->handle, pes, (int)count, NULL, 0, &result);
    Py_END_ALLOW_THREADS
    PyMem_Free(pes);
    if (failed)
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
    SHEAF_BEGIN_WAIT
    failed = shmem_team_sync(team->handle);
    Py_END_ALLOW_THREADS
    if (failed)
        return sheaf_failed("sync", "the members cannot synchronize");
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
    team->epoch = 0;
    SHEAF_BEGIN_WAIT
    shmem_team_destroy(team->handle);
    Py_END_ALLOW_THREADS
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
    Py_INCREF(team);
    context->team = team;
    context->epoch = sheaf_epoch;
    if (shmem_team_create_ctx(team->handle, options, &context->handle)) {
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
    return PyLong_FromLong(((struct context *)self)->team->pes);
}

static PyObject *context_team(PyObject *self, void *none)
{
    (void)none;
    PyObject *team = (PyObject *)((struct context *)self)->team;
    Py_INCREF(team);
    return team;
}

static struct context *live_context(const char *call, PyObject *self)
{
    return sheaf_ready(call) || sheaf_need_context(call, self) ? NULL : (struct context *)self;
}

static PyObject *context_destroy(PyObject *self, PyObject *none)
{
    (void)none;
    struct context *context = live_context("destroy", self);
    if (!context)
        return NULL;
    context->epoch = 0;
    SHEAF_BEGIN_WAIT
    shmem_ctx_destroy(context->handle);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *session_start(PyObject *self, PyObject *args)
{
    Py_ssize_t operations = 0;
    struct context *context = live_context("session", self);
    if (!context || !PyArg_ParseTuple(args, "|n:session_start", &operations))
        return NULL;
    shmem_ctx_session_config_t config = {(size_t)operations};
    SHEAF_BEGIN_WAIT
    shmem_ctx_session_start(context->handle, SHMEM_CTX_SESSION_BATCH, &config,
                            operations > 0 ? SHMEM_CTX_SESSION_TOTAL_OPS : 0);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *session_stop(PyObject *self, PyObject *none)
{
    (void)none;
    struct context *context = live_context("session", self);
    if (!context)
        return NULL;
    SHEAF_BEGIN_WAIT
    shmem_ctx_session_stop(context->handle);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

PyMethodDef sheaf_team_functions[] = {
    {"predefined_team", predefined, METH_O, "predefined_team(which, /)\n--\n\n"},
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
                                       {"team", context_team, NULL, "The team whose PEs it counts.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};

int sheaf_add_teams(PyObject *module)
{
    static PyType_Slot team_slots[] = {{Py_tp_dealloc, drop_team}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, team_methods},
                                       {Py_tp_getset, team_fields}, {Py_tp_doc, "PEs of the job, numbered from 0."},
                                       {0, NULL}};
    static PyType_Slot context_slots[] = {{Py_tp_dealloc, drop_context}, {Py_tp_new, sheaf_no_new}, {Py_tp_methods, context_methods},
                                          {Py_tp_getset, context_fields},
                                          {Py_tp_doc, "Operations that complete by themselves."}, {0, NULL}};
    static PyType_Spec team = {"sheafshmem._core.Team", sizeof(struct team), 0, Py_TPFLAGS_DEFAULT, team_slots};
    static PyType_Spec context = {"sheafshmem._core.Context", sizeof(struct context), 0, Py_TPFLAGS_DEFAULT,
                                  context_slots};
    team_type = sheaf_add_type(module, "Team", &team);
    context_type = team_type ? sheaf_add_type(module, "Context", &context) : NULL;
    return context_type ? 0 : -1;
}
