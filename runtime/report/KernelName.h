//===- KernelName.h - Names of kernels for people ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "__omp_offloading_fd_a72_Z5jacobiv_l41" at solver.c:41 is "solver.c:41
// jacobi".
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_KERNELNAME_H
#define ACCX_REPORT_KERNELNAME_H

#include "report/Source.h"

#include <string>

namespace accx {

/// The function of a kernel's symbol and, behind it, what tells it from other
/// kernels of its line: "jacobi", "solve<double>", "main #2". A name that is
/// not clang's is given as it is. \p Line gets the line in the name, or 0.
std::string kernelFunction(const char *Symbol, int &Line);

/// "file:line function"; without a known place "function, line 41".
std::string kernelLabel(const char *Symbol, const Ident *Loc);

/// "kernel 'jacobi' of line 41", for errors.
std::string kernelPhrase(const char *Symbol);

} // namespace accx

#endif // ACCX_REPORT_KERNELNAME_H
