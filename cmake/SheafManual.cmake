# The reference of routines: manual pages of section 3, printed from src/api.
find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND)
    message(STATUS "No manual pages of routines: Python 3.9 was not found")
    return()
endif()
set(print ${PROJECT_SOURCE_DIR}/scripts/print-reference)
set(stamp ${PROJECT_BINARY_DIR}/man/routines)
file(GLOB sources CONFIGURE_DEPENDS src/api/*.[ch] src/api/*/*.[ch] src/api/arguments.tsv examples/routines/*.c)
add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/man/man3
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} ${print} --cc ${CMAKE_C_COMPILER}
        --man ${PROJECT_BINARY_DIR}/man/man3
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${print} ${PROJECT_SOURCE_DIR}/scripts/print-headers ${PROJECT_SOURCE_DIR}/docs/reference/python-names.md
        ${PROJECT_SOURCE_DIR}/tests/interface/spec/functions.tsv ${sources}
    VERBATIM)
add_custom_target(reference-routines ALL DEPENDS ${stamp})
add_dependencies(product reference-routines)
if(NOT SKBUILD) # a wheel has the commands' pages alone: 2,000 files more would be in it
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
