# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One ctest test for each lit suite, all under one configured lit site.

# The system's Python: lit needs the psutil that Debian packages for it.
set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that runs lit")
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_file(ACCX_LIT lit.py PATHS /usr/lib/llvm-19/build/utils/lit
  NO_DEFAULT_PATH REQUIRED)
find_path(ACCX_LLVM_TOOLS_DIR FileCheck PATHS /usr/lib/llvm-19/bin
  NO_DEFAULT_PATH REQUIRED)
configure_file(lit.site.cfg.py.in lit.site.cfg.py @ONLY)

# The programs the suites compile need the runtime and its host plugin; whoever
# calls ctest builds them first.
set(Suites programs passes frontend scripts)
if(TARGET accx-mpi-openmpi OR TARGET accx-mpi-mpich)
  list(APPEND Suites mpi)
endif()
foreach(Suite IN LISTS Suites)
  if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${Suite}")
    add_test(NAME lit-${Suite}
      COMMAND Python3::Interpreter "${ACCX_LIT}" -v --workers 2
        --output "${CMAKE_CURRENT_BINARY_DIR}/lit-${Suite}.json"
        "${CMAKE_CURRENT_BINARY_DIR}/${Suite}")
    set_tests_properties(lit-${Suite} PROPERTIES LABELS lit TIMEOUT 3600)
  endif()
endforeach()
