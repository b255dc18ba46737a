# SPDX-License-Identifier: BSD-3-Clause
#
# Finds an OpenSHMEM library by its compiler command, any library's that answers --showme:compile and
# --showme:link, and gives the target OpenSHMEM::OpenSHMEM; where oshfort is there too, OpenSHMEM::Fortran.
# A project that uses Sheaf alone needs no such file: find_package(Sheaf) is enough.
#
#   OpenSHMEM_C_COMPILER        the command, oshcc of the PATH where it is not set
#   OpenSHMEM_Fortran_COMPILER  the same for Fortran, oshfort beside it

find_program(OpenSHMEM_C_COMPILER oshcc)
# Of the same library: several may be installed.
get_filename_component(OpenSHMEM_FOLDER "${OpenSHMEM_C_COMPILER}" DIRECTORY)
find_program(OpenSHMEM_Fortran_COMPILER oshfort HINTS "${OpenSHMEM_FOLDER}")

# The words that the command prints for a part of its work.
function(openshmem_ask command part result)
    execute_process(COMMAND ${command} --showme:${part} OUTPUT_VARIABLE words ERROR_QUIET
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    separate_arguments(words UNIX_COMMAND "${words}")
    set(${result} "${words}" PARENT_SCOPE)
endfunction()

function(openshmem_target name command)
    if(command AND NOT TARGET OpenSHMEM::${name})
        openshmem_ask(${command} compile options)
        openshmem_ask(${command} link libraries)
        if(NOT libraries) # a library that was built without this language
            return()
        endif()
        add_library(OpenSHMEM::${name} INTERFACE IMPORTED)
        # As options, and not as folders of the system: another library's shmem.h must not come first.
        # What is Fortran's is not told to C's compiler.
        if(name STREQUAL "Fortran" AND options)
            set(options "$<$<COMPILE_LANGUAGE:Fortran>:${options}>")
        endif()
        set_property(TARGET OpenSHMEM::${name} PROPERTY INTERFACE_COMPILE_OPTIONS "${options}")
        # Folders may have spaces in their names: CMake quotes options. Libraries stand behind the objects.
        set(link_options ${libraries})
        list(FILTER link_options EXCLUDE REGEX "^-l")
        list(FILTER libraries INCLUDE REGEX "^-l")
        set_property(TARGET OpenSHMEM::${name} PROPERTY INTERFACE_LINK_OPTIONS "${link_options}")
        set_property(TARGET OpenSHMEM::${name} PROPERTY INTERFACE_LINK_LIBRARIES "${libraries}")
    endif()
endfunction()

openshmem_target(OpenSHMEM "${OpenSHMEM_C_COMPILER}")
openshmem_target(Fortran "${OpenSHMEM_Fortran_COMPILER}")

if(OpenSHMEM_C_COMPILER)
    openshmem_ask(${OpenSHMEM_C_COMPILER} version OpenSHMEM_LIBRARY_VERSION)
    list(JOIN OpenSHMEM_LIBRARY_VERSION " " OpenSHMEM_LIBRARY_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenSHMEM REQUIRED_VARS OpenSHMEM_C_COMPILER)
