/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens when the library is loaded: it finds the job, attaches to it and turns the
 * program's variables into shared memory, before the program's own constructors run. Failures
 * are kept until shmem_init, which may never be called.
 */
#include "boot/boot.h"

#include "base/log.h"
#include "base/mpi/family.h"
#include "base/os/process.h"
#include "base/settings/env.h"
#include "base/settings/names.h"
#include "boot/end/abort.h"
#include "boot/end/exit_claim.h"
#include "boot/end/end.h"
#include "boot/launcher/connection.h"
#include "boot/end/parent_death.h"
#include "boot/launcher/kvs.h"
#include "boot/launcher/rendezvous/identifier.h"
#include "boot/launcher/rendezvous/latecomers.h"
#include "boot/node.h"
#include "boot/profile.h"
#include "boot/world/pe_record.h"
#include "boot/end/watch.h"
#include "boot/replicated_log/agent_client.h"
#include "boot/replicated_log/respawn_agent.h"
#include "boot/job_report/job_report.h"
#include "image/image.h"
#include "image/imports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sheaf_boot_id_is_linked;

static char failure[256];
static char no_profile[512]; /* why there is none that was asked for */

/* oshrun's own descriptor, opened for writing once it is known to be this job's. */
static int open_of_launcher(int launcher, int fd, int pe, uint64_t job_id)
{
    struct sheaf_process process = {.pid = launcher};
    int held = sheaf_process_hold_file(&process, fd, 0, -1), opened = -1;
    int looked_at = held < 0 ? -1 : sheaf_process_open_held(held, O_RDONLY);
    if (looked_at >= 0 && sheaf_image_is_of_job(looked_at, pe, job_id))
        opened = sheaf_process_open_held(held, O_RDWR);
    if (looked_at >= 0)
        close(looked_at);
    if (held >= 0)
        close(held);
    return opened;
}

/* The descriptor oshrun passed, or, where a wrapper closed it, oshrun's own. */
static int attach(int launcher, int fd, int pe, uint64_t job_id)
{
    if (sheaf_image_attach(launcher, fd, pe, job_id) == 0) {
        close(fd);
        return 0;
    }
    int again = open_of_launcher(launcher, fd, pe, job_id);
    if (again < 0)
        return -1;
    int failed = sheaf_image_attach(launcher, again, pe, job_id);
    close(again);
    return failed;
}

/* The process that attached when the library was loaded, of which this may be a child; 0: none. */
static int32_t attached;

/* A slot belongs to one process; a second may follow when the first is gone (a script that runs
 * two programs one after the other), or is this one's parent, which does not initialize. Stale pages of the
 * first are dropped. */
static int take_slot(struct sheaf_pe *mine)
{
    struct sheaf_process self = sheaf_process_self();
    int32_t before = sheaf_load_acquire(&mine->pid);
    struct sheaf_process first = {before, sheaf_load_relaxed(&mine->started)};
    if (before != 0 && before != attached && sheaf_process_is_there(&first)) {
        snprintf(failure, sizeof failure,
                 "process %d already runs as PE %d of this job: one OpenSHMEM program at a time per "
                 "PE that oshrun started", before, sheaf_boot.pe);
        return -1;
    }
    sheaf_store_relaxed(&mine->started, UINT64_C(0));
    if (!__atomic_compare_exchange_n(&mine->pid, &before, self.pid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED)) {
        snprintf(failure, sizeof failure, "two processes claim to be PE %d of this job",
                 sheaf_boot.pe);
        return -1;
    }
    sheaf_store_release(&mine->started, self.started);
    sheaf_boot.is_respawned = sheaf_load_acquire(&mine->presence) == SHEAF_PE_STARTED;
    if (before != 0 && self.pid != attached) /* else its variables are there */
        sheaf_image_empty_data();
    if (before != 0 && !sheaf_boot.is_respawned)
        sheaf_image_empty_heap();
    sheaf_store_release(&mine->state, SHEAF_PE_ATTACHED);
    return 0;
}

/* oshrun reads the output through pipes, which stdio would buffer until exit. */
static void buffer_lines(void)
{
    struct stat file;
    if (fstat(STDOUT_FILENO, &file) == 0 && S_ISFIFO(file.st_mode))
        setvbuf(stdout, NULL, _IOLBF, 0);
}

static void prepare_with_others(void)
{
    buffer_lines();
    if ((sheaf_boot.npes > 1 || sheaf_image.job->keeps_memory) && sheaf_image_share_data() != 0)
        snprintf(failure, sizeof failure, "the program's static data could not be shared");
}

