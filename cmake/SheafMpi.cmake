# The MPIs that tests use beside the library, and that the engine over MPI may use, each by its own name, since mpicc may
# be either's. Sheaf itself needs none. MPICH_INCLUDE and MPICH_LIBRARY, OPENMPI_INCLUDE and OPENMPI_LIBRARY: empty or
# -NOTFOUND where one is missing; where one lies elsewhere they are given: cmake -DOPENMPI_INCLUDE=/opt/mpi/include.
# ABI_INCLUDE and ABI_LIBRARY are for the standard ABI of MPI 5, which any MPI may offer beside its own. Debian 12 has none;
# `scripts/setup --abi` installs one into ABI_ROOT.
set(SHEAF_MPI_ROOT /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
sheaf_find(path MPICH_INCLUDE mpi.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich
    ${SHEAF_MPI_ROOT}/mpich/include NO_DEFAULT_PATH)
sheaf_find(library MPICH_LIBRARY mpich)
sheaf_find(path OPENMPI_INCLUDE mpi.h PATHS ${SHEAF_MPI_ROOT}/openmpi/include NO_DEFAULT_PATH)
sheaf_find(library OPENMPI_LIBRARY mpi PATHS ${SHEAF_MPI_ROOT}/openmpi/lib NO_DEFAULT_PATH)
set(ABI_ROOT /opt/mpich-abi CACHE PATH "An installed MPI that offers the standard ABI of MPI 5")
sheaf_find(path ABI_INCLUDE mpi.h PATHS ${SHEAF_MPI_ROOT}/openmpi/include/standard_abi /usr/include/standard_abi NO_DEFAULT_PATH)
sheaf_find(file ABI_HEADER mpi_abi.h PATHS ${ABI_ROOT}/include NO_DEFAULT_PATH)
sheaf_find(library ABI_LIBRARY mpi_abi PATHS ${ABI_ROOT}/lib NO_DEFAULT_PATH)
if(ABI_HEADER AND NOT ABI_INCLUDE) # MPICH's name of it, beside an mpi.h of another ABI
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/standard_abi/mpi.h CONTENT "#include \"${ABI_HEADER}\"\n")
    set(ABI_INCLUDE ${PROJECT_BINARY_DIR}/standard_abi)
endif()

# sheaf_mpi_program(NAME MPI [sheaf_program's arguments]): a program that uses MPICH or OPENMPI too. Sets
# SHEAF_MPI_PROGRAM to the file that it will be, NOTFOUND where that MPI is not installed (an empty argument CTest
# does not pass on).
function(sheaf_mpi_program name mpi)
    set(SHEAF_MPI_PROGRAM NOTFOUND PARENT_SCOPE)
    if(${mpi}_INCLUDE AND ${mpi}_LIBRARY)
        sheaf_program(${name} ${ARGN} LINK ${${mpi}_LIBRARY})
        string(REPLACE "/" "-" target "test-${name}")
        target_include_directories(${target} SYSTEM PRIVATE ${${mpi}_INCLUDE})
        set(SHEAF_MPI_PROGRAM ${PROJECT_BINARY_DIR}/tests/${target} PARENT_SCOPE)
    endif()
endfunction()
