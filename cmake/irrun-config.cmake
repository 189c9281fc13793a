# find_package(irrun) reads this file. It defines the library irrun::irrun, the program irrun::program, and
# irrun_add_tests.
include(${CMAKE_CURRENT_LIST_DIR}/irrun-targets.cmake)
set(irrun_package_dir ${CMAKE_CURRENT_LIST_DIR})

# irrun_add_tests(DIR): adds a test DIR/CASE to CTest for each case that `irrun --test DIR` finds. CTest lists the cases
# when it starts, so a new data set needs no new configuration. If the folder has no case, adds a test that fails.
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
