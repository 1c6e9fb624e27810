//===- Plugin.cpp - What libaccx.so registers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that registers anything: the front end with Clang, the passes
// with whoever builds an optimization pipeline.
//
//===----------------------------------------------------------------------===//
//
// `-fplugin` brings the passes to compilations that have a syntax tree. The
// host side of an offloading compilation is optimized in a second step without
// one, which `-fpass-plugin` reaches. Where both are given the passes come to
// the same pipeline twice: the second time has nothing left to do, and a pass
// for which that does not hold must mark the module.
//
//===----------------------------------------------------------------------===//

#include "frontend/Frontend.h"
#include "pipeline/Pipeline.h"

#include "llvm/Passes/PassPlugin.h"

__attribute__((constructor)) static void registerWithClang() {
  accx::frontend::registerFrontend(accx::pipeline::registerPasses);
}

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "accx", ACCX_VERSION,
          accx::pipeline::registerPasses};
}
