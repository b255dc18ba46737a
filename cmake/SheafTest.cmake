# The five words that the CMakeLists.txt of tests are written in. A test passes by exit status 0, is skipped by 77
# with its reason printed, and fails by any other status.
#
# sheaf_program(NAME SOURCES file... [OF src-file...] [OPTIONS compile-option...] [LINK library...]
#               [STATIC | ALONE] [INTERNAL])
#   Builds tests/test-NAME, "-" for each "/". OF links it with those files of src/, compiled with OPTIONS too. STATIC links
#   libsheaf.a instead of libsheaf.so, ALONE neither. INTERNAL lets it include the headers of src/ and addons/.
#
# sheaf_test(NAME [sheaf_program's arguments | PROGRAM name] [PES n...] [HOSTS letters...] [AS word] [DEBUG] [INLINE]
#            [settings])
#   Runs a program as a job: the one that SOURCES build, or one built elsewhere (PROGRAM, or NAME itself).
#   PES     "NAME/pes-N" for each number of PEs. With SOURCES: 1 2 3 4 8 where none is given; and what runs
#           on 8 at most also runs on 32, many PEs per core, under the label "wide"
#   HOSTS   "NAME/LETTERS" for each: every PE's host by a letter, all of them this machine
#           (tests/common/on-hosts). None where no network engine is built
#   AS      "NAME/WORD" instead
#   DEBUG   also "NAME/debug" on 3 PEs with arguments and the heap checked: messages are expected there
#   INLINE  also "NAME/inline", and with DEBUG "NAME/inline-debug": compiled with the inline forms, on 3 PEs
#
# sheaf_unit(NAME SOURCES file... [sheaf_program's other arguments] [settings])
#   Builds a program without PEs, ALONE and INTERNAL, and runs it.
#
# sheaf_script(NAME file [settings])
#   Runs a script of the list's folder (Python's by the interpreter, where the name ends in .py), or any program.
#
# sheaf_skipped(REASON name...)
#   Tests of a part that this build leaves out: each is skipped with the reason.
#
# Settings: [ARGS arg...] [ENV VARIABLE=value...] [TIMEOUT seconds] [LABELS label...] [PASS regex] [FAIL regex]
#           [PROCESSORS n] [LOCK name] [COST seconds] [SETS_UP fixture] [NEEDS fixture]
#   TIMEOUT      60 where none is given, 140 across HOSTS
#   FAIL         what jobs and units must not print: "sheaf: " unless this or PASS, what they must print, is given
#   PROCESSORS   what CTest counts: for a job it follows from the number of PEs, else 1
#   LOCK         tests that name the same one run one at a time: "time" for those that judge durations
#   COST         for tests of more than 10 s: the longest start first

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
# Some `python3` is a script that looks for the interpreter: it takes longer than many a test.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
    OUTPUT_VARIABLE SHEAF_PYTHON OUTPUT_STRIP_TRAILING_WHITESPACE)
if(EXISTS "${SHEAF_PYTHON}")
    set_target_properties(Python3::Interpreter PROPERTIES IMPORTED_LOCATION ${SHEAF_PYTHON})
endif()

set(SHEAF_FLAGS STATIC ALONE INTERNAL DEBUG INLINE)
set(SHEAF_VALUES PROGRAM AS TIMEOUT PASS FAIL PROCESSORS LOCK COST SETS_UP NEEDS)
set(SHEAF_LISTS SOURCES OF OPTIONS LINK PES HOSTS ARGS ENV LABELS)

# What `make check` leaves to `make check-all`: label "all".
set(list ${PROJECT_SOURCE_DIR}/tests/check-all.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} SHEAF_FOR_CHECK_ALL REGEX "^[^#]")

# "yes" where a network engine is built.
set(SHEAF_ENGINES "")
if((SHEAF_UCX AND SHEAF_UCX_INCLUDE) OR (SHEAF_OFI AND SHEAF_OFI_INCLUDE))
    set(SHEAF_ENGINES yes)
endif()

# 16 PEs fill any machine, fewer a share of it: on 2 processors two jobs of 8 run side by side.
cmake_host_system_information(RESULT SHEAF_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)
function(sheaf_share pes result)
    math(EXPR share "(${pes} * ${SHEAF_PROCESSORS} + 15) / 16")
    if(share GREATER SHEAF_PROCESSORS)
        set(share ${SHEAF_PROCESSORS})
    endif()
    set(${result} ${share} PARENT_SCOPE)