/* Its number, and who else is there, will be known in shmem_init; but the program's variables must
 * be shared memory before its constructors run. */
static void prepare_alone(void)
{
    if (sheaf_image_create() != 0)
        snprintf(failure, sizeof failure, "cannot make shared memory for this PE: %s%s",
                 strerror(errno), errno == EFBIG ? "; raise the file size limit (ulimit -f)" : "");
    else if (sheaf_image_share_data() != 0)
        snprintf(failure, sizeof failure, "the program's static data could not be shared");
}

static void join_job(const char *job)
{
    int launcher, fd, pe, end = 0;
    unsigned long job_id;
    if (sscanf(job, "%d:%d:%d:%lx%n", &launcher, &fd, &pe, &job_id, &end) != 4 || job[end]) {
        snprintf(failure, sizeof failure, "%s=\"%s\" is not what oshrun sets: unset it",
                 SHEAF_JOB_VARIABLE, job);
        return;
    }
    sheaf_image_note_origin(launcher, fd);
    if (attach(launcher, fd, pe, job_id) != 0) {
        snprintf(failure, sizeof failure,
                 "%s=\"%s\" names a job that cannot be joined: its oshrun (pid %d) is gone, or a "
                 "wrapper closed descriptor %d and /proc/%d/fd is not readable",
                 SHEAF_JOB_VARIABLE, job, launcher, fd, launcher);
        return;
    }
    struct sheaf_control *control = sheaf_image.job;
    sheaf_boot.pe = sheaf_boot.job_slot = pe;
    sheaf_boot.slot = control->is_apart ? 0 : pe;
    sheaf_boot.npes = sheaf_boot.node_npes = sheaf_boot.host_npes = control->npes;
    sheaf_log_set_pe(pe);
    if (take_slot(sheaf_control_pe(control, pe)) != 0)
        return;
    attached = getpid();
    if (!sheaf_parent_death_arm()) {
        snprintf(failure, sizeof failure, "the oshrun of this job (pid %d) has ended", launcher);
        return;
    }
    sheaf_launcher_keep_from_children();
    sheaf_boot.has_control = !control->is_apart;
    sheaf_log_share(&control->said, sheaf_boot.npes);
    sheaf_boot.launcher = "oshrun";
    if (control->is_apart) {
        buffer_lines();
        prepare_alone();
    } else {
        prepare_with_others();
    }
}

/* A process that takes the place of a dead one of another launcher's: what that has left. */
static void take_place(int slot)
{
    struct sheaf_control *control = sheaf_image.control;
    struct sheaf_process self = sheaf_process_self();
    struct sheaf_pe *mine = sheaf_control_pe(control, slot);
    sheaf_boot.pe = mine->world_pe;
    sheaf_boot.npes = control->world_npes;
    sheaf_boot.node = control->node;
    sheaf_boot.nodes = control->nodes;
    sheaf_boot.slot = sheaf_boot.job_slot = slot;
    sheaf_boot.node_npes = control->npes;
    sheaf_boot.host_npes = control->host_npes;
    sheaf_boot.is_respawned = sheaf_boot.has_control = true;
    sheaf_boot.launcher = sheaf_launcher_respawned.name;
    sheaf_log_set_pe(sheaf_boot.pe);
    sheaf_log_share(&control->said, sheaf_boot.node_npes);
    sheaf_store_relaxed(&mine->started, self.started);
    sheaf_store_release(&mine->pid, self.pid);
    sheaf_image_empty_data();
    sheaf_store_release(&mine->state, (uint32_t)SHEAF_PE_ATTACHED);
}

static void join_place(const char *place)
{
    int agent, fd, slot, end = 0;
    unsigned long job_id;
    if (sscanf(place, "%d %d %d %lx%n", &agent, &fd, &slot, &job_id, &end) != 4 || place[end]) {
        snprintf(failure, sizeof failure, "%s=\"%s\" is not what an agent sets: unset it",
                 SHEAF_RESPAWN_SLOT_VARIABLE, place);
        return;
    }
    if (sheaf_image_attach_respawned(agent, fd, slot, job_id) != 0) {
        snprintf(failure, sizeof failure, "the place of a dead PE cannot be taken: process %d, which keeps "
                 "it, is gone", agent);
        return;
    }
    take_place(slot);
    sheaf_launcher_claim();
    sheaf_connection_set_launcher(&sheaf_launcher_respawned);
    prepare_with_others();
}

