/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See pmix_process.h. libpmix calls the functions of its table in a thread of its own; each function
 * reports to oshrun before the PE has its answer, so that oshrun has the report before the PE can exit.
 */
#ifdef SHEAF_HAS_PMIX_SERVER

#include "oshrun/mpi/pmix/pmix_process.h"

#include "oshrun/hosts/process.h"
#include "oshrun/hosts/spawn_variables.h"
#include "oshrun/mpi/pmix/pmix_library.h"
#include "oshrun/mpi/pmix/private_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static int channel;
static struct pmix_library library;
static pmix_nspace_t job;      /* the job's name, which another user cannot guess */
static char folder[PATH_MAX];  /* "": not made yet */

/* Later versions of the server's table have more entries, which libpmix copies too. */
static union {
    pmix_server_module_t entries;
    char room[1024];
} table;

static void send_report(enum pmix_reported news, pmix_rank_t rank, int status)
{
    struct pmix_report report = {.news = news, .pe = (int)rank, .status = status};
    send(channel, &report, REPORT_HEAD, MSG_NOSIGNAL);
}

__attribute__((format(printf, 1, 2))) _Noreturn static void fail(const char *format, ...)
{
    static struct pmix_report report = {.news = REPORT_FAILED};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(report.words, sizeof report.words, format, arguments);
    va_end(arguments);
    send(channel, &report, REPORT_HEAD + (size_t)length + 1, MSG_NOSIGNAL);
    if (*folder)
        sheaf_private_folder_remove(folder);
    _exit(1);
}

static pmix_status_t connected(const pmix_proc_t *proc, void *object, pmix_info_t *info, size_t count,
                               pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)info, (void)count, (void)done, (void)context;
    send_report(REPORT_CONNECTED, proc->rank, 0);
    return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)done, (void)context;
    send_report(REPORT_FINALIZED, proc->rank, 0);
    return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t aborted(const pmix_proc_t *proc, void *object, int status, const char *message,
                             pmix_proc_t *procs, size_t count, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)message, (void)procs, (void)count;
    send_report(REPORT_ABORTING, proc->rank, status);
    done(PMIX_SUCCESS, context);
    return PMIX_SUCCESS;
}

/* The fence: libpmix calls it once all PEs of this host have arrived, and all PEs are on this host. */
static pmix_status_t serve_fence(const pmix_proc_t *procs, size_t count, const pmix_info_t *info,
                                 size_t infos, char *data, size_t bytes, pmix_modex_cbfunc_t done,
                                 void *context)
{
    (void)procs, (void)count, (void)info, (void)infos;
    done(PMIX_SUCCESS, data, bytes, context, free, data);
    return PMIX_SUCCESS;
}

static pmix_status_t refuse_spawn(const pmix_proc_t *proc, const pmix_info_t *info, size_t count,
                                  const pmix_app_t *apps, size_t app_count, pmix_spawn_cbfunc_t done,
                                  void *context)
{
    (void)info, (void)count, (void)apps, (void)app_count, (void)done, (void)context;
    send_report(REPORT_SPAWNING, proc->rank, 0);
    return PMIX_ERR_NOT_SUPPORTED;
}

/* Declines all requests. Without this function libpmix would not record the files that it is to remove;
 * libpmix calls the function for its other requests. */
static pmix_status_t decline_control(const pmix_proc_t *proc, const pmix_proc_t *targets,
                                     size_t target_count, const pmix_info_t *info, size_t count,
                                     pmix_info_cbfunc_t done, void *context)
{
    (void)proc, (void)targets, (void)target_count, (void)info, (void)count, (void)done, (void)context;
    return PMIX_ERR_NOT_SUPPORTED;
}

/* Closes all of oshrun's descriptors except the channel, and leaves its terminal's signals. */
static void detach_from_oshrun(void)
{
    sigset_t all;
    setpgid(0, 0);
    prctl(PR_SET_NAME, "sheaf-pmix");
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    sheaf_process_close_between(3, (unsigned)channel - 1);
    sheaf_process_close_between((unsigned)channel + 1, UINT_MAX);
}

