//===- Descriptor.cpp - What the runtime is told of a kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills the descriptor of a kernel and adds it to the module as a constant. It
// is the room's only code that knows the layout which the runtime reads.
//
//===----------------------------------------------------------------------===//

#include "smc/Descriptor.h"

#include "accx/kernel_desc.h"
#include "smc/LaunchGrid.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

#include <cstring>

using namespace llvm;

namespace accx::smc {

void describeLaunch(const Function &Kernel, unsigned Threads,
                    unsigned Iterations, const LaunchGrid &Grid) {
  static_assert(llvm::endianness::native == llvm::endianness::little,
                "images have little-endian data");
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.flags = ACCX_DESC_EXACT_BLOCK;
  D.grid_bytes = Grid.words().size() * sizeof(uint64_t);
  D.total_bytes = sizeof(D) + D.grid_bytes;
  D.block[0] = Threads;
  D.block[1] = D.block[2] = 1;
  D.lane_iterations = 1;
  D.iterations_per_block = Iterations;
  Module &M = *const_cast<Module *>(Kernel.getParent());
  SmallVector<uint8_t, 256> All(D.total_bytes);
  std::memcpy(All.data(), &D, sizeof(D));
  std::memcpy(All.data() + sizeof(D), Grid.words().data(), D.grid_bytes);
  Constant *Bytes = ConstantDataArray::get(M.getContext(), ArrayRef(All));
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    Kernel.getLinkage(), Bytes,
                                    Kernel.getName() + ACCX_KERNEL_DESC_SUFFIX);
  Global->setVisibility(Kernel.getVisibility());
  Global->setAlignment(Align(8));
}

} // namespace accx::smc
