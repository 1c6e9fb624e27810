//===- Descriptor.cpp - What the runtime is told of a kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Descriptor.h.
//
//===----------------------------------------------------------------------===//

#include "smc/Descriptor.h"

#include "accx/kernel_desc.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace accx::smc {

void describeLaunch(const Function &Kernel, unsigned Threads,
                    unsigned Iterations) {
  static_assert(llvm::endianness::native == llvm::endianness::little,
                "images have little-endian data");
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.flags = ACCX_DESC_EXACT_BLOCK;
  D.total_bytes = sizeof(D);
  D.block[0] = Threads;
  D.block[1] = D.block[2] = 1;
  D.lane_iterations = 1;
  D.iterations_per_block = Iterations;
  Module &M = *const_cast<Module *>(Kernel.getParent());
  Constant *Bytes = ConstantDataArray::get(
      M.getContext(),
      ArrayRef(reinterpret_cast<const uint8_t *>(&D), sizeof(D)));
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    Kernel.getLinkage(), Bytes,
                                    Kernel.getName() + ACCX_KERNEL_DESC_SUFFIX);
  Global->setVisibility(Kernel.getVisibility());
  Global->setAlignment(Align(8));
}

} // namespace accx::smc
