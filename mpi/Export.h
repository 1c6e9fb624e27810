//===- Export.h - Functions of this library that others call ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_EXPORT_H
#define ACCX_MPI_EXPORT_H

#define ACCX_MPI_ABI extern "C" [[gnu::visibility("default")]]

#endif // ACCX_MPI_EXPORT_H
