//===- Ptxas.cpp - ptxas with a look at occupancy -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// accx-ptxas stands in for ptxas, with the same arguments: Clang calls it for
// GPU code. ptxas takes the registers it likes, also where one or two more than
// fit halve the number of blocks that run at a time. Such kernels, if they
// leave half of a multiprocessor's warps or more unused, are assembled again
// with a bound, and stay so if they hardly spill.
//
// Kernels that state a bound, options that do, and code to be debugged are left
// as they are.
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "Message.h"
#include "Occupancy.h"
#include "Process.h"
#include "PtxKernels.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace accx::driver;

namespace fs = std::filesystem;

using std::string_view;

namespace {

using Arguments = std::vector<std::string>;

struct Call {
  /// The program and its arguments.
  Arguments Words;
  /// Where among them; 0: not given.
  size_t Input = 0, Output = 0;
  std::string Gpu;
  bool SaysUsage = false;
  /// The caller decides about registers.
  bool IsFixed = false;

  explicit Call(Arguments Given);
  /// The command for other files, which says of each kernel what it uses.
  Arguments with(const std::string &NewInput,
                 const std::string &NewOutput) const;
};

/// Removes itself.
struct ScratchFile {
  std::string Path;

  /// Beside a file, whose folder can be written to.
  ScratchFile(const std::string &Other, const char *Extension)
      : Path(Other + ".accx-" + std::to_string(getpid()) + Extension) {}
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  ~ScratchFile() {
    std::error_code Error;
    fs::remove(Path, Error);
  }
};

/// A kernel, and what it is to be bounded to.
struct Wish {
  PtxKernel Kernel;
  KernelUsage Before;
  unsigned Blocks;
};

} // namespace

Call::Call(Arguments Given) : Words(std::move(Given)) {
  constexpr string_view Fixed[] = {"-g",
                                   "-O0",
                                   "--device-debug",
                                   "-maxrregcount",
                                   "--maxrregcount",
                                   "--register-usage-level"};
  for (size_t I = 1; I < Words.size(); ++I) {
    const string_view Word = Words[I];
    if ((Word == "-o" || Word == "--output-file") && I + 1 < Words.size())
      Output = ++I;
    else if ((Word == "--gpu-name" || Word == "-arch") && I + 1 < Words.size())
      Gpu = Words[++I];
    else if (Word == "-v" || Word == "--verbose")
      SaysUsage = true;
    else if (std::ranges::any_of(Fixed, [&](string_view Option) {
               return Word.substr(0, Word.find('=')) == Option;
             }))
      IsFixed = true;
    else if (Word.ends_with(".s") || Word.ends_with(".ptx"))
      Input = I;
  }
}

Arguments Call::with(const std::string &NewInput,
                     const std::string &NewOutput) const {
  Arguments All = Words;
  All[Input] = NewInput;
  All[Output] = NewOutput;
  if (!SaysUsage)
    All.emplace_back("-v");
  return All;
}

/// The toolkit's own, which the compiler driver names; else one as it would be
/// found.
static std::string realPtxas() {
  if (auto Named = environment("ACCX_PTXAS")) {
    if (!findProgram(*Named))
      fail("ACCX_PTXAS=" + *Named + " is no program");
    return *Named;
  }
  const CudaSearch Search = CudaSearch::run("");
  if (!Search.Found)
    fail("no CUDA toolkit; say where it is with CUDA_PATH");
  if (auto Tool = Search.Found->tool("ptxas"))
    return *Tool;
  fail("no ptxas in " + Search.Found->Path);
}

static std::string contentsOf(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), {}};
}

/// Writes Ptx with the bounds of Wishes, which are in its order.
static bool writeBounded(const std::string &Path, const std::string &Ptx,
                         const std::vector<Wish> &Wishes) {
  std::ofstream File(Path, std::ios::binary);
  size_t From = 0;
  for (const Wish &W : Wishes) {
    const size_t To = W.Kernel.EndOfDirectives;
    File << string_view(Ptx).substr(From, To - From) << ".minnctapersm "
         << W.Blocks << '\n';
    From = To;
  }
  File << string_view(Ptx).substr(From);
  return static_cast<bool>(File.flush());
}

static void tell(const Wish &W, const KernelUsage &After) {
  note("kernel '" + W.Kernel.Name + "' has " + std::to_string(After.Registers) +
       " registers instead of " + std::to_string(W.Before.Registers) +
       ", so that " + std::to_string(W.Blocks) +
       " blocks run on a multiprocessor at a time; bytes spilled: " +
       std::to_string(After.SpillStores));
}

/// Assembles with bounds into the caller's output, where that is worth it. What
/// cannot be done leaves what is there.
static void bound(const Call &C, const std::string &Ptx,
                  std::vector<Wish> Wishes) {
  const ScratchFile Bounded(C.Words[C.Output], ".s");
  const ScratchFile Object(C.Words[C.Output], ".o");
  while (!Wishes.empty()) {
    if (!writeBounded(Bounded.Path, Ptx, Wishes))
      return;
    const Diagnosed D = diagnosticsOf(C.with(Bounded.Path, Object.Path));
    if (D.Status != 0)
      return;
    const auto Usage = usageIn(D.Text);
    const size_t Refused = std::erase_if(Wishes, [&](const Wish &W) {
      const auto After = Usage.find(W.Kernel.Name);
      return After == Usage.end() || !isWorthIt(W.Before, After->second);
    });
    if (Refused)
      continue;
    std::error_code Error;
    fs::rename(Object.Path, C.Words[C.Output], Error);
    if (!Error && C.SaysUsage)
      for (const Wish &W : Wishes)
        tell(W, Usage.find(W.Kernel.Name)->second);
    return;
  }
}

int main(int Count, char **Values) {
  setProgramName("accx-ptxas");
  Arguments Given(Values, Values + Count);
  Given[0] = realPtxas();
  const Call C(std::move(Given));
  const auto Limits = Multiprocessor::of(C.Gpu);
  if (!C.Input || !C.Output || C.IsFixed || !Limits)
    execute(C.Words);
  const std::string Ptx = contentsOf(C.Words[C.Input]);
  const std::vector<PtxKernel> Kernels = kernelsIn(Ptx);
  if (Kernels.empty())
    execute(C.Words);

  const Diagnosed First =
      diagnosticsOf(C.with(C.Words[C.Input], C.Words[C.Output]));
  const std::string Said = C.SaysUsage ? First.Text : withoutUsage(First.Text);
  std::fputs(Said.c_str(), stderr);
  if (First.Status != 0)
    return First.Status > 0 ? First.Status : 128 - First.Status;

  const auto Usage = usageIn(First.Text);
  std::vector<Wish> Wishes;
  for (const PtxKernel &K : Kernels)
    if (const auto Now = Usage.find(K.Name); Now != Usage.end())
      if (unsigned Blocks = Limits->blocksToWantFor(Now->second, K.Threads))
        Wishes.push_back({K, Now->second, Blocks});
  bound(C, Ptx, std::move(Wishes));
  return 0;
}
