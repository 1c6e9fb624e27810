# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the rooms' own CMakeLists.txt call.

# accx_add_room(<folder>)
# Enters <folder> when it is there.
function(accx_add_room Folder)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${Folder}/CMakeLists.txt")
    add_subdirectory("${PROJECT_SOURCE_DIR}/${Folder}"
      "${PROJECT_BINARY_DIR}/rooms/${Folder}")
  else()
    message(STATUS "accx: no ${Folder}/ in this tree, left out")
  endif()
endfunction()

# accx_precompile(<target> [<header>...])
# The standard library's headers take most of the time of a source that needs no
# other; a target with more than a few sources reads them once. A source still
# includes what it uses.
function(accx_precompile Target)
  target_precompile_headers(${Target} PRIVATE
    <algorithm>
    <atomic>
    <cinttypes>
    <cstdio>
    <cstring>
    <functional>
    <map>
    <memory>
    <mutex>
    <string>
    <vector>
    ${ARGN})
endfunction()

# accx_add_unit_test(<name> SOURCES <file>... [LIBRARIES <target>...]
#                    [TIMEOUT <seconds>])
# A Catch2 program; every TEST_CASE becomes one ctest test labelled `unit`. The
# asan and tsan trees build and run these (target accx-unit-tests), except test
# cases tagged [no-asan] or [no-tsan]: what a sanitizer itself does not support,
# such as threads in the child of a fork, and long ones that have one thread.
function(accx_add_unit_test Name)
  cmake_parse_arguments(PARSE_ARGV 1 Arg "" "TIMEOUT" "SOURCES;LIBRARIES")
  if(NOT Arg_TIMEOUT)
    set(Arg_TIMEOUT 600)
  endif()
  add_executable(${Name} ${Arg_SOURCES})
  target_link_libraries(${Name} PRIVATE
    ${Arg_LIBRARIES} accx_options accx_catch_main Threads::Threads)
  target_precompile_headers(${Name} REUSE_FROM accx_catch_headers)
  set_target_properties(${Name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests")
  add_dependencies(accx-unit-tests ${Name})
  set(Spec "")
  if(ACCX_SANITIZE MATCHES "address")
    set(Spec TEST_SPEC "~[no-asan]")
  elseif(ACCX_SANITIZE MATCHES "thread")
    set(Spec TEST_SPEC "~[no-tsan]")
  endif()
  catch_discover_tests(${Name} ${Spec}
    TEST_PREFIX "${Name}."
    PROPERTIES LABELS unit TIMEOUT ${Arg_TIMEOUT})
endfunction()

# accx::offload: the flags of an OpenMP target program that runs on our runtime.
# The -L stands in the link options, ahead of clang's own folders, because
# clang adds -lomptarget itself and the first library found is the one used.
add_library(accx_offload INTERFACE)
add_library(accx::offload ALIAS accx_offload)
set_target_properties(accx_offload PROPERTIES EXPORT_NAME offload)
set(ACCX_OFFLOAD_FLAGS -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu)
target_compile_options(accx_offload INTERFACE ${ACCX_OFFLOAD_FLAGS})
target_link_options(accx_offload INTERFACE ${ACCX_OFFLOAD_FLAGS}
  "$<BUILD_INTERFACE:-L${CMAKE_LIBRARY_OUTPUT_DIRECTORY}>"
  "$<BUILD_INTERFACE:-Wl,-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY}>"
  "$<INSTALL_INTERFACE:-L$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>"
  "$<INSTALL_INTERFACE:-Wl,-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>")
target_include_directories(accx_offload INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
