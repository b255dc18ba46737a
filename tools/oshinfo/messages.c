/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See messages.h. An id stays for ever: one that is no longer printed keeps its row, and a new message
 * takes a new number. The hundreds: 1 calls and their arguments, 2 settings, 3 start and memory,
 * 4 launchers, 5 networks, 6 deaths, 7 waits, 8 snapshots, 9 commands. N, X, CALL and VARIABLE stand for
 * what differs.
 */
#include "messages.h"

#include <stdbool.h>
#include <string.h>

struct message {
    const char *id;
    const char *line;
    const char *cause;
    const char *remedy;
    const char *page;
};

static const struct message table[] = {
    {"SH101", "CALL: PE N is out of range",
     "The call names a PE that the job, the team or the context does not have.",
     "Pass 0 to shmem_n_pes() - 1, or to shmem_team_n_pes() - 1 for a team's context. Start the job with "
     "more PEs if the program needs them.", "do/wrong-result"},
    {"SH102", "CALL: X is not symmetric",
     "A put, a get, an atomic operation or a collective got the address of a local variable, of malloc's "
     "memory or of nothing; every PE must have the object.",
     "Make it a static or global variable, or allocate it with shmem_malloc on all PEs.",
     "do/wrong-result"},
    {"SH103", "CALL: N bytes at X reach beyond the memory that they begin in",
     "The transfer is longer than the variable or block at which it begins.",
     "Compare the number of elements with the size of the object on the PE that is written or read; typed "
     "calls count elements, the mem calls bytes.", "do/checks"},
    {"SH104", "CALL: an argument is N; expected ...",
     "The argument has a value that the call does not take.",
     "The line names the values that are taken; man 3 of the call describes each argument.",
     "reference/conformance"},
    {"SH105", "CALL: a number of elements is negative, or more than memory can hold",
     "The number was computed wrongly, or a signed number below 0 was converted.",
     "Print the number before the call, and look at the types in its computation.", "do/checks"},
    {"SH106", "CALL: dest and source overlap",
     "The call reads one array while it writes the other, and they share bytes.",
     "Use two arrays, or the same array for both where the line allows that.", "do/checks"},
    {"SH107", "CALL: an object does not lie at a multiple of its size",
     "A pointer was cast to the type of larger elements, or the object is a member of a packed structure.",
     "Use a variable or an array of the type itself; for bytes call shmem_putmem or shmem_getmem.",
     "do/checks"},
    {"SH108", "CALL: an argument is a null pointer",
     "The call needs the array, and got none.",
     "Pass the array; where it comes from an allocation, look whether that has failed.",
     "do/noncontiguous"},
    {"SH109", "CALL: X cannot be written",
     "The destination is a constant: a string or a const object, which lies in memory that is only read.",
     "Make the object a variable without const.", "do/checks"},
    {"SH110", "CALL was called before shmem_init, or after shmem_finalize",
     "OpenSHMEM's calls work between the two.",
     "Call shmem_init first in main; in C++ also before constructors that communicate; free and finalize "
     "last.",
     "learn/index"},
    {"SH111", "CALL: called by another thread than the one that initialized",
     "The program asked for a thread level at which one thread alone calls the library.",
     "Ask shmem_init_thread for SHMEM_THREAD_SERIALIZED or SHMEM_THREAD_MULTIPLE.", "do/mpi"},
    {"SH112", "CALL: requested is N, which is none of the thread levels",
     "The argument is none of the four constants; the library gives the level that it has.",
     "Pass SHMEM_THREAD_SINGLE, FUNNELED, SERIALIZED or MULTIPLE.", "reference/conformance"},
    {"SH113", "CALL was called in a child that a PE forked",
     "A process that fork() makes is no PE, and shares none of the job's memory.",
     "Communicate in the PE itself; let children compute, or execute other programs.", "understand/memory"},
    {"SH114", "CALL: the context is invalid or has been destroyed",
     "The handle is SHMEM_CTX_INVALID, was given to shmem_ctx_destroy, or never was a context.",
     "Look at what shmem_ctx_create returned, and destroy a context after its last use.", "do/sessions"},
    {"SH115", "CALL: the team is invalid, has been destroyed, or is predefined",
     "Only members of a team may call with it, and predefined teams are not destroyed.",
     "Compare the handle with SHMEM_TEAM_INVALID, which PEs outside a new team get.", "do/collectives"},
    {"SH116", "CALL: the active set is not within the job, or this PE is not in it",
     "Start, stride or size of the set is wrong, or a PE outside of it makes the call.",
     "Let exactly the PEs of the set call; teams (shmem_team_split_strided) are easier to get right.",
     "do/collectives"},
    {"SH117", "CALL: X is not the start of a block",
     "The pointer was freed before, was changed, or does not come from the allocation that belongs to the "
     "call.",
     "Pass what shmem_malloc or shmemx_space_malloc returned, once; SHEAF_CHECK=memory shows earlier "
     "damage.",
     "do/checks"},
    {"SH118", "CALL: bytes that no block holds have been written",
     "A write has gone past the end of a block of the symmetric heap, or to a block that was freed.",
     "Look at the block that the line names and at loops over it. The damage happened between the two "
     "calls named.",
     "do/checks"},
    {"SH119", "CALL: a lock is held already, is not held, or was never set to 0",
     "A PE asks for a lock that it holds, gives back one that it does not hold, or the lock was not 0 on "
     "all PEs at first.", "Pair each shmem_set_lock with one shmem_clear_lock, and make the lock a static "
     "variable.",
     "do/debugging"},
    {"SH120", "PE N calls X, and PE M calls Y",
     "The members of a team are in different collectives, or in one with different roots, sizes or arrays.",
     "Let all members make the same collective calls in the same order; the two calls of the line are "
     "where they part.", "do/debugging"},
    {"SH121", "CALL: PEs pass different lists, kinds or sizes",
     "All members must pass the same to a call that makes a team or a memory space together.",
     "Compute the arguments alike on every PE.", "do/spaces"},
    {"SH122", "CALL: counts, strides or dims do not describe an array",
     "A run of bytes would overlap the next one, is no whole number of elements, or dims is out of range.",
     "counts[0] counts bytes and the strides too; the page shows a matrix's column.", "do/noncontiguous"},
    {"SH123", "CALL: the external heap is there already, or its arguments are wrong",
     "A PE has one heap of a device's memory, given by its first byte, its length and its kind.",
     "Call shmemx_heap_create once, with the constants that the line names.", "do/spaces"},
    {"SH124", "CALL: PE N has no copy of X, which lies in a memory space of other PEs",
     "The address lies in a memory space or a device's heap that the other PE, or this call, cannot use.",
     "Use PEs of the space's team, or copy the data to memory from shmem_malloc.", "do/spaces"},
    {"SH125", "memory access after shmem_finalize",
     "The program uses a block of the symmetric heap after the heap has ended.",
     "Copy what is needed later before shmem_finalize.", "do/debugging"},
    {"SH126", "segmentation fault, bus error, illegal instruction or division by zero in ...",
     "The program itself has failed at the place named first; the lines below it are its callers.",
     "Compile with -g for names and lines; oshrun --gdb=N starts a debugger; SHEAF_CHECK=args,memory may "
     "find the cause earlier.", "do/debugging"},
    {"SH127", "shmemx_heap_preinit and shmemx_heap_postinit are not called in turn",
     "An initialization in two parts needs both, each once.",
     "Call preinit, create the heap, then postinit, in place of shmem_init.", "do/spaces"},
    {"SH128", "the program called exit(N) without shmem_finalize",
     "A PE has ended while others may wait for it, so the job ends.",
     "Call shmem_finalize before the end of main, or shmem_global_exit to end all PEs.", "do/debugging"},
    {"SH129", "X was compiled with the shmemx_inline.h of another version of Sheaf",
     "Inline forms of calls hold the layout of the library that they were compiled for.",
     "Compile the object again with this installation's oshcc.", "do/inline"},
    {"SH130", "CALL: the network has no such atomic operation, and the program did not declare it",
     "The program told which atomic operations it uses, and now calls another one.",
     "Name all of them in SHEAF_ATOMICS_USES or shmemx_atomics_declare, or leave both out.",
     "understand/atomics"},
    {"SH131", "CALL: a limit of the job's control area is reached",
     "The job has as many teams, agreements or queued locks as there is room for.",
     "Destroy teams that are no longer used; release locks before taking more.", "understand/scale"},
    {"SH132", "CALL: an argument from Fortran cannot be used",
     "The array has gaps, is not allocated, has elements of another size, or comes from another compiler.",
     "Pass a whole, allocated, contiguous array of the type that the line names.", "do/fortran"},

    {"SH133", "CALL: space is X, the handle of no memory space",
     "The handle was destroyed, or never came from shmemx_space_create.",
     "Pass what shmemx_space_create gave, before shmemx_space_destroy.", "do/spaces"},

    {"SH141", "race on X, PE N's",
     "Two accesses to the same bytes, of which one writes, are ordered by nothing: the other order, "
     "which gives another result, may come any time.",
     "The lines below it have both places, and what would order them.", "do/races"},
    {"SH142", "ordered by the signal, not by the specification",
     "A source is written again when its signal has arrived at the target, without shmem_quiet.",
     "Call shmem_quiet before the source is written again; the line is told once, and no race is "
     "counted.", "do/races"},
    {"SH143", "races: N races have been told; no more are",
     "As many races as SHEAF_RACES_MOST says have been told.",
     "Mend those first, or set SHEAF_RACES_MOST to a larger number.", "do/races"},
    {"SH144", "races: this job is not checked",
     "The PEs share no memory, or there is none left for what is known of each word.",
     "Run the job on one host without SHEAF_ONNODE=off, and with ulimit -v unlimited.", "do/races"},
    {"SH145", "races: a table is full",
     "The program has more threads, contexts, teams, places or memory than the check follows.",
     "Check a smaller run: what the line names is not compared, and all else is.", "do/races"},
    {"SH146", "races: a parallel region shares N variables",
     "The check follows OpenMP regions of clang with a limited number of shared variables.",
     "Put the variables into a structure, or compile with gcc.", "do/races"},
    {"SH151", "Python: CALL: argument X: ...",
     "The argument of a call from Python has a value, a type or a place in memory that the call does not "
     "take.",
     "The line names what the call takes; the exception's attributes pe, call and argument have the "
     "same.", "do/python"},
    {"SH152", "Python: CALL: ...",
     "A call from Python cannot be done: before the start, after the end, in a forked child, or as the "
     "library refuses it.",
     "Do as the line says.", "do/python"},
    {"SH153", "Python: an exception ends the job",
     "An exception that nobody caught has ended this PE, and with it the job.",
     "Look at the traceback above the line; catch the exception where the other PEs can go on.",
     "do/python"},
    {"SH201", "VARIABLE is X, and must be ...",
     "An environment variable has a value that cannot be read. Each host has an environment of its own.",
     "Give it a value that the line names, or unset it; man 7 sheaf lists all variables.",
     "reference/variables"},
    {"SH202", "VARIABLE is no setting of Sheaf",
     "The name begins like Sheaf's or OpenSHMEM's variables, and nothing reads it.",
     "Correct the spelling, or unset it; oshinfo lists the variables.", "reference/variables"},
    {"SH203", "two settings do not go together, or one lacks another",
     "A variable needs another one, a library, or oshrun, that is not there.",
     "Set the missing one or leave the first out, as the line says.", "reference/variables"},
    {"SH204", "SHEAF_TUNE: the file cannot be read",
     "The file of algorithms is missing, or a line of it is not understood.",
     "Let oshtune write it again, or correct the line that is named.", "do/collectives"},
    {"SH205", "VARIABLE differs between PEs",
     "All PEs must have the same value, and launchers do not always hand variables to other hosts.",
     "Hand it on: oshrun does; mpirun -x NAME, srun --export=ALL, mpiexec.hydra -genvall.", "do/hosts"},
    {"SH206", "a thread for SHEAF_COPIER or SHEAF_CHAOS cannot be had",
     "The system gives this user no more threads or memory.",
     "Ask for fewer, or raise ulimit -u.", "do/tune"},
    {"SH207", "copies that stream are not possible on this processor",
     "SHEAF_COPY or SHEAF_TUNE asks for instructions that the processor does not have.",
     "Leave SHEAF_COPY at auto, and let oshtune measure on this machine.", "do/collectives"},
    {"SH208", "SHEAF_FAILURES=report cannot be had here",
     "Nobody tells this job of deaths: a static program, another launcher, or MPI as the network.",
     "Link with libsheaf.so, use oshrun or a launcher that the page names, with UCX or libfabric.",
     "do/failures"},
    {"SH209", "SHEAF_LOW_JITTER=on goes without X",
     "A limit, the kernel or the number of PEs does not allow a part of it; the rest is in effect.",
     "Raise the limit that the line names, or leave SHEAF_LOW_JITTER out.", "do/tune"},

    {"SH210", "profile: X: ...",
     "The folder for the profile cannot be made or written to, or it has another run's profile.",
     "Name another folder, or remove that one.", "do/profiling"},
    {"SH211", "profile: this process has taken a dead one's place",
     "A new process of shmemx_respawn has no profile: the file is the dead PE's.",
     "Nothing: what the PE did up to its death is there.", "do/profiling"},
    {"SH212", "SHEAF_PROFILE or SHEAF_TRACE: no profile",
     "The calls of this program cannot be watched: it holds libsheaf.a, has loaded libsheaf.so while it "
     "ran as Python does, has rights of its own, or libsheaf-profile.so is missing.",
     "Do as the line says; unset the variable to run without a profile.", "do/profiling"},
    {"SH301", "no memory for ...",
     "The system has no memory left for the library's own tables.",
     "Start fewer PEs on the host, or give them a smaller heap (SHMEM_SYMMETRIC_SIZE).",
     "understand/scale"},
    {"SH302", "the symmetric heap does not fit, or cannot be mapped",
     "SHMEM_SYMMETRIC_SIZE or oshrun --heap is more than a PE's share of memory, files or address space.",
     "Lower it, or raise ulimit -f and ulimit -v; oshinfo --doctor shows these limits.", "do/tune"},
    {"SH303", "PEs' memory cannot be mapped",
     "Each PE maps the memory of all PEs of its host, and a limit forbids so many or so large pieces.",
     "Raise ulimit -v, or as root sysctl vm.max_map_count; oshinfo --doctor names the limit.",
     "understand/scale"},
    {"SH304", "the job's control area cannot be made or mapped",
     "A limit on file size or address space is too small for the memory that PEs of a host share.",
     "Raise ulimit -f and ulimit -v where the job is started.", "understand/scale"},
    {"SH305", "two versions of Sheaf meet",
     "oshrun, the library, or the libraries on two hosts are of different versions.",
     "Install one version on all hosts, and use the oshrun of that installation.", "administer/index"},
    {"SH306", "the program's static data is too large, or cannot be shared",
     "Static variables lie in the job's memory, where each PE has a slot.",
     "Allocate large arrays with shmem_malloc, or raise ulimit -f.", "understand/memory"},
    {"SH307", "the memory of another PE of this host cannot be opened",
     "PEs open each other's memory under /proc, and a container or a security setting forbids it.",
     "Run all PEs of a host in one container and as one user; oshinfo --doctor tries it.",
     "administer/security"},
    {"SH308", "the system has no random numbers",
     "getrandom() fails, so that the job's key cannot be made.",
     "Allow this system call in the container's seccomp profile.", "administer/security"},
    {"SH309", "the PEs run different programs",
     "Static variables of different programs do not correspond; the heap is shared all the same.",
     "Put symmetric objects on the heap, or start one program.", "reference/conformance"},
    {"SH310", "the program has closed the descriptor of the job's memory",
     "The program closes descriptors that it did not open, as daemons do.",
     "Close only what the program has opened, or do so after shmem_init.", "do/port"},
    {"SH311", "an alignment cannot be had",
     "The heap does not lie at a multiple of so many bytes, since the address space has no room.",
     "Ask for a smaller alignment, raise ulimit -v, or lower SHMEM_SYMMETRIC_SIZE.", "understand/memory"},

    {"SH312", "CALL: no memory space of kind X and N bytes",
     "The kind of memory is not on this machine, or has no room for all members; the call returns an "
     "error.",
     "Ask for less, or for another kind; the line gives the reason.", "do/spaces"},

    {"SH401", "the launcher gives no PE numbers",
     "A launcher started several copies, and speaks none of PMIx, PMI-1 and PMI-2: each would be a job of "
     "one.",
     "Use oshrun, srun --mpi=pmix or pmi2, Open MPI's mpirun or MPICH's mpiexec.", "do/hosts"},
    {"SH402", "the launcher speaks PMIx, whose library cannot be used",
     "libpmix is not installed, too old, not built in, or the program is static.",
     "Install libpmix2, or start with a launcher that speaks PMI-2 (srun --mpi=pmi2, mpiexec.hydra).",
     "do/hosts"},
    {"SH403", "the launcher answers wrongly, or refuses",
     "What stands between launcher and program changed the connection, or the two do not fit.",
     "Start the program directly by the launcher; oshinfo shows which launchers Sheaf can speak with.",
     "do/hosts"},
    {"SH404", "the launcher is gone",
     "The launcher's process on this host has ended or was killed, so the job ends.",
     "Look at the launcher's own lines above, and at the batch system's limit of time.", "do/debugging"},
    {"SH405", "the connection to the launcher is closed",
     "MPI_Finalize ended it, which both libraries share, or a wrapper between launcher and program closed "
     "it.",
     "Call the first shmem_init before MPI_Finalize; let wrappers keep descriptors open.", "do/mpi"},
    {"SH406", "SHEAF_BOOT=mpi: MPI cannot start the job",
     "The MPI that SHEAF_MPI names cannot initialize or communicate.",
     "Start the job by that MPI's launcher; the page lists what works.", "do/mpi"},

    {"SH501", "PE N on host X cannot be reached",
     "The network to that host has failed, or a firewall stands between.",
     "Name the interface that the hosts share: UCX_NET_DEVICES, or FI_TCP_IFACE for libfabric.",
     "do/hosts"},
    {"SH502", "a job of several hosts, or SHEAF_ONNODE=off, has no network",
     "SHEAF_ENGINE=off, or no network library can be used.",
     "Install UCX or libfabric (oshinfo shows what it finds), or start all PEs on one host.", "do/hosts"},
    {"SH503", "engine X cannot start",
     "The network library is missing, not built in, too old, or finds no device.",
     "oshinfo shows each engine's reason, oshinfo --doctor the remedy; SHEAF_ENGINE takes another.",
     "do/hosts"},
    {"SH504", "hosts use different engines or MPIs",
     "The hosts' installations differ, or SHEAF_ENGINE and SHEAF_MPI do.",
     "Set both alike on all hosts, and start the job by the MPI's launcher.", "do/mpi"},
    {"SH505", "memory cannot be registered with the network",
     "An adapter needs locked memory, and ulimit -l is too small.",
     "Raise it to unlimited where jobs are started (limits.conf, Slurm's PropagateResourceLimits).",
     "administer/sites"},
    {"SH506", "messages are dropped",
     "Another program sends to the job's ports, or memory of a PE is damaged.",
     "Where it comes again look for port scanners, and run with SHEAF_CHECK=args,memory.",
     "administer/security"},
    {"SH507", "the network cannot make threads or connections",
     "A limit on threads, files or memory is too small.",
     "Raise ulimit -u and ulimit -n; the line names the reason.", "understand/scale"},
    {"SH508", "MPI in the same program cannot start, or is another job",
     "MPI_Init failed or sees another world than Sheaf, or SHEAF_MPI_INIT=on and there is no MPI.",
     "Start the program by that MPI's launcher or by oshrun --mpi; see the page.", "do/mpi"},
    {"SH509", "the network lacks what a setting asks for",
     "Atomic operations or windows are not in this network; Sheaf uses messages and goes on.",
     "Nothing must be done; SHEAF_ATOMICS=cpu or SHEAF_RMA=message ends the warning.",
     "understand/atomics"},

    {"SH601", "PE N has died: the job ends",
     "A PE's process ended by a signal or without shmem_finalize; the first lines above say why.",
     "Look for that PE's own message; SHEAF_RECORD=folder and oshwhy keep what it did.", "do/debugging"},
    {"SH602", "PE N has left without shmem_finalize",
     "A PE ended with status 0 while others may wait for it.",
     "Call shmem_finalize on all PEs.", "do/debugging"},
    {"SH603", "host X is lost; the job ends",
     "The host has crashed, was cut off, or its PEs were killed.",
     "Look at that host; SHEAF_FAILURES=report lets jobs survive it.", "do/failures"},
    {"SH604", "PE N has died; the job goes on",
     "With SHEAF_FAILURES=report a death is news for the program.",
     "Nothing must be done here; the program learns of it from shmemx_ft.h.", "do/failures"},
    {"SH605", "all PEs are dead: the job ends",
     "Nobody is left of a job that survives deaths.",
     "Start again from a snapshot.", "do/survive"},
    {"SH606", "a new process cannot take the place of PE N",
     "No process is in reserve on a host that could start it, or the system starts no more.",
     "Give oshrun --spare more, on more hosts; the program goes on with the living.", "do/failures"},
    {"SH607", "the processes that put deaths in order cannot meet",
     "With SHEAF_FAILURES=report hosts connect by TCP; one does not answer, or has no sheaf-agent.",
     "Name the interfaces in UCX_NET_DEVICES, the program in SHEAF_AGENT; raise ulimit -n.", "do/failures"},
    {"SH608", "CALL: PE N has died",
     "The call needs a PE that is dead.",
     "Leave the team by shmemx_team_shrink or respawn the PE; see the handler on the page.", "do/failures"},
    {"SH609", "PE N has died before all had met",
     "A PE ended during shmem_init, often by a missing library or too little memory.",
     "Look at its own lines; start the program on that host alone.", "do/debugging"},

    {"SH701", "PEs wait for each other, and none of them can go on",
     "Each of these PEs waits for another of them; the lines below name the calls.",
     "Compare the calls that the lines name; oshrun --why shows a job that runs.", "do/debugging"},

    {"SH801", "a snapshot cannot be written or restored",
     "The folder, a file in it, or the memory of a PE does not fit; the line says which.",
     "Correct it and go on: the call has returned an error, and the program's memory is as it was.",
     "do/survive"},
    {"SH802", "the snapshot changed while it was read",
     "Somebody wrote into the folder during shmemx_restore.",
     "Let one job at a time use a folder; start again from an older snapshot.", "do/survive"},
    {"SH803", "SHEAF_SNAPSHOT_EVERY and SHEAF_SNAPSHOT_SIGNAL have taken no snapshot",
     "Snapshots are taken in shmem_barrier_all, which the program does not call.",
     "Call shmem_barrier_all between steps, or shmemx_snapshot yourself.", "do/survive"},
    {"SH804", "SHEAF_RESTART is set, and the program restores nothing",
     "A restart needs a call of shmemx_restore in the program.",
     "Call shmemx_restore with dir NULL after allocation; the page has an example.", "do/survive"},
    {"SH805", "the copy of host X is taken",
     "A file of the snapshot is lost or damaged on its own host, and another host's copy serves.",
     "Nothing must be done; look at the disk of that host.", "do/survive"},

    {"SH806", "SHEAF_BUDDY=on: no other host has a copy",
     "All PEs of the team are on one host, so that a copy on another one cannot be made.",
     "Spread the PEs over hosts, or leave SHEAF_BUDDY out.", "do/survive"},

    {"SH901", "oshrun: an option or its value is wrong",
     "The command line, a host list or a variable of oshrun cannot be understood or carried out.",
     "The line names what is expected; oshrun --help and man 1 oshrun list the options.", "do/hosts"},
    {"SH902", "oshrun: the program, a launcher or a tool is not found",
     "The name is in no folder of PATH, or the file is not there on this host.",
     "Give a path such as ./prog, or install what the line names.", "do/hosts"},
    {"SH903", "oshrun: the program cannot be executed",
     "The file is a folder, has no permission to execute, or its interpreter is missing.",
     "chmod +x the file, and compile it for this machine.", "do/hosts"},
    {"SH904", "oshrun: the system refuses memory, processes, files or pipes",
     "A limit of this user or container is reached.",
     "oshinfo --doctor names limits that are too small; start fewer PEs.", "understand/scale"},
    {"SH905", "oshrun: PE N was killed by a signal, or exited with a status other than 0",
     "The program on that PE ended badly; oshrun ends the others.",
     "Look at the PE's own lines above, then oshwhy, or oshrun --gdb=N.", "do/debugging"},
    {"SH906", "oshrun: the time limit is over",
     "The job took longer than oshrun --timeout allows.",
     "The lines below it show who waits for what; allow more time where it is slow alone.", "do/debugging"},
    {"SH907", "oshrun: every PE has waited for N s",
     "No PE has made a call for so long: as a rule they wait for something that nobody sends.",
     "The report names each PE's wait; SHEAF_STALL=off or a longer time ends it for programs that pause.",
     "do/debugging"},
    {"SH908", "oshrun: PE N has left, and others wait for it",
     "A PE ended while others are in a call that needs it.",
     "Let all PEs make the same collective calls before they end.", "do/debugging"},
    {"SH909", "oshrun: a process that it needs has ended",
     "The process that starts PEs was killed, or the one that --end-with names has ended.",
     "Look for the kernel's lines on memory (dmesg); the job has ended with it.", "do/debugging"},
    {"SH910", "oshrun: PE N called MPI_Abort, MPI_Comm_spawn, or exited between MPI_Init and MPI_Finalize",
     "The MPI in the program ended the job, asked for more processes, or was not finalized.",
     "Look at the MPI's own lines; the page says what oshrun does for MPI.", "do/mpi"},
    {"SH911", "oshrun --why: there is no such job",
     "No job of yours runs on this host, the number is none of an oshrun, or /proc is not mounted.",
     "Call it on the host where oshrun runs, as the same user.", "do/debugging"},
    {"SH951", "oshtop, oshwhy, oshtune, oshinfo: an option or its value is wrong",
     "The command line cannot be understood.",
     "The line names what is expected; --help lists the options.", "reference/index"},
    {"SH952", "oshtop, oshwhy, oshtune, oshprof, oshdump: a file cannot be read or written",
     "The file or folder is not there, is no plain file, has a name that is taken, or permission is "
     "missing.",
     "Look at the path in the line, and at who owns it.", "reference/index"},
    {"SH953", "oshwhy, oshprof, oshdump: X holds no record, profile or snapshot that can be read",
     "The file or folder holds something else, is cut or damaged, or is of another version of Sheaf.",
     "Make it anew, and read it with the commands of the same installation.", "reference/index"},
    {"SH954", "oshtune: a job that measures cannot start, or failed",
     "oshrun beside oshtune is missing, or the measuring job ended badly.",
     "Run oshrun -n 2 oshinfo by itself, and oshinfo --doctor.", "do/tune"},
    {"SH955", "oshdump: X: ...",
     "The program has no such variable, member or element, or the expression cannot be understood.",
     "oshdump PROGRAM SNAPSHOT --list names the variables.", "do/survive"},
    {"SH956", "oshprof, oshdump: something that they need is missing",
     "The program has no debug information, or a library or Python module is not installed.",
     "Compile the program with -g, or install what the line names.", "do/profiling"},
};
#define MESSAGES (sizeof table / sizeof *table)

