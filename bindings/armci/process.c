/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This process among all of them, and how it ends the job.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

_Alignas(64) struct sheaf_armci sheaf_armci = {.counter.pe = -1};

static __thread bool is_in_call;

bool sheaf_armci_call_begin(const char *call, const void *place)
{
    if (is_in_call)
        return false;
    is_in_call = true;
    shmemx_call_for(call, place);
    return true;
}

void sheaf_armci_call_end(const bool *is_named)
{
    if (!*is_named)
        return;
    is_in_call = false;
    shmemx_call_for(NULL, NULL);
}

static _Noreturn void end_job(int status)
{
    int is_up;
    shmem_query_initialized(&is_up);
    if (is_up)
        shmem_global_exit(status);
    _exit(status);
}

/* OpenSHMEM says the line, with the place in the program, while it is initialized. */
_Noreturn void sheaf_armci_refuse(const char *call, const char *format, ...)
{
    char text[512];
    int is_up;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    shmem_query_initialized(&is_up);
    if (is_up)
        shmemx_fail("SH215", call, text);
    fprintf(stderr, "sheaf: %s: %s [SH215]\n", call, text);
    _exit(1);
}

_Noreturn void sheaf_armci_refuse_process(const char *call, int proc)
{
    if (sheaf_armci.size == 0)
        sheaf_armci_refuse(call, "called before ARMCI_Init, or after ARMCI_Finalize");
    sheaf_armci_refuse(call, "process %d is none of the %d, which count from 0", proc,
                       sheaf_armci.size);
}

void ARMCI_Error(const char *message, int code)
{
    fprintf(stderr, "%d: %s: %d\n", sheaf_armci.me, message, code);
    fflush(stdout);
    end_job((code & 255) ? code & 255 : 1);
}

void armci_msg_abort(int code)
{
    ARMCI_Error("armci_msg_abort", code);
}

double armci_timer(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Domains: no process can use another's pointers, so each is one by itself. */
int armci_msg_me(void)
{
    sheaf_armci_check_up(CALL);
    return sheaf_armci.me;
}

int armci_msg_nproc(void)
{
    sheaf_armci_check_up(CALL);
    return sheaf_armci.size;
}

int armci_domain_nprocs(armci_domain_t domain, int id)
{
    (void)domain;
    if (id != -1) /* the caller's own */
        sheaf_armci_check_process(CALL, id);
    return 1;
}

int armci_domain_id(armci_domain_t domain, int proc)
{
    (void)domain;
    sheaf_armci_check_process(CALL, proc);
    return proc;
}

int armci_domain_glob_proc_id(armci_domain_t domain, int id, int proc)
{
    (void)domain;
    sheaf_armci_check_process(CALL, id);
    if (proc != 0)
        sheaf_armci_refuse(CALL, "process %d of domain %d: a domain has process 0 alone", proc, id);
    return id;
}

int armci_domain_my_id(armci_domain_t domain)
{
    (void)domain;
    return armci_msg_me();
}

int armci_domain_count(armci_domain_t domain)
{
    (void)domain;
    return armci_msg_nproc();
}

int armci_domain_same_id(armci_domain_t domain, int proc)
{
    (void)domain;
    sheaf_armci_check_process(CALL, proc);
    return proc == sheaf_armci.me;
}

int ARMCI_Same_node(int proc)
{
    sheaf_armci_check_process(CALL, proc);
    return proc == sheaf_armci.me;
}
