/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job's description in PMIx's attributes, as Open MPI asks for it: the number of PEs, the PEs on this
 * host, each PE's program on the command line, and the folder for files.
 */
#ifdef SHEAF_HAS_PMIX_SERVER

#include "oshrun/mpi/pmix/pmix_library.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of attributes of the job, and of each PE. */
#define OF_JOB 9
#define OF_PE  7

struct words {
    char host[HOST_NAME_MAX + 1], nodes[HOST_NAME_MAX + 8];
    char *ranks;
    pmix_info_t *infos; /* OF_JOB, then one for each PE */
    pmix_data_array_t *arrays;
    pmix_info_t *pes; /* OF_PE for each */
};

static void set_name(pmix_info_t *info, const char *key)
{
    snprintf(info->key, sizeof info->key, "%s", key);
}

void sheaf_pmix_text(pmix_info_t *info, const char *key, const char *value)
{
    set_name(info, key);
    info->value = (pmix_value_t){.type = PMIX_STRING, .data.string = (char *)(uintptr_t)value};
}

void sheaf_pmix_flag(pmix_info_t *info, const char *key, bool value)
{
    set_name(info, key);
    info->value = (pmix_value_t){.type = PMIX_BOOL, .data.flag = value};
}

static void set_count(pmix_info_t *info, const char *key, int value)
{
    set_name(info, key);
    info->value = (pmix_value_t){.type = PMIX_UINT32, .data.uint32 = (uint32_t)value};
}

static void set_short_count(pmix_info_t *info, const char *key, int value)
{
    set_name(info, key);
    info->value = (pmix_value_t){.type = PMIX_UINT16, .data.uint16 = (uint16_t)value};
}

static void set_rank(pmix_info_t *info, const char *key, int value)
{
    set_name(info, key);
    info->value = (pmix_value_t){.type = PMIX_PROC_RANK, .data.rank = (pmix_rank_t)value};
}

/* "raw:0,1,2": all PEs are on the one host. */
static char *ranks_of(int npes)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs("raw:", out);
    for (int pe = 0; pe < npes; pe++)
        fprintf(out, "%s%d", pe ? "," : "", pe);
    return fclose(out) == 0 ? text : NULL;
}

static bool allocate(struct words *words, int npes)
{
    words->infos = calloc(OF_JOB + (size_t)npes, sizeof *words->infos);
    words->arrays = calloc((size_t)npes, sizeof *words->arrays);
    words->pes = calloc((size_t)npes * OF_PE, sizeof *words->pes);
    words->ranks = ranks_of(npes);
    return words->infos && words->arrays && words->pes && words->ranks;
}

static void describe_job(struct words *words, const struct options *options, const char *job,
                         const char *folder)
{
    pmix_info_t *info = words->infos;
    gethostname(words->host, sizeof words->host - 1);
    snprintf(words->nodes, sizeof words->nodes, "raw:%s", words->host);
    sheaf_pmix_text(info++, PMIX_JOBID, job);
    sheaf_pmix_text(info++, PMIX_NODE_MAP, words->nodes);
    sheaf_pmix_text(info++, PMIX_PROC_MAP, words->ranks);
    set_count(info++, PMIX_JOB_SIZE, options->npes);
    set_count(info++, PMIX_UNIV_SIZE, options->npes);
    set_count(info++, PMIX_MAX_PROCS, options->npes);
    sheaf_pmix_text(info++, PMIX_TMPDIR, folder);
    sheaf_pmix_text(info++, PMIX_NSDIR, folder);
    sheaf_pmix_flag(info++, PMIX_TDIR_RMCLEAN, true);
}

static void describe_pe(struct words *words, int pe, int program, const char *folder)
{
    pmix_info_t *first = &words->pes[pe * OF_PE], *info = first;
    set_rank(info++, PMIX_RANK, pe);
    set_count(info++, PMIX_APPNUM, program);
    set_short_count(info++, PMIX_LOCAL_RANK, pe);
    set_short_count(info++, PMIX_NODE_RANK, pe);
    set_count(info++, PMIX_NODEID, 0);
    sheaf_pmix_text(info++, PMIX_HOSTNAME, words->host);
    sheaf_pmix_text(info++, PMIX_PROCDIR, folder);
    words->arrays[pe] = (pmix_data_array_t){.type = PMIX_INFO, .size = OF_PE, .array = first};
    set_name(&words->infos[OF_JOB + pe], PMIX_PROC_DATA);
    words->infos[OF_JOB + pe].value =
        (pmix_value_t){.type = PMIX_DATA_ARRAY, .data.darray = &words->arrays[pe]};
}

static pmix_status_t register_pes(const struct pmix_library *library, const struct options *options,
                                  const char *job)
{
    pmix_status_t status = PMIX_SUCCESS;
    pmix_proc_t proc = {0};
    snprintf(proc.nspace, sizeof proc.nspace, "%s", job);
    for (int pe = 0; pe < options->npes && status >= 0; pe++) {
        proc.rank = (pmix_rank_t)pe;
        status = library->PMIx_server_register_client(&proc, geteuid(), getegid(), NULL, NULL, NULL);
        if (status == PMIX_OPERATION_SUCCEEDED)
            status = PMIX_SUCCESS;
    }
    return status;
}

pmix_status_t sheaf_pmix_job_register(const struct pmix_library *library, const struct options *options,
                                      const char *job, const char *folder)
{
    struct words words = {.host = ""};
    pmix_status_t status = PMIX_ERR_NOMEM;
    if (allocate(&words, options->npes)) {
        describe_job(&words, options, job, folder);
        for (int i = 0; i < options->program_count; i++)
            for (int k = 0; k < options->programs[i].npes; k++)
                describe_pe(&words, options->programs[i].first_pe + k, i, folder);
        status = library->PMIx_server_register_nspace(job, options->npes, words.infos,
                                                      OF_JOB + (size_t)options->npes, NULL, NULL);
        if (status == PMIX_OPERATION_SUCCEEDED || status == PMIX_SUCCESS)
            status = register_pes(library, options, job);
    }
    free(words.infos);
    free(words.arrays);
    free(words.pes);
    free(words.ranks);
    return status;
}

#endif
