# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installed package: the build tree's layout under a prefix, and what
# find_package(accx) reads.
include(CMakePackageConfigHelpers)

set(ACCX_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/accx")

install(TARGETS accx_offload EXPORT accxTargets)
if(TARGET omptarget)
  install(TARGETS omptarget EXPORT accxTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# Plugins are opened by name at run time, never linked: no exported target.
foreach(Module accx.rtl.host accx.rtl.cuda accx)
  if(TARGET ${Module})
    install(TARGETS ${Module}
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endforeach()

# Messages as events, for the MPI libraries that were there.
foreach(Mpi accx-mpi-openmpi accx-mpi-mpich)
  if(TARGET ${Mpi})
    install(TARGETS ${Mpi}
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endforeach()

# The compiler drivers find all of the above beside themselves.
foreach(Driver accxcc accxc++)
  if(TARGET ${Driver})
    install(TARGETS ${Driver} EXPORT accxTargets
      RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
install(TARGETS accx-ptxas
  RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/accx")
install(PROGRAMS "${PROJECT_SOURCE_DIR}/driver/device-ld"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/accx")

if(EXISTS "${PROJECT_SOURCE_DIR}/include")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE.TXT"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/accx")

# For pkg-config; relocatable, as all of the prefix.
configure_file("${CMAKE_CURRENT_LIST_DIR}/accx.pc.in"
  "${PROJECT_BINARY_DIR}/accx.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/accx.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(EXPORT accxTargets NAMESPACE accx:: DESTINATION "${ACCX_PACKAGE_DIR}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/accxConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/accxConfig.cmake"
  INSTALL_DESTINATION "${ACCX_PACKAGE_DIR}"
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/accxConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/accxConfig.cmake"
  "${PROJECT_BINARY_DIR}/accxConfigVersion.cmake"
  DESTINATION "${ACCX_PACKAGE_DIR}")
