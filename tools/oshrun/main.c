/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun: starts an OpenSHMEM job on this machine and watches over it.
 */
#include "base/settings/env.h"
#include "common/standard_output.h"
#include "oshrun/command/other_library.h"
#include "oshrun/command/profile.h"
#include "oshrun/command/save_on_failure.h"
#include "oshrun/command/say.h"
#include "oshrun/command/snapshot.h"
#include "oshrun/hosts/binding.h"
#include "oshrun/hosts/other_launchers.h"
#include "oshrun/hosts/spawn.h"
#include "oshrun/hosts/respawn_agent.h"
#include "oshrun/mpi/linked_mpi.h"
#include "oshrun/mpi/wrapper.h"
#include "oshrun/supervise/supervise.h"
#include "oshrun/supervise/why.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Opens descriptors 0 to 2 that are closed: otherwise a pipe or the job's memory would get their
 * numbers. Returns whether standard input was open. */
static bool open_standard_streams(void)
{
    bool has_input = fcntl(0, F_GETFD) >= 0;
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
            exit(1);
    return has_input;
}

/* Raises the limit on open files as far as allowed, since each PE has two pipes. The PEs get the old
 * limit back. */
static void raise_file_limit(struct spawn *spawn)
{
    struct rlimit raised;
    getrlimit(RLIMIT_NOFILE, &spawn->files);
    raised = spawn->files;
    raised.rlim_cur = raised.rlim_max;
    setrlimit(RLIMIT_NOFILE, &raised);
}

static int run(const struct options *options)
{
    static struct job job;
    static struct input input;
    static struct spawn spawn;
    static struct supervisor supervisor;
    spawn = (struct spawn){.options = options, .job = &job};
    supervisor = (struct supervisor){
        .options = options, .job = &job, .spawn = &spawn, .input = &input};
    raise_file_limit(&spawn);
    sheaf_spawn_prepare(&spawn);
    sheaf_job_create(&job, options->npes, options->usable_cpus, sheaf_options_are_apart(options),
                     sheaf_options_report_failures(options), options->spares);
    job.control->keeps_memory = sheaf_save_on_failure_folder(options) != NULL;
    spawn.cpus = sheaf_binding_choose(options);
    supervisor.pes = calloc((size_t)options->npes, sizeof *supervisor.pes);
    if (!supervisor.pes)
        sheaf_die(1, "out of memory");
    supervisor.output = sheaf_output_create(options, &spawn);
    sheaf_input_create(&input, options, &spawn);
    supervisor.mpi = sheaf_pmi_server_create(options, &spawn);
    supervisor.pmix = sheaf_pmix_server_create(options, &spawn);
    sheaf_signal_setup(&supervisor, &spawn);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    supervisor.channel = sheaf_proxy_start(&spawn, &supervisor.proxy);
    sheaf_output_close_remote(supervisor.output);
    sheaf_input_close_remote(&input);
    return sheaf_supervise(&supervisor);
}

/* The program whose PEs load Open MPI: PEs with SHEAF_ONNODE=off may have Sheaf's engine load it. */
static const struct program *program_that_loads_open_mpi(const struct options *options)
{
    const struct program *program = &options->programs[0];
    const char *engine = sheaf_program_setting(program, "SHEAF_ENGINE");
    const char *mpi = sheaf_program_setting(program, "SHEAF_MPI");
    bool loads = sheaf_options_are_apart(options) && engine && mpi && !strcmp(engine, "mpi") &&
                 !strcmp(mpi, "openmpi");
    return loads ? program : NULL;
}

/* Warns of settings that say how PEs find each other: oshrun numbers the PEs, and an MPI in the program has
 * the same numbers. */
static void warn_about_start(const struct options *options)
{
    static const char *const settings[] = {"SHEAF_BOOT", "SHEAF_RANK", "SHEAF_SIZE"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = sheaf_program_setting(&options->programs[0], settings[i]);
        if (value && strcmp(value, sheaf_boot_names[SHEAF_BOOT_AUTO]) != 0)
            sheaf_say("%s=%s has no effect here: oshrun itself numbers the PEs, which are also the ranks "
                      "of an MPI in the program; unset it, or start the program with another launcher",
                      settings[i], value);
    }
}

/* Chooses the servers for the PEs' MPI. PMI-1 costs a pair of sockets per PE, and PMIx a process, so
 * they start only for programs that need them or may start another program that does. A single process
 * behind a wrapper is a world of one without a server. */
static void choose_mpi(struct options *options)
{
    if (options->mpi != MPI_AUTO)
        return;
    options->pmix_program = sheaf_linked_with_pmix(options);
    if (!options->pmix_program)
        options->pmix_program = program_that_loads_open_mpi(options);
    if (options->pmix_program)
        options->mpi = MPI_PMIX;
    else
        options->mpi = options->npes > 1 && sheaf_has_wrapper(options) ? MPI_BOTH : MPI_PMI1;
    /* MPICH 5 ends in MPI_Init where it finds both and is not told which to take. An MPICH built without
     * PMI-1 takes PMIx all the same. */
    if (options->mpi == MPI_BOTH)
        setenv("MPIR_CVAR_PMI_VERSION", "1", 0);
}

int main(int argc, char **argv)
{
    static struct options options;
    sheaf_settings_use_pace();
    if (sheaf_respawn_agent_is_wanted(argc, argv))
        sheaf_respawn_agent(argv);
    bool has_input = open_standard_streams();
    sheaf_standard_output_watch();
    sheaf_options_parse(argc, argv, &options);
    options.has_input = has_input;
    if (options.why)
        return sheaf_why(&options);
    sheaf_program_find(&options);
    sheaf_other_library_use(&options);
    sheaf_snapshot_settle(&options);
    sheaf_save_on_failure_check(&options);
    sheaf_options_report_failures(&options);
    if (options.hosts.count)
        sheaf_other_launcher_become(&options);
    warn_about_start(&options);
    sheaf_binding_use_isolated(&options);
    choose_mpi(&options);
    int status = run(&options);
    const char *folder = options.trace ? options.trace : options.profile;
    if (folder && !options.quiet)
        sheaf_profile_finish(folder, options.trace != NULL);
    return status;
}
