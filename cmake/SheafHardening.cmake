# What is installed is hardened: stack protector, checked calls of libc (_FORTIFY_SOURCE), symbols
# bound and relocations made read-only before anything runs. Programs that are linked with Sheaf are
# compiled and linked as their authors wish.
set(SHEAF_HARDENED_LINK -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)

add_library(sheaf_hardening INTERFACE)
target_compile_options(sheaf_hardening INTERFACE -fstack-protector-strong)
# libc's checks need an optimizer, and sanitizers make checks of their own. Some compilers define it.
if(NOT SHEAF_SANITIZE)
    target_compile_options(sheaf_hardening INTERFACE
        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()

# sheaf_harden_command(TARGET): an installed program.
include(CheckPIESupported)
check_pie_supported()
function(sheaf_harden_command target)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target} PRIVATE sheaf_hardening)
    target_link_options(${target} PRIVATE ${SHEAF_HARDENED_LINK})
endfunction()

# The fast path has no stack protector: a value that is passed by address, or a row of two numbers,
# gets one, and it costs 6 instructions: of 10 that a fetch-and-add has, and, where a check that is off
# has a row, 19 of 44 of a barrier of one PE (tests/bench/fast_paths.py). These files copy by the
# caller's lengths to the caller's addresses; none reads text or what came by a network.
set(SHEAF_FAST_PATH
    api/access/accumulate.c api/access/amo.c api/access/amo_nbi.c api/access/noncontiguous.c api/sync/p2p.c api/sync/p2p_engine.c
    api/sync/p2p_sets.c api/access/rma.c api/access/rma_nbi.c api/access/signal.c api/access/strided.c
    core/access/copy/copy.c core/team/agree.c core/team/barrier.c core/lock.c core/lock_ticket.c core/access/shape.c core/team/note.c core/access/transfer.c
    core/pe/wait.c
    coll/alltoall.c coll/broadcast.c coll/collect.c coll/reduce.c coll/reduce_algorithms.c coll/scan.c
    coll/steps.c)
foreach(file ${SHEAF_FAST_PATH})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${file})
        message(FATAL_ERROR "cmake/SheafHardening.cmake: there is no src/${file}")
    endif()
endforeach()
