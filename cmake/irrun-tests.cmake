# CTest reads this file at its start. It adds a test `prefix`/CASE for each case in `folder`, run by the program
# `irrun`. See irrun_add_tests.
execute_process(COMMAND ${irrun} --test --list-cases . WORKING_DIRECTORY ${folder}
  OUTPUT_VARIABLE names ERROR_QUIET RESULT_VARIABLE status)
if(status EQUAL 0)
  string(REGEX MATCHALL "[^\n]+" names "${names}")
else()
  add_test("${prefix}" ${irrun} --test .)
  set_tests_properties("${prefix}" PROPERTIES WORKING_DIRECTORY ${folder})
  set(names)
endif()
foreach(name IN LISTS names)
  string(REGEX REPLACE "([][*?\\])" "\\\\\\1" glob "${name}")
  add_test("${prefix}/${name}" ${irrun} --test --filter ${glob} .)
  set_tests_properties("${prefix}/${name}" PROPERTIES WORKING_DIRECTORY ${folder})
endforeach()