/* Removes an outer launcher's variables, which are only for oshrun; a user's settings stay. */
static void forget_outer(void)
{
    char name[256];
    for (size_t i = 0; environ[i];) {
        size_t length = strcspn(environ[i], "=");
        if (!sheaf_spawn_is_of_pmix(environ[i]) || length >= sizeof name) {
            i++;
            continue;
        }
        memcpy(name, environ[i], length);
        name[length] = '\0';
        unsetenv(name);
    }
}

static void make_name(void)
{
    unsigned char bytes[16];
    size_t at = (size_t)snprintf(job, sizeof job, "%s", SHEAF_PMIX_STEM);
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        fail("no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++, at += 2)
        snprintf(job + at, sizeof job - at, "%02x", bytes[i]);
}

static void check_status(const char *what, pmix_status_t status)
{
    if (status != PMIX_SUCCESS && status != PMIX_OPERATION_SUCCEEDED)
        fail("%s fails in %s: %s", SHEAF_LIBPMIX, what, library.PMIx_Error_string(status));
}

/* Starts libpmix's server, with its data store in messages, which makes no files, and with IPv4, which
 * who_connects.c can check. */
static void start_server(const struct options *options)
{
    pmix_info_t info[4] = {0};
    table.entries = (pmix_server_module_t){.client_connected2 = connected,
                                           .client_finalized = finalized,
                                           .abort = aborted,
                                           .fence_nb = serve_fence,
                                           .spawn = refuse_spawn,
                                           .job_control = decline_control};
    sheaf_pmix_text(&info[0], PMIX_SERVER_TMPDIR, folder);
    sheaf_pmix_text(&info[1], PMIX_SYSTEM_TMPDIR, folder);
    sheaf_pmix_text(&info[2], PMIX_SERVER_NSPACE, "sheaf-server");
    sheaf_pmix_flag(&info[3], PMIX_TCP_DISABLE_IPV6, true);
    setenv("PMIX_MCA_gds", "hash", 0);
    check_status("PMIx_server_init", library.PMIx_server_init(&table.entries, info, 4));
    check_status("PMIx_server_register_nspace", sheaf_pmix_job_register(&library, options, job, folder));
}

/* Reports the variables for all PEs: those of the first PE, except its rank. */
static void report_ready(void)
{
    static struct pmix_report report = {.news = REPORT_READY};
    pmix_proc_t proc = {0};
    char **settings = NULL;
    size_t used = strlen(strcpy(report.words, folder)) + 1;
    snprintf(proc.nspace, sizeof proc.nspace, "%s", job);
    check_status("PMIx_server_setup_fork", library.PMIx_server_setup_fork(&proc, &settings));
    for (size_t i = 0; settings && settings[i]; i++) {
        size_t length = strlen(settings[i]) + 1;
        if (strncmp(settings[i], "PMIX_RANK=", 10) == 0)
            continue;
        if (length > sizeof report.words - used)
            fail("%s sets more variables than oshrun has room for", SHEAF_LIBPMIX);
        memcpy(report.words + used, settings[i], length);
        used += length;
    }
    send(channel, &report, REPORT_HEAD + used, MSG_NOSIGNAL);
}

/* Waits for the end of the channel, which is the end of the job: oshrun sends nothing. Then libpmix
 * removes the files that the PEs' MPI has named to it (in /dev/shm). */
static void wait_for_end(void)
{
    char byte;
    while (recv(channel, &byte, 1, 0) > 0)
        ;
}

_Noreturn void sheaf_pmix_process_run(const struct options *options, int fd)
{
    char why[256];
    channel = fd;
    detach_from_oshrun();
    forget_outer();
    if (sheaf_pmix_library_load(&library, why, sizeof why) != 0)
        fail("%s", why);
    if (sheaf_private_folder_make(folder, sizeof folder) < 0) {
        folder[0] = '\0';
        fail("there is no folder for it in TMPDIR: %s", strerror(errno));
    }
    make_name();
    start_server(options);
    report_ready();
    wait_for_end();
    library.PMIx_server_deregister_nspace(job, NULL, NULL);
    library.PMIx_server_finalize();
    sheaf_private_folder_remove(folder);
    _exit(0);
}

#endif
