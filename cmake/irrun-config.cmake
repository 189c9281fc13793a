# What find_package(irrun) gives: the library irrun::irrun, the program irrun::program, and irrun_add_tests.
include(${CMAKE_CURRENT_LIST_DIR}/irrun-targets.cmake)
set(irrun_package_dir ${CMAKE_CURRENT_LIST_DIR})

# irrun_add_tests(DIR): each case that `irrun --test DIR` finds is a test of CTest, named DIR/CASE. CTest asks for them when it starts, so
# that a new data set needs no new configuration. A folder without cases is a test that fails.
function(irrun_add_tests dir)
  get_filename_component(folder ${dir} ABSOLUTE)
  string(MAKE_C_IDENTIFIER ${dir} id)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/irrun_tests_${id}.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "set(irrun [==[$<TARGET_FILE:irrun::program>]==])
set(folder [==[${folder}]==])
set(prefix [==[${dir}]==])
include([==[${irrun_package_dir}/irrun-tests.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
