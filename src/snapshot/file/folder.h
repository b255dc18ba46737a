/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The folders that hold snapshots, what their manifests say, and why something about one failed.
 *
 * DIR/TAG is a folder, whole or absent. It is written as DIR/.TAG.ID.part, which PE 0 makes and renames in
 * the end. Nothing is followed that is a link, and nothing is taken that another user could have put there.
 *
 * The manifest is a few lines of text, "name value", that say what the snapshot is of. PE 0 writes it last;
 * restores, oshrun and oshdump read it. What a failed job has left has one too, which oshrun writes.
 *
 * The functions of src/snapshot/file fill a reason where they return -1, and print nothing: of all PEs that
 * failed one says so.
 */
#ifndef SHEAF_SNAPSHOT_FILE_FOLDER_H
#define SHEAF_SNAPSHOT_FILE_FOLDER_H

#include "snapshot/file/format.h"

#include <stdbool.h>
#include <stddef.h>

struct sheaf_snapshot_reason {
    char text[400];  /* "": nothing has failed */
    bool is_damage;  /* of a file, of which another copy may be undamaged */
};

/* Fills it: one line, whatever bytes of files are among the arguments. Return -1. */
int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int sheaf_snapshot_explain_damage(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes of a tag, with NUL: letters, digits and ._- alone, and no point in front. */
#define SHEAF_SNAPSHOT_TAG 65

/* A folder under way. */
struct sheaf_snapshot_folder {
    int dir;        /* DIR */
    int part;       /* DIR/.TAG.ID.part */
    char name[128]; /* of that */
    const char *tag;
};

/* PE 0: makes DIR where it is missing, and the folder. is_alone: another user must neither own DIR nor be
 * able to replace what lies in it, as a sticky folder (/tmp) keeps one from. */
int sheaf_folder_create(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                        const struct sheaf_snapshot_id *id, bool is_alone,
                        struct sheaf_snapshot_reason *why);

/* The others: opens it. */
int sheaf_folder_join(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                      const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why);

/* PE 0, once all is written: it is DIR/TAG from now on, in place of what was, which has the part's name. */
int sheaf_folder_publish(struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why);

/* After that: removes the files of PE pe in what was replaced; and, by PE 0, all that is left of it. It
 * takes its time, so each PE does its own. */
void sheaf_folder_remove_file(const struct sheaf_snapshot_folder *folder, int pe);
void sheaf_folder_remove_replaced(const struct sheaf_snapshot_folder *folder);

/* Undoes a _publish, whose result was 0: what was there before has the tag again. */
void sheaf_folder_take_back(const struct sheaf_snapshot_folder *folder);

/* Gives up: PE 0 removes it. */
void sheaf_folder_drop(struct sheaf_snapshot_folder *folder);

/* Removes what dead jobs have left in the folder's DIR; with own, of this tag alone: of another one it may
 * be what other hosts' folders need. */
void sheaf_folder_remove_dead(const struct sheaf_snapshot_folder *folder, bool own);

/* Whoever still can, where PE 0 or another has died: removes what has the part's name by now, be it the
 * part or the snapshot that it has replaced. */
void sheaf_folder_abandon(const struct sheaf_snapshot_folder *folder);
void sheaf_folder_close(struct sheaf_snapshot_folder *folder);

/* A descriptor of a snapshot that is there: DIR/TAG, or DIR itself without a tag. -1, and why. */
int sheaf_folder_open(const char *dir, const char *tag, struct sheaf_snapshot_reason *why);

/* Those that have no name, as jobs leave them that are killed: each DIR/.TAG.*.part is tried until one is
 * wanted, which is left open in folder. -1: none is. The ID in its name is its own, or that of the one that
 * has taken its place. */
typedef bool sheaf_folder_wants(void *context, const char *name, int part);
int sheaf_folder_find_part(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                           sheaf_folder_wants *wants, void *context);

/* Whether the ID in the name of such a folder is that one. */
bool sheaf_folder_has_id(const char *name, const struct sheaf_snapshot_id *id);

/* sheaf_folder_remove_dead() beside a snapshot. tag NULL: of all tags. */
void sheaf_folder_tidy(int snapshot, const char *tag);

/* A snapshot of that name beside the one under way; -1: there is none that may be looked at. */
int sheaf_folder_open_before(const struct sheaf_snapshot_folder *folder);

/* A file of a folder, new and for writing, or there and for reading. */
int sheaf_folder_create_file(int folder, const char *name, struct sheaf_snapshot_reason *why);
int sheaf_folder_open_file(int folder, const char *name, struct sheaf_snapshot_reason *why);

/* The file that says what the snapshot is of. */
#define SHEAF_MANIFEST "manifest"

/* The file of PE pe: "pe-00000". Those that it adds to have a number behind a point: "pe-00000.0". */
#define SHEAF_SNAPSHOT_PE        "pe-"
#define SHEAF_SNAPSHOT_FILE_NAME 32
void sheaf_folder_name_file(char name[SHEAF_SNAPSHOT_FILE_NAME], int pe);
void sheaf_folder_name_part(char part[SHEAF_SNAPSHOT_FILE_NAME], const char *name, int number);

struct sheaf_manifest {
    struct sheaf_snapshot_id id;
    int npes;            /* of the world */
    int start, stride, size; /* whose PEs it has */
    uint64_t heap;       /* bytes that may be handed out */
    char build_id[40];   /* of the program, hexadecimal, or "" */
    enum sheaf_snapshot_kind kind;
};

/* To a new file of the folder, durable. */
int sheaf_manifest_write(int folder, const struct sheaf_manifest *manifest,
                         struct sheaf_snapshot_reason *why);

/* Of either kind. Numbers are within their ranges. */
int sheaf_manifest_read(int folder, struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

/* Whether a job can go on from it. */
int sheaf_manifest_require_taken(const struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

#endif
