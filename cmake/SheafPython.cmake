# The Python module: built where an interpreter from 3.9 on has its header and NumPy. SHEAF_NUMPY_PYTHON is that
# interpreter, or empty; the one that CMake would find first is asked first, then the system's own.
find_package(Python3 3.9 COMPONENTS Interpreter)

function(sheaf_ask_python program)
    if(NOT EXISTS "${program}")
        return()
    endif()
    execute_process(COMMAND ${program} -c
        "import os, sys, sysconfig, numpy; i = sysconfig.get_path('include'); os.stat(i + '/Python.h'); \
print(sys.executable, i, numpy.get_include(), sep=';')"
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
        list(GET found 0 program)
        list(REMOVE_AT found 0)
        set(SHEAF_NUMPY_PYTHON ${program} PARENT_SCOPE)
        set(SHEAF_NUMPY_INCLUDES ${found} PARENT_SCOPE)
    endif()
endfunction()

option(SHEAF_PYTHON "Build the Python module where NumPy is there" ON)
unset(SHEAF_NUMPY_PYTHON CACHE)
set(SHEAF_NUMPY_PYTHON "")
foreach(program ${Python3_EXECUTABLE} /usr/bin/python3)
    if(SHEAF_PYTHON AND NOT SHEAF_NUMPY_PYTHON AND NOT CMAKE_CROSSCOMPILING AND NOT SHEAF_SANITIZE)
        sheaf_ask_python(${program})
    endif()
endforeach()
set(SHEAF_NUMPY_PYTHON "${SHEAF_NUMPY_PYTHON}" CACHE INTERNAL "The interpreter that the Python module was built for")
