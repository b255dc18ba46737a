# What `cmake --install` puts where. Nothing installed holds the prefix: the tree may be moved.
include(CMakePackageConfigHelpers)

add_library(Sheaf::shmem ALIAS sheaf)
add_library(Sheaf::shmem_static ALIAS sheaf_static)
set_target_properties(sheaf PROPERTIES EXPORT_NAME shmem)
set_target_properties(sheaf_static PROPERTIES EXPORT_NAME shmem_static)
install(TARGETS sheaf sheaf_static EXPORT SheafTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Loaded by the library, which looks beside itself.
if(SHEAF_MPI_MODULES)
    install(TARGETS ${SHEAF_MPI_MODULES} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(SHEAF_NETWORK)
    install(PROGRAMS ${SHEAF_NETWORK}/libsheaf-ucx.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${SHEAF_NETWORK}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.UCX)
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
file(GLOB SHEAF_MAN_PAGES CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${SHEAF_MAN_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# find_package(Sheaf): targets Sheaf::shmem and Sheaf::shmem_static.
set(SHEAF_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Sheaf)
install(EXPORT SheafTargets NAMESPACE Sheaf:: DESTINATION ${SHEAF_PACKAGE_FOLDER})
configure_package_config_file(cmake/SheafConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/SheafConfig.cmake
    INSTALL_DESTINATION ${SHEAF_PACKAGE_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/SheafConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/SheafConfig.cmake ${PROJECT_BINARY_DIR}/cmake/SheafConfigVersion.cmake
    DESTINATION ${SHEAF_PACKAGE_FOLDER})

# pkg-config: folders relative to the .pc file's own.
list(JOIN SHEAF_EVERY_LINK_FLAGS " " SHEAF_PC_LINK_FLAGS)
set(SHEAF_PC_FOLDER ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SHEAF_PC_TO_INCLUDE ${SHEAF_PC_FOLDER} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH SHEAF_PC_TO_LIBRARY ${SHEAF_PC_FOLDER} ${CMAKE_INSTALL_FULL_LIBDIR})
string(REGEX REPLACE "/$" "" SHEAF_PC_TO_LIBRARY "${SHEAF_PC_TO_LIBRARY}")
configure_file(cmake/sheaf.pc.in ${PROJECT_BINARY_DIR}/cmake/sheaf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/sheaf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The same by the specification's name, whose version it has.
configure_file(cmake/openshmem.pc.in ${PROJECT_BINARY_DIR}/cmake/openshmem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/openshmem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Build systems link by the names that other libraries have: -lsma, -loshmem, -lpmi_simple. The names stand in
# a folder of their own, which hides no other library; component "compat" puts them beside libsheaf, too.
set(SHEAF_COMPAT_FOLDER ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/sheaf/compat)
set(SHEAF_BESIDE_FOLDER ${PROJECT_BINARY_DIR}/compat-beside)
file(MAKE_DIRECTORY ${SHEAF_COMPAT_FOLDER} ${SHEAF_BESIDE_FOLDER})
foreach(name sma oshmem)
    foreach(kind so a)
        file(CREATE_LINK ../../libsheaf.${kind} ${SHEAF_COMPAT_FOLDER}/lib${name}.${kind} SYMBOLIC)
        file(CREATE_LINK libsheaf.${kind} ${SHEAF_BESIDE_FOLDER}/lib${name}.${kind} SYMBOLIC)
    endforeach()
endforeach()
# Nothing is in it: the library itself speaks PMI where a launcher does.
foreach(folder ${SHEAF_COMPAT_FOLDER} ${SHEAF_BESIDE_FOLDER})
    file(WRITE ${folder}/libpmi_simple.a "!<arch>\n")
endforeach()
install(DIRECTORY ${SHEAF_COMPAT_FOLDER} DESTINATION ${CMAKE_INSTALL_LIBDIR}/sheaf)
install(DIRECTORY ${SHEAF_BESIDE_FOLDER}/ DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compat EXCLUDE_FROM_ALL)

# A module file (Environment Modules, Lmod) for sites, by relative folders as well.
set(SHEAF_MODULE_FOLDER ${CMAKE_INSTALL_FULL_DATADIR}/modulefiles/sheaf)
file(RELATIVE_PATH SHEAF_MODULE_TO_PREFIX ${SHEAF_MODULE_FOLDER} ${CMAKE_INSTALL_PREFIX})
foreach(which BIN LIB MAN)
    file(RELATIVE_PATH SHEAF_MODULE_${which} ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_${which}DIR})
endforeach()
configure_file(cmake/modulefile.in ${PROJECT_BINARY_DIR}/cmake/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/sheaf RENAME ${PROJECT_VERSION})
