//===- DescribedImage.h - descriptors.img with descriptors ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills descriptors into the hand-written image of that name.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_UNIT_IMAGE_DESCRIBEDIMAGE_H
#define ACCX_TESTS_UNIT_IMAGE_DESCRIBEDIMAGE_H

#include "harness/Program.h"
#include "images/descriptors.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace harness {

/// A valid descriptor that asks for nothing.
inline accx_kernel_desc plainDescriptor() {
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.total_bytes = sizeof(D);
  D.lane_iterations = 1;
  D.iterations_per_block = 1;
  return D;
}

class DescribedImage {
  std::vector<char> Bytes = readFile(ACCX_TEST_PLUGINS "/descriptors.img");

public:
  /// Puts \p Data where the descriptor of \p Kernel is.
  DescribedImage &put(const std::string &Kernel, const void *Data,
                      size_t Size) {
    const std::string Mark = DESC_SLOT_MARK + Kernel + ";";
    auto It = std::search(Bytes.begin(), Bytes.end(), Mark.begin(), Mark.end());
    if (It == Bytes.end())
      throw std::runtime_error("no room for a descriptor of " + Kernel);
    std::memcpy(&*It, Data, Size);
    return *this;
  }
  DescribedImage &describe(const std::string &Kernel,
                           const accx_kernel_desc &Desc) {
    return put(Kernel, &Desc, sizeof(Desc));
  }
  /// The same with the names of a chain, and a grid program.
  DescribedImage &chain(const std::string &Kernel, accx_kernel_desc Desc,
                        const std::vector<std::string> &Names,
                        const std::vector<uint64_t> &Program = {}) {
    std::string Text;
    for (const std::string &Name : Names)
      Text.append(Name).push_back('\0');
    Desc.num_chain = static_cast<uint32_t>(Names.size());
    Desc.chain_bytes = static_cast<uint32_t>(Text.size());
    Desc.grid_bytes = static_cast<uint32_t>(Program.size() * sizeof(uint64_t));
    Text.append(reinterpret_cast<const char *>(Program.data()),
                Desc.grid_bytes);
    Desc.total_bytes = static_cast<uint32_t>(sizeof(Desc) + Text.size());
    std::vector<char> All(sizeof(Desc));
    std::memcpy(All.data(), &Desc, sizeof(Desc));
    All.insert(All.end(), Text.begin(), Text.end());
    return put(Kernel, All.data(), All.size());
  }
  const std::vector<char> &bytes() const { return Bytes; }
};

} // namespace harness

#endif // ACCX_TESTS_UNIT_IMAGE_DESCRIBEDIMAGE_H
