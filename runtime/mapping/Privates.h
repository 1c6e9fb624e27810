//===- Privates.h - Private arguments of a launch ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device copies of private and firstprivate arguments: one block a launch, with
// small firstprivate values packed into one transfer.
//
//===----------------------------------------------------------------------===//
//
//   block   | small firstprivates, packed | large firstprivates | privates |
//            `------- one transfer ------'  `- one each -----'    nothing
//
// Offsets keep each argument's alignment. Lambda objects among the small ones
// get their captured pointers patched in the packed host copy.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_PRIVATES_H
#define ACCX_MAPPING_PRIVATES_H

#include "mapping/Transfers.h"
#include "support/Abi.h"

#include <span>

namespace accx {

class PrivateArguments {
  struct Argument {
    int Arg;
    uint64_t Offset;
    uint64_t Size;
    bool Copy;
    bool Packed;
  };
  Device &D;
  std::vector<Argument> Arguments;
  ScratchBlock Block;
  char *Packed = nullptr;
  uint64_t PackedBytes = 0;
  /// All are firstprivate values that the kernel does not write.
  bool ReadOnly = false;
  /// Other launches whose values may serve; while place() runs.
  std::span<const PrivateArguments *const> Others;
  bool Borrowed = false;

  bool borrow();

public:
  /// Larger firstprivate arguments are copied straight from the program, which
  /// waits for it.
  static constexpr uint64_t PackLimit = 4096;

  explicit PrivateArguments(Device &D) : D(D) {}
  ~PrivateArguments() {
    if (!Borrowed)
      D.scratch().give(Block);
  }
  PrivateArguments(const PrivateArguments &) = delete;
  PrivateArguments &operator=(const PrivateArguments &) = delete;

  /// Lets the launch use the device copies of one of \p Others if its values
  /// are the same. Those live longer, and are on the same queue. Only if
  /// kernels do not write private arguments: who never calls this shares with
  /// nobody.
  void share(std::span<const PrivateArguments *const> With) {
    ReadOnly = true;
    Others = With;
  }

  /// Whether they have memory of their own.
  bool hasBlock() const { return Block.Address && !Borrowed; }

  /// Whether the values are those of \p Arrays, which have the same private
  /// arguments; false if kernels may write them.
  bool hold(const MapArrays &Arrays) const;

  /// Lays out the private arguments of \p Arrays, takes the block, and copies
  /// the small ones to host staging memory.
  Status place(ConstructQueue &Q, const MapArrays &Arrays);

  /// Device address of argument \p Arg, which is private.
  uintptr_t address(int Arg) const;

  /// Stores \p Value at \p Offset of the packed copy of argument \p Arg; false
  /// if that argument is not packed.
  bool patch(int Arg, uint64_t Offset, uintptr_t Value);

  /// Queues the transfers.
  Status transfer(ConstructQueue &Q, const MapArrays &Arrays);
};

} // namespace accx

#endif // ACCX_MAPPING_PRIVATES_H
