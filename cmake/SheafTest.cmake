# sheaf_test(NAME SOURCES file... [PES 1 2 3 4 8] [ARGS arg...] [TIMEOUT seconds]
#            [LABELS label...] [OPTIONS compile-option...] [LINK library...] [STATIC])
#
# Builds one program and registers it once per number of PEs as "NAME/pes-N"; what runs on 8 at
# most also runs on 32, many PEs per core, under the label "wide". The program exits 0 for success,
# 77 for skipped (its reason printed), anything else for failure; a line on standard error that
# begins with "sheaf:" fails it too. STATIC links libsheaf.a.
function(sheaf_test name)
    cmake_parse_arguments(PARSE_ARGV 1 T "STATIC" "TIMEOUT" "SOURCES;PES;ARGS;LABELS;OPTIONS;LINK")
    if(NOT T_PES)
        set(T_PES 1 2 3 4 8)
    endif()
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 60)
    endif()
    string(REPLACE "/" "-" target "test-${name}")
    add_executable(${target} ${T_SOURCES})
    set_target_properties(${target} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/common)
    target_compile_options(${target} PRIVATE ${T_OPTIONS})
    target_link_libraries(${target} PRIVATE sheaf_flags ${T_LINK})
    if(T_STATIC)
        target_link_libraries(${target} PRIVATE sheaf_static)
    else()
        target_link_libraries(${target} PRIVATE sheaf)
    endif()
    set(wide "")
    list(SORT T_PES COMPARE NATURAL)
    list(GET T_PES -1 most)
    if(most EQUAL 8)
        set(wide 32)
    endif()
    foreach(pes ${T_PES} ${wide})
        add_test(NAME ${name}/pes-${pes}
            COMMAND ${PROJECT_BINARY_DIR}/bin/oshrun -n ${pes} --timeout ${T_TIMEOUT} $<TARGET_FILE:${target}> ${T_ARGS})
        math(EXPR limit "${T_TIMEOUT} + 10")
        set_tests_properties(${name}/pes-${pes} PROPERTIES
            TIMEOUT ${limit} SKIP_RETURN_CODE 77 LABELS "${T_LABELS}"
            FAIL_REGULAR_EXPRESSION "sheaf: ")
        if(pes STREQUAL wide)
            set_property(TEST ${name}/pes-${pes} APPEND PROPERTY LABELS wide)
        endif()
    endforeach()

    # A line for tests/hosts, which runs the same programs across hosts.
    list(GET T_PES 0 least)
    list(JOIN T_ARGS " " arguments)
    set_property(GLOBAL APPEND_STRING PROPERTY SHEAF_PROGRAMS
        "${name} ${least} ${most} ${T_TIMEOUT} $<TARGET_FILE:${target}> ${arguments}\n")
endfunction()
