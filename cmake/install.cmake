# Installs the program with man page and completions, the module of oneDNN if it was built, shared and static library,
# headers, irrun.pc and the CMake package, and a bill of materials. Also installs the documents, because messages name them, the licence, and
# the scripts that get tensors from other runtimes.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/irrun)

set_target_properties(irrun_program PROPERTIES EXPORT_NAME program)
install(TARGETS irrun_program EXPORT irrun-targets RUNTIME)
install(TARGETS irrun EXPORT irrun-targets LIBRARY INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/libirrun.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET irrun_onednn)
  install(TARGETS irrun_onednn LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/irrun)
endif()
install(FILES include/irrun.h include/irrun_compare.h include/irrun_debug.h include/irrun_edit.h include/irrun_program.h
  include/irrun_state.h include/irrun_stats.h TYPE INCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/irrun.man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME irrun.1)
install(FILES ${PROJECT_BINARY_DIR}/irrun.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME irrun)
install(FILES ${PROJECT_BINARY_DIR}/irrun.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _irrun)
install(FILES ${PROJECT_BINARY_DIR}/irrun.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs tools DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)

# The prefix in irrun.pc is relative, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/irrun.pc.in irrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/irrun.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT irrun-targets NAMESPACE irrun:: FILE irrun-targets.cmake DESTINATION ${package_dir})
write_basic_package_version_file(irrun-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/irrun-config-version.cmake cmake/irrun-config.cmake cmake/irrun-tests.cmake DESTINATION ${package_dir})

# The bill of materials describes the installed files. ldd and dpkg cannot look at programs of another processor.
if(NOT CMAKE_CROSSCOMPILING)
  set(built ${CMAKE_INSTALL_BINDIR}/irrun ${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:irrun> ${CMAKE_INSTALL_LIBDIR}/libirrun.a)
  if(TARGET irrun_onednn)
    list(APPEND built ${CMAKE_INSTALL_LIBDIR}/irrun/$<TARGET_FILE_NAME:irrun_onednn>)
  endif()
  install(CODE "execute_process(COMMAND [[${PROJECT_SOURCE_DIR}/cmake/sbom.sh]] \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" ${built}
    OUTPUT_FILE [[${PROJECT_BINARY_DIR}/irrun.spdx.json]] COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${PROJECT_BINARY_DIR}/irrun.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

# The Python module contains the library and its header. Only `cmake --install BUILD --component python` installs them.
add_custom_target(irrun_python)
add_dependencies(irrun_python irrun irrun_program)
set(python_part COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY python/irrun DESTINATION . ${python_part} PATTERN __pycache__ EXCLUDE)
install(FILES include/irrun.h include/irrun_compare.h include/irrun_debug.h include/irrun_edit.h include/irrun_state.h
              include/irrun_stats.h DESTINATION irrun ${python_part})
install(FILES $<TARGET_FILE:irrun> DESTINATION irrun RENAME libirrun.so ${python_part})
# The folder of the program; in a wheel, the folder whose files pip puts on PATH.
set(python_scripts $<IF:$<BOOL:${SKBUILD_SCRIPTS_DIR}>,${SKBUILD_SCRIPTS_DIR},bin>)
install(PROGRAMS $<TARGET_FILE:irrun_program> DESTINATION ${python_scripts} ${python_part})
if(TARGET irrun_onednn) # beside the library, and beside the program
  install(FILES $<TARGET_FILE:irrun_onednn> DESTINATION irrun ${python_part})
  install(FILES $<TARGET_FILE:irrun_onednn> DESTINATION ${python_scripts} ${python_part})
endif()
