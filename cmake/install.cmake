# Program, shared library, header, irrun.pc and the CMake package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/irrun)

install(TARGETS irrun_program RUNTIME)
install(TARGETS irrun EXPORT irrun-targets LIBRARY INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/irrun.h include/irrun_program.h TYPE INCLUDE)

# Relative, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/irrun.pc.in irrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/irrun.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT irrun-targets NAMESPACE irrun:: FILE irrun-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(irrun-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/irrun-config-version.cmake DESTINATION ${package_dir})
