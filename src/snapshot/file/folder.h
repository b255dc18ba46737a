/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The folders of snapshots, their manifests, and the reasons of failures.
 *
 * DIR/TAG is a folder, complete or absent. It is written as DIR/.TAG.ID.part, which PE 0 makes, and
 * renames in the end. Links are not followed, and files that another user could have put there are not
 * used.
 *
 * The manifest is a few lines of text, "name value", that describe the snapshot. PE 0 writes it last;
 * restores, oshrun and oshdump read it. The memory that a failed job has left also has a manifest, written
 * by oshrun.
 *
 * The functions of src/snapshot/file fill a reason where they return -1, and print nothing: of all PEs
 * that failed, one prints its reason.
 */
#ifndef SHEAF_SNAPSHOT_FILE_FOLDER_H
#define SHEAF_SNAPSHOT_FILE_FOLDER_H

#include "snapshot/file/format.h"

#include <stdbool.h>
#include <stddef.h>

struct sheaf_snapshot_reason {
    char text[400];  /* "": nothing has failed */
    bool is_damage;  /* a file is damaged, and another copy of it may not be */
};

/* Fill the reason with one line, whatever bytes of files are among the arguments. Return -1. */
int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int sheaf_snapshot_explain_damage(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes of a tag, with NUL: only letters, digits and ._-, and no dot in front. */
#define SHEAF_SNAPSHOT_TAG 65

/* A folder being written. */
struct sheaf_snapshot_folder {
    int dir;        /* DIR */
    int part;       /* DIR/.TAG.ID.part */
    char name[128]; /* of the part */
    const char *tag;
};

/* Called by PE 0: makes DIR where it is missing, and the folder. is_alone: another user must neither
 * own DIR nor be able to replace its entries; in a sticky folder (/tmp) other users cannot. */
int sheaf_folder_create(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                        const struct sheaf_snapshot_id *id, bool is_alone,
                        struct sheaf_snapshot_reason *why);

/* Called by the other PEs: opens the folder. */
int sheaf_folder_join(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                      const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why);

/* Called by PE 0 once all is written: renames the folder to DIR/TAG. An earlier snapshot gets the
 * temporary name. */
int sheaf_folder_publish(struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why);

/* After that: remove_file removes the files of PE pe from the replaced snapshot, which each PE does for
 * its own, since it takes time. remove_replaced, called by PE 0, removes the rest. */
void sheaf_folder_remove_file(const struct sheaf_snapshot_folder *folder, int pe);
void sheaf_folder_remove_replaced(const struct sheaf_snapshot_folder *folder);

/* Undoes a successful _publish: the earlier snapshot has the tag again. */
void sheaf_folder_unpublish(const struct sheaf_snapshot_folder *folder);

/* Called by PE 0 after a failure: removes the folder. */
void sheaf_folder_drop(struct sheaf_snapshot_folder *folder);

/* Removes folders that dead jobs have left in the folder's DIR; with own, only those of this tag:
 * folders of another tag may be needed by other hosts. */
void sheaf_folder_remove_dead(const struct sheaf_snapshot_folder *folder, bool own);

/* Called by a live PE where PE 0 or another has died: removes the folder that has the temporary name,
 * be it the new one or the replaced snapshot. */
void sheaf_folder_abandon(const struct sheaf_snapshot_folder *folder);
void sheaf_folder_close(struct sheaf_snapshot_folder *folder);

/* Opens an existing snapshot: DIR/TAG, or DIR itself without a tag. Returns the descriptor, or -1 with
 * the reason. */
int sheaf_folder_open(const char *dir, const char *tag, struct sheaf_snapshot_reason *why);

/* Searches folders with a temporary name, which killed jobs leave: calls wants for each DIR/.TAG.*.part
 * until one is wanted, which stays open in folder. -1: none is. The ID in the name is the folder's own,
 * or that of the snapshot that has replaced it. */
typedef bool sheaf_folder_wants(void *context, const char *name, int part);
int sheaf_folder_find_part(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                           sheaf_folder_wants *wants, void *context);

/* Whether the name of such a folder has this ID. */
bool sheaf_folder_has_id(const char *name, const struct sheaf_snapshot_id *id);

/* sheaf_folder_remove_dead() for the folders beside a snapshot. tag NULL: of all tags. */
void sheaf_folder_tidy(int snapshot, const char *tag);

/* Opens the snapshot with the same tag as the folder being written; -1: there is none, or it fails the
 * checks. */
int sheaf_folder_open_before(const struct sheaf_snapshot_folder *folder);

/* A file of a folder: a new one for writing, or an existing one for reading. */
int sheaf_folder_create_file(int folder, const char *name, struct sheaf_snapshot_reason *why);
int sheaf_folder_open_file(int folder, const char *name, struct sheaf_snapshot_reason *why);

/* The file that describes the snapshot. */
#define SHEAF_MANIFEST "manifest"

/* The file of PE pe: "pe-00000". The files that it is incremental to have a number behind a dot:
 * "pe-00000.0". */
#define SHEAF_SNAPSHOT_PE        "pe-"
#define SHEAF_SNAPSHOT_FILE_NAME 32
void sheaf_folder_name_file(char name[SHEAF_SNAPSHOT_FILE_NAME], int pe);
void sheaf_folder_name_part(char part[SHEAF_SNAPSHOT_FILE_NAME], const char *name, int number);

struct sheaf_manifest {
    struct sheaf_snapshot_id id;
    int npes;            /* of the world */
    int start, stride, size; /* its PEs */
    uint64_t heap;       /* bytes that may be handed out */
    char build_id[40];   /* of the program, hexadecimal, or "" */
    enum sheaf_snapshot_kind kind;
};

/* Writes a new file of the folder, durably. */
int sheaf_manifest_write(int folder, const struct sheaf_manifest *manifest,
                         struct sheaf_snapshot_reason *why);

/* Reads a manifest of either kind, and checks that its numbers are within their ranges. */
int sheaf_manifest_read(int folder, struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

/* Returns -1 with a reason where a job cannot be restored from it. */
int sheaf_manifest_require_taken(const struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

#endif
