/* SPDX-License-Identifier: BSD-3-Clause
 * See launcher_options.h. These are options of Open MPI's mpirun and oshrun, PRRTE's prterun, MPICH's
 * Hydra, Slurm's srun and ALPS's aprun.
 */
#include "oshrun/command/launcher_options.h"

#include "oshrun/command/say.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define BY_HOST "--hosts HOST:N,... says how many PEs each host has"
#define CPUS    "a PE has its share of the CPUs, or one core with --bind core"

static const struct launcher_option {
    const char *names; /* without dashes, a space on both sides of each */
    int values;
    bool is_refused;
    const char *says; /* NULL: oshrun does so anyway */
} options[] = {
    {" oversubscribe overcommit O allow-run-as-root genvall envall ", 0, false, NULL},
    {" genvlist envlist ", 1, false, NULL},
    {" mca gmca pmixmca prtemca ", 2, false, "a parameter of Open MPI, which does not start these PEs"},
    {" map-by rank-by distribution m ", 1, false, "PEs stand in the order of the hosts, " CPUS},
    {" report-bindings display-map display-allocation nooversubscribe u unbuffered v verbose K "
     "kill-on-bad-exit exclusive bynode byslot ", 0, false, "nothing that oshrun does otherwise"},
    {" N nodes ppn npernode ntasks-per-node pernode perhost ", 1, true, BY_HOST},
    {" c d cpus-per-task cpus-per-proc cpus-per-rank depth ", 1, true, CPUS},
    {" t time ", 1, true, "--timeout SECONDS"},
    {" o e output-filename outfile-pattern errfile-pattern error ", 1, true, "--output DIR"},
    {" i input ", 1, true, "--stdin PE|none"},
    {" p A J partition account job-name qos reservation ", 1, true, "give it to salloc or sbatch"},
    {" export ", 1, true, "all variables go to the PEs; -x VAR=VALUE sets one"},
    {" app configfile multi-prog ", 1, true, "programs of one job stand in one line, with : between them"},
};

static const struct launcher_option *find_option(const char *name)
{
    char word[64];
    int length = snprintf(word, sizeof word, " %s ", name + strspn(name, "-"));
    for (size_t i = 0; i < sizeof options / sizeof *options && length < (int)sizeof word; i++)
        if (strstr(options[i].names, word))
            return &options[i];
    return NULL;
}

int sheaf_launcher_option_skip(const char *name, const char *value, char **following)
{
    const struct launcher_option *option = find_option(name);
    if (!option)
        return -1;
    if (option->is_refused)
        sheaf_die(STATUS_USAGE, "%s is another launcher's; here: %s", name, option->says);
    int words = 0;
    while (!value && words < option->values && following[words])
        words++;
    if (option->says)
        sheaf_say("%s%s%s%s%s has no effect here: %s", name, value ? "=" : words ? " " : "",
                  value ? value : words ? following[0] : "", words > 1 ? " " : "",
                  words > 1 ? following[1] : "", option->says);
    return words;
}
