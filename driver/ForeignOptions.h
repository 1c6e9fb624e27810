//===- ForeignOptions.h - Options of other compilers ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVHPC's and GCC's options for OpenACC and offloading, which makefiles have in
// them: each becomes targets, Clang's options, or nothing, and the user is told
// what.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_FOREIGNOPTIONS_H
#define ACCX_DRIVER_FOREIGNOPTIONS_H

#include <string>
#include <string_view>
#include <vector>

namespace accx::driver {

struct Foreign {
  /// What one option became.
  struct Fate {
    std::string Given;
    /// Empty where all it does is to choose targets.
    std::string Became;
    bool ChoosesTargets;
  };

  /// -acc=, -mp=, -ta= and -foffload= name devices.
  bool NamesDevices = false;
  bool Host = false;
  bool Gpu = false;
  /// -gpu=cc90: sm_90. `every` and `major` stand for ccall and ccall-major.
  std::vector<std::string> Architectures;
  /// -gpu=cuda12.4: its folder, where there is one.
  std::string CudaPath;
  /// For compilations for GPUs alone, each with its value behind a blank.
  std::vector<std::string> GpuFlags;
  /// For all compilations, in place of the option last taken.
  std::vector<std::string> Flags;
  /// Regular expressions for the remarks of -Minfo: of what is read once,
  /// and of what is compiled for a device; the same for -Mneginfo.
  std::vector<std::string> HostRemarks, DeviceRemarks, MissedRemarks;
  std::vector<Fate> Fates;

  /// Whether `Option` is another compiler's; if so it is taken. Ends the
  /// program where it has an argument that the other compiler has not.
  bool take(std::string_view Option);

  bool choosesTargets() const { return NamesDevices || !Architectures.empty(); }

  /// Whether programs are to run on nothing but processors.
  bool wantsHostAlone() const { return NamesDevices && Host && !Gpu; }

  /// -Rpass and its like, for a compilation that offloads or does not.
  std::vector<std::string> remarkFlags(bool Offloads) const;

private:
  /// -Minfo and -Mneginfo; returns what they became.
  std::string takeRemarks(std::string_view Option, std::string_view Values);
};

} // namespace accx::driver

#endif // ACCX_DRIVER_FOREIGNOPTIONS_H
