/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every time and every limit on a wait that is no constant of pacing, once: its name, its value, what it
 * guards, and what set it. oshinfo --pace prints them after the table of base/pace, and SHEAF_PACE changes
 * those that are not fixed. A tool, or a library beside Sheaf's, that includes this compiles times.c too.
 */
#ifndef SHEAF_BASE_TIMES_H
#define SHEAF_BASE_TIMES_H

#include "base/clock.h"

#include <stdint.h>

/* X(name, ns, what it guards: what set it). Those are FIXED that programs use which do not read SHEAF_PACE,
 * and those by which a seed chooses. */
#define SHEAF_TIMES(CHANGES, FIXED)                                                                \
    /* Messages (base/log.c) */                                                                    \
    CHANGES(error_quiet, 100 * SHEAF_MILLISECOND,                                                  \
            "an error is printed once no other PE has come to it for so long: others follow within " \
            "milliseconds, in a crowd within tens")                                                \
    CHANGES(error_most, 500 * SHEAF_MILLISECOND, "and this long after the first at the latest")    \
    CHANGES(error_look, SHEAF_MILLISECOND, "between two looks whether another PE has come to it")  \
    CHANGES(error_news, 2 * SHEAF_SECOND, "the same line is printed again after so long")          \
    /* Places in files, and reports of faults */                                                   \
    CHANGES(addr2line_most, 2 * SHEAF_SECOND,                                                      \
            "for addr2line to answer, then addresses are printed without places: not measured")    \
    CHANGES(fault_copy_most, 3 * SHEAF_SECOND,                                                     \
            "for the copy of a process that looks at its fault: addr2line_most, and its start")    \
    CHANGES(fault_copy_look, 2 * SHEAF_MILLISECOND, "between two looks whether that copy has ended") \
    FIXED(report_polls, 10 * SHEAF_MILLISECOND,                                                    \
          "a report sees whether a PE polls from two looks so far apart: a loop yields once a "    \
          "millisecond at least")                                                                  \
    /* This PE */                                                                                  \
    CHANGES(board_again, SHEAF_SECOND, "a wait's words on the status board are renewed so often")  \
    CHANGES(arena_lock_look, SHEAF_MILLISECOND,                                                    \
            "where jobs go on after a death: whether the lock's holder has died, which wakes nobody") \
    CHANGES(first_thread_look, 100 * SHEAF_MILLISECOND,                                            \
            "a first thread that called pthread_exit looks so often whether all others have ended") \
    CHANGES(last_acks, 200 * SHEAF_MILLISECOND,                                                    \
            "shmem_finalize serves acknowledgements so long: they take micro- to milliseconds")    \
    CHANGES(snapshot_ask, SHEAF_MILLISECOND,                                                       \
            "PEs ask each other for SHEAF_SNAPSHOT_EVERY about as often, or at each barrier")      \
    /* Chaos: what a seed chooses */                                                               \
    FIXED(chaos_late_most, 30 * SHEAF_MILLISECOND, "SHEAF_CHAOS delays an operation by less")      \
    FIXED(chaos_slow_most, 300 * SHEAF_MILLISECOND / 1000, "and a slow PE before a call by less")  \
    /* Memory of the job (image) */                                                                \
    CHANGES(fork_copy_after, 5 * SHEAF_MILLISECOND,                                                \
            "a child of fork() copies its variables after so long, unless it executes another "    \
            "program: fork() and exec() take 1 ms, more where processors are few")                 \
    CHANGES(look_up, 20 * SHEAF_MILLISECOND / 1000,                                                \
            "a launcher looks up a PE's record in so long: PMIx, in one process")                  \
    CHANGES(records_most, 20 * SHEAF_MILLISECOND,                                                  \
            "at start a PE reads all PEs' records if that takes no longer, else a list of each "   \
            "node: the lists take an exchange more")                                               \
    CHANGES(barrier_look, 100 * SHEAF_MILLISECOND,                                                 \
            "a PE that waits for others at start looks so often whether one has died")             \
    CHANGES(dying_most, SHEAF_SECOND,                                                              \
            "for a process whose descriptors are closed to count as dead: not measured")           \
    CHANGES(dying_look, SHEAF_MILLISECOND, "between two looks at it")                              \
    /* The end of a job (boot/end) */                                                              \
    CHANGES(launcher_ends_job, 2 * SHEAF_SECOND,                                                   \
            "after a PE's death: a launcher that ends the job itself, with a status and words "    \
            "of its own, does so first")                                                           \
    CHANGES(launcher_ends_told, 500 * SHEAF_MILLISECOND,                                           \
            "the same where a PE has said already why the job ends")                               \
    CHANGES(host_end_news, SHEAF_SECOND,                                                           \
            "after the end of a connection to a host, for the news why")                           \
    CHANGES(all_leave, 4 * SHEAF_SECOND,                                                           \
            "shmem_global_exit waits so long for all PEs: some 30 ms on an idle machine, more "    \
            "on a crowded one")                                                                    \
    CHANGES(launcher_goodbye, 500 * SHEAF_MILLISECOND,                                             \
            "for the last words to the launcher, which another thread may be talking to")          \
    CHANGES(end_news, 1500 * SHEAF_MILLISECOND,                                                    \
            "after the end of a connection, for the news of the job's end: milliseconds, or a "    \
            "second where it is a host")                                                           \
    CHANGES(end_look, SHEAF_MILLISECOND, "between two looks at these")                             \
    CHANGES(exit_status_look, SHEAF_MILLISECOND,                                                   \
            "between two of 20 looks at the status of a PE that has ended")                        \
    CHANGES(launcher_kills, 300 * SHEAF_MILLISECOND,                                               \
            "from the request to the launcher until this node's PEs are killed")                   \
    CHANGES(launcher_reads, 100 * SHEAF_MILLISECOND,                                               \
            "before that request, for what PEs have printed: Hydra ends a job without reading "    \
            "it")                                                                                  \
    CHANGES(abort_asked, 500 * SHEAF_MILLISECOND,                                                  \
            "a second thread that ends the job, and is about to exit, waits for the first "        \
            "one's request")                                                                       \
    /* Connections between hosts (hosts, boot/ring, boot/end) */                                   \
    CHANGES(host_joins, 5 * SHEAF_SECOND,                                                          \
            "for the next host's connection; from then on the launcher alone watches it")          \
    CHANGES(host_joins_again, 250 * SHEAF_MILLISECOND, "between two attempts")                     \
    CHANGES(host_joins_look, 100 * SHEAF_MILLISECOND, "between two looks at them")                 \
    CHANGES(host_joins_init, SHEAF_SECOND,                                                         \
            "shmem_init waits so long for it, which takes milliseconds: a host's death before "    \
            "it is not noticed")                                                                   \
    CHANGES(host_joins_init_look, SHEAF_MILLISECOND / 5, "between two looks of shmem_init")        \
    CHANGES(guest_silent, 2 * SHEAF_SECOND,                                                        \
            "a connection that has not shown the job's key is closed after so long")               \
    CHANGES(listener_pauses, 100 * SHEAF_MILLISECOND,                                              \
            "without a free descriptor, until it accepts connections again")                       \
    CHANGES(gate_pauses, 10 * SHEAF_MILLISECOND,                                                   \
            "the same of an engine's listener: the thread that accepts makes progress, too")       \
    CHANGES(host_probe, SHEAF_SECOND,                                                              \
            "of silence before the kernel asks another host, and between 3 questions")             \
    CHANGES(host_unanswered, 3500 * SHEAF_MILLISECOND,                                             \
            "what was sent and is not acknowledged for so long ends a connection: 3 questions, "   \
            "and a half")                                                                          \
    /* Launchers (boot/launcher, boot) */                                                          \
    CHANGES(rendezvous_connects, SHEAF_SECOND,                                                     \
            "for a connection to one address of the process to which all connect: a packet that is " \
            "lost costs the next address so long")                                                 \
    CHANGES(rendezvous_again, 5 * SHEAF_MILLISECOND,                                               \
            "between the first two attempts to reach it, and twice as long each time")             \
    CHANGES(rendezvous_again_most, 150 * SHEAF_MILLISECOND,                                        \
            "up to about this: 256 processes take 2 ms of a processor with each attempt")          \
    CHANGES(rendezvous_slack, 5 * SHEAF_SECOND,                                                    \
            "beyond SHEAF_RENDEZVOUS_TIMEOUT, for the word that others are missing")               \
    CHANGES(rendezvous_fence, 100 * SHEAF_MILLISECOND,                                             \
            "between two looks of a fence whose messages do not come: these wake it")              \
    CHANGES(rendezvous_unsent, SHEAF_MILLISECOND, "and where one waits to be sent")                \
    CHANGES(abort_by_other, 2 * SHEAF_SECOND,                                                      \
            "a PE that has seen a death before all were connected waits for another one to say "   \
            "so")                                                                                  \
    CHANGES(fence_pause_most, 16 * SHEAF_SECOND,                                                   \
            "the longest of the pauses, from 1 s on, between two looks who is missing: "           \
            "somebody may come late")                                                              \
    CHANGES(fence_pause_first, SHEAF_SECOND, "the first of them")                                  \
    CHANGES(daemon_dies, 50 * SHEAF_MILLISECOND,                                                   \
            "a launcher's daemon closes its sockets before the kernel tells of its end")           \
    CHANGES(mismatch_said, 2 * SHEAF_SECOND,                                                       \
            "for PE 0 to say why PEs do not fit together: the job may end with the first that "    \
            "leaves")                                                                              \
    CHANGES(containers_join, 10 * SHEAF_SECOND,                                                    \
            "for the PEs of a host's containers to pass each other their memory, which takes "     \
            "milliseconds")                                                                        \
    CHANGES(containers_look, 10 * SHEAF_MILLISECOND, "between two looks of who gathers them")      \
    CHANGES(node_file_look, 100 * SHEAF_MILLISECOND,                                               \
            "whether the PE that makes the node's file is there")                                  \
    /* Why a job does not go on (boot/job_report, oshrun) */                                       \
    CHANGES(report_most, 1500 * SHEAF_MILLISECOND,                                                 \
            "for the other hosts' parts of a report: a leader answers within milliseconds, a "     \
            "stopped one never")                                                                   \
    CHANGES(stacks_most, 60 * SHEAF_SECOND,                                                        \
            "for the debugger of a host: 0.3 s for a process, 2 s where others compute")           \
    CHANGES(stacks_report_more, 5 * SHEAF_SECOND, "and beyond that for the hosts' parts")          \
    CHANGES(stacks_look, 20 * SHEAF_MILLISECOND,                                                   \
            "between two looks whether the debugger has ended")                                    \
    CHANGES(report_same, SHEAF_SECOND,                                                             \
            "a second question within this is the same one: launchers hand a signal to all PEs")   \
    CHANGES(report_heard, SHEAF_SECOND, "for the lowest PE of a node to hear a question")          \
    CHANGES(report_kept, 200 * SHEAF_MILLISECOND,                                                  \
            "for all hosts to keep what their PEs did, before the job ends")                       \
    CHANGES(call_wait_first, SHEAF_SECOND,                                                         \
            "a PE has waited so long in a collective before calls are compared")                   \
    CHANGES(call_wait_host, 20 * SHEAF_MILLISECOND,                                                \
            "and longer by this for each host: a question takes longer with more")                 \
    CHANGES(call_wait_most, 60 * SHEAF_SECOND, "between two comparisons because of one wait")      \
    CHANGES(call_wait_look, SHEAF_SECOND, "between two looks at the status boards")                \
    CHANGES(call_answer, 4 * SHEAF_SECOND,                                                         \
            "a PE whose call differs waits for the job's end that follows from its question")      \
    CHANGES(call_answer_oshrun, 2 * SHEAF_SECOND,                                                  \
            "the same of oshrun, which looks some times a second")                                 \
    CHANGES(stall_look, 100 * SHEAF_MILLISECOND,                                                   \
            "at least, between two looks whether every PE waits")                                  \
    CHANGES(stall_moves, SHEAF_SECOND, "a PE that was woken has moved after so long")              \
    CHANGES(missed_pause_first, SHEAF_SECOND,                                                      \
            "after a PE has left: until all are asked whether they wait for it")                   \
    CHANGES(missed_pause_most, 32 * SHEAF_SECOND,                                                  \
            "and between two such questions, twice as long each time")                             \
    CHANGES(report_asked, 2 * SHEAF_SECOND,                                                        \
            "a command that asks a PE for a report waits so long: more than report_most")          \
    CHANGES(stacks_asked_more, 10 * SHEAF_SECOND,                                                  \
            "and for stacks so much longer than stacks_most")                                      \
    CHANGES(report_asked_look, SHEAF_MILLISECOND, "between two looks for the answer")              \
    /* Networks (engine) */                                                                        \
    CHANGES(peer_unheard, 3 * SHEAF_SECOND,                                                        \
            "a socket of a lost host: probes and data are unanswered for so long")                 \
    CHANGES(peer_lost, 15 * SHEAF_SECOND,                                                          \
            "and so long where deaths are reported otherwise, and nothing is to be sent")          \
    CHANGES(key_arrives, 3 * SHEAF_SECOND,                                                         \
            "the kernel hands over a connection once its first bytes are there, or after so "      \
            "long")                                                                                \
    CHANGES(key_read, 20 * SHEAF_MILLISECOND,                                                      \
            "and the key is awaited so long: it is among the first bytes, unless the kernel "      \
            "lacks memory")                                                                        \
    CHANGES(network_probe, SHEAF_SECOND,                                                           \
            "UCX: of silence before the kernel asks another host, and between 6 questions")        \
    CHANGES(credit_waits, 20 * SHEAF_SECOND,                                                       \
            "a put waits so long for its target's credit, then goes without: 0.3 s where 10,000 "  \
            "PEs put 32 KiB to one, 5 s where that one is slow")                                   \
    CHANGES(credit_unused, 2 * SHEAF_SECOND,                                                       \
            "credit that was given and not used for so long is given to others: a slow PE reads "  \
            "the 8 MiB in 0.2 s")                                                                  \
    CHANGES(connection_leaves, 3 * SHEAF_SECOND,                                                   \
            "a connection that breaks with nothing under way is a failure unless this PE ends "    \
            "within this")                                                                         \
    CHANGES(connection_death, 10 * SHEAF_SECOND,                                                   \
            "or, where deaths are reported, unless that of its PE is: 5 s for a host that is "     \
            "gone")                                                                                \
    CHANGES(mpi_rest_least, SHEAF_MILLISECOND / 50,                                                \
            "MPI: a sleeper looks again after an eighth of the time since news, at least this: "   \
            "a look takes 1 to 5 us")                                                              \
    CHANGES(mpi_rest_most, 4 * SHEAF_MILLISECOND, "and at most this")                              \
    CHANGES(mpi_data_moves, 5 * SHEAF_MILLISECOND,                                                 \
            "MPI: nobody sleeps before so long while data moves: 4 MiB take 2 to 4 ms over TCP")   \
    CHANGES(mpi_look_again, SHEAF_MILLISECOND / 100,                                               \
            "MPI: between two requests to a target to look for accesses")                          \
    CHANGES(mpi_leaves, 100 * SHEAF_MILLISECOND, "MPI: for what a port that is closed has sent")   \
    CHANGES(mpi_trial, 2 * SHEAF_MILLISECOND,                                                      \
            "MPI: the target of a trial of its windows calls nothing for so long")                 \
    CHANGES(ofi_look, SHEAF_MILLISECOND,                                                           \
            "libfabric: a sleeper looks so often while the provider takes no more, or cannot "     \
            "wake it")                                                                             \
    CHANGES(ofi_hangup, SHEAF_SECOND,                                                              \
            "libfabric: between two of 25 looks for connections of a peer that has died")          \
    CHANGES(ofi_lost_look, 2 * SHEAF_SECOND,                                                       \
            "libfabric: between two looks for connections of hosts that were lost")                \
    CHANGES(ofi_idle_probe, 10 * SHEAF_SECOND,                                                     \
            "libfabric, where deaths are reported: of silence before the kernel asks another "     \
            "host")                                                                                \
    CHANGES(ofi_idle_again, 2 * SHEAF_SECOND, "and between 5 questions")                           \
    CHANGES(ofi_links_look, 100 * SHEAF_MILLISECOND,                                               \
            "libfabric: between two looks at the silence of all links")                            \
    CHANGES(ofi_silence_first, 200 * SHEAF_MILLISECOND,                                            \
            "libfabric: a peer silent for so long is probed by a connection")                      \
    CHANGES(ofi_silence_most, 60 * SHEAF_SECOND,                                                   \
            "and then after twice as long each time, up to this: a probe costs either end some "   \
            "50 us")                                                                               \
    CHANGES(ofi_silence_passes, 3 * SHEAF_SECOND,                                                  \
            "a silence after which a host without a route to the peer has lost it: 6 s in all")    \
    CHANGES(ofi_probe_answer, SHEAF_MILLISECOND, "for an answer at once: a kernel's takes less")   \
    /* The process of a host where jobs go on when a PE dies (boot/replicated_log) */              \
    CHANGES(agents_connect, 10 * SHEAF_SECOND,                                                     \
            "shmem_init waits so long for the process of each host and for their connections: "    \
            "not measured")                                                                        \
    CHANGES(agents_connect_host, 100 * SHEAF_MILLISECOND,                                          \
            "and longer by this for each host: a launcher hands each one's address to all others") \
    CHANGES(agents_connect_look, 100 * SHEAF_MILLISECOND, "between two looks at these")            \
    CHANGES(agent_connects_again, 100 * SHEAF_MILLISECOND,                                         \
            "between two attempts to connect to those of lower hosts")                             \
    CHANGES(agent_unanswered, 4 * SHEAF_SECOND,                                                    \
            "what was sent to another host and is not acknowledged for so long ends a "            \
            "connection")                                                                          \
    CHANGES(heartbeat_every, SHEAF_SECOND / 4,                                                     \
            "each host sends a heartbeat to each other so often, whose kernel acknowledges it: "   \
            "3 % of a processor with 1,000 hosts")                                                 \
    CHANGES(heartbeat_unanswered, 1450 * SHEAF_MILLISECOND,                                        \
            "and a host that acknowledges none for so long is silent: the kernel tries again at "  \
            "0.2, 0.4, 0.7, 0.8, 0.9 and 1.3 s")                                                   \
    CHANGES(heartbeat_rests, 5 * SHEAF_SECOND,                                                    \
            "a host whose process has sent nothing for so long may be stopped, and is sent "       \
            "nothing: agent_unanswered holds")                                                     \
    CHANGES(agent_ended, 400 * SHEAF_MILLISECOND,                                                  \
            "between the ends of a host's two connections where its process has ended")            \
    CHANGES(agent_ends_pe, 4 * SHEAF_SECOND,                                                       \
            "a PE in a dead one's place that ends the job waits for its own end")                  \
    CHANGES(agent_settles, 5 * SHEAF_SECOND,                                                       \
            "after the end of a host's last PE, for what others still ask of it")                  \
    CHANGES(agent_parts, SHEAF_SECOND, "and then for its last messages")                           \
    CHANGES(agent_last_words, 2 * SHEAF_SECOND,                                                    \
            "a PE that ends the job tells its launcher so, before it is ended")                    \
    CHANGES(agent_end_look, 50 * SHEAF_MILLISECOND,                                                \
            "between two looks while the job ends, or new processes start")                        \
    CHANGES(agent_slice, SHEAF_MILLISECOND / 10,                                                   \
            "of a processor, which that process asks the scheduler for: the least that there is")  \
    /* Commands (tools) */                                                                         \
    CHANGES(own_name_slow, SHEAF_SECOND,                                                           \
            "for the system to find this machine's own name: at once without a name server, "      \
            "some 10 ms with one")                                                                 \
    FIXED(oshtop_reused, 100 * SHEAF_MILLISECOND,                                                  \
          "an answer of oshtop --serve serves all requests for so long: a look at 256 PEs takes "  \
          "12 ms")                                                                                 \
    FIXED(oshtop_request, 2 * SHEAF_SECOND,                                                        \
          "for a request to oshtop --serve to come, and then for its answer to be read")           \
    FIXED(oshtop_places, 250 * SHEAF_MILLISECOND,                                                  \
          "for other hosts, and for addr2line, in an answer of oshtop --serve, which takes less "  \
          "than a second")                                                                         \
    FIXED(oshtop_asks_again, 10 * SHEAF_SECOND,                                                    \
            "oshtop asks the other hosts of a job that has not answered again after so long")      \
    /* Libraries beside this one (addons), which do not read SHEAF_PACE */                         \
    FIXED(races_pause, 50 * SHEAF_MILLISECOND / 1000,                                              \
            "--check=races: at the first 8 calls of a place PEs let others come between, so "      \
            "long")                                                                                \
    FIXED(races_pause_first, SHEAF_MILLISECOND / 2,                                                \
            "and at a thread's first call: PEs may have begun so far apart")                       \
    FIXED(ring_look, 5 * SHEAF_MILLISECOND,                                                        \
          "between two looks whether a ring's writer or reader lives: an end is to be told in 10 ms") \
    FIXED(ring_spin, 30 * SHEAF_MILLISECOND / 1000,                                                \
          "a ring's wait looks at memory for as long: at a message every 5 ms 1.5 to 1.9 % of a "  \
          "processor, with 40 us up to 2.0")                                                       \
    FIXED(profile_timed, 16 * SHEAF_MILLISECOND / 1000,                                            \
            "--profile: of calls as long as this each is timed, of shorter ones a sample")         \
    FIXED(profile_calibrated, SHEAF_MILLISECOND / 5,                                               \
            "--profile: for the processor's counter to be compared with the clock at start")       \
    /* oshrun */                                                                                   \
    CHANGES(failed_others, 250 * SHEAF_MILLISECOND,                                                \
            "after a PE has failed: others that fail alike may say so")                            \
    CHANGES(global_exit, 400 * SHEAF_MILLISECOND,                                                  \
            "after shmem_global_exit: its PE runs exit handlers and flushes its files")            \
    CHANGES(term_kills, 300 * SHEAF_MILLISECOND, "from SIGTERM to SIGKILL")                        \
    CHANGES(signal_kills, 2 * SHEAF_SECOND,                                                        \
            "after a signal to oshrun: a PE with a handler of its own may write a checkpoint")     \
    CHANGES(killed_most, 5 * SHEAF_SECOND,                                                         \
            "for processes to end of SIGKILL: one in the middle of device I/O may outlast it")     \
    CHANGES(killed_look, 5 * SHEAF_MILLISECOND, "between two looks at these")                      \
    CHANGES(leftovers_end, 500 * SHEAF_MILLISECOND,                                                \
            "for what PEs have left running, after a good end")                                    \
    CHANGES(leftovers_failed, 100 * SHEAF_MILLISECOND, "and after a bad one")                      \
    CHANGES(control_look, 20 * SHEAF_MILLISECOND,                                                  \
            "between two looks at the control area, which has no way to call")                     \
    CHANGES(proxy_killed, SHEAF_SECOND,                                                            \
            "where oshrun's process that starts PEs was killed: for these to end of "              \
            "SIGKILL")                                                                             \
    CHANGES(output_prompt, 100 * SHEAF_MILLISECOND,                                                \
            "a line without an end is printed after so long where a terminal shows it")            \
    CHANGES(output_part, SHEAF_SECOND, "and elsewhere")                                            \
    CHANGES(debugger_most, 10 * SHEAF_SECOND,                                                      \
            "for a debugger's stacks of one process: others compute meanwhile")                    \
    CHANGES(mismatch_look, 250 * SHEAF_MILLISECOND,                                                \
            "between two looks whether the calls of PEs that are apart fit together")              \
    CHANGES(missed_waits, SHEAF_SECOND, "all others have waited so long for a PE that has left")   \
    CHANGES(missed_most, 30 * SHEAF_SECOND, "the same for a PE that is never seen asleep")         \
    CHANGES(circle_waits, 2 * SHEAF_SECOND,                                                        \
            "PEs have waited for each other so long: what is on its way has arrived by then")      \
    CHANGES(circle_look, 500 * SHEAF_MILLISECOND, "between two looks for that")                    \
    CHANGES(respawn_agent_look, 100 * SHEAF_MILLISECOND,                                           \
            "where the kernel does not tell of a process's end")                                   \
    CHANGES(launcher_start, 30 * SHEAF_SECOND,                                                     \
            "beyond --timeout, until another launcher ends the job: its PEs may not have "         \
            "started")                                                                             \
    CHANGES(pmix_ends, 2 * SHEAF_SECOND,                                                           \
            "for libpmix to end: it takes 1 to 3 ms, and for ever where it takes more")            \
    CHANGES(pmix_look, SHEAF_MILLISECOND / 2, "between two looks at that")                         \
    CHANGES(preempt_least, SHEAF_MILLISECOND / 5,                                                  \
            "between wake-ups that preempt PEs: with less, a hop round a ring of 4 PEs on 2 "      \
            "processors gets no shorter")                                                          \
    CHANGES(preempt_most, SHEAF_MILLISECOND,                                                       \
            "none that would be further apart: the scheduler's tick, every 1 to 4 ms, does as "    \
            "much")                                                                                \
    CHANGES(preempt_cost, 3 * SHEAF_MILLISECOND / 1000,                                            \
            "of one: two switches and a wake-up; the timer's part is measured")                    \
    CHANGES(preempt_slice, SHEAF_MILLISECOND / 10,                                                 \
            "of a processor, for a wake-up (Linux 6.12): the shortest that there is")              \
    CHANGES(preempt_pe_slice, 4 * SHEAF_MILLISECOND / 10,                                          \
            "and for a PE: with 0.1 ms for both 4 PEs took 236 to 354 us for a hop, with these "   \
            "170 to 187")                                                                          \
    CHANGES(busy_look, 50 * SHEAF_MILLISECOND, "between two looks which PEs are busy")             \
    CHANGES(busy_look_pe, SHEAF_MILLISECOND, "or so long for each PE: a look at one takes 10 us")  \
    CHANGES(busy_run, SHEAF_MILLISECOND / 2,                                                       \
            "a PE that runs longer at once polls, or computes; while PEs are preempted a quarter " \
            "of preempt_least")                                                                    \
    CHANGES(yield_cost, SHEAF_MILLISECOND / 1000,                                                  \
            "of a yield: with as many fences as take all processors so, no yields are tried")      \
    CHANGES(yield_trial_first, SHEAF_SECOND,                                                       \
            "until yields are tried again, and twice as long each time")                           \
    CHANGES(yield_trial_most, 64 * SHEAF_SECOND, "up to this where they did not help")             \
    CHANGES(yield_given_most, 8 * SHEAF_SECOND, "and up to this where they did")

/* None is longer: that many milliseconds fit poll()'s. */
#define SHEAF_TIMES_MOST (3600 * SHEAF_SECOND)

#define SHEAF_TIMES_FIELD(name, ns, why) uint64_t name;
struct sheaf_times {
    SHEAF_TIMES(SHEAF_TIMES_FIELD, SHEAF_TIMES_FIELD)
};
#undef SHEAF_TIMES_FIELD

extern const struct sheaf_times sheaf_times_defaults;

/* Those in force: the defaults until SHEAF_PACE has been read. */
extern struct sheaf_times sheaf_times;

static inline struct timespec sheaf_times_spec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
}

/* For poll() and the kernel, which count in these: rounded up. */
static inline int sheaf_times_s(uint64_t ns)
{
    return (int)((ns + SHEAF_SECOND - 1) / SHEAF_SECOND);
}

static inline int sheaf_times_ms(uint64_t ns)
{
    return (int)((ns + SHEAF_MILLISECOND - 1) / SHEAF_MILLISECOND);
}

#endif
