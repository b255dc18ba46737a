# sheaf_find(KIND VARIABLE name... [arguments of find_KIND]): the one way to look for what is optional: KIND is path (of a
# header), file, library or program, as in find_path and so on. CMake keeps what it has found for ever; here each
# configuration looks again once that is gone. What is found reaches the compiler as a source file, a definition or a
# folder of headers, on its command line, so that what depends on it is built again when something comes or goes; a header
# that asks `__has_include` is in no list of dependencies while the other header is missing.
function(sheaf_find kind variable name)
    set(there "${${variable}}")
    if(kind STREQUAL path)
        string(APPEND there "/${name}")
    endif()
    if(NOT "${${variable}}" STREQUAL "" AND NOT EXISTS "${there}")
        unset(${variable} CACHE)
    endif()
    cmake_language(CALL find_${kind} ${variable} NAMES ${name} ${ARGN})
endfunction()