/* libc's loader calls it as main. */
static void start(int argc, char **argv, char **environment)
{
    (void)argc, (void)environment;
    sheaf_image_read_program();
    sheaf_boot_profile(argv, no_profile, sizeof no_profile);
    sheaf_mpi_raise_level();
    const char *job = getenv(SHEAF_JOB_VARIABLE);
    if (job) {
        join_job(job);
        unsetenv(SHEAF_JOB_VARIABLE);
        return;
    }
    const char *place = getenv(SHEAF_RESPAWN_SLOT_VARIABLE);
    if (place) {
        join_place(place);
        unsetenv(SHEAF_RESPAWN_SLOT_VARIABLE);
        unsetenv(SHEAF_RESPAWN_AGENT_VARIABLE);
        return;
    }
    sheaf_connection_set_launcher(sheaf_launcher_find());
    bool has_id = !sheaf_image.came_late &&
                  sheaf_image_imports("shmemx_init_uid", sheaf_boot_id_is_linked);
    if (sheaf_connection_launcher())
        buffer_lines();
    if (sheaf_connection_launcher() || has_id)
        prepare_alone();
}

/* Lowest priority number: before every constructor of the program, in a static one too. */
__attribute__((used, section(".init_array.00001"))) static void (*const at_load)(int, char **,
                                                                               char **) = start;

/* A PE that oshrun has started otherwise than its environment says: a wrapper has changed it. */
static int check_setting(void)
{
    bool is_apart = sheaf_image.job->is_apart;
    if (sheaf_boot.npes == 1 || sheaf_pe_record_is_apart() == is_apart)
        return 0;
    sheaf_error("SH205 this PE has SHEAF_ONNODE=%s, and oshrun has started the job with %s: set it for "
                "oshrun, or by its -x for all programs", sheaf_onnode_names[!is_apart],
                sheaf_onnode_names[is_apart]);
    return -1;
}

/* Under oshrun. PEs that are apart find each other as those of several hosts do. */
static int connect_oshrun(void)
{
    if (check_setting() != 0)
        return -1;
    if (sheaf_boot.has_control || !sheaf_image.job->is_apart)
        return 0;
    /* What a PE says next takes the place of its PE record, which all must have read. */
    if (sheaf_node_join(&sheaf_launcher_oshrun) != 0 || sheaf_boot_fence() != 0)
        return -1;
    sheaf_boot.has_control = true;
    sheaf_image.control->usable_cpus = sheaf_image.job->usable_cpus;
    return 0;
}

static int connect_launcher(void)
{
    sheaf_connection_set_launcher(sheaf_launcher_beside_mpi(sheaf_connection_launcher()));
    if (sheaf_connection_open() != 0)
        return -1;
    sheaf_launcher_claim();
    sheaf_log_set_pe(sheaf_boot.pe);
    sheaf_log_set_end(sheaf_boot_end);
    sheaf_boot.node_npes = sheaf_boot.host_npes = sheaf_boot.npes;
    if (sheaf_boot.npes == 1)
        return 0;
    if (sheaf_node_join(sheaf_connection_launcher()) != 0)
        return -1;
    sheaf_boot.has_control = true;
    sheaf_boot.job_slot = sheaf_boot.slot;
    sheaf_log_share(&sheaf_image.control->said, sheaf_boot.node_npes);
    if (sheaf_agent_launch() != 0)
        return -1;
    sheaf_job_report_start(sheaf_boot_end);
    sheaf_watch_start(sheaf_connection_launcher());
    return 0;
}

/* By a process that has taken a dead one's place. */
static int connect_place(void)
{
    sheaf_log_set_end(sheaf_boot_end);
    if (sheaf_connection_open() != 0 || sheaf_agent_launch() != 0)
        return -1;
    sheaf_watch_start(sheaf_connection_launcher());
    return 0;
}

static int connect_to(const struct sheaf_launcher *found)
{
    return found == &sheaf_launcher_respawned ? connect_place() : connect_launcher();
}

/* Whether the place that oshrun has given is this process's, or becomes it: of parent and children the one
 * that initializes. */
static bool has_place(void)
{
    struct sheaf_pe *mine = sheaf_control_pe(sheaf_image.job, sheaf_boot.job_slot);
    int32_t self = getpid(), before = sheaf_load_acquire(&mine->initializes);
    struct sheaf_process first = {.pid = before};
    if (before != self &&
        ((before != 0 && sheaf_process_is_there(&first)) ||
         !__atomic_compare_exchange_n(&mine->initializes, &before, self, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))) {
        snprintf(failure, sizeof failure, "process %d, of this one's parent or children, is PE %d of this "
                 "job already", before, sheaf_boot.pe);
        return false;
    }
    if (sheaf_load_acquire(&mine->pid) == self)
        return true;
    sheaf_log_share(&sheaf_image.job->said, sheaf_boot.npes);
    if (take_slot(mine) == 0 && !sheaf_parent_death_arm())
        snprintf(failure, sizeof failure, "the oshrun of this job has ended");
    return !failure[0];
}

