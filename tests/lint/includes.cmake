# Checks the direction of includes, which the linker does not check: cmake -D ROOT=TREE -P includes.cmake. A file
# includes its own headers, and those that folders.txt allows.
# Few files include a library: libxml/* is for ir_xml.c, ir_write.c, ir_layer_texts.c and xml_error.h; cJSON.h for
# ng_tree.c, report_json.c and test_settings.c; png.h for heatmap.c; zlib.h for runtime.
# dnnl.h and dnnl_version.h are for fast/fast_dnnl.h, omp.h for fast/fast_threads.c.
# cli includes only the public headers and its own. exec, program and runtime can include the public headers that they
# need.
cmake_minimum_required(VERSION 3.22)

set(libc alloca.h assert.h cpuid.h ctype.h dirent.h dlfcn.h errno.h execinfo.h fcntl.h fenv.h fnmatch.h float.h getopt.h inttypes.h limits.h link.h locale.h math.h tgmath.h
  poll.h pthread.h sched.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h
  time.h unistd.h sys/auxv.h sys/inotify.h sys/ioctl.h sys/mman.h sys/resource.h sys/stat.h sys/sysinfo.h sys/types.h sys/vfs.h sys/wait.h)

# below_X lists the folders that folder or file X can use.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/folders.txt rules REGEX "^[a-z]")
foreach(rule IN LISTS rules)
  string(REGEX MATCH "^([^:]*): *(.*)" rule "${rule}")
  string(REPLACE " " ";" "below_${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
endforeach()

# Sets `out` to the header's folder under src, or to "". `name` is a name in quotes.
function(folder_of file name out)
  get_filename_component(own ${file} DIRECTORY)
  if(EXISTS ${ROOT}/src/${own}/${name})
    set(name ${own}/${name})
  endif()
  get_filename_component(folder ${name} DIRECTORY)
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Sets `out` to whether the file can use headers of the folder.
function(may_use file target out)
  string(REGEX REPLACE "/[^/]*$" "/*" all_of_parent "${target}")
  string(REGEX REPLACE "\\.[a-z]*$" "" path ${file})
  set(${out} FALSE PARENT_SCOPE)
  while(path)
    if(target STREQUAL path OR target IN_LIST "below_${path}" OR all_of_parent IN_LIST "below_${path}")
      set(${out} TRUE PARENT_SCOPE)
    endif()
    get_filename_component(path "${path}" DIRECTORY)
  endwhile()
endfunction()

file(GLOB_RECURSE files RELATIVE ${ROOT}/src ${ROOT}/src/*.c ${ROOT}/src/*.cpp ${ROOT}/src/*.h ${ROOT}/src/*.inc)
set(wrong 0)
foreach(file IN LISTS files)
  get_filename_component(folder "${file}" DIRECTORY)
  if(NOT DEFINED "below_${folder}")
    message(FATAL_ERROR "src/${file}: folders.txt does not say what ${folder} may use")
  endif()
  string(REGEX REPLACE "/.*" "" folder "${folder}")

  file(STRINGS ${ROOT}/src/${file} lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    set(ok FALSE)
    if(line MATCHES "<(.*)>")
      set(name ${CMAKE_MATCH_1})
      if(name IN_LIST libc)
        set(ok TRUE)
      elseif(name STREQUAL immintrin.h OR name STREQUAL arm_neon.h)
        string(REGEX MATCH "^ops/(kernels/compute_type\\.c|pool/pool_(vector_[a-z0-9]+|lanes)\\.h)$" ok ${file})
      elseif(name MATCHES "^libxml/")
        if(file MATCHES "^parser/(ir_(xml|write|layer_texts)\\.c|xml_error\\.h)$")
          set(ok TRUE)
        endif()
      elseif(name MATCHES "^zlib\\.h$")
        string(COMPARE EQUAL "${folder}" runtime ok)
      elseif(name MATCHES "^dnnl(_version)?\\.h$")
        string(COMPARE EQUAL ${file} ops/fast/fast_dnnl.h ok)
      elseif(name STREQUAL omp.h)
        string(COMPARE EQUAL ${file} ops/fast/fast_threads.c ok)
      elseif(name STREQUAL png.h)
        string(COMPARE EQUAL ${file} cli/heatmap.c ok)
      elseif(name MATCHES "cJSON\\.h$")
        if(file MATCHES "^(cli/(report_json|test_settings)|parser/ng_tree)\\.c$")
          set(ok TRUE)
        endif()
      endif()
    elseif(line MATCHES "\"(.*)\"")
      set(name ${CMAKE_MATCH_1})
      if(name STREQUAL module_dir.h) # the build writes this header
        string(COMPARE EQUAL ${file} ops/fast/fast_load.c ok)
      elseif(name MATCHES "^irrun(_compare|_debug|_edit|_program|_state|_stats)?\\.h$")
        if(folder MATCHES "^(exec|program|runtime|cli)$")
          set(ok TRUE)
        endif()
      else()
        folder_of(${file} ${name} target)
        may_use(${file} "${target}" ok)
      endif()
    else() # a macro: the list of ops that tests add
      string(COMPARE EQUAL ${file} ops/registry.c ok)
    endif()
    if(NOT ok)
      string(STRIP "${line}" line)
      message("src/${file}: must not ${line}")
      math(EXPR wrong "${wrong} + 1")
    endif()
  endforeach()
endforeach()

if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}/src")
endif()
if(wrong)
  message(FATAL_ERROR "${wrong} wrong includes")
endif()