endfunction()

# sheaf_case(NAME command...): one test as CTest has it. Its settings are the caller's: T_TIMEOUT and so on.
# Open MPI looks for this machine's own name at each start: 10 s where no /etc/hosts has it and no name server answers.
# PEs that are apart need an engine of their own choice: no test where none is built.
function(sheaf_case name)
    if("SHEAF_ONNODE=off" IN_LIST T_ENV AND NOT T_ENV MATCHES "SHEAF_ENGINE=" AND NOT SHEAF_ENGINES)
        return()
    endif()
    list(PREPEND T_ENV "RES_OPTIONS=timeout:1 attempts:1")
    foreach(names ${SHEAF_FOR_CHECK_ALL})
        if(name MATCHES "${names}")
            list(APPEND T_LABELS all)
            break()
        endif()
    endforeach()
    add_test(NAME ${name} COMMAND ${ARGN} ${T_ARGS})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    foreach(pair TIMEOUT/TIMEOUT PASS/PASS_REGULAR_EXPRESSION FAIL/FAIL_REGULAR_EXPRESSION
            LABELS/LABELS ENV/ENVIRONMENT PROCESSORS/PROCESSORS LOCK/RESOURCE_LOCK COST/COST
            SETS_UP/FIXTURES_SETUP NEEDS/FIXTURES_REQUIRED)
        string(REGEX MATCH "^(.*)/(.*)$" pair ${pair})
        if(T_${CMAKE_MATCH_1})
            set_tests_properties(${name} PROPERTIES ${CMAKE_MATCH_2} "${T_${CMAKE_MATCH_1}}")
        endif()
    endforeach()
endfunction()

# What every test has where the caller was not told otherwise, and no word that nobody knows.
macro(sheaf_defaults name timeout fail)
    if(T_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${name}: not understood: ${T_UNPARSED_ARGUMENTS} (cmake/SheafTest.cmake)")
    endif()
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT ${timeout})
    endif()
    if(NOT T_PASS AND NOT T_FAIL)
        set(T_FAIL "${fail}")
    endif()
endmacro()

# A file of src/ is compiled once for all programs that have it with the same options: result has its library of objects.
function(sheaf_object file options result)
    string(REGEX REPLACE "[^A-Za-z0-9_]+" "-" library "of-${file}")
    if(options)
        string(MD5 key "${options}")
        string(APPEND library "-${key}")
    endif()
    if(NOT TARGET ${library})
        add_library(${library} OBJECT ${PROJECT_SOURCE_DIR}/src/${file})
        target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/addons)
        target_compile_definitions(${library} PRIVATE _GNU_SOURCE)
        target_compile_options(${library} PRIVATE ${options})
        target_link_libraries(${library} PRIVATE sheaf_flags)
    endif()
    set(${result} ${library} PARENT_SCOPE)
endfunction()

function(sheaf_program name)
    cmake_parse_arguments(PARSE_ARGV 1 T "${SHEAF_FLAGS}" "${SHEAF_VALUES}" "${SHEAF_LISTS}")
    string(REPLACE "/" "-" target "test-${name}")
    add_executable(${target} ${T_SOURCES})
    list(REMOVE_DUPLICATES T_OF)
    foreach(file ${T_OF})
        sheaf_object(${file} "${T_OPTIONS}" library)
        target_link_libraries(${target} PRIVATE ${library})
    endforeach()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/common)
    if(T_INTERNAL)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/addons)
        target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    endif()
    target_compile_options(${target} PRIVATE ${T_OPTIONS})
    target_link_libraries(${target} PRIVATE sheaf_flags ${T_LINK})
    if(T_STATIC)
        target_link_libraries(${target} PRIVATE sheaf_static)
    elseif(NOT T_ALONE)
        target_link_libraries(${target} PRIVATE sheaf)
    endif()
endfunction()

