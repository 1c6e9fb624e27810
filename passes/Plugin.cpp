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

#include "NamedPass.h"
#include "frontend/Frontend.h"
#include "host/Pipeline.h"
#include "kernels/Pipeline.h"
#include "lanes/Pipeline.h"
#include "markers/Strip.h"
#include "markers/UnitEntries.h"
#include "reduce/GridNest.h"
#include "reduce/HierReduce.h"
#include "reduce/LockReductions.h"
#include "simd/FunctionPipeline.h"
#include "simd/MatrixPipeline.h"
#include "simd/PairsPipeline.h"
#include "simd/RemainderPipeline.h"
#include "smc/Pipeline.h"
#include "workitems/Pipeline.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

static void registerPasses(PassBuilder &PB) {
  accx::simd::registerFunction(PB);
  accx::simd::registerMatrix(PB);
  accx::simd::registerPairs(PB);
  accx::simd::registerRemainder(PB);
  // -passes= of opt.
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return accx::addIfNamed<accx::markers::StripPass>(Name, MPM) ||
               accx::addIfNamed<accx::markers::UnitEntriesPass>(Name, MPM) ||
               accx::host::parsePass(Name, MPM) ||
               accx::kernels::parsePass(Name, MPM) ||
               accx::lanes::parsePass(Name, MPM) ||
               accx::smc::parsePass(Name, MPM) ||
               accx::workitems::parsePass(Name, MPM) ||
               accx::addIfNamed<accx::reduce::GridNestPass>(Name, MPM) ||
               accx::addIfNamed<accx::reduce::HierReducePass>(Name, MPM) ||
               accx::addIfNamed<accx::reduce::LockReductionsPass>(Name, MPM);
      });
  // Runs at -O0, too.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(accx::markers::UnitEntriesPass());
        accx::host::addFirst(MPM);
        accx::kernels::addFirst(MPM, Level);
        accx::lanes::addBeforeStrip(MPM, Level);
        accx::smc::addBeforeStrip(MPM, Level);
        accx::workitems::addBeforeStrip(MPM);
        accx::host::addBeforeStrip(MPM);
        accx::kernels::addBeforeStrip(MPM);
        MPM.addPass(accx::markers::StripPass());
        MPM.addPass(accx::reduce::LockReductionsPass());
        accx::host::addToStart(MPM);
        accx::kernels::addToStart(MPM, Level);
        accx::reduce::addNestsToStart(MPM, Level);
        accx::lanes::addToStart(MPM, Level);
        accx::reduce::addToStart(MPM, Level);
        accx::smc::addToStart(MPM, Level);
        accx::kernels::addLast(MPM, Level);
        accx::host::addChecks(MPM);
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        accx::kernels::addToOptimizer(MPM, Level);
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        accx::host::addToEnd(MPM, Level);
        accx::kernels::addToEnd(MPM, Level);
      });
}

__attribute__((constructor)) static void registerWithClang() {
  accx::frontend::registerFrontend(registerPasses);
}

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "accx", ACCX_VERSION, registerPasses};
}