/* A child whose parent has not initialized. */
static int leave_parent(void)
{
    if (sheaf_image.on_fork) {
        sheaf_error("SH113 shmem_init was called in a child that a PE forked: a child is no PE");
        return -1;
    }
    sheaf_image_leave_parent();
    if (sheaf_image.job && attached && !has_place())
        return 0;
    return sheaf_image.data ? sheaf_image_share_data() : 0;
}

int sheaf_boot_connect(void)
{
    bool has_launcher = sheaf_connection_launcher() != NULL;
    if (sheaf_image.is_forked && leave_parent() != 0)
        return -1;
    if (no_profile[0]) {
        sheaf_error("SH212 %s", no_profile);
        return -1;
    }
    if (failure[0] || (attached && !has_place())) {
        sheaf_error("SH403 %s", failure);
        return -1;
    }
    if (has_launcher && !sheaf_connection_is_open() && connect_to(sheaf_connection_launcher()) != 0)
        return -1;
    if (!has_launcher && sheaf_image.job && connect_oshrun() != 0)
        return -1;
    if (!has_launcher && !sheaf_boot.has_control && sheaf_launcher_is_foreign())
        return -1;
    sheaf_kvs_open(sheaf_boot.nodes > 1 ? sheaf_connection_launcher() : NULL);
    return 0;
}

int sheaf_boot_make_id(char id[SHEAF_BOOT_ID], const char *call)
{
    return sheaf_identifier_make(id, call);
}

/* Where the library was loaded late, or this is a child that its parent forked, of which there may be
 * several: each has a file of its own. */
static void prepare_for_id(void)
{
    bool is_child = sheaf_image.is_forked && !sheaf_image.on_fork;
    if (is_child) {
        sheaf_image_leave_parent();
        if (sheaf_image.fd >= 0)
            close(sheaf_image.fd);
    }
    if (is_child || sheaf_image.fd < 0)
        prepare_alone();
}

static bool has_failed_start;

int sheaf_boot_choose_id(int rank, int size, const char id[SHEAF_BOOT_ID], const char *call)
{
    const char *place = attached ? "oshrun has started this process" : "this process was in a job already";
    if (attached || has_failed_start || sheaf_connection_is_open()) {
        sheaf_error("SH412 %s: %s, as PE %d of %d: shmem_init joins that job", call, place, sheaf_boot.pe,
                    sheaf_boot.npes);
        return -1;
    }
    if (sheaf_identifier_choose(rank, size, id, call) != 0)
        return -1;
    prepare_for_id();
    sheaf_connection_set_launcher(&sheaf_launcher_rendezvous);
    return 0;
}

void sheaf_boot_drop_id(void)
{
    sheaf_identifier_drop();
    sheaf_connection_set_launcher(sheaf_launcher_find());
}

bool sheaf_boot_fail_start(void)
{
    struct sheaf_control *control = sheaf_boot.has_control ? sheaf_image.control : NULL;
    if (!sheaf_identifier_plan() || !sheaf_boot_can_abort() || sheaf_boot.nodes > 1 ||
        sheaf_settings_choice("SHEAF_FAILURES") != SHEAF_FAILURES_REPORT)
        return false;
    has_failed_start = true;
    if (control && sheaf_control_list_death(control, sheaf_boot.slot))
        sheaf_control_count_deaths(control);
    sheaf_boot_disconnect();
    return true;
}

bool sheaf_boot_has_launcher(void)
{
    return sheaf_connection_launcher() || sheaf_image.job;
}

bool sheaf_boot_can_abort(void)
{
    return sheaf_connection_is_open() && !sheaf_image.is_forked;
}

void sheaf_boot_end(int status)
{
    if (!sheaf_boot_can_abort())
        return;
    sheaf_exit_claim_end(status);
    if (!sheaf_end_gather()) {
        sheaf_boot_abort(status);
        return;
    }
    sheaf_exit_claim_leave();
    sheaf_connection_end();
    sheaf_connection_forget();
}

void sheaf_boot_forked(void)
{
    sheaf_latecomers_close();
}

void sheaf_boot_disconnect(void)
{
    if (!sheaf_boot_can_abort())
        return;
    sheaf_exit_claim_leave();
    sheaf_connection_close();
    sheaf_connection_forget();
}