function(sheaf_test name)
    cmake_parse_arguments(PARSE_ARGV 1 T "${SHEAF_FLAGS}" "${SHEAF_VALUES}" "${SHEAF_LISTS}")
    set(timeout 60)
    if(T_HOSTS)
        set(timeout 140)
    endif()
    sheaf_defaults(${name} ${timeout} "sheaf: ")
    if(NOT T_PROGRAM)
        set(T_PROGRAM ${name})
    endif()
    string(REPLACE "/" "-" target "test-${T_PROGRAM}")
    set(program $<TARGET_FILE:${target}>)
    set(wide "")
    if(T_SOURCES)
        sheaf_program(${ARGV})
        if(NOT T_PES)
            set(T_PES 1 2 3 4 8)
        endif()
        list(SORT T_PES COMPARE NATURAL)
        list(GET T_PES 0 least)
        list(GET T_PES -1 most)
        if(most EQUAL 8)
            set(wide 32)
        endif()
        # A line for tests/hosts, which runs the same programs across hosts.
        list(JOIN T_ARGS " " arguments)
        set_property(GLOBAL APPEND_STRING PROPERTY SHEAF_PROGRAMS
            "${name} ${least} ${most} ${T_TIMEOUT} ${program} ${arguments}\n")
    endif()

    set(oshrun ${PROJECT_BINARY_DIR}/bin/oshrun --timeout ${T_TIMEOUT} -n)
    math(EXPR T_TIMEOUT "${T_TIMEOUT} + 10")
    set(labels ${T_LABELS})
    foreach(pes ${T_PES} ${wide})
        set(word pes-${pes})
        if(T_AS)
            set(word ${T_AS})
        elseif(pes STREQUAL wide)
            list(APPEND T_LABELS wide)
        endif()
        sheaf_share(${pes} T_PROCESSORS)
        sheaf_case(${name}/${word} ${oshrun} ${pes} ${program})
    endforeach()
    set(T_LABELS ${labels})
    set(env ${T_ENV})
    if(SHEAF_UCX AND SHEAF_UCX_INCLUDE)
        # What a launcher's library leaks (PMIx, at start) is not looked for.
        set(T_ENV PYTHONDONTWRITEBYTECODE=1 ASAN_OPTIONS=detect_leaks=0 ${env})
        foreach(hosts ${T_HOSTS})
            string(LENGTH ${hosts} pes)
            sheaf_share(${pes} T_PROCESSORS)
            sheaf_case(${name}/${hosts} Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/common/on-hosts
                ${hosts} ${program})
        endforeach()
    endif()
    set(T_ENV ${env})
    sheaf_share(3 T_PROCESSORS)
    if(T_INLINE AND NOT SHEAF_INLINE_TESTS AND NOT SHEAF_SANITIZE)
        list(POP_FRONT ARGV)
        sheaf_program(${name}/inline ${ARGV} OPTIONS -DSHEAF_INLINE)
        set(inline $<TARGET_FILE:${target}-inline>)
        sheaf_case(${name}/inline ${oshrun} 3 ${inline})
    endif()
    if(T_DEBUG)
        set(T_ENV SHMEM_DEBUG=1 SHEAF_CHECK=args,memory ${env})
        set(T_FAIL "")
        sheaf_case(${name}/debug ${oshrun} 3 ${program})
        if(inline)
            sheaf_case(${name}/inline-debug ${oshrun} 3 ${inline})
        endif()
    endif()
endfunction()

function(sheaf_unit name)
    cmake_parse_arguments(PARSE_ARGV 1 T "${SHEAF_FLAGS}" "${SHEAF_VALUES}" "${SHEAF_LISTS}")
    sheaf_defaults(${name} 60 "sheaf: ")
    string(REPLACE "/" "-" target "test-${name}")
    sheaf_program(${ARGV} ALONE INTERNAL)
    sheaf_object(base/times.c "" times) # which most parts wait by
    target_link_libraries(${target} PRIVATE ${times})
    sheaf_case(${name} ${target})
endfunction()

function(sheaf_script name file)
    cmake_parse_arguments(PARSE_ARGV 2 T "${SHEAF_FLAGS}" "${SHEAF_VALUES}" "${SHEAF_LISTS}")
    sheaf_defaults(${name} 60 "")
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
        set(file ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endif()
    if(file MATCHES "\\.py$")
        set(file Python3::Interpreter ${file})
        list(PREPEND T_ENV PYTHONDONTWRITEBYTECODE=1)
    endif()
    sheaf_case(${name} ${file})
endfunction()

function(sheaf_skipped reason)
    foreach(name ${ARGN})
        sheaf_case(${name} sh -c "echo 'skipped: ${reason}'; exit 77")
    endforeach()
endfunction()
