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
#include "lanes/Pipeline.h"
#include "markers/Strip.h"
#include "markers/UnitEntries.h"
#include "pipeline/Kernels.h"
#include "pipeline/NamedPass.h"
#include "processor/Pipeline.h"
#include "reduce/GridNest.h"
#include "reduce/HierReduce.h"
#include "reduce/LockReductions.h"
#include "smc/Pipeline.h"
#include "vector/functions/Pipeline.h"
#include "vector/matrix/Pipeline.h"
#include "vector/peephole/Pipeline.h"
#include "vector/remainder/Pipeline.h"
#include "workitems/Pipeline.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

static void registerPasses(PassBuilder &PB) {
  accx::vector::registerFunction(PB);
  accx::vector::registerMatrix(PB);
  accx::vector::registerPairs(PB);
  accx::vector::registerRemainder(PB);
  // -passes= of opt.
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return accx::pipeline::addIfNamed<accx::markers::StripPass>(Name,
                                                                    MPM) ||
               accx::pipeline::addIfNamed<accx::markers::UnitEntriesPass>(
                   Name, MPM) ||
               accx::processor::parsePass(Name, MPM) ||
               accx::pipeline::parsePass(Name, MPM) ||
               accx::lanes::parsePass(Name, MPM) ||
               accx::smc::parsePass(Name, MPM) ||
               accx::workitems::parsePass(Name, MPM) ||
               accx::pipeline::addIfNamed<accx::reduce::GridNestPass>(Name,
                                                                      MPM) ||
               accx::pipeline::addIfNamed<accx::reduce::HierReducePass>(Name,
                                                                        MPM) ||
               accx::pipeline::addIfNamed<accx::reduce::LockReductionsPass>(
                   Name, MPM);
      });
  // Runs at -O0, too.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(accx::markers::UnitEntriesPass());
        accx::processor::addFirst(MPM);
        accx::pipeline::addFirst(MPM, Level);
        accx::lanes::addBeforeStrip(MPM, Level);
        accx::smc::addBeforeStrip(MPM, Level);
        accx::workitems::addBeforeStrip(MPM);
        accx::processor::addBeforeStrip(MPM);
        accx::pipeline::addBeforeStrip(MPM);
        MPM.addPass(accx::markers::StripPass());
        MPM.addPass(accx::reduce::LockReductionsPass());
        accx::processor::addToStart(MPM);
        accx::pipeline::addToStart(MPM, Level);
        accx::reduce::addNestsToStart(MPM, Level);
        accx::lanes::addToStart(MPM, Level);
        accx::reduce::addToStart(MPM, Level);
        accx::smc::addToStart(MPM, Level);
        accx::pipeline::addLast(MPM, Level);
        accx::processor::addChecks(MPM);
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        accx::pipeline::addToOptimizer(MPM, Level);
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        accx::processor::addToEnd(MPM, Level);
        accx::pipeline::addToEnd(MPM, Level);
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
