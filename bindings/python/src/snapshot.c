/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of arrays. The interpreter's variables are in none, as libsheaf came into a process that ran.
 */
#include "core.h"

#include <sys/personality.h>

/* What snapshot and restore are called with. */
struct place {
    PyObject *dir, *tag; /* bytes, or NULL */
    shmem_team_t team;
};

static void drop_place(struct place *place)
{
    Py_XDECREF(place->dir);
    Py_XDECREF(place->tag);
}

static int path_from(const char *call, const char *argument, PyObject *value, PyObject **path)
{
    *path = NULL;
    if (!value || value == Py_None || PyUnicode_FSConverter(value, path))
        return 0;
    PyErr_Clear();
    sheaf_wrong(call, argument, "must be a text or a path");
    return -1;
}

static int take_place(const struct sheaf_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *names, struct place *place)
{
    PyObject *values[8];
    int pes;
    place->dir = place->tag = NULL;
    if (sheaf_ready(signature->call) || sheaf_arguments(signature, args, nargs, names, values) ||
        sheaf_team_of(signature->call, values[2], &place->team, &pes) ||
        path_from(signature->call, "dir", values[0], &place->dir) ||
        path_from(signature->call, "tag", values[1], &place->tag)) {
        drop_place(place);
        return -1;
    }
    return 0;
}

static int run(int (*routine)(shmem_team_t, const char *, const char *), struct place *place)
{
    const char *dir = place->dir ? PyBytes_AsString(place->dir) : NULL;
    const char *tag = place->tag ? PyBytes_AsString(place->tag) : NULL;
    int failed;
    SHEAF_BEGIN_WAIT
    failed = routine(place->team, dir, tag);
    Py_END_ALLOW_THREADS
    drop_place(place);
    return failed;
}

/* Where the heap lies at random, a later job has it at another place. */
static int need_same_addresses(void)
{
    int persona = personality(0xffffffff);
    if (persona < 0 || persona & ADDR_NO_RANDOMIZE)
        return 0;
    sheaf_failed("snapshot", "this job's addresses are random, and no restart has the same ones: start it by "
                             "oshrun --snapshot-dir DIR, oshrun --no-aslr, or setarch -R");
    return -1;
}

static PyObject *snapshot(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"snapshot", 2, {"dir", "tag", "team"}};
    struct place place;
    if (take_place(&signature, args, nargs, names, &place))
        return NULL;
    if (need_same_addresses()) {
        drop_place(&place);
        return NULL;
    }
    if (run(shmemx_snapshot, &place))
        return sheaf_failed("snapshot", "there is none: a line of one PE says why");
    Py_RETURN_NONE;
}

static PyObject *restore(SHEAF_CALL)
{
    (void)self;
    static const struct sheaf_signature signature = {"restore", 0, {"dir", "tag", "team"}};
    struct place place;
    if (take_place(&signature, args, nargs, names, &place))
        return NULL;
    bool names_one = place.dir;
    int failed = run(shmemx_restore, &place);
    if (failed == 0 || (failed == 1 && !names_one))
        return PyBool_FromLong(!failed);
    return sheaf_failed("restore", "nothing was restored: a line of one PE says why");
}

PyMethodDef sheaf_snapshot_functions[] = {
    SHEAF_METHOD("snapshot", snapshot,
                 "snapshot(dir, tag, team=None)\n--\n\nWrites the elements of all symmetric arrays to the folder "
                 "dir/tag, in place of an earlier\nsnapshot of that name. dir None: what oshrun --snapshot-dir "
                 "names. tag: letters, digits and ._-\nalone. Collective over team (all PEs)."),
    SHEAF_METHOD("restore", restore,
                 "restore(dir=None, tag=None, team=None)\n--\n\nGives the arrays that exist the elements that they "
                 "had in the snapshot dir/tag: the program has\nmade the same ones in the same order. Without "
                 "arguments the snapshot is what oshrun --restart\nnames; returns False where it names none, and "
                 "True otherwise. Collective over team (all PEs)."),
    {NULL, NULL, 0, NULL}};
