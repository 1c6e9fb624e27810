# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language levels, output folders, warnings and sanitizers of the whole tree.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Static inner libraries need no archive step of their own before objects of
# other rooms compile.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

# One lib and one bin: the runtime looks for its plugins beside itself.
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# The installed layout is the build tree's, on Debian's multiarch prefix too.
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Library folder under the prefix")
include(GNUInstallDirs)

find_package(Threads REQUIRED)

# accx_options: for every library and tool of ours. Not for offload programs:
# hidden visibility would hide `declare target` variables in device images.
add_library(accx_options INTERFACE)
target_compile_options(accx_options INTERFACE
  -Wall -Wextra -Wpedantic -Wimplicit-fallthrough -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  -fvisibility=hidden
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
target_include_directories(accx_options INTERFACE
  "${PROJECT_SOURCE_DIR}/include")

# accx_runtime_options: for runtime/ and the device plugins, which live inside
# programs of any language and must not let an exception through.
add_library(accx_runtime_options INTERFACE)
target_link_libraries(accx_runtime_options INTERFACE accx_options)
target_compile_options(accx_runtime_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)

if(ACCX_SANITIZE)
  # UBSan's vptr check needs the type information that runtime/ leaves out.
  add_compile_options(-fsanitize=${ACCX_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  if(ACCX_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr)
  endif()
  add_link_options(-fsanitize=${ACCX_SANITIZE})
else()
  # A library with an undefined symbol should fail here, not in a program. With
  # a sanitizer its run-time comes from the executable.
  target_link_options(accx_runtime_options INTERFACE -Wl,-z,defs)
endif()

# The host as an offload target, as the drivers and the installed package name it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(ACCX_HOST_TRIPLE x86_64-pc-linux-gnu)
else()
  set(ACCX_HOST_TRIPLE ${CMAKE_SYSTEM_PROCESSOR}-unknown-linux-gnu)
endif()
