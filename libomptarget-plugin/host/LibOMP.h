//===- LibOMP.h - Entries of libomp beyond omp.h ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of libomp's compiler interface that the host plugin calls.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_LIBOMP_H
#define ACCX_PLUGIN_HOST_LIBOMP_H

#include <cstdint>
#include <omp.h>

namespace accx::host {

/// Source location record; every call carries one.
struct SourceIdent {
  int32_t Reserved1;
  int32_t Flags;
  int32_t Reserved2;
  int32_t Length;
  const char *Text;
};

inline constexpr char SourceText[] = ";accx;host plugin;0;0;;";
/// Flag 2: the call follows the compiler's interface.
inline constexpr SourceIdent Here = {0, 2, 0, sizeof(SourceText) - 1,
                                     SourceText};

extern "C" {
int32_t __kmpc_global_thread_num(const SourceIdent *);
void __kmpc_set_thread_limit(const SourceIdent *, int32_t Thread,
                             int32_t Limit);
void __kmpc_fork_call(const SourceIdent *, int32_t NumArgs,
                      void (*Body)(int32_t *, int32_t *, ...), ...);
}

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_LIBOMP_H
