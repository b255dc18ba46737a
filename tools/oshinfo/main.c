/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshinfo: what this installation is, and what it finds on this machine. Starts nothing.
 */
#include "../common/standard_output.h"
#include "../common/status.h"
#include "base/sanitize.h"
#include "base/settings/env.h"
#include "doctor.h"
#include "machine.h"
#include "messages.h"
#include "network.h"
#include "providers.h"

#include <stdio.h>
#include <string.h>

static void print_help(void)
{
    puts("usage: oshinfo [--doctor] [--amo] [--providers] [--pace] [--settings=tsv]\n"
         "               [--explain [ID | WORDS] | --explain=tsv] [--version] [--help]\n"
         "Prints the version of Sheaf, what this machine offers to an OpenSHMEM job, and the\n"
         "environment variables with their values now.\n"
         "--doctor: what here stands in a job's way, a line each with its remedy; exit status 0\n"
         "when nothing is wrong.\n"
         "--amo: who carries out each atomic operation, on this host and across hosts.\n"
         "--providers: as the program of a job (oshrun -n 2 oshinfo --providers), who carries out puts,\n"
         "gets, atomic operations and collectives between its PEs, and what each takes.\n"
         "--pace: the constants and times of waits, which SHEAF_PACE=NAME=VALUE,... changes.\n"
         "--explain ID: the cause and remedy of the message with this id at its end, [SH101]; of a whole\n"
         "line in quotes, too. Words in quotes are looked for; without any all ids are listed.\n"
         "--explain=tsv: all of them with tabs between id, line, cause, remedy and page of the book.\n"
         "--settings=tsv: the environment variables, a line each with tabs between name, old name, type,\n"
         "values, default, since, page of the book and help.\n"
         "man 7 sheaf describes them.");
}

static void print_version(void)
{
    puts("oshinfo (Sheaf) " SHEAF_VERSION ", OpenSHMEM 1.6");
}

static void print_all(void)
{
    printf(LABEL "%s\n", "Sheaf", SHEAF_VERSION);
    printf(LABEL "%s\n", "OpenSHMEM", "1.6");
    sheaf_network_print_launchers(stdout);
    puts("\nNetwork engines");
    sheaf_network_print_engines(stdout);
    puts("\nThis machine");
    sheaf_machine_print_cpus(stdout);
    sheaf_machine_print_nodes(stdout);
    sheaf_machine_print_memory(stdout);
    sheaf_machine_print_huge_pages(stdout);
    sheaf_machine_print_address_space(stdout);
    sheaf_machine_print_limits(stdout);
    puts("\nEnvironment");
    sheaf_settings_print(stdout);
}

/* With what SHEAF_PACE makes of them, which is refused as a job would refuse it. */
static int print_pace(void)
{
    struct sheaf_settings settings;
    if (sheaf_settings_read(&settings) != 0)
        return 1;
    sheaf_pace_print(stdout, &settings.pace, &settings.times);
    return 0;
}

static int explain(char *text)
{
    if (!text)
        sheaf_messages_list(stdout);
    else if (sheaf_messages_explain(stdout, text) != 0) {
        sheaf_sanitize(text, 0);
        fprintf(stderr,
                "oshinfo: no message has the id or the words \"%s\"; oshinfo --explain lists all [SH951]\n",
                text);
        return 1;
    }
    return 0;
}

static int refuse(const char *what, char *word, const char *remedy)
{
    sheaf_sanitize(word, 0);
    fprintf(stderr, "oshinfo: %s %s; oshinfo --%s [SH951]\n", what, *word ? word : "\"\"", remedy);
    return STATUS_USAGE;
}

int main(int argc, char **argv)
{
    sheaf_standard_output_watch();
    int most = argc > 1 && !strcmp(argv[1], "--explain") ? 3 : 2;
    if (argc > most)
        return refuse("one word too many:", argv[most], "help says more");
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        print_help();
    } else if (argc > 1 && !strcmp(argv[1], "--version")) {
        print_version();
    } else if (argc > 1 && !strcmp(argv[1], "--doctor")) {
        return sheaf_doctor_print(stdout) == 0 ? 0 : 1;
    } else if (argc > 1 && !strcmp(argv[1], "--amo")) {
        return sheaf_network_print_amo(stdout) == 0 ? 0 : 1;
    } else if (argc > 1 && !strcmp(argv[1], "--providers")) {
        return sheaf_providers_print(stdout);
    } else if (argc > 1 && !strcmp(argv[1], "--pace")) {
        return print_pace();
    } else if (argc > 1 && !strcmp(argv[1], "--explain")) {
        return explain(argv[2]);
    } else if (argc > 1 && !strcmp(argv[1], "--explain=tsv")) {
        sheaf_messages_print_tsv(stdout);
    } else if (argc > 1 && !strcmp(argv[1], "--settings=tsv")) {
        sheaf_settings_print_tsv(stdout);
    } else if (argc > 1) {
        if (!*argv[1] || *argv[1] == '-')
            return refuse("unknown option", argv[1], "help lists them");
        return refuse("no option:", argv[1], "explain ID is about a message, and --help lists all options");
    } else {
        print_all();
    }
    return 0;
}