static void print(FILE *out, const struct message *message)
{
    fprintf(out, "%s  %s\n  cause:  %s\n  remedy: %s\n  page:   %s.md of the book\n", message->id,
    message->line,
            message->cause, message->remedy, message->page);
}

/* The row whose id stands in text, by itself in any case of letters, or in a line; NULL: none. */
static const struct message *find_id(const char *text)
{
    for (size_t i = 0; i < MESSAGES; i++)
        if (strcasecmp(text, table[i].id) == 0 || strstr(text, table[i].id))
            return &table[i];
    return NULL;
}

int sheaf_messages_explain(FILE *out, const char *text)
{
    const struct message *named = find_id(text);
    bool is_found = named != NULL, is_words = !named && *text;
    if (named)
        print(out, named);
    for (size_t i = 0; is_words && i < MESSAGES; i++)
        if (strcasestr(table[i].line, text) || strcasestr(table[i].cause, text)) {
            print(out, &table[i]);
            is_found = true;
        }
    return is_found ? 0 : -1;
}

void sheaf_messages_list(FILE *out)
{
    for (size_t i = 0; i < MESSAGES; i++)
        fprintf(out, "%s  %s\n", table[i].id, table[i].line);
}

void sheaf_messages_print_tsv(FILE *out)
{
    fputs("id\tline\tcause\tremedy\tpage\n", out);
    for (size_t i = 0; i < MESSAGES; i++)
        fprintf(out, "%s\t%s\t%s\t%s\t%s\n", table[i].id, table[i].line, table[i].cause, table[i].remedy,
                table[i].page);
}
